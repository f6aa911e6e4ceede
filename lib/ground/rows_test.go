package ground

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"daimon/lib/doc"
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

// rows reads the rows of a Claude Code session that the labelled set uses.
func rows(t testing.TB, file string) *doc.Transcript {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var msgs []doc.Message
	calls := map[string]gjson.Result{}
	for line := range bytes.SplitSeq(raw, []byte("\n")) {
		row := gjson.ParseBytes(line)
		role := row.Get("type").Str
		if role != "user" && role != "assistant" {
			continue
		}
		m := doc.Message{ID: row.Get("uuid").Str, Role: role, At: row.Get("timestamp").Str}
		content := row.Get("message.content")
		if content.Type == gjson.String {
			m.Text = content.Str
		}
		content.ForEach(func(_, b gjson.Result) bool {
			switch b.Get("type").Str {
			case "text":
				m.Text = strings.TrimSpace(m.Text + "\n\n" + b.Get("text").Str)
			case "tool_use":
				calls[b.Get("id").Str] = b
			case "tool_result":
				m.Role, m.Text = doc.ToolRole, toolText(b.Get("content"))
				m.Tool = tool(calls[b.Get("tool_use_id").Str], b.Get("is_error").Bool(), m.Text)
			}
			return true
		})
		if m.Text != "" {
			msgs = append(msgs, m)
		}
	}
	return doc.NewTranscript(doc.Header{SHA256: strings.Repeat("0", 64)}, msgs)
}

func toolText(v gjson.Result) string {
	if v.Type == gjson.String {
		return v.Str
	}
	var parts []string
	for _, p := range v.Array() {
		parts = append(parts, p.Get("text").Str)
	}
	return strings.Join(parts, "\n")
}

func tool(call gjson.Result, failed bool, text string) *doc.Tool {
	in := call.Get("input.command").Str
	if in == "" {
		in = call.Get("input").Raw
	}
	out := &doc.Tool{Name: call.Get("name").Str, Input: in, Status: doc.StatusOK}
	if failed {
		out.Status = doc.StatusError
		if n := gjson.Parse(strings.TrimPrefix(strings.SplitN(text, "\n", 2)[0], "Exit code ")); n.Type == gjson.Number {
			code := int(n.Int())
			out.Exit = &code
		}
	}
	return out
}
