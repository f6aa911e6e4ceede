package extract

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"daimon/lib/doc"
	"daimon/lib/fault"
	"daimon/lib/redact"
)

// CommandOptions say what to run and how far it may go.
type CommandOptions struct {
	Command string        // run by sh -c
	Timeout time.Duration // wall time; must be above zero
	Limit   int           // most bytes of output; must be above zero
	Dir     string        // working directory; "" is this process's own
}

// Guard is set in the environment of the command, so that an agent it runs is
// not itself captured.
const Guard = "DAIMON_CAPTURE=1"

// Refused is the error for an answer that breaks the contract of a candidate.
type Refused []doc.Rejection

func (r Refused) Error() string {
	lines := make([]string, len(r))
	for i, x := range r {
		lines[i] = x.String()
	}
	return strings.Join(lines, "; ")
}

// Command gives a transcript to another program and returns the candidate it
// prints, in canonical form and otherwise as it came. The program runs in its
// own process group, which is killed when time or output run out.
//
// A program that cannot be run or does not end in time is an error of kind
// Unavailable; one that fails, Failed; an answer that is no valid candidate,
// BadInput, wrapping [Refused] when it is one in form.
func Command(ctx context.Context, transcript []byte, o CommandOptions) (*doc.Checkpoint, error) {
	const op = "run the extract command"
	out, err := runCommand(ctx, op, transcript, o)
	if err != nil {
		return nil, err
	}
	if len(bytes.TrimSpace(out)) == 0 {
		return nil, fault.New(fault.BadInput, op, "it printed nothing")
	}
	c, err := doc.ParseCheckpoint(out)
	if err != nil {
		return nil, fault.Wrap(fault.BadInput, "read what the extract command printed", "", err)
	}
	bare := c.Clone()
	doc.StripCode(bare)
	if bad := doc.Validate(bare); len(bad) > 0 {
		return nil, fault.Wrap(fault.BadInput, "read what the extract command printed", "", Refused(bad))
	}
	return c, nil
}

func runCommand(ctx context.Context, op string, transcript []byte, o CommandOptions) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, o.Timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", o.Command)
	cmd.Dir = o.Dir
	cmd.Env = append(cmd.Environ(), Guard)
	cmd.Stdin = bytes.NewReader(transcript)
	out := &bounded{left: o.Limit, full: cancel}
	said := &tail{}
	cmd.Stdout, cmd.Stderr = out, said
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case out.over:
		return nil, fault.New(fault.BadInput, op, "it printed more than %d bytes", o.Limit)
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return nil, fault.New(fault.Unavailable, op, "no answer in %s%s", o.Timeout, said.quote())
	case errors.Is(err, exec.ErrWaitDelay):
		_ = cmd.Cancel() // something it started still holds the output
		return nil, fault.New(fault.Unavailable, op, "it ended and left a program running%s", said.quote())
	case errors.As(err, &exit) && (exit.ExitCode() == 126 || exit.ExitCode() == 127):
		return nil, fault.New(fault.Unavailable, op, "it cannot be run%s", said.quote())
	case errors.As(err, &exit):
		return nil, fault.New(fault.Failed, op, "%s%s", exit.ProcessState, said.quote())
	case err != nil:
		return nil, fault.Wrap(fault.Unavailable, op, "", err)
	}
	return out.b.Bytes(), nil
}

// bounded keeps what is written until there is too much, and then calls full.
type bounded struct {
	b    bytes.Buffer
	left int
	over bool
	full func()
}

func (w *bounded) Write(p []byte) (int, error) {
	if len(p) > w.left {
		w.over = true
		w.full()
		return 0, io.ErrShortWrite
	}
	w.left -= len(p)
	return w.b.Write(p)
}

// tail keeps the end of what is written.
type tail struct{ b []byte }

const tailBytes = 4096

func (w *tail) Write(p []byte) (int, error) {
	w.b = append(w.b, p[max(0, len(p)-tailBytes):]...)
	if n := len(w.b) - tailBytes; n > 0 {
		w.b = append(w.b[:0], w.b[n:]...)
	}
	return len(p), nil
}

// quote is the last line of the tail, without secrets and cut to 200
// characters, for the end of an error; "" when nothing was said.
func (w *tail) quote() string {
	lines := strings.Split(strings.TrimSpace(string(w.b)), "\n")
	last := strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(lines[len(lines)-1], "?"))
	last, _ = redact.Text(last)
	if last = strings.Join(strings.Fields(last), " "); last == "" {
		return ""
	}
	if r := []rune(last); len(r) > 200 {
		last = string(r[:200])
	}
	return fmt.Sprintf(": %s", last)
}
