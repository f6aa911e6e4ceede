// Package canon gives a text its canonical form, its content key, and an item
// its id. All three are interfaces: a store written by the Python Daimon has the
// same keys and ids.
package canon

import (
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// EmptyKey is the content key of a blank text.
const EmptyKey = "e3b0c44298fc1c14"

// keyRunes is how much of the canonical text a key covers.
const keyRunes = 4096

// Visible removes the characters that are drawn as nothing, so that they
// cannot make two equal texts differ.
func Visible(s string) string {
	return strings.Map(func(r rune) rune {
		if invisible(r) {
			return -1
		}
		return r
	}, s)
}

func invisible(r rune) bool {
	switch {
	case r < 0xAD:
		return false
	case r == 0xAD, r == 0x34F, r == 0xFEFF, r == 0xFFFC, r == 0xFFFD,
		r >= 0x180B && r <= 0x180D, r >= 0x200B && r <= 0x200F,
		r >= 0x2060 && r <= 0x2064, r >= 0x2066 && r <= 0x2069,
		r >= 0xFE00 && r <= 0xFE0F, r >= 0xE0000 && r <= 0xE007F:
		return true
	}
	return false
}

// lookalikes are lower-case Cyrillic and Greek letters drawn like Latin ones.
var lookalikes = strings.NewReplacer(
	"а", "a", "е", "e", "о", "o", "р", "p", "с", "c", "у", "y", "х", "x",
	"і", "i", "һ", "h", "ԁ", "d", "ѕ", "s", "т", "t", "м", "m", "ј", "j",
	"ο", "o", "α", "a", "ι", "i", "ν", "v", "ρ", "p", "χ", "x", "υ", "u", "κ", "k",
)

// Text is the canonical form: compatibility form, invisible characters out,
// white space and control runs to one space, case folded, look-alikes to Latin.
// It is a fixed point: Text(Text(s)) == Text(s). Two passes reach it; the bound
// only keeps a future table from hanging a caller.
func Text(s string) string {
	for range 4 {
		next := pass(s)
		if next == s {
			break
		}
		s = next
	}
	return s
}

func pass(s string) string {
	s = norm.NFKC.String(Visible(norm.NFKC.String(s)))
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || r < 0x20 || r >= 0x7F && r <= 0x9F
	}), " ")
	return lookalikes.Replace(Fold(s))
}

// Fold is full Unicode case folding. Cherokee, whose capitals fold to
// themselves, is put right: x/text folds it back and forth.
func Fold(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 0xAB70 && r <= 0xABBF:
			return r - 0xAB70 + 0x13A0
		case r >= 0x13F8 && r <= 0x13FD:
			return r - 8
		}
		return r
	}, cases.Fold().String(s))
}

// Key is the content key of a text: 16 hex digits of SHA-256 over the first
// 4,096 characters of its canonical form. Longer texts that begin alike share a
// key; a promise to forget may cover too much, never too little.
func Key(s string) string { return keyOf(Text(s)) }

func keyOf(c string) string {
	if utf8.RuneCountInString(c) > keyRunes {
		c = string([]rune(c)[:keyRunes])
	}
	sum := sha256.Sum256([]byte(c))
	return hex.EncodeToString(sum[:])[:16]
}

// ID is the id of an item: the first letter of its list's key, a hyphen, and
// SHA-1 of "key:text" at the first width of 12, 16, 24 and 40 digits that taken
// does not hold; after those, the shortest with -2, -3 and so on.
func ID(listKey, text string, taken func(id string) bool) string {
	sum := sha1.Sum([]byte(listKey + ":" + text))
	digest := hex.EncodeToString(sum[:])
	for _, width := range []int{12, 16, 24, 40} {
		if id := listKey[:1] + "-" + digest[:width]; !taken(id) {
			return id
		}
	}
	for n := 2; ; n++ {
		if id := fmt.Sprintf("%s-%s-%d", listKey[:1], digest[:12], n); !taken(id) {
			return id
		}
	}
}

// IsID tells whether s has the shape of an item id: a lower-case letter, a
// hyphen, 6 to 40 hex digits, and perhaps a counter.
func IsID(s string) bool {
	if len(s) < 8 || s[0] < 'a' || s[0] > 'z' || s[1] != '-' {
		return false
	}
	digits, counter, counted := strings.Cut(s[2:], "-")
	if len(digits) < 6 || len(digits) > 40 || strings.Trim(digits, "0123456789abcdef") != "" {
		return false
	}
	return !counted || counter != "" && strings.Trim(counter, "0123456789") == ""
}
