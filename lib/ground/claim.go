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
	branch string   // of the session
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

func newClaim(a assertion, text, branch string) claim {
	text = strings.ToLower(text)
	c := claim{assertion: a, text: text, branch: branch, places: placesIn(text)}
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

// lines are the lines of an output that are about what is claimed: of a merge
// with a number, those that name it in a field of their own, unless the command
// named it. It is "" when none is.
func (c claim) lines(cmd command, output string) string {
	switch {
	case c.number == "" || c.kind != Merge || cmd.number == c.number || mentions(cmd.words, c.number):
		return output
	case cmd.number != "":
		return ""
	}
	output = strings.ReplaceAll(output, "},{", "},\n{")
	fields := numberField().FindAllStringSubmatch(output, -1)
	if len(fields) == 1 && fields[0][1] == c.number && !strings.Contains(output, "},\n{") {
		return output
	}
	return strings.Join(regexp.MustCompile(`(?m)^(?:[#!]?`+c.number+`[ \t,|].*|.*(?:[#!]|/(?:pull|merge_requests)/|"(?:number|iid)":\s*)`+c.number+`(?:\D.*)?)$`).FindAllString(output, -1), "\n")
}

var numberField = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)(?:^number:|"(?:number|iid)":)\s*(\d+)`) })

// mentions tells whether a branch or a message on the command line bears the
// number of a merge request.
func mentions(words, number string) bool {
	return regexp.MustCompile(`(?i)(?:\b(?:pr|mr|pull|merge-requests)[-/#!]?|[#!])` + number + `(?:\D|$)`).MatchString(words)
}

// partly tells whether a command may be about another merge request.
func (c claim) partly(cmd command) bool {
	return c.number != "" && c.kind == Merge && cmd.number != c.number && !mentions(cmd.words, c.number)
}

// elsewhere tells whether a command asked about another branch than the one of
// the claim.
func (c claim) elsewhere(cmd command) bool {
	switch b := cmd.branch; {
	case b == "" || b == c.branch || strings.Contains(c.text, strings.ToLower(b)):
		return false
	default:
		return c.branch != "" || b != "main" && b != "master"
	}
}

// without are the kinds a command can show, less what it was told to leave out.
func (claim) without(cmd command, list []Kind) []Kind {
	if cmd.skips {
		return slices.DeleteFunc(slices.Clone(list), func(k Kind) bool { return k == Test })
	}
	return list
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
	if c.number != "" && s.cmd.number != "" && s.cmd.number != c.number {
		return false
	}
	if !c.placed() {
		return true
	}
	shown := evidencePlaces(m, s)
	return meets(c.places, shown) || len(shown) == 0 && s.end == failed
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
