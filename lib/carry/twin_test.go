package carry

import (
	"fmt"
	"slices"
	"testing"

	"daimon/lib/doc"
)

const oldWords, newWords = "the mail relay queue grows", "mail relay queue keeps growing"

func verbatim(id, text, quote string, fields ...string) *doc.Entry {
	return stored(id, text, append([]string{"trust", `"verbatim"`, "quote", `"` + quote + `"`, "quote_verified", "true",
		"quote_provenance", `{"outcome":"verified"}`, "source_message_ids", `["u-1"]`, "grounded", "true", "because", `"load"`}, fields...)...)
}

func TestVerbatimTwinIsFrozen(t *testing.T) {
	p := verbatim("o-aaaaaa", oldWords, "the queue grows")
	c := docOf("", questions, said(newWords, "keeps growing", "importance", "9", "grounded", "false"))
	r := Merge(c, docOf("s1", questions, p), opts())
	got := c.Items(questions)
	if r.Twins != 1 || len(got) != 1 || !Frozen(got[0], p) || got[0].ID() != "o-aaaaaa" || got[0].Importance() != 9 || got[0].Str("first_seen") != days(1) || got[0].Has("carried_from") {
		t.Errorf("%+v %s", r, c.Bytes())
	}
}

func TestInferredTwinYields(t *testing.T) {
	c := docOf("", questions, ent(newWords))
	r := Merge(c, docOf("s1", questions, stored("o-aaaaaa", oldWords)), opts())
	got := c.Items(questions)
	if r.Twins != 1 || len(got) != 1 || got[0].Text() != newWords || got[0].ID() != "o-aaaaaa" || got[0].Str("origin_session") != "s0" {
		t.Errorf("%+v %s", r, c.Bytes())
	}
}

func TestFrozen(t *testing.T) {
	p := verbatim("o-aaaaaa", oldWords, "q")
	if !Frozen(p.Clone(), p) {
		t.Error("an equal item is not frozen")
	}
	for field, raw := range map[string]string{"text": `"x"`, "trust": `"inferred"`, "quote": `"x"`, "because": `"x"`, "quote_provenance": `{}`,
		"source_message_ids": `[]`, "quote_verified": `false`, "grounded": `false`, "stated_by": `"user"`} {
		e := p.Clone()
		e.SetRaw(field, []byte(raw))
		if Frozen(e, p) {
			t.Errorf("another %s passes as frozen", field)
		}
	}
	unjudged := verbatim("o-aaaaaa", oldWords, "q")
	unjudged.Delete("quote_verified")
	failed := unjudged.Clone()
	failed.Set("quote_verified", false)
	if Frozen(failed, unjudged) || !Frozen(unjudged.Clone(), unjudged) {
		t.Error("a failed quote passes as frozen")
	}
	e := p.Clone()
	e.Set("importance", 9)
	if !Frozen(e, p) || Frozen(stored("o-a", "x"), stored("o-a", "x")) {
		t.Error("importance does not matter; an inferred item is never frozen")
	}
}

func TestVerbatimWithoutQuoteFreezesToo(t *testing.T) {
	p := stored("o-aaaaaa", oldWords, "trust", `"verbatim"`)
	c := docOf("", questions, said(newWords, "keeps growing"))
	Merge(c, docOf("s1", questions, p), opts())
	got := c.Items(questions)[0]
	for _, f := range []string{"quote", "quote_provenance", "source_message_ids", "quote_verified"} {
		if got.Has(f) {
			t.Errorf("%s is left: %s", f, got.Bytes())
		}
	}
}

func TestSameTextKeepsFreshEvidence(t *testing.T) {
	p := verbatim("o-aaaaaa", oldWords, "the queue grows")
	c := docOf("", questions, said(oldWords, "queue grows again"))
	Merge(c, docOf("s1", questions, p), opts())
	if got := c.Items(questions)[0]; got.Quote() != "queue grows again" || got.ID() != "o-aaaaaa" {
		t.Errorf("%s", got.Bytes())
	}
	c = docOf("", questions, ent(oldWords))
	Merge(c, docOf("s1", questions, p), opts())
	if got := c.Items(questions)[0]; !Frozen(got, p) {
		t.Errorf("an unproven restatement lost the evidence: %s", got.Bytes())
	}
}

func TestFirstSeenOlderWins(t *testing.T) {
	for _, c := range []struct{ prev, fresh, want string }{
		{days(3), "", days(3)}, {days(3), days(1), days(3)}, {days(1), days(3), days(3)},
		{"junk", days(2), days(2)}, {days(2), "junk", days(2)}, {"junk", "", "junk"},
	} {
		f := ent(newWords, "last_verified", `"`+days(5)+`"`)
		if c.fresh != "" {
			f.Set("first_seen", c.fresh)
		}
		p := stored("o-aaaaaa", oldWords, "first_seen", `"`+c.prev+`"`, "last_verified", `"`+days(1)+`"`)
		d := docOf("", questions, f)
		Merge(d, docOf("s1", questions, p), opts())
		if got := d.Items(questions)[0]; got.Str("first_seen") != c.want || got.Str("last_verified") != days(5) {
			t.Errorf("%q then %q: %s", c.prev, c.fresh, got.Bytes())
		}
	}
}

func TestOneFreshItemTakesOneIdentity(t *testing.T) {
	a, b := verbatim("o-aaaaaa", oldWords, "q1"), verbatim("o-bbbbbb", newWords, "q2")
	c := docOf("", questions, ent(newWords))
	r := Merge(c, docOf("s1", questions, a, b), opts())
	got := c.Items(questions)
	if len(got) != 1 || got[0].ID() != "o-bbbbbb" || got[0].Quote() != "q2" || r.Twins != 1 || r.Repeated != 1 {
		t.Errorf("the same text must win over a rewording: %+v %s", r, c.Bytes())
	}
}

func TestRepeatedPreviousCarriesOnce(t *testing.T) {
	for _, pair := range [][2]string{{"loop keeps verdict", "loop keeps verdict"}, {"loop keeps verdict", "another loop verdict"}} {
		c := doc.NewCheckpoint()
		r := Merge(c, docOf("s1", questions, stored("o-aaaaaa", pair[0]), stored("o-bbbbbb", pair[1])), opts())
		if got := texts(c, questions); !slices.Equal(got, pair[:1]) || r.Repeated != 1 {
			t.Errorf("%q: %+v %v", pair, r, got)
		}
	}
}

func TestSame(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{oldWords, newWords, true},
		{"cache eviction", "cache eviction bug", true},
		{"cache eviction", "cache warming", false},
		{"cache parser queue alpha beta gamma", "cache parser queue delta omega zeta", true},
		{"cache parser queue alpha beta gamma", "cache parser relay delta omega zeta", false},
		{"ok", "ok go", false}, {"", "", false},
		{"retry limit is 3 for uploads", "retry limit is 5 for uploads", false},
		{"retry limit is 3 for uploads", "upload retry limit stays 3", true},
		{"deploy with blue green switch", "blue green deploy switch", true},
		{"認証失敗の原因が不明", "認証失敗の原因を調べる", true},
		{"認証失敗の原因が不明", "認証画面の色を直す", false},
		{"세션 토큰 만료 처리", "세션 토큰 만료", true},
	} {
		if Same(c.a, c.b) != c.want || Same(c.b, c.a) != c.want {
			t.Errorf("Same(%q, %q) = %v", c.a, c.b, !c.want)
		}
	}
}

// Terms that three things share say nothing; a subject said three times keeps its words.
func TestGenericTerms(t *testing.T) {
	var old []*doc.Entry
	for i, what := range []string{"parser crash windows", "scheduler timezone drift", "invoice rounding cents"} {
		old = append(old, stored(fmt.Sprintf("o-aaaaa%d", i), "checkpoint briefing daimon "+what))
	}
	c := docOf("", questions, ent("checkpoint briefing daimon colour palette"))
	if r := Merge(c, docOf("s1", questions, old...), opts()); r.Twins != 0 || r.Carried != 3 {
		t.Errorf("merged on generic words: %+v %v", r, texts(c, questions))
	}
	c = docOf("", questions, ent("mail relay queue grows"), ent("mail relay queue grows again"))
	r := Merge(c, docOf("s1", questions, stored("o-aaaaaa", "mail relay queue grows fast")), opts())
	if r.Twins != 1 || r.Carried != 0 {
		t.Errorf("a subject lost its own words: %+v %v", r, texts(c, questions))
	}
}
