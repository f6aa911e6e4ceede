// Package carry takes over open items from a project's previous checkpoint, so
// that a question nobody answered is still there in the next session.
package carry

import (
	"slices"
	"time"

	"daimon/lib/doc"
	"daimon/lib/score"
)

// The defaults of the settings.
const (
	DefaultFloor = 0.05
	DefaultMax   = 8
)

// Options are what a merge needs to know besides the two documents.
type Options struct {
	Now       time.Time              // ages items, unless the new document has a created that is not ahead of it
	Floor     float64                // an item of less weight fades; 0 keeps all
	Max       int                    // carried items per list; below 1 means DefaultMax
	Resolved  func(id string) bool   // the item was closed; nil: none was
	Forgotten func(text string) bool // the text was forgotten; nil: none was
}

// Superseded is a previous item that a fresh one replaced, with a verified quote.
type Superseded struct {
	List    string // key of the list both stand in
	OldID   string
	NewText string
}

// Report counts what a merge did to the previous items.
type Report struct {
	Carried    int // appended
	Twins      int // said again: a fresh item took over the identity
	Faded      int // below the floor
	Cut        int // beyond Max
	Closed     int // resolved or forgotten
	Repeated   int // the same item as one already carried
	Bound      int // links of fresh items that got an id for their target
	Superseded []Superseded
}

// Merge adds to c the open items of prev: exact copies, after the fresh items,
// heaviest first. An item that c says anew is no copy but passes its identity on;
// a verbatim one keeps its words against an unproven rewording. A document older
// than prev is left alone, and so is a list that is missing or was merged with
// prev before: merging twice equals once. Where nothing is to be done c keeps its
// bytes.
//
// This departs from the reference where that let old words displace new ones. A
// fresh item with a verified quote keeps its own words. Two texts of which only
// one denies, ends or replaces something are never the same item. Identity passes
// only between wordings of one statement (see [Restates]), and never from what
// the user said to what another did. A link displaces at most one item, of the
// same subject and never a rule or belief of the user. Proven items of prev are
// not merged with each other. In doubt both stand.
func Merge(c, prev *doc.Checkpoint, o Options) Report {
	var r Report
	if c == nil || prev == nil {
		return r
	}
	created, dated := stamp(c, o.Now)
	if before, ok := stamp(prev, o.Now); ok && dated && created.Before(before) {
		return r
	}
	if dated {
		o.Now = created
	}
	if o.Max < 1 {
		o.Max = DefaultMax
	}
	for _, l := range doc.Lists {
		if c.Get(l.Path()).IsArray() {
			mergeList(c, prev, l, o, &r)
		}
	}
	return r
}

// stamp is when a document was created. One that lies in the future says nothing.
func stamp(c *doc.Checkpoint, now time.Time) (time.Time, bool) {
	if s := c.Str("created"); !score.Future(s, now) {
		return score.ParseStamp(s)
	}
	return time.Time{}, false
}

// goesOn tells whether an item is taken over: every one of the lists that carry,
// and of the beliefs the rules and positions in the user's own verified words,
// which hold until they fade or are forgotten.
func goesOn(l doc.List, e *doc.Entry) bool {
	return l.Carries || l.Kind == "belief" && e.Trust() == doc.Verbatim && e.True("quote_verified") && e.Str("stated_by") == doc.User
}

func mergeList(c, prev *doc.Checkpoint, l doc.List, o Options, r *Report) {
	m := newMerge(c.Items(l), previous(prev, l), l, o, r)
	if m.session = prev.Str("session_id"); len(m.old) == 0 || m.done() {
		return
	}
	before := snapshot(m.fresh)
	m.restate()
	for _, p := range m.old {
		m.settle(p)
	}
	m.bind()
	carried := m.heaviest()
	if len(carried) == 0 && slices.EqualFunc(before, m.fresh, func(b string, f *item) bool { return b == string(f.Bytes()) }) {
		return
	}
	items := make([]*doc.Entry, 0, len(m.fresh)+len(carried))
	for _, f := range m.fresh {
		items = append(items, f.Entry)
	}
	c.SetItems(l, append(items, carried...))
}

func snapshot(items []*item) []string {
	out := make([]string, len(items))
	for i, it := range items {
		out[i] = string(it.Bytes())
	}
	return out
}

// Copy is a previous item as it stands when carried: the same bytes, without a
// failed quote_verified, and with the session it was first carried from.
func Copy(e *doc.Entry, session string) *doc.Entry {
	c := e.Clone()
	if c.False("quote_verified") {
		c.Delete("quote_verified")
	}
	if !c.Has("carried_from") && session != "" {
		c.Set("carried_from", session)
	}
	return c
}
