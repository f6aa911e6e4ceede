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

// target is the words of what a decision replaces: the old decision's, else
// what the sentence itself says it is instead of.
func target(s *sentence) string {
	if n := len(s.replaces); n > 0 {
		return s.replaces[n-1].text
	}
	if !s.has(cueScrap) {
		return ""
	}
	rest := s.text[s.after[cueScrap]:]
	if i := strings.IndexAny(rest, ",;.:"); i >= 0 {
		rest = rest[:i]
	}
	rest = strings.TrimFunc(rest, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsPunct(r) && r != '`' })
	if utf8.RuneCountInString(rest) < 3 || len(words(fold(rest))) == 0 {
		return s.text
	}
	return rest
}

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
