package canon

import (
	"testing"

	"pgregory.net/rapid"
)

func TestBare(t *testing.T) {
	const v = "use the amber ledger"
	for _, s := range []string{
		v, v + ".", v + "!", "“Use the amber ledger”", "- Use the amber ledger", "* **use the amber ledger**", "1. use the  amber ledger;",
		"[x] use the amber ledger", "- [ ] use the amber ledger", "> use the amber ledger …", "## Use the amber ledger", "「use the amber ledger」。", "✅ use the amber ledger", "'use the amber ledger', ",
	} {
		if got := Bare(s); got != v {
			t.Errorf("Bare(%q) = %q", s, got)
		}
	}
	for s, want := range map[string]string{
		"": "", "...": "...", "C#": "c#", "C++": "c++", "5%": "5%", "@dev": "@dev", "/tmp/x": "/tmp/x", "v1.2": "v1.2",
		"use the amber ledger now": "use the amber ledger now", "3) x": "x", "3.5 x": "3.5 x",
	} {
		if got := Bare(s); got != want {
			t.Errorf("Bare(%q) = %q, want %q", s, got, want)
		}
	}
}

func TestBareIsAFixedPoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(rapid.String(), rapid.StringMatching(`[-*+>#1.) \[\]x"“]{0,8}[a-z ]{0,9}[-.!"\])* ]{0,6}`)).Draw(t, "s")
		if b := Bare(s); Bare(b) != b {
			t.Fatalf("%q, then %q", b, Bare(b))
		}
	})
}

func TestMatches(t *testing.T) {
	for _, value := range []string{"We use the amber ledger v1.2", "We use the amber ledger v1.2."} {
		keys := map[string]bool{Key(value): true, Key(Bare(value)): true}
		has := func(k string) bool { return keys[k] }
		for s, want := range map[string]bool{
			"We use the amber ledger v1.2":                      true,
			"we use the amber ledger v1.2!":                     true,
			"Hello. We use the amber ledger v1.2. And more":     true,
			"Hello\n- We use the amber ledger v1.2\nmore":       true,
			"他说。We use the amber ledger v1.2。好":                 true,
			`He said "We use the amber ledger v1.2." and left`:  false, // within a sentence: not told by keys
			"We use the amber ledger v1.3":                      false,
			"We use the amber ledger v1":                        false,
			"":                                                  false,
			" .\n. ":                                            false,
			"Never. We use the amber ledger v1.2 on weekdays. ": false,
			"\xffWe use the amber ledger v1.2. \xff\xfe. x":     true,
		} {
			if Matches(s, has) != want {
				t.Errorf("%q: Matches(%q) is %v", value, s, !want)
			}
		}
	}
	if Matches("...", func(k string) bool { return k == EmptyKey }) || Matches("", func(string) bool { return true }) {
		t.Error("a blank text matches")
	}
}

func FuzzMatches(f *testing.F) {
	f.Add("- \"a. b\"\n\xff", "a")
	f.Fuzz(func(t *testing.T, s, v string) {
		keys := map[string]bool{Key(v): true, Key(Bare(v)): true}
		has := func(k string) bool { return keys[k] }
		Matches(s, has)
		if Text(v) != "" && !Matches(v+".", has) && !Matches(v, has) {
			t.Errorf("%q does not match itself", v)
		}
	})
}
