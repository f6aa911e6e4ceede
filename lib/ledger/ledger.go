// Package ledger reads and writes append-only JSON Lines: one object a line,
// split on LF and nothing else, torn lines read around and never thrown away.
package ledger

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"daimon/lib/doc"
	"daimon/lib/fault"
)

// Class is how far a ledger can be trusted to say all it was told.
type Class string

// The classes. OK, Absent and Degraded are proven.
const (
	OK         Class = "ok"
	Absent     Class = "absent"
	Degraded   Class = "degraded"   // torn lines were read around
	Transient  Class = "transient"  // could not be read for now
	Unreadable Class = "unreadable" // could not be read, or holds lines nobody here wrote, or lines and no row
)

// Health is a class with its reason, a code or an errno; never content or a path.
type Health struct {
	Class   Class
	Detail  string
	Torn    int // lines that begin an object and do not end it, or NULs behind a row
	Garbage int // lines that are nothing of ours
}

// Proven tells whether what was read may be taken for all there is.
func (h Health) Proven() bool {
	return h.Class == OK || h.Class == Absent || h.Class == Degraded
}

func (h Health) String() string {
	if h.Detail == "" {
		return string(h.Class)
	}
	return string(h.Class) + " (" + h.Detail + ")"
}

// Unproven is the error for a write or a view that needs a ledger it cannot
// prove.
func (h Health) Unproven(path string) error {
	return (&fault.Error{Op: "read ledger", Kind: fault.TryLater, Path: filepath.Base(path),
		Err: errors.New(h.String())}).WithHint("mend or restore the file, then try again")
}

// Read returns every good row in file order and the health of the whole. Good
// rows are returned in every class that could be read at all.
func Read(path string) ([]gjson.Result, Health) {
	raw, h := load(path)
	if h.Class != "" {
		return nil, h
	}
	rows, h := Parse(raw)
	return rows, h
}

// Parse is [Read] for bytes in memory. NULs are what a power cut leaves behind
// the last row; before any row, and in a file that holds no row at all, nothing
// tells what was lost, and the ledger is unreadable. The one exception is a first
// row that was cut off while it was written.
func Parse(raw []byte) ([]gjson.Result, Health) {
	var rows []gjson.Result
	h := Health{Class: OK}
	for line := range bytes.Lines(raw) {
		row, kind := parseLine(line)
		switch kind {
		case good:
			rows = append(rows, row)
		case nuls:
			if len(rows) > 0 {
				h.Torn++
			} else {
				h.Garbage++
			}
		case torn:
			h.Torn++
		case garbage:
			h.Garbage++
		}
	}
	switch {
	case h.Garbage > 0:
		h.Class, h.Detail = Unreadable, "garbage"
	case h.Torn > 0 && len(rows) == 0 && !firstRow(raw):
		h.Class, h.Detail = Unreadable, "no row"
	case h.Torn > 0:
		h.Class, h.Detail = Degraded, "torn"
	}
	return rows, h
}

// firstRow tells whether raw is a single unended line: what a crash in the very
// first append leaves, when there was nothing to lose.
func firstRow(raw []byte) bool { return !bytes.ContainsRune(raw, '\n') }

type lineKind int

const (
	blank lineKind = iota
	good
	torn
	nuls
	garbage
)

// parseLine judges one line. Of a key given twice the last value counts, as for
// every other reader of these files.
func parseLine(line []byte) (gjson.Result, lineKind) {
	line = bytes.TrimSpace(line)
	if len(line) == 0 {
		return gjson.Result{}, blank
	}
	if utf8.Valid(line) && line[0] == '{' {
		if canonical, err := doc.Canonical(line); err == nil {
			return gjson.ParseBytes(canonical), good
		}
		return gjson.Result{}, torn
	}
	if len(bytes.Trim(line, "\x00")) == 0 {
		return gjson.Result{}, nuls
	}
	return gjson.Result{}, garbage
}

const (
	retries    = 3
	retryPause = 50 * time.Millisecond
)

// load reads the file; a class other than "" says why not.
func load(path string) ([]byte, Health) {
	for try := 0; ; try++ {
		raw, err := readFile(path)
		var errno syscall.Errno
		switch errors.As(err, &errno); {
		case err == nil:
			return raw, Health{}
		case errors.Is(err, fs.ErrNotExist):
			return nil, Health{Class: Absent}
		case !passing(errno):
			return nil, Health{Class: Unreadable, Detail: reason(err)}
		case try == retries:
			return nil, Health{Class: Transient, Detail: reason(err)}
		}
		time.Sleep(retryPause)
	}
}

func readFile(path string) ([]byte, error) {
	st, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() {
		return nil, errors.New("not a regular file")
	}
	return os.ReadFile(path)
}

func passing(e syscall.Errno) bool {
	return e == syscall.EAGAIN || e == syscall.EBUSY || e == syscall.EINTR || e == syscall.ETIMEDOUT
}

// reason is the cause without the path.
func reason(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}
