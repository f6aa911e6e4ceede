package quote

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"daimon/lib/lang"
)

// bordered tells whether s[i:j] begins and ends where words do, so that a quote
// cannot lose the start of a number, a sign, a flag, a path or a negation.
func (f *form) bordered(i, j int) bool {
	return f.begins(i) && f.stops(j)
}

func runeBefore(s string, i int) rune {
	if i <= 0 {
		return 0
	}
	r, _ := utf8.DecodeLastRuneInString(s[:i])
	return r
}

func runeAfter(s string, i int) rune {
	if i >= len(s) {
		return 0
	}
	r, _ := utf8.DecodeRuneInString(s[i:])
	return r
}

func isWord(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

func isNum(r rune) bool { return r >= '0' && r <= '9' }

func (f *form) begins(i int) bool {
	prev, first := runeBefore(f.s, i), runeAfter(f.s, i)
	if prev == 0 || prev == ' ' {
		return true
	}
	back := runeBefore(f.s, i-utf8.RuneLen(prev))
	switch {
	case isWord(first) && isWord(prev):
		return dense(first, prev) && !strings.ContainsRune(negatesNext, prev)
	case prev == '-':
		return f.afterDash(i, first)
	case isNum(first) && strings.ContainsRune(".,:/+", prev):
		return false
	case prev == '/' || prev == '\\':
		return !isWord(first)
	case prev == '!':
		return !isWord(first) || back != 0 && back != ' ' && back != '('
	case first == '/':
		return !isWord(prev) && prev != '.' && prev != '~'
	case first == '-':
		return !isWord(prev) || f.dash(i) == longDash
	case first == '.':
		return !isWord(prev) || !isWord(runeAfter(f.s, i+1))
	}
	return true
}

func (f *form) stops(j int) bool {
	last, next := runeBefore(f.s, j), runeAfter(f.s, j)
	if next == 0 || next == ' ' {
		return true
	}
	then := runeAfter(f.s, j+utf8.RuneLen(next))
	switch {
	case isWord(last) && isWord(next):
		return dense(last, next) && !negated(f.s[j:])
	case next == '-':
		return !isWord(last) && last != '-' || f.dash(j) == longDash || !isWord(then)
	case last == '-':
		return !isWord(next) || f.dash(j-1) == longDash
	case isNum(last) && strings.ContainsRune(".,:/", next):
		return !isNum(then)
	case isNum(last) && (next == '%' || next == '°'):
		return false
	case isWord(last) && (next == '.' || next == '/' || next == '\''):
		return !isWord(then) || unicode.IsUpper(then) || dense(last, then)
	case last == '/':
		return !isWord(next)
	case last == '.' || last == ',':
		return !isNum(next)
	}
	return true
}

// dense tells whether two word characters may stand on two sides of a border,
// because one of them is of a script without spaces.
func dense(a, b rune) bool { return lang.Letter(a) || lang.Letter(b) }

type dashKind int

const (
	hyphen dashKind = iota
	longDash
)

// dash tells a hyphen, which joins, from a dash, which parts. An en dash
// between numbers joins.
func (f *form) dash(i int) dashKind {
	start, _ := f.span(i, i+1)
	switch r, _ := utf8.DecodeRuneInString(f.src[start:]); {
	case r == 0x2014 || r == 0x2015:
		return longDash
	case r == 0x2013 && !(isNum(runeBefore(f.s, i)) && isNum(runeAfter(f.s, i+1))):
		return longDash
	}
	return hyphen
}

// afterDash tells whether a quote may begin behind the dash before i: not
// inside a compound, and not without the sign of a number or a flag.
func (f *form) afterDash(i int, first rune) bool {
	if f.dash(i-1) == longDash || !isWord(first) && first != '-' {
		return true
	}
	from := i
	for from > 0 && f.s[from-1] == '-' {
		from--
	}
	return i-from >= 2 && first != '-' && isWord(runeBefore(f.s, from)) // a typed dash
}

// negatesNext are characters that negate what they stand before, without a space.
const negatesNext = "不没沒未别別勿莫無无"

// negatesBefore are endings that negate what they stand behind.
var negatesBefore = []string{
	"ない", "なかった", "ません", "ず", "いない", "いません", "ていない", "ていません", "っていない", "っていません",
	"지 않", "지 못", "지않", "지못", "지 마", "지는 않", "지도 않", "하지 않", "하지 못", "하지 마", "되지 않", "되지 못", "不了",
}

func negated(rest string) bool {
	for _, n := range negatesBefore {
		if strings.HasPrefix(rest, n) {
			return true
		}
	}
	return false
}
