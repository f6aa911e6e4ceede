package own

import "strings"

// trustMarks are what the line of an item begins with, in a briefing and, behind
// the item's kind, in a search result.
var trustMarks = []string{"[✓ verbatim]", "[~ inferred]", "[? untagged]"}

// kinds may stand before the mark.
var kinds = []string{"topic", "question", "decision", "belief", "uncertainty", "contradiction"}

const (
	topicTitle = "Active topic:"
	maxLead    = 200 // bytes before the mark
)

// findItem is the first line at or after from that is an item's.
func findItem(s string, from int) (start, end int) {
	for at := from; ; {
		i := nextMark(s, at)
		if i < 0 {
			return -1, -1
		}
		back := max(from, i-maxLead-1)
		begin := back + strings.LastIndexByte(s[back:i], '\n') + 1
		if lineBegins(s, begin) && leads(s[begin:i]) {
			return begin, lineEnd(s, i)
		}
		at = i + 1
	}
}

func lineBegins(s string, at int) bool { return at == 0 || s[at-1] == '\n' }

// nextMark is where the next mark stands, or -1.
func nextMark(s string, from int) int {
	for at := from; ; at++ {
		i := strings.IndexByte(s[at:], '[')
		if i < 0 {
			return -1
		}
		at += i
		for _, m := range trustMarks {
			if strings.HasPrefix(s[at:], m) {
				return at
			}
		}
	}
}

// leads tells whether what stands before a mark leaves the line an item's: list
// and quote marks, a number, the topic's title, a kind.
func leads(lead string) bool {
	lead = strings.TrimSpace(lead)
	for _, k := range kinds {
		lead = strings.TrimSuffix(lead, "["+k+"]")
	}
	lead = strings.TrimSuffix(strings.TrimSpace(lead), topicTitle)
	return strings.Trim(lead, " \t\r>*#-+•|\"'`0123456789.)") == ""
}
