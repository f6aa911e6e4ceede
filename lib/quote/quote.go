// Package quote judges the quotes of a candidate checkpoint against the
// transcript. A verbatim item whose words are not there, or are another
// speaker's, becomes an inferred one. Nothing here ever raises trust.
package quote

import (
	"strings"

	"daimon/lib/doc"
)

// Report is what a run of [Verify] did.
type Report struct {
	Items       int // all items, the topic and added pins included
	Verified    int // verbatim items whose quote was found
	Pinned      int // rules of the user that stand as pinned beliefs
	PinsDropped int // rules beyond the most that are pinned
	Rebound     int // items whose wrong citation was corrected
	Downgraded  []Downgrade
}

// Downgrade is one item that lost its label.
type Downgrade struct {
	List   doc.List
	Index  int // in the list
	Reason string
}

// Reasons for a downgrade.
const (
	NotFound     = "quote-not-in-transcript"
	EchoOnly     = "echo-only"     // a cited message held only Daimon's own words
	WrongSpeaker = "wrong-speaker" // only somebody else said it, or nobody: a tool printed it
)

// place is one item and where it stands.
type place struct {
	list  doc.List
	index int
	e     *doc.Entry
}

// work is one run.
type work struct {
	x      *index
	at     string
	places []place
	report Report
}

// Verify checks the cited ids of every item, judges each verbatim quote, and pins
// the rules the user stated that no verified quote covers. c must have been stripped and validated. at
// stamps last_verified; "" leaves it out. Running it again changes nothing.
func Verify(c *doc.Checkpoint, t *doc.Transcript, at string) Report {
	w := &work{x: newIndex(t), at: at}
	lists := w.load(c)
	for _, p := range w.places {
		checkSources(p.e, t)
	}
	w.judge(w.places)
	if l, ok := doc.ListByKey(beliefsField); ok && c.Get(l.Section).IsObject() {
		from := len(w.places)
		for _, e := range w.pin() {
			w.places = append(w.places, place{l, len(lists[l]), e})
			lists[l] = append(lists[l], e)
		}
		w.judge(w.places[from:])
		for _, p := range w.places[from:] {
			p.e.Set(pinnedField, true)
		}
	}
	for _, p := range w.places {
		dropUnstated(p.e, t)
	}
	w.store(c, lists)
	w.report.Items = len(w.places)
	return w.report
}

func (w *work) load(c *doc.Checkpoint) map[doc.List][]*doc.Entry {
	lists := map[doc.List][]*doc.Entry{}
	if e := c.Topic(); e != nil {
		lists[doc.Topic] = []*doc.Entry{e}
		w.places = append(w.places, place{doc.Topic, 0, e})
	}
	for _, l := range doc.Lists {
		lists[l] = c.Items(l)
		for i, e := range lists[l] {
			w.places = append(w.places, place{l, i, e})
		}
	}
	return lists
}

func (w *work) store(c *doc.Checkpoint, lists map[doc.List][]*doc.Entry) {
	if e := lists[doc.Topic]; e != nil {
		c.SetTopic(e[0])
	}
	for _, l := range doc.Lists {
		if len(lists[l]) > 0 {
			c.SetItems(l, lists[l])
		}
	}
}

// judge gives each verbatim item its verdict: first by the messages it cites,
// then, for what is left, by one scan of the whole transcript.
func (w *work) judge(places []place) {
	var open []*claim
	for _, p := range places {
		switch {
		case p.e.Trust() == doc.Verbatim:
			k := w.newClaim(p)
			if !k.byCitation() {
				open = append(open, k)
				continue
			}
			w.settle(k)
		case p.e.Trust() == doc.Inferred && p.e.False(verifiedField):
			restamp(p.e, w.x.t)
		}
	}
	needles := make([]needle, len(open))
	for i, k := range open {
		needles[i] = k.n
	}
	for i, near := range w.x.scan(needles) {
		open[i].byScan(near)
		w.settle(open[i])
	}
}

func (w *work) settle(k *claim) {
	if k.reason == "" {
		w.report.Verified++
		if k.rebound {
			w.report.Rebound++
		}
		k.accept(w.at)
		return
	}
	w.report.Downgraded = append(w.report.Downgraded, Downgrade{k.list, k.index, k.reason})
	k.refuse()
}

func (w *work) newClaim(p place) *claim {
	k := &claim{place: p, x: w.x}
	if q := p.e.Quote(); strings.TrimSpace(q) != "" {
		k.n = newNeedle(q)
	}
	for _, id := range p.e.Strs(idsField) {
		if i := w.x.t.Index(id); i >= 0 {
			k.cited = append(k.cited, i)
		}
	}
	return k
}
