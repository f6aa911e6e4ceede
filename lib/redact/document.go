package redact

import (
	"github.com/tidwall/gjson"

	"daimon/lib/doc"
)

// Document masks every string and every key of a checkpoint, at any depth and in
// fields nobody knows, and returns the counts by kind: nil, and the document
// untouched, when it is clean. A string or a number under a key that names a
// secret is judged as that secret's value.
func Document(c *doc.Checkpoint) map[string]int {
	w := walker{}
	out := w.value(nil, gjson.ParseBytes(c.Bytes()), "")
	if w.counts == nil {
		return nil
	}
	masked, err := doc.ParseCheckpoint(out)
	if err != nil {
		panic("redact: masking broke a document: " + err.Error())
	}
	*c = *masked
	return w.counts
}

type walker struct{ counts map[string]int }

func (w *walker) text(s string) string {
	out, counts := Text(s)
	for k, n := range counts {
		w.count(k, n)
	}
	return out
}

func (w *walker) count(kind string, n int) {
	if w.counts == nil {
		w.counts = map[string]int{}
	}
	w.counts[kind] += n
}

func (w *walker) value(b []byte, v gjson.Result, key string) []byte {
	switch {
	case v.IsObject():
		return w.object(b, v)
	case v.IsArray():
		b = append(b, '[')
		n := 0
		v.ForEach(func(_, e gjson.Result) bool {
			if n++; n > 1 {
				b = append(b, ',')
			}
			b = w.value(b, e, key)
			return true
		})
		return append(b, ']')
	case v.Type == gjson.String:
		s := w.text(v.Str)
		if named(key, s) {
			w.count(apiKey.String(), 1)
			s = mark + apiKey.String() + "]"
		}
		return doc.AppendString(b, s)
	case v.Type == gjson.Number && named(key, v.Raw):
		w.count(apiKey.String(), 1)
		return doc.AppendString(b, mark+apiKey.String()+"]")
	}
	return append(b, v.Raw...)
}

func (w *walker) object(b []byte, v gjson.Result) []byte {
	b = append(b, '{')
	n := 0
	v.ForEach(func(k, e gjson.Result) bool {
		if n++; n > 1 {
			b = append(b, ',')
		}
		b = append(doc.AppendString(b, w.text(k.Str)), ':')
		b = w.value(b, e, k.Str)
		return true
	})
	return append(b, '}')
}

// named tells whether value is the secret that key names.
func named(key, value string) bool {
	if key == "" || len(key) > 128 {
		return false
	}
	for i := 0; i+1 < len(key); i++ {
		for _, k := range keywords {
			if hasFold(key, i, k.word) && judge(key, value, i, k) {
				return true
			}
		}
	}
	return false
}

func judge(key, value string, i int, k keyword) bool {
	sc := &scanner{s: key + `": ""`}
	f, ok := sc.assignment(i, k)
	if !ok || f.start != len(key)+4 {
		return false
	}
	f.value, f.quoted = value, true
	return f.plausible()
}
