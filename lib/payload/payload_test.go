package payload

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"daimon/lib/fault"
)

func read(t *testing.T, s string) Event {
	t.Helper()
	e, err := Read(strings.NewReader(s), time.Minute)
	if err != nil {
		t.Fatalf("%q: %v", s, err)
	}
	return e
}

func TestFields(t *testing.T) {
	all := `{"session_id":"s","transcript_path":"/t","cwd":"/c","hook_event_name":"N","source":"startup","reason":"clear","prompt":"do it","x":{"cwd":"/no"}}`
	want := Event{Session: "s", Transcript: "/t", Cwd: "/c", Name: "N", Source: "startup", Reason: "clear", Prompt: "do it"}
	if got := read(t, all); got != want {
		t.Errorf("got %+v", got)
	}
	for _, c := range []struct {
		in   string
		want Event
	}{
		{`{}`, Event{}},
		{`{"cwd":5,"session_id":null,"reason":["x"]}`, Event{}},
		{`{"CWD":"/c","Session_Id":"s"}`, Event{}},
		{`{"trigger":"auto"}`, Event{Reason: "auto"}},
		{`{"reason":"r","trigger":"auto"}`, Event{Reason: "r"}},
		{`{"cwd":"a\u0000b"}`, Event{Cwd: "ab"}},
		{"{\"cwd\":\"a\xff\xc3b\"}", Event{Cwd: "ab"}},
		{" \n{\"cwd\":\"/é\"}\r\ntrailing", Event{Cwd: "/é"}},
	} {
		if got := read(t, c.in); got != c.want {
			t.Errorf("%q: got %+v", c.in, got)
		}
	}
}

func TestRefused(t *testing.T) {
	for _, in := range []string{
		"", " \n", "null", "[]", "5 ", `"x"`, "{", `{"cwd":`, "hello", "\xef\xbb\xbf", "{\"cwd\":\"a\nb\"}",
		`{"prompt":"` + strings.Repeat("x", Limit) + `"}`,
	} {
		_, err := Read(strings.NewReader(in), time.Minute)
		if fault.KindOf(err) != fault.BadInput || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.20q: %v", in, err)
		}
	}
	if e := read(t, `{"prompt":"`+strings.Repeat("x", Limit-50)+`"}`); len(e.Prompt) != Limit-50 {
		t.Errorf("a prompt just below the limit came as %d bytes", len(e.Prompt))
	}
}

func TestDoesNotWaitForTheEnd(t *testing.T) {
	r, w := io.Pipe()
	defer w.Close()
	go io.WriteString(w, `{"cwd":"/c"}`)
	if e, err := Read(r, time.Minute); err != nil || e.Cwd != "/c" {
		t.Errorf("%+v %v", e, err)
	}
	r, w = io.Pipe()
	defer w.Close()
	go io.WriteString(w, `{"cwd":"/c"`)
	if _, err := Read(r, 20*time.Millisecond); fault.KindOf(err) != fault.BadInput {
		t.Errorf("half an object: %v", err)
	}
}

// Any text survives the way through JSON, the assignments and sh's eval.
func TestEvalGivesTheBytesBack(t *testing.T) {
	sh := shell(t)
	text := rapid.OneOf(
		rapid.StringOfN(rapid.RuneFrom([]rune("'\"$`\\\n\r\t !#*?~{}();&|<>=é日🚀\u0081\u0088 a")), 0, 40, -1),
		rapid.String(),
	)
	rapid.Check(t, func(t *rapid.T) {
		e := Event{
			Session: clean(text.Draw(t, "session")), Transcript: clean(text.Draw(t, "transcript")), Cwd: clean(text.Draw(t, "cwd")),
			Name: clean(text.Draw(t, "name")), Source: clean(text.Draw(t, "source")), Reason: clean(text.Draw(t, "reason")),
			Prompt: clean(text.Draw(t, "prompt")),
		}
		raw, _ := json.Marshal(map[string]string{
			"session_id": e.Session, "transcript_path": e.Transcript, "cwd": e.Cwd, "hook_event_name": e.Name,
			"source": e.Source, "reason": e.Reason, "prompt": e.Prompt,
		})
		back, err := Read(strings.NewReader(string(raw)), time.Minute)
		if err != nil || back != e {
			t.Fatalf("read %+v: %v", back, err)
		}
		want := strings.Join([]string{e.Session, e.Transcript, e.Cwd, e.Name, e.Source, e.Reason, e.Prompt}, "\x00") + "\x00"
		if got := sh(back.Assignments()); got != want {
			t.Fatalf("sh has %q, want %q", got, want)
		}
	})
}

func clean(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, ""), "\x00", "")
}

// shell returns what dash makes of assignments: the values, NUL after each.
func shell(t *testing.T) func(assignments string) string {
	dash, err := exec.LookPath("dash")
	if err != nil {
		t.Skip("dash is not installed")
	}
	const script = `set -u; eval "$1"; for v in "$DAIMON_EVENT_SESSION" "$DAIMON_EVENT_TRANSCRIPT" "$DAIMON_EVENT_CWD" \
		"$DAIMON_EVENT_NAME" "$DAIMON_EVENT_SOURCE" "$DAIMON_EVENT_REASON" "$DAIMON_EVENT_PROMPT"; do printf '%s\0' "$v"; done`
	return func(assignments string) string {
		out, err := exec.Command(dash, "-c", script, "dash", assignments).Output()
		if err != nil {
			t.Errorf("dash: %v", err)
		}
		return string(out)
	}
}

// Payloads of a real host, where the shared data is at hand.
func TestRealPayloads(t *testing.T) {
	f, err := os.Open(filepath.FromSlash("../../../shared/data/host-sessions/claude-code/hooks-interactive.jsonl"))
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("no recorded payloads here")
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	seen := 0
	for lines.Scan() {
		var row struct {
			Arg   string          `json:"arg"`
			Stdin json.RawMessage `json:"stdin"`
		}
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		e := read(t, string(row.Stdin))
		if e.Name != row.Arg || e.Session == "" || e.Cwd == "" || e.Transcript == "" {
			t.Errorf("%s: %+v", row.Arg, e)
		}
		if (row.Arg == "PreCompact" || row.Arg == "SessionEnd") && e.Reason == "" {
			t.Errorf("%s has no reason", row.Arg)
		}
		seen++
	}
	if seen < 20 {
		t.Errorf("only %d payloads", seen)
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{`{"cwd":"/c","prompt":"x"}`, `{"cwd":5}`, "{", "", `{"cwd":"\ud800\u0000"}`, "{\"cwd\":\"\xff\"}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		e, err := Read(strings.NewReader(s), time.Minute)
		if err != nil {
			if fault.KindOf(err) != fault.BadInput {
				t.Errorf("%q: %v", s, err)
			}
			return
		}
		for _, v := range []string{e.Session, e.Transcript, e.Cwd, e.Name, e.Source, e.Reason, e.Prompt} {
			if strings.ContainsRune(v, 0) || !utf8.ValidString(v) {
				t.Errorf("%q gives %q", s, v)
			}
		}
	})
}
