package admit

import (
	"sync"

	"github.com/tidwall/gjson"

	"daimon/lib/carry"
	"daimon/lib/doc"
)

// partition sorts the candidate's items by how far they are to be trusted. Each
// stored item vouches for one candidate item at most.
func (r *run) partition() []*slot {
	var slots []*slot
	if t := r.doc.Topic(); t != nil {
		slots = append(slots, &slot{list: doc.Topic, item: t, claim: t.Clone()})
	}
	for _, l := range doc.Lists {
		var mine []*slot
		for _, e := range r.doc.Items(l) {
			if e.Get("text").Type == gjson.String { // else it is no item
				mine = append(mine, r.sort(l, e))
			}
		}
		r.vouch(mine)
		slots = append(slots, mine...)
	}
	return slots
}

// normalise clamps what is out of range in all but carried items, and takes from
// each what it may not say of itself.
func (r *run) normalise() {
	r.fill()
	doc.Normalise(r.doc)
	items := itemsOf(r.doc)
	for _, s := range r.slots {
		rest := items[s.list.Key]
		if items[s.list.Key] = rest[1:]; s.kind != carried {
			s.item = rest[0]
			s.settle()
		}
	}
}

// sort makes a slot, carried if the item is a stored one byte for byte, else
// fresh.
func (r *run) sort(l doc.List, e *doc.Entry) *slot {
	s := &slot{list: l, item: e, claim: e.Clone()}
	for _, o := range r.stored[l.Key] {
		if !o.used && o.is(e) {
			s.kind = carried
			r.take(s, o)
			break
		}
	}
	return s
}

// take lets a stored item stand for s, and for no other. An earlier capture of
// the session may hold the same item once more.
func (r *run) take(s *slot, o *old) {
	s.stored = o.Entry
	for _, other := range r.stored[s.list.Key] {
		other.used = other.used || other == o || other.ID() != "" && other.ID() == o.ID()
	}
}

// vouch lets stored items stand for fresh ones that claim their id: whole with
// its evidence when the words are frozen, else with identity only when they make
// the same statement.
func (r *run) vouch(slots []*slot) {
	for _, s := range slots {
		id := s.item.ID()
		if s.kind == carried || id == "" {
			continue
		}
		for _, o := range r.stored[s.list.Key] {
			if o.used || o.ID() != id {
				continue
			}
			if carry.Frozen(s.item, o.Entry) {
				s.kind = twin
			} else if s.item.Text() != o.Text() && !carry.Restates(s.item.Text(), o.Text()) {
				continue
			}
			r.take(s, o)
			break
		}
	}
}

// settle removes what the item may not say of itself. A twin takes the code's
// fields from the stored item it stands for.
func (s *slot) settle() {
	switch s.kind {
	case twin:
		s.item = bare(s.item)
		for f := range codeFields() {
			if s.stored.Has(f) {
				s.item.CopyField(s.stored, f)
			}
		}
	case fresh:
		s.prepare()
	}
}

// codeFields are the fields of an item that code owns.
var codeFields = sync.OnceValue(func() map[string]bool {
	names := map[string]bool{}
	for _, f := range doc.ItemFields {
		if f.Owner == doc.Code {
			names[f.Name] = true
		}
	}
	return names
})

// bare is an item without the code's fields.
func bare(e *doc.Entry) *doc.Entry {
	return rebuild(e, func(key string, v gjson.Result) []byte {
		if codeFields()[key] {
			return nil
		}
		return []byte(v.Raw)
	})
}
