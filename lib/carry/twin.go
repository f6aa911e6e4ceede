package carry

import (
	"daimon/lib/doc"
	"daimon/lib/score"
)

// evidence are the fields that a verbatim item holds as one unit: its words, and
// every judgement about them.
var evidence = []string{
	"text", "trust", "because", "quote", "quote_provenance", "source_message_ids",
	"quote_echo_only", "grounded", "grounding", "stated_by", "preceding_tool_context",
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

// twin makes a fresh item the continuation of a previous one. A verbatim one
// keeps its words and evidence; one that was only inferred yields to the new
// wording. Either way the older first_seen, the id and the origin pass on.
func twin(fresh, prev *doc.Entry) {
	if prev.Trust() == doc.Verbatim && !(fresh.Text() == prev.Text() && proven(fresh)) {
		for _, f := range evidence {
			fresh.CopyField(prev, f)
		}
		if fresh.Delete("quote_verified"); prev.True("quote_verified") {
			fresh.Set("quote_verified", true)
		}
	}
	if older(prev.Str("first_seen"), fresh) {
		fresh.CopyField(prev, "first_seen")
	}
	for _, f := range []string{"last_verified", "id", "origin_session", "origin_author"} {
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

// proven tells whether an item's own quote was found.
func proven(e *doc.Entry) bool {
	if outcome := e.Get("quote_provenance.outcome"); outcome.Exists() && outcome.Str != "verified" {
		return false
	}
	return e.Trust() == doc.Verbatim && e.Quote() != "" && e.True("quote_verified")
}
