package own

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestStripText(t *testing.T) {
	brief := BriefingHead + "checkpoint: s1, written 2h ago)\n\nDecisions\n- use sqlite\n" + BriefingEnd
	for name, c := range map[string]struct {
		in, want string
		removed  bool
	}{
		"plain":                     {"use port 8081", "use port 8081", false},
		"white space kept":          {"  a < b \n", "  a < b \n", false},
		"reminder":                  {"go on\n<system-reminder>\nnote\n</system-reminder>", "go on", true},
		"reminder, any case":        {"<SYSTEM-Reminder>note</system-REMINDER> go on", "go on", true},
		"reminder between words":    {"go<system-reminder>x</system-reminder>on", "go on", true},
		"two reminders":             {"<system-reminder>a</system-reminder>x<system-reminder>b</system-reminder>", "x", true},
		"unclosed reminder":         {"see <system-reminder> there", "see <system-reminder> there", false},
		"unclosed reminder of ours": {"x\n<system-reminder>\n" + RecallHead + " decision: a", "x", true},
		"quoted reminder":           {"what is `<system-reminder>`? is it </system-reminder>?", "what is `<system-reminder>`? is it </system-reminder>?", false},
		"longer tag":                {"<system-reminders>x</system-reminders>", "<system-reminders>x</system-reminders>", false},
		"recall line":               {RecallHead + " decision: use sqlite\nI say no", "I say no", true},
		"recall line, hyphen":       {"daimon recall: prior work - decision: a\nI say no", "I say no", true},
		"recall line inside a line": {"hook: " + RecallHead + " x\nI say no", "hook: \nI say no", true},
		"talk of recall":            {"the daimon recall: prior work line is odd", "the daimon recall: prior work line is odd", false},
		"briefing, no end":          {"hi\nDAIMON BRIEFING (checkpoint: s)\n- a\nmy words", "hi", true},
		"old head at line start":    {"DAIMON BRIEFING for you\n- a", "", true},
		"old head inside a line":    {"the DAIMON BRIEFING was wrong", "the DAIMON BRIEFING was wrong", false},
		"head inside a line":        {"hook success: " + brief + "\nyes, do it", "hook success: \nyes, do it", true},
		"words after a briefing":    {brief + "\n\nyes, do it", "yes, do it", true},
		"two briefings":             {brief + "\nyes\n" + brief + "\nno", "yes\n\nno", true},
		"end words inside an item":  {BriefingHead + "s)\n- say " + BriefingEnd + " never\n- b\n" + BriefingEnd + "\nmine", "mine", true},
		"end line with spaces":      {BriefingHead + "s)\n- b\n  " + BriefingEnd + "  \nmine", "mine", true},
		"lone end line":             {BriefingEnd + "\nmine", BriefingEnd + "\nmine", false},
		"closing tag in a briefing": {"<system-reminder>\n" + BriefingHead + "s)\n- quote </system-reminder> must never leak\n" + BriefingEnd + "\n</system-reminder>\nmine", "mine", true},
		"recalled block":            {"<recalled-memory project=\"p\">\n- a\n</recalled-memory>\nmine", "mine", true},
		"item line":                 {"see\n- [✓ verbatim] use sqlite [said by user] — \"q\" [r-135caee052f4]\nyes", "see\n\nyes", true},
		"item line, quoted":         {"> - [~ inferred] use sqlite\nno", "no", true},
		"item lines":                {"1. [? untagged] a\n2. [~ inferred] b [c-0123456789ab]", "", true},
		"topic line":                {"Active topic: [✓ verbatim] the cache\nno", "no", true},
		"search line":               {"- [decision] [✓ verbatim] \"a\" (session s, 2h ago)\nno", "no", true},
		"talk of a mark":            {"why is it [~ inferred] and not [✓ verbatim]?", "why is it [~ inferred] and not [✓ verbatim]?", false},
		"other marks":               {"- [x] done\n- [~] half\n- [verbatim] a", "- [x] done\n- [~] half\n- [verbatim] a", false},
		"recalled block in a line":  {"why <recalled-memory> and </recalled-memory>?", "why <recalled-memory> and </recalled-memory>?", false},
	} {
		t.Run(name, func(t *testing.T) {
			got, removed := StripText(c.in)
			if got != c.want || removed != c.removed {
				t.Errorf("StripText(%q)\n got %q, %v\nwant %q, %v", c.in, got, removed, c.want, c.removed)
			}
		})
	}
}

func TestMarked(t *testing.T) {
	for in, want := range map[string]bool{
		RecallHead + " x": true, BriefingHead + "s)": true,
		"x\n- [~ inferred] a": true, "a [~ inferred] b": false,
		"<system-reminder>date</system-reminder>": false, "daimon is a tool": false,
	} {
		if Marked(in) != want {
			t.Errorf("Marked(%q) = %v", in, !want)
		}
	}
}

// Stripping twice is stripping once, and never leaves a mark of ours.
func TestStripTextProperties(t *testing.T) {
	parts := []string{BriefingHead, BriefingEnd, RecallHead, "<system-reminder>", "</system-reminder>", "<recalled-memory>",
		"</recalled-memory>", "\n", " ", "words", "`", "DAIMON BRIEFING ", "é", "- ", "[✓ verbatim]", "[~ inferred]"}
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 14).Draw(t, "parts"), "")
		once, removed := StripText(s)
		if Marked(once) {
			t.Fatalf("%q still holds a mark: %q", s, once)
		}
		if !removed && once != s {
			t.Fatalf("%q changed but nothing was removed: %q", s, once)
		}
	})
}

func TestStripTextIsLinear(t *testing.T) {
	for _, unit := range []string{"<system-reminder>", "</system-reminder>", "<recalled-memory>\n", BriefingHead + "\n", RecallHead + "\n", BriefingEnd + " ", "[~ inferred]", "- [~ inferred] a\n", "["} {
		start := time.Now()
		StripText(strings.Repeat(unit, (1<<20)/len(unit)))
		if d := time.Since(start); d > 20*time.Second {
			t.Errorf("1 MB of %q took %v", unit, d)
		}
	}
}
