// Package rig is what tests share: the programs built from this checkout, and
// the labelled sessions. No program links it.
package rig

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/tidwall/gjson"

	"daimon/lib/doc"
	"daimon/lib/host"
)

// Root is the top of the checkout, absolute.
func Root() string {
	_, file, _, ok := runtime.Caller(0)
	if !ok {
		panic("rig: no caller")
	}
	return filepath.Dir(filepath.Dir(filepath.Dir(file)))
}

// Main builds programs (or all of them, when none is named) into a folder, puts
// its path into *dir, runs the tests and removes it. A TestMain that calls it
// ends with os.Exit of its result.
func Main(m *testing.M, dir *string, programs ...string) int {
	tmp, err := os.MkdirTemp("", "daimon-bin-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(tmp)
	args := []string{"build", "-o", tmp + string(filepath.Separator)}
	for _, name := range programs {
		args = append(args, "./cmd/"+name)
	}
	if len(programs) == 0 {
		args = append(args, "./cmd/...")
	}
	build := exec.Command("go", args...)
	build.Dir = Root()
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "build:", err)
		return 1
	}
	*dir = tmp
	return m.Run()
}

// Session is one labelled session.
type Session struct {
	Name  string
	T     *doc.Transcript
	Items []gjson.Result // of candidate.json
	Gold  gjson.Result   // gold.json
}

// Sessions reads the labelled sessions that stand in the project.
func Sessions(t testing.TB) []Session {
	t.Helper()
	dirs, _ := filepath.Glob(filepath.Join(Root(), "lib/pipeline/testdata/sessions/*/session.jsonl"))
	if len(dirs) == 0 {
		t.Fatal("no labelled sessions in lib/pipeline/testdata")
	}
	var out []Session
	for _, file := range dirs {
		dir := filepath.Dir(file)
		read := func(name string) gjson.Result {
			raw, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			return gjson.ParseBytes(raw)
		}
		out = append(out, Session{filepath.Base(dir), Transcript(t, file), read("candidate.json").Get("items").Array(), read("gold.json")})
	}
	return out
}

// Transcript normalises a host's session file.
func Transcript(t testing.TB, file string) *doc.Transcript {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	h, msgs, _, err := host.Normalize(f, "", host.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return doc.NewTranscript(h, msgs)
}
