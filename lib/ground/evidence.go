package ground

import (
	"regexp"
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

var wordTable = sync.OnceValue(func() []*pattern {
	out := make([]*pattern, len(verbs))
	for i, v := range verbs {
		out[i] = &pattern{src: v.word}
	}
	return out
})

var (
	failWords = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(failing) })
	zeroWords = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(harmlessly) })
)

// maxOutput is how much of a result is read, from its end, where summaries stand.
const maxOutput = 256 << 10

// show reads what the commands behind a tool message show, in order.
func show(m *doc.Message, about claim) []showing {
	output := m.Text
	if len(output) > maxOutput {
		output = output[len(output)-maxOutput:]
	}
	if strings.Contains(output, "running in background with ID") {
		return nil
	}
	cmds := commands(m)
	var out []showing
	for _, c := range cmds {
		if plain(c.words) {
			continue
		}
		known := false
		for _, r := range table() {
			if r.cmd.matches(c.words) {
				known = known || !r.open
				out = append(out, showing{r.kinds, r.end(m, c, about.lines(output)), c})
			}
		}
		if !known {
			out = append(out, generic(m, c, output)...)
		}
	}
	return out
}

// plain tells commands that only print what stands somewhere.
func plain(words string) bool {
	first, _, _ := strings.Cut(words, " ")
	switch first {
	case "cat", "echo", "printf", "grep", "rg", "head", "tail", "sed", "awk", "ls", "find", "less", "wc", "cd", "mkdir", "rm", "cp", "mv", "true", "test", "[":
		return true
	}
	return false
}

// end judges a known runner by its own lines, and by its exit where that is its
// own.
func (r *compiled) end(m *doc.Message, c command, output string) outcome {
	broke := brokeDown(m) && !slices.Contains(r.harmless, exit(m))
	mine := c.last && !c.masked
	output = zeroWords().ReplaceAllString(output, "")
	switch {
	case c.dry && len(r.kinds) > 0 && (r.kinds[0] == Publish || r.kinds[0] == Deploy || r.kinds[0] == Apply):
		return failed
	case r.fail.matches(output):
		return failed
	case r.none.matches(output):
		return nothing
	case broke && mine && r.harmless == nil:
		return failed
	case r.pass.matches(m.Text):
		return passed
	case r.silent && !c.masked && !broke && m.Tool.Status == doc.StatusOK:
		return passed
	}
	return nothing
}

// generic judges a command by the words it is made of.
func generic(m *doc.Message, c command, output string) []showing {
	var out []showing
	for i, p := range wordTable() {
		if !p.matches(c.words) {
			continue
		}
		end := nothing
		said := failWords().MatchString(zeroWords().ReplaceAllString(output, ""))
		switch broke := brokeDown(m); {
		case c.dry, broke && c.last && !c.masked, said && (broke || c.masked):
			end = failed
		case said:
			end = nothing
		case !broke && !c.masked && m.Tool.Status == doc.StatusOK:
			end = passed
		}
		out = append(out, showing{[]Kind{verbs[i].kind}, end, c})
	}
	return out
}

func brokeDown(m *doc.Message) bool { return m.Tool.Status == doc.StatusError || exit(m) != 0 }

func exit(m *doc.Message) int {
	if m.Tool.Exit == nil {
		return 0
	}
	return *m.Tool.Exit
}
