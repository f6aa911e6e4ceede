package quote

import (
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"daimon/lib/doc"
	"daimon/lib/lang"
)

const (
	// minPiece is how many characters a piece needs to be looked for in
	// messages that were not cited, and a whole quote to stand for a part of a
	// sentence.
	minPiece = 8
	// maxPieces is how many pieces a quote may have.
	maxPieces = 128
	// maxTries bounds the places that are looked at of one piece.
	maxTries = 1000
	// maxRetry bounds the bytes compared at places that fail at their borders.
	maxRetry = 16 << 20
)

var gaps = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:\.{3,}|…)+`)
})

// needle is a quote taken apart at ellipses.
type needle struct {
	kept, bare []string // folded pieces, list markers kept and dropped
	short      bool     // too short to stand for a part of a sentence
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
	n.short = weight(strings.Join(n.kept, "")) < minPiece
	return n
}

// weight is how much a text says, in characters; those of a script without
// spaces say twice as much, redaction marks nothing.
func weight(s string) int {
	n := 0
	for _, r := range strings.ReplaceAll(s, masked, "") {
		n++
		if lang.Letter(r) {
			n++
		}
	}
	return n
}

// usable tells whether there is anything to look for.
func (n needle) usable() bool {
	return len(n.kept) > 0 && len(n.kept) <= maxPieces &&
		!mute(strings.ReplaceAll(strings.Join(n.kept, " "), masked, ""))
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
	alien      []extent // whole lines, then speech
	lines      int      // how many of alien are lines
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
	if got := b.keptForm().findAll(n.kept, n.short); got != nil {
		return got
	}
	if bare := b.bareForm(); bare != b.kept || len(n.bare) > 0 && !same(n.bare, n.kept) {
		return bare.findAll(n.bare, n.short)
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

func (f *form) findAll(pieces []string, short bool) []extent {
	var out []extent
	from := 0 // in s, behind the piece before
	for n, p := range pieces {
		i := f.place(p, from, short)
		if i < 0 {
			return nil
		}
		if n > 0 {
			out[n-1] = f.nearest(pieces[n-1], out[n-1], from, i, short)
		}
		start, end := f.span(i, i+len(p))
		out = append(out, extent{start, end})
		from = i + len(p)
		if n > 0 && f.turned(out[n-1], out[n]) {
			return nil
		}
	}
	return out
}

// nearest is the last place of a piece before the next one, which is found
// first where it stands first: was covers its first place and ends at from.
func (f *form) nearest(p string, was extent, from, next int, short bool) extent {
	for tries := 0; tries < maxTries; tries++ {
		i := f.place(p, from, short)
		if i < 0 || i+len(p) > next {
			break
		}
		was.start, was.end = f.span(i, i+len(p))
		from = i + len(p)
	}
	return was
}

// place is like find, and leaves out places inside a sentence for a short quote.
func (f *form) place(p string, from int, short bool) int {
	for tries := 0; tries < maxTries; tries++ {
		i := f.find(p, from)
		if i < 0 || !short {
			return i
		}
		start, end := f.span(i, i+len(p))
		if f.whole(extent{start, end}) {
			return i
		}
		from = i + len(p)
	}
	return -1
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
