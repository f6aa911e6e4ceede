package store

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestSlug(t *testing.T) {
	for path, want := range map[string]string{
		"/Users/x/my_proj": "-Users-x-my_proj",
		"/Users/x/my.app":  "-Users-x-my-app",
		"/tmp/a b":         "-tmp-a-b",
		"/Users/x/Ünï":     "-Users-x-Ünï",
		"/a b/ü":           "-a-b-ü",
		"":                 "",
		" \t":              "",
		`C:\x`:             "C--x",
		"/w/日本":            "-w-日本",
		"/w/\xff":          "-w--",
		"/w/½²":            "-w-½²",
		"../..":            "-----",
	} {
		if got := Slug(path); got != want {
			t.Errorf("Slug(%q) = %q, want %q", path, got, want)
		}
	}
}

func TestSlugIsIdempotentAndOneName(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		path := rapid.String().Draw(t, "path") + strings.Repeat("x", rapid.IntRange(0, 400).Draw(t, "pad"))
		slug := Slug(path)
		if Slug(slug) != slug || strings.ContainsAny(slug, "/\\.\x00") || len(slug) > 255 {
			t.Fatalf("Slug(%q) = %q", path, slug)
		}
	})
}

func mkdir(t *testing.T, parts ...string) string {
	t.Helper()
	dir := filepath.Join(parts...)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

func put(t *testing.T, path, text string) {
	t.Helper()
	mkdir(t, filepath.Dir(path))
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestProjectRoot(t *testing.T) {
	top := realPath(t.TempDir())
	repo := mkdir(t, top, "repo")
	put(t, filepath.Join(repo, ".git/HEAD"), "ref: refs/heads/main\n")
	deep := mkdir(t, repo, "a/b")
	plain := mkdir(t, top, "plain/dir")

	admin := filepath.Join(repo, ".git/worktrees/wt")
	worktree := mkdir(t, top, "wt")
	put(t, filepath.Join(worktree, ".git"), "gitdir: "+admin+"\n")
	put(t, filepath.Join(admin, "gitdir"), filepath.Join(worktree, ".git")+"\n")

	relative := mkdir(t, top, "rel")
	put(t, filepath.Join(relative, ".git"), "gitdir: ../repo/.git/worktrees/rel\n")
	put(t, filepath.Join(repo, ".git/worktrees/rel/gitdir"), "../../../../rel/.git\n")

	forged := mkdir(t, top, "forged") // names the repo, which does not know it
	put(t, filepath.Join(forged, ".git"), "gitdir: "+admin+"\n")

	sub := mkdir(t, repo, "sub")
	put(t, filepath.Join(sub, ".git"), "gitdir: ../.git/modules/sub\n")

	link := filepath.Join(top, "link")
	if err := os.Symlink(repo, link); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]string{
		repo: repo, deep: repo, plain: plain, worktree: repo, relative: repo,
		forged: forged, sub: sub, link: repo, filepath.Join(link, "a"): repo,
		filepath.Join(top, "gone/x"): filepath.Join(top, "gone/x"),
		filepath.Join(link, "gone"):  repo,
	} {
		if got := ProjectRoot(dir); got != want {
			t.Errorf("ProjectRoot(%s) = %s, want %s", dir, got, want)
		}
	}
	if got := ProjectName(repo); got != "repo" {
		t.Errorf("name %q", got)
	}
}
