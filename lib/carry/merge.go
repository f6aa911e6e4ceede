package carry

import (
	"cmp"
	"slices"
	"strings"

	"daimon/lib/doc"
	"daimon/lib/score"
)

// item is an entry with what its text is about.
type item struct {
	*doc.Entry
	gist
	proven bool     // its quote was verified before anything was taken over
	taken  bool     // it is the twin of a previous item, or has a fresh one
	links  []target // its supersession links
}

// merge is the work on one list.
type merge struct {
	list    doc.List
	o       Options
	r       *Report
	session string
	fresh   []*item
	old     []*item
	generic map[string]bool
	carried []*item
}

// previous are the items of a list that can be carried: objects with a text.
func previous(prev *doc.Checkpoint, l doc.List) []*doc.Entry {
	var out []*doc.Entry
	for _, v := range prev.Get(l.Path()).Array() {
		if !v.IsObject() {
			continue
		}
		if e, err := doc.ParseEntry([]byte(v.Raw)); err == nil && goesOn(l, e) && strings.TrimSpace(e.Text()) != "" {
			out = append(out, e)
		}
	}
	return out
}

func newMerge(fresh, old []*doc.Entry, l doc.List, o Options, r *Report) *merge {
	m := &merge{list: l, o: o, r: r}
	var texts []gist
	for _, e := range fresh {
		m.fresh = append(m.fresh, &item{Entry: e, gist: read(e.Text()), proven: proven(e)})
		texts = append(texts, m.fresh[len(m.fresh)-1].gist)
	}
	for _, e := range old {
		m.old = append(m.old, &item{Entry: e, gist: read(e.Text())})
		texts = append(texts, m.old[len(m.old)-1].gist)
	}
	if len(old) == 0 {
		return m
	}
	m.generic = genericTerms(texts)
	for _, f := range m.fresh {
		f.links = m.targets(f.Entry)
	}
	return m
}

// done tells whether the list was merged with the same previous one before: it
// holds a copy, or the identity, of one of its items.
func (m *merge) done() bool {
	for _, p := range m.old {
		id, copied := p.ID(), string(Copy(p.Entry, m.session).Bytes())
		for _, f := range m.fresh {
			if id != "" && f.ID() == id || string(f.Bytes()) == copied {
				return true
			}
		}
	}
	return false
}

// restate pairs each previous item with the fresh one of the same text, so that
// no mere rewording takes its place.
func (m *merge) restate() {
	for _, p := range m.old {
		i := slices.IndexFunc(m.fresh, func(f *item) bool { return f.text == p.text && !f.taken })
		if i >= 0 && !m.forgotten(p) {
			m.pair(m.fresh[i], p)
		}
	}
}

func (m *merge) pair(f, p *item) {
	f.taken, p.taken = true, true
	m.r.Twins++
	if p.Trust() == doc.Verbatim && !(f.proven && f.speaksFor(p)) {
		freeze(f.Entry, p.Entry)
	}
	identify(f.Entry, p.Entry)
	f.gist = read(f.Text())
}

func (m *merge) forgotten(p *item) bool { return m.o.Forgotten != nil && m.o.Forgotten(p.text) }

// settle decides what becomes of one previous item.
func (m *merge) settle(p *item) {
	if p.taken {
		return
	}
	switch f := m.twinOf(p); {
	case m.forgotten(p):
		m.r.Closed++
	case f != nil && f.taken:
		m.r.Repeated++
	case f != nil:
		m.pair(f, p)
	case m.o.Resolved != nil && p.ID() != "" && m.o.Resolved(p.ID()):
		m.r.Closed++
	case m.superseded(p):
	case score.Weight(m.list.Kind, p.Entry, m.o.Now) < m.o.Floor:
		m.r.Faded++
	case slices.ContainsFunc(m.carried, p.repeats):
		m.r.Repeated++
	default:
		m.carried = append(m.carried, p)
	}
}

// twinOf is the first fresh item that says p again.
func (m *merge) twinOf(p *item) *item {
	i := slices.IndexFunc(m.fresh, func(f *item) bool { return m.again(f, p) })
	if i < 0 {
		return nil
	}
	return m.fresh[i]
}

// again tells whether f says p again. A verbatim p stands, word for word, for an
// unproven f about the same thing. Otherwise f stands for p under its own words,
// so it must make the same statement with no less authority, and not reverse it.
func (m *merge) again(f, p *item) bool {
	switch {
	case f.text == p.text:
		return true
	case !same(f.gist, p.gist, m.generic) || f.proven && f.aims(p):
		return false
	case p.Trust() == doc.Verbatim && !f.proven && !f.taken:
		return true
	}
	return restates(f.gist, p.gist) && f.speaksFor(p)
}

// speaksFor tells whether f has the authority of p: what the user said gives way
// to the user alone, and a rule to a rule.
func (f *item) speaksFor(p *item) bool {
	return (p.Str("stated_by") != doc.User || f.Str("stated_by") == doc.User) && (!p.True("pinned") || f.True("pinned"))
}

// repeats tells whether p adds nothing to a carried q. Words that were proven go
// on beside any others.
func (p *item) repeats(q *item) bool {
	return p.text == q.text || !proven(p.Entry) && restates(p.gist, q.gist)
}

// heaviest are the copies to append: at most Max, by weight.
func (m *merge) heaviest() []*doc.Entry {
	weight := func(p *item) float64 { return score.Weight(m.list.Kind, p.Entry, m.o.Now) }
	slices.SortStableFunc(m.carried, func(a, b *item) int { return cmp.Compare(weight(b), weight(a)) })
	if len(m.carried) > m.o.Max {
		m.r.Cut += len(m.carried) - m.o.Max
		m.carried = m.carried[:m.o.Max]
	}
	m.r.Carried += len(m.carried)
	var out []*doc.Entry
	for _, p := range m.carried {
		out = append(out, Copy(p.Entry, m.session))
	}
	return out
}
