// Package view is the one door through which stored values are read. It reads a
// project's ledger once and says of each value whether it may be shown; a
// refusal carries no text, so that what is withheld cannot be printed by
// mistake.
package view

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"daimon/lib/canon"
	"daimon/lib/doc"
	"daimon/lib/fault"
	"daimon/lib/life"
	"daimon/lib/scrub"
	"daimon/lib/store"
)

// Reason is why a value is withheld.
type Reason string

// The reasons. Resolved is a decision that the item is done; the value itself
// may still be shown as history.
const (
	Closed    Reason = "closed" // the ledger cannot be read
	Forgotten Reason = "forgotten"
	Resolved  Reason = "resolved"
)

// Verdict is [Visible] or [Withheld].
type Verdict interface{ verdict() }

// Visible is an item that may be shown. Entry is a copy, without the fields
// that are forgotten.
type Visible struct {
	Entry        *doc.Entry
	SupersededBy string // id that a machine thinks replaced it, or ""
}

// Withheld is an item that may not.
type Withheld struct{ Reason Reason }

func (Visible) verdict()  {}
func (Withheld) verdict() {}

// View is what one project's ledger says.
type View struct {
	state  *life.State // nil when closed
	closed string
}

// Open reads the ledger of a project. One that cannot be proven gives a closed
// view, not an error.
func Open(st *store.Store, slug string) *View {
	state, err := life.Read(st, slug)
	if err != nil {
		return &View{closed: cause(err)}
	}
	return &View{state: state}
}

func cause(err error) string {
	if e, ok := err.(*fault.Error); ok && e.Err != nil {
		return e.Path + " is " + e.Err.Error()
	}
	return "the ledger cannot be read"
}

// Closed says why nothing may be shown, or "".
func (v *View) Closed() string { return v.closed }

// Classify judges an item of a checkpoint: forgotten values first, then closed
// items.
func (v *View) Classify(l doc.List, e *doc.Entry) Verdict {
	verdict := v.ClassifyPast(l, e)
	if seen, ok := verdict.(Visible); ok && l != doc.Topic && v.state.Resolved(seen.Entry.ID()) {
		return Withheld{Resolved}
	}
	return verdict
}

// ClassifyPast judges an item as history: closed items are shown too, since what
// was is asked for as well as what is; see [View.Status].
func (v *View) ClassifyPast(l doc.List, e *doc.Entry) Verdict {
	id := e.ID()
	if l == doc.Topic {
		id = ""
	}
	switch {
	case v.state == nil:
		return Withheld{Closed}
	case v.state.ForgottenID(id):
		return Withheld{Forgotten}
	}
	e = e.Clone()
	if len(v.state.Forgotten()) > 0 {
		if keep, _ := scrub.Entry(e, v.state.IsForgotten); !keep {
			return Withheld{Forgotten}
		}
	}
	return Visible{Entry: e, SupersededBy: v.supersededBy(id)}
}

// ClassifyRow is [View.ClassifyPast] for a value that was taken out of its
// checkpoint, as in an index.
func (v *View) ClassifyRow(id, text, quote string) Verdict {
	e := doc.NewEntry(text, "")
	if quote != "" {
		e.Set("quote", quote)
	}
	if id != "" {
		e.Set("id", id)
	}
	return v.ClassifyPast(doc.List{}, e)
}

// supersededBy passes on only what has the shape of an id: it ends up beside
// commands.
func (v *View) supersededBy(id string) string {
	if by := v.state.SupersedeCandidate(id); canon.IsID(by) {
		return by
	}
	return ""
}

// Touched is the stamp of an item's latest event, or "".
func (v *View) Touched(id string) string {
	if v.state == nil {
		return ""
	}
	e, _ := v.state.Latest(id)
	return e.TS
}

// Status is how an item of the past stands today: "" for open, "resolved", or
// "superseded by" an id.
func (v *View) Status(id string) string {
	if v.state == nil || !v.state.Resolved(id) {
		return ""
	}
	const by = "superseded-by:"
	if s := v.state.Status(id); len(s) > len(by) && s[:len(by)] == by && canon.IsID(s[len(by):]) {
		return "superseded by " + s[len(by):]
	}
	return "resolved"
}

// Digest changes whenever other values are forgotten than before, or the view
// opens or closes: derived data made under another digest is stale.
func (v *View) Digest() string {
	if v.state == nil {
		return "closed"
	}
	var lines []string
	for key := range v.state.Forgotten() {
		lines = append(lines, key)
		for _, ref := range v.state.Tombstones(key) {
			if canon.IsID(ref) {
				lines = append(lines, key+" "+ref)
			}
		}
	}
	slices.Sort(lines)
	sum := sha256.Sum256([]byte(strings.Join(lines, "\n")))
	return hex.EncodeToString(sum[:])
}
