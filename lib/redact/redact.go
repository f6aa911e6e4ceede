// Package redact masks secrets by their shape. It is deterministic and prefers
// precision: every rule needs a concrete form, and randomness alone is no reason.
package redact

import (
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// mark opens every marker: [redacted:<kind>].
const mark = "[redacted:"

// maxPasses bounds the search for secrets that masking uncovers.
const maxPasses = 16

// Text masks the secrets in s and counts them by kind. A clean text comes back
// as the same bytes with a nil map. A text that hides a secret behind
// compatibility characters (full-width letters and the like) comes back in NFKC,
// one that hides it behind invisible or control characters also without those.
// Markers are never masked again: Text is idempotent.
func Text(s string) (string, map[string]int) {
	work := s
	if !ascii(s) && !norm.NFKC.IsNormalString(s) {
		work = norm.NFKC.String(s)
	}
	counts := map[string]int{}
	work = maskAll(work, counts)
	if hides(work) {
		found := map[string]int{}
		if shown := maskAll(reveal(work), found); len(found) > 0 {
			work = shown
		}
		for kind, n := range found {
			counts[kind] += n
		}
	}
	if len(counts) == 0 {
		return s, nil
	}
	return work, counts
}

// maskAll masks until nothing is left to mask, and adds to counts.
func maskAll(s string, counts map[string]int) string {
	for range maxPasses {
		spans := choose(scan(s))
		if len(spans) == 0 {
			break
		}
		s = apply(s, spans, counts)
	}
	return s
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// span is one secret: the bytes to mask and why.
type span struct {
	start, end int
	kind       kind
}

// choose drops of two overlapping spans the one of the later kind. What it leaves
// over is found by the next pass.
func choose(spans []span) []span {
	slices.SortFunc(spans, func(a, b span) int {
		if a.start != b.start {
			return a.start - b.start
		}
		return int(a.kind) - int(b.kind)
	})
	kept := spans[:0]
	for _, sp := range spans {
		if n := len(kept); n > 0 && sp.start < kept[n-1].end {
			if sp.kind < kept[n-1].kind {
				kept[n-1] = sp
			}
			continue
		}
		kept = append(kept, sp)
	}
	return kept
}

func apply(s string, spans []span, counts map[string]int) string {
	var b strings.Builder
	b.Grow(len(s))
	at := 0
	for _, sp := range spans {
		b.WriteString(s[at:sp.start])
		b.WriteString(mark)
		b.WriteString(sp.kind.String())
		b.WriteByte(']')
		at = sp.end
		counts[sp.kind.String()]++
	}
	b.WriteString(s[at:])
	return b.String()
}
