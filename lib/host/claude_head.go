package host

import (
	"fmt"
	"strings"

	"github.com/tidwall/gjson"

	"daimon/lib/doc"
)

// claudeHead gathers what rows tell about the session as a whole.
type claudeHead struct {
	session, cwd, worktree, branch, version string
	custom, made                            string
	summaries                               []summary
}

// summary is a title for the session in which the row leaf stands.
type summary struct{ leaf, text string }

// maxSummaries is how many summaries of other sessions a file may bring along.
const maxSummaries = 10_000

// field takes a top-level field of any row.
func (h *claudeHead) field(key string, v gjson.Result) {
	if v.Type != gjson.String || v.Str == "" {
		return
	}
	switch key {
	case "sessionId":
		set(&h.session, v.Str)
	case "cwd":
		if h.cwd == "" {
			set(&h.cwd, v.Str)
		}
	case "gitBranch":
		set(&h.branch, v.Str)
	case "version":
		set(&h.version, v.Str)
	}
}

// set keeps a copy, so that a short string does not hold on to a whole row.
func set(to *string, s string) {
	if *to != s {
		*to = strings.Clone(clip(s, 4096))
	}
}

// row takes a row that tells only about the session.
func (h *claudeHead) row(kind string, v gjson.Result) {
	switch kind {
	case "custom-title":
		set(&h.custom, v.Get("customTitle").Str)
	case "ai-title":
		set(&h.made, v.Get("aiTitle").Str)
	case "summary":
		if len(h.summaries) < maxSummaries {
			h.summaries = append(h.summaries, summary{strings.Clone(v.Get("leafUuid").Str), strings.Clone(clip(v.Get("summary").Str, 4096))})
		}
	case "worktree-state":
		if dir := v.Get("worktreeSession.originalCwd").Str; dir != "" {
			set(&h.worktree, dir)
		}
	}
}

// title is the last title a person gave, else the last one that was made, else
// the last summary of this session: a file may hold those of others.
func (h *claudeHead) title(here func(uuid string) bool) string {
	switch {
	case h.custom != "":
		return h.custom
	case h.made != "":
		return h.made
	}
	for i := len(h.summaries) - 1; i >= 0; i-- {
		if here(h.summaries[i].leaf) {
			return h.summaries[i].text
		}
	}
	return ""
}

// Finish implements Reader.
func (c *claude) Finish(h *doc.Header, out map[string]int) []doc.Message {
	c.dropQueued(out)
	counts := map[string]int{}
	mask := func(s string) string {
		s, n := c.o.redact(clean(s))
		for kind := range n {
			counts[kind] += n[kind]
		}
		return s
	}
	h.SessionID, h.Version = c.head.session, mask(c.head.version)
	h.Cwd, h.Branch = mask(c.head.cwd), mask(c.head.branch)
	if c.head.worktree != "" {
		h.Cwd = mask(c.head.worktree)
	}
	h.Title = mask(c.head.title(func(uuid string) bool { _, ok := c.byUUID[uuid]; return ok }))
	h.Start, h.End = format(c.span.first), format(c.span.last)
	msgs := c.messages(counts)
	if len(counts) > 0 {
		h.Redacted = counts
	}
	return msgs
}

// messages pairs results with their calls and numbers the messages. A row's
// text keeps the row's id, else its first message does; all others of that id
// are counted from 2.
func (c *claude) messages(counts map[string]int) []doc.Message {
	var msgs []doc.Message
	used, count := map[string]bool{}, map[string]int{}
	for _, t := range c.turns {
		first := 0
		for i, p := range t.parts {
			if p.Role != doc.ToolRole && !p.derived {
				first = i
				break
			}
		}
		for i := range t.parts {
			p := &t.parts[i]
			if k, ok := c.calls[p.call]; ok && p.call != "" {
				k.fill(p)
			}
			for kind, n := range p.masked {
				counts[kind] += n
			}
			p.ID = t.id
			for i != first || used[p.ID] {
				count[t.id]++
				p.ID = fmt.Sprintf("%s.%d", t.id, count[t.id]+1)
				if !used[p.ID] {
					break
				}
			}
			used[p.ID] = true
			msgs = append(msgs, p.Message)
		}
	}
	return msgs
}

// dropQueued leaves out each queued prompt that came back as a row of its own.
func (c *claude) dropQueued(out map[string]int) {
	later := map[string]int{} // rows by text, seen from the end
	kept := len(c.turns)
	for i := len(c.turns) - 1; i >= 0; i-- {
		t := c.turns[i]
		key := ""
		for _, p := range t.parts {
			if p.Role == doc.User && !p.derived {
				key = strings.Join(strings.Fields(p.raw), " ")
				break
			}
		}
		switch {
		case t.queued && later[key] > 0:
			later[key]--
			out["duplicate"]++
			continue
		case !t.queued && key != "":
			later[key]++
		}
		kept--
		c.turns[kept] = t
	}
	c.turns = c.turns[kept:]
}
