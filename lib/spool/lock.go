package spool

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"daimon/lib/fault"
)

// lockWait bounds how long a writer waits for the spool.
const lockWait = 3 * time.Second

// lock holds the whole spool for the instant in which a job is read and
// written back or removed. It is an OS lock: a killed holder holds nothing.
func (d Dir) lock() (unlock func(), err error) {
	const op = "lock the spool"
	path := filepath.Join(d.Path, ".lock")
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fault.Wrap(fault.CannotCreate, op, path, err)
	}
	for waited := time.Duration(0); ; waited += 5 * time.Millisecond {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return func() { f.Close() }, nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) || waited >= lockWait {
			f.Close()
			return nil, &fault.Error{Op: op, Kind: fault.TryLater, Path: path, Err: err}
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// take locks f without waiting. The file may have been removed, with its
// folder, between being opened and being locked; such a lock guards nothing.
func take(f *os.File, path string) error {
	const op = "lock the job"
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return ErrRunning
		}
		return fault.Wrap(fault.IO, op, path, err)
	}
	mine, err := f.Stat()
	if err != nil {
		return fault.Wrap(fault.IO, op, path, err)
	}
	there, err := os.Stat(path)
	if err != nil || !os.SameFile(mine, there) {
		return ErrRunning
	}
	return nil
}
