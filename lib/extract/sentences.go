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
		end := at + strings.IndexByte(text[at:], '\n')
		if end < at {
			end = len(text)
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
	if s.code(line) || line[0] == '>' || line[0] == '|' || isLog(line) {
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
	if colon && s.alien(line) {
		s.paste, kind = true, foreign
	} else if colon && kind == prose {
		kind = heading
	}
	return s.sentences(out, start, end, kind, label)
}

// code tells whether a line belongs to a code block or a markup block.
func (s *splitter) code(line string) bool {
	if s.fence != "" {
		if strings.HasPrefix(line, s.fence) && strings.Trim(line, s.fence[:1]) == "" {
			s.fence = ""
		}
		return true
	}
	if s.tag != "" {
		if strings.Contains(line, s.tag) {
			s.tag = ""
		}
		return true
	}
	if strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") {
		s.fence = line[:3]
		return true
	}
	if name := openTag(line); name != "" {
		if close := "</" + name; !strings.Contains(line, close) {
			s.tag = close
		}
		return true
	}
	return false
}

// openTag is the name of the element that a line begins, or "".
func openTag(line string) string {
	if len(line) < 3 || line[0] != '<' || line[1]|0x20 < 'a' || line[1]|0x20 > 'z' {
		return ""
	}
	end := strings.IndexAny(line, "> ")
	if end < 0 || !strings.Contains(line, ">") || strings.ContainsAny(line[1:end], "@:/.") {
		return ""
	}
	return line[1:end]
}

// isLog tells whether a line looks printed by a program rather than written.
func isLog(line string) bool {
	switch line[0] {
	case '$', '{', '}', '+', '@', '%', ';':
		return len(line) < 2 || line[1] == ' ' || line[1] == '"' || line[1] == '@'
	}
	if strings.HasPrefix(line, "at ") && strings.Contains(line, "(") || strings.HasPrefix(line, "diff --git") {
		return true
	}
	head := line[:min(len(line), 40)]
	for _, level := range [...]string{"ERROR", "WARN", "WARNING", "INFO", "DEBUG", "FATAL", "Traceback", "panic: ", "FAIL", "FAILED", "--- "} {
		i := strings.Index(head, level)
		if i >= 0 && (i == 0 || head[0] == '[' || head[0] >= '0' && head[0] <= '9') && !inside(line, i+len(level)) {
			return true
		}
	}
	return stamped(line)
}

// stamped tells whether a line begins with a date or a time of day with seconds.
func stamped(line string) bool {
	line = strings.TrimPrefix(line, "[")
	shape := func(p string) bool {
		if len(line) < len(p) {
			return false
		}
		for i := range len(p) {
			if digit := line[i] >= '0' && line[i] <= '9'; p[i] == '9' != digit || p[i] != '9' && p[i] != line[i] {
				return false
			}
		}
		return true
	}
	return shape("9999-99-99") || shape("99:99:99")
}

// marker is the length of a list marker and its label.
func marker(line string) (n int, label rune) {
	for _, bullet := range [...]string{"- [ ] ", "- [x] ", "- ", "* ", "• ", "+ ", "・", "– ", "— "} {
		if strings.HasPrefix(line, bullet) {
			n = len(bullet)
			break
		}
	}
	bold := n
	for bold < len(line) && line[bold] == '*' {
		bold++
	}
	m, label := enumerator(line[bold:])
	if m == 0 {
		return n, 0
	}
	m += bold
	for bold > n && m < len(line) && line[m] == '*' {
		m++
	}
	return m, label
}

// enumerator reads "1. ", "2) ", "(b) ", "c) ", "A: " and the like.
func enumerator(s string) (n int, label rune) {
	i := 0
	if strings.HasPrefix(s, "(") {
		i = 1
	}
	j := i
	for j < len(s) && j < i+3 && (s[j] >= '0' && s[j] <= '9' || j == i && s[j]|0x20 >= 'a' && s[j]|0x20 <= 'z') {
		j++
	}
	if s[i:min(j+1, len(s))] == "ii)" {
		j = i + 2
	}
	if j == i || j >= len(s) {
		return 0, 0
	}
	letter := s[i] > '9'
	switch c := s[j]; {
	case c == ')':
	case (c == '.' || c == ':') && i == 0 && j+1 < len(s) && (s[j+1] == ' ' || s[j+1] == '*') && (!letter || c == ':' || s[i] < 'a'):
	default:
		return 0, 0
	}
	label = unicode.ToLower(rune(s[i]))
	if !letter && j-i > 1 {
		label = 0 // no list worth choosing from has ten entries
	}
	return j + 1, label
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
