package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The kinds of block a sentence may stand in.
type block uint8

const (
	prose   block = iota
	item          // a list item
	heading       // a line that announces what follows
	foreign       // somebody else's words: a paste or a quotation
)

// span is one sentence of a text: text[start:end], without surrounding space,
// list markers or emphasis.
type span struct {
	start, end int
	kind       block
	label      rune // of a list item: '1'…, 'a'…; 0 for a bullet
	line       int  // counted from 0
}

// maxRunes is how long a sentence may be; a longer one is passed over rather
// than cut, since a cut sentence may say the opposite.
const maxRunes = 300

// split finds the sentences of a text that somebody said in it. Code blocks,
// quoted lines, tables, log lines and markup are left out; a pasted paragraph
// comes as foreign. alien tells whether a line ending in a colon announces one.
func split(text string, alien func(line string) bool) []span {
	var out []span
	s := splitter{text: text, alien: alien}
	for at := 0; at < len(text); s.n++ {
		end := lineEnd(text, at)
		if s.fence == "" && s.tag == "" {
			end = wrapped(text, at, end)
		}
		out = s.line(out, at, end)
		at = end + 1
	}
	return out
}

type splitter struct {
	text  string
	alien func(string) bool
	n     int
	fence string // the fence that ends the code block, "" outside one
	tag   string // the closing tag of a markup block
	paste bool   // in a paragraph of somebody else's
}

func (s *splitter) line(out []span, start, end int) []span {
	start, end = trim(s.text, start, end)
	line := s.text[start:end]
	if line == "" {
		s.paste = false
		return out
	}
	if s.code(line) || line[0] == '>' {
		s.paste = false // the paste was set apart after all
		return out
	}
	if line[0] == '|' || isLog(line) {
		return out
	}
	kind, label := prose, rune(0)
	if line[0] == '#' {
		kind = heading
	}
	if n, l := marker(line); n > 0 {
		kind, label = item, l
		start, end = trim(s.text, start+n, end)
	}
	if s.paste {
		kind = foreign
	}
	colon := strings.HasSuffix(strings.TrimRight(line, "*_ "), ":") || strings.HasSuffix(line, "：")
	if colon && kind == prose {
		kind = heading
	}
	from := len(out)
	if out = s.sentences(out, start, end, kind, label); !colon || len(out) == from {
		return out
	}
	for i := from; i < len(out)-1 && kind == heading; i++ {
		out[i].kind = prose // only the last sentence announces
	}
	if last := &out[len(out)-1]; s.alien(s.text[last.start:last.end]) {
		s.paste, last.kind = true, foreign
	}
	return out
}

// trim narrows text[start:end] to what is neither space nor emphasis nor a
// heading mark.
func trim(text string, start, end int) (int, int) {
	for start < end {
		r, n := utf8.DecodeRuneInString(text[start:end])
		if !unicode.IsSpace(r) {
			break
		}
		start += n
	}
	for start < end {
		r, n := utf8.DecodeLastRuneInString(text[start:end])
		if !unicode.IsSpace(r) {
			break
		}
		end -= n
	}
	return start, end
}

// sentences appends the sentences of one line.
func (s *splitter) sentences(out []span, start, end int, kind block, label rune) []span {
	text, from, depth := s.text, start, 0
	closes := rune(0)
	for i := start; i < end; {
		if c := text[i]; c < utf8.RuneSelf && (asciiWord[c] || c == ' ') {
			i++ // most of any text
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:end])
		i += n
		switch {
		case closes != 0:
			if r == closes {
				closes = 0
			}
			if closes != 0 || !endsInside(text[from:i], n) {
				continue
			}
		case closer(r) != 0 && opens(text[:i-n], start):
			if c := closer(r); strings.ContainsRune(text[i:min(end, i+maxRunes*3)], c) {
				closes = c
			}
			continue
		case r == '(' || r == '（':
			depth++
			continue
		case r == ')' || r == '）':
			depth = max(0, depth-1)
			continue
		case depth > 0 || !ends(text, from, i, end, r):
			continue
		}
		if i < end && !breaks(text, i, end) {
			continue
		}
		out = s.add(out, from, i, kind, label)
		from, depth = i, 0
	}
	return s.add(out, from, end, kind, label)
}

func (s *splitter) add(out []span, start, end int, kind block, label rune) []span {
	start, end = trim(s.text, start, end)
	for _, dash := range [...]string{"— ", "– ", "- "} {
		if strings.HasPrefix(s.text[start:end], dash) {
			start, end = trim(s.text, start+len(dash), end)
		}
	}
	if start < end {
		out = append(out, span{start, end, kind, label, s.n})
	}
	return out
}

// closer is the mark that closes a quotation begun by r, or 0.
func closer(r rune) rune {
	switch r {
	case '"':
		return '"'
	case '“', '„':
		return '”'
	case '«':
		return '»'
	case '「':
		return '」'
	case '『':
		return '』'
	case '`':
		return '`'
	}
	return 0
}

// opens tells whether a quotation mark after before may open one.
func opens(before string, start int) bool {
	if len(before) <= start {
		return true
	}
	r, _ := utf8.DecodeLastRuneInString(before)
	return !unicode.IsLetter(r) || r >= 0x2E80
}

// endsInside tells whether a quotation that has just closed ended in a full stop.
func endsInside(s string, n int) bool {
	r, _ := utf8.DecodeLastRuneInString(s[:len(s)-n])
	return strings.ContainsRune(".!?…。！？", r)
}

// ends tells whether the mark r just before i may end the sentence that began
// at from.
func ends(text string, from, i, end int, r rune) bool {
	switch r {
	case '。', '！', '？':
		return true
	case '!', '?', '…':
		return true
	case '.':
		return !abbreviation(text[from:i-1]) && !strings.HasSuffix(text[from:i-1], ".")
	}
	return false
}

// breaks tells whether what follows a full stop begins something new.
func breaks(text string, i, end int) bool {
	r, _ := utf8.DecodeRuneInString(text[i:end])
	last, _ := utf8.DecodeLastRuneInString(text[:i])
	if strings.ContainsRune("。！？", last) {
		return !strings.ContainsRune("。！？」』）)", r)
	}
	return unicode.IsSpace(r)
}

// abbreviation tells whether the word that a full stop follows is one.
func abbreviation(s string) bool {
	s = s[max(0, len(s)-24):] // none is longer
	word := s[strings.LastIndexAny(s, " (\u00a0")+1:]
	if n := utf8.RuneCountInString(word); n == 1 {
		r, _ := utf8.DecodeRuneInString(word)
		return unicode.IsLetter(r) && r < 0x2E80 && (unicode.IsUpper(r) || s == word)
	}
	switch strings.ToLower(word) {
	case "e.g", "i.e", "z.b", "d.h", "u.a", "o.ä", "bzw", "ca", "vs", "mr", "mrs", "ms", "dr", "prof", "st", "nr", "no", "etc", "approx", "resp",
		"p.ej", "sr", "sra", "mme", "m", "cf", "p.ex", "np", "tj", "itd", "т.е", "т.д", "т.п", "напр", "inc", "fig", "eq", "sec", "dott", "sig", "bv", "o.a", "vb", "evtl", "ggf", "inkl", "usw":
		return strings.ToLower(word) != "no" && strings.ToLower(word) != "m"
	}
	return false
}
