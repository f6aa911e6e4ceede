package admit

import (
	"github.com/tidwall/gjson"

	"daimon/lib/canon"
	"daimon/lib/doc"
	"daimon/lib/receipt"
	"daimon/lib/redact"
	"daimon/lib/scrub"
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
// string that is one goes from where it stands. It runs on masked text, since
// that is what the tombstones were keyed on.
func (r *run) forget() {
	if r.o.Life == nil || len(r.o.Life.Forgotten()) == 0 {
		return
	}
	kept := r.slots[:0]
	for _, s := range r.slots {
		text := s.item.Text()
		if r.o.Life.IsForgotten(text) || s.stored != nil && r.o.Life.ForgottenID(s.stored.ID()) {
			r.drop(text, Forgotten)
			continue
		}
		scrub.Entry(s.item, r.scrubbed) // the text was asked about
		kept = append(kept, s)
	}
	r.slots = kept
	r.doc.SetTopic(nil)
	for _, l := range doc.Lists {
		if r.doc.Get(l.Path()).Exists() {
			r.doc.SetItems(l, nil)
		}
	}
	scrub.Checkpoint(r.doc, r.scrubbed, nil)
}

// scrubbed tells whether a string must go, a forgotten item's id included, and
// keeps count.
func (r *run) scrubbed(s string) bool {
	if !r.o.Life.IsForgotten(s) && !(canon.IsID(s) && r.o.Life.ForgottenID(s)) {
		return false
	}
	r.drop(s, Scrubbed)
	return true
}

func (r *run) drop(text, reason string) {
	r.res.Dropped = append(r.res.Dropped, receipt.Drop{Key: canon.Key(text), Reason: reason})
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
