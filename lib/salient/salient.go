// Package salient tells what a short text is about: its content words, and the
// quantities it states.
package salient

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

const (
	maxTerms = 24 // a bigram counts half
	minRunes = 3
)

// Terms returns the content words of a text in order, each once, lower-case and
// without accents: words of three letters or more that are no function words. A
// word is letters, digits and underscores, with hyphens inside. Scripts written
// without spaces give their runs as pairs of letters. At most the first 24 (48
// pairs) count. A text with fewer than two has none: it is too short to be
// told from others.
func Terms(text string) []string {
	var out []string
	seen := map[string]bool{}
	stop := stopwords()
	room := 2 * maxTerms
	words(text, func(w string) bool {
		room -= cost(w)
		if stop[w] || seen[w] {
			room += cost(w)
			return true
		}
		if room < 0 {
			return false
		}
		seen[w] = true
		out = append(out, w)
		return true
	})
	if len(out) < 2 {
		return nil
	}
	return out
}

// Weight is what a shared term says: 1, or a half for a pair of letters.
func Weight(term string) float64 { return float64(cost(term)) / 2 }

func cost(term string) int {
	if utf8.RuneCountInString(term) < minRunes {
		return 1
	}
	return 2
}

// words calls yield for each word that is long enough and each pair.
func words(text string, yield func(string) bool) {
	folded := []rune(fold(text))
	for i := 0; i < len(folded); {
		r := folded[i]
		from := i
		switch {
		case dense(r):
			for i < len(folded) && dense(folded[i]) {
				i++
			}
			if !pairs(folded[from:i], yield) {
				return
			}
		case unicode.Is(unicode.Katakana, r) || r == 'ー':
			for i < len(folded) && (unicode.Is(unicode.Katakana, folded[i]) || folded[i] == 'ー') {
				i++
			}
			if i-from >= 2 && !yield(string(folded[from:i])) {
				return
			}
		case wordRune(r):
			for i < len(folded) && (wordRune(folded[i]) || folded[i] == '-') && !spaceless(folded[i]) {
				i++
			}
			w := strings.TrimRight(string(folded[from:i]), "-")
			if utf8.RuneCountInString(w) >= minRunes && !yield(w) {
				return
			}
		default:
			i++
		}
	}
}

func pairs(run []rune, yield func(string) bool) bool {
	for i := 0; i+1 < len(run); i++ {
		if unicode.Is(unicode.Hiragana, run[i]) && unicode.Is(unicode.Hiragana, run[i+1]) {
			continue // grammar
		}
		if !yield(string(run[i : i+2])) {
			return false
		}
	}
	return true
}

// fold is compatibility form in lower case, without the marks above and below letters.
func fold(s string) string {
	marked := norm.NFKD.String(s)
	if len(marked) == len(s) && marked == s {
		return strings.ToLower(s)
	}
	return norm.NFC.String(strings.ToLower(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, marked)))
}

func wordRune(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mc, r)
}

// dense tells the scripts whose words are read as pairs.
func dense(r rune) bool {
	return r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

func spaceless(r rune) bool { return r >= 0x0E00 && (dense(r) || unicode.Is(unicode.Katakana, r)) }
