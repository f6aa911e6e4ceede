// Daimon-admit recomputes what a candidate checkpoint claims and writes it.
package main

import (
	"context"
	"io"
	"os"
	"strings"

	"daimon/lib/admit"
	"daimon/lib/doc"
	"daimon/lib/fault"
	"daimon/lib/receipt"
	"daimon/lib/stage"
	"daimon/lib/store"
)

func main() { os.Exit(run(context.Background(), os.Stdin, os.Stdout, os.Stderr, os.Args[1:])) }

var tool = stage.Tool{
	Name: "daimon-admit",
	Doc: "Reads a candidate checkpoint on stdin and the transcript it was made from, judges every claim again, " +
		"masks secrets, keeps forgotten values out, and writes the checkpoint, the pointers and the rejection " +
		"ledger. Prints a receipt. Nothing a candidate says of itself can raise its trust.",
	Exits: []stage.Exit{
		{Kind: fault.BadInput, When: "the candidate or the transcript is not one; each rejection is named"},
		{Kind: fault.NoInput, When: "no such transcript"},
		{Kind: fault.CannotCreate, When: "the store cannot be written"},
		{Kind: fault.IO, When: "reading or writing failed"},
		{Kind: fault.TryLater, When: "the project is locked, or its events cannot be read; nothing was written"},
	},
}

type flags struct {
	stage.Common
	Transcript string `short:"t" required:"" placeholder:"FILE" help:"Transcript to judge against."`
}

func run(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer, args []string) int {
	var f flags
	return tool.Run(ctx, stage.System(), stage.Streams{In: stdin, Out: stdout, Err: stderr}, args, &f, func(p *stage.Proc) error {
		r, err := do(p, f.Transcript)
		if err != nil {
			return err
		}
		p.Summarise("%s", r.Summary())
		return p.Print(r.Encode())
	})
}

func do(p *stage.Proc, transcript string) (*receipt.Receipt, error) {
	c, err := p.Checkpoint()
	if err != nil {
		return nil, err
	}
	t, err := p.Transcript(transcript)
	if err != nil {
		return nil, err
	}
	if bad := doc.Validate(c); len(bad) > 0 {
		for _, b := range bad[:len(bad)-1] {
			p.Note("%s", b)
		}
		return nil, &fault.Error{Op: bad[len(bad)-1].String(), Kind: fault.BadInput}
	}
	root := store.ProjectRoot(p.ProjectDir())
	st := store.Open(p.Home)
	slug := st.SlugFor(root)
	if on(p.Getenv("DAIMON_DISABLE")) {
		return &receipt.Receipt{SessionID: t.SessionID, ProjectSlug: slug, Skipped: receipt.SkippedDisabled}, nil
	}
	return admit.Run(st, c, t, admit.Options{
		Slug: slug, Root: root, Name: store.ProjectName(root), Author: author(p.Getenv), Now: p.Now(),
	}, p.Note)
}

// on reads a switch of the environment.
func on(v string) bool {
	switch strings.ToLower(strings.TrimSpace(v)) {
	case "1", "true", "yes", "on":
		return true
	}
	return false
}

// author is who runs the capture.
func author(getenv func(string) string) string {
	for _, name := range []string{"DAIMON_AUTHOR", "USER"} {
		if v := strings.TrimSpace(getenv(name)); v != "" {
			return v
		}
	}
	return "unknown"
}
