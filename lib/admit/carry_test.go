package admit

import (
	"fmt"
	"strings"
	"testing"

	"daimon/lib/carry"
	"daimon/lib/doc"
	"daimon/lib/ground"
	"daimon/lib/quote"
	"daimon/lib/store"
)

// piped is a candidate as the stages before admit hand it on.
func piped(c *doc.Checkpoint, t *doc.Transcript, prev *doc.Checkpoint) *doc.Checkpoint {
	quote.Verify(c, t, t.End)
	ground.Judge(c, t)
	c.Set("session_id", t.SessionID)
	carry.Merge(c, prev, carry.Options{Now: now})
	return c
}

// Whatever carry passes on, admission bears out: an honest document is told nothing.
func TestHonestTwinsClaimNoMore(t *testing.T) {
	const inferred = `{"text":"The skip history lives in SQLite files.","trust":"inferred","quote":"x y z w","quote_verified":false,"last_verified":"2026-05-01T10:00:00Z","id":"r-00000000000c","first_seen":"2026-04-01T00:00:00Z","origin_session":"s0"}`
	verbatim := strings.Replace(strings.Replace(inferred, "inferred", "verbatim", 1), `"quote_verified":false`, `"quote_verified":true,"stated_by":"user"`, 1)
	proven := func(text string) string {
		return fmt.Sprintf(`{"text":%q,"trust":"verbatim","quote":"keep the skip history in SQLite","source_message_ids":["m-1"]}`, text)
	}
	plain := func(text string) string { return fmt.Sprintf(`{"text":%q,"trust":"inferred"}`, text) }
	for _, old := range []string{inferred, verbatim} {
		for _, tc := range []struct {
			name, item string
			id         bool // the stored id passes on
			n          int
		}{
			{"proven, same text", proven("The skip history lives in SQLite files."), true, 1},
			{"proven, reworded", proven("Skip history files: SQLite."), true, 1},
			{"proven, opposite", proven("The skip history no longer lives in SQLite files."), false, 2},
			{"proven, much more", proven("The skip history lives in SQLite and the importer reads every station twice nightly."), false, 2},
			{"unproven, same text", plain("The skip history lives in SQLite files."), true, 1},
			{"unproven, reworded", plain("Skip history files: SQLite."), true, 1},
			{"unproven, opposite", plain("The skip history no longer lives in SQLite files."), false, 2},
			{"another", plain("The exporter writes parquet."), false, 2},
		} {
			prev := inStore(t, old)
			c := piped(decision(t, tc.item), talk(), prev)
			r := Recompute(c, talk(), prev, opts)
			items := r.Doc.Items(doc.Lists[1])
			if len(r.Downgraded) != 0 || len(items) != tc.n || items[0].ID() == "r-00000000000c" != tc.id {
				t.Errorf("%s over %s: against %v, %s", tc.name, old[:60], r.Downgraded, r.Doc.Get(decisions).Raw)
			}
			if strings.HasPrefix(tc.name, "proven") && items[0].Quote() != "keep the skip history in SQLite" {
				t.Errorf("%s: the words are lost: %s", tc.name, items[0].Bytes())
			}
		}
	}
}

const beliefs = "epistemic_snapshot.strong_beliefs"

// A rule of the user is pinned once, said again or not, carried or not.
func TestRuleIsPinnedOnce(t *testing.T) {
	first := Recompute(decision(t, honest), talk(), nil, opts).Doc
	next := func(said ...string) *doc.Transcript {
		var msgs []doc.Message
		for i, text := range said {
			msgs = append(msgs, doc.Message{ID: fmt.Sprint("n-", i), Role: doc.User, Text: text})
		}
		h := talk().Header
		h.SessionID, h.End = "s3", "2026-05-03T10:00:00Z"
		return doc.NewTranscript(h, msgs)
	}
	pin := carry.Copy(first.Items(doc.Lists[2])[0], "s2")
	for _, tc := range []struct {
		name, said string
		want       []string // the pinned texts
	}{
		{"said again", "Never write a partial table for a station.", []string{"Never write a partial table for a station."}},
		{"said again with stress", "never write a partial table for a station!", []string{"never write a partial table for a station!"}},
		{"not said again", "Go on with the importer, thanks.", []string{"Never write a partial table for a station."}},
		{"another rule", "Always run the linter before you commit.", []string{"Always run the linter before you commit.", "Never write a partial table for a station."}},
		{"a rule within the rule", "Never write a partial table for a station or a region.", []string{"Never write a partial table for a station or a region."}},
	} {
		for _, direct := range []bool{false, true} {
			tr := next(tc.said)
			c := decision(t, "")
			if direct { // no stage before looked for rules
				c.SetItems(doc.Lists[2], []*doc.Entry{pin})
			} else {
				c = piped(c, tr, first)
			}
			r := Recompute(c, tr, first, opts)
			var got []string
			for _, e := range r.Doc.Items(doc.Lists[2]) {
				if e.True("pinned") {
					got = append(got, e.Text())
				}
			}
			if direct && tc.name == "said again with stress" { // the carried words are as good
				tc.want = []string{"Never write a partial table for a station."}
			}
			if direct && tc.name == "a rule within the rule" { // nobody paired them
				tc.want = append([]string{"Never write a partial table for a station."}, tc.want...)
			}
			if direct && tc.name == "another rule" {
				tc.want[0], tc.want[1] = tc.want[1], tc.want[0]
			}
			if fmt.Sprint(got) != fmt.Sprint(tc.want) || len(r.Downgraded) != 0 {
				t.Errorf("%s, direct %v: %q, against %v", tc.name, direct, got, r.Downgraded)
			}
		}
	}
}

// A session in which nothing is said keeps what it was handed, and so does its
// second capture.
func TestEverythingCarried(t *testing.T) {
	st := store.Open(t.TempDir())
	quiet := func(string, ...any) {}
	if _, err := Run(st, decision(t, honest), talk(), opts, quiet); err != nil {
		t.Fatal(err)
	}
	prev, _ := st.Latest(opts.Slug)
	h := talk().Header
	h.SessionID, h.End = "s3", "2026-05-03T10:00:00Z"
	for _, msgs := range [][]doc.Message{nil, {{ID: "n-1", Role: doc.User, Text: "ok"}}} {
		var bytes string
		for range 2 {
			tr := doc.NewTranscript(h, msgs)
			r, err := Run(st, piped(decision(t, ""), tr, prev), tr, opts, quiet)
			if err != nil || r.Carried != 2 || r.Items != 2 || len(r.Downgraded)+len(r.Dropped) != 0 {
				t.Fatalf("%+v, %v", r, err)
			}
			c, _ := st.Latest(opts.Slug)
			for _, path := range []string{decisions, beliefs} {
				want := carry.Copy(parsed([]byte(prev.Get(path+".0").Raw)), "s2")
				if got := c.Get(path + ".0").Raw; got != string(want.Bytes()) {
					t.Errorf("carried as %s\nwant %s", got, want.Bytes())
				}
			}
			if bytes != "" && bytes != string(c.Bytes()) {
				t.Errorf("captured again: %s\nwas %s", c.Bytes(), bytes)
			}
			bytes = string(c.Bytes())
		}
	}
}

// One session stamped far ahead must not make every later one look older.
func TestFutureStampsAreClamped(t *testing.T) {
	for end, want := range map[string]string{
		"2999-01-01T00:00:00Z": "2026-06-01T12:00:00Z", "2026-06-01T12:10:01Z": "2026-06-01T12:00:00Z",
		"2026-06-01T12:10:00Z": "2026-06-01T12:10:00Z", "2026-05-02T10:00:00Z": "2026-05-02T10:00:00Z",
	} {
		tr := talk()
		tr.End = end
		r := Recompute(decision(t, honest), tr, nil, opts)
		if e := first(r.Doc, decisions); r.Doc.Str("created") != want || e.Get("first_seen").Str != want || len(r.Downgraded) != 0 {
			t.Errorf("%s: %s", end, r.Doc.Bytes())
		}
	}
}
