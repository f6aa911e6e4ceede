package redact

import (
	"bytes"
	"strings"
	"testing"

	"daimon/lib/doc"
)

func parse(t *testing.T, s string) *doc.Checkpoint {
	t.Helper()
	c, err := doc.ParseCheckpoint([]byte(s))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestDocumentMasksEverywhere(t *testing.T) {
	key := "ghp_" + rep(36)
	c := parse(t, `{"session_id":"`+key+`","working_context":{"active_topic":{"text":"a","because":"`+key+`","links":[{"type":"supersedes","target":"`+key+`"}]},`+
		`"open_questions":[{"text":"q","x_deep":{"a":[1,["`+key+`"]],"`+key+`":true}}]},`+
		`"epistemic_snapshot":{"contradictions_flagged":["bare `+key+`"]},"worker_queue":["`+key+`"],"n":1.50,`+
		`"x_env":{"DB_PASSWORD":"hunter2","token_count":"12345678","api_key":["abcdefgh1"]}}`)
	counts := Document(c)
	if counts["github-token"] != 7 || counts["api-key"] != 2 || len(counts) != 2 {
		t.Errorf("counts %v", counts)
	}
	out := string(c.Bytes())
	if strings.Contains(out, "ghp_") || strings.Contains(out, "hunter2") || strings.Contains(out, "abcdefgh1") {
		t.Errorf("a secret is left: %s", out)
	}
	for _, keep := range []string{`"n":1.50`, `"token_count":"12345678"`, `"bare [redacted:github-token]"`} {
		if !strings.Contains(out, keep) {
			t.Errorf("%s is gone: %s", keep, out)
		}
	}
	before := bytes.Clone(c.Bytes())
	if again := Document(c); again != nil || !bytes.Equal(before, c.Bytes()) {
		t.Errorf("a second pass found %v", again)
	}
}

func TestDocumentMasksNumbers(t *testing.T) {
	c := parse(t, `{"x_n":{"token":1234567890123456,"api_key":[9876543210987654],"max_tokens":1000000000,"secret":7,"n":1234567890123456}}`)
	Document(c)
	const want = `{"x_n":{"token":"[redacted:api-key]","api_key":["[redacted:api-key]"],"max_tokens":1000000000,"secret":7,"n":1234567890123456}}`
	if got := string(c.Bytes()); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestDocumentLeavesCleanBytes(t *testing.T) {
	c := doc.NewCheckpoint()
	before := bytes.Clone(c.Bytes())
	if counts := Document(c); counts != nil || !bytes.Equal(before, c.Bytes()) {
		t.Errorf("%v %s", counts, c.Bytes())
	}
}
