package extract

// kind is what a sentence may be worth keeping as.
type kind uint8

const (
	decision kind = iota
	rule
	openQuestion
	promise
	leftover
	uncertainty
	outcome
	kinds
)

// list is where items of a kind stand.
func (k kind) list() string {
	switch k {
	case decision:
		return "recent_decisions"
	case rule, outcome:
		return "strong_beliefs"
	case uncertainty:
		return "uncertainties"
	}
	return "open_questions"
}

// candidate is a sentence that may become an item.
type candidate struct {
	*sentence
	kind    kind
	score   float64
	sources []int // further messages it rests on
	tail    int   // index of the last sentence of the quote; 0: its own
}

// threshold is the score from which a candidate of a kind is kept.
var threshold = [kinds]float64{decision: 1.0, rule: 1.0, openQuestion: 1.0, promise: 1.0, leftover: 1.0, uncertainty: 1.0, outcome: 1.0}

// weigh gives a sentence its best kind and score; ok is false when it is worth
// nothing. Every weight of the extractor is in this file.
func (k *talk) weigh(s *sentence) (c candidate, ok bool) {
	c = candidate{sentence: s}
	if s.kind == foreign || s.kind == heading || !whole(s.text, s.lex.dense) || !fits(s.text) {
		return c, false
	}
	var scores [kinds]float64
	if k.turns[s.turn].user {
		if !s.question && !s.lex.says(s.folded, &s.signs) {
			return c, false
		}
		scores[rule] = k.weighRule(s)
		scores[decision] = k.weighChoice(s)
		scores[promise] = k.weighPromise(s)
		scores[openQuestion] = k.weighAsked(s)
		scores[uncertainty] = k.weighDoubt(s) - 1
		scores[leftover] = k.weighLeftover(s) - 0.5
	} else {
		scores[decision] = k.weighProposal(s)
		scores[openQuestion] = k.weighQuestion(s)
		scores[uncertainty] = k.weighDoubt(s)
		scores[leftover] = k.weighLeftover(s)
		scores[outcome] = k.weighOutcome(s)
	}
	for kd, v := range scores {
		if v >= threshold[kd] && v > c.score {
			c.kind, c.score = kind(kd), v
		}
	}
	return c, c.score > 0
}

// late is how far into the session a sentence stands, 0 to 1.
func (k *talk) late(s *sentence) float64 {
	return float64(s.turn) / float64(max(1, len(k.turns)-1))
}

func hypothetical(s *sentence) bool {
	return s.has(cueIf) && s.has(cueWould)
}

func when(b bool, v float64) float64 {
	if b {
		return v
	}
	return 0
}

// weighRule: a rule is the user's, and says that something holds always.
func (k *talk) weighRule(s *sentence) float64 {
	if s.question || !s.any(cueRule, cueForbid, cueWish) || hypothetical(s) || swaps(s) {
		return 0
	}
	return when(s.has(cueWish), 1.1) + when(s.opens(cueForbid) && s.nth > 0 && len(s.keys) > 2, 0.6) + when(s.has(cueRule), 3) + when(s.has(cueForbid), 0.6) + when(s.n[cueRule] > 1, 0.5) +
		when(s.has(cueRule) && s.has(cueForbid), 0.3) - when(s.has(cueLaugh), 2) - when(s.has(cueDefer), 1.5) -
		when(s.has(cueHedge), 2.5) - when(s.has(cueSource), 0.5) - when(s.has(cueIf) && !s.has(cueForbid), 0.3)
}

// swaps tells whether a sentence orders one thing in place of another before it
// names any rule, which is then only the reason.
func swaps(s *sentence) bool {
	return s.opens(cueDirective) && !s.opens(cueForbid) && s.has(cueInstead) && (!s.has(cueRule) || s.first[cueInstead] < s.first[cueRule])
}

// weighChoice: what a user says to an offer or a question, as a directive.
func (k *talk) weighChoice(s *sentence) float64 {
	v := when(s.any(cueDirective, cueSettle), 1.1) + when(s.has(cueScrap), 0.9) + when(s.has(cueContrast), 0.6) + when(s.has(cueStay), 0.5)
	v += when(s.opens(cueAccept), 0.7) + when(s.opens(cueReject), 0.4) + when(s.has(cueAccept), 0.3)
	v += when(s.any(cuePick1, cuePick2, cuePick3, cuePickLast, cuePickAll), 0.4) + when(exact(s.text), 0.4)
	if s.turn > 0 && !k.turns[s.turn-1].user {
		v += when(s.nth < 2, 0.4) + when(k.echoes(s), 0.6)
	}
	v -= when(len(s.keys) < 2 && !s.any(cueDirective, cueSettle) && !exact(s.text), 0.4) + when(len(s.keys) == 0, 0.6)
	v -= when(s.question, 3) + when(hypothetical(s), 2) + when(s.has(cueWould), 0.5) + when(s.has(cueLaugh), 1.5)
	v -= when(s.has(cueDefer), 1.2) + when(s.has(cueHedge), 1) + when(s.has(cueForNow), 1.2) + when(s.has(cueWish), 0.8)
	v -= when(s.has(cuePromise) && s.has(cueTime), 1) + when(s.has(cueSource), 0.6) + when(s.has(cueLeftover), 0.4)
	v -= when(!s.any(cueDirective, cueSettle, cueScrap, cueContrast, cueStay, cueAccept, cueReject, cuePick1, cuePick2, cuePick3, cuePickLast, cuePickAll), 0.25) +
		when(s.turn == 0 && !s.settles(), 1.5) + when(len(s.keys) > 25, 0.7) + when(s.opens(cueAsk), 1.2) + when(s.has(cueIf) && !s.has(cueDirective), 0.6)
	return v + 0.3*k.late(s)
}

// settles tells whether a sentence announces a choice, so that it is no request
// even where the session begins.
func (s *sentence) settles() bool { return s.has(cueSettle) && !s.has(cueIf) }

// echoes tells whether a user's sentence takes up words of what was said just
// before it.
func (k *talk) echoes(s *sentence) bool {
	before := k.turns[s.turn-1]
	for n := max(before.first, before.last-maxLook); n < before.last; n++ {
		if k.shared(s.keys, k.sentences[n].keys) > 0 {
			return true
		}
	}
	return false
}

// exact tells whether a text holds a figure or a piece of code.
func exact(s string) bool {
	for i := range len(s) {
		if s[i] >= '0' && s[i] <= '9' || s[i] == '`' || s[i] == '_' {
			return true
		}
	}
	return false
}

// weighProposal: what the assistant offers counts only once the user has taken
// it.
func (k *talk) weighProposal(s *sentence) float64 {
	if s.question && !s.has(cuePropose) || hypothetical(s) || k.turns[s.turn].verdict.reply < 0 {
		return 0
	}
	reply := k.turns[s.turn].verdict.reply
	if k.accepted(s) <= 0 || s.has(cueOr) && k.choice(s, reply) <= 0 || k.executes(s) {
		return 0
	}
	v := when(k.choice(s, reply) > 0, 1.8) + when(k.named(s, reply) > 0, 0.3) + when(k.last(s, k.turns[s.turn].lastSaid), 0.5)
	v += max(when(s.has(cuePropose), 1.4), when(s.opens(cueDirective), 1), when(s.has(cueWould) && k.named(s, reply) > 0, 0.9))
	v -= when(s.has(cueAside), 0.6) + when(s.has(cueHedge), 0.8) + when(s.has(cueChatter), 0.4) + when(s.has(cueIf), 0.4) +
		when(s.question, 0.4) + when(s.question && !s.lex.dense, 0.6) + when(s.has(cueForNow), 0.8)
	return v
}

// executes tells whether the assistant only says how it goes about what the user
// has just settled.
func (k *talk) executes(s *sentence) bool {
	if s.nth > 0 || s.turn == 0 || !k.turns[s.turn-1].user || s.n[cuePropose] > s.n[cuePromise] {
		return false
	}
	before := k.turns[s.turn-1]
	for n := before.first; n < before.last; n++ {
		if o := &k.sentences[n]; !o.question && (o.agrees() || o.any(cueDirective, cueSettle, cueStay, cueScrap)) {
			return s.has(cuePromise)
		}
	}
	return false
}

// last tells whether a sentence is the one at an index that may be -1.
func (k *talk) last(s *sentence, index int) bool {
	return index >= 0 && &k.sentences[index] == s
}

// weighQuestion: an assistant's question is open when nobody answers it.
func (k *talk) weighQuestion(s *sentence) float64 {
	if !s.question {
		return 0
	}
	v := k.turns[s.turn].verdict
	switch {
	case v.reply < 0:
		return 2.2
	case v.deferred && !v.accept && k.last(s, k.turns[s.turn].lastAsked):
		return 1.4 + k.late(s)
	}
	return 0
}

// weighAsked: a user's question is open when it ends the session, or the user
// says so, or the assistant does not know.
func (k *talk) weighAsked(s *sentence) float64 {
	if hypothetical(s) || s.has(cueLaugh) {
		return 0
	}
	if !s.question {
		return when(s.has(cueDefer) && s.turn > 0, 0.7+0.6*k.late(s)) - when(s.has(cueDirective), 0.5) - when(s.has(cueRule), 1)
	}
	tn := k.turns[s.turn]
	v := when(s.turn == len(k.turns)-1, 1.2)
	for n := tn.first + s.nth; n < min(tn.last, tn.first+s.nth+2); n++ {
		v += when(k.sentences[n].has(cueDefer), 1.1)
	}
	if s.turn+1 < len(k.turns) && !k.turns[s.turn+1].user {
		next := k.turns[s.turn+1]
		for n := next.first; n < min(next.last, next.first+maxLook); n++ {
			if e := &k.sentences[n]; e.has(cueHedge) && k.shared(s.keys, e.keys) > 0 {
				v += 0.5
			}
		}
	}
	return v + 0.3*k.late(s) - when(len(s.keys) < 2, 0.8)
}

// weighPromise: somebody will do something, and when.
func (k *talk) weighPromise(s *sentence) float64 {
	if s.question || hypothetical(s) || s.turn == 0 {
		return 0
	}
	v := when(s.has(cuePromise), 0.7) + when(s.opens(cuePromise), 0.4) + when(s.has(cueTime), 0.8) + when(s.has(cuePromise) && s.has(cueTime), 0.4) + when(s.has(cueDefer), 0.4)
	v -= when(s.has(cueRule), 1) + when(s.has(cueLaugh), 1.2) + when(s.opens(cueDirective), 0.6)
	return v + 0.4*k.late(s)
}

// weighDoubt: the speaker does not know, and says so.
func (k *talk) weighDoubt(s *sentence) float64 {
	if !s.has(cueHedge) || s.question && s.n[cueHedge] < 2 {
		return 0
	}
	v := 0.9 + 0.4*float64(min(3, s.n[cueHedge])-1)
	return v + 0.9*k.late(s) - when(hypothetical(s), 0.8) - when(s.has(cuePropose) && s.has(cueAside), 0.5) - when(len(s.keys) < 3, 0.5)
}

// weighLeftover: what is not done at the end.
func (k *talk) weighLeftover(s *sentence) float64 {
	if !s.has(cueLeftover) || s.question || hypothetical(s) {
		return 0
	}
	v := 0.3 + 0.4*float64(min(3, s.n[cueLeftover])) + 1.2*k.late(s)
	return v + when(k.failing(s) >= 0, 0.6) - when(s.has(cuePropose), 0.3) - when(s.has(cueHedge), 0.3) - when(len(s.keys) < 2, 0.5)
}

// weighOutcome: a result that a tool has just shown.
func (k *talk) weighOutcome(s *sentence) float64 {
	if !s.has(cueDone) || s.question || s.any(cueHedge, cueLeftover, cueWould, cueIf) {
		return 0
	}
	if k.shower(s, true) < 0 {
		return 0
	}
	return 1 + 0.5*k.late(s)
}
