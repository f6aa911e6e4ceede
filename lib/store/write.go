package store

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"time"

	"github.com/tidwall/gjson"

	"daimon/lib/doc"
	"daimon/lib/fault"
	"daimon/lib/score"
)

// Keep is how many sessions the pointers of a project name, the latest included.
const Keep = 3

// Options say how a checkpoint is written.
type Options struct {
	// Rotate moves the pointers on to this session. Without it only pointers that
	// name this very session are replaced, in place: a rewrite must not copy the
	// old bytes anywhere.
	Rotate bool
	Held   bool   // the caller holds the bucket's lock
	Root   string // the bucket becomes this folder's, if it is nobody's
	Now    time.Time
}

// Written says what a write changed.
type Written struct {
	Path    string // the session file
	SHA256  string // of its bytes, hex
	Project bool   // the project's pointer names this session now
	Global  bool   // so does the pointer of all projects
}

// WriteCheckpoint writes the session file and the pointers. latest is the most
// recent session by its created stamp, not the most recent write: a pointer
// whose session is strictly newer stays, unless that is in the future of o.Now
// by more than [score.Ahead]: one wrong clock must not hold the pointer for
// ever. The project's pointer and the global one are judged apart. The document
// must carry its session_id. A lock that cannot be had leaves everything as it
// was. A session by an id that another project has gets a file of its own.
func (s *Store) WriteCheckpoint(c *doc.Checkpoint, slug string, o Options) (Written, error) {
	id := c.Str("session_id")
	if id == "" {
		return Written{}, fault.New(fault.BadInput, "write checkpoint", "no session_id")
	}
	unlock, err := s.lockFor(slug, o.Held)
	if err != nil {
		return Written{}, err
	}
	defer unlock()
	s.Reap(slug, o.Now)
	data := c.Indented()
	sum := sha256.Sum256(data)
	w := Written{SHA256: hex.EncodeToString(sum[:])}
	if w.Path, err = s.sessionPath(id, slug); err != nil {
		return w, err
	}
	if err := s.claim(slug, o.Root); err != nil {
		return w, err
	}
	paths := []string{w.Path}
	global, err := s.judge(c, "", o)
	if err != nil {
		return w, err
	}
	pointers := []pointer{global}
	if w.Global = global.names; Slug(slug) != "" {
		own, err := s.judge(c, slug, o)
		if err != nil {
			return w, err
		}
		w.Project, pointers = own.names, append(pointers, own)
	}
	for _, p := range pointers {
		if p.moves {
			paths = append(paths, s.LatestPath(p.slug))
		}
	}
	return w, writeAll(paths, data, func() error {
		for _, p := range pointers {
			if p.rotates {
				if err := s.rotate(p.slug); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// lockFor locks the bucket, unless the caller holds it, and the pointers of all
// projects.
func (s *Store) lockFor(slug string, held bool) (unlock func(), err error) {
	bucket := func() {}
	if !held {
		if bucket, err = s.LockBucket(slug, Wait); err != nil {
			return nil, err
		}
	}
	if Slug(slug) == "" { // that was the lock of all
		return bucket, nil
	}
	global, err := s.LockBucket("", Wait)
	if err != nil {
		bucket()
		return nil, err
	}
	return func() { global(); bucket() }, nil
}

// pointer is what a write does to one latest.json.
type pointer struct {
	slug    string
	names   bool // it names the session afterwards
	moves   bool // it is written
	rotates bool // what it named goes to prev-1 first
}

// judge decides whether a pointer goes on to c.
func (s *Store) judge(c *doc.Checkpoint, slug string, o Options) (pointer, error) {
	session, created, err := s.named(slug)
	if err != nil {
		return pointer{}, err
	}
	same := session != "" && session == c.Str("session_id")
	if !o.Rotate && !same || o.Rotate && newer(created, c.Str("created")) && !score.Future(created, o.Now) {
		return pointer{slug: slug, names: same}, nil
	}
	return pointer{slug, true, true, o.Rotate && session != "" && !same}, nil
}

// named is the session that a pointer names and when it was created, both blank
// for a pointer that is not there, torn or another project's.
func (s *Store) named(slug string) (session, created string, err error) {
	raw, err := readRegular(s.LatestPath(slug), MaxCheckpoint)
	switch {
	case errors.Is(err, fs.ErrNotExist), Torn(err):
		return "", "", nil
	case err != nil:
		return "", "", fault.Wrap(fault.IO, "read pointer", s.LatestPath(slug), err)
	case !gjson.ValidBytes(raw):
		return "", "", nil
	}
	v := gjson.ParseBytes(raw)
	if foreign(v.Get("project_slug").Str, slug) {
		return "", "", nil
	}
	return v.Get("session_id").String(), v.Get("created").String(), nil
}

// newer tells whether stamp a is strictly later than b; any doubt is no.
func newer(a, b string) bool {
	at, aerr := time.Parse(time.RFC3339, a)
	bt, berr := time.Parse(time.RFC3339, b)
	return aerr == nil && berr == nil && at.After(bt)
}

// rotate shifts the older pointers by one and gives the latest a second name, so
// that a reader never misses it. A hard link is a copy here: no file is ever
// written in place.
func (s *Store) rotate(slug string) error {
	const op = "rotate pointers"
	for n := Keep - 1; n > 1; n-- {
		if from := s.prevPath(slug, n-1); exists(from) {
			if err := os.Rename(from, s.prevPath(slug, n)); err != nil {
				return fault.Wrap(fault.CannotCreate, op, from, err)
			}
		}
	}
	latest, prev := s.LatestPath(slug), s.prevPath(slug, 1)
	if os.Link(latest, prev) == nil {
		return fault.Wrap(fault.IO, op, prev, os.Chmod(prev, 0o600))
	}
	data, err := readRegular(latest, MaxCheckpoint)
	if err != nil {
		return fault.Wrap(fault.IO, op, latest, err)
	}
	return WriteFile(prev, data)
}
