// Package fault makes errors data: an operation, a kind, a path and a cause.
//
// Kinds are a closed list. [Kind.Exit] is the one place where a kind becomes an
// exit code (sysexits.h).
package fault

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
)

// Kind is what sort of failure it was.
type Kind int

// The kinds, and the exit codes they map to.
const (
	Failed       Kind = iota // 1: could not be done
	Usage                    // 2: wrong flags or arguments
	BadInput                 // 65: the input is not what it should be
	NoInput                  // 66: the input is not there
	Unavailable              // 69: a backend or program is not there
	Internal                 // 70: a fault of ours
	CannotCreate             // 73: an output cannot be made
	IO                       // 74: reading or writing failed
	TryLater                 // 75: locked or unreadable for now
	NotPermitted             // 77: a person is needed
	NotReached               // 4: forgetting did not reach a surface
)

var exits = [...]int{1, 2, 65, 66, 69, 70, 73, 74, 75, 77, 4}

// Exit is the exit code of a kind.
func (k Kind) Exit() int { return exits[k] }

// Error is a failure. Op is what was being done, in a few words; Path is the
// file, if any; Err the cause. Hint says what to do next.
type Error struct {
	Op   string
	Kind Kind
	Path string
	Err  error
	Hint string
}

func (e *Error) Error() string {
	s := e.Op
	if e.Path != "" {
		s += " " + e.Path
	}
	if e.Err != nil {
		s += ": " + cause(e.Err)
	}
	if e.Hint != "" {
		s += "; " + e.Hint
	}
	return s
}

func (e *Error) Unwrap() error { return e.Err }

// cause leaves out the path that a *fs.PathError would say a second time.
func cause(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}

// New makes an error of a kind from a format.
func New(kind Kind, op, format string, args ...any) *Error {
	return &Error{Op: op, Kind: kind, Err: fmt.Errorf(format, args...)}
}

// Wrap gives err an operation and a path. An error that has a kind keeps it;
// one from the file system gets the kind that fits; any other gets kind.
func Wrap(kind Kind, op, path string, err error) error {
	if err == nil {
		return nil
	}
	var known *Error
	switch {
	case errors.As(err, &known):
		kind = known.Kind
	case errors.Is(err, fs.ErrNotExist):
		kind = NoInput
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EIO):
		kind = IO
	}
	return &Error{Op: op, Kind: kind, Path: path, Err: err}
}

// WithHint adds what to do next.
func (e *Error) WithHint(hint string) *Error {
	e.Hint = hint
	return e
}

// KindOf is the kind of the outermost Error in the chain, else Failed.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return Failed
}
