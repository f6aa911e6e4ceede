package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/gofrs/flock"

	"daimon/lib/fault"
)

// Wait is how long a writer waits for a lock unless it has a reason to differ.
const Wait = 5 * time.Second

// LockName is the lock file of a folder; the Python Daimon locks the same one.
const LockName = ".pointer.lock"

// MkdirAll makes a folder and its parents for the owner only.
func MkdirAll(dir string) error {
	return fault.Wrap(fault.CannotCreate, "make folder", dir, os.MkdirAll(dir, 0o700))
}

// WriteFile replaces a file so that a crash at any moment leaves the old bytes or
// the new ones. Mode 0600; missing folders are made with 0700.
func WriteFile(path string, data []byte) error {
	return writeAll([]string{path}, data, func() error { return nil })
}

// writeAll is [WriteFile] for the same bytes under several names. Everything is
// on disk under a temporary name before between runs and the first name changes.
// Syncs run side by side: waiting for the disk is most of a write.
func writeAll(paths []string, data []byte, between func() error) error {
	const op = "write"
	dirs := map[string]bool{}
	for _, path := range paths {
		dirs[filepath.Dir(path)] = true
		if err := MkdirAll(filepath.Dir(path)); err != nil {
			return err
		}
	}
	temps := make([]string, len(paths))
	defer func() {
		for _, t := range temps {
			if t != "" {
				os.Remove(t)
			}
		}
	}()
	err := each(len(paths), func(i int) (err error) {
		temps[i], err = stageFile(paths[i], data)
		return fault.Wrap(fault.CannotCreate, op, paths[i], err)
	})
	if err == nil {
		err = between()
	}
	for i := 0; err == nil && i < len(paths); i++ {
		if err = os.Rename(temps[i], paths[i]); err == nil {
			temps[i] = ""
		}
		err = fault.Wrap(fault.CannotCreate, op, paths[i], err)
	}
	if err != nil {
		return err
	}
	folders := slices.Collect(maps.Keys(dirs))
	return each(len(folders), func(i int) error {
		return fault.Wrap(fault.IO, op, folders[i], SyncDir(folders[i]))
	})
}

// each runs fn for 0 to n-1 side by side and returns the first error by number.
func each(n int, fn func(int) error) error {
	errs := make([]error, n)
	var wg sync.WaitGroup
	for i := 1; i < n; i++ {
		wg.Go(func() { errs[i] = fn(i) })
	}
	if n > 0 {
		errs[0] = fn(0)
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// stageFile writes data to a synced temporary file beside path.
func stageFile(path string, data []byte) (string, error) {
	f, err := os.CreateTemp(filepath.Dir(path), fmt.Sprintf("%.40s.%d.*.tmp", filepath.Base(path), os.Getpid()))
	if err != nil {
		return "", err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		os.Remove(f.Name())
		return "", err
	}
	return f.Name(), nil
}

// SyncDir makes the names in a folder durable. File systems that cannot sync a
// folder are passed over.
func SyncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, syscall.ENOTSUP) {
		return err
	}
	return nil
}

// Lock takes an exclusive lock on a file, made if need be, and returns what
// releases it. A lock that others hold for longer than wait is
// [fault.TryLater]; nothing is ever written unlocked. Locks do not nest, not
// even within one process.
func Lock(path string, wait time.Duration) (unlock func(), err error) {
	const op = "lock"
	if err := MkdirAll(filepath.Dir(path)); err != nil {
		return nil, err
	}
	l := flock.New(path, flock.SetPermissions(0o600))
	ctx, cancel := context.WithTimeout(context.Background(), wait)
	defer cancel()
	got, err := l.TryLock()
	if err == nil && !got {
		got, err = l.TryLockContext(ctx, 10*time.Millisecond)
	}
	switch {
	case got:
		return func() { _ = l.Close() }, nil
	case err == nil, errors.Is(err, context.DeadlineExceeded):
		return nil, (&fault.Error{Op: op, Kind: fault.TryLater, Path: path, Err: errors.New("held by another process")}).WithHint("try again later")
	}
	return nil, fault.Wrap(fault.CannotCreate, op, path, err)
}

// LockBucket locks a project's bucket: its pointers and its ledgers. With an
// empty slug it locks the pointers of all projects. Who needs both takes the
// bucket first.
func (s *Store) LockBucket(slug string, wait time.Duration) (unlock func(), err error) {
	dir := s.Bucket(slug)
	if err := MkdirAll(dir); err != nil {
		return nil, err
	}
	s.tighten(dir)
	return Lock(filepath.Join(dir, LockName), wait)
}

// tighten closes folders that an older version left open to others. The data
// folder itself is the user's to open or close.
func (s *Store) tighten(dir string) {
	for _, d := range []string{s.Checkpoints(), dir} {
		if st, err := os.Stat(d); err == nil && st.Mode().Perm()&0o077 != 0 {
			_ = os.Chmod(d, 0o700) // not ours to change: leave it
		}
	}
}

// staleAfter is how old a temporary file must be to be no writer's any more.
const staleAfter = time.Hour

// Reap deletes temporary files that a killed writer left more than an hour
// before now, in Checkpoints and one bucket.
func (s *Store) Reap(slug string, now time.Time) {
	for _, dir := range []string{s.Checkpoints(), s.Bucket(slug)} {
		entries, _ := os.ReadDir(dir) // best effort
		for _, e := range entries {
			if !strings.HasSuffix(e.Name(), ".tmp") || !e.Type().IsRegular() {
				continue
			}
			if st, err := e.Info(); err == nil && now.Sub(st.ModTime()) > staleAfter {
				_ = os.Remove(filepath.Join(dir, e.Name()))
			}
		}
	}
}

// exists tells whether a path is there; doubt counts as yes.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}
