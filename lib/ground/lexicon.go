package ground

import (
	"bufio"
	"bytes"
	"embed"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"daimon/lib/lang"
)

//go:embed lexicon/*.txt
var files embed.FS

// Kind is a sort of outcome.
type Kind string

// The kinds, in the order in which a clause is searched. Done says only that
// something came to its end.
const (
	Test    Kind = "test"
	CI      Kind = "ci"
	Build   Kind = "build"
	Merge   Kind = "merge"
	Deploy  Kind = "deploy"
	Publish Kind = "publish"
	Push    Kind = "push"
	Commit  Kind = "commit"
	Revert  Kind = "revert"
	Apply   Kind = "apply"
	Check   Kind = "check"
	Fix     Kind = "fix"
	Done    Kind = "done"
)

var kinds = []Kind{Test, CI, Build, Merge, Deploy, Publish, Push, Commit, Revert, Apply, Check, Fix, Done}

// lexicon is what is known of one language. See lexicon/README.
type lexicon struct {
	tag      string
	sections map[string]*pattern
}

// pattern is a regular expression that is compiled when it is first needed.
type pattern struct {
	src  string
	once sync.Once
	re   *regexp.Regexp
	err  error
}

// get is the expression, or nil when the source is empty or broken.
func (p *pattern) get() *regexp.Regexp {
	if p == nil || p.src == "" {
		return nil
	}
	p.once.Do(func() { p.re, p.err = regexp.Compile(p.src) })
	return p.re
}

var (
	loaded sync.Map // tag to *lexicon or nil
)

// load returns the lexicon of a language, or nil when there is none.
func load(tag string) *lexicon {
	if l, ok := loaded.Load(tag); ok {
		return l.(*lexicon)
	}
	var l *lexicon
	if raw, err := files.ReadFile("lexicon/" + tag + ".txt"); err == nil && tag != "" {
		if l, err = parseLexicon(tag, raw); err != nil {
			panic(err) // the files are part of the program, and tested
		}
	}
	loaded.Store(tag, l)
	return l
}

func parseLexicon(tag string, raw []byte) (*lexicon, error) {
	patterns := map[string][]string{}
	lines := bufio.NewScanner(bytes.NewReader(raw))
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		section, pattern, found := strings.Cut(line, " ")
		if pattern = strings.TrimSpace(pattern); !found || pattern == "" {
			return nil, fmt.Errorf("lexicon %s, line %d: no pattern", tag, n)
		}
		patterns[section] = append(patterns[section], pattern)
	}
	l := &lexicon{tag, map[string]*pattern{}}
	for section, list := range patterns {
		src := "(" + strings.Join(list, "|") + ")"
		if !lang.Dense(tag) {
			src = `(?:^| )` + src + `(?:$| )`
		}
		l.sections[section] = &pattern{src: src}
	}
	return l, nil
}

// find is the range of the first match of a section, or nil.
func (l *lexicon) find(section, clause string) []int {
	re := l.sections[section].get()
	if re == nil {
		return nil
	}
	if m := re.FindStringSubmatchIndex(clause); m != nil {
		return m[2:4]
	}
	return nil
}

func (l *lexicon) has(section, clause string) bool { return l.find(section, clause) != nil }

// without is the clause with the words of the ignore section blanked.
func (l *lexicon) without(clause string) string {
	re := l.sections["ignore"].get()
	if re == nil {
		return clause
	}
	return re.ReplaceAllStringFunc(clause, func(m string) string { return strings.Repeat(" ", len(m)) })
}
