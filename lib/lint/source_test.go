package lint

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const (
	root       = "../.."
	maxFile    = 500 // lines
	maxFunc    = 100 // lines
	warnFunc   = 60  // lines
	leastProse = 0.02
	mostProse  = 0.40
	smallest   = 40 // lines of code; below, a ratio says nothing
)

// source is one Go file.
type source struct {
	path string // from the root
	raw  []byte
	set  *token.FileSet
	file *ast.File
}

func (s source) test() bool     { return strings.HasSuffix(s.path, "_test.go") }
func (s source) folder() string { return filepath.Dir(s.path) }
func (s source) lines() int     { return bytes.Count(s.raw, []byte("\n")) }

func (s source) at(p token.Pos) string {
	return s.path + ":" + strings.TrimPrefix(s.set.Position(p).String(), s.path+":")
}

func sources(t *testing.T) []source {
	t.Helper()
	var all []source
	walk(t, func(path string, raw []byte) {
		if filepath.Ext(path) == ".go" {
			all = append(all, parse(t, path, raw))
		}
	})
	if len(all) < 50 {
		t.Fatalf("only %d Go files seen", len(all))
	}
	return all
}

func parse(t *testing.T, path string, raw []byte) source {
	t.Helper()
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, raw, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	return source{path, raw, set, file}
}

// walk visits the files of the project, data and built programs apart.
func walk(t *testing.T, visit func(path string, raw []byte)) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); name == ".git" || name == "bin" || name == "testdata" {
				return fs.SkipDir
			}
			return nil
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		visit(filepath.ToSlash(rel), raw)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestSizes(t *testing.T) {
	for _, s := range sources(t) {
		if n := s.lines(); n > maxFile {
			t.Errorf("%s has %d lines, above %d", s.path, n, maxFile)
		}
		for _, f := range long(s, maxFunc) {
			t.Errorf("%s, above %d lines", f, maxFunc)
		}
		if !s.test() {
			for _, f := range long(s, warnFunc) {
				t.Logf("consider: %s, above %d lines", f, warnFunc)
			}
		}
	}
	code := "package x\n\nfunc f() {\n" + strings.Repeat("\tg()\n", maxFunc-2) + "}\n"
	if long(parse(t, "x.go", []byte(code)), maxFunc) != nil {
		t.Error("a function at the limit is refused")
	}
	code = strings.Replace(code, "\tg()\n", "\tg()\n\tg()\n", 1)
	if long(parse(t, "x.go", []byte(code)), maxFunc) == nil {
		t.Error("a function above the limit passes")
	}
}

// long lists the functions of more than limit lines.
func long(s source, limit int) (found []string) {
	for _, d := range s.file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		if n := s.set.Position(f.End()).Line - s.set.Position(f.Pos()).Line + 1; n > limit {
			found = append(found, s.at(f.Pos())+" "+f.Name.Name)
		}
	}
	return found
}

func TestProse(t *testing.T) {
	type sum struct{ comment, code int }
	sums := map[string]*sum{}
	for _, s := range sources(t) {
		if s.test() {
			continue
		}
		if sums[s.folder()] == nil {
			sums[s.folder()] = &sum{}
		}
		comment, code := count(s)
		sums[s.folder()].comment += comment
		sums[s.folder()].code += code
	}
	for folder, n := range sums {
		ratio := float64(n.comment) / float64(max(n.code, 1))
		if n.code >= smallest && (ratio < leastProse || ratio > mostProse) {
			t.Errorf("%s has %d lines of comment on %d of code: %.2f is outside %.2f..%.2f", folder, n.comment, n.code, ratio, leastProse, mostProse)
		}
	}
	comment, code := count(parse(t, "x.go", []byte("// Package x is.\npackage x\n\n/* two\nlines */\nvar a = 1 // aside\n")))
	if comment != 3 || code != 2 {
		t.Errorf("counted %d of comment and %d of code", comment, code)
	}
}

// count tells lines of code from lines that hold only comment.
func count(s source) (comment, code int) {
	file := s.set.AddFile("", -1, len(s.raw))
	var sc scanner.Scanner
	sc.Init(file, s.raw, nil, scanner.ScanComments)
	kind := map[int]bool{} // line: is there code on it
	for {
		pos, tok, lit := sc.Scan()
		if tok == token.EOF {
			break
		}
		if tok == token.SEMICOLON && lit == "\n" {
			continue
		}
		first := file.Line(pos)
		for line := first; line <= first+strings.Count(lit, "\n"); line++ {
			kind[line] = kind[line] || tok != token.COMMENT
		}
	}
	for _, isCode := range kind {
		if isCode {
			code++
		} else {
			comment++
		}
	}
	return comment, code
}

var (
	issue = regexp.MustCompile(`(^|[\s(\[])#\d+\b`)
	place = regexp.MustCompile(`/(home|Users|root|tmp)/[a-z]\w*/`)
)

func TestCommentsCiteNoIssues(t *testing.T) {
	for _, s := range sources(t) {
		for _, group := range s.file.Comments {
			for _, c := range group.List {
				if m := issue.FindString(c.Text); m != "" {
					t.Errorf("%s cites %s: say what is so, the history is in git", s.at(c.Pos()), m)
				}
			}
		}
	}
	for text, cites := range map[string]bool{"// see #12": true, "// (#7)": true, "// C#7, &#39; and #top": false} {
		if issue.MatchString(text) != cites {
			t.Errorf("%q", text)
		}
	}
}

// No file names a folder of the machine it was written on. Tests and data may:
// they hold what hosts on other machines wrote.
func TestNoMachinePaths(t *testing.T) {
	seen := 0
	walk(t, func(path string, raw []byte) {
		if strings.HasSuffix(path, "_test.go") {
			return
		}
		seen++
		for n, line := range strings.Split(string(raw), "\n") {
			if m := place.FindString(line); m != "" {
				t.Errorf("%s:%d names %s", path, n+1, m)
			}
		}
	})
	if seen < 50 || !place.MatchString("/home/dev/x") || place.MatchString("~/home/x") {
		t.Errorf("%d files seen", seen)
	}
}

// ambient are the calls by which a package would reach for the process it runs
// in. Only the mains, by way of stage, may.
var ambient = map[string]bool{"os.Getenv": true, "os.LookupEnv": true, "os.Getwd": true, "os.Exit": true, "time.Now": true, "os.UserHomeDir": true}

func TestLibTakesItsSurroundingsAsValues(t *testing.T) {
	uses := func(s source) (found []string) {
		ast.Inspect(s.file, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := sel.X.(*ast.Ident); ok && ambient[x.Name+"."+sel.Sel.Name] {
					found = append(found, s.at(sel.Pos())+" uses "+x.Name+"."+sel.Sel.Name)
				}
			}
			return true
		})
		return found
	}
	for _, s := range sources(t) {
		if s.test() || !strings.HasPrefix(s.path, "lib/") || s.folder() == "lib/stage" || s.folder() == "lib/bench" {
			continue
		}
		for _, f := range uses(s) {
			t.Error(f)
		}
	}
	if uses(parse(t, "x.go", []byte("package x\n\nvar t = time.Now()\n"))) == nil {
		t.Error("time.Now passes")
	}
}
