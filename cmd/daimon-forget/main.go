// Daimon-forget removes a value from a project and keeps it from coming back.
package main

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"strings"

	"daimon/lib/doc"
	"daimon/lib/fault"
	"daimon/lib/forget"
	"daimon/lib/life"
	"daimon/lib/redact"
	"daimon/lib/stage"
	"daimon/lib/store"
)

func main() { os.Exit(run(context.Background(), os.Stdin, os.Stdout, os.Stderr, os.Args[1:])) }

var tool = stage.Tool{
	Name: "daimon-forget",
	Doc: "Forgets the value of an item of this project: writes a tombstone, takes the value out of every checkpoint, ledger " +
		"and kept stage output, empties the capture logs, and builds the search index anew. What was removed is printed as JSON, without any text. " +
		"Run it again to finish a run that was cut off.",
	Exits: []stage.Exit{
		{Kind: fault.NoInput, When: "no item of this project has that id or text"},
		{Kind: fault.CannotCreate, When: "the tombstone could not be written"},
		{Kind: fault.IO, When: "the store could not be read or written"},
		{Kind: fault.TryLater, When: "another process holds the store, or its ledger cannot be read"},
		{Kind: fault.NotReached, When: "the tombstone stands, but a file may still hold the value"},
	},
}

type flags struct {
	stage.Common
	ID        string `arg:"" optional:"" placeholder:"ID" help:"Item id, as daimon-brief prints it."`
	Text      string `placeholder:"TEXT" help:"Forget the items that say exactly this, instead of one by its id."`
	Reason    string `placeholder:"WHY" help:"Put on the tombstone. It must not contain the value."`
	Contained bool   `help:"Forget also the items that have it within a longer text of at least 8 bytes."`
	DryRun    bool   `help:"Show what would be removed, and remove nothing."`
}

func run(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer, args []string) int {
	var f flags
	return tool.Run(ctx, stage.System(), stage.Streams{In: stdin, Out: stdout, Err: stderr}, args, &f, func(p *stage.Proc) error {
		return work(p, f)
	})
}

func work(p *stage.Proc, f flags) error {
	if (f.ID == "") == (strings.TrimSpace(f.Text) == "") {
		return fault.New(fault.Usage, "read the arguments", "give either ID or --text").WithHint("see daimon-forget --help")
	}
	st := store.Open(p.Home)
	slug := st.Project(p.ProjectDir())
	find := forget.Find
	if f.Contained {
		find = forget.FindContaining
	}
	target, err := find(st, slug, f.ID, f.Text)
	if err != nil {
		return err
	}
	var r *forget.Report
	if f.DryRun {
		r, err = forget.Preview(st, slug, target)
	} else {
		reason, _ := redact.Text(f.Reason)
		r, err = forget.Run(p.Ctx, st, slug, target, by(p), reason)
	}
	if err != nil {
		return err
	}
	return tell(p, r)
}

// by names the channel that was observed, not one that was claimed.
func by(p *stage.Proc) life.By {
	channel := "cli-agent"
	if p.Terminal() {
		channel = "cli-tty"
	}
	author := cmp.Or(strings.TrimSpace(p.Getenv("DAIMON_AUTHOR")), strings.TrimSpace(p.Getenv("USER")), "unknown")
	return life.By{At: p.Now(), Channel: channel, Author: author}
}

func tell(p *stage.Proc, r *forget.Report) error {
	out, err := doc.Marshal(r)
	if err != nil {
		return fault.Wrap(fault.Internal, "encode the report", "", err)
	}
	if err := p.Print(out); err != nil {
		return err
	}
	p.Summarise("%s", r.Summary())
	hints(p, r)
	if r.DryRun || r.Reached {
		return nil
	}
	var missed []string
	for _, s := range r.Steps {
		missed = append(missed, s.Missed...)
	}
	return &fault.Error{Op: "forget", Kind: fault.NotReached, Err: errors.New("not reached: " + strings.Join(missed, ", ")), Hint: "see to these files, then run it again"}
}

// hints names what stays although it may tell of the value.
func hints(p *stage.Proc, r *forget.Report) {
	if len(r.ContainedIn) > 0 {
		way := "forget them by id, or run this again with --text and --contained"
		if r.DryRun {
			way = "--contained forgets them too"
		}
		p.Note("it stays within the longer text of %s: %s (%s)", stage.Count(len(r.ContainedIn), "item"), strings.Join(r.ContainedIn, " "), way)
	}
	if len(r.SharedQuote) > 0 {
		p.Note("its quote stays, as the quote of %s: %s (forget them to remove it)", stage.Count(len(r.SharedQuote), "other item"), strings.Join(r.SharedQuote, " "))
	}
}
