package extract

import "slices"

// verdict is what the next user message says about what an assistant message
// offered or asked.
type verdict struct {
	reply    int  // turn of the user's answer, -1 when there is none
	accept   bool // a plain yes
	reject   bool // a plain no
	deferred bool // left open
}

// answer is what a user's turn says, taken apart once.
type answer struct {
	clauses  []clause
	labels   []rune // entries chosen from a list
	polarity []int  // of each label: 1 taken, -1 refused
}

// clause is one that says yes or no to something it names.
type clause struct {
	keys []uint32
	no   bool
}

// maxLook is how many sentences of a message the answer to it, or the message
// it answers, is compared with.
const maxLook = 60

// maxClause is how long a clause may be, in bytes, for a yes or no to stand
// anywhere in it: "gzip yes", but not every "right" in a long one.
const maxClause = 32

// judge gives every assistant turn the verdict of the user turn that follows.
func (k *talk) judge() {
	reply := -1
	for i := len(k.turns) - 1; i >= 0; i-- {
		tn := &k.turns[i]
		tn.verdict = verdict{reply: -1}
		if tn.user {
			reply = i
			continue
		}
		if reply >= 0 {
			tn.verdict = k.answered(reply)
			if k.turns[reply].answer == nil {
				k.turns[reply].answer = k.parse(reply)
			}
		}
		if i+1 != reply { // a bare yes goes to what was said last
			tn.verdict.accept, tn.verdict.reject = false, false
		}
	}
}

func (k *talk) answered(reply int) verdict {
	v := verdict{reply: reply}
	tn := k.turns[reply]
	for n := tn.first; n < tn.last && n < tn.first+3; n++ {
		s := &k.sentences[n]
		if n < tn.first+2 && !s.question {
			v.accept = v.accept || s.agrees() && !v.reject
			v.reject = v.reject || n == tn.first && s.opens(cueReject) && !s.opens(cueAccept)
		}
		v.deferred = v.deferred || s.has(cueDefer) || s.has(cuePromise) && s.has(cueTime)
	}
	return v
}

// accepted tells what the user's answer says about one sentence of the
// assistant's: +1 taken, -1 refused, 0 not said. A clause of the answer that
// shares words with the sentence speaks for it; else a choice from the list it
// stands in; else the plain yes.
func (k *talk) accepted(s *sentence) int {
	v := k.turns[s.turn].verdict
	if v.reply < 0 {
		return 0
	}
	if n := k.choice(s, v.reply); n != 0 {
		return n
	}
	if n := k.named(s, v.reply); n != 0 {
		return n
	}
	if v.accept && !v.reject && !k.alternatives(s) {
		return 1
	}
	return 0
}

// named asks the clauses of the answer that speak of the sentence.
func (k *talk) named(s *sentence, reply int) int {
	sum := 0
	for _, c := range k.turns[reply].answer.clauses {
		if k.shared(c.keys, s.keys) == 0 {
			continue
		}
		if c.no {
			sum--
		} else {
			sum++
		}
	}
	return max(-1, min(1, sum))
}

// parse takes the beginning of a user's turn apart.
func (k *talk) parse(reply int) *answer {
	a := &answer{}
	tn := k.turns[reply]
	for n := tn.first; n < tn.last && n < tn.first+4; n++ {
		r := &k.sentences[n]
		if r.question || r.kind == foreign || !fits(r.text) {
			continue
		}
		for _, c := range clauses(r.folded) {
			short := len(c) <= maxClause
			g := r.lex.search(c, short)
			switch {
			case g.any(cueAccept, cueReject):
				order := r.agrees() && g.opens(cueDirective) && !g.has(cueForbid) // "yes, skip it" refuses nothing
				a.clauses = append(a.clauses, clause{words(c), g.has(cueReject) && !order})
			case g.any(cueDirective, cueSettle) && !g.any(cueForbid, cueScrap, cueDefer, cueHedge, cueIf, cueWould, cueLaugh):
				a.clauses = append(a.clauses, clause{words(c), false}) // naming it is taking it
			}
		}
		if n == tn.first {
			a.labels, a.polarity = chosen(r.folded)
		}
	}
	return a
}

// clauses cuts a folded sentence at commas, colons, full stops and dashes.
func clauses(s string) []string {
	var out []string
	from := 0
	for i, r := range s {
		switch r {
		case ',', ';', '.', '!', '?', '、', '。', '，', '；', '：', ':', '—', '–':
			if i > from {
				out = append(out, s[from:i])
			}
			from = i + len(string(r))
		}
	}
	if from < len(s) {
		out = append(out, s[from:])
	}
	return out
}

// alternatives tells whether a sentence stands in a list of things to choose
// from, so that a plain yes does not say which.
func (k *talk) alternatives(s *sentence) bool {
	if s.kind != item {
		return false
	}
	return k.turns[s.turn].labelled > 1 || s.label == 0
}

// choice reads an answer like "1", "b then", "the second one" or "1 and 3".
func (k *talk) choice(s *sentence, reply int) int {
	if s.kind != item {
		return 0
	}
	of, tn := k.turns[s.turn].items, k.turns[reply]
	if of < 2 {
		return 0
	}
	if tn.first == tn.last {
		return 0
	}
	r := &k.sentences[tn.first]
	if r.question || r.kind == foreign {
		return 0
	}
	if a := tn.answer; len(a.labels) > 0 && s.label != 0 {
		if i := slices.Index(a.labels, s.label); i >= 0 {
			return a.polarity[i]
		}
		return -1
	}
	ordinal := [...]cue{cuePick1, cuePick2, cuePick3}
	switch {
	case r.has(cuePickAll) && !r.has(cueReject):
		return 1
	case !r.any(cuePick1, cuePick2, cuePick3, cuePickLast) || len(r.text) > 120:
		return 0
	case s.place < len(ordinal) && r.has(ordinal[s.place]), s.place == of-1 && r.has(cuePickLast):
		return 1
	}
	return -1
}

// chosen reads the labels that an answer begins with, and whether each is taken.
func chosen(s string) (labels []rune, polarity []int) {
	runes := []rune(s)
	for i := 0; i < len(runes) && len(labels) < 6; {
		r := runes[i]
		if !wordRune(r) {
			i++
			continue
		}
		j := i
		for j < len(runes) && wordRune(runes[j]) {
			j++
		}
		switch w := string(runes[i:j]); {
		case j-i == 1 && (r >= '1' && r <= '9' || r >= 'a' && r <= 'f'):
			labels, polarity = append(labels, r), append(polarity, 1)
		case w == "no" && len(labels) > 0:
			polarity[len(polarity)-1] = -1
		case len(labels) > 0 && joins(w), len(labels) == 0 && i < 12 && opener(w):
		default:
			return labels, polarity
		}
		i = j
	}
	return labels, polarity
}

// opener tells whether a word may stand before the first label.
func opener(w string) bool {
	switch w {
	case "ok", "okay", "yes", "ja", "oui", "sí", "si", "sim", "go", "with", "take", "option", "let", "s", "plan", "variant", "variante", "then", "hm", "hmm", "do", "nehmen", "wir", "nimm":
		return true
	}
	return false
}

// joins tells whether a word may stand between two labels.
func joins(w string) bool {
	switch w {
	case "and", "n", "y", "und", "et", "e", "en", "i", "ve", "yes", "then", "plus":
		return true
	}
	return false
}
