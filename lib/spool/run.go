package spool

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"daimon/lib/fault"
)

// MaxAttempts is how often a capture is tried before it is parked.
const MaxAttempts = 5

// keep is how long a parked job stays.
const keep = 30 * 24 * time.Hour

// ErrRunning says that another process works on the job.
var ErrRunning = errors.New("already running")

// Begin takes a job for this process and counts the attempt, so that a run
// that is killed counts too. The job is taken for as long as the returned file
// is open in any process; handing the file to a child hands the job on. The
// job is on disk then.
func (d Dir) Begin(folder string) (*os.File, error) {
	if _, err := Load(folder); err != nil {
		return nil, err
	}
	path := filepath.Join(folder, "lock")
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if gone(err) { // it was done meanwhile
		return nil, fault.Wrap(fault.NoInput, "lock the job", path, err)
	}
	if err != nil {
		return nil, fault.Wrap(fault.CannotCreate, "lock the job", path, err)
	}
	if err := take(f, path); err != nil {
		f.Close()
		return nil, err
	}
	err = d.edit(folder, func(j *Job) error {
		j.Attempts++
		j.LastTry = d.Now().UTC()
		return nil
	})
	if err != nil {
		f.Close()
		return nil, err
	}
	// Not under the spool's lock, as a disk can take seconds. Where syncing
	// fails the capture still goes on: it is what the job is for.
	_ = flush(folder)
	return f, nil
}

// Done ends a run that succeeded and removes the folder. When the session was
// spooled again since the run read serial, the folder stays and the error has
// kind TryLater: there is more to capture.
func (d Dir) Done(folder string, serial int) error {
	unlock, err := d.lock()
	if err != nil {
		return err
	}
	defer unlock()
	j, err := Load(folder)
	if err != nil {
		return err
	}
	if j.Serial != serial {
		return spooledAgain(folder)
	}
	return remove(folder)
}

// Fail ends a run that a stage stopped, and returns the job as it stands then.
// It is parked when it can never succeed (the transcript holds nothing to
// capture) or was tried MaxAttempts times. Kind TryLater means the same as in
// [Dir.Done].
func (d Dir) Fail(folder string, serial int, stage string, code int) (Job, error) {
	var after Job
	err := d.edit(folder, func(j *Job) error {
		if j.Serial != serial {
			return spooledAgain(folder)
		}
		j.Failed, j.Code = stage, code
		j.Parked = j.Left() == 0 || hopeless(stage, code)
		after = *j
		return nil
	})
	return after, err
}

// Left is how many attempts a job has left.
func (j Job) Left() int { return max(0, MaxAttempts-j.Attempts) }

func spooledAgain(folder string) error {
	return &fault.Error{Op: "finish the job", Kind: fault.TryLater, Path: folder, Err: errors.New("the session was spooled again")}
}

// hopeless tells whether a failure will be the same next time: normalize ends so
// when a session has no turns. A bad answer of an extractor may be a better one
// the next time.
func hopeless(stage string, code int) bool {
	return code == fault.BadInput.Exit() && stage == "normalize"
}

// Pending lists the names of at most limit jobs that are due for a run, and
// drops what was parked long ago. The later the attempt, the longer the pause
// before it. Jobs that run at this moment are listed too: [Dir.Begin] tells.
func (d Dir) Pending(limit int) ([]string, error) {
	entries, err := os.ReadDir(d.Path)
	if err != nil && !gone(err) {
		return nil, fault.Wrap(fault.IO, "list the spool", d.Path, err)
	}
	var due []string
	for _, e := range entries {
		if !e.IsDir() || len(due) >= limit {
			continue
		}
		folder := filepath.Join(d.Path, e.Name())
		j, err := Load(folder)
		switch {
		case gone(err):
			d.reap(folder, time.Hour)
		case err != nil, j.Parked:
			d.reap(folder, keep)
		case d.Now().Sub(j.LastTry) >= pause(j.Attempts):
			due = append(due, e.Name())
		}
	}
	return due, nil
}

// pause is how long a job rests after so many attempts. The first retry is at
// once: a run that was cut off has no fault to wait out.
func pause(attempts int) time.Duration {
	switch attempts {
	case 0, 1:
		return 0
	case 2:
		return 5 * time.Minute
	case 3:
		return 30 * time.Minute
	}
	return 2 * time.Hour
}

// reap removes a folder that nobody changed for so long. Failing is no harm:
// the next run tries again.
func (d Dir) reap(folder string, age time.Duration) {
	st, err := os.Stat(folder)
	if err != nil || d.Now().Sub(st.ModTime()) < age {
		return
	}
	if unlock, err := d.lock(); err == nil {
		defer unlock()
		_ = remove(folder)
	}
}

// remove takes the job away first, so that a kill halfway leaves no job.
func remove(folder string) error {
	if err := os.Remove(filepath.Join(folder, "job")); err != nil && !gone(err) {
		return fault.Wrap(fault.IO, "remove the job", folder, err)
	}
	return fault.Wrap(fault.IO, "remove the job folder", folder, os.RemoveAll(folder))
}

func (d Dir) edit(folder string, change func(*Job) error) error {
	unlock, err := d.lock()
	if err != nil {
		return err
	}
	defer unlock()
	j, err := Load(folder)
	if err != nil {
		return err
	}
	if err := change(&j); err != nil {
		return err
	}
	return save(folder, j)
}

// Fields are the job's values by the name that sh gets them under.
func (j Job) Fields() [][2]string {
	return [][2]string{
		{"DAIMON_JOB_SESSION", j.Session},
		{"DAIMON_JOB_TRANSCRIPT", j.Transcript},
		{"DAIMON_JOB_CWD", j.Cwd},
		{"DAIMON_JOB_REASON", j.Reason},
		{"DAIMON_JOB_HOST", j.Host},
		{"DAIMON_JOB_SERIAL", strconv.Itoa(j.Serial)},
		{"DAIMON_JOB_FAILED", j.Failed},
	}
}
