// Daimon-ground judges the outcomes that a candidate checkpoint claims against
// the tool results it cites.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"daimon/lib/fault"
	"daimon/lib/ground"
	"daimon/lib/stage"
)

func main() { os.Exit(run(context.Background(), os.Stdin, os.Stdout, os.Stderr, os.Args[1:])) }

var tool = stage.Tool{
	Name: "daimon-ground",
	Pure: true,
	Doc: "Reads a candidate checkpoint on stdin and prints it with its outcomes judged. An item that says something was done " +
		"(tests pass, merged, deployed) keeps its label only if it cites a tool result that shows it; a result that shows the " +
		"opposite, or something else, grounds nothing.",
	Exits: []stage.Exit{
		{Kind: fault.BadInput, When: "stdin is empty or no JSON object, or the transcript is none"},
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
		p.Summarise("%s", summary(ground.Judge(c, t)))
		return p.Print(c.Bytes())
	})
}

func summary(r ground.Report) string {
	n, downgraded := map[string]int{}, 0
	for _, f := range r.Failed {
		n[f.Status+", "+f.Reason]++
		if f.Downgraded {
			downgraded++
		}
	}
	var parts []string
	for reason, count := range n {
		parts = append(parts, fmt.Sprintf("%s %d", reason, count))
	}
	slices.Sort(parts)
	s := fmt.Sprintf("%s: %s, %d grounded, %d downgraded", stage.Count(r.Items, "item"), stage.Count(r.Outcomes, "outcome"), r.Grounded, downgraded)
	if len(parts) > 0 {
		s += " (" + strings.Join(parts, "; ") + ")"
	}
	return s
}
