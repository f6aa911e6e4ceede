package host

import (
	"bytes"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"daimon/lib/doc"
)

const (
	maxRow   = 256 << 20 // bytes of one row
	maxBad   = 10_000    // bad lines remembered; all are counted
	maxTries = 4096      // places at which a cut line is tried again
)

// rows reads JSON Lines as hosts leave them after crashes and double writers.
type rows struct {
	file string
	bad  []doc.BadLine
}

func (r *rows) report(n int, reason string) {
	if len(r.bad) < maxBad {
		r.bad = append(r.bad, doc.BadLine{File: r.file, Line: n, Reason: reason})
	}
}

// each calls row for every JSON object, and lost with a reason code for every
// row that cannot be read.
func (r *rows) each(src io.Reader, row func(gjson.Result), lost func(reason string)) error {
	first := true
	return doc.Lines(src, maxRow, func(n int, line []byte) error {
		if first {
			line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
			first = false
		}
		if bytes.IndexByte(line, 0) >= 0 {
			line = bytes.ReplaceAll(line, []byte{0}, nil)
		}
		if !utf8.Valid(line) {
			line = bytes.ToValidUTF8(line, []byte("\uFFFD"))
		}
		r.line(n, line, row, lost)
		return nil
	}, func(n int, reason string) {
		r.report(n, reason)
		lost("too-long")
	})
}

// line reads the one object of a line, or the two that a splice left there.
func (r *rows) line(n int, line []byte, row func(gjson.Result), lost func(string)) {
	for line = bytes.TrimSpace(line); len(line) > 0; line = bytes.TrimSpace(line) {
		end, deep := valueEnd(line)
		switch {
		case deep:
			r.report(n, fmt.Sprintf("nested deeper than %d levels", doc.MaxDepth))
			lost("too-deep")
			return
		case line[0] != '{':
			line = r.damaged(n, line, lost)
		case end > 0 && gjson.ValidBytes(line[:end]):
			row(gjson.ParseBytes(line[:end]))
			line = line[end:]
		default:
			line = r.damaged(n, line, lost)
		}
	}
}

// damaged counts a row that cannot be read, and returns the whole row that
// stands behind it on the same line, if any.
func (r *rows) damaged(n int, line []byte, lost func(string)) []byte {
	at := wholeRow(line)
	switch {
	case at > 0:
		r.report(n, "a row cut short, with a whole one behind it")
		lost("not-json")
		return line[at:]
	case gjson.ValidBytes(line):
		r.report(n, "not an object")
		lost("not-object")
	default:
		r.report(n, "not JSON")
		lost("not-json")
	}
	return nil
}

// wholeRow is where in a damaged line a complete row begins that runs to the
// end of the line, or -1. An object that lies inside the damaged one has no
// type with a stamp or an id beside it, and is no row.
func wholeRow(line []byte) int {
	for at, tries := 1, 0; tries < maxTries && at < len(line); tries++ {
		i := bytes.Index(line[at:], []byte(`{"`))
		if i < 0 {
			return -1
		}
		at += i
		if end, deep := valueEnd(line[at:]); !deep && end > 0 && isRow(line[at:at+end]) {
			return at
		}
		at++
	}
	return -1
}

func isRow(b []byte) bool {
	if !gjson.ValidBytes(b) {
		return false
	}
	v := gjson.GetManyBytes(b, "type", "uuid", "sessionId", "timestamp")
	return v[0].Type == gjson.String && (v[1].Exists() || v[2].Exists() || v[3].Exists())
}

// valueEnd is the length of the object or list at the start of b, or 0 if it
// does not end; deep tells that it nests too far to be followed.
func valueEnd(b []byte) (end int, deep bool) {
	depth := 0
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '"':
			if i = stringEnd(b, i+1); i < 0 {
				return 0, false
			}
		case '{', '[':
			if depth++; depth > doc.MaxDepth {
				return 0, true
			}
		case '}', ']':
			if depth--; depth <= 0 {
				return i + 1, false
			}
		}
	}
	return 0, false
}

// stringEnd is the index of the quote that closes the string whose text starts
// at from, or -1.
func stringEnd(b []byte, from int) int {
	for i := from; ; {
		q := bytes.IndexByte(b[i:], '"')
		if q < 0 {
			return -1
		}
		q += i
		slashes := 0
		for j := q - 1; j >= from && b[j] == '\\'; j-- {
			slashes++
		}
		if slashes%2 == 0 {
			return q
		}
		i = q + 1
	}
}
