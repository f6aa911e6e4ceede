package own

import (
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// script tells whether shell text runs Daimon. Text that is no shell is
// judged by its words.
func script(s string, depth int) bool {
	s = s[:min(len(s), maxCommand)]
	if depth > maxDepth || !speaks(s) {
		return false
	}
	if found, ok := parsed(s, depth); ok {
		return found
	}
	return scan(s, depth)
}

// speaks is a fast answer for the scripts that name nothing of Daimon's, whatever
// their quoting.
func speaks(s string) bool {
	if strings.ContainsAny(s, "\"'\\") {
		s = unquoted.Replace(s)
	}
	for _, name := range []string{program, "DAIMON", database, "hooks/"} {
		if strings.Contains(s, name) {
			return true
		}
	}
	return false
}

var unquoted = strings.NewReplacer(`"`, "", `'`, "", "\\\n", "", `\`, "")

// maxNesting is how many brackets a script may open before it is only scanned:
// the parser recurses.
const maxNesting = 2000

func parsed(s string, depth int) (found, ok bool) {
	if strings.Count(s, "(")+strings.Count(s, "{")+strings.Count(s, "`") > maxNesting {
		return false, false
	}
	defer func() {
		if recover() != nil { // a parser fault is no reason to lose a session
			found, ok = false, false
		}
	}()
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(s), "")
	if err != nil {
		return false, false
	}
	j := judge{vars: map[string]string{}, aliases: map[string]string{}, depth: depth}
	syntax.Walk(file, j.visit)
	return j.found, true
}

type judge struct {
	vars    map[string]string // plain assignments seen so far
	aliases map[string]string
	depth   int
	found   bool
}

func (j *judge) visit(n syntax.Node) bool {
	switch n := n.(type) {
	case *syntax.CallExpr:
		j.assign(n.Assigns)
		j.found = j.found || argv(j.expand(j.words(n.Args)), j.depth)
	case *syntax.DeclClause:
		j.assign(n.Args)
	case *syntax.WordIter:
		for _, w := range n.Items {
			if v := j.word(w); isDaimon(v) {
				j.vars[n.Name.Value] = v
			}
		}
	case *syntax.Stmt:
		j.fed(n)
	}
	return !j.found
}

// expand puts in what an alias of the same script stands for.
func (j *judge) expand(words []string) []string {
	if len(words) == 0 {
		return nil
	}
	if words[0] == "alias" {
		for _, w := range words[1:] {
			if name, value, ok := strings.Cut(w, "="); ok {
				j.aliases[name] = value
			}
		}
	}
	if value, ok := j.aliases[words[0]]; ok {
		return append(strings.Fields(value), words[1:]...)
	}
	return words
}

func (j *judge) assign(list []*syntax.Assign) {
	for _, a := range list {
		if a.Name != nil && a.Value != nil {
			j.vars[a.Name.Value] = j.word(a.Value)
		}
	}
}

// fed judges what a command is given on its standard input: a file, and for a
// shell, ssh or an interpreter a here document, or the output of echo, printf
// or cat.
func (j *judge) fed(s *syntax.Stmt) {
	for _, r := range s.Redirs {
		if r.Op == syntax.RdrIn && r.Word != nil {
			j.found = j.found || stored(j.word(r.Word))
		}
	}
	call, ok := s.Cmd.(*syntax.CallExpr)
	if ok && len(call.Args) > 0 && interprets(path.Base(j.word(call.Args[0]))) {
		for _, r := range s.Redirs {
			j.found = j.found || r.Hdoc != nil && spawns(j.word(r.Hdoc))
		}
	}
	if ok && readsScript(j.words(call.Args)) {
		for _, r := range s.Redirs {
			if r.Hdoc != nil {
				j.found = j.found || script(j.word(r.Hdoc), j.depth+1)
			}
			if r.Op == syntax.WordHdoc && r.Word != nil {
				j.found = j.found || script(j.word(r.Word), j.depth+1)
			}
		}
	}
	pipe, ok := s.Cmd.(*syntax.BinaryCmd)
	if !ok || pipe.Op != syntax.Pipe {
		return
	}
	to, ok1 := pipe.Y.Cmd.(*syntax.CallExpr)
	from, ok2 := pipe.X.Cmd.(*syntax.CallExpr)
	if !ok1 || !ok2 || !readsScript(j.words(to.Args)) {
		return
	}
	if words := j.words(from.Args); len(words) > 1 && (words[0] == "echo" || words[0] == "printf") {
		j.found = j.found || script(strings.Join(words[1:], " "), j.depth+1)
	}
	for _, r := range pipe.X.Redirs {
		if r.Hdoc != nil {
			j.found = j.found || script(j.word(r.Hdoc), j.depth+1)
		}
	}
}

func readsScript(words []string) bool {
	if len(words) == 0 {
		return false
	}
	if words[0] == "ssh" {
		return true
	}
	if !isShell(words[0][strings.LastIndexByte(words[0], '/')+1:]) {
		return false
	}
	for _, w := range words[1:] {
		if !strings.HasPrefix(w, "-") || strings.Contains(w, "c") {
			return false
		}
	}
	return true
}

func (j *judge) words(list []*syntax.Word) []string {
	out := make([]string, 0, len(list))
	for _, w := range list {
		out = append(out, j.word(w))
	}
	return out
}

// word is the text of a word as far as it is known; an unknown part is "?".
func (j *judge) word(w *syntax.Word) string {
	var b strings.Builder
	j.parts(&b, w.Parts)
	return b.String()
}

func (j *judge) parts(b *strings.Builder, parts []syntax.WordPart) {
	for _, p := range parts {
		switch p := p.(type) {
		case *syntax.Lit:
			b.WriteString(unescape(p.Value))
		case *syntax.SglQuoted:
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			j.parts(b, p.Parts)
		case *syntax.ParamExp:
			b.WriteString(j.param(p))
		default:
			b.WriteByte('?')
		}
	}
}

// param is a variable's value, if the script itself set it.
func (j *judge) param(p *syntax.ParamExp) string {
	if p.Param == nil {
		return "?"
	}
	if v, ok := j.vars[p.Param.Value]; ok {
		return v
	}
	if strings.EqualFold(p.Param.Value, program) || strings.EqualFold(p.Param.Value, program+"_bin") {
		return program
	}
	return "?"
}

func unescape(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			if i++; s[i] == '\n' {
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// scan judges text that does not parse: it is cut at everything that may end a
// command, and each piece is taken as words.
func scan(s string, depth int) bool {
	pieces := strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune("\n|;&()`{}", r) })
	for _, piece := range pieces {
		if !speaks(piece) {
			continue
		}
		words := strings.Fields(piece)
		for i, w := range words {
			words[i] = strings.Trim(w, `"'`)
		}
		if argv(words, depth+1) {
			return true
		}
	}
	return false
}
