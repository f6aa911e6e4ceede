// Package carry takes over open items from a project's previous checkpoint, so
// that a question nobody answered is still there in the next session.
package carry

import (
	"bytes"
	"time"

	"daimon/lib/doc"
)

// The defaults of Options.
const (
	DefaultFloor = 0.05
	DefaultMax   = 8
)

// Options are what a merge needs to know besides the two documents.
type Options struct {
	Now       time.Time              // the clock that ages items
	Floor     float64                // an item below this weight fades; 0 keeps all
	Max       int                    // carried items per list; below 1 means DefaultMax
	Resolved  func(id string) bool   // closed or forgotten by id; nil: none is
	Forgotten func(text string) bool // the text was forgotten; nil: none was
}

// Superseded is a previous item that a fresh one replaced with a verified quote.
type Superseded struct{ OldID, NewText string }

// Report counts what a merge did.
type Report struct {
	Carried    int          // previous items appended
	Twins      int          // fresh items that took over a previous item's identity
	Faded      int          // previous items below the floor
	Cut        int          // previous items beyond the cap
	Closed     int          // previous items resolved or forgotten
	Bound      int          // link targets that became an id
	Superseded []Superseded // previous items that a fresh one replaced
}

// Copy is a previous item as it stands when carried: the same bytes, without a
// failed quote_verified, and with the session it was first carried from.
func Copy(e *doc.Entry, session string) *doc.Entry {
	c := e.Clone()
	if c.False("quote_verified") {
		c.Delete("quote_verified")
	}
	if !c.Has("carried_from") && session != "" {
		c.Set("carried_from", session)
	}
	return c
}

// frozen are the fields that a verbatim item holds as one unit.
var frozen = []string{"text", "trust", "because", "quote", "quote_provenance", "source_message_ids"}

// Frozen tells whether item stands for prev, a verbatim one, word for word with
// all its evidence.
func Frozen(item, prev *doc.Entry) bool {
	if prev.Trust() != doc.Verbatim || item.True("quote_verified") != prev.True("quote_verified") {
		return false
	}
	for _, f := range frozen {
		if !bytes.Equal([]byte(item.Get(f).Raw), []byte(prev.Get(f).Raw)) {
			return false
		}
	}
	return true
}
