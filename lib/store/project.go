package store

import (
	"os"
	"path/filepath"
	"strings"
	"unicode"
)

// Slug is the bucket name of a project's path: every character that is no
// letter, digit or underscore of any script becomes a hyphen. It is idempotent,
// holds no separator, and is lossy: /a/b and /a-b share one; see [Store.SlugFor].
func Slug(path string) string {
	path = strings.TrimFunc(path, func(r rune) bool {
		return unicode.IsSpace(r) || r >= 0x1C && r <= 0x1F
	})
	var b strings.Builder
	for _, r := range path { // a byte that is not UTF-8 arrives as U+FFFD
		if r != '_' && !unicode.IsLetter(r) && !unicode.IsNumber(r) {
			r = '-'
		}
		b.WriteRune(r)
	}
	return shorten(b.String())
}

// ProjectName is what a person calls the project.
func ProjectName(root string) string { return filepath.Base(root) }

// ProjectRoot is the folder that stands for the project dir is in: the real
// path of the git checkout around it, else of dir itself. A linked worktree
// stands for its main checkout, if that one knows it; a submodule for itself.
func ProjectRoot(dir string) string {
	dir = realPath(dir)
	for at := dir; ; at = filepath.Dir(at) {
		if root, ok := checkout(at); ok {
			return root
		}
		if at == filepath.Dir(at) {
			return dir
		}
	}
}

// realPath resolves links as far as the path exists.
func realPath(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		return filepath.Clean(path)
	}
	for head, rest := abs, ""; ; {
		if real, err := filepath.EvalSymlinks(head); err == nil {
			return filepath.Join(real, rest)
		}
		if head == filepath.Dir(head) {
			return abs
		}
		head, rest = filepath.Dir(head), filepath.Join(filepath.Base(head), rest)
	}
}

func checkout(dir string) (string, bool) {
	git := filepath.Join(dir, ".git")
	st, err := os.Stat(git)
	switch {
	case err != nil:
		return "", false
	case st.IsDir():
		return dir, true
	case !st.Mode().IsRegular():
		return "", false
	}
	admin, ok := gitLine(git, "gitdir: ")
	if !ok {
		return "", false
	}
	if main, ok := mainCheckout(admin, git); ok {
		return main, true
	}
	return dir, true
}

// mainCheckout follows a worktree's admin folder, main/.git/worktrees/name.
// The folder must point back: otherwise a .git file in an unpacked archive could
// claim the memory of any other project.
func mainCheckout(admin, git string) (string, bool) {
	worktrees := filepath.Dir(admin)
	common := filepath.Dir(worktrees)
	if filepath.Base(worktrees) != "worktrees" || filepath.Base(common) != ".git" {
		return "", false
	}
	back, ok := gitLine(filepath.Join(admin, "gitdir"), "")
	if !ok || realPath(back) != realPath(git) {
		return "", false
	}
	return realPath(filepath.Dir(common)), true
}

// gitLine reads the path in a one-line file of git, relative to its folder.
func gitLine(file, prefix string) (string, bool) {
	b, err := readRegular(file, 64<<10)
	line, ok := strings.CutPrefix(strings.TrimRight(string(b), "\r\n"), prefix)
	if err != nil || !ok || line == "" {
		return "", false
	}
	if !filepath.IsAbs(line) {
		line = filepath.Join(filepath.Dir(file), line)
	}
	return filepath.Clean(line), true
}
