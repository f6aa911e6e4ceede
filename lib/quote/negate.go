package quote

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"daimon/lib/canon"
	"daimon/lib/lang"
)

// negations are words that turn a sentence round.
var negations = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(`not never no cannot nor neither none nobody nothing nowhere without cant dont wont doesnt didnt isnt arent
		wasnt shouldnt wouldnt couldnt mustnt n't
		nicht nie niemals kein keine keinen keinem keiner keines nichts niemand weder ohne
		nunca jamás ni tampoco ningún ninguno ninguna nada nadie sin
		não nem nenhum nenhuma jamais sem
		ne n pas aucun aucune rien personne sans non
		mai nessun nessuno nessuna niente
		niet geen nooit niets zonder nie nigdy żaden bez
		inte ikke aldrig aldri ingen inget intet ej
		не ни нет никогда нельзя без ні немає ніколи
		değil asla hiç yok hayır ei en emme älä eivät
		không đừng tidak jangan bukan لا لم لن ليس לא אל नहीं मत न نه`) {
		m[w] = true
	}
	return m
})

// denseNegations stand inside words, in scripts without spaces.
var denseNegations = []string{"不", "没", "沒", "未", "别", "別", "勿", "莫", "无", "無", "ない", "なく", "なかっ", "ません", "せず", "ずに",
	"않", "못", "없", "아니", "마세요", "지 마", "말고", "말아", "ไม่", "อย่า"}

// harmless hold such a sign without negating.
var harmless = sync.OnceValue(func() *strings.Replacer {
	var pairs []string
	for w := range strings.FieldsSeq(`不过 不過 不错 不錯 不仅 不僅 不但 不断 不斷 不同 差不多 未来 未來 特别 特別 个别 個別 分别 分別 级别 級別 区别 區別
		类别 類別 性别 性別 识别 識別 告别 别人 別人 無事 もちろんない 少なく`) {
		pairs = append(pairs, w, "")
	}
	return strings.NewReplacer(pairs...)
})

// negates tells whether a piece of text holds a negation.
func negates(s string) bool {
	s = canon.Fold(strings.ReplaceAll(s, "’", "'"))
	words := strings.FieldsFunc(s, func(r rune) bool { return r != '\'' && !unicode.IsLetter(r) && !unicode.IsMark(r) })
	for _, w := range words {
		bare := strings.Trim(w, "'")
		if negations()[bare] || strings.HasSuffix(bare, "n't") || strings.HasPrefix(bare, "n'") || bare == "안" {
			return true
		}
	}
	s = harmless().Replace(s)
	for _, n := range denseNegations {
		if strings.Contains(s, n) {
			return true
		}
	}
	return false
}

// turned tells whether the ellipsis between two pieces of a quote hides a
// negation of what they say: in the rest of the clause in which the first one
// stands, or right before the second one. A negation in a clause that is left
// out whole turns nothing round.
func (f *form) turned(before, after extent) bool {
	if before.end >= after.start {
		return false
	}
	skipped := f.src[before.end:after.start]
	if !strings.ContainsRune(clauseMarks, runeBefore(f.src, before.end)) && negates(skipped[:clauseEnd(skipped)]) {
		return true
	}
	return negates(lastWords(skipped[sentenceStart(skipped):]))
}

const (
	sentenceMarks = ".!?\n。！？"
	clauseMarks   = sentenceMarks + ",;:()，、；：（）—–"
)

func clauseEnd(s string) int {
	for i, r := range s {
		if strings.ContainsRune(clauseMarks, r) && !inWord(s, i, r) {
			return i
		}
	}
	return len(s)
}

func sentenceStart(s string) int {
	start := 0
	for i, r := range s {
		if strings.ContainsRune(sentenceMarks, r) && !inWord(s, i, r) {
			start = i + utf8.RuneLen(r)
		}
	}
	return start
}

// inWord tells a point, comma or colon inside a number or a name.
func inWord(s string, i int, r rune) bool {
	return r < utf8.RuneSelf && r != '\n' && isWord(runeBefore(s, i)) && isWord(runeAfter(s, i+1))
}

// near is how many words before a piece a negation reaches it: "not to deploy".
const near = 2

func lastWords(s string) string {
	if strings.IndexFunc(s, lang.Letter) >= 0 {
		runes := []rune(strings.TrimSpace(s))
		return string(runes[max(0, len(runes)-2*near):])
	}
	words := strings.Fields(s)
	return strings.Join(words[max(0, len(words)-near):], " ")
}

// whole tells whether a range of the source is all that is said in a sentence, a
// line or the message.
func (f *form) whole(m extent) bool {
	for _, s := range append(f.sentences(), extent{0, len(f.src)}) {
		if s.start <= m.end && m.start <= s.end && mute(f.src[s.start:max(s.start, m.start)]) && mute(f.src[min(s.end, m.end):s.end]) {
			return true
		}
	}
	return false
}

// mute tells whether a text has no word in it.
func mute(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) < 0
}

func (f *form) sentences() []extent {
	if f.said == nil {
		f.said = sentences(f.src)
	}
	return f.said
}
