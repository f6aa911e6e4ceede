package spool

import (
	"os"
	"path/filepath"
	"time"

	"daimon/lib/fault"
)

// tell is how long a session with nothing to capture counts as stuck: a day is
// enough to learn that the host's format is not understood any more, and
// nobody wants to hear for a month of a session that was only opened.
const tell = 24 * time.Hour

// Stuck counts the jobs that mine accepts whose last finished run failed, the
// parked ones too, and returns the one that was tried last. A run that was cut
// off has not failed.
func (d Dir) Stuck(mine func(Job) bool) (n int, last Job, err error) {
	entries, err := os.ReadDir(d.Path)
	if err != nil && !gone(err) {
		return 0, last, fault.Wrap(fault.IO, "list the spool", d.Path, err)
	}
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		j, err := Load(filepath.Join(d.Path, e.Name()))
		if err != nil || j.Failed == "" || d.old(j) || !mine(j) {
			continue
		}
		if n == 0 || j.LastTry.After(last.LastTry) {
			last = j
		}
		n++
	}
	return n, last, nil
}

func (d Dir) old(j Job) bool {
	return hopeless(j.Failed, j.Code) && d.Now().Sub(j.LastTry) > tell
}
