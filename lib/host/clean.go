package host

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// The caps on what a message carries, in bytes.
const (
	outputHead = 2 << 10 // of a tool's output: its start
	outputTail = 6 << 10 // and its end, where results stand
	inputHead  = 3 << 10
	inputTail  = 1 << 10
	textHead   = 768 << 10 // of what somebody said
	textTail   = 256 << 10
	rawInput   = 64 << 10 // of a tool's input: what is looked at for secrets at all
	rawOutput  = 1 << 20  // of a tool's output: what is looked at for secrets at all
)

// clip is the start of s, at most n bytes, cut between characters.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// shorten keeps the start and the end of a long text, with a line that says
// what is missing, and returns the number of bytes dropped.
func shorten(s string, head, tail int) (string, int) {
	if len(s) <= head+tail {
		return s, 0
	}
	start := clip(s, head)
	from := len(s) - tail
	for from < len(s) && !utf8.RuneStart(s[from]) {
		from++
	}
	dropped := from - len(start)
	return fmt.Sprintf("%s\n[… %d bytes cut …]\n%s", start, dropped, s[from:]), dropped
}

// clean removes what is not text: terminal escapes, NULs, data URLs and long
// runs of base64.
func clean(s string) string {
	if strings.IndexByte(s, 0) >= 0 {
		s = strings.ReplaceAll(s, "\x00", "")
	}
	return dropData(dropEscapes(s))
}

func dropEscapes(s string) string {
	i := strings.IndexByte(s, 0x1b)
	if i < 0 {
		return s
	}
	var b strings.Builder
	for ; i >= 0; i = strings.IndexByte(s, 0x1b) {
		b.WriteString(s[:i])
		s = s[i+escapeLen(s[i:]):]
	}
	b.WriteString(s)
	return b.String()
}

// escapeLen is the length of the terminal escape at the start of s.
func escapeLen(s string) int {
	if len(s) < 2 {
		return len(s)
	}
	switch s[1] {
	case '[': // CSI: parameters, then a letter
		for i := 2; i < len(s); i++ {
			if s[i] >= 0x40 && s[i] <= 0x7e {
				return i + 1
			}
			if s[i] < 0x20 {
				return i
			}
		}
		return len(s)
	case ']', 'P', '^', '_': // a string up to BEL or ESC \
		for i := 2; i < len(s) && i < 4096; i++ {
			if s[i] == 7 {
				return i + 1
			}
			if s[i] == 0x1b {
				return min(i+2, len(s))
			}
			if s[i] == '\n' {
				return i
			}
		}
		return 2
	case '(', ')', '#', '%':
		return min(3, len(s))
	}
	if s[1] >= 0x80 {
		return 1
	}
	return 2
}

const longRun = 200 // bytes of base64 that no text has

// dropData replaces data URLs and base64 runs by a short note.
func dropData(s string) string {
	if len(s) < longRun && !strings.Contains(s, "data:") {
		return s
	}
	var b strings.Builder
	kept := 0
	for i := 0; i < len(s); {
		n, note := 0, ""
		if s[i] == 'd' && strings.HasPrefix(s[i:], "data:") {
			n, note = dataURL(s[i:])
		}
		if n == 0 {
			run := runLen(s[i:])
			if run <= longRun || !looksEncoded(s[i:i+run]) {
				i += max(run, 1)
				continue
			}
			n, note = run, fmt.Sprintf("[base64: %d bytes]", run)
		}
		b.WriteString(s[kept:i])
		b.WriteString(note)
		i += n
		kept = i
	}
	if kept == 0 {
		return s
	}
	b.WriteString(s[kept:])
	return b.String()
}

// dataURL is the length of the data URL at the start of s, or 0.
func dataURL(s string) (int, string) {
	head := s[:min(len(s), 120)]
	comma := strings.IndexByte(head, ',')
	if comma < 0 {
		return 0, ""
	}
	kind, _, _ := strings.Cut(head[len("data:"):comma], ";")
	if strings.Count(kind, "/") != 1 || strings.ContainsAny(head[:comma], " \t\n\"'<>") {
		return 0, ""
	}
	end := comma + 1
	for end < len(s) && s[end] > ' ' && s[end] < 0x7f && strings.IndexByte("\"'<>)]}`\\", s[end]) < 0 {
		end++
	}
	return end, "[data: " + kind + "]"
}

// runLen is the length of the base64 run at the start of s. It stops before
// "data:" so that a URL right behind a word is seen.
func runLen(s string) int {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '+' || c == '/' || c == '=' || c == '-' || c == '_') {
			return i
		}
		if c == 'd' && i > 0 && strings.HasPrefix(s[i:], "data:") {
			return i
		}
	}
	return len(s)
}

// looksEncoded tells a run of base64 from a ruler, a path or a long name.
func looksEncoded(run string) bool {
	var upper, lower, digit int
	for i := 0; i < len(run); i++ {
		switch c := run[i]; {
		case c >= 'A' && c <= 'Z':
			upper++
		case c >= 'a' && c <= 'z':
			lower++
		case c >= '0' && c <= '9':
			digit++
		}
	}
	few := len(run) / 25
	return upper > few && lower > few && digit > few
}
