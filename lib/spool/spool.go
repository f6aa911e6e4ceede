// Package spool keeps the captures that are not finished yet, one folder a
// session, so that a killed hook or a failed stage loses nothing.
//
// A job folder holds `job`, the lock of the run that works on it, and what the
// stages of that run made. It goes when the run succeeds.
package spool

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"daimon/lib/fault"
)

// Dir is the spool of one data folder.
type Dir struct {
	Path string
	Now  func() time.Time
}

// At is the spool under a data folder.
func At(home string, now func() time.Time) Dir {
	return Dir{filepath.Join(home, "spool"), now}
}

// Job is one capture to be made. Transcript is the host's session file, Cwd
// the project, Reason and Host where the job came from. Serial grows with
// each spooling of the session; Attempts counts runs since the last one. A
// parked job is kept but not retried. Failed is the stage that ended the last
// run, Code its exit code.
type Job struct {
	Session    string    `json:"session"`
	Transcript string    `json:"transcript"`
	Cwd        string    `json:"cwd"`
	Reason     string    `json:"reason"`
	Host       string    `json:"host"`
	QueuedAt   time.Time `json:"queued_at"`
	Serial     int       `json:"serial"`
	Attempts   int       `json:"attempts"`
	LastTry    time.Time `json:"last_try,omitzero"`
	Failed     string    `json:"failed,omitempty"`
	Code       int       `json:"code,omitempty"`
	Parked     bool      `json:"parked,omitempty"`
}

// key names the folder of a session.
func (j Job) key() string {
	sum := sha256.Sum256([]byte(j.Session + "\x00" + j.Transcript))
	return hex.EncodeToString(sum[:16])
}

// Folder is the job folder that name means: a path, or a bare name in the spool.
func (d Dir) Folder(name string) string {
	if strings.ContainsRune(name, filepath.Separator) {
		return filepath.Clean(name)
	}
	return filepath.Join(d.Path, name)
}

// Put queues a capture and returns its folder. A session that is queued
// already keeps its folder and starts afresh in it. Killing any process after
// Put loses nothing. A power cut is survived from [Dir.Begin] on: waiting for
// a busy disk is not for a hook that its host is about to kill.
func (d Dir) Put(j Job) (string, error) {
	const op = "spool the capture"
	if !filepath.IsAbs(j.Transcript) {
		return "", fault.New(fault.Usage, op, "the transcript path %q is not absolute", j.Transcript)
	}
	if j.Session == "" {
		j.Session = strings.TrimSuffix(filepath.Base(j.Transcript), filepath.Ext(j.Transcript))
	}
	if err := os.MkdirAll(d.Path, 0o700); err != nil {
		return "", fault.Wrap(fault.CannotCreate, op, d.Path, err)
	}
	unlock, err := d.lock()
	if err != nil {
		return "", err
	}
	defer unlock()
	folder := filepath.Join(d.Path, j.key())
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", fault.Wrap(fault.CannotCreate, op, folder, err)
	}
	if old, err := Load(folder); err == nil {
		j.Serial = old.Serial + 1
		j.Failed, j.Code = old.Failed, old.Code
	}
	j.QueuedAt = d.Now().UTC()
	return folder, save(folder, j)
}

// Load reads a job. A folder without one gives kind NoInput, a job that does
// not parse kind BadInput.
func Load(folder string) (Job, error) {
	const op = "read the job"
	path := filepath.Join(folder, "job")
	var j Job
	raw, err := os.ReadFile(path)
	if err != nil {
		return j, fault.Wrap(fault.IO, op, path, err)
	}
	if err := json.Unmarshal(raw, &j); err != nil {
		return j, fault.Wrap(fault.BadInput, op, path, err)
	}
	return j, nil
}

// save replaces the job in one step.
func save(folder string, j Job) error {
	const op = "write the job"
	path := filepath.Join(folder, "job")
	raw, err := json.Marshal(j)
	if err != nil {
		return fault.Wrap(fault.Internal, op, path, err)
	}
	return fault.Wrap(fault.CannotCreate, op, path, replace(path, append(raw, '\n')))
}

func replace(path string, raw []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".job-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // finds nothing after the rename
	_, err = f.Write(raw)
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// flush puts a job on disk, its name and its folder's name included.
func flush(folder string) error {
	for _, path := range []string{filepath.Join(folder, "job"), folder, filepath.Dir(folder)} {
		f, err := os.Open(path)
		if err != nil {
			return fault.Wrap(fault.IO, "open to sync", path, err)
		}
		if err := errors.Join(f.Sync(), f.Close()); err != nil {
			return fault.Wrap(fault.IO, "sync", path, err)
		}
	}
	return nil
}

func gone(err error) bool { return errors.Is(err, fs.ErrNotExist) }
