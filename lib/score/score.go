// Package score weighs items: how much an item still matters at a moment. The
// weight is an ordering key, not a probability.
package score

import (
	"math"
	"time"

	"daimon/lib/doc"
)

// Breakdown is a weight with the factors that made it.
type Breakdown struct {
	Base    float64 `json:"base"`     // importance / 10
	Age     float64 `json:"age_days"` // since first_seen; 0 when Aged is false
	Aged    bool    `json:"aged"`     // first_seen could be read and is not in the future
	Recency float64 `json:"recency"`
	Decay   float64 `json:"decay"`
	Boost   float64 `json:"boost"`
	Ceiling float64 `json:"ceiling"`
	Raw     float64 `json:"raw"` // the product, before the ceiling
	Weight  float64 `json:"weight"`
}

// rule is how one kind of item ages.
type rule struct {
	loss      float64 // of weight a day
	lifespan  float64 // days
	escalates bool    // an overdue item gains weight for a while
}

var (
	rules = map[string]rule{
		"question":    {0.010, 14, true},
		"decision":    {0.020, 30, false},
		"belief":      {0.005, 90, false},
		"uncertainty": {0.020, 21, false},
		"topic":       {0.050, 7, false},
	}
	steps = []struct{ days, factor float64 }{{1, 1}, {7, 0.9}, {30, 0.7}, {90, 0.4}, {math.Inf(1), 0.2}}
)

const (
	unaged       = 0.5 // factor where there is no age
	slack        = 300 * time.Second
	maxBoost     = 3.0
	boostedDays  = 120 // an unanswered question stops pressing then, so that it can fade
	leastDecay   = 0.1
	highCeiling  = 3.0
	lowCeiling   = 0.7
	kneeFraction = 0.9
)

// Stamp is the layout of every stamp that code writes.
const Stamp = "2006-01-02T15:04:05Z"

// ParseStamp reads a stamp of exactly that form.
func ParseStamp(s string) (time.Time, bool) {
	t, err := time.Parse(Stamp, s)
	return t, err == nil && len(s) == len(Stamp)
}

// Ahead is how far a stamp may lie in the future before it is no guide to order.
const Ahead = 10 * time.Minute

// Future tells whether an RFC 3339 stamp is later than now by more than [Ahead].
// Without a clock none is.
func Future(stamp string, now time.Time) bool {
	at, err := time.Parse(time.RFC3339, stamp)
	return err == nil && !now.IsZero() && at.Sub(now) > Ahead
}

// Weight is the weight of an item of a kind ([doc.List].Kind) at a moment.
func Weight(kind string, e *doc.Entry, now time.Time) float64 { return Explain(kind, e, now).Weight }

// Explain is [Weight] with its factors. An unknown kind ages like a decision.
func Explain(kind string, e *doc.Entry, now time.Time) Breakdown {
	r, ok := rules[kind]
	if !ok {
		r = rules["decision"]
	}
	b := Breakdown{Base: float64(e.Importance()) / 10, Recency: unaged, Decay: 1, Boost: 1, Ceiling: lowCeiling}
	if e.Trust() == doc.Verbatim {
		b.Ceiling = highCeiling
	}
	if b.Age, b.Aged = age(e.Str("first_seen"), now); b.Aged {
		b.Recency = recency(b.Age)
		b.Decay = max(leastDecay, 1-b.Age*r.loss)
		if over := b.Age - r.lifespan; r.escalates && over > 0 && b.Age <= boostedDays {
			b.Boost = min(maxBoost, 1+math.Pow(over, 1.5)/100)
		}
	}
	b.Raw = b.Base * b.Recency * b.Decay * b.Boost
	b.Weight = softclip(b.Raw, b.Ceiling)
	return b
}

func age(firstSeen string, now time.Time) (float64, bool) {
	t, ok := ParseStamp(firstSeen)
	if !ok || t.Sub(now) > slack {
		return 0, false
	}
	return max(0, now.Sub(t).Hours()/24), true
}

func recency(days float64) float64 {
	i := 0
	for days > steps[i].days {
		i++
	}
	return steps[i].factor
}

// softclip keeps w below the ceiling and different weights different: from nine
// tenths of it on, w only approaches the ceiling.
func softclip(w, ceiling float64) float64 {
	knee := kneeFraction * ceiling
	if w <= knee {
		return w
	}
	if ceiling <= 0 {
		return 0
	}
	return ceiling - (ceiling-knee)*(ceiling-knee)/(w-2*knee+ceiling)
}
