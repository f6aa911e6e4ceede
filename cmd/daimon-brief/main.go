// Daimon-brief prints the briefing of a project's latest checkpoint.
package main

import (
	"context"
	"io"
	"os"
	"time"

	"daimon/lib/brief"
	"daimon/lib/doc"
	"daimon/lib/fault"
	"daimon/lib/stage"
	"daimon/lib/store"
	"daimon/lib/view"
)

func main() { os.Exit(run(context.Background(), os.Stdin, os.Stdout, os.Stderr, os.Args[1:])) }

var tool = stage.Tool{
	Name: "daimon-brief",
	Doc: "Prints the latest checkpoint of the project, or the one in FILE (- for stdin), in at most 8,000 bytes. " +
		"The labels of a FILE that the store does not hold are not believed. " +
		"Withdrawn and forgotten items are withheld. With nothing to say it prints nothing.",
	Exits: []stage.Exit{
		{Kind: fault.BadInput, When: "FILE is no checkpoint"},
		{Kind: fault.NoInput, When: "FILE is not there"},
		{Kind: fault.IO, When: "the checkpoint could not be read"},
	},
}

type flags struct {
	stage.Common
	File     string    `arg:"" optional:"" placeholder:"FILE" help:"A checkpoint to brief instead; - reads stdin."`
	JSON     bool      `help:"Print every visible item as JSON, without a budget."`
	Envelope string    `enum:",claude-code" default:"" placeholder:"HOST" help:"Wrap the briefing for a session-start hook: claude-code."`
	Now      time.Time `placeholder:"TIME" help:"Reckon ages from this time (RFC 3339)."`
}

func run(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer, args []string) int {
	var f flags
	return tool.Run(ctx, stage.System(), stage.Streams{In: stdin, Out: stdout, Err: stderr}, args, &f, func(p *stage.Proc) error {
		return work(p, f)
	})
}

func work(p *stage.Proc, f flags) error {
	if f.JSON && f.Envelope != "" {
		return fault.New(fault.Usage, "read the flags", "--json and --envelope exclude each other")
	}
	st := store.Open(p.Home)
	slug := st.Project(p.ProjectDir())
	c, notes, err := load(p, st, slug, f.File)
	if err != nil {
		return err
	}
	now := f.Now
	if now.IsZero() {
		now = p.Now()
	}
	b := brief.Collect(c, view.Open(st, slug), brief.Options{Now: now, Notes: notes})
	if f.JSON {
		out, err := b.JSON()
		if err != nil {
			return fault.Wrap(fault.Internal, "encode the briefing", "", err)
		}
		return p.Print(out)
	}
	text, r := b.Text(0)
	p.Summarise("%d items in %d bytes, %d left out, withheld %v", r.Shown, r.Bytes, r.LeftOut, r.Withheld)
	switch {
	case len(text) == 0:
		return nil
	case f.Envelope != "":
		text = brief.Envelope(f.Envelope, text)
	}
	return p.Print(text)
}

// load never waits for a stdin that nobody asked to read: hosts leave it open.
func load(p *stage.Proc, st *store.Store, slug, file string) (*doc.Checkpoint, []string, error) {
	var c *doc.Checkpoint
	var err error
	switch file {
	case "":
		return brief.Load(st, slug)
	case "-":
		c, err = p.Checkpoint()
	default:
		c, err = store.Read(p.Abs(file))
	}
	if err != nil {
		return nil, nil, err
	}
	c, notes, err := brief.Given(st, slug, c)
	if err != nil {
		return nil, nil, &fault.Error{Op: "brief the document", Kind: fault.BadInput, Err: err}
	}
	return c, notes, nil
}
