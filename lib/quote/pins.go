package quote

import (
	"strings"
	"unicode/utf8"

	"daimon/lib/doc"
	"daimon/lib/lang"
)

const (
	maxPins      = 10
	maxPinRunes  = 300
	minPinWords  = 3
	minPinDense  = 6 // characters, in a script without spaces
	pinnedField  = "pinned"
	beliefsField = "strong_beliefs"
)

// rule is a sentence of the user that states one.
type rule struct {
	id, text, folded string
}

// pin makes sure that the rules the user stated stand among the beliefs in the
// user's own words, whatever the extractor made of them. Rules that stand there
// already are marked; the rest is returned, up to maxPins in all.
func (w *work) pin() (added []*doc.Entry) {
	found := w.rules()
	known := map[string]bool{}
	for _, r := range found {
		known[r.text] = true
	}
	standing, quotes := map[string]*doc.Entry{}, []string{}
	for _, p := range w.places {
		p.e.Delete(pinnedField)
		switch q := p.e.Quote(); {
		case p.e.Trust() != doc.Verbatim || q == "":
		case p.list.Key == beliefsField && p.e.Text() == q && known[q] && standing[q] == nil:
			standing[q] = p.e
		default:
			quotes = append(quotes, fold(q, keepMarkers).s)
		}
	}
	for _, r := range found {
		e := standing[r.text]
		switch {
		case e == nil && covered(r.folded, quotes):
		case w.report.Pinned == maxPins:
			w.report.PinsDropped++
		default:
			w.report.Pinned++
			if e == nil {
				e = doc.NewEntry(r.text, doc.Verbatim)
				e.Set("quote", r.text)
				e.Set(idsField, []string{r.id})
				added = append(added, e)
				continue
			}
			e.Set(pinnedField, true)
		}
	}
	return added
}

func covered(sentence string, quotes []string) bool {
	for _, q := range quotes {
		if strings.Contains(sentence, q) || strings.Contains(q, sentence) {
			return true
		}
	}
	return false
}

// rules are the rules the user stated, each once, in the order of the transcript.
func (w *work) rules() []rule {
	var out []rule
	seen := map[string]bool{}
	for i := range w.x.bodies {
		b := &w.x.bodies[i]
		if b.m.Role != doc.User || b.m.Speaker == "bash" { // a command is no rule
			continue
		}
		tag := ""
		language := func() string {
			if tag == "" {
				tag = lang.Of(b.m.Text)
			}
			return tag
		}
		for _, s := range sentences(b.m.Text) {
			text := b.m.Text[s.start:s.end]
			if !pinnable(text) || !stated(text, language) || within(s, b.aliens()) || !stated(b.own(s), language) {
				continue
			}
			folded := fold(text, keepMarkers).s
			if seen[folded] {
				continue
			}
			seen[folded] = true
			out = append(out, rule{b.m.ID, text, folded})
		}
	}
	return out
}

// own is what of a sentence its author said, with what was passed on left out.
func (b *body) own(s extent) string {
	var own strings.Builder
	at := s.start
	for _, a := range b.aliens() {
		if a.end <= at || a.start >= s.end {
			continue
		}
		if a.start > at {
			own.WriteString(b.m.Text[at:a.start])
		}
		own.WriteByte(' ')
		at = a.end
	}
	if at < s.end {
		own.WriteString(b.m.Text[at:s.end])
	}
	return own.String()
}

func pinnable(s string) bool {
	if s == "" || !utf8.ValidString(s) || utf8.RuneCountInString(s) > maxPinRunes || strings.ContainsAny(s[len(s)-1:], "?") ||
		strings.HasSuffix(s, "？") || strings.HasPrefix(s, "<") {
		return false
	}
	n := 0
	for _, r := range s {
		if lang.Letter(r) {
			n++
		}
	}
	return len(strings.Fields(s)) >= minPinWords || n >= minPinDense
}

// sentences are the sentences of a text: they end after . ! or ? before white
// space, after their wide forms, and at every line end. List, quote and heading
// marks before the first word are left out.
func sentences(text string) []extent {
	var out []extent
	start := 0
	cut := func(end int) {
		from, to := unmarked(text, start, end), end
		for to > from && isBlank(text[to-1]) {
			to--
		}
		if to > from {
			out = append(out, extent{from, to})
		}
		start = end
	}
	for i, r := range text {
		after := i + utf8.RuneLen(r)
		switch {
		case r == utf8.RuneError:
		case r == '\n':
			cut(i)
		case r == '.' || r == '!' || r == '?':
			if after < len(text) && isBlank(text[after]) {
				cut(after)
			}
		case r == '。' || r == '！' || r == '？':
			cut(after)
		}
	}
	cut(len(text))
	return out
}

// unmarked is where the words of text[from:to] begin, after marks and blanks. A
// dash or an asterisk is a mark only before a blank.
func unmarked(text string, from, to int) int {
	for from < to {
		switch c := text[from]; {
		case isBlank(c) || c == '>' || c == '#':
			from++
		case (c == '-' || c == '*') && from+1 < to && isBlank(text[from+1]):
			from++
		case strings.HasPrefix(text[from:to], "•"):
			from += len("•")
		default:
			return from
		}
	}
	return from
}
