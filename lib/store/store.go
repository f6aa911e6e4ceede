// Package store is the layout of the data folder: checkpoint files, the pointers
// to the latest ones, and the locks and atomic writes they need. It knows files
// and stamps; what stands in a checkpoint is not its business.
package store

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"daimon/lib/doc"
	"daimon/lib/fault"
)

// The ledgers of a bucket, by file name.
const (
	Events       = "events.jsonl"
	Verification = "verification.jsonl"
	ForgetHits   = "forget-hits.jsonl"
)

// Store is a data folder. Nothing is created before the first write.
type Store struct{ home string }

// Open names the data folder; it need not exist.
func Open(home string) *Store { return &Store{home} }

// Home is the data folder.
func (s *Store) Home() string { return s.home }

// Checkpoints is the folder of session files and, below it, buckets.
func (s *Store) Checkpoints() string { return filepath.Join(s.home, "checkpoints") }

// Bucket is the folder of one project. The slug is made safe once more, so no
// argument leads out of the store; an empty one gives the folder of all.
func (s *Store) Bucket(slug string) string { return filepath.Join(s.Checkpoints(), Slug(slug)) }

// Ledger is a file of a project's bucket.
func (s *Store) Ledger(slug, name string) string { return filepath.Join(s.Bucket(slug), name) }

// SessionFile is where the checkpoint of a session is kept; that of another
// project's session by the same id has a suffix. Every id gives a file directly
// in Checkpoints that is no pointer, whatever it holds.
func (s *Store) SessionFile(id string) string {
	return filepath.Join(s.Checkpoints(), sessionName(id)+".json")
}

const maxName = 200 // bytes; leaves room for a suffix below the usual limit of 255

func sessionName(id string) string {
	name := strings.ToValidUTF8(strings.ReplaceAll(id, "..", "_"), "_")
	name = strings.Map(func(r rune) rune {
		if r == '/' || r == '\\' || r < 0x20 || r == 0x7F {
			return '_'
		}
		return r
	}, name)
	if name == "" || name[0] == '.' || isPointer(name+".json") {
		name = "_" + name
	}
	return shorten(name)
}

// shorten cuts a long file name at a character and adds a hash of the whole.
func shorten(name string) string {
	if len(name) <= maxName {
		return name
	}
	sum := sha256.Sum256([]byte(name))
	cut := maxName - 17
	for cut > 0 && !utf8.RuneStart(name[cut]) {
		cut--
	}
	return name[:cut] + "-" + hex.EncodeToString(sum[:])[:16]
}

// LatestPath is the pointer to a project's most recent session; of all projects
// for an empty slug.
func (s *Store) LatestPath(slug string) string { return filepath.Join(s.Bucket(slug), "latest.json") }

func (s *Store) prevPath(slug string, n int) string {
	return filepath.Join(s.Bucket(slug), "prev-"+strconv.Itoa(n)+".json")
}

// Prev lists the older pointers of a project that exist, newest first.
func (s *Store) Prev(slug string) []string {
	entries, _ := os.ReadDir(s.Bucket(slug)) // no folder: none
	var found []int
	for _, e := range entries {
		if n := prevNumber(e.Name()); n > 0 {
			found = append(found, n)
		}
	}
	slices.Sort(found)
	out := make([]string, len(found))
	for i, n := range found {
		out[i] = s.prevPath(slug, n)
	}
	return out
}

func prevNumber(name string) int {
	digits, ok := strings.CutPrefix(strings.TrimSuffix(name, ".json"), "prev-")
	n, err := strconv.Atoi(digits)
	if !ok || err != nil || n < 1 || name != "prev-"+strconv.Itoa(n)+".json" {
		return 0
	}
	return n
}

func isPointer(name string) bool { return name == "latest.json" || prevNumber(name) > 0 }

// Latest is the project's own latest checkpoint, never that of another: nil
// without an error when there is none. A file that is no checkpoint, or one of
// another project, is bad input; see [Torn].
func (s *Store) Latest(slug string) (*doc.Checkpoint, error) {
	c, err := s.ReadPointer(slug, s.LatestPath(slug))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return c, err
}

// Previous is the project's latest checkpoint of another session than the one
// named: what a session that is captured again goes on from. nil without an
// error when there is none.
func (s *Store) Previous(slug, session string) (*doc.Checkpoint, error) {
	for _, path := range append([]string{s.LatestPath(slug)}, s.Prev(slug)...) {
		c, err := s.ReadPointer(slug, path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil || c.Str("session_id") != session {
			return c, err
		}
	}
	return nil, nil
}

// Torn tells whether a read failed on what the file holds, not on reading it.
func Torn(err error) bool { return err != nil && fault.KindOf(err) == fault.BadInput }

// Read reads one checkpoint file. Pipes, devices and files above
// [MaxCheckpoint] are refused.
func Read(path string) (*doc.Checkpoint, error) {
	const op = "read checkpoint"
	raw, err := readRegular(path, MaxCheckpoint)
	if err != nil {
		return nil, fault.Wrap(fault.IO, op, path, err)
	}
	c, err := doc.ParseCheckpoint(raw)
	if err != nil {
		return nil, &fault.Error{Op: op, Kind: fault.BadInput, Path: path, Err: err}
	}
	return c, nil
}

// MaxCheckpoint is the largest checkpoint file that is read, in bytes.
const MaxCheckpoint = 64 << 20

func readRegular(path string, limit int64) ([]byte, error) {
	st, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !st.Mode().IsRegular():
		return nil, errors.New("not a regular file")
	case st.Size() > limit:
		return nil, fault.New(fault.BadInput, "read", "larger than %d bytes", limit)
	}
	return os.ReadFile(path)
}

// Sessions yields the path of every session file of every project, by name.
func (s *Store) Sessions() iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		entries, err := os.ReadDir(s.Checkpoints())
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			yield("", fault.Wrap(fault.IO, "list checkpoints", s.Checkpoints(), err))
			return
		}
		for _, e := range entries {
			name := e.Name()
			if e.IsDir() || filepath.Ext(name) != ".json" || isPointer(name) {
				continue
			}
			if !yield(filepath.Join(s.Checkpoints(), name), nil) {
				return
			}
		}
	}
}

// Session is one session file that was read.
type Session struct {
	Path string
	Doc  *doc.Checkpoint // nil when it could not be read
}

// SessionsOf yields the session files that name a project, read whole. A file
// that cannot be read is yielded with its error, since its project is unknown.
func (s *Store) SessionsOf(slug string) iter.Seq2[Session, error] {
	return func(yield func(Session, error) bool) {
		for path, err := range s.Sessions() {
			var c *doc.Checkpoint
			if err == nil {
				c, err = Read(path)
			}
			if err == nil && c.Str("project_slug") != slug {
				continue
			}
			if !yield(Session{path, c}, err) {
				return
			}
		}
	}
}
