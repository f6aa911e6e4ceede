package extract

import (
	"strings"

	"daimon/lib/doc"
)

// lookAt is how much of a tool result's end is looked at; programs sum up last.
const lookAt = 4096

// succeeded tells whether a tool result says that something passed and nothing
// that it failed.
func succeeded(m *doc.Message) bool {
	if m.Tool != nil && (m.Tool.Status == doc.StatusError || m.Tool.Exit != nil && *m.Tool.Exit != 0) {
		return false
	}
	text := fold(m.Text[max(0, len(m.Text)-lookAt):])
	for _, bad := range [...]string{"error", "failed", "failure", "fatal", "panic", "traceback"} {
		if i := strings.Index(text, bad); i >= 0 && !strings.HasSuffix(strings.TrimRight(text[:i], " "), "0") {
			return false
		}
	}
	for _, good := range [...]string{"pass", "ok", "success", "merged", "done", "completed", "0 failed"} {
		if strings.Contains(text, good) {
			return true
		}
	}
	return false
}

// repeats tells whether a sentence names something that stands in a result.
func (k *talk) repeats(s *sentence, text string) bool {
	text = fold(text[max(0, len(text)-lookAt):])
	for w := range strings.FieldsFuncSeq(s.folded, func(r rune) bool { return !wordRune(r) }) {
		if (w[0] >= '0' && w[0] <= '9' || strings.Contains(w, "_")) && strings.Contains(text, w) {
			return true
		}
	}
	return false
}
