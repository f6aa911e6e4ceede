package score

import (
	"fmt"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"daimon/lib/doc"
)

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func entry(trust, importance, firstSeen string) *doc.Entry {
	e := doc.NewEntry("x", trust)
	if importance != "" {
		e.SetRaw("importance", []byte(importance))
	}
	if firstSeen != "" {
		e.Set("first_seen", firstSeen)
	}
	return e
}

func ago(days float64) string {
	return now.Add(-time.Duration(days * 24 * float64(time.Hour))).Format(Stamp)
}

func near(a, b float64) bool { return math.Abs(a-b) < 5e-7 }

// The weights that the Python Daimon gives.
func TestReferenceWeights(t *testing.T) {
	points := []struct {
		days float64
		imp  string
	}{{0, "10"}, {0, "7"}, {0, "5"}, {1, "5"}, {2, "5"}, {8, "5"}, {31, "5"}, {91, "5"}, {20, "8"}, {60, "7"}}
	for _, row := range []struct {
		kind, trust string
		want        []float64
	}{
		{"question", "verbatim", []float64{1, 0.7, 0.5, 0.495, 0.441, 0.322, 0.234728, 0.03, 0.513842, 0.336}},
		{"question", "inferred", []float64{0.688864, 0.665, 0.5, 0.495, 0.441, 0.322, 0.234728, 0.03, 0.513842, 0.336}},
		{"decision", "verbatim", []float64{1, 0.7, 0.5, 0.49, 0.432, 0.294, 0.076, 0.01, 0.336, 0.028}},
		{"belief", "verbatim", []float64{1, 0.7, 0.5, 0.4975, 0.4455, 0.336, 0.169, 0.0545, 0.504, 0.196}},
		{"uncertainty", "verbatim", []float64{1, 0.7, 0.5, 0.49, 0.432, 0.294, 0.076, 0.01, 0.336, 0.028}},
		{"topic", "verbatim", []float64{1, 0.7, 0.5, 0.475, 0.405, 0.21, 0.02, 0.01, 0.056, 0.028}},
		{"no such kind", "verbatim", []float64{1, 0.7, 0.5, 0.49, 0.432, 0.294, 0.076, 0.01, 0.336, 0.028}},
	} {
		for i, p := range points {
			if got := Weight(row.kind, entry(row.trust, p.imp, ago(p.days)), now); !near(got, row.want[i]) {
				t.Errorf("%s %s, %v days, importance %s: %.6f, want %.6f", row.kind, row.trust, p.days, p.imp, got, row.want[i])
			}
		}
	}
	fresh := []float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.665, 0.679583, 0.685588, 0.688864}
	for i, want := range fresh {
		if got := Weight("decision", entry("inferred", fmt.Sprint(i+1), ago(0)), now); !near(got, want) {
			t.Errorf("fresh inferred, importance %d: %.6f, want %.6f", i+1, got, want)
		}
	}
}

func TestEdges(t *testing.T) {
	at := func(d time.Duration) string { return now.Add(d).Format(Stamp) }
	for _, c := range []struct {
		what, kind, trust, imp, seen string
		want                         float64
	}{
		{"importance as text", "decision", "verbatim", `"9"`, ago(0), 0.5},
		{"importance with a fraction", "decision", "verbatim", `9.0`, ago(0), 0.5},
		{"importance true", "decision", "verbatim", `true`, ago(0), 0.5},
		{"importance 0", "decision", "verbatim", `0`, ago(0), 0.5},
		{"importance 11", "decision", "verbatim", `11`, ago(0), 0.5},
		{"importance 10", "decision", "verbatim", `10`, ago(0), 1},
		{"no stamp", "decision", "inferred", `10`, "", 0.5},
		{"no stamp, no importance", "decision", "verbatim", "", "", 0.25},
		{"stamp with an offset", "decision", "verbatim", `10`, "2026-02-28T12:00:00+01:00", 0.5},
		{"stamp with a fraction", "decision", "verbatim", `10`, "2026-02-28T12:00:00.5Z", 0.5},
		{"60 s ahead", "decision", "verbatim", `10`, at(time.Minute), 1},
		{"300 s ahead", "decision", "verbatim", `10`, at(300 * time.Second), 1},
		{"301 s ahead", "decision", "verbatim", `10`, at(301 * time.Second), 0.5},
		{"unknown trust", "decision", "bogus", `10`, ago(0), 0.688864},
		{"question at 14 days", "question", "verbatim", `10`, ago(14), 0.7 * 0.86},
		{"question at 15 days", "question", "verbatim", `10`, ago(15), 0.7 * 0.85 * 1.01},
		{"decision of ten years", "decision", "verbatim", `10`, ago(3650), 0.02},
		{"question at 120 days", "question", "verbatim", `10`, ago(120), 0.06},
		{"question at 121 days", "question", "verbatim", `10`, ago(121), 0.02},
	} {
		if got := Weight(c.kind, entry(c.trust, c.imp, c.seen), now); !near(got, c.want) {
			t.Errorf("%s: %.6f, want %.6f", c.what, got, c.want)
		}
	}
	for days, want := range map[float64]float64{1: 1, 1.01: 0.9, 7: 0.9, 7.01: 0.7, 30: 0.7, 30.01: 0.4, 90: 0.4, 90.01: 0.2} {
		if got := recency(days); got != want {
			t.Errorf("recency(%v) = %v, want %v", days, got, want)
		}
	}
}

func TestExplainMultipliesToWeight(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.SampledFrom([]string{"question", "decision", "belief", "uncertainty", "topic"}).Draw(t, "kind")
		e := entry(rapid.SampledFrom([]string{"verbatim", "inferred"}).Draw(t, "trust"), fmt.Sprint(rapid.IntRange(1, 10).Draw(t, "imp")),
			ago(rapid.Float64Range(0, 400).Draw(t, "days")))
		b := Explain(kind, e, now)
		if !near(b.Raw, b.Base*b.Recency*b.Decay*b.Boost) || b.Weight > b.Raw+1e-9 || b.Weight >= b.Ceiling || b.Weight <= 0 {
			t.Fatalf("%+v", b)
		}
		if b.Age > 130 && b.Weight >= 0.05 && kind != "belief" {
			t.Fatalf("an item of %.0f days does not fade: %+v", b.Age, b)
		}
	})
}

func TestSoftclipRises(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.Float64Range(0, 5).Draw(t, "a"), rapid.Float64Range(0, 5).Draw(t, "b")
		if a+1e-6 < b && softclip(a, 0.7) >= softclip(b, 0.7) {
			t.Fatalf("softclip(%v) >= softclip(%v)", a, b)
		}
	})
	if softclip(1, 0) != 0 {
		t.Error("a ceiling of 0 lets something through")
	}
}
