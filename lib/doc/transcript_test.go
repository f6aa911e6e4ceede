package doc

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

const head = `{"format":"daimon.transcript/1","host":"claude-code","session_id":"s","source_sha256":"","source_bytes":0,"rows":1,"kept":1}` + "\n"

func TestABadLineIsARecordNotAFailure(t *testing.T) {
	in := head +
		`{"id":"a","role":"user","text":"one` + "\u2028" + `line"}` + "\r\n" +
		"\n" +
		`{"id":"b","role":"user","text":"torn` + "\n" +
		`["x"]` + "\n" +
		`{"role":"user","text":"no id"}` + "\n" +
		`{"id":"c","role":"system","text":"no role"}` + "\n" +
		strings.Repeat("[", 100) + "\n" +
		`{"id":"d","role":"tool","text":"ok","tool":{"name":"Bash","input":"ls","status":"odd","exit":2},"cut":3,"echo":true}`
	tr, err := LoadTranscript(strings.NewReader(in), "t.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	exit := 2
	want := []Message{
		{ID: "a", Role: User, Text: "one\u2028line"},
		{ID: "d", Role: ToolRole, Text: "ok", Tool: &Tool{"Bash", "ls", StatusUnknown, &exit}, Cut: 3, Echo: true},
	}
	if !reflect.DeepEqual(tr.Messages, want) {
		t.Errorf("messages = %+v", tr.Messages)
	}
	var bad []string
	for _, b := range tr.Bad {
		bad = append(bad, b.String())
	}
	if got := strings.Join(bad, "; "); got != "t.jsonl:4: not JSON; t.jsonl:5: not an object; t.jsonl:6: message without an id; "+
		"t.jsonl:7: message without a role; t.jsonl:8: nested deeper than 64 levels at byte 64" {
		t.Errorf("bad = %s", got)
	}
	if tr.Find("d") == nil || tr.Find("b") != nil || tr.Index("a") != 0 {
		t.Error("messages are not found by id")
	}
}

func TestHeaderIsRequired(t *testing.T) {
	for _, in := range []string{"", "\n", `{"id":"a","role":"user","text":"x"}`, "junk\n" + head} {
		if _, err := LoadTranscript(strings.NewReader(in), "t"); !errors.Is(err, ErrNoHeader) {
			t.Errorf("%q: %v", in, err)
		}
	}
	if _, err := LoadTranscript(strings.NewReader("\xef\xbb\xbf"+head), "t"); err != nil {
		t.Errorf("with a byte order mark: %v", err)
	}
}

func TestLinesBoundsALineAndGoesOn(t *testing.T) {
	for _, size := range []int{10, 300 << 10, 1 << 20} {
		long := strings.Repeat("x", size+1)
		var got, bad []int
		err := Lines(strings.NewReader("a\n"+long+"\nb\n"+long), size, func(n int, line []byte) error {
			got = append(got, n)
			return nil
		}, func(n int, _ string) { bad = append(bad, n) })
		if err != nil || !reflect.DeepEqual(got, []int{1, 3}) || !reflect.DeepEqual(bad, []int{2, 4}) {
			t.Errorf("limit %d: lines %v, bad %v, %v", size, got, bad, err)
		}
	}
}

func TestWrittenTranscriptReadsBack(t *testing.T) {
	text := rapid.StringOf(rapid.OneOf(rapid.Rune(), rapid.SampledFrom([]rune("\u2028\u2029\u0085\r\n\"\\<\x00"))))
	rapid.Check(t, func(t *rapid.T) {
		msgs := rapid.SliceOf(rapid.Custom(func(t *rapid.T) Message {
			return Message{ID: rapid.StringMatching(`[a-z]{1,9}`).Draw(t, "id"), Role: User, Text: text.Draw(t, "text")}
		})).Draw(t, "messages")
		var b bytes.Buffer
		if err := WriteTranscript(&b, Header{Host: "h", SessionID: "s", Excluded: map[string]int{"meta": 2}}, msgs); err != nil {
			t.Fatal(err)
		}
		tr, err := LoadTranscript(&b, "t")
		if err != nil || len(tr.Bad) > 0 || tr.Kept != len(msgs) || tr.Excluded["meta"] != 2 {
			t.Fatalf("%v %v %+v", err, tr.Bad, tr.Header)
		}
		for i := range msgs {
			if tr.Messages[i].Text != msgs[i].Text || tr.Messages[i].ID != msgs[i].ID {
				t.Fatalf("message %d: %q became %q", i, msgs[i].Text, tr.Messages[i].Text)
			}
		}
	})
}

func FuzzReadTranscript(f *testing.F) {
	f.Add([]byte(head + `{"id":"a","role":"user","text":"x"}`))
	f.Add([]byte(head + "\x00\xff\n{\"id\":1}"))
	f.Fuzz(func(t *testing.T, in []byte) {
		tr, err := LoadTranscript(bytes.NewReader(in), "t")
		if err == nil && tr.Header.Format != TranscriptFormat {
			t.Fatalf("accepted header %+v", tr.Header)
		}
	})
}
