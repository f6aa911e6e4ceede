package forget

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// purge deletes every regular file below a folder that gone says must go.
func (r *runner) purge(s *Step, dir string, gone func(path string) bool) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case os.IsNotExist(err):
			return nil
		case err != nil:
			s.miss(r.rel(path))
			return nil
		case d.IsDir() || !gone(path):
			return nil
		}
		if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
			s.miss(r.rel(path))
			return nil
		}
		s.Files++
		return nil
	})
}

// spool drops what stages made; the jobs stay and are run again from the host's
// transcript, past the tombstone. A run at work would write on: it is reported.
func (r *runner) spool(s *Step) error {
	dir := filepath.Join(r.st.Home(), "spool")
	locks, _ := filepath.Glob(filepath.Join(globQuote(dir), "*", "lock"))
	for _, path := range locks {
		l := flock.New(path)
		if free, err := l.TryLock(); err == nil && !free {
			s.miss(r.rel(filepath.Dir(path)))
		}
		_ = l.Close()
	}
	return r.purge(s, dir, func(path string) bool {
		name := filepath.Base(path)
		return name != "job" && name != "lock" && name != ".lock" && !strings.HasPrefix(name, ".job-")
	})
}

// cache drops answers kept from before redaction; they cannot be searched.
func (r *runner) cache(s *Step) error {
	all := func(string) bool { return true }
	if err := r.purge(s, filepath.Join(r.st.Home(), "cache"), all); err != nil {
		return err
	}
	return r.purge(s, filepath.Join(r.st.Checkpoints(), ".chunk-cache"), all)
}

// logs empties the logs that take what other programs print.
func (r *runner) logs(s *Step) error {
	for _, name := range []string{"capture.log", "serialize-crash.log", "backend-stderr.log"} {
		path := filepath.Join(r.st.Home(), "logs", name)
		st, err := os.Lstat(path)
		if os.IsNotExist(err) || err == nil && st.Mode().IsRegular() && st.Size() == 0 {
			continue
		}
		if err != nil || !st.Mode().IsRegular() || os.Truncate(path, 0) != nil {
			s.miss(r.rel(path))
			continue
		}
		s.Files++
	}
	return nil
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
