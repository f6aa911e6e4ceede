package doc

import (
	"bytes"
	"encoding/json"

	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"
)

// FormatVersion is stamped on every checkpoint that is written.
const FormatVersion = "D-018"

// Checkpoint is one checkpoint document, edited in place. The zero value is
// not usable; see [ParseCheckpoint] and [NewCheckpoint].
type Checkpoint struct{ raw string }

// ParseCheckpoint reads one JSON object and brings it into canonical form. It
// checks syntax only; see [Validate] for the contract.
func ParseCheckpoint(b []byte) (*Checkpoint, error) {
	raw, err := Canonical(b)
	if err != nil {
		return nil, err
	}
	return &Checkpoint{string(raw)}, nil
}

// NewCheckpoint returns a candidate with empty lists and a blank topic.
func NewCheckpoint() *Checkpoint {
	return &Checkpoint{`{"working_context":{"active_topic":{"text":"","trust":"inferred"},"open_questions":[],"recent_decisions":[]},` +
		`"epistemic_snapshot":{"strong_beliefs":[],"uncertainties":[],"contradictions_flagged":[]},"worker_queue":[]}`}
}

// Bytes is the document on one line, without a final newline.
func (c *Checkpoint) Bytes() []byte { return []byte(c.raw) }

// Indented is the document as it is stored: two spaces, non-ASCII kept.
func (c *Checkpoint) Indented() []byte {
	var b bytes.Buffer
	_ = json.Indent(&b, c.Bytes(), "", "  ") // raw is valid by construction
	return b.Bytes()
}

// Clone returns an independent copy.
func (c *Checkpoint) Clone() *Checkpoint { return &Checkpoint{c.raw} }

// Get returns the value at a dotted path of plain field names.
func (c *Checkpoint) Get(path string) gjson.Result { return gjson.Get(c.raw, path) }

// Str returns the string at path, or "".
func (c *Checkpoint) Str(path string) string {
	if v := c.Get(path); v.Type == gjson.String {
		return v.Str
	}
	return ""
}

// Set puts a value that encodes as JSON at a dotted path.
func (c *Checkpoint) Set(path string, v any) { c.raw = set(c.raw, path, encoded(path, v)) }

// SetRaw puts JSON bytes at a dotted path.
func (c *Checkpoint) SetRaw(path string, val []byte) { c.raw = set(c.raw, path, string(val)) }

// Delete removes the value at a dotted path, if any.
func (c *Checkpoint) Delete(path string) {
	if raw, err := sjson.Delete(c.raw, path); err == nil {
		c.raw = raw
	}
}

// Items returns the items of one list in order. Bare strings become items with
// only a text; anything else that is no object is left out. A section or list of
// another shape gives none.
func (c *Checkpoint) Items(l List) []*Entry { return itemsIn(c.Get(l.Path())) }

func itemsIn(v gjson.Result) []*Entry {
	var out []*Entry
	if !v.IsArray() {
		return nil
	}
	v.ForEach(func(_, e gjson.Result) bool {
		switch {
		case e.IsObject():
			out = append(out, &Entry{raw: e.Raw})
		case e.Type == gjson.String:
			out = append(out, &Entry{raw: string(AppendString([]byte(`{"text":`), e.Str)) + "}", bare: true})
		}
		return true
	})
	return out
}

// SetItems replaces one list. Items that came as bare strings and were not
// changed go back as bare strings.
func (c *Checkpoint) SetItems(l List, items []*Entry) {
	b := []byte{'['}
	for i, it := range items {
		if i > 0 {
			b = append(b, ',')
		}
		if it.bare {
			b = AppendString(b, it.Text())
			continue
		}
		b = append(b, it.raw...)
	}
	c.SetRaw(l.Path(), append(b, ']'))
}

// Topic returns the active topic, or nil when it is no object.
func (c *Checkpoint) Topic() *Entry {
	if v := c.Get(Topic.Path()); v.IsObject() {
		return &Entry{raw: v.Raw}
	}
	return nil
}

// SetTopic replaces the active topic; nil removes it.
func (c *Checkpoint) SetTopic(e *Entry) {
	if e == nil {
		c.Delete(Topic.Path())
		return
	}
	c.raw = set(c.raw, Topic.Path(), e.raw)
}

// Walk calls fn for the topic and then for each item of each list, in order,
// and writes back what fn changed. An item for which fn returns false is
// removed.
func (c *Checkpoint) Walk(fn func(l List, e *Entry) bool) {
	if t := c.Topic(); t != nil {
		if fn(Topic, t) {
			c.SetTopic(t)
		} else {
			c.SetTopic(nil)
		}
	}
	for _, l := range Lists {
		list := c.Get(l.Path())
		if !list.IsArray() {
			continue
		}
		items := itemsIn(list)
		kept := items[:0]
		for _, e := range items {
			if fn(l, e) {
				kept = append(kept, e)
			}
		}
		c.SetItems(l, kept)
	}
}
