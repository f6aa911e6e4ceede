// Package admit is the last gate: it recomputes every judgement a candidate
// claims, masks secrets, keeps forgotten values out, stamps what is code's to
// say, and writes the checkpoint. Nothing a candidate holds can raise its trust.
package admit

import (
	"bytes"
	"slices"
	"time"

	"daimon/lib/canon"
	"daimon/lib/carry"
	"daimon/lib/doc"
	"daimon/lib/life"
	"daimon/lib/receipt"
)

// The checks a judgement can come from, and the reasons that are ours. Other
// reasons are the gates' codes.
const (
	CheckQuote   = "quote"
	CheckOutcome = "outcome"
	CheckClaim   = "claim"

	ClaimedMore = "claimed-more" // a code-owned field that recomputation does not bear out
	Upstream    = "lowered-upstream"
	Forgotten   = "forgotten"
	Scrubbed    = "forgotten-field" // only a field of the item was
)

// Options are what recomputation needs besides the documents.
type Options struct {
	Slug   string // bucket of the project
	Root   string // its folder, which the bucket is kept for; may be blank
	Name   string // what a person calls it
	Author string
	Now    time.Time   // stands in for a session end that the transcript lacks
	Life   *life.State // nil: nothing was ever resolved or forgotten
	// Before is the checkpoint of the session before this one, where the stored
	// latest is an earlier capture of this very session.
	Before *doc.Checkpoint
}

// Result is a document fit to be written, and what it took.
type Result struct {
	Doc        *doc.Checkpoint
	Items      int // in the lists
	Carried    int
	Downgraded []receipt.Downgrade
	Dropped    []receipt.Drop
	Supersedes []Supersede
}

// Supersede says that an item of the stored latest seems replaced by a new one.
type Supersede struct{ OldID, NewID, OldText string }

// Recompute judges a valid candidate (see [doc.Validate]) against its transcript
// and the project's stored latest checkpoint, nil when there is none. An item that
// stands there byte for byte is carried and kept as it is; one that stands for a
// stored verbatim item word for word keeps that item's evidence; every other is
// judged from nothing. It reads no file, no clock and no environment; c is not
// changed.
func Recompute(c *doc.Checkpoint, t *doc.Transcript, prev *doc.Checkpoint, o Options) *Result {
	r := &run{
		t: t, o: o, doc: c.Clone(), res: &Result{}, claimed: c,
		stored: map[string][]*old{}, seen: map[string]string{},
	}
	r.remember(prev)
	r.remember(o.Before)
	r.slots = r.partition()
	r.normalise()
	r.dropHeader()
	r.judge()
	r.redact()
	r.forget()
	r.identify()
	r.fill()
	r.stamp()
	r.tellClaims()
	r.suggest()
	r.res.Doc = r.doc
	return r.res
}

// run is one recomputation. The steps of [Recompute] work on slots; doc holds
// the rest of the document.
type run struct {
	t        *doc.Transcript
	o        Options
	claimed  *doc.Checkpoint   // as it came in
	header   map[string]string // what claimed says of itself: the raw values by field
	doc      *doc.Checkpoint
	stored   map[string][]*old // items of the store, by list key, latest first
	seen     map[string]string // when each stored text was first seen
	slots    []*slot
	redacted map[string]int
	res      *Result
}

// kind says how far an item is to be trusted.
type kind int

const (
	fresh   kind = iota // judged from nothing
	twin                // a stored verbatim item, restated
	carried             // a stored item, byte for byte
)

// slot is one item on its way through.
type slot struct {
	list    doc.List
	kind    kind
	item    *doc.Entry
	claim   *doc.Entry // as it came in; nil for one that code added
	stored  *doc.Entry // the item of the stored latest that it stands for, if any
	lied    bool       // some claim was false
	against []receipt.Downgrade
}

func (s *slot) blame(check, reason string) {
	s.against = append(s.against, receipt.Downgrade{Check: check, Reason: reason})
}

// old is an item of the store.
type old struct {
	*doc.Entry
	session string // of the checkpoint it stands in
	used    bool   // vouches for an item of the candidate
}

// is tells whether e is the item as it stands when carried.
func (o *old) is(e *doc.Entry) bool {
	return o.Text() == e.Text() && bytes.Equal(carry.Copy(o.Entry, o.session).Bytes(), e.Bytes())
}

// remember takes in a stored checkpoint, nil for none.
func (r *run) remember(prev *doc.Checkpoint) {
	if prev == nil {
		return
	}
	session := prev.Str("session_id")
	items := itemsOf(prev)
	for _, l := range append([]doc.List{doc.Topic}, doc.Lists...) {
		for _, e := range items[l.Key] {
			r.stored[l.Key] = append(r.stored[l.Key], &old{Entry: e, session: session})
			if _, ok := r.seen[e.Text()]; !ok && e.Text() != "" {
				r.seen[e.Text()] = code(e.Str("first_seen"), prev.Str("created"))
			}
		}
	}
}

// fill puts the slots back into the document.
func (r *run) fill() {
	var topic *doc.Entry
	lists := map[string][]*doc.Entry{}
	for _, s := range r.slots {
		if s.list == doc.Topic {
			topic = s.item
			continue
		}
		lists[s.list.Key] = append(lists[s.list.Key], s.item)
	}
	r.doc.SetTopic(topic)
	for _, l := range doc.Lists {
		if items := lists[l.Key]; len(items) > 0 || r.doc.Get(l.Path()).Exists() {
			r.doc.SetItems(l, items)
		}
	}
}

// tellClaims writes down the judgements against each item under the id it ended
// up with, and one against the document if it lied about itself.
func (r *run) tellClaims() {
	for _, s := range r.slots {
		if s.lied {
			s.blame(CheckClaim, ClaimedMore)
		}
		for _, d := range s.against {
			d.ID = s.item.ID()
			r.res.Downgraded = append(r.res.Downgraded, d)
		}
		if s.list != doc.Topic {
			r.res.Items++
		}
		if s.kind == carried {
			r.res.Carried++
		}
	}
	if r.headerLied() {
		r.res.Downgraded = append(r.res.Downgraded, receipt.Downgrade{Check: CheckClaim, Reason: ClaimedMore})
	}
}

// suggest finds the stored items that new ones say they replace: items of the same
// list that the new one's verified words are about. Closed ones and ones somebody
// has spoken about are left alone, and so is everything forgotten.
func (r *run) suggest() {
	for _, s := range r.slots {
		id := s.item.ID()
		if s.kind != fresh || id == "" || !carry.Proven(s.item) {
			continue
		}
		for _, l := range s.item.Links() {
			target := r.storedByID(s.list, l.Target)
			if l.Type == "supersedes" && target != nil && l.Target != id && r.maySuggest(l.Target, id, target.Text()) &&
				carry.Related(s.item, target, r.all(s.list)) {
				r.tellOnce(Supersede{l.Target, id, target.Text()})
			}
		}
	}
}

func (r *run) tellOnce(s Supersede) {
	if !slices.Contains(r.res.Supersedes, s) {
		r.res.Supersedes = append(r.res.Supersedes, s)
	}
}

// all are the items of a list, the stored ones and the candidate's.
func (r *run) all(l doc.List) []*doc.Entry {
	var out []*doc.Entry
	for _, o := range r.stored[l.Key] {
		out = append(out, o.Entry)
	}
	for _, s := range r.slots {
		if s.list == l {
			out = append(out, s.item)
		}
	}
	return out
}

func (r *run) storedByID(l doc.List, id string) *doc.Entry {
	if !canon.IsID(id) {
		return nil
	}
	if i := slices.IndexFunc(r.stored[l.Key], func(e *old) bool { return e.ID() == id }); i >= 0 {
		return r.stored[l.Key][i].Entry
	}
	return nil
}

func (r *run) maySuggest(oldID, newID, oldText string) bool {
	if r.o.Life == nil {
		return true
	}
	e, spoken := r.o.Life.Latest(oldID)
	switch {
	case r.o.Life.IsForgotten(oldText), spoken && e.Source != "serializer":
		return false
	}
	return r.o.Life.SupersedeCandidate(oldID) != newID
}
