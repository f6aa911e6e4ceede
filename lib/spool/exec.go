package spool

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"

	"daimon/lib/fault"
)

// Exec replaces this process by a command that holds the job's lock, as do the
// children of that command. It returns only when it fails.
func Exec(lock *os.File, argv, env []string) error {
	const op = "start"
	path, err := exec.LookPath(argv[0])
	if err != nil {
		return fault.Wrap(fault.Unavailable, op, argv[0], err)
	}
	// A copy without close-on-exec outlives the exec; a high one is in no way
	// of a script's own redirections.
	if _, err := unix.FcntlInt(lock.Fd(), unix.F_DUPFD, 64); err != nil {
		return fault.Wrap(fault.IO, op, path, err)
	}
	return fault.Wrap(fault.Unavailable, op, path, syscall.Exec(path, argv, env))
}

// Detach starts a command in a session of its own, with nothing on stdin and
// both outputs appended to a log, and does not wait for it. Killing the
// caller's process group does not reach it.
func Detach(argv []string, log string) error {
	const op = "start"
	if err := trim(log); err != nil {
		return err
	}
	out, err := openLog(log)
	if err != nil {
		return err
	}
	defer out.Close()
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Stdout, cmd.Stderr = out, out
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return fault.Wrap(fault.Unavailable, op, argv[0], err)
	}
	return fault.Wrap(fault.IO, op, argv[0], cmd.Process.Release())
}

func openLog(path string) (*os.File, error) {
	const op = "open the log"
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fault.Wrap(fault.CannotCreate, op, path, err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	return f, fault.Wrap(fault.CannotCreate, op, path, err)
}
