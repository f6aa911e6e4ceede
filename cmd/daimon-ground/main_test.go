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
	ran := &doc.Tool{Name: "Bash", Input: "go test ./...", Status: doc.StatusOK}
	msgs := []doc.Message{{ID: "t1", Role: doc.ToolRole, Text: "ok  \tx\t0.1s", Tool: ran}}
	if err := doc.WriteTranscript(f, doc.Header{SessionID: "s-1"}, msgs); err != nil {
		t.Fatal(err)
	}
	return file
}

func grounded(t *testing.T, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	t.Setenv("HOME", t.TempDir())
	var out, diag bytes.Buffer
	code = run(context.Background(), strings.NewReader(stdin), &out, &diag, args)
	return code, out.String(), diag.String()
}

const candidate = `{"working_context":{"active_topic":{"text":"budget","trust":"inferred"},"open_questions":[],"recent_decisions":[
{"text":"All tests pass.","trust":"verbatim","quote":"q","source_message_ids":["t1"]},
{"text":"PR 7 was merged.","trust":"verbatim","quote":"q","source_message_ids":["t1"]},
{"text":"It was deployed.","trust":"verbatim","quote":"q","grounded":true}]},"epistemic_snapshot":{}}`

func TestGround(t *testing.T) {
	file := transcriptFile(t)
	code, out, diag := grounded(t, candidate, "--summary", "-t", file)
	if code != 0 || strings.Count(out, "\n") != 1 {
		t.Fatalf("exit %d: %s%s", code, out, diag)
	}
	c, err := doc.ParseCheckpoint([]byte(out))
	if err != nil {
		t.Fatal(err)
	}
	items := c.Items(doc.Lists[1])
	if !items[0].True("grounded") || items[0].Trust() != doc.Verbatim {
		t.Errorf("shown: %s", items[0].Bytes())
	}
	for _, e := range items[1:] {
		if !e.False("grounded") || e.Trust() != doc.Inferred {
			t.Errorf("not shown: %s", e.Bytes())
		}
	}
	if want := "daimon-ground: 4 items: 3 outcomes, 1 grounded, 2 downgraded (ungrounded, evidence-does-not-show 1; ungrounded, no-signal-cited 1)\n"; diag != want {
		t.Errorf("summary %q, want %q", diag, want)
	}
	one := `{"working_context":{"open_questions":[],"recent_decisions":[{"text":"PR 7 was merged.","trust":"inferred"}]},"epistemic_snapshot":{}}`
	if _, _, diag := grounded(t, one, "--summary", "-t", file); !strings.HasPrefix(diag, "daimon-ground: 1 item: 1 outcome, 0 grounded") {
		t.Errorf("summary of one: %q", diag)
	}
	if _, again, _ := grounded(t, out, "-t", file); again != out {
		t.Errorf("ground twice is not ground once:\n%s%s", out, again)
	}
}

func TestRefusals(t *testing.T) {
	file := transcriptFile(t)
	for _, tt := range []struct {
		name, stdin string
		args        []string
		code        int
	}{
		{"empty", " \n", []string{"-t", file}, 65},
		{"a list", "[]", []string{"-t", file}, 65},
		{"no transcript", candidate, []string{"-t", file + ".missing"}, 66},
		{"no -t", candidate, nil, 2},
	} {
		code, out, diag := grounded(t, tt.stdin, tt.args...)
		if code != tt.code || out != "" || strings.Count(diag, "\n") != 1 {
			t.Errorf("%s: exit %d, stdout %q, stderr %q", tt.name, code, out, diag)
		}
	}
}
