package spool

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"daimon/lib/fault"
)

// A log above logMax bytes is cut to its last logKeep.
const (
	logMax  = 256 << 10
	logKeep = 64 << 10
)

// Log appends one line to a log file: the time, who says it, and the message
// with its line breaks made spaces.
func Log(path string, now time.Time, who, message string) error {
	if err := trim(path); err != nil {
		return err
	}
	f, err := openLog(path)
	if err != nil {
		return err
	}
	defer f.Close()
	line := fmt.Sprintf("%s %s: %s\n", now.UTC().Format(time.RFC3339), who, strings.Join(strings.Fields(message), " "))
	_, err = io.WriteString(f, line)
	return fault.Wrap(fault.IO, "write the log", path, err)
}

// trim cuts a log that has grown too long, at the start of a line and in
// place: whoever has it open for appending goes on appending to it.
func trim(path string) error {
	const op = "cut the log"
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if gone(err) {
		return nil
	}
	if err != nil {
		return fault.Wrap(fault.IO, op, path, err)
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil || st.Size() <= logMax {
		return fault.Wrap(fault.IO, op, path, err)
	}
	tail := make([]byte, logKeep)
	n, err := f.ReadAt(tail, st.Size()-logKeep)
	if err != nil && err != io.EOF {
		return fault.Wrap(fault.IO, op, path, err)
	}
	tail = tail[:n]
	if _, rest, ok := bytes.Cut(tail, []byte("\n")); ok {
		tail = rest
	}
	if _, err := f.WriteAt(tail, 0); err != nil {
		return fault.Wrap(fault.IO, op, path, err)
	}
	return fault.Wrap(fault.IO, op, path, f.Truncate(int64(len(tail))))
}
