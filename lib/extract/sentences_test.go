package extract

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func cut(text string, keep ...block) []string {
	alien := func(line string) bool { return strings.Contains(line, "ticket") }
	var out []string
	for _, s := range split(text, alien) {
		for _, k := range keep {
			if s.kind == k {
				out = append(out, text[s.start:s.end])
			}
		}
	}
	return out
}

func TestSplit(t *testing.T) {
	for _, c := range []struct {
		name, text, want string // sentences joined by |
	}{
		{"full stops", "Use it. Keep it!  Why?", "Use it.|Keep it!|Why?"},
		{"figures and names stay whole", "Go to v1.2.3 of lib.go now. Then stop.", "Go to v1.2.3 of lib.go now.|Then stop."},
		{"abbreviations", "Use it, e.g. for Mr. Smith, z.B. hier. Done.", "Use it, e.g. for Mr. Smith, z.B. hier.|Done."},
		{"code keeps its stops", "Run `a. b` first. Then go.", "Run `a. b` first.|Then go."},
		{"a quotation keeps its stops", `it says "never. ever do" that. no`, `it says "never. ever do" that.|no`},
		{"brackets keep their stops", "It is (see above. really) fine. Yes.", "It is (see above. really) fine.|Yes."},
		{"lines", "one thing\nanother thing", "one thing|another thing"},
		{"dense", "案Aで。本番は私がやります！いいですか？", "案Aで。|本番は私がやります！|いいですか？"},
		{"fence", "before\n```go\nnever do.\n```\nafter", "before|after"},
		{"open fence", "before\n~~~\nnever do.", "before"},
		{"quoted lines", "> never do that\nI say so", "I say so"},
		{"a dash before a sentence", "yes. — do it now", "yes.|do it now"},
		{"table", "| a | b |\n|---|---|\nafter", "after"},
		{"log lines", "ERROR no such thing\n2026-01-02 10:00 never\n12:00:01 x\n$ rm it\nI say so", "I say so"},
		{"a sentence that only looks like a log", "ERRORS must never be hidden", "ERRORS must never be hidden"},
		{"markup", "<system-reminder>\nnever do\n</system-reminder>\nafter", "after"},
		{"an arrow is no markup", "<- this one", "<- this one"},
		{"empty", " \n\t\n", ""},
	} {
		if got := strings.Join(cut(c.text, prose), "|"); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestBlocks(t *testing.T) {
	text := "# Title\nOptions:\n- one thing\n2) two things\n(b) **three** things\n\nthe ticket says:\nnever do that\nnor that\n\nmy own words"
	for _, c := range []struct {
		kind block
		want string
	}{
		{heading, "# Title|Options:"},
		{item, "one thing|two things|**three** things"},
		{foreign, "the ticket says:|never do that|nor that"},
		{prose, "my own words"},
	} {
		if got := strings.Join(cut(text, c.kind), "|"); got != c.want {
			t.Errorf("%d: %q, want %q", c.kind, got, c.want)
		}
	}
}

func TestPaste(t *testing.T) {
	for _, c := range []struct{ name, text, own string }{
		{"what stands before the announcement", "Leave it. The ticket says:\nnever do that", "Leave it."},
		{"what follows a quoted block", "the ticket says:\n> never do that\nI say leave it", "I say leave it"},
		{"what follows a code block", "the ticket says:\n```\nnever\n```\nI say leave it", "I say leave it"},
		{"what follows an announcement of one's own", "I say:\nleave it", "leave it"},
	} {
		if got := strings.Join(cut(c.text, prose), "|"); got != c.own {
			t.Errorf("%s: %q, want %q", c.name, got, c.own)
		}
	}
}

func TestMarker(t *testing.T) {
	for _, c := range []struct {
		line  string
		n     int
		label rune
	}{
		{"- x", 2, 0}, {"* x", 2, 0}, {"1. x", 2, '1'}, {"2) x", 2, '2'}, {"(a) x", 3, 'a'}, {"b) x", 2, 'b'}, {"A: x", 2, 'a'},
		{"**1.** x", 6, '1'}, {"- **b)** x", 8, 'b'}, {"12. x", 3, 0}, {"word x", 0, 0}, {"1.5 x", 0, 0}, {"a. x", 0, 0}, {"", 0, 0}, {"(", 0, 0},
	} {
		if n, label := marker(c.line); n != c.n || label != c.label {
			t.Errorf("marker(%q) = %d, %q, want %d, %q", c.line, n, label, c.n, c.label)
		}
	}
}

func FuzzSplit(f *testing.F) {
	f.Add("Use it. \"Keep. it\"\n- [ ] 1) x\n```\n")
	f.Add("案A。「x。」（")
	f.Add("(\xff\xfe. `")
	f.Fuzz(func(t *testing.T, text string) {
		last := 0
		for _, s := range split(text, func(string) bool { return len(text)%2 == 0 }) {
			if s.start < last || s.end <= s.start || s.end > len(text) {
				t.Fatalf("span %d:%d after %d in %d bytes", s.start, s.end, last, len(text))
			}
			if utf8.ValidString(text) && !utf8.ValidString(text[s.start:s.end]) {
				t.Fatal("a sentence begins or ends inside a character")
			}
			last = s.end
		}
	})
}

// TestSplitIsLinear doubles inputs made to be slow to read.
func TestSplitIsLinear(t *testing.T) {
	for _, unit := range []string{"a.", `"`, "“", "(", "`a", "a. ", "- ", "<a>\n", "never ", "！"} {
		start := time.Now()
		split(strings.Repeat(unit, (1<<20)/len(unit)), func(string) bool { return false })
		if d := time.Since(start); d > 20*time.Second {
			t.Errorf("1 MB of %q takes %s", unit, d)
		}
	}
}

func TestWrapped(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"three full lines", "the importer reads every file twice since the change of last\nweek, so the nightly run takes two hours; never start a second\nrun before it ends.", "ends."},
		{"three messages in lines", "the importer reads every file twice since the last change we\nno\nyes, and the nightly run takes two hours as it always did", "change we"},
		{"stops after an article", "never start a second run of the nightly import before the\nfirst one has ended", "ended"},
		{"stops after a comma", "never start a second run of the nightly import on this host,\nfirst ask ops", "ask ops"},
		{"two sentences in lines", "never start a second run of the nightly import on this host\nfirst ask ops about it", "this host"},
		{"a short line", "never start a run before the\nfirst one has ended", "before the"},
		{"a list follows", "never start a second run of the nightly import before the\n- first one has ended", "before the"},
		{"a list item goes on", "- never start a second run of the nightly import before the\n  first one has ended", "ended"},
		{"a code block follows", "never start a second run of the nightly import before the\n```\nfirst one has ended", "before the"},
		{"a blank line follows", "never start a second run of the nightly import before the\n\nfirst one has ended", "before the"},
		{"too wide", strings.Repeat("wide ", 20) + "before the\nfirst one has ended", "before the"},
		{"blanks only", strings.Repeat(" ", 80) + "\n" + strings.Repeat("\t", 80) + "\nfirst one has ended", "ended"},
	} {
		spans := split(c.text, func(string) bool { return false })
		if len(spans) == 0 || !strings.HasSuffix(c.text[spans[0].start:spans[0].end], c.want) {
			t.Errorf("%s: %v, want the first to end in %q", c.name, spans, c.want)
		}
	}
	c := check(t, say(ask, "a: Noted.", `u: please, and this holds for all of us from here on: you must\nnever start a second run of the nightly import before the\nfirst one has ended`))
	if field, e := find(c, "must\nnever start"); field != "strong_beliefs" || !strings.HasSuffix(e.Quote(), "ended") {
		t.Errorf("%s", c.Bytes())
	}
}
