package brief

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"daimon/lib/doc"
	"daimon/lib/score"
	"daimon/lib/view"
)

// staleAfter is how long a carried item may go unverified without a note.
const staleAfter = 7 * 24 * time.Hour

// The sections in print order.
const (
	verify = iota
	loops
	decisions
	topic
	beliefs
	doubts
	contradictions
	sections
)

func layout() []*Section {
	return []*Section{
		verify:         {Name: "verify", Title: "VERIFY BEFORE TRUSTING (may have changed since):"},
		loops:          {Name: "open_loops", Title: "Open loops:"},
		decisions:      {Name: "decisions", Title: "Decisions made:"},
		topic:          {Name: "topic", Title: "Active topic:", inline: true},
		beliefs:        {Name: "beliefs", Title: "Beliefs held:"},
		doubts:         {Name: "uncertainties", Title: "Was uncertain about:"},
		contradictions: {Name: "contradictions", Title: "Contradictions flagged:"},
	}
}

func sectionOf(l doc.List, e *doc.Entry) int {
	switch l.Kind {
	case "question":
		if e.True("external_state") {
			return verify
		}
		return loops
	case "decision":
		return decisions
	case "belief":
		return beliefs
	case "uncertainty":
		return doubts
	case "contradiction":
		return contradictions
	}
	return topic
}

// Collect takes from a checkpoint what may be shown, in print order.
func Collect(c *doc.Checkpoint, v *view.View, o Options) *Briefing {
	b := &Briefing{Sections: layout(), Withheld: map[view.Reason]int{}, Closed: v.Closed(), Notes: o.Notes, now: o.Now}
	if o.Claims {
		b.Notes = append([]string{unjudged}, o.Notes...)
	}
	if c == nil {
		return b
	}
	b.Session, b.Created = c.Str("session_id"), c.Str("created")
	if b.Closed != "" {
		return b
	}
	c.Clone().Walk(func(l doc.List, e *doc.Entry) bool {
		b.add(v, l, e, o.Claims)
		return true
	})
	for _, n := range []int{verify, loops, beliefs, doubts} {
		slices.SortStableFunc(b.Sections[n].Items, func(x, y *Item) int { return cmp.Compare(y.weight, x.weight) })
	}
	b.Sections[decisions].latest(MaxDecisions)
	return b
}

func (b *Briefing) add(v *view.View, l doc.List, e *doc.Entry, claims bool) {
	if strings.TrimSpace(view.Line(e.Text())) == "" {
		return
	}
	switch verdict := v.Classify(l, e).(type) {
	case view.Withheld:
		b.Withheld[verdict.Reason]++
	case view.Visible:
		if claims { // only now: an id tells what is to be withheld
			unlabel(verdict.Entry)
			verdict.SupersededBy = ""
		}
		if verdict.Entry.Has("carried_from") && b.stale(v, verdict.Entry) {
			b.Stale++
		}
		s := b.Sections[sectionOf(l, e)]
		s.Items = append(s.Items, &Item{Visible: verdict, List: l, weight: score.Weight(l.Kind, verdict.Entry, b.now)})
	}
}

// stale looks at the newest stamp: last verified, last event, first seen.
func (b *Briefing) stale(v *view.View, e *doc.Entry) bool {
	var newest time.Time
	for _, s := range []string{e.Str("last_verified"), e.Str("first_seen"), v.Touched(e.ID())} {
		if t, ok := score.ParseStamp(s); ok && t.After(newest) {
			newest = t
		}
	}
	return !newest.IsZero() && b.now.Sub(newest) > staleAfter
}

// latest keeps the last n items: this session's own before carried ones, so
// that what was just decided is never crowded out. Carried ones, being older,
// stand first.
func (s *Section) latest(n int) {
	var own, carried []*Item
	for _, it := range s.Items {
		if it.Entry.Has("carried_from") {
			carried = append(carried, it)
		} else {
			own = append(own, it)
		}
	}
	all := len(s.Items)
	own = own[max(0, len(own)-n):]
	carried = carried[max(0, len(carried)-(n-len(own))):]
	s.Items = append(slices.Clone(carried), own...)
	s.LeftOut = all - len(s.Items)
}
