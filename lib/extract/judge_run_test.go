package extract

import (
	"os"
	"sort"
	"strings"
	"testing"
)

// What the embedded extractor reached when last measured, in percent. Raise
// them when it gets better; a change that falls below is a loss.
const (
	minFound      = 79.0
	minRight      = 67.5
	maxViolations = 6.1
)

func TestLabelledSessions(t *testing.T) {
	r := table(t, labelled(t))
	found, right := share(r.found, r.must), share(r.right, r.must)
	if bad := share(r.violations, r.items); found < minFound || right < minRight || bad > maxViolations {
		t.Errorf("found %.1f %% (at least %.1f), in the right field %.1f %% (%.1f), violations %.1f %% (at most %.1f)",
			found, minFound, right, minRight, bad, maxViolations)
	}
}

func TestTrainingSessions(t *testing.T) {
	all := training(t, "*/*.json")
	if len(all) == 0 {
		t.Skip("no training sessions beside the checkout")
	}
	table(t, all)
}

// table logs the figures, overall and by language.
func table(t *testing.T, all []session) (sum tally) {
	by := map[string]*tally{}
	for i := range all {
		s := &all[i]
		note := func(string, ...any) {}
		if name := os.Getenv("SHOW"); name != "" && strings.Contains(s.name, name) {
			note = t.Logf
			t.Logf("%s (%s)", s.name, s.lang)
		}
		r := s.score(note)
		if by[s.lang] == nil {
			by[s.lang] = &tally{}
		}
		by[s.lang].add(r)
		sum.add(r)
	}
	var tags []string
	for tag := range by {
		tags = append(tags, tag)
	}
	sort.Strings(tags)
	t.Logf("lang sessions  found  right  violations  superseded  items/session")
	for _, tag := range append(tags, "all") {
		r := by[tag]
		if tag == "all" {
			r = &sum
		}
		t.Logf("%-4s %8d %5.1f%% %5.1f%%  %9.1f%%  %10d  %13.1f", tag, r.sessions, share(r.found, r.must), share(r.right, r.must),
			share(r.violations, r.items), r.old, float64(r.items)/float64(r.sessions))
	}
	return sum
}

func share(n, of int) float64 { return 100 * float64(n) / float64(max(1, of)) }
