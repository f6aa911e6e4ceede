// Daimon-carry adds to a candidate checkpoint what the previous one left open.
package main

import (
	"context"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"time"

	"daimon/lib/carry"
	"daimon/lib/doc"
	"daimon/lib/fault"
	"daimon/lib/life"
	"daimon/lib/stage"
	"daimon/lib/store"
)

func main() { os.Exit(run(context.Background(), os.Stdin, os.Stdout, os.Stderr, os.Args[1:])) }

var tool = stage.Tool{
	Name: "daimon-carry",
	Doc: "Reads a candidate checkpoint on stdin and prints it with the open questions, decisions and uncertainties of the " +
		"project's latest checkpoint of another session, copied exactly; what the candidate says anew keeps its id and age instead. " +
		"DAIMON_CARRY=0 turns it off; DAIMON_CARRY_FLOOR (0.05) is the weight below which an item fades, DAIMON_CARRY_MAX (8) the most per list.",
	Exits: []stage.Exit{
		{Kind: fault.BadInput, When: "stdin or FILE is no checkpoint"},
		{Kind: fault.NoInput, When: "FILE is not there"},
		{Kind: fault.IO, When: "reading or writing failed"},
		{Kind: fault.TryLater, When: "what was closed or forgotten cannot be read"},
	},
}

type flags struct {
	stage.Common
	Previous string    `placeholder:"FILE" help:"The checkpoint to carry from (default: the project's latest)."`
	Now      time.Time `placeholder:"TIME" help:"Reckon ages from this time (RFC 3339)."`
}

func run(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer, args []string) int {
	var f flags
	return tool.Run(ctx, stage.System(), stage.Streams{In: stdin, Out: stdout, Err: stderr}, args, &f, func(p *stage.Proc) error {
		return work(p, f)
	})
}

func work(p *stage.Proc, f flags) error {
	c, err := p.Checkpoint()
	if err != nil {
		return err
	}
	if p.Getenv("DAIMON_CARRY") == "0" {
		p.Summarise("turned off by DAIMON_CARRY")
		return p.Print(c.Bytes())
	}
	st := store.Open(p.Home)
	slug := st.Project(p.ProjectDir())
	prev, err := previous(p, st, slug, f.Previous, c.Str("session_id"))
	if err != nil {
		return err
	}
	if prev == nil {
		p.Summarise("nothing to carry from")
		return p.Print(c.Bytes())
	}
	o, err := options(p, st, slug, f.Now)
	if err != nil {
		return err
	}
	r := carry.Merge(c, prev, o)
	p.Summarise("%s", summary(r))
	return p.Print(c.Bytes())
}

// previous reads the checkpoint to carry from; nil when there is none. A session
// captured again carries from the one before it, not from itself. Carrying is a
// help, not a duty: a pointer that cannot be read is noted and carries nothing.
func previous(p *stage.Proc, st *store.Store, slug, file, session string) (*doc.Checkpoint, error) {
	if file != "" {
		return store.Read(p.Abs(file))
	}
	c, err := st.Previous(slug, session)
	if err != nil {
		p.Note("nothing is carried: %v", err)
		return nil, nil
	}
	return c, nil
}

func options(p *stage.Proc, st *store.Store, slug string, now time.Time) (carry.Options, error) {
	state, err := life.Read(st, slug)
	if err != nil {
		return carry.Options{}, err
	}
	if now.IsZero() {
		now = p.Now()
	}
	o := carry.Options{Now: now, Floor: carry.DefaultFloor, Max: carry.DefaultMax, Resolved: state.Resolved, Forgotten: state.IsForgotten}
	if v, err := strconv.ParseFloat(strings.TrimSpace(p.Getenv("DAIMON_CARRY_FLOOR")), 64); err == nil && !math.IsNaN(v) {
		o.Floor = v
	}
	if n, err := strconv.Atoi(strings.TrimSpace(p.Getenv("DAIMON_CARRY_MAX"))); err == nil {
		o.Max = max(1, n)
	}
	return o, nil
}

func summary(r carry.Report) string {
	parts := []string{strconv.Itoa(r.Carried) + " carried"}
	for _, c := range []struct {
		n    int
		what string
	}{
		{r.Twins, twins(r.Twins)}, {len(r.Superseded), "superseded"}, {r.Closed, "closed"}, {r.Faded, "faded"},
		{r.Cut, "above the limit"}, {r.Repeated, "repeated"},
	} {
		if c.n > 0 {
			parts = append(parts, strconv.Itoa(c.n)+" "+c.what)
		}
	}
	return strings.Join(parts, ", ")
}

func twins(n int) string {
	if n == 1 {
		return "twin kept its id"
	}
	return "twins kept their ids"
}
