package store

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"

	"daimon/lib/doc"
	"daimon/lib/fault"
)

// RootName is the file of a bucket that names the folder it belongs to, on one
// line. A bucket without one, as the Python Daimon leaves it, is whoever asks's.
const RootName = "root"

// Project is the slug of the project that a folder is in.
func (s *Store) Project(dir string) string { return s.SlugFor(ProjectRoot(dir)) }

// SlugFor is the slug of a project by its root: [Slug], unless that bucket
// belongs to another folder; then a hash of the root is added. A bucket of which
// nobody can tell whose it is counts as another's.
func (s *Store) SlugFor(root string) string {
	slug := Slug(root)
	if owner, err := s.owner(slug); err == nil && (owner == "" || owner == root) {
		return slug
	}
	return Slug(slug + "-" + short(root))
}

func short(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])[:8]
}

// owner is the root that a bucket belongs to, or "".
func (s *Store) owner(slug string) (string, error) {
	path := s.Ledger(slug, RootName)
	raw, err := readRegular(path, 64<<10)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return "", nil
	}
	return strings.TrimSuffix(string(raw), "\n"), fault.Wrap(fault.IO, "read whose bucket it is", path, err)
}

// claim makes a bucket the root's. The bucket's lock must be held.
func (s *Store) claim(slug, root string) error {
	owner, err := s.owner(slug)
	switch {
	case err != nil || root == "" || owner == root:
		return err
	case owner != "":
		return (&fault.Error{Op: "claim the bucket", Kind: fault.TryLater, Path: s.Bucket(slug),
			Err: errors.New("another project has just taken it")}).WithHint("run it again")
	}
	return WriteFile(s.Ledger(slug, RootName), []byte(root+"\n"))
}

// ReadPointer is [Read] for a pointer of a project. One that names another
// project counts as torn: it was not written here.
func (s *Store) ReadPointer(slug, path string) (*doc.Checkpoint, error) {
	c, err := Read(path)
	if err == nil && foreign(c.Str("project_slug"), slug) {
		return nil, &fault.Error{Op: "read checkpoint", Kind: fault.BadInput, Path: path, Err: errors.New("it names another project")}
	}
	return c, err
}

// foreign tells whether a document that names a project is not that of slug; the
// pointers of all projects hold any.
func foreign(named, slug string) bool {
	return named != "" && slug != "" && Slug(named) != Slug(slug)
}

// SessionFiles are the places where a project may keep a session: the file that
// the id names, and the one for an id that another project has taken.
func (s *Store) SessionFiles(id, slug string) []string {
	return []string{s.SessionFile(id), filepath.Join(s.Checkpoints(), shorten(sessionName(id)+"@"+short(Slug(slug)))+".json")}
}

// sessionPath is the file of a session in a project: [Store.SessionFile], unless
// another project keeps a session by the same id there.
func (s *Store) sessionPath(id, slug string) (string, error) {
	both := s.SessionFiles(id, slug)
	first, second := both[0], both[1]
	if exists(second) {
		return second, nil
	}
	c, err := Read(first)
	switch {
	case errors.Is(err, fs.ErrNotExist), Torn(err):
		return first, nil
	case err != nil:
		return "", err
	case foreign(c.Str("project_slug"), slug):
		return second, nil
	}
	return first, nil
}
