package extract

import (
	"strings"
	"unicode/utf8"
)

// quoted tells whether a sentence that a user wrote is mainly somebody else's:
// a quotation takes most of it, or it names a source before a colon or before a
// quotation.
func quoted(s *sentence) bool {
	inside, words := quotation(s.text)
	switch {
	case words >= 3 && inside*2 > utf8.RuneCountInString(s.text):
		return true
	case words >= 3 && s.has(cueSource):
		return true
	case s.has(cueSource):
		colon := strings.Index(s.folded, ": ")
		return colon > int(s.first[cueSource]) && colon < len(s.text)*2/3
	}
	return false
}

// quotation measures what stands in quotation marks: characters, and words
// (pairs of characters where words are not set apart).
func quotation(s string) (chars, words int) {
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		i += n
		c := closer(r)
		if c == 0 || c == '`' || !opens(s[:i-n], 0) {
			continue
		}
		end := strings.IndexRune(s[i:], c)
		if r == '„' && end < 0 {
			end = strings.IndexRune(s[i:], '“')
		}
		if end < 0 {
			continue
		}
		in := s[i : i+end]
		chars += utf8.RuneCountInString(in)
		if w := len(strings.Fields(in)); w > 1 || r < 0x2E80 {
			words += w
		}
		if r == '「' || r == '『' || strings.IndexFunc(in, func(r rune) bool { return r >= 0x2E80 }) >= 0 {
			words = max(words, utf8.RuneCountInString(in)/3)
		}
		i += end + utf8.RuneLen(c)
	}
	return chars, words
}
