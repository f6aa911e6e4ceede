package doc

import (
	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"
)

// The two trust classes.
const (
	Verbatim = "verbatim"
	Inferred = "inferred"
)

// Entry is one item of a checkpoint, edited in place. Unknown fields survive.
type Entry struct {
	raw  string
	bare bool // stands in its list as a bare string
}

// NewEntry makes an item with a text and a trust class.
func NewEntry(text, trust string) *Entry {
	b := AppendString([]byte(`{"text":`), text)
	b = AppendString(append(b, `,"trust":`...), trust)
	return &Entry{raw: string(append(b, '}'))}
}

// ParseEntry reads one JSON object as an item.
func ParseEntry(b []byte) (*Entry, error) {
	raw, err := Canonical(b)
	if err != nil {
		return nil, err
	}
	return &Entry{raw: string(raw)}, nil
}

// Bytes is the item as compact JSON.
func (e *Entry) Bytes() []byte { return []byte(e.raw) }

// Clone returns an independent copy.
func (e *Entry) Clone() *Entry { return &Entry{e.raw, e.bare} }

// Get returns the value of a field (dotted path of plain names).
func (e *Entry) Get(key string) gjson.Result { return gjson.Get(e.raw, key) }

// Has tells whether the field is there, null included.
func (e *Entry) Has(key string) bool { return e.Get(key).Exists() }

// Str returns a field that holds a string, else "".
func (e *Entry) Str(key string) string {
	if v := e.Get(key); v.Type == gjson.String {
		return v.Str
	}
	return ""
}

// True tells whether a field is exactly true.
func (e *Entry) True(key string) bool { return e.Get(key).Type == gjson.True }

// False tells whether a field is exactly false.
func (e *Entry) False(key string) bool { return e.Get(key).Type == gjson.False }

// Strs returns the strings of a field that holds a list.
func (e *Entry) Strs(key string) []string {
	var out []string
	v := e.Get(key)
	if !v.IsArray() {
		return nil
	}
	v.ForEach(func(_, s gjson.Result) bool {
		if s.Type == gjson.String {
			out = append(out, s.Str)
		}
		return true
	})
	return out
}

// Text, Quote, Trust and ID are the fields every reader wants.
func (e *Entry) Text() string  { return e.Str("text") }
func (e *Entry) Quote() string { return e.Str("quote") }
func (e *Entry) Trust() string { return e.Str("trust") }
func (e *Entry) ID() string    { return e.Str("id") }

// Importance is 1 to 10; 5 when absent or out of contract.
func (e *Entry) Importance() int {
	v := e.Get("importance")
	if n := v.Int(); v.Type == gjson.Number && isInt(v.Raw) && n >= 1 && n <= 10 {
		return int(n)
	}
	return 5
}

// Set puts a value that encodes as JSON into a field.
func (e *Entry) Set(key string, v any) { e.put(key, encoded(key, v)) }

// SetRaw puts JSON bytes into a field.
func (e *Entry) SetRaw(key string, val []byte) { e.put(key, string(val)) }

func (e *Entry) put(key, val string) { e.raw, e.bare = set(e.raw, key, val), false }

// Delete removes fields.
func (e *Entry) Delete(keys ...string) {
	for _, k := range keys {
		if !e.Has(k) {
			continue
		}
		if raw, err := sjson.Delete(e.raw, k); err == nil {
			e.raw, e.bare = raw, false
		}
	}
}

// CopyField copies a field from another item, or removes it when absent there.
func (e *Entry) CopyField(from *Entry, key string) {
	if v := from.Get(key); v.Exists() {
		e.put(key, v.Raw)
	} else {
		e.Delete(key)
	}
}

// Link is one typed link of an item.
type Link struct {
	Type   string `json:"type"`
	Target string `json:"target"`
}

// Links returns the well-formed links; malformed ones are passed over.
func (e *Entry) Links() []Link {
	var out []Link
	v := e.Get("links")
	if !v.IsArray() {
		return nil
	}
	v.ForEach(func(_, l gjson.Result) bool {
		typ, target := l.Get("type"), l.Get("target")
		if typ.Type == gjson.String && target.Type == gjson.String {
			out = append(out, Link{typ.Str, target.Str})
		}
		return true
	})
	return out
}
