package view

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"daimon/lib/canon"
)

// ownTags begin what Daimon prints about an item in square brackets, folded as
// [canon.Text] does.
var ownTags = []string{"said by", "pinned rule", "carried]", "quote not found", "unproven", "verbatim]", "inferred]", "untagged]"}

// ticks may stand for the mark of a verbatim item.
const ticks = "✓✔☑✅√"

// untag turns the bracket that opens an imitation of a mark, a tag or a handle
// into a round one.
func untag(s string) string {
	if !strings.ContainsAny(s, "[［") {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for i, r := range s {
		if (r == '[' || r == '［') && imitates(s[i+utf8.RuneLen(r):]) {
			r = '('
		}
		b.WriteRune(r)
	}
	return b.String()
}

// maxTag is how many bytes behind a bracket are looked at.
const maxTag = 96

// imitates tells whether the text behind a bracket reads like one of Daimon's
// own marks, whatever its case, spacing and look-alike letters.
func imitates(rest string) bool {
	if len(rest) > maxTag {
		rest = strings.ToValidUTF8(rest[:maxTag], "")
	}
	inside, _, closed := strings.Cut(canon.Text(rest), "]")
	inside = strings.TrimSpace(inside)
	if strings.IndexAny(inside, ticks) == 0 || closed && canon.IsID(inside) {
		return true
	}
	tag := strings.TrimLeft(inside, "~? ")
	if first, _ := utf8.DecodeRuneInString(tag); tag != inside && unicode.IsLetter(first) {
		return true
	}
	if closed {
		tag += "]"
	}
	for _, t := range ownTags {
		if strings.HasPrefix(tag, t) {
			return true
		}
	}
	return false
}
