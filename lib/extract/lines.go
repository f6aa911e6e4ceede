package extract

import (
	"strings"
	"unicode"
)

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
