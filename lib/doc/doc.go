// Package doc holds the documents that flow between the stages, and the one
// table that says what may stand in them.
//
// A [Transcript] is evidence: a header line and one message a line. A
// [Checkpoint] is a claim about it, kept as its own JSON bytes so that fields
// this version does not know pass through untouched.
package doc

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/tidwall/gjson"
)

// MaxDepth is how deeply a document may nest. Deeper input is refused rather
// than followed, since readers recurse.
const MaxDepth = 64

// ErrNotObject is returned for a document whose root is no JSON object.
var ErrNotObject = errors.New("not a JSON object")

// Canonical returns one JSON object re-encoded so that equal documents have
// equal bytes: no white space, every string in its shortest escape, invalid
// UTF-8 and lone surrogates as U+FFFD, and of a key given twice only the last
// value. Key order and number spelling are kept. Readers that disagree about
// doubled keys or escapes can therefore not be played against each other.
func Canonical(raw []byte) ([]byte, error) {
	raw = bytes.TrimPrefix(bytes.TrimSpace(raw), []byte("\xef\xbb\xbf"))
	if err := checkDepth(raw); err != nil {
		return nil, err
	}
	if !gjson.ValidBytes(raw) {
		return nil, syntaxError(raw)
	}
	v := gjson.ParseBytes(raw)
	if !v.IsObject() {
		return nil, ErrNotObject
	}
	return appendValue(make([]byte, 0, len(raw)), v), nil
}

func checkDepth(raw []byte) error {
	depth, inString := 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			if depth++; depth > MaxDepth {
				return fmt.Errorf("nested deeper than %d levels at byte %d", MaxDepth, i)
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return nil
}

func syntaxError(raw []byte) error {
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return fmt.Errorf("not JSON: %w", err)
	}
	return errors.New("not JSON")
}

func appendValue(b []byte, v gjson.Result) []byte {
	switch {
	case v.IsObject():
		return appendObject(b, v)
	case v.IsArray():
		b = append(b, '[')
		n := 0
		v.ForEach(func(_, e gjson.Result) bool {
			if n++; n > 1 {
				b = append(b, ',')
			}
			b = appendValue(b, e)
			return true
		})
		return append(b, ']')
	case v.Type == gjson.String:
		return AppendString(b, v.Str)
	}
	return append(b, v.Raw...)
}

func appendObject(b []byte, v gjson.Result) []byte {
	type member struct{ key, val gjson.Result }
	var members []member
	at := map[string]int{}
	v.ForEach(func(k, e gjson.Result) bool {
		if i, seen := at[k.Str]; seen {
			members[i].val = e
			return true
		}
		at[k.Str] = len(members)
		members = append(members, member{k, e})
		return true
	})
	b = append(b, '{')
	for i, m := range members {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(AppendString(b, m.key.Str), ':')
		b = appendValue(b, m.val)
	}
	return append(b, '}')
}

// AppendString appends s as a JSON string, leaving HTML characters as they are
// and writing invalid UTF-8 as U+FFFD.
func AppendString(b []byte, s string) []byte {
	if plain(s) {
		return append(append(append(b, '"'), s...), '"')
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(strings.ToValidUTF8(s, "\ufffd")) // a string cannot fail to encode
	return append(b, bytes.TrimSuffix(buf.Bytes(), []byte("\n"))...)
}

// plain tells whether s is ASCII that needs no escape; most strings are.
func plain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < 0x20 || c >= 0x80 || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

// Marshal encodes v as compact JSON without HTML escapes.
func Marshal(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}
