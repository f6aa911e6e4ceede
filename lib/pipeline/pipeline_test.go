package pipeline

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/tidwall/gjson"

	"daimon/lib/doc"
	"daimon/lib/rig"
	"daimon/lib/surface"
)

// bin holds the binaries under test, built once from this checkout.
var bin string

func TestMain(m *testing.M) { os.Exit(rig.Main(m, &bin)) }

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               setup,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"holds": holds, "json": jsonField, "private": private, "status": status, "declared": declared, "carried": carriedCopies,
		},
	})
}

// setup gives a script its own HOME and project, the binaries, the hooks, and
// the bundled sessions under $DEMO and $SESSIONS.
func setup(env *testscript.Env) error {
	home := filepath.Join(env.WorkDir, "home")
	project := filepath.Join(env.WorkDir, "project")
	for _, dir := range []string{home, filepath.Join(project, ".git")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	data, err := filepath.Abs("testdata")
	if err != nil {
		return err
	}
	env.Setenv("HOME", home)
	env.Setenv("PROJECT", project)
	env.Setenv("DEMO", filepath.Join(data, "demo"))
	env.Setenv("SESSIONS", filepath.Join(data, "sessions"))
	env.Setenv("HOOKS", filepath.Join(rig.Root(), "hooks"))
	env.Setenv("DAIMON_BIN", bin)
	env.Setenv("DAIMON_AUTHOR", "dev")
	env.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	env.Cd = project
	return nil
}

// holds checks whether any byte of any file or file name under a folder is the
// needle: holds NEEDLE DIR, or ! holds NEEDLE DIR.
func holds(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: [!] holds needle dir")
	}
	where, files := find(ts, args[0], ts.MkAbs(args[1]))
	switch {
	case files == 0:
		ts.Fatalf("nothing under %s to scan", args[1])
	case neg && where != "":
		ts.Fatalf("%q stands in %s", args[0], where)
	case !neg && where == "":
		ts.Fatalf("%q stands in none of %d files under %s", args[0], files, args[1])
	}
}

func find(ts *testscript.TestScript, needle, dir string) (where string, files int) {
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files++
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if bytes.Contains(b, []byte(needle)) || strings.Contains(filepath.Base(path), needle) {
			where = path
		}
		return nil
	})
	ts.Check(err)
	return where, files
}

// jsonField compares a value by gjson path: json FILE PATH WANT. FILE may be
// stdout.
func jsonField(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: [!] json file path want")
	}
	got := gjson.Get(ts.ReadFile(args[0]), args[1]).String()
	if (got == args[2]) == neg {
		ts.Fatalf("%s is %q, want %s%q", args[1], got, map[bool]string{true: "anything but "}[neg], args[2])
	}
}

// private checks that every folder under a path is 0700 and every file 0600.
func private(ts *testscript.TestScript, _ bool, args []string) {
	n := 0
	err := filepath.WalkDir(ts.MkAbs(args[0]), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		n++
		info, err := d.Info()
		if err != nil {
			return err
		}
		want := fs.FileMode(0o600)
		if d.IsDir() {
			want = 0o700
		}
		if info.Mode().Perm() != want {
			ts.Fatalf("%s has mode %o, want %o", path, info.Mode().Perm(), want)
		}
		return nil
	})
	ts.Check(err)
	if n < 2 {
		ts.Fatalf("%s holds nothing to check", args[0])
	}
}

// carriedCopies checks that each carried item of a checkpoint is an item of an
// older one, byte for byte but for carried_from: carried OLD NEW.
func carriedCopies(ts *testscript.TestScript, _ bool, args []string) {
	items := func(name string) (out []*doc.Entry) {
		c, err := doc.ParseCheckpoint([]byte(ts.ReadFile(name)))
		ts.Check(err)
		for _, l := range doc.Lists {
			out = append(out, c.Items(l)...)
		}
		return out
	}
	old := map[string]*doc.Entry{}
	for _, e := range items(args[0]) {
		old[e.ID()] = e
	}
	n, session := 0, strings.TrimSuffix(filepath.Base(args[0]), ".json")
	for _, e := range items(args[1]) {
		if !e.Has("carried_from") {
			continue
		}
		n++
		if e.Str("carried_from") != session {
			ts.Fatalf("carried from %s, want %s", e.Str("carried_from"), session)
		}
		e.Delete("carried_from")
		if was := old[e.ID()]; was == nil || string(was.Bytes()) != string(e.Bytes()) {
			ts.Fatalf("%s is no item of %s", e.Bytes(), session)
		}
	}
	if n == 0 {
		ts.Fatalf("%s carries nothing", args[1])
	}
}

// declared checks that the registry of file shapes has a row for every file under
// a data folder.
func declared(ts *testscript.TestScript, _ bool, args []string) {
	dir, n := ts.MkAbs(args[0]), 0
	ts.Check(filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		n++
		rel, err := filepath.Rel(dir, path)
		if _, ok := surface.Match(filepath.ToSlash(rel)); err == nil && !ok {
			err = fmt.Errorf("lib/surface declares no shape for %s", rel)
		}
		return err
	}))
	if _, ok := surface.Match("no/such/shape"); ok || n == 0 {
		ts.Fatalf("%d files, and a made-up one is declared: %v", n, ok)
	}
}

// status runs a command through sh and compares its exit code:
// status CODE SHELL-TEXT. Its output is left in stdout.txt and stderr.txt.
func status(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: status code 'sh text'")
	}
	cmd := exec.Command("sh", "-c", args[1])
	cmd.Dir = ts.MkAbs(".")
	for _, k := range []string{"HOME", "PATH", "PROJECT", "DEMO", "SESSIONS", "HOOKS", "DAIMON_BIN", "DAIMON_AUTHOR", "DAIMON_HOME", "WORK", "DAIMON_DISABLE", "DAIMON_EXTRACT_CMD"} {
		cmd.Env = append(cmd.Env, k+"="+ts.Getenv(k))
	}
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	_ = cmd.Run() // the exit code is what is looked at
	ts.Check(os.WriteFile(ts.MkAbs("stdout.txt"), out.Bytes(), 0o600))
	ts.Check(os.WriteFile(ts.MkAbs("stderr.txt"), errs.Bytes(), 0o600))
	if got := fmt.Sprint(cmd.ProcessState.ExitCode()); got != args[0] {
		ts.Fatalf("exit %s, want %s\n%s%s", got, args[0], out.Bytes(), errs.Bytes())
	}
}
