// Package lang tells which language a piece of text is in, by its script and
// its function words. It knows the languages of [Tags] and guesses no other.
package lang

import (
	"sync"
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
	known := functionWords()
	start := -1
	for i, r := range text {
		s.script(r)
		switch letter := unicode.IsLetter(r); {
		case letter && start < 0:
			start = i
		case !letter && start >= 0:
			s.vote(known, text[start:i])
			start = -1
		}
	}
	if start >= 0 {
		s.vote(known, text[start:])
	}
	return s
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

func (s *stats) vote(known map[string]uint16, word string) {
	if len(word) > 8 {
		return
	}
	var buf [16]byte
	low := buf[:0]
	for _, r := range word {
		low = utf8.AppendRune(low, unicode.ToLower(r))
	}
	set := known[string(low)]
	for i := 0; set != 0; i, set = i+1, set>>1 {
		if set&1 != 0 {
			s.votes[i] += 2
		}
	}
}

// functionWords maps a word to the set of languages that use it.
var functionWords = sync.OnceValue(func() map[string]uint16 {
	m := make(map[string]uint16, 600)
	for i, words := range latinWords {
		start := -1
		for j := 0; j <= len(words); j++ {
			if j < len(words) && words[j] != ' ' && words[j] != '\n' {
				if start < 0 {
					start = j
				}
			} else if start >= 0 {
				m[words[start:j]] |= 1 << i
				start = -1
			}
		}
	}
	return m
})

// Function tells whether a lower-case word is a function word of some language
// in Latin letters, so that two texts sharing it have nothing in common yet.
func Function(word string) bool { return functionWords()[word] != 0 }
