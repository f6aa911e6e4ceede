package ground

import (
	"slices"
	"strings"
	"sync"

	"daimon/lib/doc"
)

// outcome is how a run ended.
type outcome int

const (
	nothing outcome = iota // it shows nothing either way
	passed
	failed
)

// showing is what one command of a tool result shows.
type showing struct {
	kinds []Kind
	end   outcome
	cmd   command
	known bool // a runner is known for it
}

// compiled is a runner with its patterns.
type compiled struct {
	*runner
	cmd, pass, fail, none *pattern
}

var table = sync.OnceValue(func() []compiled {
	out := make([]compiled, len(runners))
	stems := stemsFile("runners")
	for i := range runners {
		r := &runners[i]
		out[i] = compiled{r, lines(r.cmd), lines(r.pass), lines(r.fail), lines(r.none)}
		out[i].cmd.stems, stems = next(stems)
	}
	return out
})

func lines(src string) *pattern {
	if src == "" {
		return nil
	}
	return &pattern{src: `(?m)` + src}
}

func (p *pattern) matches(s string) bool {
	if !p.may(s) {
		return false
	}
	re := p.get()
	return re != nil && re.MatchString(s)
}

// maxOutput is how much of a result is read, from its end, where summaries stand.
const maxOutput = 256 << 10

// exhibit is a cited result, read as far as no claim matters.
type exhibit struct {
	*doc.Message
	output string
	heard  string // the output less what the script printed itself
	ran    []runs
}

// runs is a command with the runners that are known for it.
type runs struct {
	command
	runners []*compiled
}

func exhibitOf(m *doc.Message) *exhibit {
	x := &exhibit{Message: m, output: m.Text}
	if len(x.output) > maxOutput {
		x.output = x.output[len(x.output)-maxOutput:]
	}
	if strings.Contains(x.output, "running in background") {
		return x
	}
	s := scriptOf(m)
	x.heard = s.said.without(x.output)
	for _, c := range s.commands {
		if c.sort == inert || c.idle {
			continue
		}
		r := runs{command: c}
		for i := range table() {
			if t := &table()[i]; t.cmd.matches(c.line) {
				r.runners = append(r.runners, t)
			}
		}
		x.ran = append(x.ran, r)
	}
	return x
}

// show is what the commands behind a result show of a claim, in order.
func (x *exhibit) show(about claim) []showing {
	var out []showing
	for _, c := range x.ran {
		all, good := about.lines(c.command, x.output), ""
		if c.into == "" {
			good = about.lines(c.command, x.heard)
		}
		for _, r := range c.runners {
			out = append(out, showing{about.without(c.command, r.kinds), r.end(x.Message, c.command, all, good, about), c.command, true})
		}
		if len(c.runners) == 0 && c.name != "" {
			out = append(out, generic(x.Message, c.command, all, good)...)
		}
	}
	return out
}

// end judges a known runner by its own lines, and by its exit where that is its
// own. heard is its output less what it did not print itself.
func (r *compiled) end(m *doc.Message, c command, output, heard string, about claim) outcome {
	broke := brokeDown(m) && !slices.Contains(r.harmless, exit(m))
	mine := c.last && !c.masked
	lessZeros := zeroWords().ReplaceAllString(output, "")
	switch {
	case c.dry:
		return rehearsed(r.kinds)
	case r.fail.matches(lessZeros):
		return failed
	case r.none.matches(lessZeros):
		return nothing
	case broke && mine && r.harmless == nil:
		return failed
	case r.each && c.culled || about.elsewhere(c):
		return nothing
	case r.pass.matches(heard):
		return passed
	case r.silent && !c.queues && !about.partly(c) && !c.masked && !broke && m.Tool.Status == doc.StatusOK:
		return passed
	}
	return nothing
}

// rehearsed is what a dry run shows: of what goes out, that it did not.
func rehearsed(kinds []Kind) outcome {
	if overlap(kinds, []Kind{Publish, Deploy, Apply}) {
		return failed
	}
	return nothing
}

// generic judges a command that no runner is known for: its name tells what it is
// for, and its output must say that it went well.
func generic(m *doc.Message, c command, output, heard string) []showing {
	var out []showing
	for _, v := range verbTable() {
		if !v.word.matches(c.name) || c.skips && v.kind == Test {
			continue
		}
		out = append(out, showing{[]Kind{v.kind}, v.end(m, c, output, heard), c, false})
	}
	return out
}

func (v *verb) end(m *doc.Message, c command, output, heard string) outcome {
	broke := brokeDown(m)
	good := v.says(heard, c.sort == tool) && !c.culled
	bad := complains(output)
	switch {
	case c.dry:
		return rehearsed([]Kind{v.kind})
	case broke && c.last && !c.masked, bad && (broke || c.masked || !good || v.kind == Test):
		return failed
	case bad, broke, !good, m.Tool.Status != doc.StatusOK, c.masked && v.kind != Test:
		return nothing
	}
	return passed
}

func brokeDown(m *doc.Message) bool { return m.Tool.Status == doc.StatusError || exit(m) != 0 }

func exit(m *doc.Message) int {
	if m.Tool.Exit == nil {
		return 0
	}
	return *m.Tool.Exit
}
