package extract

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"daimon/lib/lang"
)

func TestLexicons(t *testing.T) {
	for _, tag := range lang.Tags {
		b, err := lexiconFiles.ReadFile("lexicon/" + tag + ".txt")
		if err != nil {
			t.Errorf("%s: no lexicon", tag)
			continue
		}
		l, bad := parseLexicon(tag, string(b))
		if bad != "" {
			t.Errorf("%s: cannot read %q", tag, bad)
		}
		var n [cues]int
		for _, list := range slices.Concat(slices.Collect(maps.Values(l.heads)), slices.Collect(maps.Values(l.words))) {
			for _, p := range list {
				n[p.cue]++
			}
		}
		for c, k := range n {
			if k == 0 {
				t.Errorf("%s: nothing under [%s]", tag, cueNames[c])
			}
		}
	}
}

func TestParseLexicon(t *testing.T) {
	for _, c := range []struct{ text, bad string }{
		{"# note\n[rule]\nnever, always", ""},
		{"[nonsense]\nnever", "[nonsense]"},
		{"never", "never"},
	} {
		if _, bad := parseLexicon("en", c.text); bad != c.bad {
			t.Errorf("%q: bad %q, want %q", c.text, bad, c.bad)
		}
	}
}

func TestScan(t *testing.T) {
	words, _ := parseLexicon("en", "[rule]\nnever, do not, prohibit*\n[directive]\n^use\n[filler]\nok, and\n[forbid]\ndon't")
	dense, _ := parseLexicon("ja", "[rule]\n禁止\n[accept]\n^はい")
	for _, c := range []struct {
		l    *lexicon
		text string
		cue  cue
		want bool
	}{
		{words, "we Never do", cueRule, true}, {words, "nevertheless", cueRule, false}, {words, "whenever", cueRule, false},
		{words, "prohibited", cueRule, true}, {words, "DO NOT", cueRule, true},
		{words, "use it", cueDirective, true}, {words, "we use it", cueDirective, false}, {words, "well, use it", cueDirective, true},
		{words, "ok use it", cueDirective, true}, {words, "ok and use it", cueDirective, true}, {words, "ok we use it", cueDirective, false},
		{words, "don’t", cueForbid, true}, {words, "don't", cueForbid, true},
		{dense, "直接更新は禁止です", cueRule, true}, {dense, "はい、禁", cueAccept, true}, {dense, "あはい", cueAccept, false},
		{dense, "CRC禁止", cueRule, true},
	} {
		if g := c.l.scan(fold(c.text)); g.has(c.cue) != c.want {
			t.Errorf("%q has %s: %v, want %v", c.text, cueNames[c.cue], !c.want, c.want)
		}
	}
}

func TestFoldMovesNothing(t *testing.T) {
	for _, s := range []string{"ABC", "ÄÖÜ", "İstanbul", "ẞ", "Ⱥ", "日本", "a\xffb"} {
		if got := fold(s); len(got) != len(s) {
			t.Errorf("fold(%q) has %d bytes, not %d", s, len(got), len(s))
		}
	}
	if fold("NEVER É Ж") != "never é ж" {
		t.Error("case is kept")
	}
	if strings.Contains(fold("\xff"), "\xff") {
		t.Error("broken bytes are kept")
	}
}
