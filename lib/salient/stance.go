package salient

import (
	"slices"
	"strings"
	"unicode"

	"daimon/lib/lang"
)

// Stance is which way a text points: whether it denies, ends or replaces
// something, and what.
type Stance struct {
	ways  way
	focus []string // the content words that markers stand before
	words []string
}

type way uint8

const (
	denies way = 1 << iota
	ends
	replaces
)

// StanceOf reads the words of a text, in the languages that [lang.Of] knows, that
// turn a statement round. It knows words and no grammar.
func StanceOf(text string) Stance {
	var s Stance
	folded := fold(strings.ReplaceAll(text, "’", "'"))
	s.words = strings.FieldsFunc(folded, func(r rune) bool { return r != '\'' && r != '-' && !wordRune(r) })
	tag := language(text)
	known := markers()
	for i := 0; i < len(s.words); {
		w, n := known.at(s.words[i:], tag)
		if w == 0 {
			i++
			continue
		}
		s.ways |= w
		i += n
		if term := s.term(i); term != "" && !slices.Contains(s.focus, term) {
			s.focus = append(s.focus, term)
		}
	}
	if strings.IndexFunc(folded, spaceless) >= 0 {
		for _, m := range known.dense {
			if strings.Contains(folded, m.words[0]) {
				s.ways |= m.way
			}
		}
	}
	return s
}

// Opposes tells whether two texts point different ways, so that they are not
// one statement however many words they share: one denies, ends or replaces and
// the other does not, or each does so to what the other stands for (this, not
// that; that, not this). Any doubt is yes.
func (s Stance) Opposes(o Stance) bool {
	return s.ways != o.ways || s.turns(o) && o.turns(s)
}

// Opposed is [Stance.Opposes] for two texts.
func Opposed(a, b string) bool { return StanceOf(a).Opposes(StanceOf(b)) }

// turns tells whether s speaks against a word that o holds and does not speak against.
func (s Stance) turns(o Stance) bool {
	return slices.ContainsFunc(s.focus, func(f string) bool {
		return !slices.Contains(o.focus, f) && slices.Contains(o.words, f)
	})
}

// term is the first content word from place i on.
func (s Stance) term(i int) string {
	for _, w := range s.words[min(i, len(s.words)):] {
		if len([]rune(w)) >= minRunes && !stopwords()[w] {
			return w
		}
	}
	return ""
}

// language is the tag of a text, read once and only when asked for.
func language(text string) func() string {
	tag, read := "", false
	return func() string {
		if !read {
			tag, read = lang.Of(text), true
		}
		return tag
	}
}

// at is the way that the words beginning with words[0] point, and how many they are.
func (m *markerSet) at(words []string, tag func() string) (way, int) {
	word := strings.Trim(words[0], "'-")
	for _, p := range m.byWord[word] {
		if len(p.words) <= len(words) && slices.Equal(p.words[1:], words[1:len(p.words)]) && p.counts(tag) {
			return p.way, len(p.words)
		}
	}
	switch {
	case strings.HasSuffix(word, "n't"), strings.HasPrefix(word, "n'") && tag() == "fr":
		return denies, 1
	case strings.IndexFunc(word, unicode.IsLetter) >= 0 && tag() == "tr" && hasEnding(word):
		return denies, 1
	}
	return 0, 0
}

func hasEnding(word string) bool {
	return slices.ContainsFunc(turkishDenials(), func(e string) bool { return strings.Contains(word, e) })
}

// counts tells whether a marker is one in this language. In a text of no known
// language every word counts.
func (m marker) counts(tag func() string) bool {
	if m.in == nil {
		return true
	}
	t := tag()
	return t == "" || slices.Contains(m.in, t)
}
