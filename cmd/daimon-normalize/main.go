// Daimon-normalize turns a host's session file into a transcript.
package main

import (
	"context"
	"errors"
	"io"
	"os"

	"daimon/lib/doc"
	"daimon/lib/fault"
	"daimon/lib/host"
	"daimon/lib/redact"
	"daimon/lib/stage"
)

func main() { os.Exit(run(context.Background(), os.Stdin, os.Stdout, os.Stderr, os.Args[1:])) }

var tool = stage.Tool{
	Name: "daimon-normalize",
	Pure: true,
	Doc: "Reads a session file (stdin, or FILE) and prints a transcript: a header line with the source's hash and " +
		"counts of what was left out and why, then one message a line. Text that Daimon put into the session is " +
		"removed, and secrets are masked. A damaged line is reported on stderr and passed over.",
	Exits: []stage.Exit{
		{Kind: fault.BadInput, When: "no known host's session, one without any turn, or empty stdin"},
		{Kind: fault.NoInput, When: "FILE is not there, or empty"},
		{Kind: fault.IO, When: "reading or writing failed"},
	},
}

type flags struct {
	stage.Common
	Host string `placeholder:"NAME" help:"The host that wrote the file (default: told from its rows)."`
	File string `arg:"" optional:"" placeholder:"FILE" help:"Session file (default: stdin)."`
}

func run(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer, args []string) int {
	var f flags
	return tool.Run(ctx, stage.System(), stage.Streams{In: stdin, Out: stdout, Err: stderr}, args, &f, func(p *stage.Proc) error {
		return normalize(p, f)
	})
}

func normalize(p *stage.Proc, f flags) error {
	in, name := p.In, "stdin"
	switch {
	case f.File != "" && f.File != "-":
		file, err := os.Open(p.Abs(f.File))
		if err != nil {
			return fault.Wrap(fault.IO, "open the session", f.File, err)
		}
		defer file.Close()
		in, name = file, f.File
	case p.Terminal():
		return fault.New(fault.BadInput, "read the session", "stdin is a terminal").WithHint("name a file; see daimon-normalize --help")
	}
	h, msgs, bad, err := host.Normalize(in, f.Host, host.Options{File: name, Redact: redact.Text})
	report(p, bad)
	var e *fault.Error
	if name == "stdin" && errors.As(err, &e) && e.Kind == fault.NoInput {
		e.Kind = fault.BadInput // empty stdin is never a document
	}
	if err != nil {
		return err
	}
	p.Summarise("%s %s: %d messages of %d rows in %d bytes; left out: %s; masked: %s",
		h.Host, h.SessionID, len(msgs), h.Rows, h.Bytes, host.Counts(h.Excluded), host.Counts(h.Redacted))
	return fault.Wrap(fault.IO, "write the transcript", "", doc.WriteTranscript(p.Out, h, msgs))
}

const maxReported = 20

// report notes bad lines, the first ones each in a line of its own.
func report(p *stage.Proc, bad []doc.BadLine) {
	for i, b := range bad {
		if i == maxReported {
			p.Note("%d more bad lines", len(bad)-i)
			return
		}
		p.Note("%s", b)
	}
}
