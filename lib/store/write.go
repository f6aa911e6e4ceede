package store

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"time"

	"daimon/lib/doc"
	"daimon/lib/fault"
)

// Keep is how many sessions the pointers of a project name, the latest included.
const Keep = 3

// Options say how a checkpoint is written.
type Options struct {
	// Rotate moves the pointers on to this session. Without it only pointers that
	// name this very session are replaced, in place: a rewrite must not copy the
	// old bytes anywhere.
	Rotate bool
	Held   bool // the caller holds the bucket's lock
	Now    time.Time
}

// Written says what a write changed.
type Written struct {
	Path    string // the session file
	SHA256  string // of its bytes, hex
	Project bool   // the project's pointer names this session now
	Global  bool   // so does the pointer of all projects
}

// WriteCheckpoint writes the session file and then the pointers. latest is the
// most recent session by its created stamp, not the most recent write: a pointer
// whose session is strictly newer stays. The project's pointer and the global one
// are judged apart. The document must carry its session_id.
func (s *Store) WriteCheckpoint(c *doc.Checkpoint, slug string, o Options) (Written, error) {
	id := c.Str("session_id")
	if id == "" {
		return Written{}, fault.New(fault.BadInput, "write checkpoint", "no session_id")
	}
	if !o.Held {
		unlock, err := s.LockBucket(slug, Wait)
		if err != nil {
			return Written{}, err
		}
		defer unlock()
	}
	s.Reap(slug, o.Now)
	data := c.Indented()
	sum := sha256.Sum256(data)
	w := Written{Path: s.SessionFile(id), SHA256: hex.EncodeToString(sum[:])}
	if err := WriteFile(w.Path, data); err != nil {
		return w, err
	}
	if Slug(slug) != "" {
		var err error
		if w.Project, err = s.point(c, slug, data, o.Rotate); err != nil {
			return w, err
		}
		unlock, err := s.LockBucket("", Wait)
		if err != nil {
			return w, err
		}
		defer unlock()
	}
	var err error
	w.Global, err = s.point(c, "", data, o.Rotate)
	return w, err
}

// point makes one pointer name c, unless that would be a step back.
func (s *Store) point(c *doc.Checkpoint, slug string, data []byte, rotate bool) (bool, error) {
	stored, err := s.Latest(slug)
	if err != nil && !Torn(err) {
		return false, err
	}
	same := stored != nil && stored.Str("session_id") == c.Str("session_id")
	switch {
	case !rotate && !same, rotate && stored != nil && newer(stored, c):
		return same, nil
	case rotate && stored != nil && !same:
		if err := s.rotate(slug); err != nil {
			return false, err
		}
	}
	return true, WriteFile(s.LatestPath(slug), data)
}

// newer tells whether a is strictly later than b; any doubt is no.
func newer(a, b *doc.Checkpoint) bool {
	at, aerr := time.Parse(time.RFC3339, a.Str("created"))
	bt, berr := time.Parse(time.RFC3339, b.Str("created"))
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
