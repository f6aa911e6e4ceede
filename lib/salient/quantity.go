package salient

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

var units = strings.Fields("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty")

var tens = map[string]int{"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "hundred": 100}

// Quantities returns the numbers a text states, each once, in decimal without
// needless zeros: digits with a decimal part or thousands commas, and English
// number words to a hundred. A digit that touches a letter (v3, 10x) states
// none, except before a counter of a script without spaces.
func Quantities(text string) []string {
	set := map[string]bool{}
	runes := []rune(strings.ToLower(norm.NFKC.String(text)))
	for i := 0; i < len(runes); {
		from := i
		switch r := runes[i]; {
		case r >= '0' && r <= '9':
			i = digits(runes, i)
			if i < len(runes) && glue(runes[i]) {
				for i < len(runes) && glue(runes[i]) {
					i++
				}
				continue
			}
			set[trim(string(runes[from:i]))] = true
		case glue(r):
			for i < len(runes) && glue(runes[i]) {
				i++
			}
			i = spelled(runes, from, i, set)
		default:
			i++
		}
	}
	return slices.Sorted(maps.Keys(set))
}

// Conflict tells whether both texts state quantities and neither's contain the other's.
func Conflict(a, b string) bool { return Differ(Quantities(a), Quantities(b)) }

// Differ is Conflict for quantities already read.
func Differ(a, b []string) bool {
	return len(a) > 0 && len(b) > 0 && !within(a, b) && !within(b, a)
}

func within(a, b []string) bool {
	for _, v := range a {
		if !slices.Contains(b, v) {
			return false
		}
	}
	return true
}

// glue tells the letters that make a digit beside them part of a word.
func glue(r rune) bool {
	return r == '_' || (unicode.IsLetter(r) || unicode.IsDigit(r)) && !spaceless(r)
}

func isDigit(runes []rune, i int) bool { return i < len(runes) && runes[i] >= '0' && runes[i] <= '9' }

// digits is the end of the number at i: groups of exactly three after commas,
// then parts after points.
func digits(runes []rune, i int) int {
	for isDigit(runes, i) {
		i++
	}
	for i < len(runes) && runes[i] == ',' && isDigit(runes, i+1) && isDigit(runes, i+2) && isDigit(runes, i+3) && !isDigit(runes, i+4) {
		i += 4
	}
	for i < len(runes) && runes[i] == '.' && isDigit(runes, i+1) {
		for i++; isDigit(runes, i); i++ {
		}
	}
	return i
}

func trim(s string) string {
	s = strings.ReplaceAll(s, ",", "")
	if strings.Count(s, ".") == 1 {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	if s = strings.TrimLeft(s, "0"); s == "" || s[0] == '.' {
		s = "0" + s
	}
	return s
}

// spelled reads the number word in [from, to), with a unit after a tens word,
// and returns where reading goes on.
func spelled(runes []rune, from, to int, set map[string]bool) int {
	word := string(runes[from:to])
	n, ten := tens[word]
	if !ten {
		if u := slices.Index(units, word); u >= 0 {
			set[strconv.Itoa(u)] = true
		}
		return to
	}
	if n < 100 && to+1 < len(runes) && (runes[to] == ' ' || runes[to] == '-') {
		end := to + 1
		for end < len(runes) && glue(runes[end]) {
			end++
		}
		if u := slices.Index(units, string(runes[to+1:end])); u > 0 && u < 10 {
			set[strconv.Itoa(n+u)] = true
			return end
		}
	}
	set[strconv.Itoa(n)] = true
	return to
}
