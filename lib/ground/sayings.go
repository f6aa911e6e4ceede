package ground

import (
	"regexp"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// sayings are what a script prints of its own, which no program it runs said.
type sayings struct {
	lines []string // a line is one of these; unknown stands for anything
	texts []string // or stands in one of these
}

// maxPatterns is how many lines with unknown parts are kept apart; of a script
// with more nothing is believed.
const maxPatterns = 32

// call takes in the arguments of one command: what echo and printf print, and
// whatever was quoted for the others (messages, programs in a line).
func (s *sayings) call(c *syntax.CallExpr) {
	if len(c.Args) == 0 {
		return
	}
	var args []string
	for _, a := range c.Args[1:] {
		args = append(args, literalText(a))
	}
	switch spelled(c.Args[0]) {
	case "echo", "printf":
		all := strings.NewReplacer(`\n`, "\n", "%s", unknown, "%d", unknown, "%q", unknown).Replace(strings.Join(args, " "))
		for _, l := range strings.Split(all, "\n") {
			l = strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(l, "-e "), "-n "))
			if strings.Trim(l, unknown+" \t.:;,") != "" {
				s.lines = append(s.lines, l)
			}
		}
	default:
		for _, a := range args {
			if strings.ContainsAny(a, " \t\n") {
				s.text(a)
			}
		}
	}
}

func (s *sayings) text(t string) { s.texts = append(s.texts, t) }

// without is an output less the lines that the script printed itself.
func (s *sayings) without(output string) string {
	if len(s.lines) == 0 && len(s.texts) == 0 {
		return output
	}
	whole := map[string]bool{}
	var res []*regexp.Regexp
	for _, l := range s.lines {
		parts := strings.Split(l, unknown)
		if len(parts) == 1 {
			whole[l] = true
			continue
		}
		if len(res) == maxPatterns {
			return ""
		}
		for i := range parts {
			parts[i] = regexp.QuoteMeta(parts[i])
		}
		res = append(res, regexp.MustCompile(`^`+strings.Join(parts, `.*`)+`$`))
	}
	var b strings.Builder
	for line := range strings.Lines(output) {
		if said := strings.TrimSpace(line); !whole[said] && !s.own(said, res) {
			b.WriteString(line)
		}
	}
	return b.String()
}

func (s *sayings) own(line string, res []*regexp.Regexp) bool {
	for _, re := range res {
		if re.MatchString(line) {
			return true
		}
	}
	for _, t := range s.texts {
		if len(line) > 1 && strings.Contains(t, line) {
			return true
		}
	}
	return false
}
