package host

import (
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"daimon/lib/doc"
	"daimon/lib/own"
)

// claudeCode reads Claude Code sessions: one JSON object a line, in which the
// user role carries tool results and machine messages as well as a person's
// words.
var claudeCode = Host{
	Name:  "claude-code",
	Sniff: sniffClaude,
	Open: func(o Options) Reader {
		return &claude{o: o, byUUID: map[string][]int{}, byMessage: map[string][]int{}, calls: map[string]call{}}
	},
}

func sniffClaude(row gjson.Result) bool {
	switch row.Get("type").Str {
	case "user", "assistant":
		return row.Get("message.content").Exists() && (row.Get("sessionId").Exists() || row.Get("uuid").Exists())
	case "summary":
		return row.Get("leafUuid").Exists()
	case "attachment":
		return row.Get("attachment.type").Exists()
	case "file-history-snapshot", "queue-operation", "last-prompt", "permission-mode", "ai-title", "custom-title", "atis-latch", "fork-context-ref":
		return true
	case "mode", "progress", "system":
		return row.Get("sessionId").Exists() && !row.Get("systemPayload").Exists()
	}
	return false
}

// claude is one session being read.
type claude struct {
	o         Options
	span      span
	head      claudeHead
	turns     []turn
	byUUID    map[string][]int // row uuid -> turns
	byMessage map[string][]int // message.id -> turns with its text
	calls     map[string]call  // tool_use id -> call
	bash      string           // the command typed after "!" last
}

// turn is what one row, or the last copy of it, said.
type turn struct {
	id     string
	parts  []part
	queued bool
}

// part is one message to be. call is the tool_use it answers, raw its text
// before masking, derived marks a person's words taken from a tool result.
type part struct {
	doc.Message
	call    string
	raw     string
	derived bool
	masked  map[string]int
}

// claudeRow is the part of a row that is looked at.
type claudeRow struct {
	kind, uuid, at, origin, source, from, denial string
	userType, agent                              string
	sidechain, meta, compact, apiError           bool
	synthetic                                    bool
	message, result, body                        gjson.Result
}

// Row implements Reader.
func (c *claude) Row(n int, v gjson.Result) string {
	r := c.scan(n, v)
	parts, reason := c.read(&r)
	if len(parts) == 0 {
		return reason
	}
	if c.repeats(r.uuid, parts) {
		return "duplicate"
	}
	if c.grows(&r, parts) {
		return "copy"
	}
	c.byUUID[r.uuid] = append(c.byUUID[r.uuid], len(c.turns))
	c.turns = append(c.turns, turn{id: r.uuid, parts: parts, queued: r.kind == "attachment"})
	return ""
}

// scan reads the top level of a row once.
func (c *claude) scan(n int, v gjson.Result) claudeRow {
	r := claudeRow{body: v}
	var role string
	v.ForEach(func(k, f gjson.Result) bool {
		switch k.Str {
		case "type":
			r.kind = strings.ToLower(f.Str)
		case "role":
			role = strings.ToLower(f.Str)
		case "uuid":
			r.uuid = strings.Clone(clip(strings.TrimSpace(f.Str), 200))
		case "timestamp":
			if t, ok := stamp(f); ok {
				c.span.add(t)
				r.at = format(t)
			}
		case "isSynthetic":
			r.synthetic = truthy(f)
		case "userType":
			r.userType = f.Str
		case "agentId":
			r.agent = f.Str
		case "origin":
			r.origin = f.Str + object(f).Get("kind").Str
		case "promptSource":
			r.source = f.Str
		case "rowSource":
			r.from = f.Str
		case "toolDenialKind":
			r.denial = f.Str
		case "isSidechain":
			r.sidechain = truthy(f)
		case "isMeta":
			r.meta = truthy(f)
		case "isCompactSummary", "isVisibleInTranscriptOnly":
			r.compact = r.compact || truthy(f)
		case "isApiErrorMessage":
			r.apiError = truthy(f)
		case "message":
			r.message = object(f)
		case "toolUseResult":
			r.result = f
		default:
			c.head.field(k.Str, f)
		}
		return true
	})
	if r.kind == "" { // older tools write bare messages
		if r.kind = role; role == "" {
			r.kind = strings.ToLower(r.message.Get("role").Str)
		}
		if !r.message.Exists() {
			r.message = v
		}
	}
	if _, secret := c.o.redact(r.uuid); r.uuid == "" || secret != nil {
		r.uuid = "row-" + strconv.Itoa(n)
	}
	return r
}

func truthy(v gjson.Result) bool {
	return v.Type == gjson.True || v.Type == gjson.Number && v.Num != 0 || v.Type == gjson.String && v.Str != ""
}

// read returns what a row says, or the reason why it says nothing.
func (c *claude) read(r *claudeRow) ([]part, string) {
	if r.kind == doc.Assistant {
		c.register(r.message.Get("content"))
	}
	switch {
	case r.sidechain:
		return nil, "sidechain"
	case r.meta:
		return nil, "meta"
	case r.compact:
		return nil, "compact-summary"
	}
	switch r.kind {
	case doc.User:
		return c.user(r)
	case doc.Assistant:
		return c.assistant(r)
	case "attachment":
		return c.attachment(r)
	}
	c.head.row(r.kind, r.body)
	return nil, otherRow(r.kind)
}

// otherRow is the reason code of rows that never hold conversation.
func otherRow(kind string) string {
	switch kind {
	case "system", "progress", "last-prompt":
		return kind
	case "queue-operation":
		return "queue"
	case "file-history-snapshot", "file-history-delta", "attribution-snapshot":
		return "snapshot"
	case "summary", "ai-title", "custom-title", "agent-name", "tag":
		return "title"
	case "mode", "permission-mode", "agent-setting", "agent-color", "atis-latch", "bridge-session", "model", "advisor-switch":
		return "mode"
	case "api-request", "api-request-blob", "api-request-shape", "tools-used", "cost-state":
		return "accounting"
	}
	return "other"
}

func (c *claude) assistant(r *claudeRow) ([]part, string) {
	if r.apiError || r.message.Get("model").Str == "<synthetic>" {
		return nil, "api-error"
	}
	var (
		texts  []string
		parts  []part
		reason = "empty"
	)
	blocks(r.message.Get("content"), func(kind string, b gjson.Result) {
		switch {
		case kind == "text":
			texts = append(texts, blockText(b))
		case kind == "thinking" || kind == "redacted_thinking":
			reason = "thinking"
		case strings.HasSuffix(kind, "tool_use"):
			reason = "tool-call"
		case strings.HasSuffix(kind, "_tool_result"):
			if p, ok := c.serverResult(r, b); ok {
				parts = append(parts, p)
			}
		}
	})
	p, why := c.said(r, doc.Assistant, "", strings.Join(texts, "\n"))
	switch {
	case why == "":
		return append([]part{p}, parts...), ""
	case why != "empty":
		reason = why
	}
	return parts, reason
}

// said makes the message for words of a role, without Daimon's own; reason
// tells why there is none.
func (c *claude) said(r *claudeRow, role, speaker, text string) (part, string) {
	text = clean(text)
	words, removed := own.StripText(text)
	switch {
	case strings.TrimSpace(words) == "" || words == "(no content)":
		switch {
		case removed && own.Marked(text):
			return part{}, "own"
		case removed:
			return part{}, "reminder"
		}
		return part{}, "empty"
	}
	masked, counts := c.o.redact(words)
	p := part{raw: words, masked: counts}
	p.Role, p.At, p.Speaker, p.Echo = role, r.at, speaker, removed
	p.Text, p.Cut = shorten(masked, textHead, textTail)
	return p, ""
}

// repeats tells whether a turn of the same id says what this row says, whole or
// in part; the longer of the two stays. Rows that only share an id are two turns.
func (c *claude) repeats(id string, parts []part) bool {
	earlier := c.byUUID[id]
	for _, i := range earlier[max(0, len(earlier)-maxCopies):] {
		switch old := c.turns[i].parts; {
		case continues(parts, old):
			c.turns[i].parts = parts
			return true
		case continues(old, parts):
			return true
		}
	}
	return false
}

// continues tells whether the parts are those of an earlier copy, each with the
// same text or a longer one, and perhaps more.
func continues(parts, earlier []part) bool {
	if len(parts) < len(earlier) {
		return false
	}
	for i := range earlier {
		p, e := &parts[i], &earlier[i]
		if p.Role != e.Role || p.call != e.call || !strings.HasPrefix(p.words(), e.words()) {
			return false
		}
	}
	return true
}

// words is what a part says, before masking where that is known.
func (p *part) words() string {
	if p.raw != "" {
		return p.raw
	}
	return p.Text
}

// maxCopies is how many turns of one answer, or one id, a new one is compared with.
const maxCopies = 32

// grows replaces an earlier copy of the same answer that this row continues.
func (c *claude) grows(r *claudeRow, parts []part) bool {
	id := r.message.Get("id").Str
	if r.kind != doc.Assistant || id == "" || parts[0].Role != doc.Assistant {
		return false
	}
	earlier := c.byMessage[id]
	for _, i := range earlier[max(0, len(earlier)-maxCopies):] {
		old := &c.turns[i].parts[0]
		if old.Role == doc.Assistant && strings.HasPrefix(parts[0].raw, old.raw) {
			c.turns[i].parts = parts
			c.byUUID[r.uuid] = append(c.byUUID[r.uuid], i)
			return true
		}
	}
	c.byMessage[strings.Clone(id)] = append(c.byMessage[id], len(c.turns))
	return false
}

// object is v, or nothing when v is no object, so that no key is ever looked up
// in the text of a string.
func object(v gjson.Result) gjson.Result {
	if v.IsObject() {
		return v
	}
	return gjson.Result{}
}

// blocks calls fn for each block of a content, whatever its shape: a plain
// string is a text block. Anything else is passed over.
func blocks(content gjson.Result, fn func(kind string, b gjson.Result)) {
	one := func(b gjson.Result) {
		switch {
		case b.Type == gjson.String:
			fn("text", b)
		case b.IsObject():
			fn(b.Get("type").Str, b)
		}
	}
	if !content.IsArray() {
		one(content)
		return
	}
	content.ForEach(func(_, b gjson.Result) bool {
		one(b)
		return true
	})
}

// blockText is the text of a text block; "" where it is no string.
func blockText(b gjson.Result) string {
	if b.Type == gjson.String {
		return b.Str
	}
	if t := b.Get("text"); t.Type == gjson.String {
		return t.Str
	}
	return ""
}
