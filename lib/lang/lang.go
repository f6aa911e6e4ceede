// Package lang tells which language a piece of text is in, by its script and
// its function words. It knows the languages of [Tags] and guesses no other.
package lang

import (
	"unicode"
	"unicode/utf8"
)

// Tags are the languages that are told apart, as BCP 47 tags.
var Tags = []string{"en", "es", "pt", "fr", "de", "it", "nl", "pl", "tr", "ru", "uk", "ja", "zh", "ko"}

// maxLook is how many bytes of a text are looked at; more changes no answer.
const maxLook = 600

// Of is the language of text, or "" when it cannot be told: too short, or made
// of names and numbers only.
func Of(text string) string {
	s := count(text)
	if tag := s.byScript(); tag != "" {
		return tag
	}
	if s.latin < 4 {
		return ""
	}
	return s.byWords()
}

// Dense tells whether a language is written without spaces between words, so
// that length is counted in characters.
func Dense(tag string) bool { return tag == "ja" || tag == "zh" || tag == "ko" }

// Letter tells whether r is a letter of a script that needs no spaces.
func Letter(r rune) bool {
	return r >= 0x1100 && (isHan(r) || isKana(r) || isHangul(r))
}

func isHan(r rune) bool {
	return r >= 0x4E00 && r <= 0x9FFF || r >= 0x3400 && r <= 0x4DBF || r == '々' || r >= 0x20000 && r <= 0x3FFFF
}

func isKana(r rune) bool {
	return r >= 0x3041 && r <= 0x30FF && r != '・' || r >= 0xFF66 && r <= 0xFF9D
}

func isHangul(r rune) bool { return r >= 0xAC00 && r <= 0xD7A3 || r >= 0x1100 && r <= 0x11FF }

type stats struct {
	kana, han, hangul, cyrillic, latin int
	ukrainian, russian                 int // letters that only one of them has
	votes                              [len(latinTags)]int
}

func count(text string) *stats {
	s := &stats{}
	if len(text) > maxLook {
		text = text[:maxLook]
	}
	known := table()
	for i := 0; i < len(text); {
		if text[i] < utf8.RuneSelf {
			i = s.plain(known, text, i)
			continue
		}
		i = s.word(known, text, i)
	}
	return s
}

// plain counts one byte, or one word that begins at i when it is all ASCII.
func (s *stats) plain(known *words, text string, i int) int {
	from, k := i, uint64(0)
	for ; i < len(text); i++ {
		c := text[i] | 0x20
		if c < 'a' || c > 'z' {
			break
		}
		k = k<<8 | uint64(c)
	}
	switch {
	case i < len(text) && text[i] >= utf8.RuneSelf:
		return s.word(known, text, from)
	case i == from:
		return i + 1
	case i-from <= maxWord:
		s.add(known.find(k).set)
	}
	s.latin += i - from
	return i
}

// word counts the word that begins at i, or one character that begins none.
func (s *stats) word(known *words, text string, i int) int {
	for n, r := range text[i:] {
		if !isLetter(r) {
			if n == 0 {
				s.script(r)
				_, size := utf8.DecodeRuneInString(text[i:])
				return i + size
			}
			s.vote(known, text[i:i+n])
			return i + n
		}
		s.script(r)
	}
	s.vote(known, text[i:])
	return len(text)
}

func isLetter(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r|0x20 && r|0x20 <= 'z'
	}
	return unicode.IsLetter(r)
}

func (s *stats) script(r rune) {
	switch {
	case r < utf8.RuneSelf:
		if 'a' <= r|0x20 && r|0x20 <= 'z' {
			s.latin++
		}
	case r >= 0xC0 && r < 0x250:
		s.latin++
		s.mark(r)
	case isKana(r):
		s.kana++
	case isHan(r):
		s.han++
	case isHangul(r):
		s.hangul++
	case r >= 0x400 && r < 0x530:
		s.cyrillic++
		switch unicode.ToLower(r) {
		case 'і', 'ї', 'є', 'ґ':
			s.ukrainian++
		case 'ы', 'э', 'ё', 'ъ':
			s.russian++
		}
	}
}

// byScript answers for scripts of one language. Identifiers and loan words are
// in Latin letters everywhere, so a fifth of the letters is enough.
func (s *stats) byScript() string {
	dense := s.kana + s.han + s.hangul
	switch all := dense + s.cyrillic + s.latin; {
	case dense*5 >= all && dense > 0 && s.hangul*2 >= dense:
		return "ko"
	case dense*5 >= all && dense > 0 && s.kana*12 >= dense:
		return "ja"
	case dense*5 >= all && dense > 0:
		return "zh"
	case s.cyrillic*5 >= all && s.cyrillic > 0 && s.ukrainian > s.russian:
		return "uk"
	case s.cyrillic*5 >= all && s.cyrillic > 0:
		return "ru"
	}
	return ""
}

func (s *stats) byWords() string {
	best, second := 0, -1
	for i := 1; i < len(s.votes); i++ {
		switch {
		case s.votes[i] > s.votes[best]:
			best, second = i, best
		case second < 0 || s.votes[i] > s.votes[second]:
			second = i
		}
	}
	if s.votes[best] == 0 || s.votes[best] == s.votes[second] {
		return ""
	}
	return latinTags[best]
}
