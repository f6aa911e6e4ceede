package ground

import (
	"path"
	"slices"
	"strings"
)

// sort is how a command names what it runs.
type sort int

const (
	inert    sort = iota // it runs nothing that could show an outcome
	tool                 // a program with a subcommand
	scripted             // a script
	task                 // a task of a task runner
)

// program is what a command runs, once what only launches it is taken off.
type program struct {
	sort    sort
	line    string // base name, subcommand, arguments; of a task: task and its name
	name    string // what tells what it is for: a script's name, a task, a subcommand
	inner   string // a script given as an argument, to be read instead
	number  string // of the merge request that an argument names
	branch  string // that it was asked about
	dry     bool   // it was asked to change nothing
	idle    bool   // it was asked for help or for a list, or to undo or put off
	lenient bool   // its exit status says little
	skips   bool   // it was asked to leave the tests out
	queues  bool   // it may put off what it was asked to do, so its silence says nothing
}

// resolve finds what the words of a command run.
func resolve(words []string) program {
	var p program
	words, p.inner, p.lenient = launched(words)
	if p.inner != "" || len(words) == 0 {
		return p
	}
	sorted := tool
	if i, ok := interpreted(words); ok {
		if i.inner != "" || len(i.words) == 0 {
			p.inner = i.inner
			return p
		}
		words, sorted = i.words, i.sort
	}
	if named := strings.HasPrefix(words[0], taskMark); named {
		words[0], sorted = strings.TrimPrefix(words[0], taskMark), task
	} else if sorted == tool && looksLikeScript(words[0]) {
		sorted = scripted
	}
	words = slices.Clone(words)
	words[0] = path.Base(words[0])
	if sorted != task && idlePrograms()[words[0]] {
		return p
	}
	words = arranged(words)
	p.line = strings.Join(words, " ")
	if sorted == scripted && knownTool(words) {
		sorted = tool
	}
	p.sort = sorted
	p.flags(words)
	switch names, ok := tasks(words); {
	case ok:
		p.task(words[0], names)
	case sorted == task:
		p.task(words[0], words[:1])
	case sorted == tool && len(words) > 1 && plainWord(words[1]) && !closedPrograms()[words[0]]:
		p.name = words[1]
	case sorted != tool:
		p.name = words[0]
	}
	if away(p.name) {
		p.idle = true
	}
	return p
}

// task takes the names of tasks. Those that show nothing do not count.
func (p *program) task(runner string, names []string) {
	names = slices.DeleteFunc(names, away)
	if len(names) == 0 {
		p.sort = inert
		return
	}
	p.sort, p.name = task, strings.Join(names, " ")
	p.line = "task " + p.name
	if makes(runner) && !slices.ContainsFunc(names, purposeful) {
		p.line = "make " + p.name
	}
}

func makes(runner string) bool { return runner == "make" || runner == "gmake" || runner == "ninja" }

// purposeful tells the targets of make that are for something else than to build.
func purposeful(target string) bool {
	return slices.ContainsFunc(tokens(target), func(t string) bool {
		return slices.Contains([]string{"test", "tests", "spec", "check", "lint", "fmt", "format", "vet", "deploy", "run", "start", "stop", "up", "down",
			"serve", "docs", "publish", "upload", "push", "tag", "migrate", "migrar", "rollback", "revert", "deps", "bench", "fuzz", "ship", "promote"}, t)
	}) || slices.ContainsFunc(verbTable(), func(v verb) bool { return v.kind != Build && v.word.matches(target) })
}

// away tells the names of scripts and tasks that only speak of a thing.
func away(name string) bool {
	return slices.ContainsFunc(tokens(name), func(t string) bool {
		return slices.Contains([]string{"clean", "distclean", "list", "help", "report", "reports", "status", "log", "logs", "show", "view", "watch", "info",
			"dry", "plan", "setup", "install", "deps", "prepare", "pre", "init", "create", "new", "generate", "gen", "template", "fixture",
			"fixtures", "data", "edit", "open", "undeploy", "unpublish", "undo", "makemigrations"}, t)
	})
}

func tokens(name string) []string {
	return strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r < 0x80 && notLetter(r) && (r < '0' || r > '9') })
}

func looksLikeScript(word string) bool {
	switch path.Ext(word) {
	case ".sh", ".bash", ".zsh", ".py", ".js", ".mjs", ".cjs", ".ts", ".rb", ".pl", ".php", ".ps1":
		return true
	}
	return strings.Contains(word, "/")
}

func plainWord(w string) bool {
	return w != "" && w[0] >= 'a' && w[0] <= 'z' && strings.Trim(w, "abcdefghijklmnopqrstuvwxyz0123456789-:_") == ""
}

// arranged brings the options that stand before a subcommand behind its
// arguments: git -C x push becomes git push -C x.
func arranged(words []string) []string {
	values, known := globals[words[0]]
	if !known {
		return words
	}
	out, opts := []string{words[0]}, []string(nil)
	depth := 1
	i := 1
	for ; i < len(words) && depth > 0 && words[i] != "--"; i++ {
		switch w := words[i]; {
		case strings.HasPrefix(w, "-"):
			opts = append(opts, w)
			if takesValue(values, w) && i+1 < len(words) {
				i++
				opts = append(opts, words[i])
			}
		case strings.HasPrefix(w, "+"): // a toolchain
		default:
			out = append(out, w)
			if w != "compose" && w != "buildx" && w != "image" && w != "container" {
				depth--
			}
		}
	}
	rest := words[i:]
	if at := slices.Index(rest, "--"); at >= 0 {
		return slices.Concat(out, rest[:at], opts, rest[at:])
	}
	return slices.Concat(out, rest, opts)
}

// takesValue tells whether the next word is the value of an option. options are
// joined by blanks.
func takesValue(options, option string) bool {
	return !strings.Contains(option, "=") && slices.Contains(strings.Fields(options), option)
}

// positionals are the words that are neither options nor their values.
func positionals(words []string, values string) []string {
	var out []string
	for i := 0; i < len(words); i++ {
		switch w := words[i]; {
		case w == "--":
			return out
		case takesValue(values, w):
			i++
		case strings.HasPrefix(w, "-"):
		default:
			out = append(out, w)
		}
	}
	return out
}

// tasks are the tasks that a task runner was given.
func tasks(words []string) ([]string, bool) {
	rest := words[1:]
	sub := ""
	if len(rest) > 0 {
		sub = rest[0]
	}
	first := func(list []string) []string { return list[:min(1, len(list))] }
	switch words[0] {
	case "npm", "pnpm", "yarn", "bun":
		switch {
		case sub == "run" || sub == "run-script":
			return first(positionals(rest[1:], globals[words[0]])), true
		case sub == "test" || sub == "t" || sub == "tst":
			return []string{"test"}, true
		case sub == "workspace" && words[0] == "yarn":
			return first(positionals(rest[min(2, len(rest)):], "")), true
		case sub == "build" && words[0] != "npm" || words[0] != "npm" && plainWord(sub) && !packageVerbs()[sub]:
			return []string{sub}, true
		}
	case "make", "gmake", "ninja":
		return targets(positionals(rest, "-C -f -I -o -W -l --directory --file --makefile")), true
	case "just", "task", "mage", "invoke", "inv", "poe", "rake":
		return positionals(rest, "-f --justfile -d --working-directory -t --taskfile --dir --set -c -r"), true
	case "turbo", "lerna", "bazel", "nx", "moon", "deno", "mise", "composer":
		switch {
		case (sub == "run" || sub == "run-script" || sub == "run-many" || sub == "task") && words[0] != "bazel":
			return first(positionals(rest[1:], "--filter --scope")), true
		case sub == "test" && words[0] != "deno" || sub == "build":
			return []string{sub}, true
		}
	}
	return nil, false
}

// targets are those of make: numbers are how many jobs, and assignments no target.
func targets(words []string) []string {
	out := slices.DeleteFunc(words, func(w string) bool {
		return strings.Contains(w, "=") || strings.Trim(w, "0123456789") == ""
	})
	if len(out) == 0 {
		return []string{"all"}
	}
	return out
}
