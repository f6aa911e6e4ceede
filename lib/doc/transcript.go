package doc

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/tidwall/gjson"
)

// TranscriptFormat is the first field of every transcript's header.
const TranscriptFormat = "daimon.transcript/1"

// MaxLine is the longest transcript line that is read, in bytes.
const MaxLine = 64 << 20

// The roles of a message. A tool message is what a tool returned; nobody said it.
const (
	User      = "user"
	Assistant = "assistant"
	ToolRole  = "tool"
)

// The states of a tool result.
const (
	StatusOK      = "ok"
	StatusError   = "error"
	StatusUnknown = "unknown"
)

// Header is the first line of a transcript.
type Header struct {
	Format    string         `json:"format"` // TranscriptFormat
	Host      string         `json:"host"`
	Version   string         `json:"host_version,omitempty"`
	SessionID string         `json:"session_id"`
	Cwd       string         `json:"cwd,omitempty"`
	Branch    string         `json:"git_branch,omitempty"`
	Start     string         `json:"start,omitempty"` // UTC, seconds, Z
	End       string         `json:"end,omitempty"`   // latest stamp of any row, same form
	Title     string         `json:"title,omitempty"`
	SHA256    string         `json:"source_sha256"` // of the host file's bytes, hex
	Bytes     int64          `json:"source_bytes"`
	Rows      int            `json:"rows"`               // host rows read
	Kept      int            `json:"kept"`               // messages that follow
	Excluded  map[string]int `json:"excluded,omitempty"` // host rows left out, by reason
	Redacted  map[string]int `json:"redacted,omitempty"` // secrets masked, by kind
}

// Message is one line of a transcript after the header.
type Message struct {
	ID      string `json:"id"`
	Role    string `json:"role"` // user, assistant or tool
	At      string `json:"at,omitempty"`
	Speaker string `json:"speaker,omitempty"` // finer than role, where the host tells
	Text    string `json:"text"`
	Tool    *Tool  `json:"tool,omitempty"`
	Cut     int    `json:"cut,omitempty"`  // bytes of Text dropped by the payload cap
	Echo    bool   `json:"echo,omitempty"` // Daimon's own text was removed from it
}

// Tool says what a tool message is the result of.
type Tool struct {
	Name   string `json:"name,omitempty"`
	Input  string `json:"input,omitempty"` // the command, else the input object as JSON
	Status string `json:"status"`          // ok, error or unknown
	Exit   *int   `json:"exit,omitempty"`  // exit status, where the host gives one
}

// BadLine is a line that could not be read. It is counted, never fatal.
type BadLine struct {
	File   string
	Line   int // from 1
	Reason string
}

func (b BadLine) String() string { return fmt.Sprintf("%s:%d: %s", b.File, b.Line, b.Reason) }

// Lines calls fn for each line of r, split on LF only, without the LF and a CR
// before it. Lines of white space only are skipped; a line longer than limit is
// passed over and reported to bad. n counts from 1. fn's bytes are valid only
// during the call.
func Lines(r io.Reader, limit int, fn func(n int, line []byte) error, bad func(n int, reason string)) error {
	br := bufio.NewReaderSize(r, 256<<10)
	var long []byte
	for n := 1; ; n++ {
		line, err := br.ReadSlice('\n')
		over := false
		for err == bufio.ErrBufferFull {
			if !over {
				long = append(long, line...)
				over = len(long) > limit
			}
			line, err = br.ReadSlice('\n')
		}
		if len(long) > 0 {
			line = append(long, line...)
			long = line[:0]
		}
		if err != nil && err != io.EOF {
			return err
		}
		switch text := bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r")); {
		case over || len(text) > limit:
			bad(n, fmt.Sprintf("line longer than %d bytes", limit))
		case len(bytes.TrimSpace(text)) > 0:
			if ferr := fn(n, text); ferr != nil {
				return ferr
			}
		}
		if over {
			long = nil
		}
		if err == io.EOF {
			return nil
		}
	}
}

// ErrNoHeader is returned for a stream whose first line is no transcript header.
var ErrNoHeader = errors.New("no daimon.transcript/1 header on the first line")

// ReadTranscript streams a transcript: the header, then each message. name
// stands for the stream in bad-line reports. A missing header is an error, and
// so is an error that fn returns; a bad line is not.
func ReadTranscript(r io.Reader, name string, fn func(Message) error) (Header, []BadLine, error) {
	var (
		h     Header
		bad   []BadLine
		found bool
	)
	report := func(n int, reason string) { bad = append(bad, BadLine{name, n, reason}) }
	err := Lines(r, MaxLine, func(n int, line []byte) error {
		line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
		v, reason := parseLine(line)
		switch {
		case !found:
			if reason != "" || v.Get("format").Str != TranscriptFormat {
				return ErrNoHeader
			}
			found = true
			h = header(v)
		case reason != "":
			report(n, reason)
		default:
			m, reason := message(v)
			if reason != "" {
				report(n, reason)
				return nil
			}
			return fn(m)
		}
		return nil
	}, report)
	if err == nil && !found {
		err = ErrNoHeader
	}
	return h, bad, err
}

func parseLine(line []byte) (gjson.Result, string) {
	if err := checkDepth(line); err != nil {
		return gjson.Result{}, err.Error()
	}
	if !gjson.ValidBytes(line) {
		return gjson.Result{}, "not JSON"
	}
	v := gjson.ParseBytes(line) // copies
	if !v.IsObject() {
		return v, "not an object"
	}
	return v, ""
}

func header(v gjson.Result) Header {
	return Header{
		Format: v.Get("format").Str, Host: v.Get("host").Str, Version: v.Get("host_version").Str,
		SessionID: v.Get("session_id").Str, Cwd: v.Get("cwd").Str, Branch: v.Get("git_branch").Str,
		Start: v.Get("start").Str, End: v.Get("end").Str, Title: v.Get("title").Str,
		SHA256: v.Get("source_sha256").Str, Bytes: v.Get("source_bytes").Int(),
		Rows: int(v.Get("rows").Int()), Kept: int(v.Get("kept").Int()),
		Excluded: counts(v.Get("excluded")), Redacted: counts(v.Get("redacted")),
	}
}

func counts(v gjson.Result) map[string]int {
	if !v.IsObject() {
		return nil
	}
	out := map[string]int{}
	v.ForEach(func(k, n gjson.Result) bool {
		out[k.Str] = int(n.Int())
		return true
	})
	return out
}

func message(v gjson.Result) (m Message, reason string) {
	v.ForEach(func(k, f gjson.Result) bool {
		switch k.Str {
		case "id":
			m.ID = f.Str
		case "role":
			m.Role = f.Str
		case "at":
			m.At = f.Str
		case "speaker":
			m.Speaker = f.Str
		case "text":
			m.Text = f.Str
		case "tool":
			m.Tool = tool(f)
		case "cut":
			m.Cut = int(f.Int())
		case "echo":
			m.Echo = f.Type == gjson.True
		}
		return true
	})
	switch {
	case m.ID == "":
		return m, "message without an id"
	case m.Role != User && m.Role != Assistant && m.Role != ToolRole:
		return m, "message without a role"
	}
	return m, ""
}

func tool(v gjson.Result) *Tool {
	if !v.IsObject() {
		return nil
	}
	t := &Tool{Name: v.Get("name").Str, Input: v.Get("input").Str, Status: v.Get("status").Str}
	if t.Status != StatusOK && t.Status != StatusError {
		t.Status = StatusUnknown
	}
	if e := v.Get("exit"); e.Type == gjson.Number {
		n := int(e.Int())
		t.Exit = &n
	}
	return t
}

// Transcript is a whole transcript in memory.
type Transcript struct {
	Header
	Messages []Message
	Bad      []BadLine
	at       map[string]int
}

// LoadTranscript reads a whole transcript. Of two messages with one id the
// first keeps it.
func LoadTranscript(r io.Reader, name string) (*Transcript, error) {
	t := &Transcript{at: map[string]int{}}
	h, bad, err := ReadTranscript(r, name, func(m Message) error {
		if _, seen := t.at[m.ID]; !seen {
			t.at[m.ID] = len(t.Messages)
		}
		t.Messages = append(t.Messages, m)
		return nil
	})
	t.Header, t.Bad = h, bad
	return t, err
}

// NewTranscript builds one from its parts.
func NewTranscript(h Header, msgs []Message) *Transcript {
	t := &Transcript{Header: h, Messages: msgs, at: map[string]int{}}
	for i, m := range msgs {
		if _, seen := t.at[m.ID]; !seen {
			t.at[m.ID] = i
		}
	}
	return t
}

// Index is the position of a message by id, or -1.
func (t *Transcript) Index(id string) int {
	if i, ok := t.at[id]; ok {
		return i
	}
	return -1
}

// Find returns a message by id, or nil.
func (t *Transcript) Find(id string) *Message {
	if i := t.Index(id); i >= 0 {
		return &t.Messages[i]
	}
	return nil
}

// WriteTranscript writes a header and messages as JSON Lines. Kept is set from
// the messages given.
func WriteTranscript(w io.Writer, h Header, msgs []Message) error {
	h.Format, h.Kept = TranscriptFormat, len(msgs)
	bw := bufio.NewWriterSize(w, 64<<10)
	line, err := Marshal(h)
	for i := 0; err == nil; i++ {
		if _, err = bw.Write(append(line, '\n')); err != nil || i == len(msgs) {
			break
		}
		line, err = Marshal(msgs[i])
	}
	if err != nil {
		return err
	}
	return bw.Flush()
}
