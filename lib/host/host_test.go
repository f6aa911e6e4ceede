package host

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"github.com/tidwall/gjson"
	"pgregory.net/rapid"

	"daimon/lib/doc"
	"daimon/lib/fault"
	"daimon/lib/redact"
)

func normalize(t *testing.T, name, in string) (doc.Header, []doc.Message, []doc.BadLine) {
	t.Helper()
	h, msgs, bad, err := Normalize(strings.NewReader(in), name, Options{File: "in"})
	if err != nil {
		t.Fatal(err)
	}
	return h, msgs, bad
}

func texts(msgs []doc.Message) []string {
	var out []string
	for _, m := range msgs {
		out = append(out, m.Text)
	}
	return out
}

func userRow(id, text string) string {
	return fmt.Sprintf(`{"type":"user","uuid":%q,"sessionId":"s","message":{"role":"user","content":%s}}`, id, doc.AppendString(nil, text))
}

// The damage that crashes and foreign editors leave, in raw bytes.
func TestDamagedBytes(t *testing.T) {
	good := userRow("a", "one") + "\n"
	for name, c := range map[string]struct {
		in   string
		want []string
		bad  int
	}{
		"mark at the start":      {"\xef\xbb\xbf" + good, []string{"one"}, 0},
		"CR LF":                  {strings.ReplaceAll(good, "\n", "\r\n"), []string{"one"}, 0},
		"no last newline":        {strings.TrimSuffix(good, "\n"), []string{"one"}, 0},
		"NUL run":                {good + strings.Repeat("\x00", 300) + "\n" + userRow("b", "two"), []string{"one", "two"}, 0},
		"NULs before a row":      {"\x00\x00" + good, []string{"one"}, 0},
		"line separators inside": {userRow("a", "x") + "\n" + strings.Replace(userRow("b", "p|q"), "|", "\u2028\u2029\u0085", 1), []string{"x", "p\u2028\u2029\u0085q"}, 0},
		"invalid byte":           {strings.Replace(good, "one", "caf\xc3 x", 1), []string{"caf\uFFFD x"}, 0},
		"torn in a character":    {good + userRow("b", "two")[:60] + "\xc3", []string{"one"}, 1},
		"lone surrogate":         {strings.Replace(good, "one", `a\ud83d b`, 1), []string{"a\uFFFD b"}, 0},
		"too deep":               {strings.Repeat(`{"a":`, 70) + "1" + strings.Repeat("}", 70) + "\n" + good, []string{"one"}, 1},
		"deep but allowed":       {strings.Replace(good, `{"type"`, `{"x":`+strings.Repeat("[", 60)+strings.Repeat("]", 60)+`,"type"`, 1), []string{"one"}, 0},
		"braces inside strings":  {userRow("a", `{"type":"user","uuid":"z"} {{{ "" \`) + "\n", []string{`{"type":"user","uuid":"z"} {{{ "" \`}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			_, msgs, bad := normalize(t, "claude-code", c.in)
			if got := texts(msgs); !reflect.DeepEqual(got, c.want) || len(bad) != c.bad {
				t.Errorf("got %q and %v\nwant %q and %d bad", got, bad, c.want, c.bad)
			}
			for _, m := range msgs {
				if !utf8.ValidString(m.Text) {
					t.Errorf("%q is no UTF-8", m.Text)
				}
			}
		})
	}
}

func TestNormalizeKinds(t *testing.T) {
	for name, c := range map[string]struct {
		host, in string
		kind     fault.Kind
		say      string
	}{
		"empty":        {"", "", fault.NoInput, "empty"},
		"only blanks":  {"", "\n \n", fault.NoInput, "empty"},
		"other host":   {"", `{"type":"session_meta","payload":{}}` + "\n" + `{"kind":"x","y":1}`, fault.BadInput, "session_meta, {kind,y}; name it with --host"},
		"no rows":      {"", "plain\ntext\n", fault.BadInput, "not-json 2"},
		"no turns":     {"", `{"type":"custom-title","customTitle":"x","sessionId":"s"}`, fault.BadInput, "no turns in a claude-code session"},
		"unknown name": {"emacs", "", fault.Usage, "claude-code"},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, _, err := Normalize(strings.NewReader(c.in), c.host, Options{File: "in"})
			if err == nil || fault.KindOf(err) != c.kind || !strings.Contains(err.Error(), c.say) {
				t.Errorf("got %v", err)
			}
		})
	}
	_, _, _, err := Normalize(iotest.ErrReader(io.ErrUnexpectedEOF), "", Options{})
	if fault.KindOf(err) != fault.IO {
		t.Errorf("a reading fault gave %v", err)
	}
}

// The host is told from the first row that can only be its own; rows before it
// are not lost.
func TestSniffKeepsEarlierRows(t *testing.T) {
	in := `{"role":"user","content":"early"}` + "\n" + userRow("u", "later")
	h, msgs, _ := normalize(t, "", in)
	if h.Host != "claude-code" || !reflect.DeepEqual(texts(msgs), []string{"early", "later"}) || h.Rows != 2 {
		t.Errorf("%+v %q", h, texts(msgs))
	}
}

func TestHeaderOfSource(t *testing.T) {
	in := "\xef\xbb\xbf" + userRow("u", "x") + "\r\n\nnot json\n"
	h, _, _ := normalize(t, "", in)
	if h.Bytes != int64(len(in)) || h.SHA256 != fmt.Sprintf("%x", sha256.Sum256([]byte(in))) || h.Rows != 2 || h.Kept != 1 {
		t.Errorf("%+v", h)
	}
}

func TestOutputCap(t *testing.T) {
	big := strings.Repeat("é", 100_000) + "the end"
	rows := `{"type":"assistant","uuid":"a","message":{"content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"x"}}]}}` + "\n" +
		`{"type":"user","uuid":"b","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":` + string(doc.AppendString(nil, big)) + `}]}}`
	_, msgs, _ := normalize(t, "claude-code", rows)
	m := msgs[0]
	switch {
	case len(m.Text) > outputHead+outputTail+60, !utf8.ValidString(m.Text), !strings.HasSuffix(m.Text, "the end"):
		t.Errorf("%d bytes, ends %q", len(m.Text), m.Text[len(m.Text)-20:])
	case !strings.Contains(m.Text, fmt.Sprintf("\n[… %d bytes cut …]\n", m.Cut)):
		t.Errorf("no gap marker for %d", m.Cut)
	}
	if s, cut := shorten(strings.Repeat("x", 8192), outputHead, outputTail); cut != 0 || len(s) != 8192 {
		t.Errorf("a text at the cap lost %d bytes", cut)
	}
}

func TestStamp(t *testing.T) {
	for in, want := range map[string]string{
		`"2026-01-02T03:04:05.678Z"`: "2026-01-02T03:04:05Z", `"2026-01-02T10:00:00+02:00"`: "2026-01-02T08:00:00Z",
		`"2026-01-02T08:30:00"`: "2026-01-02T08:30:00Z", `"2026-01-02 08:30:00.5"`: "2026-01-02T08:30:00Z",
		`1767323045`: "2026-01-02T03:04:05Z", `1767323045678`: "2026-01-02T03:04:05Z", `"soon"`: "", `""`: "", `7`: "", `null`: "", `{}`: "",
	} {
		got, _ := stamp(gjson.Parse(in))
		if format(got) != want {
			t.Errorf("stamp(%s) = %q, want %q", in, format(got), want)
		}
	}
}

func TestDropEscapes(t *testing.T) {
	for in, want := range map[string]string{
		"\x1b[1;31mred\x1b[0m": "red", "\x1b]0;title\x07x": "x", "\x1b]8;;http://a\x1b\\link\x1b]8;;\x1b\\": "link",
		"a\x1b": "a", "a\x1bé": "aé", "\x1b(Bx": "x", "plain": "plain", "\x1b[": "", "\x1b[12\nx": "\nx",
	} {
		if got := dropEscapes(in); got != want {
			t.Errorf("dropEscapes(%q) = %q, want %q", in, got, want)
		}
	}
}

// Damage between good rows loses none of them, and reading is a function of
// the bytes.
func TestGoodRowsSurvive(t *testing.T) {
	junk := []string{"{", `{"type":"user","uuid":"cut","message":{"content":"half`, "[1]", "null", "\x00\x00", "}{", `"x"`, `{"a":{"b":1}`, "\xff\xfe", "{}", `{"type":"user"`, ""}
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		var want []string
		for i := range rapid.IntRange(1, 12).Draw(t, "rows") {
			text := rapid.StringMatching(`[a-z{}"\\: é]{0,20}z`).Draw(t, "text")
			want = append(want, strings.TrimSpace(text))
			for range rapid.IntRange(0, 3).Draw(t, "n") {
				b.WriteString(rapid.SampledFrom(junk).Draw(t, "junk") + "\n")
			}
			if rapid.Bool().Draw(t, "spliced") {
				b.WriteString(`{"type":"user","uuid":"cut","message":{"content":"half`)
			}
			b.WriteString(userRow(fmt.Sprint("u", i), text) + "\n")
		}
		run := func() ([]byte, []doc.Message) {
			h, msgs, _, err := Normalize(iotest.OneByteReader(strings.NewReader(b.String())), "claude-code", Options{})
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			if err := doc.WriteTranscript(&out, h, msgs); err != nil {
				t.Fatal(err)
			}
			return out.Bytes(), msgs
		}
		one, msgs := run()
		two, _ := run()
		if !bytes.Equal(one, two) {
			t.Fatal("two readings differ")
		}
		if got := texts(msgs); !reflect.DeepEqual(got, want) {
			t.Fatalf("got %q\nwant %q\nof %s", got, want, b.String())
		}
	})
}

// check holds for every input: ids are unique, counts add up, tool rows alone
// have a tool, and the transcript reads back as it was written.
func check(t *testing.T, in []byte) {
	s := &session{o: Options{File: "in"}, out: map[string]int{}}
	s.start(claudeCode)
	if err := s.rows.each(bytes.NewReader(in), s.row, s.lose); err != nil {
		t.Fatal(err)
	}
	var h doc.Header
	msgs, err := s.finish(&h)
	if err != nil {
		return
	}
	left := 0
	for _, n := range s.out {
		left += n
	}
	if turns := len(s.reader.(*claude).turns); left+turns != s.n || turns > len(msgs) {
		t.Fatalf("%d rows, %d kept, %d left out: %v", s.n, turns, left, s.out)
	}
	seen := map[string]bool{}
	for _, m := range msgs {
		if m.ID == "" || seen[m.ID] || (m.Tool != nil) != (m.Role == doc.ToolRole) || m.Text == "" && m.Role != doc.ToolRole {
			t.Fatalf("bad message %+v", m)
		}
		seen[m.ID] = true
	}
	var out bytes.Buffer
	if err := doc.WriteTranscript(&out, h, msgs); err != nil {
		t.Fatal(err)
	}
	back, err := doc.LoadTranscript(&out, "t")
	if err != nil || len(back.Bad) > 0 || len(back.Messages) != len(msgs) {
		t.Fatalf("reads back as %d of %d messages, %v %v", len(back.Messages), len(msgs), back.Bad, err)
	}
}

func FuzzClaude(f *testing.F) {
	for _, in := range cases(f) {
		f.Add(in)
	}
	f.Fuzz(func(t *testing.T, in []byte) { check(t, in) })
}

// A key in a tool's name goes also where it stands behind "__", which is no
// border of a word.
func TestToolNameIsMasked(t *testing.T) {
	c := &claude{o: Options{Redact: redact.Text}}
	for in, want := range map[string]string{
		"mcp__AKIAIOSFODNN7EXAMPLE":            "mcp__[redacted:aws-key]",
		"mcp__x__AKIAIOSFODNN7EXAMPLE__y":      "mcp__x__[redacted:aws-key]__y",
		"mcp__ghp_" + strings.Repeat("a1", 18): "mcp__[redacted:github-token]",
		"mcp__db__get_token_count":             "mcp__db__get_token_count",
	} {
		got, counts := c.toolName(in)
		if got != want || (len(counts) == 1) != (got != in) {
			t.Errorf("%s: %s %v", in, got, counts)
		}
	}
}
