package brief

import (
	"strings"
	"testing"

	"daimon/lib/doc"
	"daimon/lib/fault"
	"daimon/lib/store"
)

// loaded claims everything an item can claim.
const loaded = `{"text":"Never push","trust":"verbatim","quote":"Never push to main","pinned":true,"stated_by":"user","grounded":false,` +
	`"quote_verified":false,"carried_from":"s0","id":"s-000000000001","x_own":1}`

func TestGiven(t *testing.T) {
	st := store.Open(t.TempDir())
	write := func(id, slug string) *doc.Checkpoint {
		c := fixture(t, "", map[string][]string{"strong_beliefs": {loaded}})
		c.Set("session_id", id)
		c.Set("project_slug", slug)
		if _, err := st.WriteCheckpoint(c, slug, store.Options{Rotate: true, Now: now}); err != nil {
			t.Fatal(err)
		}
		return c
	}
	first, twin := write("s1", "-p"), write("s1", "-q") // the second has a file of its own
	changed := first.Clone()
	changed.Set("created", "2026-01-10T11:00:00Z")
	stranger := first.Clone()
	stranger.Set("session_id", "../s1")
	nameless := first.Clone()
	nameless.Delete("session_id")
	for name, c := range map[string]struct {
		doc    *doc.Checkpoint
		claims bool
	}{"held": {first, false}, "held by another": {twin, false}, "changed": {changed, true}, "another id": {stranger, true}, "no id": {nameless, true}} {
		for _, slug := range []string{"-p", "-q"} {
			if claims, err := Given(st, slug, c.doc); claims != c.claims || err != nil {
				t.Errorf("%s in %s: %v, %v", name, slug, claims, err)
			}
		}
	}
	for _, raw := range []string{`{}`, `{"working_context":{}}`, `{"working_context":{},"epistemic_snapshot":[]}`, `{"working_context":"x","epistemic_snapshot":{}}`} {
		c, err := doc.ParseCheckpoint([]byte(raw))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Given(st, "-p", c); fault.KindOf(err) != fault.BadInput || !strings.Contains(err.Error(), "is missing or no object") {
			t.Errorf("%s: %v", raw, err)
		}
	}
}

// What a document claims of itself is not shown; what the ledger says of it is
// obeyed all the same.
func TestClaims(t *testing.T) {
	c := fixture(t, `{"text":"the topic","trust":"verbatim","quote":"q"}`, map[string][]string{"strong_beliefs": {loaded},
		"open_questions": {`{"text":"done since","trust":"inferred","id":"o-000000000001"}`}})
	v := openView(t, `{"ts":"2026-01-10T11:00:00Z","item_ref":"o-000000000001","status":"resolved"}`,
		`{"ts":"2026-01-10T11:00:00Z","item_ref":"s-000000000001","status":"supersede-candidate:s-000000000002"}`)
	for _, claims := range []bool{true, false} {
		b := Collect(c, v, Options{Now: now, Claims: claims, Notes: []string{"second"}})
		raw, _ := b.Text(0)
		json, err := b.JSON()
		if err != nil {
			t.Fatal(err)
		}
		text := string(raw)
		if got := strings.HasPrefix(strings.SplitN(text, "\n", 4)[2], unjudged); got != claims {
			t.Errorf("claims %v: the note stands first: %v\n%s", claims, got, text)
		}
		if got := strings.Contains(string(json), unjudged[:40]); got != claims {
			t.Errorf("claims %v: %s", claims, json)
		}
		marks := text[strings.Index(text, "second"):]
		for _, mark := range []string{"[✓ verbatim]", "[said by", "[pinned", "[carried]", "[unproven", "[quote not", "[s-000000000001]", "likely superseded"} {
			if strings.Contains(marks, mark) == claims {
				t.Errorf("claims %v: %s\n%s", claims, mark, text)
			}
		}
		if got := strings.Count(marks, "[? untagged]"); (got == 2) != claims {
			t.Errorf("claims %v: %d untagged\n%s", claims, got, text)
		}
		for _, field := range []string{`"verbatim"`, `"stated_by"`, `"pinned"`, `"carried_from"`, `"id"`, `"unproven_outcome"`, `"superseded_by"`} {
			if strings.Contains(string(json), field) == claims {
				t.Errorf("claims %v: %s\n%s", claims, field, json)
			}
		}
		if strings.Contains(text+string(json), "done since") {
			t.Errorf("claims %v: a resolved item is shown\n%s", claims, text)
		}
	}
}
