package ground

import (
	"path"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
	"mvdan.cc/sh/v3/syntax"

	"daimon/lib/doc"
)

// command is one simple command of a tool's input.
type command struct {
	words string // joined by blanks; arguments with blanks in them are left out
	program
	context
}

// context is what stands around a command.
type context struct {
	masked bool   // its exit status does not reach the end: a pipe, || true, a later ;
	last   bool   // the exit status of the whole is its own
	culled bool   // a filter behind it may have dropped what failed
	into   string // the file that its output goes to
}

// script is the input of a shell tool, read.
type script struct {
	commands []command
	said     sayings // what it prints of its own
}

// maxCommand is the longest input that is read as a shell command.
const maxCommand = 64 << 10

// maxDepth is how deep commands that hold commands are read.
const maxDepth = 4

// scriptOf is the script a tool message is the result of; an empty one when the
// tool is no shell.
func scriptOf(m *doc.Message) script {
	if m.Tool == nil || !shell(m.Tool.Name) {
		return script{}
	}
	src := m.Tool.Input
	if strings.HasPrefix(strings.TrimSpace(src), "{") {
		if inner := shellOf(src); inner != "" {
			src = inner
		}
	}
	if src == "" || len(src) > maxCommand {
		return script{}
	}
	w := &walker{}
	if !w.source(src, context{last: true}) {
		w.add(strings.Fields(firstLine(src)), context{masked: true, into: "?"}) // only failure is believed
	}
	w.resurface()
	return w.script
}

// shells are the names that hosts give to the tool that runs commands.
var shells = []string{
	"", "bash", "sh", "zsh", "shell", "local_shell", "local_shell_call", "exec", "exec_command", "container_exec",
	"run_command", "run_shell_command", "run_terminal_cmd", "run_terminal_command", "run_in_terminal", "execute_command",
	"execute_bash", "bash_command", "shell_command", "terminal", "command_execution", "powershell",
}

// shell tells tools that run commands, whatever server offers them. What others
// return is what somebody wrote, and shows no outcome.
func shell(name string) bool {
	if i := strings.LastIndex(name, "__"); i >= 0 && i+2 < len(name) {
		name = name[i+2:]
	}
	name = strings.TrimPrefix(strings.ToLower(name), "functions.")
	return slices.Contains(shells, strings.NewReplacer(".", "_", "-", "_", " ", "_").Replace(name))
}

// shellOf is the command of a tool whose input is an object.
func shellOf(input string) string {
	for _, key := range []string{"command", "cmd", "script"} {
		v := gjson.Get(input, key)
		if v.Type == gjson.String {
			return v.Str
		}
		if words := v.Array(); v.IsArray() && len(words) > 0 {
			return words[len(words)-1].String()
		}
	}
	return ""
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}

// walker collects commands in the order they are written.
type walker struct {
	script
	depth int
}

// source reads the text of a script; false when it is none.
func (w *walker) source(src string, at context) bool {
	if w.depth >= maxDepth {
		return false
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(src), "")
	if err != nil {
		return false
	}
	w.depth++
	w.list(file.Stmts, at)
	w.depth--
	return true
}

func (w *walker) list(stmts []*syntax.Stmt, at context) {
	for i, s := range stmts {
		in := at
		in.masked = at.masked || i < len(stmts)-1
		in.last = at.last && i == len(stmts)-1
		w.stmt(s, in)
	}
}

func (w *walker) stmt(s *syntax.Stmt, at context) {
	if s == nil {
		return
	}
	for _, r := range s.Redirs {
		if r.Hdoc != nil {
			w.said.text(spelled(r.Hdoc))
		}
	}
	if file := sink(s); file != "" {
		at.into = file
	}
	at.masked = at.masked || s.Background || s.Negated
	switch c := s.Cmd.(type) {
	case nil:
	case *syntax.CallExpr:
		w.call(c, at)
	case *syntax.BinaryCmd:
		w.binary(c, at)
	case *syntax.Block:
		w.list(c.Stmts, at)
	case *syntax.Subshell:
		w.list(c.Stmts, at)
	case *syntax.TimeClause:
		w.stmt(c.Stmt, at)
	default: // loops and conditions: what ran last is not known
		at.masked, at.last = true, false
		syntax.Walk(s.Cmd, func(n syntax.Node) bool {
			if inner, ok := n.(*syntax.Stmt); ok && inner != s {
				w.stmt(inner, at)
				return false
			}
			return true
		})
	}
}

func (w *walker) binary(c *syntax.BinaryCmd, at context) {
	left := at
	left.last = false
	switch c.Op {
	case syntax.AndStmt:
	case syntax.OrStmt:
		left.masked, at.masked = true, true
	default: // a pipe
		left.masked = true
		left.culled = at.culled || culls(c.Y)
		if file := sink(c.Y); file != "" {
			left.into = file
		}
	}
	w.stmt(c.X, left)
	w.stmt(c.Y, at)
}

func (w *walker) call(c *syntax.CallExpr, at context) {
	var words []string
	for _, arg := range c.Args {
		if word := spelled(arg); word != "" {
			words = append(words, word)
		}
	}
	w.said.call(c)
	w.add(words, at)
}

// add adds what a command's words run.
func (w *walker) add(words []string, at context) {
	if len(words) == 0 {
		return
	}
	p := resolve(words)
	at.masked = at.masked || p.lenient
	if p.inner != "" {
		w.source(p.inner, at)
		return
	}
	var bare []string
	for _, word := range words {
		if !strings.ContainsAny(word, " \t\n") {
			bare = append(bare, word)
		}
	}
	w.commands = append(w.commands, command{strings.Join(bare, " "), p, at})
}

// sink is the file that the standard output of a statement goes to, or "".
func sink(s *syntax.Stmt) string {
	file := ""
	for _, r := range s.Redirs {
		switch r.Op {
		case syntax.RdrOut, syntax.AppOut, syntax.RdrClob, syntax.RdrAll, syntax.AppAll:
		default:
			continue
		}
		if r.N != nil && r.N.Value != "1" {
			continue
		}
		if file = spelled(r.Word); file == "" {
			file = "?" // named at run time
		}
	}
	switch file {
	case "/dev/stdout", "/dev/stderr", "/dev/tty":
		return ""
	}
	return file
}

// resurface finds the files that a later command shows, so that the output of
// the one that wrote them is seen after all.
func (w *walker) resurface() {
	for i := range w.commands {
		file := w.commands[i].into
		if file == "" || file == "/dev/null" {
			continue
		}
		for _, later := range w.commands[i+1:] {
			if later.into == "" && slices.Contains(strings.Fields(later.words), file) {
				w.commands[i].into = ""
			}
		}
	}
}

// culls tells whether a filter lets a summary of what passed through, and not
// what failed.
func culls(s *syntax.Stmt) bool {
	c, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(c.Args) == 0 {
		return false
	}
	args := make([]string, len(c.Args))
	for i, a := range c.Args {
		args[i] = spelled(a)
	}
	rest := strings.ToLower(strings.Join(args[1:], " "))
	failure := strings.Contains(rest, "fail") || strings.Contains(rest, "err")
	success := slices.Contains(strings.FieldsFunc(rest, notLetter), "ok")
	switch path.Base(args[0]) {
	case "head":
		return true
	case "grep", "egrep", "rg", "ag":
		if slices.Contains(args, "-v") || slices.Contains(args, "--invert-match") {
			return failure || strings.Contains(rest, "not ok")
		}
		return !failure && (success || !strings.Contains(rest, "test") && !strings.Contains(rest, "passed") && !strings.Contains(rest, "summary"))
	case "sed", "awk", "gawk", "perl":
		return !failure && (success || strings.Contains(rest, "pass"))
	}
	return false
}

func notLetter(r rune) bool { return r < 'a' || r > 'z' }

// spelled is the text of a word without its quotes; parts known only at run
// time are left out.
func spelled(w *syntax.Word) string { return strings.ReplaceAll(literalText(w), unknown, "") }

// unknown stands for what is known only at run time.
const unknown = "\x00"

func literalText(w *syntax.Word) string {
	var b strings.Builder
	for _, p := range w.Parts {
		switch p := p.(type) {
		case *syntax.Lit:
			b.WriteString(strings.ReplaceAll(p.Value, `\`+"\n", ""))
		case *syntax.SglQuoted:
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			for _, q := range p.Parts {
				if lit, ok := q.(*syntax.Lit); ok {
					b.WriteString(lit.Value)
				} else {
					b.WriteString(unknown)
				}
			}
		default:
			b.WriteString(unknown)
		}
	}
	return b.String()
}
