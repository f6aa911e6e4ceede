package recall

import (
	"slices"
	"strings"
	"unicode"
)

// maxWords bounds a query, maxForms what a prompt is looked up under.
const (
	maxWords = 32
	maxForms = 96
)

// joined scripts are written without spaces, so their runs are indexed as pairs
// of neighbouring characters: any two-character word is found.
var joined = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Bopomofo,
	unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar,
}

func isJoined(r rune) bool {
	return r >= 0x0E00 && unicode.IsLetter(r) && (unicode.In(r, joined...) || r == 'ー' || r == '々')
}

// Spread rewrites a text for the full-text index: each run of a joined script
// becomes its pairs and its last character. Other text stays as it is.
func Spread(s string) string { return spread(s, true) }

// spread leaves the last character of a closing run out when tail is false: a
// query does not know what follows.
func spread(s string, tail bool) string {
	if !strings.ContainsFunc(s, isJoined) {
		return s
	}
	var b strings.Builder
	var run []rune
	flush := func(last bool) {
		for i, r := range run {
			if i+1 < len(run) {
				b.WriteString(" " + string(run[i:i+2]))
			} else if last || len(run) == 1 {
				b.WriteString(" " + string(r))
			}
		}
		if len(run) > 0 {
			b.WriteByte(' ')
		}
		run = run[:0]
	}
	for _, r := range s {
		switch {
		case isJoined(r):
			run = append(run, r)
		case len(run) > 0 && unicode.Is(unicode.M, r):
			// vowel signs and tone marks: dropped on both sides
		default:
			flush(true)
			b.WriteRune(r)
		}
	}
	flush(tail)
	return b.String()
}

// phrases turns the words of a query into full-text phrases, always quoted, so
// that no character of a query is ever syntax.
func phrases(words []string) []string {
	var out []string
	for _, w := range words {
		if !strings.ContainsFunc(w, searchable) {
			continue
		}
		p := `"` + strings.ReplaceAll(strings.ReplaceAll(strings.TrimSpace(spread(w, false)), `"`, `""`), "\x00", " ") + `"`
		if r := []rune(w); isJoined(r[len(r)-1]) && single(r) {
			p += " *" // one character begins the pair it stands in
		}
		if !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}

func searchable(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// single tells whether the word ends in a run of one joined character.
func single(r []rune) bool { return len(r) == 1 || !isJoined(r[len(r)-2]) }
