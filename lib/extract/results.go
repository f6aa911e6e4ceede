package extract

import (
	"strings"

	"daimon/lib/doc"
	"daimon/lib/ground"
	"daimon/lib/lang"
)

// lookAt is how much of a tool result's end is looked at; programs sum up last.
const lookAt = 4096

// succeeded tells whether a tool result says that something passed and nothing
// that it failed.
func succeeded(m *doc.Message) bool {
	if broken(m) {
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

// repeats tells whether a sentence names something that stands in a result: a
// figure, an identifier or a longer word.
func repeats(s *sentence, m *doc.Message) bool {
	text := fold(m.Text[max(0, len(m.Text)-lookAt):])
	for w := range strings.FieldsFuncSeq(s.folded, func(r rune) bool { return !wordRune(r) }) {
		named := w[0] >= '0' && w[0] <= '9' || strings.Contains(w, "_") || len(w) > 4 && !lang.Function(w)
		if named && strings.Contains(text, w) {
			return true
		}
	}
	return false
}

// checks tells whether a tool result is from a run of tests or checks.
func checks(m *doc.Message) bool {
	if m.Role != doc.ToolRole || m.Echo || m.Tool == nil {
		return false
	}
	input := m.Tool.Input[:min(len(m.Tool.Input), lookAt)]
	for _, w := range [...]string{"test", "check", "lint", "spec", "vet", "build", "tsc", "ruff", "mypy", "jest", "gradle", "mvn", "tox"} {
		if i := strings.Index(input, w); i >= 0 && (i == 0 || !asciiWord[input[i-1]&0x7f] || w == "test") {
			return true
		}
	}
	return false
}

// shower is the message of the tool result that a sentence tells of: shortly
// before it, and either a check or one that the sentence names something of; -1
// when there is none. good says which way it must have gone.
func (k *talk) shower(s *sentence, good bool) int {
	for i := s.msg - 1; i >= 0 && i >= s.msg-4; i-- {
		m := &k.t.Messages[i]
		if m.Role == doc.User {
			break
		}
		if m.Role == doc.ToolRole && !m.Echo && (checks(m) || repeats(s, m)) {
			if broken(m) == good || good && !succeeded(m) {
				return -1
			}
			return i
		}
	}
	return -1
}

// broken tells whether a tool result ended in an error.
func broken(m *doc.Message) bool {
	return m.Tool != nil && (m.Tool.Status == doc.StatusError || m.Tool.Exit != nil && *m.Tool.Exit != 0)
}

// lastCheck is the message of the last check of the session, or -1.
func lastCheck(t *doc.Transcript) int {
	for i := len(t.Messages) - 1; i >= 0; i-- {
		if checks(&t.Messages[i]) {
			return i
		}
	}
	return -1
}

// failing is the failed result that a sentence tells of when no check came after
// it, or -1.
func (k *talk) failing(s *sentence) int {
	i := k.shower(s, false)
	if i < 0 || i != k.check || !checks(&k.t.Messages[i]) {
		return -1
	}
	return i
}

// shown tells whether the stage that judges outcomes will find one in what it
// cites.
func (k *talk) shown(c *candidate) bool {
	one := doc.NewCheckpoint()
	l, _ := doc.ListByKey(c.kind.list())
	one.SetItems(l, []*doc.Entry{k.item(c)})
	return ground.Judge(one, k.t).Grounded == 1
}
