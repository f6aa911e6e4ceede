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
		"and kept stage output, and builds the search index anew. What was removed is printed as JSON, without any text. " +
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
	Contained bool   `help:"Forget also the items that have it within a longer text."`
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
	target, err := forget.Find(st, slug, f.ID, f.Text)
	if err != nil {
		return err
	}
	if f.Contained {
		if err := target.TakeContaining(st, slug); err != nil {
			return err
		}
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
		p.Note("%d items that stay have it within a longer text: %s (%s)", len(r.ContainedIn), strings.Join(r.ContainedIn, " "), way)
	}
	if len(r.SharedQuote) > 0 {
		p.Note("its quote stays: %d other items rest on it: %s (forget them to remove it)", len(r.SharedQuote), strings.Join(r.SharedQuote, " "))
	}
}
