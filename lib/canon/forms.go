package canon

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bare is the canonical form without what stands at its edges and says nothing:
// white space, quotation and sentence marks, brackets, list marks. A text of
// nothing else stays as it is. Bare(Bare(s)) == Bare(s).
func Bare(s string) string { return bare(Text(s)) }

func bare(c string) string {
	out := c
	for {
		next := unmarked(out)
		if next == out {
			next = strings.TrimFunc(out, edge)
		}
		if next == "" {
			return c
		}
		if next == out {
			return out
		}
		out = next
	}
}

// edge leaves the marks that tell names and numbers apart, as in C#, @x, 5%.
func edge(r rune) bool {
	switch r {
	case '#', '%', '&', '@', '/', '\\':
		return false
	case '`', '|', '>', '^', '~':
		return true
	}
	return unicode.IsSpace(r) || unicode.IsPunct(r) || unicode.Is(unicode.So, r)
}

// unmarked takes one list mark off the start: "- ", "## ", "3) ", "[x] ".
func unmarked(s string) string {
	mark, rest, ok := strings.Cut(s, " ")
	switch {
	case !ok:
	case mark == "+", mark == "[x]", mark == "[" && strings.HasPrefix(rest, "]"), strings.Trim(mark, "#") == "":
		return rest
	case len(mark) > 1:
		if n := strings.TrimLeft(mark, "0123456789"); len(n) == 1 && (n == "." || n == ")") {
			return rest
		}
	}
	return s
}

// Matches tells whether a text is one of those whose keys has knows, or has one
// of them as a sentence; marks at the edges do not count. Blank text matches
// nothing.
func Matches(s string, has func(key string) bool) bool {
	c := Text(s)
	if c == "" {
		return false
	}
	if has(keyOf(c)) {
		return true
	}
	b := bare(c)
	if b != c && has(keyOf(b)) {
		return true
	}
	parts := sentences(s)
	if len(parts) < 2 {
		return false
	}
	for _, p := range parts {
		p = Text(p)
		if p == "" {
			continue
		}
		if b := bare(p); has(keyOf(p)) || b != p && has(keyOf(b)) {
			return true
		}
	}
	return false
}

// sentences cuts after line breaks and sentence ends. A full stop within a word,
// as in v1.2, ends nothing.
func sentences(s string) []string {
	var out []string
	from := 0
	for i, r := range s {
		next := i + utf8.RuneLen(r)
		switch {
		case r == utf8.RuneError:
			continue // perhaps one byte wide
		case strings.ContainsRune("\n\r\u2028\u2029。！？｡", r):
		case strings.ContainsRune(".!?…", r) && ends(s[next:]):
		default:
			continue
		}
		out = append(out, s[from:next])
		from = next
	}
	if strings.TrimSpace(s[from:]) != "" {
		out = append(out, s[from:])
	}
	return out
}

func ends(rest string) bool {
	r, _ := utf8.DecodeRuneInString(rest)
	return rest == "" || unicode.IsSpace(r) || unicode.In(r, unicode.Pe, unicode.Pf, unicode.Pi) || strings.ContainsRune("\"'*_`", r)
}
