package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"daimon/lib/doc"
	"daimon/lib/fault"
	"daimon/lib/payload"
	"daimon/lib/redact"
	"daimon/lib/spool"
	"daimon/lib/stage"
	"daimon/lib/store"
	"daimon/lib/view"
)

type payloadCmd struct{}

func (c *payloadCmd) Run(p *stage.Proc) error {
	e, err := payload.Read(p.In, payload.Wait)
	if errors.Is(err, payload.ErrTooLarge) { // a pasted file: nobody's fault
		p.Note("%v", err)
		err = nil
	}
	if err != nil {
		return err
	}
	return p.Print([]byte(e.Assignments()))
}

type spoolCmd struct {
	Session    string `help:"Session id (default: the transcript's file name)."`
	Transcript string `required:"" help:"The host's session file, absolute."`
	Cwd        string `help:"Project folder of the session."`
	Reason     string `help:"Why it is captured."`
	Host       string `default:"claude-code" help:"Which agent host it is."`

	Then []string `arg:"" optional:"" passthrough:"" help:"A command to detach, with the job folder as its last argument."`
}

func (c *spoolCmd) Run(p *stage.Proc) error {
	folder, err := spool.At(p.Home, p.Now).Put(spool.Job{
		Session: c.Session, Transcript: c.Transcript, Cwd: c.Cwd, Reason: c.Reason, Host: c.Host,
	})
	if err != nil {
		return err
	}
	if len(c.Then) > 0 {
		return detach(p, append(c.Then, folder))
	}
	return p.Print([]byte(folder))
}

type jobCmd struct {
	Job string `arg:""`
}

func (c *jobCmd) Run(p *stage.Proc) error {
	j, err := spool.Load(spool.At(p.Home, p.Now).Folder(c.Job))
	if err != nil {
		return err
	}
	b := &strings.Builder{}
	for _, f := range j.Fields() {
		payload.Assign(b, f[0], f[1])
	}
	return p.Print([]byte(b.String()))
}

type runCmd struct {
	Job     string   `arg:""`
	Command []string `arg:"" passthrough:""`
}

func (c *runCmd) Run(p *stage.Proc) error {
	d := spool.At(p.Home, p.Now)
	folder := d.Folder(c.Job)
	lock, err := d.Begin(folder)
	if errors.Is(err, spool.ErrRunning) || fault.KindOf(err) == fault.NoInput { // another run was there first
		p.Note("%s: %v", filepath.Base(folder), err)
		return nil
	}
	if err != nil {
		return err
	}
	return spool.Exec(lock, command(c.Command), os.Environ())
}

type detachCmd struct {
	Command []string `arg:"" passthrough:""`
}

func (c *detachCmd) Run(p *stage.Proc) error {
	return detach(p, c.Command)
}

func detach(p *stage.Proc, argv []string) error {
	return spool.Detach(command(argv), filepath.Join(p.Home, "logs", "capture.log"))
}

type keptCmd struct{}

func (c *keptCmd) Run(p *stage.Proc) error {
	const op = "look for the transcript's checkpoint"
	stop := errors.New("the header is enough")
	h, _, err := doc.ReadTranscript(p.In, "stdin", func(doc.Message) error { return stop })
	if err != nil && !errors.Is(err, stop) {
		return fault.Wrap(fault.BadInput, op, "", err)
	}
	st := store.Open(p.Home)
	latest, err := st.Latest(st.Project(p.ProjectDir()))
	if err != nil {
		return err
	}
	if latest == nil || latest.Str("session_id") != h.SessionID || latest.Str("transcript_hash") != h.SHA256 ||
		latest.Str("format_version") != doc.FormatVersion {
		return fault.New(fault.Failed, op, "none yet")
	}
	return nil
}

type awaitCmd struct{}

// awaitLimit is how long a starting session waits for a capture; a model-free
// one is done well within.
const awaitLimit = 2 * time.Second

func (c *awaitCmd) Run(p *stage.Proc) error {
	project := store.ProjectRoot(p.ProjectDir())
	mine := func(j spool.Job) bool { return store.ProjectRoot(j.Cwd) == project }
	d := spool.At(p.Home, p.Now)
	if err := d.Await(awaitLimit, mine); err != nil {
		return err
	}
	n, last, err := d.Stuck(mine)
	if err != nil || n == 0 {
		return err
	}
	return p.Print([]byte(stuck(n, last, p.Home)))
}

// stuck tells a person of captures that failed. A job and a path may hold any
// character; what is printed is one line.
func stuck(n int, last spool.Job, home string) string {
	log := filepath.Join(home, "logs", "hooks.log")
	if view.Line(log) != log {
		log = "logs/hooks.log in the data folder"
	}
	at := last.Failed
	if strings.Trim(at, "abcdefghijklmnopqrstuvwxyz-") != "" {
		at = "unknown"
	}
	return fmt.Sprintf("Daimon: %s could not be captured yet (last: %s, exit %d); see %s",
		stage.Count(n, "earlier session"), at, last.Code, log)
}

type doneCmd struct {
	Job    string `arg:""`
	Serial int    `arg:"" help:"DAIMON_JOB_SERIAL as the run read it."`
}

func (c *doneCmd) Run(p *stage.Proc) error {
	d := spool.At(p.Home, p.Now)
	return d.Done(d.Folder(c.Job), c.Serial)
}

type failCmd struct {
	Job    string `arg:""`
	Serial int    `arg:"" help:"DAIMON_JOB_SERIAL as the run read it."`
	Stage  string `arg:"" help:"The stage that failed."`
	Code   int    `arg:"" help:"Its exit code."`
}

func (c *failCmd) Run(p *stage.Proc) error {
	d := spool.At(p.Home, p.Now)
	j, err := d.Fail(d.Folder(c.Job), c.Serial, c.Stage, c.Code)
	if err != nil {
		return err
	}
	then := fmt.Sprintf("stopped at %s: it is tried again, %d attempts left", c.Stage, j.Left())
	if j.Parked {
		then = "is parked: it will not be tried again by itself"
	}
	return say(p, "capture", filepath.Base(c.Job)+" "+then)
}

type pendingCmd struct {
	Limit int `default:"10" help:"List at most so many."`
}

func (c *pendingCmd) Run(p *stage.Proc) error {
	names, err := spool.At(p.Home, p.Now).Pending(c.Limit)
	if err != nil || len(names) == 0 {
		return err
	}
	return p.Print([]byte(strings.Join(names, "\n")))
}

type logCmd struct {
	Hook    string   `arg:"" help:"Who says it."`
	Message []string `arg:"" passthrough:""`
}

func (c *logCmd) Run(p *stage.Proc) error {
	message, _ := redact.Text(strings.Join(command(c.Message), " "))
	return say(p, c.Hook, message)
}

// say writes a line to the hooks' log. A log that cannot be written is noted
// on stderr and is no failure.
func say(p *stage.Proc, who, message string) error {
	if err := spool.Log(filepath.Join(p.Home, "logs", "hooks.log"), p.Now(), who, message); err != nil {
		p.Note("%v", err)
	}
	return nil
}

// command drops the "--" that separates a command from the flags.
func command(argv []string) []string {
	if len(argv) > 1 && argv[0] == "--" {
		return argv[1:]
	}
	return argv
}
