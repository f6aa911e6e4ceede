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
		twin       bool
	}{
		{"verified, by text", said(fresh, "drop blue green", "links", replaces(old)), true, false},
		{"verified, by id", said(fresh, "drop blue green", "links", replaces("r-aaaaaa")), true, false},
		{"verified, in other words", said(fresh, "drop blue green", "links", replaces("blue green deploy switch")), true, false},
		{"unverified", ent(fresh, "trust", `"verbatim"`, "quote", `"x"`, "links", replaces(old)), false, true},
		{"failed quote", said(fresh, "x", "quote_verified", "false", "links", replaces(old)), false, true},
		{"failed receipt", said(fresh, "x", "quote_provenance", `{"outcome":"not-verified"}`, "links", replaces(old)), false, true},
		{"verified, aimed elsewhere", said(fresh, "x", "links", replaces("r-cccccc")), false, true},
		{"verified, no link", said(fresh, "x"), false, true},
		{"verified, malformed links", said(fresh, "x", "links", `[7,{"type":"supersedes"},{"type":"x","target":"r-aaaaaa"}]`), false, true},
	} {
		d := docOf("", decisions, c.e)
		r := Merge(d, prev(), opts())
		if (len(r.Superseded) == 1) != c.superseded || (r.Twins == 1) != c.twin || r.Carried != 1 {
			t.Errorf("%s: %+v %v", c.what, r, texts(d, decisions))
			continue
		}
		if got := texts(d, decisions); c.superseded && (!slices.Equal(got, []string{fresh, "invoices round half even"}) || r.Superseded[0] != Superseded{"recent_decisions", "r-aaaaaa", fresh} || d.Items(decisions)[0].Has("id")) {
			t.Errorf("%s: %+v %s", c.what, r, d.Bytes())
		}
	}
}

// An unverified claim about another subject stands beside what it would replace.
func TestUnverifiedClaimDoesNotDisplace(t *testing.T) {
	prev := docOf("s1", decisions, stored("r-aaaaaa", "invoices round half even"))
	c := docOf("", decisions, ent("cents are truncated", "links", replaces("invoices round half even")))
	if r := Merge(c, prev, opts()); r.Carried != 1 || len(r.Superseded) != 0 || r.Bound != 1 {
		t.Errorf("%+v %s", r, c.Bytes())
	}
	c = docOf("", decisions, said("cents are truncated", "truncate", "links", replaces("invoices round half even")))
	if r := Merge(c, prev, opts()); r.Carried != 0 || len(r.Superseded) != 1 || r.Bound != 1 {
		t.Errorf("the verified twin: %+v %s", r, c.Bytes())
	}
}

// Words that could mean two items replace neither.
func TestAmbiguousReversalDisplacesNothing(t *testing.T) {
	prev := docOf("s1", decisions, stored("r-aaaaaa", "retry uploads three times hourly"), stored("r-bbbbbb", "retry uploads weekly after nightly archive failures"))
	c := docOf("", decisions, said("rolling restarts", "rolling", "links", replaces("retry uploads")))
	if r := Merge(c, prev, opts()); r.Carried != 2 || len(r.Superseded) != 0 || r.Bound != 0 {
		t.Errorf("%+v %s", r, c.Bytes())
	}
	c = docOf("", decisions, said("rolling restarts", "rolling", "links", replaces("retry uploads hourly three")))
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
	c := docOf("", decisions, said("rolling restarts", "rolling", "links", links))
	r := Merge(c, docOf("s1", decisions, stored("r-aaaaaa", "deploy with blue green switch")), opts())
	got := c.Items(decisions)[0]
	if len(r.Superseded) != 1 || r.Bound != 2 || got.Links()[0].Target != "r-aaaaaa" || got.Links()[1].Target != "r-aaaaaa" || got.Get("links.1.x_note").Raw != "1" {
		t.Errorf("%+v %s", r, got.Bytes())
	}
}
