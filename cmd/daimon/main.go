// Daimon is the front door: daimon VERB runs daimon-VERB, as git does.
package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"syscall"

	"daimon/lib/fault"
	"daimon/lib/stage"
)

func main() { os.Exit(run(stage.System(), os.Stdout, os.Stderr, os.Args[1:], syscall.Exec)) }

// execer replaces the process; it returns only when it fails.
type execer func(path string, argv, env []string) error

// builtin are the verbs that are no program.
var builtin = []string{"help", "--help", "-h", "version", "--version"}

// run does what args say. A verb gets the process itself, so its streams,
// signals and exit code are those of the program that was found.
func run(env stage.Env, stdout, stderr io.Writer, args []string, exec execer) int {
	at := places(env)
	verb := "help"
	if len(args) > 0 {
		verb, args = args[0], args[1:]
	}
	switch verb {
	case "version", "--version":
		fmt.Fprintln(stdout, "daimon", stage.Version)
		return 0
	case "help", "--help", "-h":
		if len(args) == 0 || slices.Contains(builtin, args[0]) {
			fmt.Fprint(stdout, help(at))
			return 0
		}
		verb, args = args[0], []string{"--help"}
	}
	path := at.find(verb)
	if path == "" {
		fmt.Fprintf(stderr, "daimon: %s\n", unknown(at, verb))
		return fault.Usage.Exit()
	}
	err := exec(path, append([]string{path}, args...), os.Environ())
	fmt.Fprintf(stderr, "daimon: start %s: %v\n", path, err)
	return fault.Unavailable.Exit()
}

func unknown(at folders, verb string) string {
	known := []string{"help", "version"}
	for _, v := range listed(at) {
		known = append(known, v.Name)
	}
	for _, v := range stage.Verbs {
		if v.Name == verb {
			return fmt.Sprintf("daimon-%s is not installed; scripts/build makes it", verb)
		}
	}
	s := fmt.Sprintf("there is no verb %q", verb)
	if near := nearest(verb, known); near != "" {
		return s + fmt.Sprintf("; did you mean %q?", near)
	}
	return s + "; see daimon help"
}

func help(at folders) string {
	b := &strings.Builder{}
	b.WriteString("Usage: daimon VERB [ARGUMENTS]\n\n" + stage.Summary("daimon") + "\n\nVerbs, each a program daimon-VERB of its own:\n")
	for _, v := range listed(at) {
		fmt.Fprintf(b, "  %-10s  %s\n", v.Name, v.Summary)
	}
	b.WriteString("\nRun \"daimon help VERB\" for the flags and exit codes of one, \"daimon version\" for the version.\n")
	return b.String()
}
