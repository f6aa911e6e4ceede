package extract

import (
	"cmp"
	"slices"
	"strings"
)

// maxItems is how many items a candidate holds, the topic apart.
const maxItems = 16

// quota is how many items of one kind there may be.
var quota = [kinds]int{decision: 8, rule: 5, openQuestion: 4, promise: 3, leftover: 3, uncertainty: 3, outcome: 2}

// choose returns the candidates worth keeping, oldest first.
func (k *talk) choose() []candidate {
	var all []candidate
	for i := range k.sentences {
		if c, ok := k.weigh(&k.sentences[i]); ok {
			all = append(all, c)
		}
	}
	all = k.extend(k.settle(all))
	slices.SortFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.msg, b.msg), cmp.Compare(a.start, b.start))
	})
	var kept []candidate
	var used [kinds]int
	for _, c := range all {
		if len(kept) == maxItems {
			break
		}
		if used[c.kind] < quota[c.kind] && !k.said(kept, &c) && (c.kind != outcome || k.shown(&c)) {
			used[c.kind]++
			kept = append(kept, c)
		}
	}
	slices.SortStableFunc(kept, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.msg, b.msg), cmp.Compare(a.start, b.start))
	})
	return kept
}

// said tells whether a kept candidate already says what c says.
func (k *talk) said(kept []candidate, c *candidate) bool {
	for _, o := range kept {
		if strings.Contains(o.folded, c.folded) || strings.Contains(c.folded, o.folded) {
			return true
		}
		if n := overlap(o.keys, c.keys); n >= 3 && n*10 >= 8*min(len(o.keys), len(c.keys)) {
			return true
		}
	}
	return false
}

func overlap(a, b []uint32) int {
	n := 0
	for i, w := range a {
		if !slices.Contains(a[:i], w) && slices.Contains(b, w) {
			n++
		}
	}
	return n
}

// settle removes what a later sentence takes back, answers or finishes.
func (k *talk) settle(all []candidate) []candidate {
	out := all[:0]
	p, taken := k.places(), map[*sentence]kind{}
	for _, c := range all {
		taken[c.sentence] = c.kind
	}
	for i := range all {
		c := &all[i]
		switch c.kind {
		case decision:
			if n := k.replacedBy(c, p, taken); n != nil {
				n.replaces = append(n.replaces, c.sentence)
				continue
			}
		case leftover, uncertainty, openQuestion, promise:
			if k.finished(c, p) {
				continue
			}
		}
		out = append(out, *c)
	}
	return out
}

// places lists, for each rare content word, the sentences that hold it in order.
type places struct {
	from []int32 // by key: where its sentences begin in at
	at   []int32
}

func (k *talk) places() places {
	p := places{from: make([]int32, 1<<keyBits+1)}
	each := func(fn func(w uint32, i int)) {
		for i := range k.sentences {
			for n, w := range k.sentences[i].keys {
				if k.rare(w) && !slices.Contains(k.sentences[i].keys[:n], w) {
					fn(w, i)
				}
			}
		}
	}
	each(func(w uint32, _ int) { p.from[w+1]++ })
	for w := range 1 << keyBits {
		p.from[w+1] += p.from[w]
	}
	p.at = make([]int32, p.from[1<<keyBits])
	next := slices.Clone(p.from)
	each(func(w uint32, i int) {
		p.at[next[w]] = int32(i)
		next[w]++
	})
	return p
}

// following calls fn for each later sentence that shares rare words with s, in
// order, and how many, until fn returns false.
func (k *talk) following(s *sentence, p places, fn func(later *sentence, shared int) bool) {
	var hits []int32
	for n, w := range s.keys {
		if slices.Contains(s.keys[:n], w) {
			continue
		}
		for _, i := range p.at[p.from[w]:p.from[w+1]] {
			if o := &k.sentences[i]; o.msg > s.msg || o.msg == s.msg && o.start > s.start {
				hits = append(hits, i)
			}
		}
	}
	slices.Sort(hits)
	for i := 0; i < len(hits); {
		j := i
		for j < len(hits) && hits[j] == hits[i] {
			j++
		}
		if !fn(&k.sentences[hits[i]], j-i) {
			return
		}
		i = j
	}
}

// replacedBy finds the later decision or rule of the user that takes the place
// of a decision: it takes something back and shares a rare word with it, or is
// on the same matter with another figure or another choice.
func (k *talk) replacedBy(c *candidate, p places, taken map[*sentence]kind) (by *sentence) {
	k.following(c.sentence, p, func(s *sentence, shared int) bool {
		if !k.turns[s.turn].user || s.question || s.kind == foreign || s.turn == c.turn || s.turn == k.reply(c) || hypothetical(s) {
			return true
		}
		kd, ok := taken[s]
		firm := ok && (kd == decision || kd == rule)
		switch {
		case s.has(cueScrap) && (firm || s.any(cueDirective, cueStay, cueContrast)),
			shared >= 2 && (firm || s.any(cueContrast, cueReject) && s.any(cueDirective, cueStay, cueContrast)),
			firm && s.opens(cueForbid),
			!s.has(cuePromise) && refigured(c.folded, s.folded):
			by = s
		}
		return by == nil
	})
	return by
}

// refigured tells whether two folded texts give different figures, one each at
// least, and the later one more than the earlier one's alone.
func refigured(old, now string) bool {
	a, b := figures(old), figures(now)
	return len(a) > 0 && len(b) > 0 && !slices.Equal(a, b) && !(len(b) == 1 && slices.Contains(a, b[0]))
}

func figures(s string) (out []string) {
	for i := 0; i < len(s); i++ {
		j := i
		for j < len(s) && s[j] >= '0' && s[j] <= '9' {
			j++
		}
		if j > i {
			out = append(out, s[i:j])
			i = j
		}
	}
	return out
}

// reply is the turn in which the user took an assistant's proposal, or -1.
func (k *talk) reply(c *candidate) int {
	if k.turns[c.turn].user {
		return -1
	}
	return k.turns[c.turn].verdict.reply
}

// finished tells whether a later sentence reports done what c left open.
func (k *talk) finished(c *candidate, p places) (done bool) {
	k.following(c.sentence, p, func(s *sentence, shared int) bool {
		if s.turn == c.turn || s.question || s.any(cueLeftover, cueHedge, cueDefer) {
			return true
		}
		done = shared >= 2 && s.has(cueDone) || c.kind == openQuestion && shared >= 2 && k.turns[s.turn].user && s.any(cueDirective, cueSettle, cueStay)
		return !done
	})
	return done
}
