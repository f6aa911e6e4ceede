package extract

import (
	"strings"
	"unicode/utf8"

	"daimon/lib/lang"
)

// says tells whether a folded sentence says anything besides yes, thanks,
// praise and farewell. What it says yes to is said elsewhere.
func (l *lexicon) says(s string, g *signs) bool {
	if !g.any(cueClosing, cueAccept) {
		return true
	}
	left := 0
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if !wordRune(r) {
			i += n
			continue
		}
		end := i + n
		if !l.dense || r < utf8.RuneSelf {
			end = wordEnd(s, end)
		}
		if skip := l.polite(s, i, end, g); skip > 0 {
			i += skip
			continue
		}
		if left += weight(s[i:end], r); left > 2 {
			return true
		}
		i = end
	}
	return false
}

// polite is the length of the longest phrase at i, where a word that ends at end
// begins, that says nothing of its own; a time says nothing in a farewell.
func (l *lexicon) polite(s string, i, end int, g *signs) (n int) {
	h := head(s[i:])
	for _, list := range [...][]phrase{l.words[s[i:end]], l.heads[h], l.heads[[2]rune{h[0], 0}]} {
		for k := range list {
			p := &list[k]
			switch p.cue {
			case cueClosing, cueAccept, cueFiller:
			case cueTime:
				if !g.has(cueClosing) {
					continue
				}
			default:
				continue
			}
			if strings.HasPrefix(s[i:], p.text) && (p.open || !inside(s, i+len(p.text))) {
				n = max(n, len(p.text))
			}
		}
	}
	return n
}

// weight is what a word says: 3 for a content word, 1 for a character of a
// script without spaces, 0 for grammar.
func weight(w string, r rune) int {
	switch {
	case kana(r):
		return 0
	case lang.Letter(r):
		return 1
	case r >= '0' && r <= '9':
		return 3
	case utf8.RuneCountInString(w) < 3, lang.Function(w):
		return 0
	}
	return 3
}

// agrees tells whether a sentence opens with a yes; "good question" is none.
func (s *sentence) agrees() bool {
	praise := s.has(cueClosing) && s.first[cueClosing] == s.first[cueAccept] && s.after[cueClosing] > s.after[cueAccept]
	return s.opens(cueAccept) && (!praise || s.n[cueAccept] > 1)
}
