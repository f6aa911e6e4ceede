// Package scrub takes forgotten values out of documents. Every string is looked
// at, fields nobody knows included; a value is forgotten as a whole or not at
// all, never as a part of a longer one.
package scrub

import (
	"slices"

	"github.com/tidwall/gjson"

	"daimon/lib/doc"
)

// Count says what a scrub removed.
type Count struct {
	Items  int `json:"items"`
	Fields int `json:"fields"`
}

// Any tells whether anything was removed.
func (c Count) Any() bool { return c.Items+c.Fields > 0 }

// Checkpoint removes items whose text is forgotten or whose id is gone, and
// forgotten strings anywhere else. gone may be nil.
func Checkpoint(c *doc.Checkpoint, forgotten, gone func(string) bool) Count {
	var n Count
	c.Walk(func(_ doc.List, e *doc.Entry) bool {
		keep, fields := true, 0
		if gone == nil || e.ID() == "" || !gone(e.ID()) {
			keep, fields = Entry(e, forgotten)
		} else {
			keep = false
		}
		n.Fields += fields
		if !keep {
			n.Items++
		}
		return keep
	})
	raw, fields := object(gjson.ParseBytes(c.Bytes()), doc.CheckpointFields, forgotten)
	if fields > 0 {
		if pruned, err := doc.ParseCheckpoint(raw); err == nil {
			*c = *pruned
			n.Fields += fields
		}
	}
	return n
}

// proof is what rests on a quote and goes with it.
var proof = []string{"quote_provenance", "quote_verified", "quote_echo_only", "last_verified", "source_message_ids", "stated_by", "pinned"}

// Entry removes forgotten strings from an item and says how many; keep is false
// when the item's text is one, and the whole must go. A quote takes its proof
// along and leaves a reading.
func Entry(e *doc.Entry, forgotten func(string) bool) (keep bool, fields int) {
	if forgotten(e.Text()) {
		return false, 0
	}
	if e.Quote() != "" && forgotten(e.Quote()) {
		e.Delete(append([]string{"quote"}, proof...)...)
		if e.Trust() == doc.Verbatim {
			e.Set("trust", doc.Inferred)
		}
		fields++
	}
	raw, n := object(gjson.ParseBytes(e.Bytes()), doc.ItemFields, forgotten)
	if n == 0 {
		return true, fields
	}
	if pruned, err := doc.ParseEntry(raw); err == nil {
		*e = *pruned
	}
	return true, fields + n
}

// closed tells whether a field holds no words of a session: an id, a stamp, one
// of a few fixed strings. Forgetting "verbatim" must not break every item.
func closed(f doc.Field) bool {
	return len(f.Enum) > 0 || f.Name == "source_message_ids" || f.Owner == doc.Code && f.Type != doc.Any
}

func object(v gjson.Result, fields []doc.Field, forgotten func(string) bool) (raw []byte, n int) {
	raw = []byte{'{'}
	v.ForEach(func(k, val gjson.Result) bool {
		out := []byte(val.Raw)
		switch f, known := field(fields, k.Str); {
		case !known && forgotten(k.Str):
			out = nil
			n++
		case !known || !closed(f):
			var removed int
			out, removed = value(val, f, forgotten)
			n += removed
		}
		if out == nil {
			return true
		}
		if len(raw) > 1 {
			raw = append(raw, ',')
		}
		raw = append(append(doc.AppendString(raw, k.Str), ':'), out...)
		return true
	})
	return append(raw, '}'), n
}

// value returns nil for what must go.
func value(v gjson.Result, f doc.Field, forgotten func(string) bool) ([]byte, int) {
	switch {
	case v.Type == gjson.String && forgotten(v.Str):
		return nil, 1
	case v.IsObject():
		return object(v, inner(f), forgotten)
	case v.IsArray():
		return list(v, f, forgotten)
	}
	return []byte(v.Raw), 0
}

func inner(f doc.Field) []doc.Field {
	switch f.Type {
	case doc.Item, doc.Items, doc.ItemsLax:
		return doc.ItemFields
	}
	return f.Fields
}

func list(v gjson.Result, f doc.Field, forgotten func(string) bool) ([]byte, int) {
	raw, n := []byte{'['}, 0
	v.ForEach(func(_, e gjson.Result) bool {
		out, removed := value(e, f, forgotten)
		n += removed
		if f.Type == doc.LinkSet && removed > 0 {
			return true // a link without its target says nothing
		}
		if out == nil {
			return true
		}
		if len(raw) > 1 {
			raw = append(raw, ',')
		}
		raw = append(raw, out...)
		return true
	})
	if f.Type == doc.LinkSet && n > 0 && len(raw) == 1 {
		return nil, n
	}
	return append(raw, ']'), n
}

// Row takes forgotten strings out of a ledger row, putting what mark returns in
// their place, and says how many there were. Fields that say who, when and about
// what are left alone.
func Row(v gjson.Result, forgotten func(string) bool, mark func(string) string) (raw []byte, n int) {
	switch {
	case v.Type == gjson.String && forgotten(v.Str):
		return doc.AppendString(nil, mark(v.Str)), 1
	case !v.IsObject() && !v.IsArray():
		return []byte(v.Raw), 0
	}
	raw = []byte{v.Raw[0]}
	v.ForEach(func(k, e gjson.Result) bool {
		out := []byte(e.Raw)
		if !v.IsObject() || !slices.Contains(frame, k.Str) {
			var removed int
			out, removed = Row(e, forgotten, mark)
			n += removed
		}
		if len(raw) > 1 {
			raw = append(raw, ',')
		}
		if v.IsObject() {
			raw = append(doc.AppendString(raw, k.Str), ':')
		}
		raw = append(raw, out...)
		return true
	})
	return append(raw, v.Raw[len(v.Raw)-1]), n
}

// frame are the fields of a ledger row that hold no words of a session.
var frame = []string{"ts", "kind", "item_ref", "source", "channel", "author", "check", "key", "id", "session_id", "event"}

func field(fields []doc.Field, name string) (doc.Field, bool) {
	for _, f := range fields {
		if f.Name == name {
			return f, true
		}
	}
	return doc.Field{}, false
}
