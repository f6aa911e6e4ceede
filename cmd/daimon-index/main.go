// Daimon-index keeps the search index, and searches it.
package main

import (
	"context"
	"errors"
	"io"
	"os"
	"syscall"
	"time"

	"github.com/tidwall/sjson"

	"daimon/lib/doc"
	"daimon/lib/fault"
	"daimon/lib/recall"
	"daimon/lib/receipt"
	"daimon/lib/stage"
	"daimon/lib/store"
)

func main() { os.Exit(run(context.Background(), os.Stdin, os.Stdout, os.Stderr, os.Args[1:])) }

var tool = stage.Tool{
	Name: "daimon-index",
	Doc: "Without a command it reads the receipt of daimon-admit, brings recall.db up to date with the checkpoint files, and " +
		"prints the receipt with index counts. Searching is confined to the project. recall.db can be deleted at any time.",
	Exits: []stage.Exit{
		{Kind: fault.BadInput, When: "stdin is no receipt"},
		{Kind: fault.Unavailable, When: "this SQLite has no FTS5"},
		{Kind: fault.CannotCreate, When: "the index cannot be written"},
		{Kind: fault.IO, When: "the checkpoints or the index cannot be read"},
		{Kind: fault.TryLater, When: "another process holds the index, or the project's ledger cannot be read"},
	},
}

type flags struct {
	stage.Common
	Refresh refreshCmd `cmd:"" default:"withargs" help:"Bring the index up to date (the default)."`
	Query   queryCmd   `cmd:"" help:"Search the project's items."`
	Rebuild rebuildCmd `cmd:"" help:"Build the index from nothing."`
	Suggest suggestCmd `cmd:"" help:"Print at most two lines of prior work for the prompt on stdin."`
}

func run(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer, args []string) int {
	var f flags
	return tool.Run(ctx, stage.System(), stage.Streams{In: stdin, Out: stdout, Err: stderr}, args, &f, nil)
}

type refreshCmd struct {
	All bool `help:"Read no receipt: refresh, and print the counts alone."`
}

func (c *refreshCmd) Run(p *stage.Proc) error {
	raw := []byte("{}")
	if !c.All && !p.Terminal() {
		var err error
		if raw, err = p.ReadAll("read the receipt on stdin"); err != nil {
			return err
		}
		r, err := receipt.Decode(raw)
		if err != nil {
			return &fault.Error{Op: "read the receipt on stdin", Kind: fault.BadInput, Err: err}
		}
		if r.Skipped != "" { // nothing was written, so nothing is to be read
			return p.Print(raw)
		}
	}
	n, err := recall.Open(store.Open(p.Home)).Refresh(p.Ctx)
	if err != nil {
		return err
	}
	return report(p, raw, n)
}

type rebuildCmd struct{}

func (c *rebuildCmd) Run(p *stage.Proc) error {
	n, err := recall.Open(store.Open(p.Home)).Rebuild(p.Ctx)
	if err != nil {
		return err
	}
	n.Replaced = false // it was asked for
	return report(p, []byte("{}"), n)
}

// report adds the counts to a document and prints it; what else stands in it
// passes untouched.
func report(p *stage.Proc, raw []byte, n recall.Counts) error {
	mended(p, n)
	p.Summarise("%d added, %d removed, %d in all", n.Added, n.Removed, n.Total)
	counts, err := doc.Marshal(receipt.Index{Added: n.Added, Removed: n.Removed, Total: n.Total, Rebuilt: n.Rebuilt})
	if err == nil {
		raw, err = sjson.SetRawBytes(raw, "index", counts)
	}
	if err != nil {
		return fault.Wrap(fault.Internal, "add the counts", "", err)
	}
	return p.Print(raw)
}

func mended(p *stage.Proc, n recall.Counts) {
	if n.Replaced {
		p.Note("%s could not be used and was built anew", recall.Name)
	}
}

// freshen refreshes before a search. A search goes on with what there is when
// another process is at it, or nothing can be written.
func freshen(p *stage.Proc, x *recall.Index, wait time.Duration) error {
	n, err := x.WithWait(wait).Refresh(p.Ctx)
	mended(p, n)
	if err != nil && passing(err) {
		p.Note("%v: the index may be behind", err)
		return nil
	}
	return err
}

func passing(err error) bool {
	k := fault.KindOf(err)
	return k == fault.TryLater || k == fault.CannotCreate || errors.Is(err, syscall.ENOSPC)
}
