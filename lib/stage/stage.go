// Package stage is what every main shares: flags, stdin and stdout, one-line
// diagnostics, and the way from errors to exit codes.
package stage

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"
	"golang.org/x/term"

	"daimon/lib/doc"
	"daimon/lib/fault"
)

// Version is the release all binaries of one build share.
const Version = "0.1.0"

// Env is what a program may know of its surroundings.
type Env struct {
	Getenv func(string) string
	Now    func() time.Time
	Dir    string // working directory
}

// System is the Env of this process, for a main to pass on.
func System() Env {
	dir, _ := os.Getwd() // a deleted folder reads as no folder
	return Env{os.Getenv, time.Now, dir}
}

// Streams are the three standard streams.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// Common holds the flags that every binary has. Embed it in a flags struct.
type Common struct {
	Home    string           `placeholder:"DIR" help:"Data folder (default: $DAIMON_HOME, else ~/.daimon)."`
	Project string           `placeholder:"DIR" help:"Project folder (default: $DAIMON_PROJECT_DIR, else the working directory)."`
	Summary bool             `help:"Say in one line on stderr what was done."`
	Version kong.VersionFlag `help:"Print the version."`
}

func (c *Common) common() *Common { return c }

// Flags is a struct that embeds Common.
type Flags interface{ common() *Common }

// Tool is one binary.
type Tool struct {
	Name string // daimon-verify
	Doc  string // what it does: the paragraph of --help after the one-line summary
	// Exits are the exit codes it can end with besides 0 and 2, with their meaning here.
	Exits []Exit
	// Pure marks a tool that reads and writes nothing under the data folder: it
	// runs without one.
	Pure bool
}

// Exit is one line of the EXIT STATUS block.
type Exit struct {
	Kind fault.Kind
	When string
}

// Proc is one run of a tool.
type Proc struct {
	Env
	Streams
	Ctx    context.Context
	Home   string // data folder, absolute; "" only for a Pure tool
	tool   string
	common *Common
}

// Run parses args into flags and calls work; for a tool with commands work is
// nil, and the Run(*Proc) error method of the command is called. The return value
// is the exit code.
func (t Tool) Run(ctx context.Context, env Env, std Streams, args []string, flags Flags, work func(*Proc) error) (code int) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintf(std.Err, "%s: internal fault: %s; please report it\n", t.Name, oneLine(fmt.Sprint(r)))
			code = fault.Internal.Exit()
		}
	}()
	exited := false
	parser, err := kong.New(flags, kong.Name(t.Name), kong.Description(t.description()),
		kong.Writers(std.Out, std.Err), kong.Exit(func(int) { exited = true }),
		kong.Help(t.help), kong.Vars{"version": t.Name + " " + Version},
		kong.TypeMapper(reflect.TypeFor[time.Time](), kong.MapperFunc(stamp)))
	if err != nil {
		panic(err)
	}
	parsed, err := parser.Parse(args)
	if exited {
		return 0
	}
	if err != nil {
		return t.fail(std.Err, &fault.Error{Op: err.Error(), Kind: fault.Usage, Hint: "see " + t.Name + " --help"})
	}
	p := &Proc{Env: env, Streams: std, Ctx: ctx, tool: t.Name, common: flags.common()}
	if p.Home, err = home(env, p.common.Home); err != nil && !t.Pure {
		return t.fail(std.Err, err)
	}
	if work == nil {
		work = func(p *Proc) error { return parsed.Run(p) }
	}
	if err := work(p); err != nil {
		return t.fail(std.Err, err)
	}
	return 0
}

// stamp reads the value of a time flag.
func stamp(ctx *kong.DecodeContext, target reflect.Value) error {
	var s string
	if err := ctx.Scan.PopValueInto("time", &s); err != nil {
		return err
	}
	at, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return fmt.Errorf("wants a time like 2026-11-27T08:00:00Z, not %q", s)
	}
	target.Set(reflect.ValueOf(at))
	return nil
}

func (t Tool) fail(w io.Writer, err error) int {
	fmt.Fprintf(w, "%s: %s\n", t.Name, oneLine(err.Error()))
	return fault.KindOf(err).Exit()
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func (t Tool) description() string { return Summary(t.Name) + "\n\n" + t.Doc }

func (t Tool) help(o kong.HelpOptions, ctx *kong.Context) error {
	if err := kong.DefaultHelpPrinter(o, ctx); err != nil {
		return err
	}
	b := &strings.Builder{}
	b.WriteString("\nEXIT STATUS\n    0  done\n")
	exits := append([]Exit{{fault.Usage, "wrong flags or arguments"}}, t.Exits...)
	slices.SortStableFunc(exits, func(x, y Exit) int { return cmp.Compare(x.Kind.Exit(), y.Kind.Exit()) })
	for _, e := range exits {
		fmt.Fprintf(b, "  %3d  %s\n", e.Kind.Exit(), e.When)
	}
	_, err := io.WriteString(ctx.Stdout, b.String())
	return err
}

func home(env Env, flag string) (string, error) {
	dir := flag
	if dir == "" {
		dir = env.Getenv("DAIMON_HOME")
	}
	if user := env.Getenv("HOME"); dir == "" && user != "" {
		if !filepath.IsAbs(user) {
			return "", fault.New(fault.NoInput, "find the data folder", "HOME is not an absolute path").WithHint("pass --home DIR")
		}
		dir = filepath.Join(user, ".daimon")
	}
	if dir == "" {
		return "", fault.New(fault.NoInput, "find the data folder", "neither DAIMON_HOME nor HOME is set").WithHint("pass --home DIR")
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(env.Dir, dir)
	}
	return filepath.Clean(dir), nil
}

// ProjectDir is the project folder that was asked for: the flag, else
// DAIMON_PROJECT_DIR, else the working directory; absolute, otherwise as given.
func (p *Proc) ProjectDir() string {
	dir := p.common.Project
	if dir == "" {
		dir = p.Getenv("DAIMON_PROJECT_DIR")
	}
	if dir == "" {
		return p.Dir
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(p.Dir, dir)
	}
	return filepath.Clean(dir)
}

// Note prints one diagnostic line on stderr.
func (p *Proc) Note(format string, args ...any) {
	fmt.Fprintf(p.Err, "%s: %s\n", p.tool, oneLine(fmt.Sprintf(format, args...)))
}

// Summarise prints one line on stderr when --summary was given.
func (p *Proc) Summarise(format string, args ...any) {
	if p.common.Summary {
		p.Note(format, args...)
	}
}

// MaxDocument is the largest checkpoint read from stdin, in bytes.
const MaxDocument = 64 << 20

// Checkpoint reads the candidate on stdin. Empty input is bad input: a stage
// that failed upstream leaves nothing behind.
func (p *Proc) Checkpoint() (*doc.Checkpoint, error) {
	const op = "read the checkpoint on stdin"
	raw, err := p.ReadAll(op)
	if err != nil {
		return nil, err
	}
	c, err := doc.ParseCheckpoint(raw)
	if err != nil {
		return nil, &fault.Error{Op: op, Kind: fault.BadInput, Err: err}
	}
	return c, nil
}

// ReadAll reads a document from stdin, refusing an empty one, a terminal, and
// one above MaxDocument.
func (p *Proc) ReadAll(op string) ([]byte, error) {
	if p.Terminal() {
		return nil, fault.New(fault.BadInput, op, "stdin is a terminal").WithHint("pipe a document in; see " + p.tool + " --help")
	}
	raw, err := io.ReadAll(io.LimitReader(p.In, MaxDocument+1))
	switch {
	case err != nil:
		return nil, fault.Wrap(fault.IO, op, "", err)
	case len(raw) > MaxDocument:
		return nil, fault.New(fault.BadInput, op, "larger than %d bytes", MaxDocument)
	case len(bytes.TrimSpace(raw)) == 0:
		return nil, fault.New(fault.BadInput, op, "stdin is empty").WithHint("the stage before it failed or printed nothing")
	}
	return raw, nil
}

// Terminal tells whether stdin is a terminal.
func (p *Proc) Terminal() bool { return terminal(p.In) }

// Hint prints one diagnostic line for a person: with --summary, or when stderr
// is a terminal.
func (p *Proc) Hint(format string, args ...any) {
	if p.common.Summary || terminal(p.Err) {
		p.Note(format, args...)
	}
}

func terminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Transcript loads the evidence from a file, noting each bad line.
func (p *Proc) Transcript(path string) (*doc.Transcript, error) {
	f, err := os.Open(p.Abs(path))
	if err != nil {
		return nil, fault.Wrap(fault.IO, "open the transcript", path, err)
	}
	defer f.Close()
	return p.LoadTranscript(f, path)
}

// LoadTranscript reads a transcript from r, noting each bad line.
func (p *Proc) LoadTranscript(r io.Reader, name string) (*doc.Transcript, error) {
	t, err := doc.LoadTranscript(r, name)
	for _, b := range t.Bad {
		p.Note("%s", b)
	}
	if errors.Is(err, doc.ErrNoHeader) {
		return nil, &fault.Error{Op: "read the transcript", Kind: fault.BadInput, Path: name, Err: err, Hint: "make one with daimon-normalize"}
	}
	return t, fault.Wrap(fault.IO, "read the transcript", name, err)
}

// Abs resolves a path given by the user against the working directory.
func (p *Proc) Abs(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(p.Dir, path)
}

// Print writes a document and a final newline to stdout.
func (p *Proc) Print(b []byte) error {
	_, err := p.Out.Write(append(bytes.TrimSuffix(b, []byte("\n")), '\n'))
	return fault.Wrap(fault.IO, "write to stdout", "", err)
}

// Count says how many there are of a thing: "1 item", "2 items".
func Count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
