package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// because is the stated reason in a sentence: what follows a word that begins
// one, to the end; "" when there is none. Japanese and Korean put the word
// after the reason, where its beginning cannot be told.
func because(s *sentence) string {
	if !s.has(cueBecause) || s.lex.tag == "ja" || s.lex.tag == "ko" {
		return ""
	}
	end := strings.TrimRight(s.text, " .!。！*_")
	at := int(s.after[cueBecause])
	if at >= len(end) {
		return ""
	}
	start, stop := trim(end, at, len(end))
	if !whole(end[start:stop], s.lex.dense) {
		return ""
	}
	return end[start:stop]
}

// target is the words of what a decision replaces: the old decision's, else what
// its sentence takes back; "" when it replaces nothing. More than a few words
// describe the old one rather than name it, and then all words of the decision
// tell better which is meant.
func (k *talk) target(c *candidate) string {
	if n := len(c.replaces); n > 0 {
		return c.replaces[n-1].text
	}
	if !c.has(cueScrap) {
		return ""
	}
	if old := undone(c.sentence); old != "" && len(words(fold(old))) <= terse {
		return old
	}
	return k.quote(c)
}

// undone is the rest of the clause after the words that take something back, or
// its beginning where those come last; "" when neither names anything.
func undone(s *sentence) string {
	const marks = ",;.:、。，；"
	rest := s.text[s.after[cueScrap]:]
	if i := strings.IndexAny(rest, marks); i >= 0 {
		rest = rest[:i]
	}
	if rest = bare(rest); names(rest) {
		return rest
	}
	rest = s.text[:s.first[cueScrap]]
	if i := strings.LastIndexAny(rest, marks); i >= 0 {
		_, n := utf8.DecodeRuneInString(rest[i:])
		rest = rest[i+n:]
	}
	if rest = bare(rest); names(rest) {
		return rest
	}
	return ""
}

func bare(s string) string {
	return strings.TrimFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsPunct(r) && r != '`' })
}

func names(s string) bool { return utf8.RuneCountInString(s) >= 3 && len(words(fold(s))) > 0 }

// grave tells whether a folded text touches what is hard to take back.
func grave(s string) bool {
	for _, w := range [...]string{"prod", "migrat", "releas", "secur", "deploy", "delet", "lösch", "borr", "apag", "supprim", "sicherheit",
		"schema", "token", "passw", "backup", "удал", "прод", "видал", "本番", "削除", "生产", "删除", "운영", "삭제", "producción", "produção", "usun", "silin"} {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}
