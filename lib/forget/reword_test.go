package forget

import (
	"slices"
	"testing"

	"daimon/lib/doc"
	"daimon/lib/fault"
	"daimon/lib/life"
	"daimon/lib/store"
)

// stored writes one checkpoint with the items of a list.
func stored(t *testing.T, items ...*doc.Entry) *store.Store {
	t.Helper()
	st := store.Open(t.TempDir())
	c := doc.NewCheckpoint()
	c.Set("session_id", "s1")
	c.Set("project_slug", slug)
	l, _ := doc.ListByKey("recent_decisions")
	c.SetItems(l, items)
	if _, err := st.WriteCheckpoint(c, slug, store.Options{Rotate: true, Now: by.At}); err != nil {
		t.Fatal(err)
	}
	return st
}

func item(id, text, quote string) *doc.Entry {
	e := doc.NewEntry(text, doc.Inferred)
	if quote != "" {
		e = doc.NewEntry(text, doc.Verbatim)
		e.Set("quote", quote)
	}
	e.Set("id", id)
	return e
}

func forget(t *testing.T, st *store.Store, id string, contained bool) *Report {
	t.Helper()
	lookUp := Find
	if contained {
		lookUp = FindContaining
	}
	target, err := lookUp(st, slug, id, "")
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(ctx, st, slug, target, by, "")
	if err != nil || !r.Reached {
		t.Fatalf("%+v %v", r, err)
	}
	return r
}

func left(t *testing.T, st *store.Store) (ids []string) {
	t.Helper()
	c, err := st.Latest(slug)
	if err != nil {
		t.Fatal(err)
	}
	c.Walk(func(_ doc.List, e *doc.Entry) bool {
		if e.ID() != "" { // the topic
			ids = append(ids, e.ID())
		}
		return true
	})
	return ids
}

const (
	a, b, c = "r-00000000000a", "r-00000000000b", "r-00000000000c"
	plan    = "We ship the zanzibar heron on the 13th"
)

func TestOtherMarksAndSentences(t *testing.T) {
	for text, goes := range map[string]bool{
		"- “" + plan + "!”": true, "Hm. " + plan + ". So be it.": true, plan + ".": true,
		plan + " of May": false, "Some think " + plan: false,
	} {
		for _, pair := range [][2]string{{plan, text}, {text, plan}} {
			st := stored(t, item(a, pair[0], ""), item(b, pair[1], ""))
			r := forget(t, st, a, false)
			want := []string{b}
			if goes && (pair[0] == plan || text != "Hm. "+plan+". So be it.") {
				want = nil
			}
			if got := left(t, st); !slices.Equal(got, want) {
				t.Errorf("%q: left %v", pair, got)
			}
			state, err := life.Read(st, slug)
			if err != nil || !state.IsForgotten(pair[0]+" ...") || state.IsForgotten(pair[1]) != (want == nil) {
				t.Errorf("%q: %v %+v", pair, err, r)
			}
		}
	}
}

func TestSharedQuoteStays(t *testing.T) {
	const said = "we keep the cheap queue and we drop the old cron"
	st := stored(t, item(a, "Keep the cheap queue", said), item(b, "Drop the old cron", said+"."))
	r := forget(t, st, a, false)
	latest, _ := st.Latest(slug)
	l, _ := doc.ListByKey("recent_decisions")
	if got := latest.Items(l); len(got) != 1 || got[0].Trust() != doc.Verbatim || got[0].Quote() != said+"." || !slices.Equal(r.SharedQuote, []string{b}) {
		t.Fatalf("%s %+v", latest.Bytes(), r)
	}
	if r = forget(t, st, b, false); len(r.SharedQuote) != 0 {
		t.Errorf("%+v", r)
	}
	if state, err := life.Read(st, slug); err != nil || !state.IsForgotten(said) {
		t.Error("nobody rests on the quote, and it is not forgotten")
	}
}

func TestFindContaining(t *testing.T) {
	items := func() *store.Store {
		return stored(t, item(a, plan, ""), item(b, "Some think that "+plan+" of May", ""), item(c, "Birds", "he said "+plan+", she said no"),
			item("r-00000000000d", plan+"ers go", ""), item("r-00000000000e", "Feed the birds", ""))
	}
	stay := []string{"r-00000000000d", "r-00000000000e"}
	st := items()
	if r := forget(t, st, a, false); !slices.Equal(r.ContainedIn, []string{b, c}) || len(r.Contained) != 0 || len(left(t, st)) != 4 {
		t.Errorf("not asked for: %+v", r)
	}
	// Nothing is left of the value but what the person says.
	target, err := FindContaining(st, slug, "", plan)
	if err != nil {
		t.Fatal(err)
	}
	if r, err := Run(ctx, st, slug, target, by, ""); err != nil || !r.Reached || !slices.Equal(left(t, st), stay) {
		t.Errorf("afterwards: %+v %v, left %v", r, err, left(t, st))
	}
	st = items()
	r := forget(t, st, a, true)
	if !slices.Equal(r.Contained, []string{b, c}) || len(r.ContainedIn) != 0 || !slices.Equal(left(t, st), stay) {
		t.Errorf("asked for: %+v, left %v", r, left(t, st))
	}
	state, err := life.Read(st, slug)
	if err != nil || !state.IsForgotten("some think that "+plan+" of may!") || state.IsForgotten("Feed the birds") {
		t.Error("what contained the value may come back")
	}
}

// Words that are no item of their own are enough when items contain them.
func TestOnlyContained(t *testing.T) {
	const words = "zanzibar heron"
	st := stored(t, item(a, plan, ""), item(b, "Feed the birds", ""))
	if _, err := Find(st, slug, "", words); fault.KindOf(err) != fault.NoInput {
		t.Errorf("not asked for: %v", err)
	}
	for _, none := range []string{"zanzibar herons", "heron"} { // no such words; too short to go by
		if _, err := FindContaining(st, slug, "", none); fault.KindOf(err) != fault.NoInput {
			t.Errorf("%s: %v", none, err)
		}
	}
	target, err := FindContaining(st, slug, "", words)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(ctx, st, slug, target, by, "")
	if err != nil || !r.Reached || !slices.Equal(r.Contained, []string{a}) || !slices.Equal(left(t, st), []string{b}) {
		t.Errorf("%+v %v, left %v", r, err, left(t, st))
	}
}

func TestContainedInSpacelessScripts(t *testing.T) {
	st := stored(t, item(a, "港の輸入は十三日", ""), item(b, "明日の港の輸入は十三日です", ""))
	if r := forget(t, st, a, false); !slices.Equal(r.ContainedIn, []string{b}) {
		t.Errorf("%+v", r)
	}
}

func TestTwoProjectsWithOneSessionID(t *testing.T) {
	st := stored(t, item(a, plan, ""), item(b, "Feed the birds", ""))
	other := checkpoint("s1", "-w-b")
	if _, err := st.WriteCheckpoint(other, "-w-b", store.Options{Rotate: true, Now: by.At}); err != nil {
		t.Fatal(err)
	}
	target, err := Find(st, "-w-b", id, "")
	if err != nil {
		t.Fatal(err)
	}
	if r, err := Run(ctx, st, "-w-b", target, by, ""); err != nil || !r.Reached {
		t.Fatalf("%+v %v", r, err)
	}
	if held := holders(t, st, "zanzibar\" on the", "zanzibar\\\" on the"); len(held) > 0 {
		t.Errorf("left in %q", held)
	}
	if held := holders(t, st, "zanzibar heron"); len(held) != 2 { // session file and pointer
		t.Errorf("the other project's stands in %q", held)
	}
	forget(t, st, a, false)
	if held := holders(t, st, "zanzibar"); len(held) > 0 {
		t.Errorf("left in %q", held)
	}
}

// The path of a project names its bucket; its memory stays with it.
func TestForgettingThePathOfTheProject(t *testing.T) {
	st := store.Open(t.TempDir())
	root := "/home/dev/somewhere"
	p := store.Slug(root)
	c := doc.NewCheckpoint()
	c.Set("session_id", "s1")
	c.Set("project_slug", p)
	l, _ := doc.ListByKey("recent_decisions")
	c.SetItems(l, []*doc.Entry{item(a, root, "")})
	if _, err := st.WriteCheckpoint(c, p, store.Options{Rotate: true, Now: by.At, Root: root}); err != nil {
		t.Fatal(err)
	}
	target, err := Find(st, p, a, "")
	if err != nil {
		t.Fatal(err)
	}
	if r, err := Run(ctx, st, p, target, by, ""); err != nil || !r.Reached || st.SlugFor(root) != p {
		t.Errorf("%+v %v", r, err)
	}
}
