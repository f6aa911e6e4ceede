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
	c := docOf("", questions, said(newWords, "keeps growing", "quote_verified", "false", "importance", "9", "grounded", "false"))
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
	c := docOf("", questions, said(newWords, "keeps growing", "quote_verified", "false"))
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
	a, b := stored("o-aaaaaa", oldWords), verbatim("o-bbbbbb", newWords, "q2")
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
		{"deploy with blue green switch", "never deploy with blue green switch", false},
		{"never deploy with blue green switch", "blue green deploy switch is not used", true},
		{"認証失敗の原因が不明", "認証失敗の原因を調べる", true},
		{"認証失敗の原因が不明", "認証画面の色を直す", false},
		{"세션 토큰 만료 처리", "세션 토큰 만료", true},
	} {
		same := func(a, b string) bool { return same(read(a), read(b), nil) }
		if same(c.a, c.b) != c.want || same(c.b, c.a) != c.want {
			t.Errorf("same(%q, %q) = %v", c.a, c.b, !c.want)
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

// A fresh item with a verified quote never loses its own words, and words that
// turn a statement round make another one.
func TestProvenWordsStand(t *testing.T) {
	const old = "Use SQLite for the cache layer"
	for _, c := range []struct {
		text     string
		id       string // of the old item, if it passes on
		both     bool
		unproven bool // the same words without a verified quote stand too
	}{
		{"Do not use SQLite for the cache layer any more", "", true, true},
		{"We no longer use SQLite for the cache layer", "", true, true},
		{"Use Postgres instead of SQLite for the cache layer", "", true, true},
		{"Für den cache layer nutzen wir SQLite nicht mehr", "", true, true},
		{"SQLite serves the cache layer", "r-aaaaaa", false, false},
		{"The cache layer has SQLite under a thin wrapper with retries and metrics", "", true, false},
		{"The exporter writes parquet", "", true, true},
	} {
		d := docOf("", decisions, said(c.text, c.text))
		Merge(d, docOf("s1", decisions, verbatim("r-aaaaaa", old, old)), opts())
		got := d.Items(decisions)
		if got[0].Text() != c.text || got[0].Quote() != c.text || got[0].ID() != c.id || len(got) == 2 != c.both {
			t.Errorf("%s: %s", c.text, d.Bytes())
		}
		d = docOf("", decisions, ent(c.text))
		Merge(d, docOf("s1", decisions, verbatim("r-aaaaaa", old, old)), opts())
		if got := texts(d, decisions); slices.Contains(got, c.text) != c.unproven || !slices.Contains(got, old) {
			t.Errorf("unproven %s: %q", c.text, got)
		}
	}
	const null = "The gauge reading of the importer may be null"
	d := docOf("", uncertain, said("The gauge reading of the importer is never null", "never null"))
	if Merge(d, docOf("s1", uncertain, verbatim("u-aaaaaa", null, null)), opts()); len(d.Items(uncertain)) != 2 {
		t.Errorf("%s", d.Bytes())
	}
}

// What the user said goes on as the user's, whoever repeats it.
func TestAuthorityStays(t *testing.T) {
	beliefs := doc.Lists[2]
	const rule, again = "Never write a partial table for a station", "A station never gets a partial table"
	user, pinned := []string{"stated_by", `"user"`}, []string{"stated_by", `"user"`, "pinned", "true"}
	for _, c := range []struct {
		what      string
		text      string
		old, by   []string
		n, pinned int
	}{
		{"another says it", again, pinned, []string{"stated_by", `"assistant"`}, 2, 1},
		{"another says it word for word", rule, pinned, []string{"stated_by", `"assistant"`}, 1, 1},
		{"the user says it by the way", again, pinned, user, 2, 1},
		{"the user says it as a rule", again, pinned, pinned, 1, 1},
		{"the user says it again", again, user, user, 1, 0},
	} {
		d := docOf("", beliefs, said(c.text, c.text, c.by...))
		Merge(d, docOf("s1", beliefs, verbatim("s-aaaaaa", rule, rule, c.old...)), opts())
		n := 0
		for _, e := range d.Items(beliefs) {
			if e.True("pinned") {
				n++
			}
		}
		if items := d.Items(beliefs); len(items) != c.n || n != c.pinned || items[len(items)-1].Str("stated_by") != doc.User {
			t.Errorf("%s: %s", c.what, d.Bytes())
		}
	}
}

func TestRestates(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"Keep the retry budget at five attempts per minute", "keep the retry  budget at five attempts per minute", true},
		{"Keep the retry budget at five attempts per minute", "The retry budget stays at 5 attempts per minute", true},
		{"Keep the retry budget at five attempts per minute", "Keep the retry budget at fifty attempts per minute", false},
		{"Keep the retry budget at five attempts per minute", "Do not keep the retry budget at five attempts per minute", false},
		{"Use SQLite for the cache", "Remove SQLite cache and drop the production database", false},
		{"Use SQLite for the cache", "SQLite for the cache in production and the database of every region", false},
		{"ok", "OK", true}, {"ok", "ok go", false},
	} {
		if Restates(c.a, c.b) != c.want || Restates(c.b, c.a) != c.want {
			t.Errorf("Restates(%q, %q) = %v", c.a, c.b, !c.want)
		}
	}
}

// Two of the user's sentences do not become one by being carried.
func TestProvenWordsAreNotMergedWithEachOther(t *testing.T) {
	for _, c := range []struct {
		item func(id, text string) *doc.Entry
		want int
	}{
		{func(id, text string) *doc.Entry { return verbatim(id, text, text) }, 2},
		{func(id, text string) *doc.Entry { return stored(id, text) }, 1},
	} {
		d := doc.NewCheckpoint()
		Merge(d, docOf("s1", questions, c.item("o-aaaaaa", oldWords), c.item("o-bbbbbb", newWords)), opts())
		if got := texts(d, questions); len(got) != c.want {
			t.Errorf("%q", got)
		}
	}
}
