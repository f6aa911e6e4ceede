package quote

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"daimon/lib/doc"
)

const (
	idsField = "source_message_ids"
	// maxSources is how many messages one item may cite.
	maxSources = 64
)

// checkSources keeps of an item's cited ids those that exist and may count: any
// message for a verbatim item with a quote, else only tool results, which can
// show an outcome. Markers such as [m12] become the id of the 12th message.
func checkSources(e *doc.Entry, t *doc.Transcript) {
	claimed := e.Get(idsField)
	if !claimed.Exists() {
		return
	}
	var kept []string
	seen := map[string]bool{}
	for _, raw := range strs(claimed) {
		m := resolve(raw, t)
		if m == nil || seen[m.ID] || len(kept) == maxSources || !bindable(e) && !signal(m) {
			continue
		}
		seen[m.ID] = true
		kept = append(kept, m.ID)
	}
	setSources(e, kept)
}

func setSources(e *doc.Entry, ids []string) {
	if len(ids) == 0 {
		e.Delete(idsField)
		return
	}
	e.Set(idsField, ids)
}

func strs(v gjson.Result) []string {
	if v.Type == gjson.String {
		return []string{v.Str}
	}
	var out []string
	if v.IsArray() {
		v.ForEach(func(_, s gjson.Result) bool {
			if s.Type == gjson.String {
				out = append(out, s.Str)
			}
			return true
		})
	}
	return out
}

func bindable(e *doc.Entry) bool {
	return e.Trust() == doc.Verbatim && strings.TrimSpace(e.Quote()) != ""
}

// signal tells whether a message can be evidence: a tool result that is not
// Daimon's own output.
func signal(m *doc.Message) bool { return m.Role == doc.ToolRole && !m.Echo }

func resolve(raw string, t *doc.Transcript) *doc.Message {
	id := strings.TrimSpace(raw)
	if m := t.Find(id); m != nil {
		return m
	}
	id = strings.TrimSpace(strings.Trim(id, "[]"))
	if m := t.Find(id); m != nil {
		return m
	}
	number, marked := strings.CutPrefix(id, "m")
	n, err := strconv.Atoi(number)
	if !marked || err != nil || n < 1 || n > len(t.Messages) || number[0] < '1' {
		return nil
	}
	return &t.Messages[n-1]
}

// dropUnstated removes the validity dates that no cited message states. A date is
// stated when its year, month and day stand there as in the field.
func dropUnstated(e *doc.Entry, t *doc.Transcript) {
	for _, key := range []string{"valid_from", "valid_until"} {
		date := e.Str(key)
		if date == "" {
			continue
		}
		stated := slices.ContainsFunc(e.Strs(idsField), func(id string) bool {
			m := t.Find(id)
			return m != nil && !m.Echo && len(date) >= len(time.DateOnly) && strings.Contains(m.Text, date[:len(time.DateOnly)])
		})
		if !stated {
			e.Delete(key)
		}
	}
}
