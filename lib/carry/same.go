package carry

import (
	"slices"

	"daimon/lib/canon"
	"daimon/lib/salient"
)

const (
	sharedEnough = 3.0  // shared terms that make two texts one item
	ratioEnough  = 0.6  // or this part of one's terms
	leastTerms   = 2    // each side must have
	rewording    = 0.75 // part of the longer one's terms that two wordings of one thing share
	genericTexts = 3    // things that make a term say nothing
)

// Restates tells whether two texts make the same statement, so that one may go on
// under the id of the other: they are equal in canonical form, or they point the
// same way, state no conflicting quantities, and share six tenths of the longer
// one's content words.
func Restates(a, b string) bool {
	return canon.Text(a) == canon.Text(b) || restates(read(a), read(b))
}

// gist is what the comparison needs of a text.
type gist struct {
	text       string
	terms      []string
	quantities []string
	stance     salient.Stance
}

func read(text string) gist {
	return gist{text, salient.Terms(text), salient.Quantities(text), salient.StanceOf(text)}
}

// restates is [Restates] for texts already read that are not equal.
func restates(a, b gist) bool {
	return !salient.Differ(a.quantities, b.quantities) && !a.stance.Opposes(b.stance) &&
		len(a.terms) >= leastTerms && len(b.terms) >= leastTerms &&
		shared(a.terms, b.terms)/max(weigh(a.terms), weigh(b.terms)) >= ratioEnough
}

// same tells whether two texts are about one thing and point the same way.
func same(a, b gist, generic map[string]bool) bool {
	return !a.stance.Opposes(b.stance) && about(a, b, generic)
}

// about tells whether two texts are about one thing: no conflict between their
// quantities, and three content words in common or most of the shorter one's.
// The terms that generic holds do not count.
func about(a, b gist, generic map[string]bool) bool {
	if salient.Differ(a.quantities, b.quantities) {
		return false
	}
	x, y := without(a.terms, generic), without(b.terms, generic)
	if len(x) < leastTerms || len(y) < leastTerms {
		return false
	}
	both := shared(x, y)
	return both >= sharedEnough || both/min(weigh(x), weigh(y)) >= ratioEnough
}

// sameWords is the fallback for link targets: the absolute test on all terms.
func sameWords(a, b gist) bool {
	return !salient.Differ(a.quantities, b.quantities) && shared(a.terms, b.terms) >= sharedEnough
}

func without(terms []string, generic map[string]bool) []string {
	if len(generic) == 0 {
		return terms
	}
	var out []string
	for _, t := range terms {
		if !generic[t] {
			out = append(out, t)
		}
	}
	return out
}

func shared(x, y []string) float64 {
	sum := 0.0
	for _, t := range x {
		if slices.Contains(y, t) {
			sum += salient.Weight(t)
		}
	}
	return sum
}

func weigh(terms []string) float64 {
	sum := 0.0
	for _, t := range terms {
		sum += salient.Weight(t)
	}
	return sum
}

// genericTerms are the terms that three or more things in a list speak of.
// Rewordings of one thing count once: a subject that is said three times must
// not lose its own words.
func genericTerms(texts []gist) map[string]bool {
	var things []gist
	count := map[string]int{}
	for _, g := range texts {
		if slices.ContainsFunc(things, func(t gist) bool { return reworded(t, g) }) {
			continue
		}
		things = append(things, g)
		for _, t := range g.terms {
			count[t]++
		}
	}
	generic := map[string]bool{}
	for t, n := range count {
		if n >= genericTexts {
			generic[t] = true
		}
	}
	return generic
}

func reworded(a, b gist) bool {
	if a.text == b.text {
		return true
	}
	longer := max(weigh(a.terms), weigh(b.terms))
	return longer > 0 && shared(a.terms, b.terms)/longer >= rewording && !salient.Differ(a.quantities, b.quantities)
}
