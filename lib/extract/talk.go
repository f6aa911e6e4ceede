package extract

import (
	"slices"
	"strings"
	"unicode/utf8"

	"daimon/lib/doc"
	"daimon/lib/lang"
)

// sentence is one sentence of a talk with what can be seen in it.
type sentence struct {
	span
	msg    int // index into Transcript.Messages
	turn   int // index into talk.turns
	nth    int // among the sentences of its message
	text   string
	folded string
	lex    *lexicon
	signs
	question bool
	place    int         // of a list item: among those of its message
	keys     []uint32    // content words, see words
	replaces []*sentence // earlier decisions it takes back
}

// turn is one message that somebody said.
type turn struct {
	msg         int
	user        bool
	first, last int // its sentences: talk.sentences[first:last]
	items       int // list items
	labelled    int // of them, with a label
	lastSaid    int // last sentence that is no question, or -1
	lastAsked   int // last question, or -1
	verdict     verdict
	answer      *answer // of a user turn that answers, see judge
}

// talk is a transcript taken apart.
type talk struct {
	t         *doc.Transcript
	turns     []turn
	sentences []sentence
	check     int      // index of the last check's result, or -1
	common    []uint16 // how many sentences hold a content word, by its key
}

const keyBits = 16

// hash is a key of a word. Two words may share one; that only weakens a hint.
func hash(s string) uint32 {
	h := uint32(2166136261)
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * 16777619
	}
	return (h ^ h>>keyBits) & (1<<keyBits - 1)
}

// listen takes a transcript apart. Tool messages are not said by anybody.
func listen(t *doc.Transcript) *talk {
	size, said := 0, 0
	for i := range t.Messages {
		if t.Messages[i].Role != doc.ToolRole {
			size += len(t.Messages[i].Text)
			said++
		}
	}
	k := &talk{t: t, check: lastCheck(t), common: make([]uint16, 1<<keyBits), turns: make([]turn, 0, said),
		sentences: make([]sentence, 0, size/50+said/2+1)}
	tags := tongues(t)
	for i := range t.Messages {
		m := &t.Messages[i]
		if m.Role == doc.ToolRole || strings.TrimSpace(m.Text) == "" {
			continue
		}
		k.say(i, m, lexiconOf(tags[i]))
	}
	return k
}

func (k *talk) say(i int, m *doc.Message, lex *lexicon) {
	alien := func(line string) bool {
		g := lex.scan(fold(line))
		return m.Role == doc.User && g.has(cueSource)
	}
	tn := turn{msg: i, user: m.Role == doc.User, first: len(k.sentences), lastSaid: -1, lastAsked: -1}
	folded := fold(m.Text)
	line := -1
	for n, sp := range k.merge(m.Text, split(m.Text, alien), lex.dense) {
		k.sentences = append(k.sentences, sentence{span: sp, msg: i, turn: len(k.turns), nth: n,
			text: m.Text[sp.start:sp.end], folded: unwrap(folded[sp.start:sp.end]), lex: lex})
		s := &k.sentences[len(k.sentences)-1]
		k.look(s, tn.user)
		if s.kind == item && s.line != line {
			line = s.line
			tn.items++
			if s.label != 0 {
				tn.labelled++
			}
		}
		if s.place = tn.items - 1; s.question {
			tn.lastAsked = len(k.sentences) - 1
		} else {
			tn.lastSaid = len(k.sentences) - 1
		}
	}
	tn.last = len(k.sentences)
	k.turns = append(k.turns, tn)
}

// look fills in what can be seen in one sentence.
func (k *talk) look(s *sentence, user bool) {
	s.signs = s.lex.scan(s.folded)
	s.question = asks(s.folded)
	if s.kind != foreign && user && quoted(s) {
		s.kind = foreign
	}
	s.keys = words(s.folded[:min(len(s.folded), maxScan)])
	for _, w := range s.keys {
		if k.common[w] < 1<<16-1 {
			k.common[w]++
		}
	}
}

// merge joins a sentence too short to stand alone to the one after it on its
// line: "per host." says nothing without its reason.
func (k *talk) merge(text string, spans []span, dense bool) []span {
	out := spans[:0]
	for _, s := range spans {
		if n := len(out) - 1; n >= 0 && out[n].line == s.line && out[n].kind == s.kind &&
			!whole(text[out[n].start:out[n].end], dense) && !asks(text[out[n].start:out[n].end]) && !asks(text[s.start:s.end]) {
			out[n].end = s.end
			continue
		}
		out = append(out, s)
	}
	return out
}

// whole tells whether a text is long enough to be an item: three words, or six
// characters where words are not set apart.
func whole(s string, dense bool) bool {
	if dense {
		n := 0
		for _, r := range s {
			if lang.Letter(r) {
				if n++; n >= 6 {
					return true
				}
			}
		}
	}
	n, space := 0, true
	for i := 0; i < len(s) && n < 3; i++ {
		was := space
		if space = s[i] <= ' '; was && !space {
			n++
		}
	}
	return n >= 3
}

// fits tells whether a text is short enough to be an item.
func fits(s string) bool { return len(s) <= maxRunes || utf8.RuneCountInString(s) <= maxRunes }

func asks(s string) bool {
	s = strings.TrimRight(s, " *_)\"'`”»」』）")
	return strings.HasSuffix(s, "?") || strings.HasSuffix(s, "？")
}

// tongues gives each message a language: its own when that is spoken elsewhere
// in the session too, else the one its role speaks most.
func tongues(t *doc.Transcript) []string {
	tags := make([]string, len(t.Messages))
	count := map[string]map[string]int{doc.User: {}, doc.Assistant: {}}
	for i := range t.Messages {
		m := &t.Messages[i]
		if c := count[m.Role]; c != nil {
			if tags[i] = lang.Of(m.Text); tags[i] != "" {
				c[tags[i]]++
			}
		}
	}
	main := map[string]string{}
	for _, role := range []string{doc.User, doc.Assistant} {
		for _, tag := range lang.Tags {
			if n := count[role][tag]; n > 0 && n > count[role][main[role]] {
				main[role] = tag
			}
		}
	}
	for i := range t.Messages {
		role := t.Messages[i].Role
		if c := count[role]; c != nil && (tags[i] == "" || c[tags[i]]*4 < c[main[role]]) {
			tags[i] = main[role]
		}
	}
	return tags
}

// words are the keys of the content words of a folded text, in order: the first
// five letters, so that inflections agree; pairs of characters in scripts
// without spaces. Function words are left out.
func words(s string) []uint32 {
	if ascii(s) {
		return asciiWords(s)
	}
	var out []uint32
	start, letters, prev := -1, 0, -1
	for i, r := range s {
		if lang.Letter(r) {
			if start >= 0 {
				out = word(out, s[start:i], letters)
				start = -1
			}
			if prev >= 0 && !kana(r) {
				out = append(out, hash(s[prev:i+utf8.RuneLen(r)]))
			}
			if prev = i; kana(r) {
				prev = -1
			}
			continue
		}
		prev = -1
		switch w := wordRune(r); {
		case w && start < 0:
			start, letters = i, 1
		case w:
			letters++
		case start >= 0:
			out = word(out, s[start:i], letters)
			start = -1
		}
	}
	if start >= 0 {
		out = word(out, s[start:], letters)
	}
	return out
}

// asciiWords is words for a text in ASCII.
func asciiWords(s string) []uint32 {
	out := make([]uint32, 0, len(s)/10+1)
	for i := 0; i < len(s); {
		if !asciiWord[s[i]] {
			i++
			continue
		}
		from := i
		for i < len(s) && asciiWord[s[i]] {
			i++
		}
		out = word(out, s[from:i], i-from)
	}
	return out
}

// kana tells whether r is of the letters that Japanese inflects with.
func kana(r rune) bool { return r >= 0x3041 && r <= 0x309F }

func word(out []uint32, w string, letters int) []uint32 {
	digit := w[0] >= '0' && w[0] <= '9'
	if letters < 3 && !digit || letters < 4 && w[0] >= utf8.RuneSelf || lang.Function(w) {
		return out
	}
	if letters > 5 && len(w) == letters && !digit {
		return append(out, hash(w[:5]))
	}
	if letters > 5 && !digit {
		n := 0
		for i := range w {
			if n++; n == 6 {
				w = w[:i]
				break
			}
		}
	}
	return append(out, hash(w))
}

// rare tells whether a content word is said seldom enough to point at something.
func (k *talk) rare(w uint32) bool {
	return int(k.common[w]) <= min(20, max(5, len(k.sentences)/12))
}

// shared counts the rare content words that two sentences have in common.
func (k *talk) shared(a, b []uint32) int {
	n := 0
	for i, w := range a {
		if !k.rare(w) || slices.Contains(a[:i], w) {
			continue
		}
		if slices.Contains(b, w) {
			n++
		}
	}
	return n
}
