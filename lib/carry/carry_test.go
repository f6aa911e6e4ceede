package carry

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"daimon/lib/doc"
	"daimon/lib/score"
)

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

var questions, decisions, uncertain = doc.Lists[0], doc.Lists[1], doc.Lists[3]

func opts() Options { return Options{Now: now, Floor: DefaultFloor} }

func days(n float64) string {
	return now.Add(-time.Duration(n * 24 * float64(time.Hour))).Format(score.Stamp)
}

// ent makes an item from pairs of field and JSON value.
func ent(text string, fields ...string) *doc.Entry {
	e := doc.NewEntry(text, doc.Inferred)
	for i := 0; i < len(fields); i += 2 {
		e.SetRaw(fields[i], []byte(fields[i+1]))
	}
	return e
}

// stored is an item as a checkpoint of yesterday holds it.
func stored(id, text string, fields ...string) *doc.Entry {
	return ent(text, append([]string{"id", `"` + id + `"`, "first_seen", `"` + days(1) + `"`, "origin_session", `"s0"`}, fields...)...)
}

func said(text, quote string, fields ...string) *doc.Entry {
	return ent(text, append([]string{"trust", `"verbatim"`, "quote", `"` + quote + `"`, "quote_verified", "true", "source_message_ids", `["u-9"]`}, fields...)...)
}

func docOf(session string, l doc.List, items ...*doc.Entry) *doc.Checkpoint {
	c := doc.NewCheckpoint()
	if session != "" {
		c.Set("session_id", session)
	}
	c.SetItems(l, items)
	return c
}

func texts(c *doc.Checkpoint, l doc.List) []string {
	var out []string
	for _, e := range c.Items(l) {
		out = append(out, e.Text())
	}
	return out
}

func TestCarriesAnExactCopy(t *testing.T) {
	p := stored("o-aaaaaa", "queue drains slowly under load", "x_own", "[1]", "quote_verified", "false")
	c := doc.NewCheckpoint()
	r := Merge(c, docOf("s1", questions, p), opts())
	got := c.Items(questions)
	if r.Carried != 1 || len(got) != 1 || string(got[0].Bytes()) != string(Copy(p, "s1").Bytes()) {
		t.Fatalf("%+v %s", r, c.Bytes())
	}
	for field, want := range map[string]string{"id": "o-aaaaaa", "first_seen": days(1), "carried_from": "s1"} {
		if got[0].Str(field) != want {
			t.Errorf("%s is %q", field, got[0].Str(field))
		}
	}
	if got[0].Has("quote_verified") || !got[0].Has("x_own") {
		t.Errorf("copy is %s", got[0].Bytes())
	}
}

func TestCopy(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{`{"text":"a","quote_verified":false}`, `{"text":"a","carried_from":"s1"}`},
		{`{"text":"a","quote_verified":true}`, `{"text":"a","quote_verified":true,"carried_from":"s1"}`},
		{`{"text":"a","carried_from":"s0"}`, `{"text":"a","carried_from":"s0"}`},
	} {
		e, _ := doc.ParseEntry([]byte(c.in))
		if got := string(Copy(e, "s1").Bytes()); got != c.want || string(e.Bytes()) != c.in {
			t.Errorf("Copy(%s) = %s", c.in, got)
		}
	}
}

func TestLeavesAlone(t *testing.T) {
	full := func() *doc.Checkpoint { return docOf("s1", questions, stored("o-aaaaaa", "queue drains slowly")) }
	with := func(path, raw string) *doc.Checkpoint {
		c := doc.NewCheckpoint()
		c.SetRaw(path, []byte(raw))
		return c
	}
	dated := func(stamp string) *doc.Checkpoint {
		p := full()
		p.Set("created", stamp)
		return p
	}
	for _, c := range []struct {
		what    string
		c, prev *doc.Checkpoint
		carried int
	}{
		{"no previous", doc.NewCheckpoint(), nil, 0},
		{"older than previous", with("created", `"`+days(2)+`"`), dated(days(1)), 0},
		{"as old as previous", with("created", `"`+days(1)+`"`), dated(days(1)), 1},
		{"newer than previous", with("created", `"`+days(0)+`"`), dated(days(1)), 1},
		{"older than a previous of the future", with("created", `"`+days(0)+`"`), dated(days(-400)), 1},
		{"older than a previous just ahead", with("created", `"`+days(0)+`"`), dated(days(-9.0 / 1440)), 0},
		{"previous without a date", with("created", `"`+days(2)+`"`), full(), 1},
		{"list is a string", with(questions.Path(), `"x"`), full(), 0},
		{"list is an object", with(questions.Path(), `{}`), full(), 0},
		{"list is empty", with(questions.Path(), `[]`), full(), 1},
		{"previous list is a string", doc.NewCheckpoint(), with(questions.Path(), `"x"`), 0},
		{"blank and bare items", doc.NewCheckpoint(), with(questions.Path(), `[{"text":""},{"text":"  "},"bare words here",7,{"text":"good one here"}]`), 1},
	} {
		before := string(c.c.Bytes())
		r := Merge(c.c, c.prev, opts())
		if r.Carried != c.carried || (c.carried == 0) != (string(c.c.Bytes()) == before) {
			t.Errorf("%s: %+v %s", c.what, r, c.c.Bytes())
		}
	}
	c := doc.NewCheckpoint()
	c.Delete(questions.Path())
	if r := Merge(c, full(), opts()); r.Carried != 0 || c.Get(questions.Path()).Exists() {
		t.Errorf("carried into an absent list: %s", c.Bytes())
	}
}

func TestOnlyOpenListsCarry(t *testing.T) {
	prev := doc.NewCheckpoint()
	prev.SetTopic(stored("", "queue work"))
	for _, l := range doc.Lists {
		prev.SetItems(l, []*doc.Entry{stored(l.Prefix()+"-aaaaaa", "broker "+l.Kind)})
	}
	c := doc.NewCheckpoint()
	Merge(c, prev, opts())
	for _, l := range doc.Lists {
		if got := len(c.Items(l)) == 1; got != l.Carries {
			t.Errorf("%s carried: %v", l.Kind, got)
		}
	}
	if c.Topic().Text() != "" {
		t.Errorf("topic is %s", c.Topic().Bytes())
	}
}

// A rule in the user's own words holds in the next session; the same words as
// somebody else's, or unproven, do not.
func TestUsersOwnRulesGoOn(t *testing.T) {
	beliefs := doc.Lists[2]
	for _, c := range []struct {
		what    string
		fields  []string
		carried bool
	}{
		{"the user's, found", []string{"trust", `"verbatim"`, "quote_verified", "true", "stated_by", `"user"`}, true},
		{"the assistant's", []string{"trust", `"verbatim"`, "quote_verified", "true", "stated_by", `"assistant"`}, false},
		{"not found", []string{"trust", `"inferred"`, "quote_verified", "false", "stated_by", `"user"`}, false},
		{"never checked", []string{"trust", `"verbatim"`, "stated_by", `"user"`}, false},
		{"nobody's", []string{"trust", `"verbatim"`, "quote_verified", "true"}, false},
	} {
		d := doc.NewCheckpoint()
		prev := docOf("s1", beliefs, stored("s-aaaaaa", "never write a partial table", append(c.fields, "quote", `"never write a partial table"`)...))
		Merge(d, prev, opts())
		items := d.Items(beliefs)
		if (len(items) == 1) != c.carried {
			t.Errorf("%s: %d carried", c.what, len(items))
		}
		if c.carried && string(items[0].Bytes()) != string(Copy(prev.Items(beliefs)[0], "s1").Bytes()) {
			t.Errorf("%s: carried as %s", c.what, items[0].Bytes())
		}
	}
}

func TestFloor(t *testing.T) {
	for _, c := range []struct {
		list       doc.List
		importance int
		age        float64
		kept       bool
	}{
		{decisions, 2, 60, false}, {questions, 7, 60, true}, {questions, 10, 90, true}, {questions, 10, 119, true},
		{questions, 10, 400, false}, {questions, 9, 400, false}, {questions, 5, 90, true}, {questions, 5, 91, false},
		{decisions, 5, 37, true}, {decisions, 5, 38, false}, {uncertain, 10, 43, true}, {uncertain, 10, 44, false},
	} {
		p := stored("o-aaaaaa", "queue drains slowly", "importance", fmt.Sprint(c.importance), "first_seen", `"`+days(c.age)+`"`)
		d := doc.NewCheckpoint()
		if r := Merge(d, docOf("s1", c.list, p), opts()); (r.Carried == 1) != c.kept || (r.Faded == 1) == c.kept {
			t.Errorf("%s, importance %d, %v days: %+v", c.list.Kind, c.importance, c.age, r)
		}
	}
	p := stored("o-aaaaaa", "queue drains slowly", "importance", "5")
	exact := score.Weight("question", p, now)
	for floor, want := range map[float64]int{exact: 1, exact + 1e-9: 0, 0: 1} {
		if r := Merge(doc.NewCheckpoint(), docOf("s1", questions, p), Options{Now: now, Floor: floor}); r.Carried != want {
			t.Errorf("floor %v: %+v", floor, r)
		}
	}
}

// A date of the future says nothing; the clock does.
func TestAgesByTheDocumentsOwnDate(t *testing.T) {
	p := stored("r-aaaaaa", "queue drains slowly", "first_seen", `"`+days(40)+`"`)
	for age, want := range map[float64]int{0: 0, 30: 1, 38: 1, -60: 0, -9.0 / 1440: 0} {
		c := doc.NewCheckpoint()
		c.Set("created", days(age))
		if r := Merge(c, docOf("s1", decisions, p), opts()); r.Carried != want {
			t.Errorf("created %v days ago: %+v", age, r)
		}
	}
	p = stored("r-aaaaaa", "queue drains slowly")
	for age, want := range map[float64]int{0: 1, -60: 1} {
		c := doc.NewCheckpoint()
		c.Set("created", days(age))
		if r := Merge(c, docOf("s1", decisions, p), opts()); r.Carried != want {
			t.Errorf("created %v days ago: %+v", age, r)
		}
	}
}

func TestCapTakesHeaviestAfterFresh(t *testing.T) {
	var old []*doc.Entry
	for i := range 10 {
		old = append(old, stored(fmt.Sprintf("o-aaaaa%d", i), "kind"+strings.Repeat("x", i)+" item"+strings.Repeat("y", i), "importance", fmt.Sprint(i+1)))
	}
	c := docOf("", questions, ent("fresh one stands"), ent("fresh two stands"))
	o := opts()
	o.Max = 3
	r := Merge(c, docOf("s1", questions, old...), o)
	got := c.Items(questions)
	if r.Carried != 3 || r.Cut != 7 || len(got) != 5 || got[0].Text() != "fresh one stands" {
		t.Fatalf("%+v %v", r, texts(c, questions))
	}
	for i, want := range []int{10, 9, 8} {
		if got[2+i].Importance() != want {
			t.Errorf("place %d has importance %d", i, got[2+i].Importance())
		}
	}
	d := doc.NewCheckpoint()
	if r := Merge(d, docOf("s1", questions, old...), opts()); r.Carried != DefaultMax {
		t.Errorf("default cap: %+v", r)
	}
}

func TestClosedAndForgotten(t *testing.T) {
	prev := docOf("s1", questions, stored("o-aaaaaa", "queue drains slowly"), stored("o-bbbbbb", "mail relay stuck"), stored("o-cccccc", "index grows nightly"))
	o := opts()
	o.Resolved = func(id string) bool { return id == "o-aaaaaa" }
	o.Forgotten = func(text string) bool { return text == "mail relay stuck" }
	c := doc.NewCheckpoint()
	if r := Merge(c, prev, o); r.Closed != 2 || !slices.Equal(texts(c, questions), []string{"index grows nightly"}) {
		t.Errorf("%+v %v", r, texts(c, questions))
	}
	c = docOf("", questions, ent("queue drains slowly again"), ent("mail relay stuck again"))
	Merge(c, prev, o)
	items := c.Items(questions)
	if items[0].ID() != "o-aaaaaa" || items[1].Has("id") || items[1].Has("first_seen") {
		t.Errorf("a closed item passes its id on, a forgotten one nothing: %s", c.Bytes())
	}
}
