package redact

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// hides tells whether s holds a character that is drawn as nothing.
func hides(s string) bool { return strings.IndexFunc(s, hidden) >= 0 }

// reveal is s without such characters, composed.
func reveal(s string) string {
	s = strings.Map(func(r rune) rune {
		if hidden(r) {
			return -1
		}
		return r
	}, s)
	return norm.NFKC.String(s)
}

// hidden characters are controls other than line breaks and tabs, direction
// marks, joiners, fillers, tags and the like: whoever prints the text later may
// drop them, and a key that they split is whole again.
func hidden(r rune) bool {
	switch {
	case r < 0x20:
		return r != '\n' && r != '\t' && r != '\r'
	case r < 0x7F:
		return false
	case r < 0xA0:
		return true
	case r < 0xAD, r > 0xAD && r < 0x34F, r > 0x34F && r < 0x600, r > 0x200F && r < 0x2028, r > 0x3164 && r < 0xFE00:
		return false
	case r == 0xFFFC, r == 0xFFFD:
		return true
	}
	return unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}
