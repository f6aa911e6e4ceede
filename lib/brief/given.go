package brief

import (
	"bytes"

	"daimon/lib/doc"
	"daimon/lib/fault"
	"daimon/lib/store"
)

// Given judges a document that somebody handed over instead of one that was read
// from the store. Its labels count when it is, byte for byte in canonical form, a
// file of the store; any other only claims them, see [Options]. A document without
// the two sections is BadInput.
func Given(st *store.Store, slug string, c *doc.Checkpoint) (claims bool, err error) {
	for _, section := range []string{"working_context", "epistemic_snapshot"} {
		if !c.Get(section).IsObject() {
			return false, fault.New(fault.BadInput, "read the document", "no checkpoint: %s is missing or no object", section)
		}
	}
	return !held(st, slug, c), nil
}

// held tells whether a file of the store is this document.
func held(st *store.Store, slug string, c *doc.Checkpoint) bool {
	id := c.Str("session_id")
	paths := append(st.SessionFiles(id, slug), st.SessionFiles(id, c.Str("project_slug"))...)
	for _, path := range append(append(paths, st.LatestPath(slug)), st.Prev(slug)...) {
		if kept, err := store.Read(path); err == nil && bytes.Equal(kept.Bytes(), c.Bytes()) {
			return true
		}
	}
	return false
}

// unjudged is the note above items that nobody judged.
const unjudged = "This document is not one that the store holds: nothing in it was judged, its words and labels are its own claim."

// unlabel takes from an item that only claims it what code alone may say.
func unlabel(e *doc.Entry) {
	doc.StripCodeEntry(e)
	e.Delete("trust")
}
