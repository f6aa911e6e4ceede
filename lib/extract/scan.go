package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// signs is what a lexicon found in a sentence: how often each cue, and where
// first.
type signs struct {
	n     [cues]uint8
	first [cues]uint16 // byte place of the first, meaningful when n > 0
	after [cues]uint16 // and where it ends
}

// maxScan is how much of a sentence is searched; none so long is kept.
const maxScan = 4 * maxRunes

func (g *signs) has(c cue) bool { return g.n[c] > 0 }

// any tells whether one of the cues is there.
func (g *signs) any(list ...cue) bool {
	for _, c := range list {
		if g.n[c] > 0 {
			return true
		}
	}
	return false
}

// opens tells whether the cue stands at the beginning, after at most a filler.
func (g *signs) opens(c cue) bool { return g.n[c] > 0 && g.first[c] <= g.lead() }

func (g *signs) lead() uint16 {
	if g.n[cueFiller] > 0 && g.first[cueFiller] <= 1 {
		return g.after[cueFiller] + 2
	}
	return 1
}

// scan finds the cues of a folded text. A phrase begins at a word's beginning
// and, unless it is open, ends at a word's end.
func (l *lexicon) scan(s string) signs { return l.search(s, false) }

// search is scan; anywhere lets phrases for a clause's beginning stand elsewhere.
func (l *lexicon) search(s string, anywhere bool) (g signs) {
	s = s[:min(len(s), maxScan)]
	clause := true
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if !wordRune(r) {
			clause = clause || endsClause(r)
			i += n
			continue
		}
		end := i + n
		switch {
		case !l.dense:
			end = wordEnd(s, end)
		case r < utf8.RuneSelf:
			for end < len(s) && s[end] < utf8.RuneSelf && asciiWord[s[end]] {
				end++
			}
		}
		filler := l.at(s, i, end, clause || anywhere, &g)
		clause = clause && filler
		i = end
	}
	return g
}

// endsClause tells whether a mark ends a clause.
func endsClause(r rune) bool {
	switch r {
	case ',', ';', ':', '.', '!', '?', '-', '–', '—', '\n', ')', '、', '。', '，', '：', '；', '！', '？':
		return true
	}
	return false
}

// at notes every phrase that begins at i, where a word that ends at end begins,
// and tells whether one is a filler.
func (l *lexicon) at(s string, i, end int, clause bool, g *signs) (filler bool) {
	if l.may[slot(s[i:end])] {
		filler = l.match(l.words[s[i:end]], s, i, clause, g)
	}
	if len(l.heads) == 0 {
		return filler
	}
	if !l.mayHead[s[i]] {
		return filler
	}
	h := head(s[i:])
	filler = l.match(l.heads[h], s, i, clause, g) || filler
	if h[1] != 0 {
		filler = l.match(l.heads[[2]rune{h[0], 0}], s, i, clause, g) || filler
	}
	return filler
}

// slot is where a lexicon notes that it knows a word like w, so that most words
// need no look-up.
func slot(w string) int { return (int(w[0])*37 + int(w[len(w)-1])*11 + len(w)) & (slots - 1) }

const slots = 1 << 12

func (l *lexicon) match(list []phrase, s string, i int, clause bool, g *signs) (filler bool) {
	for k := range list {
		p := &list[k]
		if p.start && !clause || !strings.HasPrefix(s[i:], p.text) || !p.open && inside(s, i+len(p.text)) {
			continue
		}
		if p.then != "" && !follows(s[i+len(p.text):], p.then, p.open) {
			continue
		}
		if g.n[p.cue] == 0 {
			g.first[p.cue], g.after[p.cue] = uint16(i), uint16(i+len(p.text))
		}
		g.n[p.cue] = min(g.n[p.cue]+1, 250)
		filler = filler || p.cue == cueFiller
	}
	return filler
}

// follows tells whether words stand in what is left of a clause, whole unless
// open.
func follows(rest, words string, open bool) bool {
	rest = rest[:clauseEnd(rest)]
	i := strings.Index(rest, words)
	if i < 0 || open {
		return i >= 0
	}
	before, _ := utf8.DecodeLastRuneInString(rest[:i])
	return !wordRune(before) && !inside(rest, i+len(words))
}

// clauseEnd is where the first clause of s ends.
func clauseEnd(s string) int {
	if i := strings.IndexFunc(s, func(r rune) bool { return r != '-' && endsClause(r) }); i >= 0 {
		return i
	}
	return len(s)
}

func inside(s string, i int) bool {
	if i >= len(s) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(s[i:])
	return wordRune(r)
}

// wordRune tells whether r is part of a word: a letter, a digit, a mark or _.
func wordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return asciiWord[r]
	}
	switch {
	case r >= 0xC0 && r < 0x250:
		return r != '×' && r != '÷'
	case r >= 0x400 && r < 0x482, r >= 0x3041 && r <= 0x3096, r >= 0x30A1 && r <= 0x30FA, r >= 0x4E00 && r <= 0x9FFF, r >= 0xAC00 && r <= 0xD7A3:
		return true // what most text is made of
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r)
}

var asciiWord = func() (t [utf8.RuneSelf]bool) {
	for _, r := range "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_" {
		t[r] = true
	}
	return t
}()
