package quote

import (
	"daimon/lib/doc"
)

// VerifierVersion changes when a verdict could.
const VerifierVersion = 2

const (
	verifiedField   = "quote_verified"
	stampField      = "last_verified"
	provenanceField = "quote_provenance"
	echoField       = "quote_echo_only"
	saidField       = "stated_by"
)

// Receipt is quote_provenance: what was looked at, by what, and where the words
// stand.
type Receipt struct {
	Version   int        `json:"version"`
	Digest    *Digest    `json:"digest,omitempty"`
	Verifier  Verifier   `json:"verifier"`
	Outcome   string     `json:"outcome"` // verified or not-verified
	Reason    string     `json:"reason,omitempty"`
	Binding   Binding    `json:"binding"`
	Cross     bool       `json:"cross_message,omitempty"` // no single message has all of it
	Fragments []Fragment `json:"fragments,omitempty"`
}

// Digest names the bytes of the host's session file.
type Digest struct {
	Algorithm string `json:"algorithm"`
	Scope     string `json:"scope"`
	Value     string `json:"value"`
}

// Verifier is the program that judged.
type Verifier struct {
	ID      string `json:"id"`
	Version int    `json:"version"`
}

// Binding says whether the cited messages hold the quote (message-ids) or it was
// found elsewhere or nowhere (transcript-scan).
type Binding struct {
	Mode       string   `json:"mode"`
	MessageIDs []string `json:"message_ids"`
}

// Fragment is one piece of the quote: bytes Start to End of a message's text.
type Fragment struct {
	MessageID string `json:"message_id"`
	Role      string `json:"role"`
	Start     int    `json:"start"`
	End       int    `json:"end"`
}

func newReceipt(t *doc.Transcript) Receipt {
	r := Receipt{Version: 1, Verifier: Verifier{"daimon-quote", VerifierVersion},
		Outcome: "not-verified", Binding: Binding{"transcript-scan", []string{}}}
	if t.SHA256 != "" {
		r.Digest = &Digest{"sha256", "raw-file", t.SHA256}
	}
	return r
}

// accept stamps a claim whose words were found.
func (k *claim) accept(at string) {
	r := newReceipt(k.x.t)
	r.Outcome = "verified"
	last := -1
	for _, h := range k.hits {
		m := k.x.bodies[h.msg].m
		r.Fragments = append(r.Fragments, Fragment{m.ID, m.Role, h.start, h.end})
		if h.msg != last && k.bound {
			r.Binding.MessageIDs = append(r.Binding.MessageIDs, m.ID)
		}
		r.Cross = r.Cross || last >= 0 && h.msg != last
		last = h.msg
	}
	if k.bound {
		r.Binding.Mode = "message-ids"
	}
	clearVerdict(k.e)
	k.e.Set(verifiedField, true)
	if at != "" {
		k.e.Set(stampField, at)
	}
	k.e.Set(provenanceField, r)
	for role := range k.roles {
		if len(k.roles) == 1 && role != "" {
			k.e.Set(saidField, role)
		}
	}
}

// refuse lowers a claim. The quote stays, as a claim.
func (k *claim) refuse() {
	k.e.Set("trust", doc.Inferred)
	k.e.Delete(idsField)
	stampMiss(k.e, k.x.t, k.reason)
}

func clearVerdict(e *doc.Entry) {
	e.Delete(verifiedField, stampField, provenanceField, echoField, saidField)
}

func stampMiss(e *doc.Entry, t *doc.Transcript, reason string) {
	clearVerdict(e)
	e.Set(verifiedField, false)
	if reason == EchoOnly {
		e.Set(echoField, true)
	}
	r := newReceipt(t)
	r.Reason = reason
	e.Set(provenanceField, r)
}

// restamp gives an item that was refused before the receipt of a refusal,
// whatever its old one said.
func restamp(e *doc.Entry, t *doc.Transcript) {
	stampMiss(e, t, missReason(e))
}

func missReason(e *doc.Entry) string {
	switch r := e.Str(provenanceField + ".reason"); r {
	case EchoOnly, WrongSpeaker:
		return r
	}
	return NotFound
}

// Lowered remembers which inferred items of a candidate claim that their quote
// was refused, and returns what puts that claim back after a strip: a claim that
// only lowers may come from anyone. Items must not move in between.
func Lowered(c *doc.Checkpoint) (restore func(*doc.Checkpoint)) {
	lowered := map[doc.List]map[int]string{}
	note := func(l doc.List, n int, e *doc.Entry) {
		if e.Trust() != doc.Inferred || e.Quote() == "" || !e.False(verifiedField) {
			return
		}
		if lowered[l] == nil {
			lowered[l] = map[int]string{}
		}
		lowered[l][n] = missReason(e)
	}
	if e := c.Topic(); e != nil {
		note(doc.Topic, 0, e)
	}
	for _, l := range doc.Lists {
		for n, e := range c.Items(l) {
			note(l, n, e)
		}
	}
	return func(c *doc.Checkpoint) {
		if len(lowered) > 0 {
			putBack(c, lowered)
		}
	}
}

func putBack(c *doc.Checkpoint, lowered map[doc.List]map[int]string) {
	nowhere := &doc.Transcript{}
	seen := map[doc.List]int{}
	c.Walk(func(l doc.List, e *doc.Entry) bool {
		if reason, ok := lowered[l][seen[l]]; ok {
			stampMiss(e, nowhere, reason)
		}
		seen[l]++
		return true
	})
}
