package admit

import (
	"slices"
	"strings"

	"daimon/lib/canon"
	"daimon/lib/carry"
	"daimon/lib/doc"
	"daimon/lib/ground"
	"daimon/lib/quote"
)

// The code-owned fields that the gates set.
var judgedFields = []string{
	"last_verified", "quote_verified", "quote_provenance", "quote_echo_only", "stated_by", "pinned",
	"grounded", "grounding", "preceding_tool_context",
	"restated_after_resolve", "anchored_to", "receipt_hash", "foreign_verbatim_claim", // nobody's yet: always a false claim
}

// judge runs the gates on the fresh items alone and then takes, of what they find
// and what the candidate says, the lower. Other items are not in this transcript.
func (r *run) judge() {
	part := r.doc.Clone()
	lists := map[string][]*doc.Entry{}
	part.SetTopic(nil)
	for _, s := range r.slots {
		switch {
		case s.kind != fresh:
		case s.list == doc.Topic:
			part.SetTopic(s.item)
		default:
			lists[s.list.Key] = append(lists[s.list.Key], s.item)
		}
	}
	for _, l := range doc.Lists {
		part.SetItems(l, lists[l.Key])
	}
	quote.Verify(part, r.t, r.at())
	ground.Judge(part, r.t)
	r.takeBack(part)
}

// at stamps last_verified: the end of the session, so that the stage is pure.
func (r *run) at() string {
	if r.t.End != "" {
		return r.t.End
	}
	return r.t.Start
}

// takeBack puts the judged items into their slots and the pins the gates added
// behind the other beliefs.
func (r *run) takeBack(part *doc.Checkpoint) {
	judged := itemsOf(part)
	for _, s := range r.slots {
		if s.kind != fresh {
			continue
		}
		rest := judged[s.list.Key]
		s.item, judged[s.list.Key] = rest[0], rest[1:]
		s.lower()
		s.compare(judgedFields)
		s.sum()
	}
	for _, l := range doc.Lists {
		for _, e := range judged[l.Key] {
			if s := (&slot{list: l, item: e}); !r.stands(e) {
				s.sum()
				r.slots = append(r.slots, s)
			}
		}
	}
}

// stands tells whether an item that goes on from the store already holds the
// sentence of a pin in the user's words.
func (r *run) stands(pin *doc.Entry) bool {
	sentence := canon.Bare(pin.Quote())
	return slices.ContainsFunc(r.slots, func(s *slot) bool {
		return s.kind != fresh && carry.Proven(s.item) && s.item.Str("stated_by") == doc.User && strings.Contains(canon.Text(s.item.Quote()), sentence)
	})
}

// prepare readies a fresh item for the gates: claims go, except one that only
// lowers. An item that says its quote was found and calls itself inferred
// nevertheless was lowered for its outcome: its quote is judged as if it were
// verbatim, and lower puts the label back.
func (s *slot) prepare() {
	s.item = bare(s.item)
	quoted := strings.TrimSpace(s.item.Quote()) != ""
	trust := s.item.Trust()
	switch {
	case s.claim.False("quote_verified") && quoted:
		s.item.Set("trust", doc.Inferred)
		s.item.CopyField(s.claim, "quote_verified")
		s.item.CopyField(s.claim, "quote_provenance")
	case s.claim.True("quote_verified") && quoted && trust == doc.Inferred:
		s.item.Set("trust", doc.Verbatim)
	case trust == doc.Verbatim && !quoted, trust != doc.Verbatim && trust != doc.Inferred:
		s.item.Set("trust", doc.Inferred) // lists that take bare strings are not validated
	}
}

// lower brings the judged item down to what the candidate claims, where that is
// less. A gate in the pipe may be stricter than ours.
func (s *slot) lower() {
	if s.claim.Trust() == doc.Inferred || s.item.Trust() == doc.Verbatim && !s.item.True("quote_verified") {
		s.item.Set("trust", doc.Inferred)
	}
	if s.claim.False("grounded") && !s.item.False("grounded") {
		s.item.Set("trust", doc.Inferred)
		s.item.Set("grounded", false)
		s.item.Delete("grounding")
	}
}

// compare notes whether the candidate said more in a field than it now holds.
func (s *slot) compare(fields []string) {
	if s.claim == nil {
		return
	}
	for _, f := range fields {
		v := s.claim.Get(f)
		lowering := f == "grounding" && s.claim.False("grounded") || f == "quote_echo_only" ||
			f == "quote_provenance" && s.claim.False("quote_verified")
		if v.Exists() && v.Raw != s.item.Get(f).Raw && !lowering {
			s.lied = true
		}
	}
}

// sum turns the verdicts that stand against the item into downgrades.
func (s *slot) sum() {
	if s.item.False("quote_verified") {
		s.blame(CheckQuote, code(s.item.Str("quote_provenance.reason"), quote.NotFound))
	}
	if s.item.False("grounded") {
		s.blame(CheckOutcome, code(s.item.Str("grounding.reason"), Upstream))
	}
}

func code(reason, otherwise string) string {
	if reason == "" {
		return otherwise
	}
	return reason
}
