// Daimon-hook does for the hook scripts what sh cannot: read a payload, keep
// the spool, hold a lock, start a process that outlives its caller.
package main

import (
	"context"
	"io"
	"os"

	"daimon/lib/fault"
	"daimon/lib/stage"
)

func main() { os.Exit(run(context.Background(), os.Stdin, os.Stdout, os.Stderr, os.Args[1:])) }

var tool = stage.Tool{
	Name: "daimon-hook",
	Doc: "The scripts in hooks/ call it. Captures wait in the spool, one folder a session, " +
		"until they succeed; JOB is such a folder, or its name.",
	Exits: []stage.Exit{
		{Kind: fault.Failed, When: "kept: it was not"},
		{Kind: fault.BadInput, When: "the payload or the job is not what it should be"},
		{Kind: fault.NoInput, When: "there is no such job"},
		{Kind: fault.Unavailable, When: "the command cannot be started"},
		{Kind: fault.CannotCreate, When: "the data folder cannot be written"},
		{Kind: fault.IO, When: "reading or writing failed"},
		{Kind: fault.TryLater, When: "the spool is locked, or the session was spooled again"},
	},
}

type flags struct {
	stage.Common
	Payload payloadCmd `cmd:"" help:"Print the JSON payload on stdin as sh assignments."`
	Spool   spoolCmd   `cmd:"" help:"Queue a capture and print its job folder."`
	Job     jobCmd     `cmd:"" help:"Print a job as sh assignments."`
	Run     runCmd     `cmd:"" help:"Run a command that holds the job's lock; do nothing when another one does, or did."`
	Detach  detachCmd  `cmd:"" help:"Start a command that outlives this one and its process group."`
	Kept    keptCmd    `cmd:"" help:"Tell whether the project's latest checkpoint was made from just this transcript, on stdin."`
	Await   awaitCmd   `cmd:"" help:"Wait, two seconds at most, for captures of the project that were queued just now, and print a line about those that failed."`
	Done    doneCmd    `cmd:"" help:"End a run that succeeded: remove the job."`
	Fail    failCmd    `cmd:"" help:"End a run that a stage stopped: keep the job for another try."`
	Pending pendingCmd `cmd:"" help:"List the names of the jobs that are due."`
	Log     logCmd     `cmd:"" help:"Append a line to logs/hooks.log."`
}

func run(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer, args []string) int {
	var f flags
	return tool.Run(ctx, stage.System(), stage.Streams{In: stdin, Out: stdout, Err: stderr}, args, &f, nil)
}
