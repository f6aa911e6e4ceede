package ground

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"daimon/lib/doc"
)

// claim is one asserted outcome with what the text says about it.
type claim struct {
	assertion
	places []string // environments it is said to be in
	number string   // of the merge request it is about
	count  string   // of the tests it is about
	text   string   // lower case
}

// witnesses says which showings can bear out a kind of claim.
var witnesses = map[Kind][]Kind{
	Test:    {Test, CI},
	CI:      {CI, Test},
	Build:   {Build, CI},
	Merge:   {Merge},
	Deploy:  {Deploy},
	Publish: {Publish},
	Push:    {Push},
	Commit:  {Commit},
	Revert:  {Revert},
	Apply:   {Apply},
	Check:   {Check, Test},
	Fix:     {Fix, Test},
	Done:    {Done, Test, Check},
}

// refuters are showings whose failure also speaks against a kind of claim.
var refuters = map[Kind][]Kind{
	Apply:   {Apply, CI},
	Deploy:  {Deploy, CI},
	Publish: {Publish, CI},
	Build:   {Build, CI, Test},
	Done:    {Done, Test, Check, Build, CI, Deploy, Apply},
}

var numbers = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:\b(?:prs?|mrs?|pull requests?|merge requests?)\s*[#!]?|[#!])(\d+)`)
})

var counts = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(\d+)\s?(?:\S+ ){0,4}?(?:tests?|testes|pruebas|specs?|checks|개)`)
})

func newClaim(a assertion, text string) claim {
	text = strings.ToLower(text)
	c := claim{assertion: a, text: text, places: placesIn(text)}
	switch {
	case !strings.ContainsAny(text, "0123456789"):
	case a.kind == Test:
		if m := counts().FindStringSubmatch(text); m != nil {
			c.count = m[1]
		}
	default:
		if m := numbers().FindStringSubmatch(text); m != nil {
			c.number = m[1]
		}
	}
	return c
}

// lines are the lines of an output that are about the claim's number, or all of
// it when none is.
func (c claim) lines(output string) string {
	if c.number == "" {
		return output
	}
	re := regexp.MustCompile(`(?m)^.*\b` + c.number + `\b.*$`)
	if found := re.FindAllString(output, -1); len(found) > 0 {
		return strings.Join(found, "\n")
	}
	return output
}

// weigh is what one cited result says about the claim.
func (c claim) weigh(m *doc.Message) outcome {
	verdict := nothing
	for _, s := range show(m, c) {
		if !c.concerns(m, s) {
			continue
		}
		switch {
		case s.cmd.dry && verdict == passed: // rehearsing the next step undoes nothing
		case s.end == failed && overlap(s.kinds, c.refuters()):
			verdict = failed
		case s.end == passed && overlap(s.kinds, witnesses[c.kind]) && c.covered(m, s):
			verdict = passed
		}
	}
	return verdict
}

func (c claim) refuters() []Kind {
	if r := refuters[c.kind]; r != nil {
		return r
	}
	return witnesses[c.kind]
}

func overlap(a, b []Kind) bool {
	return slices.ContainsFunc(a, func(k Kind) bool { return slices.Contains(b, k) })
}

// concerns tells whether a showing is about the place and the number claimed.
func (c claim) concerns(m *doc.Message, s showing) bool {
	if c.number != "" {
		if seen := numberIn(s.cmd.words); seen != "" && seen != c.number && !strings.Contains(m.Text, c.number) {
			return false
		}
	}
	if !c.placed() {
		return true
	}
	shown := evidencePlaces(m, s)
	return meets(c.places, shown) || len(shown) == 0 && s.end == failed
}

func numberIn(words string) string {
	for _, w := range strings.Fields(words) {
		if _, err := strconv.Atoi(w); err == nil {
			return w
		}
	}
	return ""
}

// placed tells whether the place matters for this kind of claim.
func (c claim) placed() bool {
	switch c.kind {
	case Deploy, Apply, Publish, Revert:
		return len(c.places) > 0
	}
	return slices.Contains(c.places, "hardware")
}

func meets(claimed, shown []string) bool {
	return slices.ContainsFunc(claimed, func(p string) bool { return slices.Contains(shown, p) })
}

// covered tells whether a passing run is large enough for the claim: the number
// of tests it names must be there, and Gradle must have run them.
func (c claim) covered(m *doc.Message, s showing) bool {
	if c.count != "" && overlap(s.kinds, []Kind{Test}) && !hasCount(m.Text, c.count) {
		return false
	}
	if !strings.Contains(m.Text, "UP-TO-DATE") {
		return true
	}
	for _, skipped := range upToDate().FindAllStringSubmatch(m.Text, -1) {
		if strings.Contains(c.text, strings.ToLower(skipped[1])) {
			return false
		}
	}
	return true
}

var (
	upToDate = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`Task :(\w+):\w*[tT]est\w* UP-TO-DATE`) })
	anyCount = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(\d+) (?:passed|passing|tests?|examples|checks|runs)|(?:pass|tests) (\d+)`)
	})
)

// hasCount tells whether an output names n tests, or no number at all, or
// numbers that sum to n.
func hasCount(output, n string) bool {
	all := anyCount().FindAllStringSubmatch(output, -1)
	sum := 0
	for _, m := range all {
		k := m[1] + m[2]
		if k == n {
			return true
		}
		v, _ := strconv.Atoi(k)
		sum += v
	}
	return len(all) == 0 || strconv.Itoa(sum) == n
}
