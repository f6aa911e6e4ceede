// Package forget removes a value from every file of a project, and leaves a
// tombstone that keeps it from coming back.
//
// The tombstone goes first: from then on every reader withholds the value, so a
// run that is cut off has hidden it already and is finished by running it again.
package forget

import (
	"errors"
	"slices"
	"strings"

	"daimon/lib/canon"
	"daimon/lib/doc"
	"daimon/lib/fault"
	"daimon/lib/life"
	"daimon/lib/store"
)

// Target is what is to be forgotten: values by their content keys, and the items
// that hold one as their text.
type Target struct {
	Keys map[string][]string // ids of the items whose text has the key, by key
	// values are the texts as they were found; none when only the tombstone was
	// left of them.
	values []string
	folded []string // values, canonical
	copies int      // items found, in all files
	fields int      // other places that hold a value
	again  bool     // forgotten before
	shared []string // ids of items that stay and rest on the same quote
	taken  []string // ids of items that go for what they contain
}

// IDs lists the items that go, sorted.
func (t *Target) IDs() []string {
	var ids []string
	for _, held := range t.Keys {
		ids = append(ids, held...)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

func (t *Target) forgotten(s string) bool {
	return canon.Matches(s, func(key string) bool { _, ok := t.Keys[key]; return ok })
}

func (t *Target) gone(id string) bool {
	for _, ids := range t.Keys {
		if slices.Contains(ids, id) {
			return true
		}
	}
	return false
}

// Find looks a target up among the items of one project, in its pointers and
// session files: by id, else by text, which must be a whole value or a sentence
// of one. The quote of an item goes with it, unless an item that stays rests on
// the same words. What other projects hold is not found.
func Find(st *store.Store, slug, id, text string) (*Target, error) {
	return find(st, slug, id, text, false)
}

// FindContaining is [Find] with the items that have the target within a longer
// text. They are enough: no item need be the target itself.
func FindContaining(st *store.Store, slug, id, text string) (*Target, error) {
	return find(st, slug, id, text, true)
}

func find(st *store.Store, slug, id, text string, contained bool) (*Target, error) {
	files, err := documents(st, slug)
	if err != nil {
		return nil, err
	}
	t := &Target{Keys: map[string][]string{}}
	t.add(text)
	if id != "" {
		each(files, func(e *doc.Entry) {
			if e.ID() == id {
				t.add(e.Text())
				t.hold(e)
			}
		})
		t.quotes(files, id)
	}
	found := false
	each(files, func(e *doc.Entry) {
		switch {
		case t.forgotten(e.Text()):
			t.add(e.Text()) // its own spelling, to search bytes for
			t.hold(e)
			t.copies++
			found = true
		case t.forgotten(e.Quote()):
			t.add(e.Quote())
			t.fields++
			found = true
		}
	})
	if contained {
		t.takeContaining(files)
	}
	if !found && len(t.taken) == 0 {
		return t.tombstone(st, slug, id)
	}
	return t, nil
}

// quotes adds what an item quotes and no item that stays does.
func (t *Target) quotes(files []file, id string) {
	var quotes []string
	users := map[string][]string{} // ids by bare quote
	each(files, func(e *doc.Entry) {
		switch q := canon.Bare(e.Quote()); {
		case q == "" || e.ID() != id && t.forgotten(e.Text()):
		case e.ID() == id:
			quotes = append(quotes, e.Quote())
		default:
			users[q] = append(users[q], named(e))
		}
	})
	for _, q := range quotes {
		if by := users[canon.Bare(q)]; len(by) > 0 {
			t.shared = append(t.shared, by...)
		} else {
			t.add(q)
		}
	}
	slices.Sort(t.shared)
	t.shared = slices.Compact(t.shared)
}

// named is the id of an item; one without counts as "-".
func named(e *doc.Entry) string {
	if id := e.ID(); id != "" {
		return id
	}
	return "-"
}

// takeContaining adds the items that have a value within a longer text: they go
// as a whole, with the texts that contain it.
func (t *Target) takeContaining(files []file) {
	var going []*doc.Entry
	each(files, func(e *doc.Entry) {
		if len(t.containing(e)) > 0 {
			going = append(going, e.Clone())
		}
	})
	for _, e := range going {
		for _, s := range append(t.containing(e), e.Text()) {
			t.add(s)
		}
		t.hold(e)
		t.copies++
		t.taken = append(t.taken, named(e))
	}
	slices.Sort(t.taken)
	t.taken = slices.Compact(t.taken)
}

// add names a value: by its key, which other readers of the store know, and by
// that of its bare form, which finds it with other marks around it.
func (t *Target) add(value string) {
	key := canon.Key(value)
	if key == canon.EmptyKey {
		return
	}
	for _, k := range []string{key, canon.Key(canon.Bare(value))} {
		if t.Keys[k] == nil {
			t.Keys[k] = []string{}
		}
	}
	if !slices.Contains(t.values, value) {
		t.values, t.folded = append(t.values, value), nil
	}
}

func (t *Target) hold(e *doc.Entry) {
	key := canon.Key(e.Text())
	if id := e.ID(); id != "" && key != canon.EmptyKey && !slices.Contains(t.Keys[key], id) {
		t.Keys[key] = append(t.Keys[key], id)
	}
}

// tombstone finds a value that was forgotten before, so that a run which was cut
// off can be finished.
func (t *Target) tombstone(st *store.Store, slug, id string) (*Target, error) {
	const op = "find what to forget"
	state, err := life.Read(st, slug)
	if err != nil {
		return nil, fault.Wrap(fault.TryLater, op, "", err)
	}
	if key, ok := strings.CutPrefix(state.Status(id), "forgotten:"); ok && id != "" {
		t.Keys[key] = []string{id}
		for other := range state.Forgotten() { // the quote's key has no item of its own
			if slices.ContainsFunc(state.Tombstones(other), canon.IsID) || other == key {
				continue
			}
			t.Keys[other] = []string{}
		}
		t.again = true
		return t, nil
	}
	for key := range t.Keys {
		t.again = t.again || state.Forgotten()[key]
	}
	if t.again {
		return t, nil
	}
	what, hint := "no item has this id in this project", "daimon brief and daimon index query print ids"
	if id == "" {
		what, hint = "no item of this project has exactly this text", "give the id, which daimon brief and daimon index query print, or add --contained"
	}
	return nil, (&fault.Error{Op: op, Kind: fault.NoInput, Err: errors.New(what)}).WithHint(hint)
}

func each(files []file, fn func(*doc.Entry)) {
	for _, f := range files {
		if f.doc == nil {
			continue
		}
		f.doc.Clone().Walk(func(_ doc.List, e *doc.Entry) bool {
			fn(e)
			return true
		})
	}
}

// file is one checkpoint file of the project; doc is nil when it is damaged.
type file struct {
	path string
	doc  *doc.Checkpoint
	own  bool // stands in the project's bucket
}

// documents reads every checkpoint file that is the project's: its pointers, and
// session files and global pointers that name it. A damaged file counts, since
// its project is unknown.
func documents(st *store.Store, slug string) ([]file, error) {
	var out []file
	add := func(path string, own bool) error {
		c, err := store.Read(path)
		switch {
		case err == nil:
			if own || c.Str("project_slug") == slug {
				out = append(out, file{path, c, own})
			}
		case store.Torn(err):
			out = append(out, file{path, nil, own})
		case fault.KindOf(err) != fault.NoInput: // a session file may go meanwhile
			return err
		}
		return nil
	}
	for _, scope := range []string{slug, ""} {
		for _, path := range append([]string{st.LatestPath(scope)}, st.Prev(scope)...) {
			if err := add(path, scope != ""); err != nil {
				return nil, err
			}
		}
	}
	for path, err := range st.Sessions() {
		if err == nil {
			err = add(path, false)
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}
