// Package payload reads the JSON object that an agent host writes to a hook,
// and hands its fields to sh.
package payload

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"daimon/lib/fault"
)

// Limit is the largest payload read, in bytes.
const Limit = 1 << 20

// Wait is how long a hook waits for its payload.
const Wait = 2 * time.Second

// ErrTooLarge says that a payload is larger than [Limit].
var ErrTooLarge = fmt.Errorf("larger than %d bytes", Limit)

const op = "read the hook payload on stdin"

// Event is a hook payload. A field that the host did not send, or sent as
// something other than a string, is empty.
type Event struct {
	Session    string // session_id
	Transcript string // transcript_path
	Cwd        string
	Name       string // hook_event_name
	Source     string // startup, resume, compact or clear; at SessionStart
	Reason     string // why the session ended, or what triggered the compaction
	Prompt     string // at UserPromptSubmit
}

// Read reads one JSON object and returns without waiting for the end of r: a
// host may keep the pipe open while it waits for the hook. When nothing whole
// has come after wait, or anything but an object, the error has kind BadInput.
// A read that is still blocked then stays behind with r.
func Read(r io.Reader, wait time.Duration) (Event, error) {
	type result struct {
		raw []byte
		err error
	}
	done := make(chan result, 1)
	go func() {
		raw, err := first(r)
		done <- result{raw, err}
	}()
	select {
	case got := <-done:
		if got.err != nil {
			return Event{}, got.err
		}
		return parse(got.raw)
	case <-time.After(wait):
		return Event{}, fault.New(fault.BadInput, op, "no whole JSON object within %v", wait)
	}
}

// first returns the bytes of the first JSON value.
func first(r io.Reader) ([]byte, error) {
	limited := &io.LimitedReader{R: r, N: Limit}
	dec := json.NewDecoder(limited)
	var raw json.RawMessage
	err := dec.Decode(&raw)
	switch {
	case err == nil:
		return raw, nil
	case limited.N <= 0:
		return nil, &fault.Error{Op: op, Kind: fault.BadInput, Err: ErrTooLarge}
	case errors.Is(err, io.EOF):
		return nil, fault.New(fault.BadInput, op, "stdin is empty")
	default:
		return nil, fault.New(fault.BadInput, op, "not JSON: %v", err)
	}
}

func parse(raw []byte) (Event, error) {
	var fields map[string]json.RawMessage
	raw = bytes.ToValidUTF8(raw, nil)
	if err := json.Unmarshal(raw, &fields); err != nil || fields == nil {
		return Event{}, fault.New(fault.BadInput, op, "not a JSON object")
	}
	text := func(names ...string) string {
		for _, name := range names {
			var s string
			if json.Unmarshal(fields[name], &s) == nil && s != "" {
				return strings.ReplaceAll(s, "\x00", "")
			}
		}
		return ""
	}
	return Event{
		Session:    text("session_id"),
		Transcript: text("transcript_path"),
		Cwd:        text("cwd"),
		Name:       text("hook_event_name"),
		Source:     text("source"),
		Reason:     text("reason", "trigger"),
		Prompt:     text("prompt"),
	}, nil
}

// Assignments prints the event as sh assignments with fixed names, one after
// the other, for eval.
func (e Event) Assignments() string {
	b := &strings.Builder{}
	Assign(b, "DAIMON_EVENT_SESSION", e.Session)
	Assign(b, "DAIMON_EVENT_TRANSCRIPT", e.Transcript)
	Assign(b, "DAIMON_EVENT_CWD", e.Cwd)
	Assign(b, "DAIMON_EVENT_NAME", e.Name)
	Assign(b, "DAIMON_EVENT_SOURCE", e.Source)
	Assign(b, "DAIMON_EVENT_REASON", e.Reason)
	Assign(b, "DAIMON_EVENT_PROMPT", e.Prompt)
	return b.String()
}

// Assign prints one sh assignment. The value may be any text without NUL.
func Assign(w io.Writer, name, value string) {
	fmt.Fprintf(w, "%s=%s\n", name, Quote(value))
}

// Quote makes a single-quoted sh word of s.
func Quote(s string) string {
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
