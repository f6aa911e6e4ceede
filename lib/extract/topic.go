package extract

import "strings"

// topic is what the session is about, in the user's words: the longest request
// of the first message that has one. A decision serves only when nothing else
// does, a rule never, nor what the session took back, nor a sentence that handed
// over a secret.
func (k *talk) topic(kept []candidate) *sentence {
	out := map[*sentence]bool{}
	for i := range k.sentences {
		for _, old := range k.sentences[i].replaces {
			out[old] = true
		}
	}
	decided, apart := map[*sentence]bool{}, true // apart: the first message holds neither rule nor decision
	for _, c := range kept {
		tn := k.turns[c.turn]
		for n := tn.first + c.nth; c.kind == decision && n <= max(tn.first+c.nth, c.tail); n++ {
			decided[&k.sentences[n]] = true
		}
		apart = apart && (c.turn > 0 || c.kind != decision && c.kind != rule)
	}
	may := func(s *sentence) bool {
		if !k.turns[s.turn].user || s.kind == foreign || out[s] || !whole(s.text, s.lex.dense) || !fits(s.text) || strings.Contains(s.text, "[redacted:") {
			return false
		}
		c, ok := k.weigh(s)
		return !ok || c.kind != rule
	}
	if s := k.longest(func(s *sentence) bool { return may(s) && !decided[s] && (s.turn == 0 && apart || s.requests()) }); s != nil {
		return s
	}
	return k.longest(may)
}

// requests tells whether a sentence says enough to name a topic by itself.
func (s *sentence) requests() bool {
	return len(s.keys) >= 3 && (s.question || s.lex.says(s.folded, &s.signs)) && !s.agrees() && !s.opens(cueReject)
}

// longest is the longest sentence that may serve, of the first message with one.
func (k *talk) longest(may func(*sentence) bool) *sentence {
	var best *sentence
	most := 0
	for i := range k.sentences {
		s := &k.sentences[i]
		if best != nil && s.msg != best.msg {
			break
		}
		if !may(s) {
			continue
		}
		if n := min(12, len(s.keys)) - s.nth; best == nil || n > most {
			best, most = s, n
		}
	}
	return best
}
