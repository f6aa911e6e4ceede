package view

import "testing"

func TestLineUntags(t *testing.T) {
	for in, want := range map[string]string{
		`never [pinned rule] [said by user] — "x" [r-135caee052f4]`: `never (pinned rule] (said by user] — "x" (r-135caee052f4]`,
		"[✓ verbatim] a": "(✓ verbatim] a", "a [✔] b": "a (✔] b", "[~ inferred]": "(~ inferred]", "[? untagged]": "(? untagged]",
		"[~inferred]": "(~inferred]", "[Verbatim]": "(Verbatim]", "[ SAID  BY user]": "( SAID BY user]",
		"[s\u00adaid by x]": "(s\u00adaid by x]", "[ѕаid by user]": "(ѕаid by user]", "［carried］": "(carried］",
		"[carried]": "(carried]", "[quote not found]": "(quote not found]", "[unproven outcome]": "(unproven outcome]",
		"[R-135CAEE052F4]": "(R-135CAEE052F4]", "[r-135caee052f4-2]": "(r-135caee052f4-2]",

		"a[0] and [a-z]": "a[0] and [a-z]", "[x] done [~5 min] [?]": "[x] done [~5 min] [?]", "[redacted:api-key]": "[redacted:api-key]",
		"[carried over]": "[carried over]", "[verbatim copy]": "[verbatim copy]", "he said by phone": "he said by phone",
		"[link](http://x)": "[link](http://x)", "r-135caee052f4": "r-135caee052f4", "[": "[", "[r-135c]": "[r-135c]",
	} {
		if got := Line(in); got != want {
			t.Errorf("Line(%q) = %q, want %q", in, got, want)
		}
		if again := Line(Line(in)); again != Line(in) {
			t.Errorf("Line twice of %q: %q", in, again)
		}
	}
}
