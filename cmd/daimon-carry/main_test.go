package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"daimon/lib/doc"
	"daimon/lib/rig"
	"daimon/lib/store"
)

var bin string

func TestMain(m *testing.M) { os.Exit(rig.Main(m, &bin, "daimon-carry")) }

// place is a home and a project of one test.
type place struct{ home, project string }

func newPlace(t *testing.T) place { return place{t.TempDir(), t.TempDir()} }

func (pl place) slug() string { return store.Slug(store.ProjectRoot(pl.project)) }

func (pl place) put(t *testing.T, name, text string) {
	t.Helper()
	if err := store.WriteFile(filepath.Join(store.Open(pl.home).Bucket(pl.slug()), name), []byte(text)); err != nil {
		t.Fatal(err)
	}
}

func (pl place) run(t *testing.T, stdin string, env []string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	cmd := exec.Command(filepath.Join(bin, "daimon-carry"), append([]string{"--home", pl.home, "--project", pl.project, "--now", "2026-03-01T12:00:00Z"}, args...)...)
	cmd.Env = append([]string{"HOME=" + pl.home, "PATH=" + os.Getenv("PATH")}, env...)
	cmd.Stdin = strings.NewReader(stdin)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), errs.String()
}

// candidate is what another session than the stored one made.
func candidate(items ...string) string {
	return strings.Replace(checkpoint(items...), `"session_id":"s1"`, `"session_id":"s2"`, 1)
}

// checkpoint is the stored one.
func checkpoint(items ...string) string {
	c := doc.NewCheckpoint()
	c.SetRaw("working_context.open_questions", []byte("["+strings.Join(items, ",")+"]"))
	c.Set("session_id", "s1")
	return string(c.Bytes())
}

const (
	item   = `{"text":"queue drains slowly","trust":"inferred","id":"o-aaaaaa","first_seen":"2026-02-28T00:00:00Z"}`
	copied = `"first_seen":"2026-02-28T00:00:00Z","carried_from":"s1"`
)

func TestContract(t *testing.T) {
	fresh := string(doc.NewCheckpoint().Bytes())
	old := filepath.Join(t.TempDir(), "old.json")
	if err := os.WriteFile(old, []byte(checkpoint(item)), 0o600); err != nil {
		t.Fatal(err)
	}
	closed := `{"ts":"2026-02-28T01:00:00Z","kind":"resolution","item_ref":"o-aaaaaa","status":"resolved","source":"cli"}` + "\n"
	for _, c := range []struct {
		what, stdin    string
		latest, events string
		env, args      []string
		code           int
		carried        bool
		stderr         string
	}{
		{what: "carries the latest", stdin: fresh, latest: checkpoint(item), carried: true},
		{what: "says what it did", stdin: fresh, latest: checkpoint(item), args: []string{"--summary"}, carried: true, stderr: "daimon-carry: 1 carried\n"},
		{what: "no previous", stdin: fresh},
		{what: "previous by name", stdin: fresh, args: []string{"--previous", old}, carried: true},
		{what: "previous by name is missing", stdin: fresh, args: []string{"--previous", old + "x"}, code: 66, stderr: "no such file"},
		{what: "previous by name is no checkpoint", stdin: fresh, args: []string{"--previous", os.Args[0]}, code: 65, stderr: "daimon-carry: "},
		{what: "turned off", stdin: fresh, latest: checkpoint(item), env: []string{"DAIMON_CARRY=0"}},
		{what: "turned on", stdin: fresh, latest: checkpoint(item), env: []string{"DAIMON_CARRY=1"}, carried: true},
		{what: "floor", stdin: fresh, latest: checkpoint(item), env: []string{"DAIMON_CARRY_FLOOR=0.9"}},
		{what: "bad floor and limit", stdin: fresh, latest: checkpoint(item), env: []string{"DAIMON_CARRY_FLOOR=x", "DAIMON_CARRY_MAX=x"}, carried: true},
		{what: "limit below 1", stdin: fresh, latest: checkpoint(item), env: []string{"DAIMON_CARRY_MAX=0"}, carried: true},
		{what: "resolved", stdin: fresh, latest: checkpoint(item), events: closed},
		{what: "torn pointer", stdin: fresh, latest: `{"torn`, stderr: "daimon-carry: nothing is carried"},
		{what: "empty stdin", stdin: " \n", latest: checkpoint(item), code: 65, stderr: "stdin is empty"},
		{what: "stdin is no document", stdin: "[1]", code: 65, stderr: "daimon-carry: "},
		{what: "wrong flag", stdin: fresh, args: []string{"--nope"}, code: 2, stderr: "daimon-carry: "},
	} {
		pl := newPlace(t)
		for name, text := range map[string]string{"latest.json": c.latest, store.Events: c.events} {
			if text != "" {
				pl.put(t, name, text)
			}
		}
		code, out, errs := pl.run(t, c.stdin, c.env, c.args...)
		if code != c.code || strings.Contains(out, copied) != c.carried || !strings.Contains(errs, c.stderr) || c.stderr == "" && errs != "" || strings.Count(errs, "\n") > 1 {
			t.Errorf("%s: exit %d\nstdout %s\nstderr %s", c.what, code, out, errs)
		}
		if c.code != 0 && out != "" || c.code == 0 && !c.carried && out != fresh+"\n" {
			t.Errorf("%s: stdout is %q", c.what, out)
		}
	}
}

func TestUnreadableLedgerStops(t *testing.T) {
	pl := newPlace(t)
	pl.put(t, "latest.json", checkpoint(item))
	if err := os.Mkdir(filepath.Join(store.Open(pl.home).Bucket(pl.slug()), store.Events), 0o700); err != nil {
		t.Fatal(err)
	}
	if code, out, errs := pl.run(t, candidate(), nil); code != 75 || out != "" || errs == "" {
		t.Errorf("exit %d, stdout %q, stderr %q", code, out, errs)
	}
}

// A second run over its own output changes nothing, and nothing is written.
func TestTwiceIsOnce(t *testing.T) {
	pl := newPlace(t)
	pl.put(t, "latest.json", checkpoint(item, `{"text":"mail relay queue grows","trust":"inferred","id":"o-bbbbbb"}`))
	before, _ := filepath.Glob(filepath.Join(pl.home, "*", "*", "*"))
	_, once, _ := pl.run(t, candidate(`{"text":"mail relay queue keeps growing","trust":"inferred"}`), nil)
	_, twice, errs := pl.run(t, once, nil)
	if once != twice || !strings.Contains(once, "o-bbbbbb") || errs != "" {
		t.Errorf("once  %stwice %s%s", once, twice, errs)
	}
	if after, _ := filepath.Glob(filepath.Join(pl.home, "*", "*", "*")); len(after) != len(before) {
		t.Errorf("files were written: %v", after)
	}
}

// A session captured again goes on from the one before it, not from itself.
func TestSameSessionCarriesNotFromItself(t *testing.T) {
	pl := newPlace(t)
	own := strings.Replace(checkpoint(`{"text":"mail relay queue grows","trust":"inferred","id":"o-bbbbbb"}`), `"s1"`, `"s2"`, 1)
	pl.put(t, "latest.json", own)
	pl.put(t, "prev-1.json", checkpoint(item))
	code, out, errs := pl.run(t, candidate(), nil)
	if code != 0 || errs != "" || !strings.Contains(out, copied) || strings.Contains(out, "o-bbbbbb") {
		t.Errorf("exit %d, stdout %s, stderr %s", code, out, errs)
	}
}

func TestHelp(t *testing.T) {
	code, out, _ := newPlace(t).run(t, "", nil, "--help")
	if code != 0 || !strings.Contains(out, "EXIT STATUS") || !strings.Contains(out, " 75  ") {
		t.Errorf("exit %d %s", code, out)
	}
}
