package quote

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/tidwall/gjson"

	"daimon/lib/doc"
	"daimon/lib/host"
)

// session is one labelled session.
type session struct {
	name  string
	t     *doc.Transcript
	items []gjson.Result
}

// sessions reads the labelled sessions, or skips the test.
func sessions(t testing.TB) []session {
	t.Helper()
	var dirs []string
	for _, root := range []string{"../pipeline/testdata/sessions", "../../../shared/data/sessions"} {
		if dirs, _ = filepath.Glob(filepath.Join(root, "*", "candidate.json")); len(dirs) > 0 {
			break
		}
	}
	if len(dirs) == 0 {
		t.Skip("no labelled sessions beside the checkout")
	}
	var out []session
	for _, file := range dirs {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		dir := filepath.Dir(file)
		out = append(out, session{filepath.Base(dir), rows(t, filepath.Join(dir, "session.jsonl")), gjson.GetBytes(raw, "items").Array()})
	}
	return out
}

// rows normalises a session file.
func rows(t testing.TB, file string) *doc.Transcript {
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
