package redact

import (
	"strings"
	"sync"
)

// scanner finds secrets in one text. Every rule starts at an anchor, a pair of
// bytes that it cannot do without, and looks only at the bytes around it.
type scanner struct {
	s string
	// tail remembers the last run of value bytes, so that a run with a thousand
	// anchors in it is walked once.
	tailStart, tailEnd int
	foreign            int             // where that run turns to another script
	masked             int             // end of the last value masked by name
	shaped             int             // end of the last key masked by its prefix
	endless            map[string]bool // PEM labels with no end from here on
}

// rule looks at the text around byte i.
type rule func(sc *scanner, i int) (span, bool)

// anchors maps a pair of bytes, both with bit 5 set, to one more than the index of its rule.
type anchors struct {
	at    [1 << 16]uint8
	rules []rule
}

func (a *anchors) add(pair string, r rule) {
	i := pairOf(pair[0], pair[1])
	if n := a.at[i]; n > 0 {
		first := a.rules[n-1]
		both := func(sc *scanner, i int) (span, bool) {
			if sp, ok := first(sc, i); ok {
				return sp, true
			}
			return r(sc, i)
		}
		a.rules[n-1] = both
		return
	}
	a.rules = append(a.rules, r)
	a.at[i] = uint8(len(a.rules))
}

func pairOf(a, b byte) uint16 { return uint16(a|0x20)<<8 | uint16(b|0x20) }

var table = sync.OnceValue(func() *anchors {
	a := &anchors{}
	for pair, list := range groupShapes() {
		a.add(pair, func(sc *scanner, i int) (span, bool) { return sc.matchShapes(i, list) })
	}
	a.add("-B", matchPEM)
	a.add("ey", matchJWT)
	a.add("//", matchURL)
	a.add("be", matchBearer)
	a.add("au", matchAuthorization)
	a.add("ba", matchBasic)
	a.add("-u", matchCurlUser)
	for pair, words := range groupKeywords() {
		a.add(pair, func(sc *scanner, i int) (span, bool) { return sc.matchName(i, words) })
	}
	return a
})

func scan(s string) []span {
	t := table()
	sc := &scanner{s: s}
	var out []span
	for i := 0; i+1 < len(s); i++ {
		n := t.at[pairOf(s[i], s[i+1])]
		if n == 0 {
			continue
		}
		sp, ok := t.rules[n-1](sc, i)
		if !ok {
			continue
		}
		out = append(out, sp)
		if sp.kind == pem { // holds nothing else worth finding, and may be all the rest
			i = sp.end - 1
		}
	}
	return out
}

// hasFold tells whether s holds word, given in lower case, at i in any case.
func hasFold(s string, i int, word string) bool {
	if len(s)-i < len(word) {
		return false
	}
	for j := range len(word) {
		if lower(s[i+j]) != word[j] {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c | 0x20
	}
	return c
}

func isLower(c byte) bool   { return 'a' <= c && c <= 'z' }
func isUpper(c byte) bool   { return 'A' <= c && c <= 'Z' }
func isLetter(c byte) bool  { return isLower(c | 0x20) }
func isDigit(c byte) bool   { return '0' <= c && c <= '9' }
func isAlnum(c byte) bool   { return isLetter(c) || isDigit(c) }
func isWord(c byte) bool    { return isAlnum(c) || c == '_' }
func isURLSafe(c byte) bool { return isWord(c) || c == '-' }
func isToken(c byte) bool   { return isAlnum(c) || strings.IndexByte("._~+/=-", c) >= 0 }
func isSpace(c byte) bool   { return c == ' ' || '\t' <= c && c <= '\r' }

// run returns the end of the bytes of one class that start at i.
func run(s string, i int, class func(byte) bool) int {
	for i < len(s) && class(s[i]) {
		i++
	}
	return i
}

// blanks skips at most n spaces and tabs.
func blanks(s string, i, n int) int {
	for ; n > 0 && i < len(s) && (s[i] == ' ' || s[i] == '\t'); n-- {
		i++
	}
	return i
}

// bounded tells whether a word may begin at i: the byte before is no word byte,
// or is the letter of an escape such as \n.
func bounded(s string, i int) bool {
	return i == 0 || !isWord(s[i-1]) || i > 1 && s[i-2] == '\\' && strings.IndexByte("nrt", s[i-1]) >= 0
}

func hasDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }
