package ground

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"daimon/lib/lang"
)

// assertion is one completed outcome that a text claims.
type assertion struct {
	kind Kind
	word string // as it stands in the text, lower case
	lang string
}

// reading is what a text claims.
type reading struct {
	asserts []assertion
	spoken  bool // an outcome is named at all, if only to deny or to plan it
	unread  bool // the text is in a language without a lexicon
	lang    string
}

// read finds the outcomes that a text asserts: named in a clause that neither
// denies, doubts, plans, conditions nor reports them, in a sentence that does
// not ask. tag is the language of the text, "" when it cannot be told.
func read(text, tag string) reading {
	r := reading{lang: tag}
	if len(text) > maxText {
		r.unread = true
		return r
	}
	own := load(r.lang)
	if own == nil && (r.lang != "" || foreign(text)) {
		r.unread = true
	}
	seen := map[Kind]bool{}
	books := lexicons(r.lang)
	for _, s := range sentences(strings.ToLower(text)) {
		for _, l := range books {
			hits, spoken := l.sentence(s, own)
			r.spoken = r.spoken || spoken
			for _, a := range hits {
				if !seen[a.kind] {
					seen[a.kind] = true
					r.asserts = append(r.asserts, a)
				}
			}
			if spoken {
				break
			}
		}
	}
	return r
}

// lexicons are those to read a text with: its own language and English, whose
// words are used everywhere; all of Latin script when the language is not clear.
func lexicons(tag string) []*lexicon {
	tags := []string{tag, "en"}
	if tag == "" {
		tags = []string{"en", "es", "pt", "fr", "de", "it"}
	}
	var out []*lexicon
	for i, t := range tags {
		if l := load(t); l != nil && (i == 0 || t != tags[0]) {
			out = append(out, l)
		}
	}
	return out
}

// sentence reads one sentence. own is the lexicon of the text's language, whose
// hedges count for words of any language.
func (l *lexicon) sentence(s string, own *lexicon) (out []assertion, spoken bool) {
	switch {
	case !l.names(s):
		return nil, false
	case asks(s) || l.has("question", s):
		for _, k := range kinds {
			spoken = spoken || l.has(string(k), s)
		}
		return nil, spoken
	}
	taken := func(clause string, first int) bool {
		return l.takenBack(clause, first) || own != nil && own != l && own.takenBack(clause, first)
	}
	held := func() bool { return false } // the clause before is taken back
	for _, clause := range l.clauses(s) {
		hits, first := l.outcomes(clause)
		if len(hits) == 0 {
			held = func() bool { return taken(clause, first) }
			continue
		}
		spoken = true
		before := strings.TrimSpace(clause[:first])
		gone := taken(clause, first) || !lang.Dense(l.tag) && continues(before) && held()
		held = func() bool { return gone }
		if !gone {
			out = append(out, hits...)
		}
	}
	return out, spoken
}

// continues tells whether an outcome goes on with the clause before, as the last
// two do in "not built, tested or deployed". before is what stands in front of it.
func continues(before string) bool {
	words := strings.Fields(before)
	if len(words) == 0 {
		return true
	}
	switch words[len(words)-1] {
	case "and", "or", "nor", "y", "o", "ni", "e", "ou", "nem", "et", "und", "oder", "noch", "né":
		return len(words) <= 3
	}
	return false
}

func (l *lexicon) takenBack(clause string, first int) bool {
	plain := l.without(clause)
	if l.has("hedge", plain) || l.has("negation", plain) {
		return true
	}
	m := l.find("report", plain)
	return m != nil && (m[0] < first || lang.Dense(l.tag))
}

// outcomes are the outcomes a clause names, and where the first begins (-1 for
// none). Words that only say that something ended count when no other does.
func (l *lexicon) outcomes(clause string) (out []assertion, first int) {
	first = -1
	for _, k := range kinds {
		m := l.find(string(k), clause)
		if m == nil || k == Done && len(out) > 0 {
			continue
		}
		out = append(out, assertion{k, clip(clause[m[0]:m[1]]), l.tag})
		if first < 0 || m[0] < first {
			first = m[0]
		}
	}
	return out, first
}

// clip keeps a lexeme short enough to show.
func clip(s string) string {
	if r := []rune(strings.TrimSpace(s)); len(r) > 60 {
		return string(r[:60])
	}
	return strings.TrimSpace(s)
}

// maxWords is how many words of a clause are read at a time, reread how many of
// them are read again with the next.
const (
	maxWords = 120
	reread   = 20
	maxText  = 16 << 10
)

// clauses cuts a sentence into clauses. Where words are spaced, each is brought to
// bare words with one blank between them.
func (l *lexicon) clauses(s string) []string {
	var out []string
	for _, part := range commas().Split(s, -1) {
		if lang.Dense(l.tag) {
			out = l.cut(out, part)
			continue
		}
		words := bareWords(part)
		for len(words) > maxWords {
			out = l.cut(out, strings.Join(words[:maxWords], " "))
			words = words[maxWords-reread:]
		}
		out = l.cut(out, strings.Join(words, " "))
	}
	return out
}

func (l *lexicon) cut(out []string, part string) []string {
	for {
		m := l.find("split", part)
		if m == nil {
			return append(out, part)
		}
		out = append(out, part[:m[0]])
		part = part[m[1]:]
	}
}

func bareWords(s string) []string {
	words := strings.Fields(strings.ReplaceAll(s, "’", "'"))
	out := words[:0]
	for _, w := range words {
		if w = strings.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }); w != "" {
			out = append(out, w)
		}
	}
	return out
}

var commas = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`, |; |: | [-–—] |，|、|；|：`) })

// sentences cuts a text after . ! ? before white space, after their wide forms,
// and at line ends. The end mark stays.
func sentences(text string) []string {
	var out []string
	start := 0
	for i, r := range text {
		end := i + utf8.RuneLen(r)
		switch {
		case r == utf8.RuneError:
			continue
		case r == '\n' || r == '。' || r == '！' || r == '？':
		case (r == '.' || r == '!' || r == '?') && (end == len(text) || text[end] == ' '):
		default:
			continue
		}
		out = append(out, text[start:end])
		start = end
	}
	return append(out, text[start:])
}

func asks(s string) bool {
	s = strings.TrimRight(s, " \t\n\"'”»)*_`")
	return strings.HasSuffix(s, "?") || strings.HasSuffix(s, "？")
}

// foreign tells a text whose letters are mostly of scripts that no lexicon covers.
func foreign(text string) bool {
	latin, other := 0, 0
	for _, r := range text {
		switch {
		case !unicode.IsLetter(r):
		case unicode.In(r, unicode.Latin):
			latin++
		case !lang.Letter(r):
			other++
		}
	}
	return other > latin
}

// international are words of outcomes that are said in every language.
var international = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:^|[^\pL])(?:deploy\w*|merg\w*|releas\w*|build\w*|tests?|ci|pipeline|commit\w*|push\w*|rollback|ok)(?:$|[^\pL])`)
})
