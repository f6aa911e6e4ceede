// Package own recognises Daimon's own words: text it put into a session, and
// commands that make it speak. What Daimon said is never evidence of anything.
package own

import "strings"

// The marks of Daimon's injected text. A briefing runs from a BriefingHead to
// a line that holds only BriefingEnd; a recall line starts with RecallHead.
const (
	BriefingHead = "DAIMON BRIEFING ("
	BriefingEnd  = "END OF DAIMON BRIEFING"
	RecallHead   = "daimon recall: prior work —"
)

const (
	anyBriefing = "DAIMON BRIEFING " // older heads have no bracket after it
	recallWords = "daimon recall: prior work "
	reminder    = "system-reminder"
)

// blocks are the tags in which hooks hand over recalled text. They count only
// at the start of a line, so that a sentence may name them.
var blocks = []string{"recalled-memory", "daimon-briefing", "daimon-recall", "user-prompt-submit-hook", "session-start-hook"}

// Marked tells whether s holds Daimon's own marks: a briefing, a recall line or
// the line of an item.
func Marked(s string) bool {
	if i := findBriefing(s, 0); i >= 0 {
		return true
	}
	if i, _ := findItem(s, 0); i >= 0 {
		return true
	}
	i, _ := findRecall(s, 0)
	return i >= 0
}

// StripText removes injected text from one message: reminder blocks, recalled
// blocks, recall lines, briefings, and lines of items that somebody copied out of
// one. removed tells whether there was any. A
// briefing without its end line takes the rest of the message, and so does an
// unclosed reminder that holds Daimon's marks; any other unclosed tag stays.
func StripText(s string) (clean string, removed bool) {
	if !suspicious(s) {
		return s, false
	}
	out := stripTag(s, reminder, true)
	for _, tag := range blocks {
		out = stripTag(out, tag, false)
	}
	out = cut(out, findRecall)
	out = cut(out, func(s string, from int) (int, int) {
		i := findBriefing(s, from)
		return i, briefingEnd(s, i)
	})
	out = cut(out, findItem)
	if out == s {
		return s, false
	}
	return strings.TrimSpace(out), true
}

func suspicious(s string) bool {
	return strings.Contains(s, anyBriefing) || strings.Contains(s, recallWords) || strings.IndexByte(s, '<') >= 0 ||
		nextMark(s, 0) >= 0
}

// cut removes each span that find reports, joining what is left with a space
// where the neighbours would otherwise run together.
func cut(s string, find func(s string, from int) (start, end int)) string {
	start, end := find(s, 0)
	if start < 0 {
		return s
	}
	var b strings.Builder
	for at := 0; ; {
		b.WriteString(s[at:start])
		if start > 0 && end < len(s) && !blank(s[start-1]) && !blank(s[end]) {
			b.WriteByte(' ')
		}
		at = end
		if start, end = find(s, at); start < 0 {
			b.WriteString(s[at:])
			return b.String()
		}
	}
}

func blank(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

func findRecall(s string, from int) (start, end int) {
	for at := from; ; {
		i := strings.Index(s[at:], recallWords)
		if i < 0 {
			return -1, -1
		}
		start = at + i
		at = start + len(recallWords)
		for _, dash := range []string{"—", "–", "-"} {
			if strings.HasPrefix(s[at:], dash) {
				return start, lineEnd(s, at)
			}
		}
	}
}

func lineEnd(s string, at int) int {
	if i := strings.IndexByte(s[at:], '\n'); i >= 0 {
		return at + i
	}
	return len(s)
}

// findBriefing is the first briefing head at or after from, or -1: with a
// bracket anywhere, without one only at the start of a line.
func findBriefing(s string, from int) int {
	for at := from; ; {
		i := strings.Index(s[at:], anyBriefing)
		if i < 0 {
			return -1
		}
		start := at + i
		at = start + len(anyBriefing)
		if strings.HasPrefix(s[start:], BriefingHead) || lineStart(s, start) {
			return start
		}
	}
}

func lineStart(s string, at int) bool {
	t := strings.TrimRight(s[:at], " \t>*#-")
	return t == "" || t[len(t)-1] == '\n'
}

// briefingEnd is the end of the briefing that starts at start: past its end
// line, else the end of the message.
func briefingEnd(s string, start int) int {
	if start < 0 {
		return -1
	}
	for at := start; ; {
		i := strings.Index(s[at:], BriefingEnd)
		if i < 0 {
			return len(s)
		}
		from, to := at+i, at+i+len(BriefingEnd)
		end := lineEnd(s, to)
		if lineStart(s, from) && strings.TrimSpace(s[to:end]) == "" {
			return end
		}
		at = to
	}
}

// stripTag removes each <tag …>…</tag>, any case. anywhere lets the opening
// tag stand inside a line; one that follows a backquote is quoted, and stays.
func stripTag(s, tag string, anywhere bool) string {
	low := lowerASCII(s)
	if !strings.Contains(low, "<"+tag) {
		return s
	}
	return cut(s, func(s string, from int) (int, int) {
		for at := from; ; {
			i := strings.Index(low[at:], "<"+tag)
			if i < 0 {
				return -1, -1
			}
			start := at + i
			at = start + len(tag) + 1
			if !opens(low, start, at) || !(anywhere || lineStart(s, start)) {
				continue
			}
			end := blockEnd(s, low, tag, at)
			if end < 0 { // nor will a later one close
				return -1, -1
			}
			return start, end
		}
	})
}

func opens(low string, start, after int) bool {
	quoted := start > 0 && low[start-1] == '`'
	return !quoted && after < len(low) && (low[after] == '>' || blank(low[after]))
}

// blockEnd is the end of a block whose opening tag's name ends at from. A
// briefing inside is passed over whole, since its quotes may hold a closing tag.
func blockEnd(s, low, tag string, from int) int {
	closing := "</" + tag + ">"
	i := strings.Index(low[from:], closing)
	switch {
	case i < 0 && Marked(s[from:]):
		return len(s)
	case i < 0:
		return -1
	}
	if head := findBriefing(s[:from+i], from); head >= 0 {
		if j := strings.Index(low[briefingEnd(s, head):], closing); j >= 0 {
			return briefingEnd(s, head) + j + len(closing)
		}
		if briefingEnd(s, head) < len(s) {
			return briefingEnd(s, head)
		}
	}
	return from + i + len(closing)
}

func lowerASCII(s string) string {
	for i := 0; i < len(s); i++ {
		if c := s[i]; 'A' <= c && c <= 'Z' {
			b := []byte(s)
			for ; i < len(b); i++ {
				if 'A' <= b[i] && b[i] <= 'Z' {
					b[i] += 'a' - 'A'
				}
			}
			return string(b)
		}
	}
	return s
}
