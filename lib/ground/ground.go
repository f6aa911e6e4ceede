// Package ground judges the outcomes a candidate checkpoint claims. An item that
// says something was done keeps its label only if it cites a tool result that
// shows it. Nothing here ever raises trust.
package ground

import (
	"slices"
	"strings"
	"sync"

	"daimon/lib/doc"
	"daimon/lib/lang"
)

// The verdicts, as they stand in grounding.status.
const (
	Grounded     = "grounded"
	Ungrounded   = "ungrounded"
	Contradicted = "contradicted"
	Unread       = "unread-language"
	NoOutcome    = "not-an-outcome" // leaves no mark on the item
)

// The reasons, as they stand in grounding.reason.
const (
	NoSignal     = "no-signal-cited"
	DoesNotShow  = "evidence-does-not-show"
	Contradicts  = "evidence-contradicts"
	groundedKey  = "grounded"
	groundingKey = "grounding"
)

// Grounding is how an outcome was judged.
type Grounding struct {
	Status   string `json:"status"`
	Evidence string `json:"evidence,omitempty"` // id of the tool message that decided
	Reason   string `json:"reason,omitempty"`
	Lexeme   string `json:"lexeme,omitempty"` // the words that claim the outcome
	Lang     string `json:"lang,omitempty"`
}

// Report is what a run of [Judge] did.
type Report struct {
	Items, Outcomes, Grounded int
	Failed                    []Failure
}

// Failure is one item whose outcome is not shown.
type Failure struct {
	List       doc.List
	Index      int // in the list
	Status     string
	Reason     string
	Downgraded bool // it was verbatim
}

// Judge marks every item that claims a completed outcome: grounded true when a
// cited tool result shows it, else false, and then the item is inferred. Items
// that claim none carry neither field. Running it again changes nothing.
func Judge(c *doc.Checkpoint, t *doc.Transcript) Report {
	var r Report
	j := judge{t: t, exhibits: map[*doc.Message]*exhibit{}}
	seen := map[doc.List]int{}
	c.Walk(func(l doc.List, e *doc.Entry) bool {
		index := seen[l]
		seen[l]++
		r.Items++
		e.Delete(groundedKey, groundingKey)
		g := j.item(e)
		if g.Status == NoOutcome {
			return true
		}
		r.Outcomes++
		if g.Status == Grounded {
			r.Grounded++
		} else {
			r.Failed = append(r.Failed, Failure{l, index, g.Status, g.Reason, e.Trust() == doc.Verbatim})
			if e.Trust() == doc.Verbatim {
				e.Set("trust", doc.Inferred)
			}
		}
		e.Set(groundedKey, g.Status == Grounded)
		e.Set(groundingKey, g)
		return true
	})
	return r
}

// judge is one run over a document.
type judge struct {
	t    *doc.Transcript
	once sync.Once
	lang string

	exhibits map[*doc.Message]*exhibit
}

// exhibit reads a result once.
func (j *judge) exhibit(m *doc.Message) *exhibit {
	x := j.exhibits[m]
	if x == nil {
		x = exhibitOf(m)
		j.exhibits[m] = x
	}
	return x
}

// language is what the user of the session speaks, for texts too short to tell.
func (j *judge) language() string {
	j.once.Do(func() {
		var b strings.Builder
		for i := range j.t.Messages {
			if m := &j.t.Messages[i]; m.Role == doc.User && b.Len() < 2000 {
				b.WriteString(m.Text + "\n")
			}
		}
		j.lang = lang.Of(b.String())
	})
	return j.lang
}

func (j *judge) read(text string) reading {
	tag := lang.Of(text)
	if tag == "" && !foreign(text) {
		tag = j.language()
	}
	return read(text, tag)
}

// item reads the text of an item; when that names no outcome at all, the words
// that were found to be quoted.
func (j *judge) item(e *doc.Entry) Grounding {
	text := e.Text()
	r := j.read(text)
	if !r.spoken && e.True("quote_verified") && e.Quote() != "" {
		if q := j.read(e.Quote()); q.spoken {
			text, r = e.Quote(), q
		}
	}
	signals := cited(e, j.t)
	if len(r.asserts) == 0 {
		if r.unread && !r.spoken && (len(signals) > 0 || len(text) > maxText || international().MatchString(text)) {
			return Grounding{Status: Unread, Reason: missing(signals), Lang: r.lang}
		}
		return Grounding{Status: NoOutcome}
	}
	exhibits := make([]*exhibit, len(signals))
	for i, m := range signals {
		exhibits[i] = j.exhibit(m)
	}
	return weighAll(r.asserts, text, j.t.Header.Branch, exhibits)
}

// cited are the tool results an item cites, in the order of the transcript, so
// that the last on a thing decides.
func cited(e *doc.Entry, t *doc.Transcript) []*doc.Message {
	mine := map[string]bool{}
	for _, id := range e.Strs("source_message_ids") {
		mine[id] = true
	}
	at := make([]int, 0, len(mine))
	for id := range mine {
		if i := t.Index(id); i >= 0 {
			at = append(at, i)
		}
	}
	slices.Sort(at)
	var out []*doc.Message
	for _, i := range at {
		if m := &t.Messages[i]; m.Role == doc.ToolRole && !m.Echo && m.Tool != nil {
			out = append(out, m)
		}
	}
	return out
}

func missing[T any](signals []T) string {
	if len(signals) == 0 {
		return NoSignal
	}
	return DoesNotShow
}

// weighAll judges every outcome a text claims. One that is contradicted decides,
// then one that is not shown.
func weighAll(asserts []assertion, text, branch string, signals []*exhibit) Grounding {
	var best *Grounding
	for _, a := range asserts {
		g := weigh(newClaim(a, text, branch), signals)
		if best == nil || rank(g) > rank(*best) {
			best = &g
		}
	}
	return *best
}

func rank(g Grounding) int {
	switch g.Status {
	case Contradicted:
		return 2
	case Ungrounded:
		return 1
	}
	return 0
}

// weigh goes through what the cited results show, in order: the last on the claim
// decides, but only a runner that is known outweighs the failure of one.
func weigh(c claim, signals []*exhibit) Grounding {
	g := Grounding{Status: Ungrounded, Reason: missing(signals), Lexeme: c.word, Lang: c.lang}
	refuted := false
	for _, m := range signals {
		shown := false // by this result
		for _, s := range m.show(c) {
			switch {
			case !c.concerns(m.Message, s):
			case s.cmd.dry && shown: // rehearsing the next step undoes nothing
			case s.end == failed && overlap(s.kinds, c.refuters()):
				g.Status, g.Reason, g.Evidence = Contradicted, Contradicts, m.ID
				refuted, shown = refuted || s.known, false
			case s.end == passed && overlap(s.kinds, witnesses[c.kind]) && c.covered(m.Message, s) && (s.known || !refuted):
				g.Status, g.Reason, g.Evidence = Grounded, "", m.ID
				refuted, shown = false, true
			}
		}
	}
	return g
}
