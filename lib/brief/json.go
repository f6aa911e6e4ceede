package brief

import (
	"daimon/lib/doc"
)

type jsonBriefing struct {
	Format   string         `json:"format"`
	Session  string         `json:"session_id"`
	Created  string         `json:"created"`
	Notes    []string       `json:"notes"`
	Closed   string         `json:"closed,omitempty"`
	Items    []jsonItem     `json:"items"`
	LeftOut  map[string]int `json:"left_out"`
	Withheld map[string]int `json:"withheld"`
	Stale    int            `json:"stale"`
}

type jsonItem struct {
	Section      string `json:"section"`
	Kind         string `json:"kind"`
	ID           string `json:"id,omitempty"`
	Text         string `json:"text"`
	Trust        string `json:"trust"`
	Quote        string `json:"quote,omitempty"`
	Because      string `json:"because,omitempty"`
	StatedBy     string `json:"stated_by,omitempty"`
	FirstSeen    string `json:"first_seen,omitempty"`
	CarriedFrom  string `json:"carried_from,omitempty"`
	Pinned       bool   `json:"pinned,omitempty"`
	Unproven     bool   `json:"unproven_outcome,omitempty"`
	NotFound     bool   `json:"quote_not_found,omitempty"`
	SupersededBy string `json:"superseded_by,omitempty"`
}

// JSON is the briefing as one document, with every visible item and no budget:
// texts as stored, control characters escaped by JSON itself.
func (b *Briefing) JSON() ([]byte, error) {
	out := jsonBriefing{
		Format: "daimon.briefing/1", Session: b.Session, Created: b.Created, Closed: b.Closed, Stale: b.Stale,
		Notes: append([]string{}, b.Notes...), Items: []jsonItem{}, LeftOut: map[string]int{}, Withheld: map[string]int{},
	}
	for reason, n := range b.Withheld {
		out.Withheld[string(reason)] = n
	}
	for _, s := range b.Sections {
		if s.LeftOut > 0 {
			out.LeftOut[s.Name] = s.LeftOut
		}
		for _, it := range s.Items {
			out.Items = append(out.Items, jsonOf(s.Name, it))
		}
	}
	return doc.Marshal(out)
}

func jsonOf(section string, it *Item) jsonItem {
	e := it.Entry
	return jsonItem{
		Section: section, Kind: it.List.Kind, ID: e.ID(), Text: e.Text(), Trust: e.Trust(), Quote: e.Quote(),
		Because: e.Str("because"), StatedBy: e.Str("stated_by"), FirstSeen: e.Str("first_seen"),
		CarriedFrom: e.Str("carried_from"), Pinned: e.True("pinned"), Unproven: e.False("grounded"),
		NotFound: e.False("quote_verified"), SupersededBy: it.SupersededBy,
	}
}

// Envelope wraps a briefing the way a host's session-start hook wants it.
// Hosts: claude-code. Anything else is nil.
func Envelope(host string, text []byte) []byte {
	if host != "claude-code" {
		return nil
	}
	b := append([]byte(`{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":`), doc.AppendString(nil, string(text))...)
	return append(b, "}}"...)
}
