package host

import (
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"daimon/lib/doc"
	"daimon/lib/own"
)

// call is a tool use that results are paired with.
type call struct {
	name, input string
	own         bool // runs Daimon
	masked      map[string]int
}

// newCall masks a call's name and input, and shortens them. counts are of what was masked in
// it before.
func (c *claude) newCall(name, input string, counts map[string]int) call {
	masked, more := c.o.redact(clean(input))
	name, inName := c.toolName(name)
	k := call{name: name, masked: sum(sum(counts, more), inName)}
	k.input, _ = shorten(masked, inputHead, inputTail)
	k.input = strings.Clone(k.input)
	return k
}

// toolName masks a tool's name: whole, then each of its parts, which "__" joins
// so that a key in one does not begin a word.
func (c *claude) toolName(name string) (string, map[string]int) {
	name, counts := c.o.redact(clip(name, 200))
	parts := strings.Split(name, "__")
	for i := range parts {
		var n map[string]int
		parts[i], n = c.o.redact(parts[i])
		counts = sum(counts, n)
	}
	return strings.Join(parts, "__"), counts
}

// register remembers the tool uses of an assistant row.
func (c *claude) register(content gjson.Result) {
	blocks(content, func(kind string, b gjson.Result) {
		if !strings.HasSuffix(kind, "tool_use") {
			return
		}
		id, name, input := b.Get("id").Str, b.Get("name").Str, b.Get("input")
		if id == "" {
			return
		}
		var k call
		if cmd := object(input).Get("command"); cmd.Type == gjson.String {
			text, _ := shorten(cmd.Str, rawInput/2, rawInput/2)
			k = c.newCall(name, text, nil)
		} else {
			var counts map[string]int
			k = c.newCall(name, string(c.compact(nil, input, &counts)), counts)
		}
		k.own = own.Invocation(name, input)
		c.calls[strings.Clone(id)] = k
	})
}

// compact writes a value without white space. Each string is shortened, and
// masked by itself: in JSON text, escapes would hide a secret's shape.
func (c *claude) compact(b []byte, v gjson.Result, counts *map[string]int) []byte {
	switch {
	case v.Type == gjson.String:
		s, _ := shorten(v.Str, outputHead, outputTail)
		s, n := c.o.redact(clean(s))
		*counts = sum(*counts, n)
		return doc.AppendString(b, s)
	case v.IsArray(), v.IsObject():
		ends, sep := "{}", ""
		if v.IsArray() {
			ends = "[]"
		}
		b = append(b, ends[0])
		v.ForEach(func(k, e gjson.Result) bool {
			b = append(b, sep...)
			if sep = ","; k.Type == gjson.String {
				b = append(doc.AppendString(b, k.Str), ':')
			}
			b = c.compact(b, e, counts)
			return len(b) <= rawInput
		})
		return append(b, ends[1])
	}
	return append(b, v.Raw...)
}

// fill puts a call into the message of its result. The host reports success of
// a shell command by saying nothing, which is exit status 0.
func (k call) fill(p *part) {
	p.Tool.Name, p.Tool.Input = k.name, k.input
	p.masked = sum(k.masked, p.masked)
	if k.own {
		p.Text, p.Cut, p.Echo = "", 0, true
	}
}

// toolResult makes the messages for one tool result: the output, and the words
// of a person where the result holds their decision. alone tells that the
// row's structured result is about this block.
func (c *claude) toolResult(r *claudeRow, b gjson.Result, alone bool) ([]part, string) {
	id := b.Get("tool_use_id").Str
	k, known := c.calls[id]
	text, found := resultText(b.Get("content"))
	result := r.result
	if !alone {
		result = gjson.Result{}
	}
	d := decide(decision{call: k, known: known, text: text, result: result, denial: r.denial, failed: truthy(b.Get("is_error"))})
	if !found && d.speaker == "" {
		return nil, "no-text"
	}
	if d.speaker == "" {
		d.rest = unwrap(text)
	}
	p := c.output(r, d.rest, k.own)
	if d.rest == "" && (d.speaker == speakerRefusal || d.speaker == speakerApproval) {
		p.Text = ""
	}
	p.call = strings.Clone(id)
	if d.speaker != speakerAnswer {
		p.Speaker = d.speaker
	}
	p.Tool.Status, p.Tool.Exit = status(k, text, result, truthy(b.Get("is_error")))
	parts := []part{p}
	for _, words := range d.words {
		if w, reason := c.said(r, doc.User, d.speaker, words); reason == "" {
			w.derived = true
			parts = append(parts, w)
		}
	}
	return parts, ""
}

// output makes a tool message for a text: cleaned, masked and capped.
func (c *claude) output(r *claudeRow, text string, ours bool) part {
	p := part{Message: doc.Message{Role: doc.ToolRole, At: r.at, Tool: &doc.Tool{Status: doc.StatusUnknown}}}
	if ours {
		p.Echo = true
		return p
	}
	text, cut := shorten(text, rawOutput/2, rawOutput/2)
	text = clean(text)
	words, removed := own.StripText(text)
	p.Echo = removed && own.Marked(text)
	if words = strings.TrimRight(words, " \t\r\n"); strings.TrimSpace(words) == "" && !p.Echo {
		words = "(no output)"
	}
	masked, counts := c.o.redact(words)
	short, dropped := shorten(masked, outputHead, outputTail)
	p.Text, p.Cut, p.masked = strings.Clone(short), dropped+cut, counts
	return p
}

// status is how a tool use ended, with the exit status where the host tells.
func status(k call, text string, result gjson.Result, failed bool) (string, *int) {
	exit := exitStatus(text, result, failed)
	switch {
	case truthy(object(result).Get("interrupted")), strings.HasPrefix(text, "[Request interrupted by user"):
		return doc.StatusUnknown, exit
	case failed:
		return doc.StatusError, exit
	case truthy(object(result).Get("backgroundTaskId")), truthy(object(result).Get("isAsync")), object(result).Get("status").Str == "async_launched":
		return doc.StatusUnknown, exit
	case exit == nil && k.name == "Bash" && !truthy(object(result).Get("returnCodeInterpretation")):
		exit = new(int)
	}
	return doc.StatusOK, exit
}

func exitStatus(text string, result gjson.Result, failed bool) *int {
	for _, name := range []string{"exitCode", "exit_code", "returnCode"} {
		if v := object(result).Get(name); v.Type == gjson.Number {
			n := int(v.Int())
			return &n
		}
	}
	if !failed {
		return nil
	}
	for _, s := range []string{text, strings.TrimPrefix(result.Str, "Error: ")} {
		rest, ok := strings.CutPrefix(strings.TrimSpace(s), "Exit code ")
		if !ok {
			continue
		}
		line, _, _ := strings.Cut(rest, "\n")
		if n, err := strconv.Atoi(strings.TrimSpace(line)); err == nil {
			return &n
		}
	}
	return nil
}

// resultText is the text of a tool result. found is false for a result that
// holds only other things, such as pictures.
func resultText(content gjson.Result) (text string, found bool) {
	switch {
	case content.Type == gjson.String:
		return content.Str, true
	case content.IsArray(), content.IsObject():
		var texts []string
		n := 0
		blocks(content, func(kind string, b gjson.Result) {
			n++
			if kind == "text" {
				texts = append(texts, blockText(b))
			}
		})
		return strings.Join(texts, "\n"), len(texts) > 0 || n == 0
	case content.Type == gjson.Number, content.IsBool():
		return content.Raw, true
	}
	return "", true
}

// unwrap takes a tool's own words out of what the host put around them: the
// error tag, and the note about output that was stored elsewhere.
func unwrap(text string) string {
	t := strings.TrimSpace(text)
	if strings.HasPrefix(t, "<tool_use_error>") {
		return inside(t, "tool_use_error")
	}
	if !strings.HasPrefix(t, "<persisted-output>") {
		return text
	}
	t = inside(t, "persisted-output")
	i := strings.Index(t, "Preview (")
	if i < 0 {
		return t
	}
	_, preview, found := strings.Cut(t[i:], "\n")
	if !found {
		return t
	}
	return strings.TrimSuffix(strings.TrimSpace(preview), "\n...")
}

// serverResult makes the message for a tool that ran at the model's side.
func (c *claude) serverResult(r *claudeRow, b gjson.Result) (part, bool) {
	var lines []string
	failed := false
	blocks(b.Get("content"), func(_ string, e gjson.Result) {
		line := blockText(e)
		if line == "" {
			line = strings.TrimSpace(object(e).Get("title").Str + " " + object(e).Get("url").Str)
		}
		if code := object(e).Get("error_code").Str; code != "" {
			line, failed = code, true
		}
		if line != "" {
			lines = append(lines, line)
		}
	})
	if len(lines) == 0 {
		return part{}, false
	}
	id := b.Get("tool_use_id").Str
	p := c.output(r, strings.Join(lines, "\n"), c.calls[id].own)
	p.call = strings.Clone(id)
	p.Tool.Status = doc.StatusOK
	if failed {
		p.Tool.Status = doc.StatusError
	}
	return p, true
}
