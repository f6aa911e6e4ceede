// Package host turns the session file of an agent host into a transcript.
//
// A [Host] knows one program's rows. Who said a thing is taken from the fields
// of a row, never from words inside it, and every row is either kept or counted
// under a reason.
package host

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"sort"
	"strings"

	"github.com/tidwall/gjson"

	"daimon/lib/doc"
	"daimon/lib/fault"
)

// Host is one agent host.
type Host struct {
	Name string
	// Sniff tells whether a row can only be this host's.
	Sniff func(row gjson.Result) bool
	// Open starts reading one session file.
	Open func(o Options) Reader
}

// Reader takes the rows of one session file in order.
type Reader interface {
	// Row takes one row and returns the reason why it is left out, or "".
	// n is the row's number in the file, from 1.
	Row(n int, row gjson.Result) string
	// Finish fills the header fields that rows carry, and returns the messages.
	// A row that a later one replaced is counted under its reason in out.
	Finish(h *doc.Header, out map[string]int) []doc.Message
}

// Hosts are the hosts that can be read, in the order in which they sniff.
var Hosts = []Host{claudeCode}

// Options say how a session is read.
type Options struct {
	File string // stands for the stream in bad-line reports
	// Redact masks secrets and counts them by kind; nil masks nothing.
	Redact func(string) (string, map[string]int)
}

func (o Options) redact(s string) (string, map[string]int) {
	if o.Redact == nil || s == "" {
		return s, nil
	}
	return o.Redact(s)
}

const op = "read the session"

// Normalize reads a session file of the named host; "" finds the host from the
// rows. Damaged lines are reported, never fatal. An empty file is NoInput; one
// of an unknown host, or without a single message, is BadInput.
func Normalize(r io.Reader, name string, o Options) (doc.Header, []doc.Message, []doc.BadLine, error) {
	s := &session{o: o, out: map[string]int{}, rows: rows{file: o.File}}
	if name != "" {
		h, err := find(name)
		if err != nil {
			return doc.Header{}, nil, nil, err
		}
		s.start(h)
	}
	sum := sha256.New()
	counted := &counter{r: io.TeeReader(r, sum)}
	if err := s.rows.each(counted, s.row, s.lose); err != nil {
		return doc.Header{}, nil, s.rows.bad, fault.Wrap(fault.IO, op, o.File, err)
	}
	h := doc.Header{Format: doc.TranscriptFormat, Bytes: counted.n, SHA256: hex.EncodeToString(sum.Sum(nil))}
	msgs, err := s.finish(&h)
	return h, msgs, s.rows.bad, err
}

type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

func find(name string) (Host, error) {
	var names []string
	for _, h := range Hosts {
		if h.Name == strings.ToLower(name) {
			return h, nil
		}
		names = append(names, h.Name)
	}
	return Host{}, fault.New(fault.Usage, op, "no host %q is known; there is %s", name, strings.Join(names, ", "))
}

// maxSniff is how many rows are held back while the host is unknown.
const maxSniff = 200

type session struct {
	o       Options
	rows    rows
	host    Host
	reader  Reader
	out     map[string]int
	n       int // rows read
	waiting []gjson.Result
	from    int // number of the row before the first waiting one
	seen    []string
}

func (s *session) start(h Host) {
	s.host, s.reader = h, h.Open(s.o)
	for i, row := range s.waiting {
		s.keep(s.from+i+1, row)
	}
	s.waiting = nil
}

func (s *session) keep(n int, row gjson.Result) {
	if reason := s.reader.Row(n, row); reason != "" {
		s.out[reason]++
	}
}

func (s *session) lose(reason string) {
	s.n++
	s.out[reason]++
}

func (s *session) row(row gjson.Result) {
	s.n++
	if s.reader != nil {
		s.keep(s.n, row)
		return
	}
	for _, h := range Hosts {
		if h.Sniff(row) {
			s.hold(row)
			s.start(h)
			return
		}
	}
	s.note(row)
	s.hold(row)
}

// hold keeps a row until the host is known. Lost rows in between shift the
// numbers, which only have to differ.
func (s *session) hold(row gjson.Result) {
	if len(s.waiting) == maxSniff {
		s.waiting = s.waiting[1:]
		s.from++
		s.out["unknown-host"]++
	}
	s.waiting = append(s.waiting, row)
}

// note remembers what an unknown row looked like, for the error.
func (s *session) note(row gjson.Result) {
	kind := row.Get("type").Str
	if kind == "" {
		var keys []string
		row.ForEach(func(k, _ gjson.Result) bool {
			keys = append(keys, clip(k.Str, 40))
			return len(keys) < 4
		})
		kind = "{" + strings.Join(keys, ",") + "}"
	}
	kind = clip(kind, 60)
	for _, k := range s.seen {
		if k == kind {
			return
		}
	}
	if len(s.seen) < 6 {
		s.seen = append(s.seen, kind)
	}
}

func (s *session) finish(h *doc.Header) ([]doc.Message, error) {
	h.Rows, h.Excluded = s.n, s.out
	switch {
	case s.n == 0:
		return nil, &fault.Error{Op: op, Kind: fault.NoInput, Path: s.o.File, Err: fmt.Errorf("it is empty (%d bytes)", h.Bytes)}
	case s.reader == nil:
		err := fmt.Errorf("no host known by its rows: %d rows in %d bytes, seen %s", s.n, h.Bytes, s.looks())
		return nil, &fault.Error{Op: op, Kind: fault.BadInput, Path: s.o.File, Err: err, Hint: "name it with --host"}
	}
	h.Host = s.host.Name
	msgs := s.reader.Finish(h, s.out)
	h.Kept = len(msgs)
	if len(msgs) == 0 {
		err := fmt.Errorf("no turns in a %s session (version %s): %d rows in %d bytes, left out: %s",
			h.Host, orUnknown(h.Version), h.Rows, h.Bytes, Counts(s.out))
		return nil, &fault.Error{Op: op, Kind: fault.BadInput, Path: s.o.File, Err: err}
	}
	return msgs, nil
}

func (s *session) looks() string {
	if len(s.seen) == 0 {
		return Counts(s.out)
	}
	return strings.Join(s.seen, ", ")
}

func orUnknown(s string) string {
	if s == "" {
		return "unknown"
	}
	return s
}

// Counts prints counts by reason, the reasons in order: "meta 3, system 1".
func Counts(m map[string]int) string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for i, k := range keys {
		keys[i] = fmt.Sprintf("%s %d", k, m[k])
	}
	if len(keys) == 0 {
		return "none"
	}
	return strings.Join(keys, ", ")
}
