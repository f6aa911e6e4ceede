// Daimon-extract turns a transcript into a candidate checkpoint.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
	"unicode"

	"github.com/alecthomas/kong"

	"daimon/lib/doc"
	"daimon/lib/extract"
	"daimon/lib/fault"
	"daimon/lib/stage"
)

func main() { os.Exit(run(context.Background(), os.Stdin, os.Stdout, os.Stderr, os.Args[1:])) }

var tool = stage.Tool{
	Name: "daimon-extract",
	Pure: true,
	Doc: "Reads a transcript on stdin and prints one candidate checkpoint, which claims and proves nothing. The embedded backend " +
		"needs no model and only quotes. The command backend runs any program that reads a transcript and prints a candidate; " +
		"DAIMON_EXTRACT_CMD is all it takes to choose it.",
	Exits: []stage.Exit{
		{Kind: fault.Failed, When: "the command failed"},
		{Kind: fault.BadInput, When: "stdin is empty or no transcript, or the command printed no valid candidate; each rejection is one line"},
		{Kind: fault.Unavailable, When: "the command cannot be run or gave no answer in time"},
		{Kind: fault.IO, When: "reading or writing failed"},
	},
}

type flags struct {
	stage.Common
	Backend string        `placeholder:"NAME" enum:"embedded,command," default:"" help:"embedded or command (default: command when one is named, else embedded)."`
	Command string        `placeholder:"CMD" help:"Program for the command backend, run by sh -c (default: $$DAIMON_EXTRACT_CMD)."`
	Timeout time.Duration `default:"420s" help:"Longest time the command may take."`
	Schema  schema        `placeholder:"NAME" help:"Print a JSON Schema and end: candidate (also without a name), checkpoint or transcript."`
}

func run(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer, args []string) int {
	var f flags
	return tool.Run(ctx, stage.System(), stage.Streams{In: stdin, Out: stdout, Err: stderr}, args, &f, func(p *stage.Proc) error {
		if f.Schema != "" {
			return f.Schema.print(p)
		}
		c, err := f.extract(p)
		if err != nil {
			return explain(p, err)
		}
		p.Summarise("%s", summary(c))
		return p.Print(c.Bytes())
	})
}

func (f *flags) extract(p *stage.Proc) (*doc.Checkpoint, error) {
	command := f.Command
	if command == "" {
		command = p.Getenv("DAIMON_EXTRACT_CMD")
	}
	switch {
	case f.Backend == "embedded" || f.Backend == "" && command == "":
		t, err := transcript(p, p.In)
		if err != nil {
			return nil, err
		}
		return extract.Embedded(t), nil
	case command == "":
		return nil, fault.New(fault.Usage, "choose the command backend", "no command").WithHint("pass --command or set DAIMON_EXTRACT_CMD")
	case f.Timeout <= 0:
		return nil, fault.New(fault.Usage, "run the extract command", "--timeout must be above zero")
	}
	raw, err := p.ReadAll("read the transcript on stdin")
	if err != nil {
		return nil, err
	}
	if _, err := transcript(p, bytes.NewReader(raw)); err != nil {
		return nil, err
	}
	return extract.Command(p.Ctx, raw, extract.CommandOptions{Command: command, Timeout: f.Timeout, Limit: stage.MaxDocument, Dir: p.Dir})
}

func transcript(p *stage.Proc, r io.Reader) (*doc.Transcript, error) {
	if p.Terminal() {
		return nil, fault.New(fault.BadInput, "read the transcript on stdin", "stdin is a terminal").WithHint("pipe in what daimon-normalize prints")
	}
	return p.LoadTranscript(r, "stdin")
}

// explain prints each rejection but the last on its own line; the last is the
// error.
func explain(p *stage.Proc, err error) error {
	var bad extract.Refused
	if !errors.As(err, &bad) {
		return err
	}
	for _, b := range bad[:len(bad)-1] {
		p.Note("%s", b)
	}
	return &fault.Error{Op: bad[len(bad)-1].String(), Kind: fault.BadInput}
}

// schema is a flag that may stand without a value.
type schema string

func (s *schema) IsBool() bool { return true }

func (s *schema) Decode(ctx *kong.DecodeContext) error {
	*s = "candidate"
	if ctx.Scan.Peek().Type == kong.FlagValueToken {
		*s = schema(ctx.Scan.Pop().String())
	}
	return nil
}

func (s schema) print(p *stage.Proc) error {
	b, ok := doc.SchemaJSON(string(s))
	if !ok {
		return fault.New(fault.Usage, "print a schema", "no schema %q", string(s)).WithHint("there are " + strings.Join(doc.SchemaNames, ", "))
	}
	return p.Print(b)
}

var plurals = map[string][2]string{"decision": {"decision", "decisions"}, "belief": {"rule", "rules"}, "question": {"question", "questions"},
	"uncertainty": {"uncertainty", "uncertainties"}, "contradiction": {"contradiction", "contradictions"}}

func summary(c *doc.Checkpoint) string {
	total := 0
	var parts []string
	for _, key := range []string{"recent_decisions", "strong_beliefs", "open_questions", "uncertainties", "contradictions_flagged"} {
		l, _ := doc.ListByKey(key)
		n := len(c.Items(l))
		if total += n; n > 0 {
			parts = append(parts, number(n, plurals[l.Kind]))
		}
	}
	name := printable(c.Str("extractor"))
	if name == "" {
		name = "command"
	}
	s := name + ": " + number(total, [2]string{"item", "items"})
	if len(parts) > 0 {
		s += " (" + strings.Join(parts, ", ") + ")"
	}
	return s
}

// printable is a name as it may stand in a message: a program chose it.
func printable(name string) string {
	r := []rune(strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return -1
	}, name))
	return string(r[:min(len(r), 40)])
}

func number(n int, forms [2]string) string {
	if n == 1 {
		return "1 " + forms[0]
	}
	return fmt.Sprintf("%d %s", n, forms[1])
}
