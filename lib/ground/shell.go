package ground

import (
	"strings"

	"github.com/tidwall/gjson"
	"mvdan.cc/sh/v3/syntax"

	"daimon/lib/doc"
)

// command is one simple command of a tool's input.
type command struct {
	words  string // joined by blanks; arguments with blanks in them are left out
	masked bool   // its exit status does not reach the end: a pipe, || true, a later ;
	last   bool   // the exit status of the whole is its own
	dry    bool   // it was asked to change nothing
}

// maxCommand is the longest input that is read as a shell command.
const maxCommand = 64 << 10

// commands are the simple commands a tool message is the result of; none when
// the tool is no shell.
func commands(m *doc.Message) []command {
	if m.Tool == nil {
		return nil
	}
	src := m.Tool.Input
	if strings.HasPrefix(strings.TrimSpace(src), "{") {
		src = shellOf(src)
	}
	if src == "" || len(src) > maxCommand || reader(m.Tool.Name) {
		return nil
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(src), "")
	if err != nil {
		return []command{{words: firstLine(src), masked: true}}
	}
	w := &walker{}
	w.list(file.Stmts, false)
	return w.out
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

// reader tells tools that only fetch text. What they return is what somebody
// wrote, and shows no outcome.
func reader(name string) bool {
	name = strings.ToLower(name)
	for _, part := range []string{"read", "fetch", "search", "grep", "glob", "write", "edit", "todo", "browser"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}

// walker collects commands in the order they are written.
type walker struct{ out []command }

func (w *walker) list(stmts []*syntax.Stmt, masked bool) {
	for i, s := range stmts {
		w.stmt(s, masked || i < len(stmts)-1, i == len(stmts)-1)
	}
}

func (w *walker) stmt(s *syntax.Stmt, masked, last bool) {
	if s == nil || s.Cmd == nil {
		return
	}
	masked = masked || s.Background || s.Negated
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		w.call(c, masked, last)
	case *syntax.BinaryCmd:
		switch c.Op {
		case syntax.AndStmt:
			w.stmt(c.X, masked, false)
			w.stmt(c.Y, masked, last)
		case syntax.OrStmt:
			w.stmt(c.X, true, false)
			w.stmt(c.Y, true, last)
		default: // a pipe
			w.stmt(c.X, true, false)
			w.stmt(c.Y, masked, last)
		}
	case *syntax.Block:
		w.list(c.Stmts, masked)
	case *syntax.Subshell:
		w.list(c.Stmts, masked)
	case *syntax.TimeClause:
		w.stmt(c.Stmt, masked, last)
	default: // loops and conditions: what ran last is not known
		syntax.Walk(s.Cmd, func(n syntax.Node) bool {
			if call, ok := n.(*syntax.CallExpr); ok {
				w.call(call, true, false)
			}
			return true
		})
	}
}

func (w *walker) call(c *syntax.CallExpr, masked, last bool) {
	var words []string
	for _, arg := range c.Args {
		word := spelled(arg)
		if word != "" && !strings.ContainsAny(word, " \t\n") {
			words = append(words, word)
		}
	}
	for len(words) > 1 && wrapper(words[0]) {
		words = words[1:]
		for len(words) > 1 && (strings.HasPrefix(words[0], "-") || strings.Trim(words[0], "0123456789smh.") == "" || strings.Contains(words[0], "=")) {
			words = words[1:]
		}
	}
	if len(words) == 0 {
		return
	}
	line := strings.Join(words, " ")
	w.out = append(w.out, command{line, masked, last, dryRun(words)})
}

func wrapper(word string) bool {
	switch word {
	case "sudo", "env", "time", "timeout", "nice", "nohup", "xargs", "command", "exec", "stdbuf", "unbuffer":
		return true
	}
	return false
}

func dryRun(words []string) bool {
	for _, w := range words[1:] {
		if strings.HasPrefix(w, "--dry-run") || w == "--dryrun" || w == "--check-only" || w == "--noop" || w == "--whatif" {
			return true
		}
	}
	return false
}

// spelled is the text of a word without its quotes; parts known only at run
// time are left out.
func spelled(w *syntax.Word) string {
	var b strings.Builder
	for _, p := range w.Parts {
		switch p := p.(type) {
		case *syntax.Lit:
			b.WriteString(p.Value)
		case *syntax.SglQuoted:
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			for _, q := range p.Parts {
				if lit, ok := q.(*syntax.Lit); ok {
					b.WriteString(lit.Value)
				}
			}
		}
	}
	return b.String()
}
