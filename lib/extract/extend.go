package extract

// A choice of at most this many content words leans on what stands beside it.
const terse = 3

// enough is how many content words say what was chosen.
const enough = 8

// extend lengthens each choice of the user over the sentences right after it
// that belong to it, and drops those as candidates of their own.
func (k *talk) extend(all []candidate) []candidate {
	at := make(map[*sentence]int, len(all))
	for i := range all {
		at[all[i].sentence] = i
	}
	gone := map[*sentence]bool{}
	for i := range all {
		c := &all[i]
		if c.kind == decision && k.turns[c.turn].user && !gone[c.sentence] {
			k.lengthen(c, all, at, gone)
		}
	}
	out := all[:0]
	for _, c := range all {
		if !gone[c.sentence] {
			out = append(out, c)
		}
	}
	return out
}

// lengthen takes in what follows a choice on its line.
func (k *talk) lengthen(c *candidate, all []candidate, at map[*sentence]int, gone map[*sentence]bool) {
	tn, said := k.turns[c.turn], len(c.keys)
	text := k.t.Messages[c.msg].Text
	for n := tn.first + c.nth + 1; n < tn.last && said < enough; n++ {
		s := &k.sentences[n]
		if s.line != c.line || s.kind != c.sentence.kind || !fits(text[c.start:s.end]) {
			return
		}
		i, own := at[s]
		switch {
		case own && !(all[i].kind == decision && c.has(cueScrap) && s.any(cueDirective, cueContrast)):
			return
		case !own && (said > terse && !s.has(cueBecause) || !explains(s)):
			return
		case own:
			c.score = max(c.score, all[i].score)
			c.replaces = append(c.replaces, s.replaces...)
			gone[s] = true
		}
		c.tail, said = n, said+len(s.keys)
	}
}

// explains tells whether a sentence is no matter of its own.
func explains(s *sentence) bool {
	return len(s.keys) > 0 && !s.question && !hypothetical(s) && s.lex.says(s.folded, &s.signs) && !s.agrees() && !s.opens(cueReject) &&
		!s.any(cueRule, cueForbid, cueDefer, cueHedge, cuePromise, cueLeftover, cueSource, cueLaugh, cueWish, cueAside, cueForNow, cueAsk, cueDirective)
}
