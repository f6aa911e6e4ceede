package ground

import "strings"

// alternatives are the expressions that a pattern chooses between, in order:
// those of a|b or (?:a|b), and of these ab? as ab and a.
func alternatives(src string) []string {
	parts := atBars(src)
	if len(parts) == 1 && strings.HasPrefix(src, "(?:") && closing(src, 0) == len(src)-1 {
		parts = atBars(src[len("(?:") : len(src)-1])
	}
	var out []string
	for _, p := range parts {
		out = append(out, optional(p)...)
	}
	return out
}

// atBars cuts an expression at the bars that stand in no group.
func atBars(src string) []string {
	var out []string
	start := 0
	for i := 0; i < len(src); i++ {
		switch src[i] {
		case '\\':
			i++
		case '(', '[':
			i = closing(src, i)
		case '|':
			out = append(out, src[start:i])
			start = i + 1
		}
	}
	return append(out, src[start:])
}

// closing is where the group or class that opens at i ends, or the last byte.
func closing(src string, i int) int {
	if src[i] == '[' {
		if n := strings.IndexByte(src[i+1:], ']'); n >= 0 {
			return i + 1 + n
		}
		return len(src) - 1
	}
	for depth := 0; i < len(src); i++ {
		switch src[i] {
		case '\\':
			i++
		case '[':
			i = closing(src, i)
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(src) - 1
}

// optional spells out one optional ASCII letter in what is otherwise a word.
func optional(src string) []string {
	before, after, found := strings.Cut(src, "?")
	n := len(before) - 1
	if !found || n < 1 || before[n] < 'a' || before[n] > 'z' || !literal(before+after) {
		return []string{src}
	}
	return []string{before + after, before[:n] + after}
}

// literal tells whether an expression matches itself alone.
func literal(src string) bool { return src != "" && !strings.ContainsAny(src, `\.+*?()|[]{}^$`) }

// longestPiece is the longest part of a text that holds no blank and no
// apostrophe.
func longestPiece(text string) string {
	longest := ""
	for piece := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(" \t'’", r) }) {
		if len(piece) > len(longest) {
			longest = piece
		}
	}
	return longest
}
