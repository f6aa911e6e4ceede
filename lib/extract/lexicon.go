package extract

import (
	"embed"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"daimon/lib/lang"
)

//go:embed lexicon/*.txt
var lexiconFiles embed.FS

// cue is what a phrase of a lexicon tells about the sentence it stands in. The
// names are the section names of the lexicon files; see lexicon/README.md.
type cue uint8

const (
	cueRule cue = iota
	cueForbid
	cueAccept
	cueReject
	cuePick1
	cuePick2
	cuePick3
	cuePickLast
	cuePickAll
	cueDefer
	cueDirective
	cueSettle
	cueStay
	cueContrast
	cueScrap
	cueForNow
	cueIf
	cueWould
	cueHedge
	cuePromise
	cueTime
	cueLeftover
	cuePropose
	cueAside
	cueSource
	cueLaugh
	cueChatter
	cueBecause
	cueFiller
	cueAsk
	cueDone
	cueWish
	cueClosing
	cueOr
	cueInstead
	cues
)

var cueNames = [cues]string{"rule", "forbid", "accept", "reject", "pick1", "pick2", "pick3",
	"picklast", "pickall", "defer", "directive", "settle", "stay", "contrast",
	"scrap", "fornow", "if", "would", "hedge", "promise", "time", "leftover", "propose", "aside", "source", "laugh",
	"chatter", "because", "filler", "ask", "done", "wish", "closing", "or", "instead"}

// phrase is one entry of a lexicon, folded.
type phrase struct {
	text  string
	then  string // must follow in the clause, unless ""
	cue   cue
	open  bool // may end inside a word
	start bool // only where a clause begins
}

// lexicon finds the phrases of one language. A phrase whose first word is whole
// is kept by that word, any other by its first two characters, so that a text
// costs two look-ups a word.
type lexicon struct {
	tag   string
	dense bool
	words map[string][]phrase
	may   [slots]bool // by slot: there may be such a word
	heads map[[2]rune][]phrase
	// by first byte: there may be such a head
	mayHead [256]bool
}

var (
	lexiconMu sync.Mutex
	lexicons  = map[string]*lexicon{}
)

// lexiconOf loads the lexicon of a language once; a language without one has
// the English one.
func lexiconOf(tag string) *lexicon {
	lexiconMu.Lock()
	defer lexiconMu.Unlock()
	if l := lexicons[tag]; l != nil {
		return l
	}
	b, err := lexiconFiles.ReadFile("lexicon/" + tag + ".txt")
	if err != nil {
		tag = "en"
		b, _ = lexiconFiles.ReadFile("lexicon/en.txt")
	}
	l, bad := parseLexicon(tag, string(b))
	if bad != "" {
		panic("extract: lexicon " + tag + ": " + bad) // a test loads every one
	}
	lexicons[tag] = l
	return l
}

// parseLexicon reads a lexicon file. bad names the first line it cannot read.
func parseLexicon(tag, text string) (l *lexicon, bad string) {
	l = &lexicon{tag: tag, dense: lang.Dense(tag), words: map[string][]phrase{}, heads: map[[2]rune][]phrase{}}
	section := cues
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			if section = cueByName(strings.Trim(line, "[]")); section == cues {
				return l, line
			}
		case section == cues:
			return l, line
		default:
			for p := range strings.SplitSeq(line, ",") {
				l.add(strings.TrimSpace(p), section)
			}
		}
	}
	return l, ""
}

func cueByName(name string) cue {
	for c, n := range cueNames {
		if n == name {
			return cue(c)
		}
	}
	return cues
}

func (l *lexicon) add(s string, c cue) {
	if s == "" {
		return
	}
	p := phrase{cue: c}
	if s, p.start = strings.CutPrefix(s, "^"); s == "" {
		return
	}
	s, p.open = strings.CutSuffix(s, "*")
	s, p.then, _ = strings.Cut(fold(s), "…")
	p.text = s
	p.open = p.open || l.dense
	l.keep(p)
	if strings.Contains(p.text, "'") {
		p.text = strings.ReplaceAll(p.text, "'", "’")
		l.keep(p)
	}
}

func (l *lexicon) keep(p phrase) {
	if n := wordEnd(p.text, 0); n > 0 && !l.dense && !(p.open && n == len(p.text)) {
		l.may[slot(p.text[:n])] = true
		l.words[p.text[:n]] = append(l.words[p.text[:n]], p)
		return
	}
	if p.text == "" {
		return
	}
	l.mayHead[p.text[0]] = true
	h := head(p.text)
	l.heads[h] = append(l.heads[h], p)
}

// wordEnd is where the word that begins at i ends.
func wordEnd(s string, i int) int {
	for i < len(s) {
		if c := s[i]; c < utf8.RuneSelf {
			if !wordRune(rune(c)) {
				break
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if !wordRune(r) {
			break
		}
		i += n
	}
	return i
}

// head is the first two characters of s; the second is 0 when there is none.
func head(s string) [2]rune {
	a, n := utf8.DecodeRuneInString(s)
	if n == len(s) {
		return [2]rune{a, 0}
	}
	b, _ := utf8.DecodeRuneInString(s[n:])
	return [2]rune{a, b}
}

// fold lowers case without moving a byte, so that places in the folded text are
// places in the text. A broken byte becomes a question mark.
func fold(s string) string {
	if ascii(s) {
		return strings.ToLower(s)
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if 'A' <= c && c <= 'Z' {
				c += 'a' - 'A'
			}
			b = append(b, c)
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		i += n
		switch low := unicode.ToLower(r); {
		case r == utf8.RuneError && n == 1:
			b = append(b, '?')
		case utf8.RuneLen(low) == n:
			b = utf8.AppendRune(b, low)
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return string(b)
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
