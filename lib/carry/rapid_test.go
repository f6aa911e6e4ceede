package carry

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"daimon/lib/doc"
)

var vocabulary = strings.Fields("queue relay mail retry limit upload deploy blue green switch cache eviction parser index 3 5 キャッシュ 認証失敗 the")

func anyText(t *rapid.T) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(vocabulary), 1, 6).Draw(t, "words"), " ")
}

func anyItem(t *rapid.T, id string) *doc.Entry {
	e := doc.NewEntry(anyText(t), rapid.SampledFrom([]string{doc.Verbatim, doc.Inferred}).Draw(t, "trust"))
	set := func(field string, values ...string) {
		if v := rapid.SampledFrom(append(values, "")).Draw(t, field); v != "" {
			e.SetRaw(field, []byte(v))
		}
	}
	set("quote", `"q1"`, `"q2"`)
	set("quote_verified", "true", "false")
	set("importance", "1", "5", "10")
	set("links", replaces(anyText(t)), replaces("r-00000"+fmt.Sprint(rapid.IntRange(0, 9).Draw(t, "target"))))
	set("x_more", `{"a":[1]}`)
	if id != "" {
		e.Set("id", id)
		set("first_seen", `"`+days(1)+`"`, `"`+days(50)+`"`, `"junk"`)
		set("carried_from", `"s0"`)
		set("origin_session", `"s0"`)
	}
	return e
}

func anyDoc(t *rapid.T, session string, ids bool) *doc.Checkpoint {
	c := docOf(session, questions)
	for _, l := range doc.Lists {
		var items []*doc.Entry
		for i := range rapid.IntRange(0, 6).Draw(t, "n") {
			id := ""
			if ids {
				id = fmt.Sprintf("%s-00000%d", l.Prefix(), i)
			}
			items = append(items, anyItem(t, id))
		}
		c.SetItems(l, items)
	}
	return c
}

func TestProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, prev := anyDoc(t, "s2", false), anyDoc(t, "s1", true)
		o := opts()
		o.Max = rapid.IntRange(1, 4).Draw(t, "max")
		before := c.Clone()
		Merge(c, doc.NewCheckpoint(), o)
		if string(c.Bytes()) != string(before.Bytes()) {
			t.Fatal("carry of nothing changed the document")
		}
		stays := string(prev.Bytes())
		Merge(c, prev, o)
		if string(prev.Bytes()) != stays {
			t.Fatal("the previous document changed")
		}
		for _, l := range doc.Lists {
			checkList(t, before.Items(l), c.Items(l), prev.Items(l), l, o.Max)
		}
		once := string(c.Bytes())
		Merge(c, prev, o)
		if string(c.Bytes()) != once {
			t.Fatalf("twice is not once:\n%s\n%s", once, c.Bytes())
		}
	})
}

// checkList: fresh items stay in place, each carried one is an exact copy, and
// no identity stands twice.
func checkList(t *rapid.T, fresh, got, prev []*doc.Entry, l doc.List, most int) {
	if len(got) < len(fresh) || len(got)-len(fresh) > most || !l.Carries && len(got) != len(fresh) {
		t.Fatalf("%s: %d of %d", l.Kind, len(got), len(fresh))
	}
	copies, ids := map[string]bool{}, map[string]bool{}
	for _, p := range prev {
		copies[string(Copy(p, "s1").Bytes())] = true
	}
	for i, e := range got {
		if i >= len(fresh) && !copies[string(e.Bytes())] {
			t.Fatalf("%s is no copy", e.Bytes())
		}
		if id := e.ID(); id != "" {
			if ids[id] {
				t.Fatalf("id %s stands twice", id)
			}
			ids[id] = true
		}
	}
}
