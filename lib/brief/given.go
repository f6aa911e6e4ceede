package brief

import (
	"bytes"
	"errors"

	"github.com/tidwall/gjson"

	"daimon/lib/doc"
	"daimon/lib/store"
)

// Given takes a document that somebody handed over instead of one that was read
// from the store. It keeps its labels when it is, byte for byte in canonical form,
// a file of the store; any other is a claim: its items lose every code-owned
// field and their trust, and a note says so. A document without the two sections
// is an error.
func Given(st *store.Store, slug string, c *doc.Checkpoint) (*doc.Checkpoint, []string, error) {
	for _, section := range []string{"working_context", "epistemic_snapshot"} {
		if v := c.Get(section); !v.IsObject() {
			return nil, nil, errors.New("no checkpoint: " + section + " is missing or no object")
		}
	}
	if held(st, slug, c) {
		return c, nil, nil
	}
	id, created := c.Get("session_id"), c.Get("created")
	c = c.Clone()
	doc.StripCode(c)
	c.Walk(func(_ doc.List, e *doc.Entry) bool {
		e.Delete("trust")
		return true
	})
	for name, v := range map[string]gjson.Result{"session_id": id, "created": created} {
		if v.Type == gjson.String {
			c.Set(name, v.Str)
		}
	}
	return c, []string{"This document is not one that the store holds: nothing in it was judged, its words are its own claim."}, nil
}

// held tells whether a file of the store is this document.
func held(st *store.Store, slug string, c *doc.Checkpoint) bool {
	for _, path := range append(append(st.SessionFiles(c.Str("session_id"), slug), st.LatestPath(slug)), st.Prev(slug)...) {
		if kept, err := store.Read(path); err == nil && bytes.Equal(kept.Bytes(), c.Bytes()) {
			return true
		}
	}
	return false
}
