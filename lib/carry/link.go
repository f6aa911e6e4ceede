package carry

import (
	"slices"
	"strconv"
	"strings"

	"daimon/lib/canon"
	"daimon/lib/doc"
	"daimon/lib/salient"
)

// target is what a supersession link names.
type target struct {
	at   int     // place among the links
	byID bool    // by id, not in words
	hits []*item // previous items of the list
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

// aims tells whether a link of f may mean p.
func (f *item) aims(p *item) bool {
	return slices.ContainsFunc(f.links, func(t target) bool { return slices.Contains(t.hits, p) })
}

// superseded tells whether a fresh item replaces p.
func (m *merge) superseded(p *item) bool {
	for _, f := range m.fresh {
		if m.displaced(f) == p {
			m.r.Superseded = append(m.r.Superseded, Superseded{m.list.Key, p.ID(), f.Text()})
			return true
		}
	}
	return false
}

// displaced is the one previous item that f replaces: the first that a link means
// and no other, and that f's words are about. Without a verified quote there is
// none, and the user's own rules and beliefs give way to no machine.
func (m *merge) displaced(f *item) *item {
	if !f.proven || m.list.Kind == "belief" {
		return nil
	}
	for _, t := range f.links {
		if len(t.hits) != 1 {
			continue
		}
		p := t.hits[0]
		if !p.True("pinned") && (f.ID() == "" || f.ID() != p.ID()) && related(f.Entry, p.gist, m.generic) {
			return p
		}
	}
	return nil
}

// Related tells whether the words of an item, or its quote, are about the target
// of a link: they share a content word that not many of the list hold, or several
// of any kind, or the quote holds the target whole.
func Related(e, target *doc.Entry, list []*doc.Entry) bool {
	var texts []gist
	for _, other := range list {
		texts = append(texts, read(other.Text()))
	}
	return related(e, read(target.Text()), genericTerms(texts))
}

func related(e *doc.Entry, target gist, generic map[string]bool) bool {
	own := salient.Terms(e.Text() + "\n" + e.Quote()) // in one: a text of one word has none
	return shared(without(target.terms, generic), own) > 0 || shared(target.terms, salient.Terms(e.Quote())) >= sharedEnough ||
		holds(canon.Text(e.Quote()), canon.Text(target.text))
}

// holds tells whether whole words of s are the words of part.
func holds(s, part string) bool { return part != "" && strings.Contains(" "+s+" ", " "+part+" ") }

// named are the previous items of this list that a link target means: the one
// with that id, else those that the words describe. They may well be the words
// that end it, so which way they point does not matter.
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
	if hit := find(func(p *item) bool { return about(g, p.gist, m.generic) }); len(hit) > 0 {
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
