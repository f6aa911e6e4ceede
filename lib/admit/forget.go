package admit

import (
	"github.com/tidwall/gjson"

	"daimon/lib/canon"
	"daimon/lib/doc"
	"daimon/lib/receipt"
	"daimon/lib/redact"
)

// redact masks every string of the document and of the items.
func (r *run) redact() {
	r.fill()
	r.redacted = redact.Document(r.doc)
	if r.redacted == nil {
		return
	}
	items := itemsOf(r.doc)
	for _, s := range r.slots {
		rest := items[s.list.Key]
		s.item, items[s.list.Key] = rest[0], rest[1:]
	}
}

// itemsOf is every item by list key, the topic under its own.
func itemsOf(c *doc.Checkpoint) map[string][]*doc.Entry {
	out := map[string][]*doc.Entry{}
	if t := c.Topic(); t != nil {
		out[doc.Topic.Key] = []*doc.Entry{t}
	}
	for _, l := range doc.Lists {
		out[l.Key] = c.Items(l)
	}
	return out
}

// forget keeps forgotten values out: an item whose text is one goes, any other
// string that is one goes from the item it stands in. It runs on masked text,
// since that is what the tombstones were keyed on.
func (r *run) forget() {
	if r.o.Life == nil || len(r.o.Life.Forgotten()) == 0 {
		return
	}
	kept := r.slots[:0]
	for _, s := range r.slots {
		if text := s.item.Text(); r.gone(text) {
			r.drop(text, Forgotten)
			continue
		}
		if s.stored != nil && r.o.Life.ForgottenID(s.stored.ID()) {
			r.drop(s.item.Text(), Forgotten)
			continue
		}
		r.scrubItem(s)
		kept = append(kept, s)
	}
	r.slots = kept
	r.scrubRest()
}

func (r *run) gone(text string) bool { return r.o.Life.IsForgotten(text) }

func (r *run) drop(text, reason string) {
	r.res.Dropped = append(r.res.Dropped, receipt.Drop{Key: canon.Key(text), Reason: reason})
}

// receipts are the fields that stand and fall with the quote.
var receipts = []string{"quote_provenance", "quote_verified", "quote_echo_only", "last_verified", "source_message_ids", "stated_by", "pinned"}

func (r *run) scrubItem(s *slot) {
	e := s.item
	if q := e.Quote(); r.gone(q) {
		r.drop(q, Scrubbed)
		e.Delete("quote")
		e.Delete(receipts...)
		e.Set("trust", doc.Inferred)
	}
	r.scrubLinks(e)
	s.item = rebuild(e, func(key string, v gjson.Result) []byte {
		switch {
		case key == "text", key == "trust", key == "quote", key == "links", scalarCode(key):
			return []byte(v.Raw)
		case r.gone(key):
			r.drop(key, Scrubbed)
			return nil
		}
		return r.scrub(v)
	})
}

// rebuild makes an item of another's fields as fn gives them, in order; nil
// leaves one out. Field names may be anything, so no path syntax is used.
func rebuild(e *doc.Entry, fn func(key string, v gjson.Result) []byte) *doc.Entry {
	b := []byte{'{'}
	gjson.ParseBytes(e.Bytes()).ForEach(func(k, v gjson.Result) bool {
		if val := fn(k.Str, v); val != nil {
			b = appendField(b, k.Str, val)
		}
		return true
	})
	return parsed(append(b, '}'))
}

func appendField(b []byte, key string, val []byte) []byte {
	if len(b) > 1 {
		b = append(b, ',')
	}
	return append(append(doc.AppendString(b, key), ':'), val...)
}

func parsed(b []byte) *doc.Entry {
	e, err := doc.ParseEntry(b)
	if err != nil {
		panic("admit: an item broke: " + err.Error())
	}
	return e
}

// scalarCode tells whether a field holds an id, a stamp or a flag of ours.
func scalarCode(name string) bool {
	for _, f := range doc.ItemFields {
		if f.Name == name {
			return f.Owner == doc.Code && f.Type != doc.Any
		}
	}
	return false
}

// scrubLinks takes out each link whose target was forgotten, by words or by id.
func (r *run) scrubLinks(e *doc.Entry) {
	v := e.Get("links")
	if !v.IsArray() {
		return
	}
	out, n, cut := []byte{'['}, 0, false
	v.ForEach(func(_, l gjson.Result) bool {
		target := l.Get("target")
		if r.gone(target.Str) || r.o.Life.ForgottenID(target.Str) {
			r.drop(target.Str, Scrubbed)
			cut = true
			return true
		}
		if n++; n > 1 {
			out = append(out, ',')
		}
		out = append(out, l.Raw...)
		return true
	})
	switch {
	case n == 0:
		e.Delete("links")
	case cut:
		e.SetRaw("links", append(out, ']'))
	}
}

// scrub returns v without the forgotten strings and keys in it: nil when v
// itself is one.
func (r *run) scrub(v gjson.Result) []byte {
	if v.Type == gjson.String {
		if r.gone(v.Str) {
			r.drop(v.Str, Scrubbed)
			return nil
		}
		return []byte(v.Raw)
	}
	if !v.IsObject() && !v.IsArray() {
		return []byte(v.Raw)
	}
	out := []byte{v.Raw[0]}
	v.ForEach(func(k, e gjson.Result) bool {
		if v.IsObject() && r.gone(k.Str) {
			r.drop(k.Str, Scrubbed)
			return true
		}
		val := r.scrub(e)
		if val == nil {
			return true
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		if v.IsObject() {
			out = append(append(out, k.Raw...), ':')
		}
		out = append(out, val...)
		return true
	})
	return append(out, v.Raw[len(v.Raw)-1])
}

// scrubRest does the document outside its items.
func (r *run) scrubRest() {
	blank := r.doc.Clone()
	for _, l := range append([]doc.List{doc.Topic}, doc.Lists...) {
		blank.Delete(l.Path())
	}
	out := r.scrub(gjson.ParseBytes(blank.Bytes()))
	c, err := doc.ParseCheckpoint(out)
	if err != nil {
		panic("admit: scrubbing broke a document: " + err.Error())
	}
	r.doc = c
}
