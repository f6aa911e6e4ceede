package forget

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"daimon/lib/surface"
)

// sweep does below a folder what the registry says of each file that cannot be
// searched by value.
func (r *runner) sweep(s *Step, dir string) error {
	return filepath.WalkDir(filepath.Join(r.st.Home(), dir), func(path string, d fs.DirEntry, err error) error {
		switch {
		case os.IsNotExist(err):
			return nil
		case err != nil:
			s.miss(r.rel(path))
			return nil
		case d.IsDir():
			return nil
		}
		shape, _ := surface.Match(r.rel(path)) // an undeclared file is left to residue
		var changed bool
		switch shape.Reach {
		case surface.Purge:
			changed, err = true, os.Remove(path)
		case surface.Empty:
			st, serr := d.Info()
			changed, err = serr == nil && st.Size() > 0, cut(path, nil)
		case surface.Lines:
			changed, err = r.lines(path)
		}
		switch {
		case err != nil && !os.IsNotExist(err):
			s.miss(r.rel(path))
		case changed:
			s.Files++
		}
		return nil
	})
}

// spool drops what stages made; the jobs stay and are run again from the host's
// transcript, past the tombstone. A run at work would write on: it is reported.
func (r *runner) spool(s *Step) error {
	locks, _ := filepath.Glob(filepath.Join(globQuote(r.st.Home()), "spool", "*", "lock"))
	for _, path := range locks {
		l := flock.New(path)
		if free, err := l.TryLock(); err == nil && !free {
			s.miss(r.rel(filepath.Dir(path)))
		}
		_ = l.Close()
	}
	return r.sweep(s, "spool")
}

func (r *runner) cache(s *Step) error {
	if err := r.sweep(s, "cache"); err != nil {
		return err
	}
	return r.sweep(s, filepath.Join("checkpoints", ".chunk-cache"))
}

func (r *runner) logs(s *Step) error { return r.sweep(s, "logs") }

// lines drops the lines of a log that hold a value; all, when only its key is
// known.
func (r *runner) lines(path string) (changed bool, err error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return false, err
	}
	var keep []byte
	for line := range bytes.Lines(raw) {
		if len(r.t.values) > 0 && !r.t.reveals(string(line)) {
			keep = append(keep, line...)
		}
	}
	if len(keep) == len(raw) {
		return false, nil
	}
	return true, cut(path, keep)
}

// cut replaces a file's bytes in place, since others have it open for appending.
func cut(path string, keep []byte) error {
	st, err := os.Lstat(path)
	if err == nil && !st.Mode().IsRegular() {
		err = errors.New("not a regular file")
	}
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(keep, 0)
	if err == nil {
		err = f.Truncate(int64(len(keep)))
	}
	return errors.Join(err, f.Close())
}

// staging drops temporary files of killed writers. The project's lock is held,
// so those in its bucket are nobody's; others go when they hold the value.
func (r *runner) staging(s *Step) error {
	for _, dir := range []string{r.st.Bucket(r.slug), r.st.Checkpoints()} {
		left, _ := filepath.Glob(filepath.Join(globQuote(dir), "*.tmp"))
		for _, path := range left {
			held, err := r.t.heldBy(path)
			if dir == r.st.Checkpoints() && (err != nil || !held) && !stale(path, r.by.At) {
				continue
			}
			if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
				s.miss(r.rel(path))
				continue
			}
			s.Files++
		}
	}
	return nil
}

func stale(path string, now time.Time) bool {
	st, err := os.Lstat(path)
	return err == nil && now.Sub(st.ModTime()) > time.Hour
}
