package ground

import (
	"bufio"
	"bytes"
	"embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"daimon/lib/lang"
)

//go:embed lexicon/*.txt lexicon/*.stems
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
	sections map[string][]*pattern
	ignore   *pattern // the lines of that section in one
	stems    []string // of all outcome sections; nil: they may be met by anything
}

// pattern is a regular expression that is compiled when it is first needed, or
// a word.
type pattern struct {
	word  string // instead of src
	src   string
	stems []string // each match contains one of these; nil: not known
	once  sync.Once
	re    *regexp.Regexp
	err   error
}

// may tells whether the pattern can match s; only a sure no is no.
func (p *pattern) may(s string) bool { return p != nil && (p.stems == nil || containsOne(s, p.stems)) }

func containsOne(s string, stems []string) bool {
	for _, stem := range stems {
		if strings.Contains(s, stem) {
			return true
		}
	}
	return false
}

// get is the expression, or nil when the source is empty or broken.
func (p *pattern) get() *regexp.Regexp {
	if p == nil || p.src == "" {
		return nil
	}
	p.once.Do(func() { p.re, p.err = regexp.Compile(p.src) })
	return p.re
}

var loaded sync.Map // tag to *lexicon or nil

// load returns the lexicon of a language, or nil when there is none.
func load(tag string) *lexicon {
	if l, ok := loaded.Load(tag); ok {
		return l.(*lexicon)
	}
	var l *lexicon
	if raw, err := files.ReadFile("lexicon/" + tag + ".txt"); err == nil && tag != "" {
		if l, err = parseLexicon(tag, raw, stemsFile(tag)); err != nil {
			panic(err) // the files are part of the program, and tested
		}
	}
	loaded.Store(tag, l)
	return l
}

// stemsFile reads lexicon/NAME.stems: the stems of the first expression on the
// first line, and so on. A blank line knows of none.
func stemsFile(name string) [][]string {
	raw, _ := files.ReadFile("lexicon/" + name + ".stems") // none: nothing is known
	var out [][]string
	for line := range strings.Lines(string(raw)) {
		out = append(out, strings.Fields(line))
	}
	return out
}

func parseLexicon(tag string, raw []byte, stems [][]string) (*lexicon, error) {
	l := &lexicon{tag: tag, sections: map[string][]*pattern{}}
	var ignored []string
	lines := bufio.NewScanner(bytes.NewReader(raw))
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		section, src, found := strings.Cut(line, " ")
		if src = strings.TrimSpace(src); !found || src == "" {
			return nil, fmt.Errorf("lexicon %s, line %d: no pattern", tag, n)
		}
		if section == "ignore" {
			ignored = append(ignored, src)
		}
		for _, alt := range alternatives(src) {
			p := &pattern{}
			if literal(alt) {
				p.word, p.stems = alt, []string{longestPiece(alt)}
			} else {
				p.src = l.whole(alt)
				p.stems, stems = next(stems)
			}
			l.sections[section] = append(l.sections[section], p)
		}
	}
	if ignored != nil {
		l.ignore = &pattern{src: l.whole(strings.Join(ignored, "|")), stems: stemsOf(l.sections["ignore"])}
	}
	var outcomes []*pattern
	for _, k := range kinds {
		outcomes = append(outcomes, l.sections[string(k)]...)
	}
	l.stems = stemsOf(outcomes)
	return l, nil
}

// next takes the first line off a list of stems; nil when it knows of none.
func next(stems [][]string) (first []string, rest [][]string) {
	if len(stems) == 0 {
		return nil, nil
	}
	if len(stems[0]) > 0 {
		first = stems[0]
	}
	return first, stems[1:]
}

// whole is the source of an expression as it meets a clause: whole words, where
// words are spaced.
func (l *lexicon) whole(src string) string {
	if lang.Dense(l.tag) {
		return "(" + src + ")"
	}
	return `(?:^| )(` + src + `)(?:$| )`
}

// stemsOf is what at least one of must stand in whatever any of the patterns
// matches; nil when that is not known.
func stemsOf(list []*pattern) []string {
	all := []string{}
	for _, p := range list {
		if p.stems == nil {
			return nil
		}
		for _, stem := range p.stems {
			if !slices.Contains(all, stem) {
				all = append(all, stem)
			}
		}
	}
	return all
}

// names tells whether a sentence can name an outcome. Stems hold no blank and no
// apostrophe, so what stands in a clause stands in its sentence too.
func (l *lexicon) names(s string) bool { return l.stems == nil || containsOne(s, l.stems) }

// find is the range of the first match of a section, or nil. Of matches that
// begin at one place the upper line's counts, as if the lines were alternatives.
func (l *lexicon) find(section, clause string) []int {
	var first []int
	for _, p := range l.sections[section] {
		if m := l.match(p, clause); m != nil && (first == nil || m[0] < first[0]) {
			first = m
		}
	}
	if first == nil {
		return nil
	}
	return first[2:4]
}

// match is where a pattern meets a clause, as a regexp would give it: the range
// of all, blanks around it included, then that of the words.
func (l *lexicon) match(p *pattern, clause string) []int {
	switch {
	case !p.may(clause):
		return nil
	case p.word == "":
		return p.get().FindStringSubmatchIndex(clause)
	}
	for from := 0; ; {
		i := strings.Index(clause[from:], p.word)
		if i < 0 {
			return nil
		}
		start := from + i
		end := start + len(p.word)
		switch {
		case lang.Dense(l.tag):
			return []int{start, end, start, end}
		case (start == 0 || clause[start-1] == ' ') && (end == len(clause) || clause[end] == ' '):
			return []int{max(start-1, 0), min(end+1, len(clause)), start, end}
		}
		from = start + 1
	}
}

func (l *lexicon) has(section, clause string) bool {
	return slices.ContainsFunc(l.sections[section], func(p *pattern) bool { return l.match(p, clause) != nil })
}

// without is the clause with the words of the ignore section blanked.
func (l *lexicon) without(clause string) string {
	if !l.ignore.may(clause) {
		return clause
	}
	return l.ignore.get().ReplaceAllStringFunc(clause, func(m string) string { return strings.Repeat(" ", len(m)) })
}
