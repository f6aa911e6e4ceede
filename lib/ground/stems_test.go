package ground

import (
	"encoding/json"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"daimon/lib/lang"

	"daimon/lib/rig"
)

var update = flag.Bool("update", false, "write lexicon/*.stems anew")

// derive is a set of strings of which each match of re contains one, or nil.
func derive(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase != 0 {
			return nil
		}
		longest := longestPiece(string(re.Rune))
		if longest == "" {
			return nil
		}
		return []string{longest}
	case syntax.OpCapture, syntax.OpPlus:
		return derive(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return derive(re.Sub[0])
		}
	case syntax.OpConcat:
		var best []string
		for _, sub := range re.Sub {
			if d := derive(sub); d != nil && (best == nil || shortest(d) > shortest(best)) {
				best = d
			}
		}
		return best
	case syntax.OpAlternate:
		var all []string
		for _, sub := range re.Sub {
			d := derive(sub)
			if d == nil {
				return nil
			}
			all = append(all, d...)
		}
		return all
	}
	return nil
}

func shortest(list []string) int {
	n := len(list[0])
	for _, s := range list {
		n = min(n, len(s))
	}
	return n
}

func derivedLine(t *testing.T, src string) string {
	re, err := syntax.Parse(src, syntax.Perl)
	if err != nil {
		t.Fatal(err)
	}
	all := derive(re)
	slices.Sort(all)
	all = slices.Compact(all)
	least := slices.DeleteFunc(slices.Clone(all), func(s string) bool {
		return slices.ContainsFunc(all, func(o string) bool { return o != s && strings.Contains(s, o) })
	})
	return strings.Join(least, " ")
}

// TestStemsAreDerived holds the stems to what the patterns say. Run it with
// -update after a change to a lexicon or to the runners.
func TestStemsAreDerived(t *testing.T) {
	want := map[string]string{}
	for _, r := range runners {
		want["runners"] += derivedLine(t, r.cmd) + "\n"
	}
	for _, e := range environments {
		want["places"] += derivedLine(t, e.said) + "\n"
	}
	for _, tag := range tags(t) {
		for _, line := range lexiconLines(t, tag) {
			for _, alt := range alternatives(line[1]) {
				if !literal(alt) {
					want[tag] += derivedLine(t, alt) + "\n"
				}
			}
		}
	}
	for name, lines := range want {
		path := "lexicon/" + name + ".stems"
		if *update {
			if err := os.WriteFile(path, []byte(lines), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(path)
		if err != nil || string(got) != lines {
			t.Errorf("%s is not what the patterns give (%v): run this test with -update", path, err)
		}
	}
}

// lexiconLines are the sections and patterns of a lexicon as they are written.
func lexiconLines(t testing.TB, tag string) [][2]string {
	raw, err := files.ReadFile("lexicon/" + tag + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	var out [][2]string
	for line := range strings.Lines(string(raw)) {
		if section, src, ok := strings.Cut(strings.TrimSpace(line), " "); ok && line[0] != '#' {
			out = append(out, [2]string{section, strings.TrimSpace(src)})
		}
	}
	return out
}

func tags(t testing.TB) []string {
	found, err := filepath.Glob("lexicon/*.txt")
	if err != nil || len(found) == 0 {
		t.Fatal("no lexicons")
	}
	for i, f := range found {
		found[i] = strings.TrimSuffix(filepath.Base(f), ".txt")
	}
	return found
}

// TestStemsChangeNothing reads texts with the stems and without, section by
// section against one joined pattern, and sentence by sentence.
func TestStemsChangeNothing(t *testing.T) {
	texts := corpus(t)
	for _, tag := range tags(t) {
		raw, _ := files.ReadFile("lexicon/" + tag + ".txt")
		l, plain := load(tag), must(parseLexicon(tag, raw, nil))
		sources, joined := map[string][]string{}, map[string]*pattern{}
		for _, line := range lexiconLines(t, tag) {
			sources[line[0]] = append(sources[line[0]], line[1])
		}
		for section, list := range sources {
			joined[section] = &pattern{src: plain.whole(strings.Join(list, "|"))}
		}
		found := 0
		for i, text := range texts[tag] {
			if testing.Short() && i%10 != 0 {
				continue
			}
			for _, s := range sentences(strings.ToLower(text)) {
				for _, clause := range append(plain.clauses(s), s) {
					for section, p := range joined {
						var want []int
						if m := p.get().FindStringSubmatchIndex(clause); m != nil {
							want = m[2:4]
							found++
						}
						if got := l.find(section, clause); !slices.Equal(got, want) || l.has(section, clause) != (want != nil) {
							t.Fatalf("%s, %s: %v in %q, want %v", tag, section, got, clause, want)
						}
					}
					want := clause
					if p := joined["ignore"]; p != nil {
						want = p.get().ReplaceAllStringFunc(clause, func(m string) string { return strings.Repeat(" ", len(m)) })
					}
					if got := l.without(clause); got != want {
						t.Fatalf("%s: %q without its ignored words is %q, want %q", tag, clause, got, want)
					}
				}
				got, gotSpoken := l.sentence(s, nil)
				want, spoken := everyClause(plain, s)
				if gotSpoken != spoken || !slices.Equal(got, want) {
					t.Fatalf("%s: %q: %v, want %v", tag, s, got, want)
				}
			}
		}
		t.Logf("%s: %d texts, %d matches", tag, len(texts[tag]), found)
		if found == 0 {
			t.Errorf("%s: no pattern matched anything, so nothing was compared", tag)
		}
	}
}

func must(l *lexicon, err error) *lexicon {
	if err != nil {
		panic(err)
	}
	return l
}

// everyClause is sentence as a plain loop: nothing is passed over.
func everyClause(l *lexicon, s string) (out []assertion, spoken bool) {
	if asks(s) || l.has("question", s) {
		for _, k := range kinds {
			spoken = spoken || l.has(string(k), s)
		}
		return nil, spoken
	}
	held := false
	for _, clause := range l.clauses(s) {
		hits, first := l.outcomes(clause)
		spoken = spoken || len(hits) > 0
		before := strings.TrimSpace(clause[:max(first, 0)])
		held = l.takenBack(clause, first) || len(hits) > 0 && held && continues(before) && !lang.Dense(l.tag)
		if !held {
			out = append(out, hits...)
		}
	}
	return out, spoken
}

// corpus is what there is to read, by tag: sentences of the sessions, the
// training sentences, and random runs of words and stems of each lexicon.
func corpus(t testing.TB) map[string][]string {
	var all []string
	for _, glob := range []string{"../pipeline/testdata/sessions/*/candidate.json", "../../../shared/data/sessions/*/candidate.json", "../../../shared/data/training/*/*.json"} {
		found, _ := filepath.Glob(glob)
		for _, file := range found {
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, stringsIn(raw)...)
		}
	}
	slices.Sort(all)
	all = slices.Compact(all)
	out := map[string][]string{}
	for _, text := range all {
		tag := lang.Of(text)
		for _, to := range []string{tag, "en"} {
			out[to] = append(out[to], text)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for _, tag := range tags(t) {
		raw, _ := files.ReadFile("lexicon/" + tag + ".txt")
		words := append(strings.FieldsFunc(string(raw), func(r rune) bool { return strings.ContainsRune(" \n?:()|[]{},+*^$", r) }), "12", ", ", "。", "x")
		sep := " "
		if lang.Dense(tag) {
			sep = ""
		}
		for range 1000 {
			var text []string
			for range 2 + random.IntN(9) {
				text = append(text, words[random.IntN(len(words))])
			}
			out[tag] = append(out[tag], strings.Join(text, sep))
		}
	}
	return out
}

// stringsIn is every string of a JSON document with a blank or wide letters in it.
func stringsIn(raw []byte) []string {
	var out []string
	var walk func(v gjson.Result)
	walk = func(v gjson.Result) {
		if v.IsObject() || v.IsArray() {
			v.ForEach(func(_, e gjson.Result) bool { walk(e); return true })
		} else if v.Type == gjson.String && len(v.Str) > 8 {
			out = append(out, v.Str)
		}
	}
	if json.Valid(raw) {
		walk(gjson.ParseBytes(raw))
	}
	return out
}

// TestStemsOfTables tries the stems of runners and places on the sessions.
func TestStemsOfTables(t *testing.T) {
	compared := 0
	same := func(p *pattern, s string) {
		plain := &pattern{src: p.src}
		if plain.matches(s) != p.matches(s) {
			t.Errorf("stems of %s change %q", p.src, s)
		}
		compared += len(p.stems)
	}
	for _, s := range rig.Sessions(t) {
		for i := range s.T.Messages {
			m := &s.T.Messages[i]
			for _, c := range scriptOf(m).commands {
				for _, r := range table() {
					same(r.cmd, c.line)
				}
			}
			for i := range placeTable() {
				same(&placeTable()[i].said, strings.ToLower(m.Text))
			}
		}
	}
	if compared == 0 {
		t.Error("nothing has stems")
	}
}
