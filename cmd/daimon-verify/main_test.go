package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"daimon/lib/doc"
)

func transcriptFile(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "t.jsonl")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	msgs := []doc.Message{{ID: "u1", Role: doc.User, Text: "keep the budget per host. never add a dependency here"}}
	if err := doc.WriteTranscript(f, doc.Header{Host: "claude-code", SessionID: "s-1", End: "2026-02-03T04:05:06Z"}, msgs); err != nil {
		t.Fatal(err)
	}
	return file
}

func verify(t *testing.T, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	t.Setenv("HOME", t.TempDir())
	var out, diag bytes.Buffer
	code = run(context.Background(), strings.NewReader(stdin), &out, &diag, args)
	return code, out.String(), diag.String()
}

const candidate = `{"session_id":"made up","id":"x","x_note":1,"working_context":{"active_topic":{"text":"budget","trust":"inferred"},
"open_questions":[],"recent_decisions":[
{"text":"Per host.","trust":"verbatim","quote":"the budget **per host**","source_message_ids":["m1"],"quote_verified":false,"id":"r-1"},
{"text":"Per request.","trust":"verbatim","quote":"the budget per request","source_message_ids":["m1"],"quote_verified":true}]},
"epistemic_snapshot":{}}`

func TestVerify(t *testing.T) {
	file := transcriptFile(t)
	code, out, diag := verify(t, candidate, "--summary", "-t", file)
	if code != 0 || strings.Count(out, "\n") != 1 {
		t.Fatalf("exit %d: %s%s", code, out, diag)
	}
	c, err := doc.ParseCheckpoint([]byte(out))
	if err != nil {
		t.Fatal(err)
	}
	items := c.Items(doc.Lists[1])
	if !items[0].True("quote_verified") || items[0].Has("id") || items[1].Trust() != doc.Inferred || !items[1].False("quote_verified") {
		t.Errorf("items: %s", out)
	}
	if c.Str("session_id") != "s-1" || c.Get("id").Exists() || c.Get("x_note").Int() != 1 {
		t.Errorf("top level: %s", out)
	}
	if pins := c.Items(doc.Lists[2]); len(pins) != 1 || !pins[0].True("pinned") {
		t.Errorf("pins: %s", out)
	}
	if want := "daimon-verify: 4 items: 2 verbatim kept, 1 downgraded (quote-not-in-transcript 1), 1 pinned\n"; diag != want {
		t.Errorf("summary %q, want %q", diag, want)
	}
	if _, again, _ := verify(t, out, "-t", file); again != out {
		t.Errorf("verify twice is not verify once:\n%s%s", out, again)
	}
}

func TestRefusals(t *testing.T) {
	file := transcriptFile(t)
	bad := `{"working_context":{"active_topic":null,"open_questions":[{"text":"a","trust":"Verbatim"}],"recent_decisions":5},"epistemic_snapshot":{}}`
	empty := filepath.Join(t.TempDir(), "empty")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, stdin string
		args        []string
		code        int
		lines       int
	}{
		{"empty", "", []string{"-t", file}, 65, 1},
		{"no JSON", "{", []string{"-t", file}, 65, 1},
		{"invalid", bad, []string{"-t", file}, 65, 3},
		{"no transcript", candidate, []string{"-t", file + ".missing"}, 66, 1},
		{"empty transcript", candidate, []string{"-t", empty}, 65, 1},
		{"no -t", candidate, nil, 2, 1},
	} {
		code, out, diag := verify(t, tt.stdin, tt.args...)
		if code != tt.code || out != "" || strings.Count(diag, "\n") != tt.lines {
			t.Errorf("%s: exit %d, stdout %q, stderr\n%s", tt.name, code, out, diag)
		}
	}
}
