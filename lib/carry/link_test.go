package carry

import (
	"slices"
	"testing"

	"daimon/lib/doc"
)

func replaces(target string) string { return `[{"type":"supersedes","target":"` + target + `"}]` }

func TestReversal(t *testing.T) {
	const old, fresh = "deploy with blue green switch", "deploy switch drops blue green"
	prev := func() *doc.Checkpoint {
		return docOf("s1", decisions, verbatim("r-aaaaaa", old, "blue green it is"), stored("r-bbbbbb", "invoices round half even"))
	}
	for _, c := range []struct {
		what       string
		e          *doc.Entry
		superseded bool
	}{
		{"verified, by text", said(fresh, "drop blue green", "links", replaces(old)), true},
		{"verified, by id", said(fresh, "drop blue green", "links", replaces("r-aaaaaa")), true},
		{"verified, in other words", said(fresh, "drop blue green", "links", replaces("blue green deploy switch")), true},
		{"unverified", ent(fresh, "trust", `"verbatim"`, "quote", `"x"`, "links", replaces(old)), false},
		{"failed quote", said(fresh, "x", "quote_verified", "false", "links", replaces(old)), false},
		{"failed receipt", said(fresh, "x", "quote_provenance", `{"outcome":"not-verified"}`, "links", replaces(old)), false},
		{"verified, aimed elsewhere", said(fresh, "x", "links", replaces("r-cccccc")), false},
		{"verified, no link", said(fresh, "x"), false},
		{"verified, malformed links", said(fresh, "x", "links", `[7,{"type":"supersedes"},{"type":"x","target":"r-aaaaaa"}]`), false},
	} {
		d := docOf("", decisions, c.e)
		r := Merge(d, prev(), opts())
		want := []string{fresh, old, "invoices round half even"}
		if c.superseded {
			want = []string{fresh, "invoices round half even"}
		}
		if got := texts(d, decisions); len(got) != len(want) || !slices.Contains(got, fresh) || slices.Contains(got, old) == c.superseded || r.Twins != 0 || d.Items(decisions)[0].Has("id") {
			t.Errorf("%s: %+v %s", c.what, r, d.Bytes())
		}
		if c.superseded && r.Superseded[0] != (Superseded{"recent_decisions", "r-aaaaaa", fresh}) {
			t.Errorf("%s: %+v", c.what, r)
		}
	}
}

// An unverified claim stands beside what it would replace.
func TestUnverifiedClaimDoesNotDisplace(t *testing.T) {
	prev := docOf("s1", decisions, stored("r-aaaaaa", "invoices round half even"))
	c := docOf("", decisions, ent("invoices are truncated", "links", replaces("invoices round half even")))
	if r := Merge(c, prev, opts()); r.Carried != 1 || len(r.Superseded) != 0 || r.Bound != 1 {
		t.Errorf("%+v %s", r, c.Bytes())
	}
	c = docOf("", decisions, said("invoices are truncated", "truncate", "links", replaces("invoices round half even")))
	if r := Merge(c, prev, opts()); r.Carried != 0 || len(r.Superseded) != 1 || r.Bound != 1 {
		t.Errorf("the verified twin: %+v %s", r, c.Bytes())
	}
}

// A quote about something else displaces nothing, and no quote displaces two
// items, or a rule.
func TestDisplacesOnlyWhatItIsAbout(t *testing.T) {
	all := `[{"type":"supersedes","target":"r-aaaaaa"},{"type":"supersedes","target":"r-bbbbbb"},{"type":"supersedes","target":"r-cccccc"}]`
	prev := func(fields ...string) *doc.Checkpoint {
		return docOf("s1", decisions, stored("r-aaaaaa", "invoices round half even", fields...),
			stored("r-bbbbbb", "deploy with blue green switch", fields...), stored("r-cccccc", "archive nightly to tape", fields...))
	}
	for _, c := range []struct {
		what string
		e    *doc.Entry
		old  []string // fields
		gone string
	}{
		{"another subject", said("some new thing", "nothing to report here", "links", all), nil, ""},
		{"the text names one", said("blue green it was", "nothing to report here", "links", all), nil, "r-bbbbbb"},
		{"the quote names one", said("some new thing", "no archive tape any more", "links", all), nil, "r-cccccc"},
		{"it names two", said("no tape and no blue green", "q", "links", all), nil, "r-bbbbbb"},
		{"a rule", said("blue green it was", "q", "links", all), []string{"pinned", "true"}, ""},
		{"unproven", ent("blue green it was", "links", all), nil, ""},
	} {
		d := docOf("", decisions, c.e)
		r := Merge(d, prev(c.old...), opts())
		if len(r.Superseded) > 1 || c.gone == "" && len(r.Superseded) != 0 || c.gone != "" && (len(r.Superseded) != 1 || r.Superseded[0].OldID != c.gone) {
			t.Errorf("%s: %+v", c.what, r)
		}
	}
	beliefs := doc.Lists[2]
	d := docOf("", beliefs, said("partial tables are fine now", "q", "links", replaces("s-aaaaaa")))
	p := verbatim("s-aaaaaa", "never write a partial table", "never write a partial table", "stated_by", `"user"`)
	if r := Merge(d, docOf("s1", beliefs, p), opts()); len(r.Superseded) != 0 || r.Carried != 1 {
		t.Errorf("a belief of the user: %+v", r)
	}
}

func TestRelated(t *testing.T) {
	target := stored("r-aaaaaa", "checkpoint briefing grows daily")
	crowd := []*doc.Entry{target, ent("checkpoint briefing parser crash"), ent("checkpoint briefing invoice cents"), ent("checkpoint briefing zone drift")}
	for _, c := range []struct {
		e    *doc.Entry
		list []*doc.Entry
		want bool
	}{
		{said("the briefing is short", "q"), nil, true},
		{said("the briefing is short", "q"), crowd, false},
		{said("it grows", "grows daily"), crowd, true},
		{said("x", "checkpoint briefing grows daily"), crowd, true},
		{said("the palette is blue", "all blue"), nil, false},
	} {
		if Related(c.e, target, c.list) != c.want {
			t.Errorf("%s in a list of %d: %v", c.e.Bytes(), len(c.list), !c.want)
		}
	}
	short := stored("r-bbbbbb", "deploy")
	if !Related(said("x", "no more deploy today"), short, nil) || Related(said("x", "no more deploys"), short, nil) {
		t.Error("a text of one word is related to a quote that holds it")
	}
}

// Words that could mean two items replace neither.
func TestAmbiguousReversalDisplacesNothing(t *testing.T) {
	prev := docOf("s1", decisions, stored("r-aaaaaa", "retry uploads three times hourly"), stored("r-bbbbbb", "retry uploads weekly after nightly archive failures"))
	c := docOf("", decisions, said("hourly uploads roll", "rolling", "links", replaces("retry uploads")))
	if r := Merge(c, prev, opts()); r.Carried != 2 || len(r.Superseded) != 0 || r.Bound != 0 {
		t.Errorf("%+v %s", r, c.Bytes())
	}
	c = docOf("", decisions, said("hourly uploads roll", "rolling", "links", replaces("retry uploads hourly three")))
	if r := Merge(c, prev, opts()); r.Carried != 1 || len(r.Superseded) != 1 {
		t.Errorf("its unambiguous twin: %+v %s", r, c.Bytes())
	}
}

func TestBinding(t *testing.T) {
	prev := docOf("s1", decisions, stored("r-aaaaaa", "deploy with blue green switch"), stored("r-bbbbbb", "retry uploads three times hourly"),
		stored("r-cccccc", "retry uploads hourly after failures"), stored("", "archive nightly without id"))
	prev.SetItems(questions, []*doc.Entry{stored("o-aaaaaa", "which palette suits print")})
	for _, c := range []struct{ target, want string }{
		{"blue green deploy switch", "r-aaaaaa"},
		{"deploy with blue green switch", "r-aaaaaa"},
		{"no longer deploy with the blue green switch", "r-aaaaaa"},
		{"retry uploads hourly", "retry uploads hourly"},
		{"which palette suits print", "which palette suits print"},
		{"something never recorded", "something never recorded"},
		{"archive nightly without id", "archive nightly without id"},
		{"r-dddddd", "r-dddddd"}, {"ok", "ok"}, {"  ", "  "},
	} {
		d := docOf("", decisions, ent("rolling restarts replace everything", "links", replaces(c.target)))
		Merge(d, prev, opts())
		if got := d.Items(decisions)[0].Links()[0].Target; got != c.want {
			t.Errorf("target %q became %q, want %q", c.target, got, c.want)
		}
	}
}

func TestBindingNeverToItself(t *testing.T) {
	const old = "deploy with blue green switch"
	c := docOf("", decisions, ent("deploy using blue green switch", "links", replaces(old)))
	Merge(c, docOf("s1", decisions, stored("r-aaaaaa", old)), opts())
	if got := c.Items(decisions)[0]; got.ID() != "r-aaaaaa" || got.Links()[0].Target != old {
		t.Errorf("%s", got.Bytes())
	}
}

func TestTwoLinksToOneItem(t *testing.T) {
	links := `[{"type":"supersedes","target":"deploy with blue green switch"},{"type":"supersedes","target":"blue green deploy switch","x_note":1}]`
	c := docOf("", decisions, said("rolling deploy", "rolling", "links", links))
	r := Merge(c, docOf("s1", decisions, stored("r-aaaaaa", "deploy with blue green switch")), opts())
	got := c.Items(decisions)[0]
	if len(r.Superseded) != 1 || r.Bound != 2 || got.Links()[0].Target != "r-aaaaaa" || got.Links()[1].Target != "r-aaaaaa" || got.Get("links.1.x_note").Raw != "1" {
		t.Errorf("%+v %s", r, got.Bytes())
	}
}
