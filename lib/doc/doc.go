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
	w := writer{s: string(raw)}
	if w.blanks(); w.s[w.i] != '{' {
		return nil, ErrNotObject
	}
	return w.object(make([]byte, 0, len(raw))), nil
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
