// Daimon-verify judges the quotes of a candidate checkpoint against the
// transcript it was made from.
package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"daimon/lib/doc"
	"daimon/lib/fault"
	"daimon/lib/quote"
	"daimon/lib/stage"
)

func main() { os.Exit(run(context.Background(), os.Stdin, os.Stdout, os.Stderr, os.Args[1:])) }

var tool = stage.Tool{
	Name: "daimon-verify",
	Pure: true,
	Doc: "Reads a candidate checkpoint on stdin and prints it with its quotes judged. Fields that only code may write are " +
		"stripped first. A verbatim item whose quote the transcript does not hold, or holds as another speaker's words, becomes " +
		"inferred. Rules the user stated are pinned in the user's own words.",
	Exits: []stage.Exit{
		{Kind: fault.BadInput, When: "stdin is empty or no valid candidate, or the transcript is none; each rejection is one line"},
		{Kind: fault.NoInput, When: "there is no such transcript"},
		{Kind: fault.IO, When: "reading or writing failed"},
	},
}

type flags struct {
	stage.Common
	Transcript string `short:"t" required:"" placeholder:"FILE" help:"Transcript to judge against, from daimon-normalize."`
}

func run(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer, args []string) int {
	var f flags
	return tool.Run(ctx, stage.System(), stage.Streams{In: stdin, Out: stdout, Err: stderr}, args, &f, func(p *stage.Proc) error {
		c, err := p.Checkpoint()
		if err != nil {
			return err
		}
		t, err := p.Transcript(f.Transcript)
		if err != nil {
			return err
		}
		refused := quote.Lowered(c)
		doc.StripCode(c)
		c.Set("session_id", t.SessionID)
		if t.End != "" {
			c.Set("created", t.End) // the stages after it age items by this
		}
		if bad := doc.Validate(c); len(bad) > 0 {
			for _, b := range bad[:len(bad)-1] {
				p.Note("%s", b)
			}
			return &fault.Error{Op: bad[len(bad)-1].String(), Kind: fault.BadInput}
		}
		doc.Normalise(c)
		refused(c)
		r := quote.Verify(c, t, cmp.Or(t.End, t.Start))
		if r.PinsDropped > 0 {
			p.Note("%d more rules of the user's are not pinned: ten are the most", r.PinsDropped)
		}
		p.Summarise("%s", summary(r))
		return p.Print(c.Bytes())
	})
}

func summary(r quote.Report) string {
	s := fmt.Sprintf("%s: %d verbatim kept, %d downgraded%s, %d pinned",
		stage.Count(r.Items, "item"), r.Verified, len(r.Downgraded), reasons(r.Downgraded), r.Pinned)
	if r.Rebound > 0 {
		s += fmt.Sprintf(", %d citations corrected", r.Rebound)
	}
	return s
}

func reasons(all []quote.Downgrade) string {
	n := map[string]int{}
	for _, d := range all {
		n[d.Reason]++
	}
	if len(n) == 0 {
		return ""
	}
	var parts []string
	for reason, count := range n {
		parts = append(parts, fmt.Sprintf("%s %d", reason, count))
	}
	slices.Sort(parts)
	return " (" + strings.Join(parts, ", ") + ")"
}
