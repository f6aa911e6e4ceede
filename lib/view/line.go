package view

import (
	"strings"
	"unicode"

	"daimon/lib/doc"
)

// Line folds a stored text to one printable line: white space and line breaks
// of every kind to one space, control characters, direction overrides and the
// invisible tag block out. A fence line that stands inside it is broken up, so
// that no stored text can open or close a fence, and so is the bracket of what
// looks like a mark, a tag or a handle of Daimon's.
func Line(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	gap := false
	for _, r := range s {
		switch {
		case unicode.IsSpace(r), r == 0x2028, r == 0x2029:
			gap = true
			continue
		case unseen(r):
			continue
		case gap && b.Len() > 0:
			b.WriteByte(' ')
		}
		gap = false
		b.WriteRune(r)
	}
	return untag(unfence(b.String()))
}

// unseen leaves joiners alone: Indic and Persian spelling and emoji need them.
func unseen(r rune) bool {
	return unicode.IsControl(r) || r == 0xFEFF || r == 0x200B || r == 0x2060 ||
		r == 0x200E || r == 0x200F || r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 ||
		r >= 0xE0000 && r <= 0xE007F
}

// fences are what marks text as Daimon's own; the first space of each is
// replaced where a stored text says the same.
var fences = strings.NewReplacer("DAIMON BRIEFING", "DAIMON-BRIEFING", "daimon recall: prior work", "daimon-recall: prior work")

// tags are blocks in which a host or a hook hands over text.
var tags = []string{"system-reminder", "daimon-", "recalled-memory", "user-prompt-submit-hook", "session-start-hook"}

func unfence(s string) string {
	s = fences.Replace(s)
	if !strings.Contains(s, "<") {
		return s
	}
	low := asciiLower(s)
	var out strings.Builder
	for i := range len(s) {
		if s[i] == '<' && opensTag(low[i+1:]) {
			out.WriteString("‹")
			continue
		}
		out.WriteByte(s[i])
	}
	return out.String()
}

func opensTag(rest string) bool {
	rest = strings.TrimLeft(rest, "/ ")
	for _, t := range tags {
		if strings.HasPrefix(rest, t) {
			return true
		}
	}
	return false
}

// asciiLower keeps every byte's place, which strings.ToLower does not.
func asciiLower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// Mark is the trust tag of an item.
func Mark(trust string) string {
	switch trust {
	case doc.Verbatim:
		return "[✓ verbatim]"
	case "":
		return "[? untagged]"
	}
	return "[~ inferred]"
}
