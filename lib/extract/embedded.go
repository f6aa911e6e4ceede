// Package extract turns a transcript into a candidate checkpoint: an untrusted
// claim that the later stages judge.
//
// [Embedded] needs no model. It only quotes: every item is one sentence of one
// message, and cites it. [Command] runs another program.
package extract

import (
	"daimon/lib/doc"
)

// Version is what the embedded extractor calls itself.
const Version = "embedded/1"

// Embedded extracts a candidate. The same transcript gives the same bytes.
func Embedded(t *doc.Transcript) *doc.Checkpoint {
	c := doc.NewCheckpoint()
	c.Set("extractor", Version)
	k := listen(t)
	k.judge()
	kept := k.choose()
	if s := k.topic(kept); s != nil {
		c.SetTopic(k.entry(&candidate{sentence: s}))
	}
	lists := map[string][]*doc.Entry{}
	for _, cand := range kept {
		lists[cand.kind.list()] = append(lists[cand.kind.list()], k.item(&cand))
	}
	for _, l := range doc.Lists {
		if items := lists[l.Key]; len(items) > 0 {
			c.SetItems(l, items)
		}
	}
	return c
}

// entry is the quotation itself.
func (k *talk) entry(c *candidate) *doc.Entry {
	text := k.quote(c)
	e := doc.NewEntry(text, doc.Verbatim)
	e.Set("quote", text)
	ids := []string{k.t.Messages[c.msg].ID}
	for _, m := range c.sources {
		ids = append(ids, k.t.Messages[m].ID)
	}
	e.Set("source_message_ids", ids)
	return e
}

// quote is what a candidate quotes: its sentence and those that belong to it.
func (k *talk) quote(c *candidate) string {
	if c.tail == 0 {
		return c.text
	}
	return k.t.Messages[c.msg].Text[c.start:k.sentences[c.tail].end]
}

func (k *talk) item(c *candidate) *doc.Entry {
	k.cite(c)
	e := k.entry(c)
	e.Set("importance", k.importance(c))
	if b := k.because(c); b != "" && (c.kind == decision || c.kind == rule) {
		e.Set("because", b)
	}
	if c.kind == promise || c.kind == openQuestion && c.any(cueDefer, cueTime) {
		e.Set("external_state", true)
	}
	if links := k.links(c); links != nil {
		e.Set("links", links)
	}
	return e
}

func (k *talk) links(c *candidate) []doc.Link {
	if c.kind != decision {
		return nil
	}
	if old := k.target(c); old != "" {
		return []doc.Link{{Type: "supersedes", Target: old}}
	}
	return nil
}

// because is the first reason stated in a candidate's quote.
func (k *talk) because(c *candidate) string {
	b := because(c.sentence)
	for n := k.turns[c.turn].first + c.nth + 1; b == "" && n <= c.tail; n++ {
		b = because(&k.sentences[n])
	}
	return b
}

// cite adds the messages that a candidate rests on besides its own: the user's
// yes, the tool result that shows it.
func (k *talk) cite(c *candidate) {
	c.sources = nil
	switch tn := k.turns[c.turn]; {
	case c.kind == decision && !tn.user:
		c.sources = append(c.sources, k.turns[tn.verdict.reply].msg)
	case c.kind == outcome:
		c.sources = append(c.sources, k.shower(c.sentence, true))
	case c.kind == leftover:
		if i := k.failing(c.sentence); i >= 0 {
			c.sources = append(c.sources, i)
		}
	}
}

// importance weighs the evidence: who said it, how firmly, and what it touches.
func (k *talk) importance(c *candidate) int {
	n := 4
	if k.turns[c.turn].user {
		n++
	}
	if c.kind == rule && c.has(cueRule) {
		n += 2
	}
	if len(c.replaces) > 0 || c.has(cueScrap) {
		n++
	}
	if grave(c.folded) {
		n++
	}
	for _, w := range c.keys {
		if k.rare(w) && k.common[w] >= 4 {
			n++ // a matter that the session came back to
			break
		}
	}
	if c.kind == outcome {
		n -= 2
	}
	return max(1, min(10, n))
}
