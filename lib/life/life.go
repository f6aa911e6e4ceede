// Package life folds a project's lifecycle events: which items are closed, which
// values are forgotten. The fold depends on what the rows say, never on the
// order in which they stand.
package life

import (
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"daimon/lib/canon"
	"daimon/lib/doc"
	"daimon/lib/ledger"
	"daimon/lib/store"
)

const (
	keyRef    = "forgotten-key:"
	forgotten = "forgotten:"
	candidate = "supersede-candidate"
)

// Event is the latest event of one ref.
type Event struct{ Kind, Ref, Status, Source, TS, Note, ItemText string }

// State is what a project's events come to.
type State struct {
	Health ledger.Health
	latest map[string]gjson.Result // by ref, key refs included
	keys   map[string]bool
}

// Read folds the events of a project. Events that cannot be proven are an error,
// [fault.TryLater]: an empty state is no stand-in for one that could not be read.
func Read(st *store.Store, slug string) (*State, error) {
	path := st.Ledger(slug, store.Events)
	rows, h := ledger.Read(path)
	if !h.Proven() {
		return nil, h.Unproven(path)
	}
	s := Fold(rows)
	s.Health = h
	return s, nil
}

// Fold folds rows that were already read.
func Fold(rows []gjson.Result) *State {
	s := &State{Health: ledger.Health{Class: ledger.OK}, latest: map[string]gjson.Result{}, keys: map[string]bool{}}
	for _, row := range rows {
		ref := str(row, "item_ref")
		if ref == "" {
			continue // a note or a handoff
		}
		if old, seen := s.latest[ref]; !seen || displaces(row, old) {
			s.latest[ref] = row
		}
	}
	for _, row := range s.latest {
		if key, ok := strings.CutPrefix(status(row), forgotten); ok {
			s.keys[strings.TrimSpace(key)] = true
		}
	}
	return s
}

func str(row gjson.Result, key string) string {
	if v := row.Get(key); v.Type == gjson.String {
		return v.Str
	}
	return ""
}

func status(row gjson.Result) string { return strings.ToLower(str(row, "status")) }

// displaces tells whether a is later than b. A row without a good stamp is
// earlier than any that has one. Equal stamps go by weight, then by the greater
// canonical JSON.
func displaces(a, b gjson.Result) bool {
	at, aerr := time.Parse(time.RFC3339, str(a, "ts"))
	bt, berr := time.Parse(time.RFC3339, str(b, "ts"))
	switch {
	case (aerr == nil) != (berr == nil):
		return aerr == nil
	case aerr == nil && !at.Equal(bt):
		return at.After(bt)
	}
	if aw, bw := weight(a), weight(b); aw != bw {
		return aw > bw
	}
	return string(sorted(a)) > string(sorted(b))
}

func weight(row gjson.Result) int {
	switch s := status(row); {
	case strings.HasPrefix(s, candidate), strings.HasPrefix(s, "resolving-candidate"):
		return 0
	case strings.HasPrefix(s, "reopen"):
		return 2
	}
	return 1
}

// sorted re-encodes a value with the keys of every object in order.
func sorted(v gjson.Result) []byte {
	switch {
	case v.IsObject():
		members := map[string]gjson.Result{}
		var keys []string
		v.ForEach(func(k, e gjson.Result) bool {
			keys = append(keys, k.Str)
			members[k.Str] = e
			return true
		})
		slices.Sort(keys)
		b := []byte{'{'}
		for i, k := range slices.Compact(keys) {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(doc.AppendString(b, k), ':')
			b = append(b, sorted(members[k])...)
		}
		return append(b, '}')
	case v.IsArray():
		b := []byte{'['}
		for i, e := range v.Array() {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(b, sorted(e)...)
		}
		return append(b, ']')
	}
	return []byte(v.Raw)
}

// Latest is the latest event of an item id.
func (s *State) Latest(id string) (Event, bool) {
	row, ok := s.latest[id]
	if !ok || strings.HasPrefix(id, keyRef) {
		return Event{}, false
	}
	return Event{
		Kind: str(row, "kind"), Ref: id, Status: str(row, "status"), Source: str(row, "source"),
		TS: str(row, "ts"), Note: str(row, "note"), ItemText: str(row, "item_text"),
	}, true
}

// Status is the status of an item's latest event as it was written, or "".
func (s *State) Status(id string) string {
	e, _ := s.Latest(id)
	return e.Status
}

// live statuses say that somebody, or something, thinks the item may be done.
var live = []string{candidate, "corroborat", "resolving-candidate", "reopen"}

// Resolved tells whether an item is closed. Any status that is not known to
// leave it open closes it, an unknown word too: somebody decided something.
func (s *State) Resolved(id string) bool {
	row, ok := s.latest[id]
	if !ok || id == "" || strings.HasPrefix(id, keyRef) {
		return false
	}
	word := status(row)
	return !slices.ContainsFunc(live, func(p string) bool { return strings.HasPrefix(word, p) })
}

// SupersedeCandidate is the id of the item that a machine thinks replaced id, or "".
func (s *State) SupersedeCandidate(id string) string {
	e, ok := s.Latest(id)
	if !ok || !strings.HasPrefix(strings.ToLower(e.Status), candidate+":") {
		return ""
	}
	return e.Status[len(candidate)+1:]
}

// Forgotten is the content keys of all forgotten values, those of item rows and
// of key refs: reopening an item does not bring back its value.
func (s *State) Forgotten() map[string]bool { return s.keys }

// IsForgotten tells whether a text is a forgotten value, marks at its edges
// aside, or has one as a sentence. Blank text is not a value.
func (s *State) IsForgotten(text string) bool {
	return len(s.keys) > 0 && canon.Matches(text, func(key string) bool { return s.keys[key] })
}

// ForgottenID tells whether the latest event of an item is a tombstone.
func (s *State) ForgottenID(id string) bool {
	return strings.HasPrefix(strings.ToLower(s.Status(id)), forgotten)
}

// Tombstones lists the refs, ids and key refs, whose tombstone for a key stands.
func (s *State) Tombstones(key string) []string {
	var refs []string
	for ref, row := range s.latest {
		if status(row) == forgotten+key {
			refs = append(refs, ref)
		}
	}
	slices.Sort(refs)
	return refs
}
