package host

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/tidwall/gjson"

	"daimon/lib/doc"
	"daimon/lib/fault"
)

const data = "../../../shared/data"

// cases are the inputs of the row cases.
func cases(t testing.TB) [][]byte {
	files, _ := filepath.Glob("testdata/*.txt")
	var out [][]byte
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, a.Files[0].Data)
	}
	return out
}

func sessions(t testing.TB, pattern string) []string {
	files, _ := filepath.Glob(filepath.Join(data, pattern))
	if len(files) == 0 {
		t.Skip("no session files at " + filepath.Join(data, pattern))
	}
	return files
}

// Every quote that a labelled session says is there is in the message it names.
func TestLabelledSessions(t *testing.T) {
	for _, file := range sessions(t, "sessions/*/session.jsonl") {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		check(t, raw)
		h, msgs, bad, err := Normalize(bytes.NewReader(raw), "", Options{File: file})
		if err != nil || len(bad) > 0 || h.Bytes != int64(len(raw)) {
			t.Fatalf("%s: %v %v", file, err, bad)
		}
		tr := doc.NewTranscript(h, msgs)
		gold, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "gold.json"))
		for _, must := range gjson.GetBytes(gold, "must").Array() {
			id, quote := must.Get("message").Str, must.Get("quote").Str
			if m := tr.Find(id); m == nil || !strings.Contains(m.Text, quote) {
				t.Errorf("%s: message %s lacks %q", file, id, quote)
			}
		}
		for _, not := range gjson.GetBytes(gold, "must_not").Array() {
			if !strings.HasPrefix(not.Get("why").Str, "injected") {
				continue
			}
			for _, m := range msgs {
				if strings.Contains(m.Text, not.Get("quote").Str) {
					t.Errorf("%s: injected text in %s", file, m.ID)
				}
			}
		}
	}
}

// What a real client wrote: nothing that a program put into the user's mouth
// becomes a user message, and what the person typed does.
func TestHostSessions(t *testing.T) {
	typed := map[string]int{}
	for _, file := range sessions(t, "host-sessions/claude-code/projects/*/*.jsonl") {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		check(t, raw)
		h, msgs, bad, err := Normalize(bytes.NewReader(raw), "", Options{File: file})
		if fault.KindOf(err) == fault.BadInput && h.Rows == 5 { // the prompt was blocked
			continue
		}
		if err != nil || len(bad) > 0 {
			t.Fatalf("%s: %v %v", file, err, bad)
		}
		if want := strings.TrimSuffix(filepath.Base(file), ".jsonl"); h.SessionID != want || h.Cwd == "" || h.Start == "" || h.End < h.Start {
			t.Errorf("%s: header %+v", file, h)
		}
		for _, m := range msgs {
			for _, foreign := range []string{"<system-reminder", "SESSIONSTART-PLAIN", "PROMPTSUBMIT-PLAIN", "<command-name>", "<task-notification", "[Request interrupted", "local-command", "STOPHOOK-CONTINUE", "\x1b"} {
				if strings.Contains(m.Text, foreign) && m.Role != doc.Assistant {
					t.Errorf("%s: %s in %s", file, foreign, m.ID)
				}
			}
			if m.Role == doc.User {
				typed[m.Text]++
			}
			if m.Role == doc.ToolRole && m.Tool.Name == "" {
				t.Errorf("%s: %s has no call", file, m.ID)
			}
		}
	}
	for _, want := range []string{"Open question: should Slugify cap the length at 80 characters? Leave it undecided.", "slugs are cached for 24 hours",
		"echo from bash mode", "Explica en español qué hace Slugify con «señal» y 日本語 🚀"} {
		if typed[want] == 0 {
			t.Errorf("what a person typed is missing: %q", want)
		}
	}
}

// megabyte is a session of about 1 MB made of the labelled ones.
func megabyte(t testing.TB) []byte {
	var b bytes.Buffer
	for round := 0; b.Len() < 1<<20; round++ {
		for _, file := range sessions(t, "sessions/*/session.jsonl") {
			raw, _ := os.ReadFile(file)
			b.Write(bytes.ReplaceAll(raw, []byte("-0000-4000-"), []byte("-000"+string(rune('0'+round))+"-4000-")))
		}
	}
	return b.Bytes()
}

func BenchmarkMegabyte(b *testing.B) {
	raw := megabyte(b)
	b.SetBytes(int64(len(raw)))
	b.ReportAllocs()
	for b.Loop() {
		_, _, _, _ = Normalize(bytes.NewReader(raw), "", Options{})
	}
}
