package main

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

const talk = `{"format":"daimon.transcript/1","host":"claude-code","session_id":"s","source_sha256":"","source_bytes":0,"rows":3,"kept":3}
{"id":"m1","role":"user","text":"look at the retry loop of the importer please"}
{"id":"m2","role":"assistant","text":"It sleeps 5 s. I suggest a sleep of 2 s."}
{"id":"m3","role":"user","text":"yes. and never touch the archive bucket"}
`

const answer = `{"extractor":"mine\u001b","working_context":{"active_topic":{"text":"t","trust":"inferred"},"open_questions":[],"recent_decisions":[]},"epistemic_snapshot":{},"x_own":1}`

func call(t *testing.T, in string, args ...string) (out, errs string, code int) {
	t.Helper()
	t.Setenv("HOME", t.TempDir())
	var stdout, stderr bytes.Buffer
	code = run(context.Background(), strings.NewReader(in), &stdout, &stderr, args)
	return stdout.String(), stderr.String(), code
}

func TestEmbedded(t *testing.T) {
	t.Setenv("DAIMON_EXTRACT_CMD", "")
	out, errs, code := call(t, talk, "--summary")
	if code != 0 || strings.Count(out, "\n") != 1 {
		t.Fatalf("exit %d, %q, %q", code, out, errs)
	}
	if got := gjson.Get(out, "working_context.recent_decisions.0.source_message_ids").Raw; got != `["m2","m3"]` {
		t.Errorf("the decision cites %s in %s", got, out)
	}
	if want := "daimon-extract: embedded/1: 2 items (1 decision, 1 rule)\n"; errs != want {
		t.Errorf("summary %q, want %q", errs, want)
	}
}

func TestExits(t *testing.T) {
	for _, c := range []struct {
		name, env, in string
		args          []string
		code          int
		says          string
	}{
		{"empty", "", "", nil, 65, "no daimon.transcript/1 header"},
		{"no header", "", `{"id":"m1","role":"user","text":"x"}`, nil, 65, "no daimon.transcript/1 header"},
		{"command chosen by the environment", "printf '%s' '" + answer + "'", talk, []string{"--summary"}, 0, "mine: 0 items"},
		{"embedded all the same", "exit 1", talk, []string{"--backend=embedded"}, 0, ""},
		{"command chosen by flag", "exit 1", talk, []string{"--command", "printf '%s' '" + answer + "'"}, 0, ""},
		{"no command", "", talk, []string{"--backend=command"}, 2, "DAIMON_EXTRACT_CMD"},
		{"empty for a command", "true", "", nil, 65, "stdin is empty"},
		{"no header for a command", "true", "x", nil, 65, "no daimon.transcript/1 header"},
		{"failing command", "echo why >&2; exit 9", talk, nil, 1, "exit status 9: why"},
		{"missing command", "/no/such/program", talk, nil, 69, "cannot be run"},
		{"slow command", "sleep 60", talk, []string{"--timeout=200ms"}, 69, "no answer in 200ms"},
		{"no time", "true", talk, []string{"--timeout=0"}, 2, "above zero"},
		{"breach of contract", `echo '{"working_context":{},"epistemic_snapshot":{}}'`, talk, nil, 65, "open_questions: missing\n"},
		{"wrong backend", "", talk, []string{"--backend=magic"}, 2, "magic"},
		{"wrong schema", "", "", []string{"--schema=magic"}, 2, "candidate, checkpoint, transcript"},
		{"schema", "", "", []string{"--schema"}, 0, ""},
		{"schema by name", "", "", []string{"--schema=transcript"}, 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("DAIMON_EXTRACT_CMD", c.env)
			out, errs, code := call(t, c.in, c.args...)
			if code != c.code || !strings.Contains(errs, c.says) {
				t.Errorf("exit %d, %q; want %d, %q", code, errs, c.code, c.says)
			}
			if ok := gjson.Valid(out); ok != (c.code == 0) {
				t.Errorf("exit %d with %q on stdout", code, out)
			}
			for line := range strings.Lines(errs) {
				if !strings.HasPrefix(line, "daimon-extract: ") {
					t.Errorf("stray line %q", line)
				}
			}
		})
	}
}

func TestCommandAnswerPassesUnchanged(t *testing.T) {
	t.Setenv("DAIMON_EXTRACT_CMD", "printf '%s' '"+answer+"'")
	out, _, code := call(t, talk)
	if code != 0 || strings.TrimSpace(out) != strings.TrimSpace(answer) {
		t.Errorf("exit %d, %s", code, out)
	}
}

func TestSchemas(t *testing.T) {
	plain, _, _ := call(t, "", "--schema")
	named, _, _ := call(t, "", "--schema=candidate")
	other, _, _ := call(t, "", "--schema=transcript")
	if plain != named || plain == other || gjson.Get(plain, "title").Str != "daimon candidate" {
		t.Error("--schema prints the wrong one")
	}
}
