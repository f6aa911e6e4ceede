package carry

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"daimon/lib/canon"
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

// target is what a supersession link names.
type target struct {
	at   int     // place among the links
	byID bool    // by id, not in words
	hits []*item // previous items of the list
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

// targets reads the supersession links of a fresh item; malformed ones are
// passed over.
func (m *merge) targets(e *doc.Entry) []target {
	links := e.Get("links")
	if !links.IsArray() {
		return nil
	}
	var out []target
	for i, link := range links.Array() {
		words := link.Get("target").Str
		if link.Get("type").Str == "supersedes" && strings.TrimSpace(words) != "" {
			out = append(out, target{i, canon.IsID(words), m.named(words)})
		}
	}
	return out
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
	twin(f.Entry, p.Entry)
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
	case slices.ContainsFunc(m.carried, func(q *item) bool { return q.text == p.text || same(q.gist, p.gist, m.generic) }):
		m.r.Repeated++
	default:
		m.carried = append(m.carried, p)
	}
}

// twinOf is the first fresh item that says p again and does not reverse it.
func (m *merge) twinOf(p *item) *item {
	for _, f := range m.fresh {
		if f.text == p.text || same(f.gist, p.gist, m.generic) && !(f.proven && f.aims(p)) {
			return f
		}
	}
	return nil
}

// aims tells whether a link of f may mean p.
func (f *item) aims(p *item) bool {
	return slices.ContainsFunc(f.links, func(t target) bool { return slices.Contains(t.hits, p) })
}

// superseded tells whether a fresh item with a verified quote replaces p and
// nothing else. A claim without one never displaces anything, nor does one that
// could mean several.
func (m *merge) superseded(p *item) bool {
	for _, f := range m.fresh {
		if !f.proven || f.ID() != "" && f.ID() == p.ID() {
			continue
		}
		if slices.ContainsFunc(f.links, func(t target) bool { return len(t.hits) == 1 && t.hits[0] == p }) {
			m.r.Superseded = append(m.r.Superseded, Superseded{m.list.Key, p.ID(), f.Text()})
			return true
		}
	}
	return false
}

// named are the previous items of this list that a link target means: the one
// with that id, else those that the words describe.
func (m *merge) named(target string) []*item {
	find := func(is func(*item) bool) (out []*item) {
		for _, p := range m.old {
			if is(p) {
				out = append(out, p)
			}
		}
		return out
	}
	if canon.IsID(target) {
		return find(func(p *item) bool { return p.ID() == target })
	}
	if hit := find(func(p *item) bool { return p.text == target }); len(hit) > 0 {
		return hit[:1]
	}
	g := read(target)
	if hit := find(func(p *item) bool { return same(g, p.gist, m.generic) }); len(hit) > 0 {
		return hit
	}
	return find(func(p *item) bool { return sameWords(g, p.gist) })
}

// bind turns the words of a link into the id of the one previous item they name.
// Several, or the item's own inherited id, leave the words.
func (m *merge) bind() {
	for _, f := range m.fresh {
		for _, t := range f.links {
			if t.byID || len(t.hits) != 1 || t.hits[0].ID() == "" || t.hits[0].ID() == f.ID() {
				continue
			}
			f.Set("links."+strconv.Itoa(t.at)+".target", t.hits[0].ID())
			m.r.Bound++
		}
	}
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
