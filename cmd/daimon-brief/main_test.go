package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"daimon/lib/brief"
	"daimon/lib/own"
	"daimon/lib/store"
)

const doc1 = `{"session_id":"s1","created":"2026-01-10T10:00:00Z","working_context":{"active_topic":{"text":"the topic","trust":"inferred"},` +
	`"open_questions":[{"text":"a loop","trust":"inferred","id":"o-000000000001"}],"recent_decisions":[]},"epistemic_snapshot":{}}`

// stuck is a stdin that a host left open: reading it would hang.
type stuck struct{ t *testing.T }

func (s stuck) Read([]byte) (int, error) {
	s.t.Error("stdin was read")
	return 0, os.ErrClosed
}

func TestRun(t *testing.T) {
	home, project := t.TempDir(), t.TempDir()
	brief := func(stdin string, args ...string) (int, string, string) {
		var out, errs bytes.Buffer
		args = append([]string{"--home", home, "--project", project, "--now", "2026-01-10T12:00:00Z"}, args...)
		var code int
		if stdin == "" {
			code = run(context.Background(), stuck{t}, &out, &errs, args)
		} else {
			code = run(context.Background(), strings.NewReader(stdin), &out, &errs, args)
		}
		return code, out.String(), errs.String()
	}
	if code, out, errs := brief(""); code != 0 || out != "" || errs != "" {
		t.Errorf("empty store: %d %q %q", code, out, errs)
	}
	const nothing = "daimon-brief: nothing is stored for this project yet\n"
	for _, more := range []string{"--summary", "--json"} {
		if code, _, errs := brief("", "--summary", more); code != 0 || errs != nothing {
			t.Errorf("empty store with %s: %d %q", more, code, errs)
		}
	}
	st := store.Open(home)
	slug := store.Slug(store.ProjectRoot(project))
	if err := store.WriteFile(st.LatestPath(slug), []byte(doc1)); err != nil {
		t.Fatal(err)
	}
	code, out, _ := brief("")
	if code != 0 || !strings.HasPrefix(out, own.BriefingHead+"checkpoint: s1, written 2h ago)\n") || !strings.HasSuffix(out, own.BriefingEnd+"\n") {
		t.Errorf("%d %s", code, out)
	}
	if _, _, errs := brief("", "--summary"); errs != fmt.Sprintf("daimon-brief: 2 items in %d bytes, 0 left out, 0 withheld\n", len(out)) {
		t.Errorf("--summary: %q", errs)
	}
	if _, _, errs := brief("", "--now", "yesterday"); !strings.HasPrefix(errs, "daimon-brief: --now: wants a time like 2026-11-27T08:00:00Z") {
		t.Errorf("--now: %q", errs)
	}
	if _, other, _ := brief("", "--project", t.TempDir()); other != "" {
		t.Errorf("another project sees %q", other)
	}
	file := filepath.Join(t.TempDir(), "c.json")
	if err := os.WriteFile(file, []byte(strings.Replace(doc1, "a loop", "from a file", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, out, _ := brief("", file); code != 0 || !strings.Contains(out, "from a file") {
		t.Errorf("FILE: %d %s", code, out)
	}
	if code, out, _ := brief(strings.Replace(doc1, "a loop", "from a pipe", 1), "-"); code != 0 || !strings.Contains(out, "from a pipe") {
		t.Errorf("-: %d %s", code, out)
	}
	if code, out, _ := brief("", "--json"); code != 0 || gjson.Get(out, "items.0.text").Str != "a loop" {
		t.Errorf("--json: %d %s", code, out)
	}
	code, env, _ := brief("", "--envelope", "claude-code")
	if got := gjson.Get(env, "hookSpecificOutput.additionalContext").Str; code != 0 || got != out {
		t.Errorf("--envelope: %d %q", code, got)
	}
	for _, c := range []struct {
		want  int
		stdin string
		args  []string
	}{{65, "  \n", []string{"-"}}, {65, "not json", []string{"-"}}, {66, "", []string{"/no/such/file"}}, {74, "", []string{t.TempDir()}}, {2, "", []string{"--envelope", "vim"}}} {
		if code, out, errs := brief(c.stdin, c.args...); code != c.want || out != "" || strings.Count(errs, "\n") != 1 {
			t.Errorf("%v: %d, want %d; %q %q", c.args, code, c.want, out, errs)
		}
	}
}

func TestSummary(t *testing.T) {
	for want, r := range map[string]brief.Report{
		"1 item in 1 byte, 0 left out, 0 withheld":                             {Shown: 1, Bytes: 1, Withheld: map[string]int{}},
		"2 items in 9 bytes, 3 left out, 3 withheld (forgotten 1, resolved 2)": {Shown: 2, Bytes: 9, LeftOut: 3, Withheld: map[string]int{"resolved": 2, "forgotten": 1}},
	} {
		if got := summary(r); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
