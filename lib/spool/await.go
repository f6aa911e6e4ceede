package spool

import (
	"os"
	"path/filepath"
	"time"

	"daimon/lib/fault"
)

// recent is how young a job is that somebody may be waiting for; what takes
// longer is the work of a model.
const recent = 10 * time.Second

// Await returns when no recent job that mine accepts is left untried, or when
// limit has passed. Whether a job runs is told by its age and not by its
// lock: taking that, even for an instant, could turn a capture away.
func (d Dir) Await(limit time.Duration, mine func(Job) bool) error {
	for waited := time.Duration(0); waited < limit; waited += 10 * time.Millisecond {
		if busy, err := d.busy(mine); err != nil || !busy {
			return err
		}
		time.Sleep(10 * time.Millisecond)
	}
	return nil
}

func (d Dir) busy(mine func(Job) bool) (bool, error) {
	entries, err := os.ReadDir(d.Path)
	if err != nil && !gone(err) {
		return false, fault.Wrap(fault.IO, "list the spool", d.Path, err)
	}
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		if j, err := Load(filepath.Join(d.Path, e.Name())); err == nil && d.untried(j) && mine(j) {
			return true, nil
		}
	}
	return false, nil
}

// untried tells whether the job is recent and no run of it has failed yet.
func (d Dir) untried(j Job) bool {
	return d.Now().Sub(j.QueuedAt) < recent && (j.Attempts == 0 || j.Failed == "")
}
