package doc

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"
)

// writer re-encodes valid JSON in one pass over s.
type writer struct {
	s       string
	i       int
	members []member // of the objects around i, the innermost last
}

// member is one key of an object and where its value stands in the output.
type member struct {
	key      string
	from, to int
}

func (w *writer) blanks() {
	for w.i < len(w.s) && w.s[w.i] <= ' ' {
		w.i++
	}
}

// next skips blanks and the mark, if that comes next.
func (w *writer) next(mark byte) bool {
	w.blanks()
	if w.s[w.i] != mark {
		return false
	}
	w.i++
	w.blanks()
	return true
}

func (w *writer) value(b []byte) []byte {
	switch w.s[w.i] {
	case '{':
		return w.object(b)
	case '[':
		return w.array(b)
	case '"':
		return AppendString(b, w.text())
	}
	start := w.i
	for w.i < len(w.s) && w.s[w.i] > ' ' && strings.IndexByte(",]}", w.s[w.i]) < 0 {
		w.i++
	}
	return append(b, w.s[start:w.i]...)
}

func (w *writer) array(b []byte) []byte {
	b = append(b, '[')
	w.next('[')
	for n := 0; !w.next(']'); n++ {
		if w.next(','); n > 0 {
			b = append(b, ',')
		}
		b = w.value(b)
	}
	return append(b, ']')
}

func (w *writer) object(b []byte) []byte {
	start, outer, doubled := len(b), len(w.members), false
	var at map[string]int // made when looking through the keys would take long
	b = append(b, '{')
	w.next('{')
	for !w.next('}') {
		if w.next(','); len(w.members) > outer {
			b = append(b, ',')
		}
		m := member{key: w.text()}
		w.next(':')
		b = append(AppendString(b, m.key), ':')
		m.from = len(b)
		b = w.value(b)
		m.to = len(b)
		old := -1
		if old, at = w.find(m.key, outer, at); old >= 0 {
			w.members[old], doubled = m, true
			continue
		}
		w.members = append(w.members, m)
	}
	b = append(b, '}')
	if doubled {
		b = chosen(b, start, w.members[outer:])
	}
	w.members = w.members[:outer]
	return b
}

// find is the index of a key among the members from outer on, or -1, after which
// the key counts as known.
func (w *writer) find(key string, outer int, at map[string]int) (int, map[string]int) {
	const few = 32
	mine := w.members[outer:]
	switch {
	case len(mine) < few:
		for i, m := range mine {
			if m.key == key {
				return outer + i, at
			}
		}
		return -1, at
	case at == nil:
		at = map[string]int{}
		for i, m := range mine {
			at[m.key] = outer + i
		}
	}
	if i, seen := at[key]; seen {
		return i, at
	}
	at[key] = len(w.members)
	return -1, at
}

// chosen writes the object that begins at start again, with these members only.
func chosen(b []byte, start int, members []member) []byte {
	all := bytes.Clone(b[start:])
	b = append(b[:start], '{')
	for i, m := range members {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(AppendString(b, m.key), ':')
		b = append(b, all[m.from-start:m.to-start]...)
	}
	return append(b, '}')
}

// text reads the string that begins at i.
func (w *writer) text() string {
	start := w.i
	escaped := false
	for w.i++; w.s[w.i] != '"'; w.i++ {
		if w.s[w.i] == '\\' {
			escaped = true
			w.i++
		}
	}
	w.i++
	if escaped {
		return gjson.Parse(w.s[start:w.i]).Str
	}
	return w.s[start+1 : w.i-1]
}

// AppendString appends s as a JSON string, leaving HTML characters as they are
// and writing invalid UTF-8 as U+FFFD.
func AppendString(b []byte, s string) []byte {
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\ufffd")
	}
	b = append(b, '"')
	done := 0
	for i := range len(s) {
		esc := escape(s[i:])
		if esc == "" {
			continue
		}
		b = append(append(b, s[done:i]...), esc...)
		if done = i + 1; s[i] >= utf8.RuneSelf {
			done = i + len("\u2028")
		}
	}
	return append(append(b, s[done:]...), '"')
}

// escape is how the character that s begins with must be written, or "". The
// line separators U+2028 and U+2029 end a line for some readers.
func escape(s string) string {
	switch c := s[0]; {
	case c == '"':
		return `\"`
	case c == '\\':
		return `\\`
	case c == '\n':
		return `\n`
	case c == '\r':
		return `\r`
	case c == '\t':
		return `\t`
	case c == '\b':
		return `\b`
	case c == '\f':
		return `\f`
	case c < 0x20:
		return fmt.Sprintf(`\u%04x`, c)
	case c == 0xE2 && strings.HasPrefix(s, "\u2028"):
		return `\u2028`
	case c == 0xE2 && strings.HasPrefix(s, "\u2029"):
		return `\u2029`
	}
	return ""
}
