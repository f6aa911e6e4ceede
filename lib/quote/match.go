package quote

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"daimon/lib/doc"
)

const (
	// minPiece is how many characters a piece needs to be looked for in
	// messages that were not cited.
	minPiece = 8
	// maxPieces is how many pieces a quote may have.
	maxPieces = 128
	// maxRetry bounds the bytes compared at places that fail at their borders.
	maxRetry = 16 << 20
)

var gaps = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:\.{3,}|…)+|\[redacted:[^\]\n]*\]`)
})

// needle is a quote taken apart at ellipses and redaction marks.
type needle struct {
	kept, bare []string // folded pieces, list markers kept and dropped
	elided     bool     // it had an ellipsis
}

func newNeedle(q string) needle {
	var n needle
	for _, raw := range gaps().Split(q, -1) {
		kept := fold(raw, keepMarkers)
		if kept.s == "" {
			continue
		}
		n.kept = append(n.kept, kept.s)
		bare := kept.s
		if kept.marked {
			bare = fold(raw, dropBullets).s
		}
		n.bare = append(n.bare, bare)
	}
	for _, g := range gaps().FindAllString(q, -1) {
		n.elided = n.elided || g[0] != '['
	}
	return n
}

// usable tells whether there is anything to look for.
func (n needle) usable() bool {
	return len(n.kept) > 0 && len(n.kept) <= maxPieces &&
		strings.IndexFunc(strings.Join(n.kept, ""), func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) >= 0
}

// longest is the longest piece of a list, which must reach minPiece characters
// to be looked for without a citation; "" when it does not.
func longest(pieces []string) string {
	best := ""
	for _, p := range pieces {
		if len(p) > len(best) {
			best = p
		}
	}
	if utf8.RuneCountInString(best) < minPiece {
		return ""
	}
	return best
}

// allLong tells whether every piece could be looked for alone.
func (n needle) allLong() bool {
	for _, p := range n.kept {
		if utf8.RuneCountInString(p) < minPiece {
			return false
		}
	}
	return true
}

// body is one message with its forms, made on demand.
type body struct {
	m          *doc.Message
	kept, bare *form
	alien      []extent
	split      bool
}

// extent is a range of bytes in a message.
type extent struct{ start, end int }

func (b *body) keptForm() *form {
	if b.kept == nil {
		b.kept = fold(b.m.Text, keepMarkers)
	}
	return b.kept
}

func (b *body) bareForm() *form {
	if b.bare == nil {
		b.bare = b.keptForm()
		if b.kept.marked {
			b.bare = fold(b.m.Text, dropNumbered)
		}
	}
	return b.bare
}

// find is where the pieces of a quote stand, in order, in one message; nil when
// not all of them do.
func (b *body) find(n needle) []extent {
	if got := b.keptForm().findAll(n.kept); got != nil {
		return got
	}
	if bare := b.bareForm(); bare != b.kept || len(n.bare) > 0 && !same(n.bare, n.kept) {
		return bare.findAll(n.bare)
	}
	return nil
}

func same(a, b []string) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func (f *form) findAll(pieces []string) []extent {
	var out []extent
	from := 0
	for _, p := range pieces {
		i := f.find(p, from)
		if i < 0 {
			return nil
		}
		start, end := f.span(i, i+len(p))
		out = append(out, extent{start, end})
		from = i + len(p)
	}
	return out
}

// find is the first place from an offset where p stands between borders, or -1.
func (f *form) find(p string, from int) int {
	if p == "" {
		return -1
	}
	for spent := 0; spent < maxRetry; spent += len(p) {
		k := strings.Index(f.s[from:], p)
		if k < 0 {
			return -1
		}
		if i := from + k; f.bordered(i, i+len(p)) {
			return i
		}
		from += k + utf8.RuneLen(runeAfter(f.s, from+k))
	}
	return -1
}
