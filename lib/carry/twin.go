package carry

import (
	"daimon/lib/doc"
	"daimon/lib/score"
)

// evidence are the fields that a verbatim item holds as one unit: its words, and
// every judgement about them.
var evidence = []string{
	"text", "trust", "because", "quote", "quote_provenance", "source_message_ids",
	"quote_echo_only", "grounded", "grounding", "stated_by", "pinned", "preceding_tool_context",
}

// Frozen tells whether item stands for prev, a verbatim one, word for word with
// all its evidence.
func Frozen(item, prev *doc.Entry) bool {
	if prev.Trust() != doc.Verbatim || item.True("quote_verified") != prev.True("quote_verified") || item.False("quote_verified") {
		return false
	}
	for _, f := range evidence {
		if item.Get(f).Raw != prev.Get(f).Raw {
			return false
		}
	}
	return true
}

// freeze gives a fresh item the words and the evidence of a previous one.
func freeze(fresh, prev *doc.Entry) {
	for _, f := range evidence {
		fresh.CopyField(prev, f)
	}
	if fresh.Delete("quote_verified"); prev.True("quote_verified") {
		fresh.Set("quote_verified", true)
	}
	if !fresh.Has("last_verified") && prev.Has("last_verified") {
		fresh.CopyField(prev, "last_verified")
	}
}

// identify makes a fresh item the continuation of a previous one: the older
// first_seen, the id and the origin pass on.
func identify(fresh, prev *doc.Entry) {
	if older(prev.Str("first_seen"), fresh) {
		fresh.CopyField(prev, "first_seen")
	}
	for _, f := range []string{"id", "origin_session", "origin_author"} {
		if !fresh.Has(f) && prev.Has(f) {
			fresh.CopyField(prev, f)
		}
	}
}

func older(stamp string, fresh *doc.Entry) bool {
	if !fresh.Has("first_seen") {
		return stamp != ""
	}
	was, ok := score.ParseStamp(stamp)
	is, known := score.ParseStamp(fresh.Str("first_seen"))
	return ok && (!known || was.Before(is))
}

// Proven tells whether an item's own quote was found.
func Proven(e *doc.Entry) bool { return proven(e) }

func proven(e *doc.Entry) bool {
	if outcome := e.Get("quote_provenance.outcome"); outcome.Exists() && outcome.Str != "verified" {
		return false
	}
	return e.Trust() == doc.Verbatim && e.Quote() != "" && e.True("quote_verified")
}
