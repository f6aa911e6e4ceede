// Daimon-brief prints the briefing of a project's latest checkpoint.
package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
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
	c, o, err := load(p, st, slug, f.File)
	if err != nil {
		return err
	}
	empty := c == nil && len(o.Notes) == 0
	if empty {
		p.Hint("nothing is stored for this project yet")
	}
	if o.Now = f.Now; o.Now.IsZero() {
		o.Now = p.Now()
	}
	b := brief.Collect(c, view.Open(st, slug), o)
	if f.JSON {
		out, err := b.JSON()
		if err != nil {
			return fault.Wrap(fault.Internal, "encode the briefing", "", err)
		}
		return p.Print(out)
	}
	text, r := b.Text(0)
	if !empty {
		p.Summarise("%s", summary(r))
	}
	switch {
	case len(text) == 0:
		return nil
	case f.Envelope != "":
		text = brief.Envelope(f.Envelope, text)
	}
	return p.Print(text)
}

// load never waits for a stdin that nobody asked to read: hosts leave it open.
func load(p *stage.Proc, st *store.Store, slug, file string) (c *doc.Checkpoint, o brief.Options, err error) {
	switch file {
	case "":
		c, o.Notes, err = brief.Load(st, slug)
		return c, o, err
	case "-":
		c, err = p.Checkpoint()
	default:
		c, err = store.Read(p.Abs(file))
	}
	if err == nil {
		o.Claims, err = brief.Given(st, slug, c)
	}
	return c, o, err
}

// summary says what a person cannot see in the briefing: what is not in it.
func summary(r brief.Report) string {
	all := 0
	var reasons []string
	for _, reason := range slices.Sorted(maps.Keys(r.Withheld)) {
		all += r.Withheld[reason]
		reasons = append(reasons, fmt.Sprintf("%s %d", reason, r.Withheld[reason]))
	}
	s := fmt.Sprintf("%s in %s, %d left out, %d withheld", stage.Count(r.Shown, "item"), stage.Count(r.Bytes, "byte"), r.LeftOut, all)
	if all > 0 {
		s += " (" + strings.Join(reasons, ", ") + ")"
	}
	return s
}
