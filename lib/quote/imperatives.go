package quote

import (
	"slices"
	"strings"
	"sync"
	"unicode"

	"daimon/lib/lang"
)

// imperative is a word or phrase that states a rule. Where the same word means
// something else in another language, in names the one language it counts in.
type imperative struct{ phrase, in string }

// imperatives are matched as whole words of the folded sentence; those in
// scripts without spaces anywhere in it.
var imperatives = []imperative{
	{"must", ""}, {"never", ""}, {"do not", ""}, {"don't", ""}, {"dont", ""}, {"always", ""},
	{"forbidden", ""}, {"prohibited", ""}, {"cannot", ""}, {"not allowed", ""}, {"banned", ""},

	{"nunca", ""}, {"siempre", ""}, {"jamás", ""}, {"no debes", ""}, {"no se debe", ""}, {"hay que", ""},
	{"prohibido", ""}, {"prohibida", ""}, {"está prohibido", ""}, {"no hagas", ""}, {"que nadie", ""},

	{"sempre", ""}, {"proibido", ""}, {"não pode", ""}, {"não deve", ""}, {"jamais", "pt"}, {"de jeito nenhum", ""},

	{"jamais", "fr"}, {"toujours", "fr"}, {"interdit", ""}, {"interdite", ""}, {"il ne faut pas", ""}, {"ne doit", ""}, {"ne doivent", ""},

	{"nie", "de"}, {"niemals", ""}, {"immer", "de"}, {"muss", ""}, {"müssen", ""}, {"darf nicht", ""}, {"dürfen nicht", ""},
	{"verboten", ""}, {"auf keinen fall", ""},

	{"mai", "it"}, {"vietato", ""}, {"non devi", ""}, {"non si deve", ""}, {"non deve", ""}, {"bisogna", ""},

	{"nooit", ""}, {"altijd", ""}, {"verboden", ""}, {"moet", "nl"}, {"moeten", "nl"}, {"mag niet", ""},

	{"nigdy", ""}, {"zawsze", ""}, {"nie wolno", ""}, {"zabronione", ""}, {"musi", "pl"},

	{"никогда", ""}, {"всегда", ""}, {"нельзя", ""}, {"запрещено", ""}, {"обязательно", ""},
	{"ніколи", ""}, {"завжди", ""}, {"не можна", ""}, {"заборонено", ""}, {"обов'язково", ""},

	{"asla", ""}, {"her zaman", ""}, {"yasak", ""}, {"kesinlikle", ""},

	{"絶対に", ""}, {"必ず", ""}, {"決して", ""}, {"禁止", ""}, {"しないでください", ""}, {"してはいけない", ""},
	{"不要", "zh"}, {"必须", ""}, {"永远", ""}, {"绝不", ""}, {"绝对不", ""}, {"不许", ""}, {"不准", ""}, {"不得", "zh"}, {"千万别", ""}, {"一律", ""},
	{"절대", ""}, {"반드시", ""}, {"항상", ""}, {"금지입니다", ""}, {"금지합니다", ""}, {"금지다", ""}, {"금지예요", ""}, {"하지 마", ""}, {"안 됩니다", ""}, {"안 돼", ""},
}

// excused are phrases in which such a word states no rule.
var excused = []string{"si jamais", "toujours pas", "como siempre", "como sempre", "wie immer", "as always", "don't know", "dont know",
	"i don't think", "don't care", "dont care", "never mind", "i don't", "i dont", "we don't", "cannot say", "i've never", "i have never", "i never", "never seen", "never heard", "you must be", "must have been"}

// phrases are the imperatives by their first word, those without spaces apart,
// and the excused ones marked.
type phrases struct {
	byWord map[string][]phrase
	dense  []imperative
}

type phrase struct {
	words   []string
	in      string
	excused bool
}

var known = sync.OnceValue(func() phrases {
	p := phrases{byWord: map[string][]phrase{}}
	add := func(text, in string, excused bool) {
		words := strings.Fields(text)
		p.byWord[words[0]] = append(p.byWord[words[0]], phrase{words, in, excused})
	}
	for _, x := range excused { // first, so that they are found first
		add(x, "", true)
	}
	for _, i := range imperatives {
		if strings.IndexFunc(i.phrase, lang.Letter) >= 0 {
			p.dense = append(p.dense, i)
			continue
		}
		add(i.phrase, i.in, false)
	}
	return p
})

// stated tells whether a sentence states a rule. tag is called for the language
// when it matters.
func stated(sentence string, tag func() string) bool {
	sentence = strings.ReplaceAll(strings.ToLower(sentence), "’", "'")
	words := strings.FieldsFunc(sentence, func(r rune) bool {
		return r != '\'' && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	})
	for i := 0; i < len(words); {
		p := match(words[i:], tag)
		switch {
		case p == nil:
			i++
		case p.excused:
			i += len(p.words)
		default:
			return true
		}
	}
	if strings.IndexFunc(sentence, lang.Letter) < 0 {
		return false
	}
	sentence = strings.ReplaceAll(sentence, "不要了", "")
	for _, i := range known().dense {
		if strings.Contains(sentence, i.phrase) && (i.in == "" || i.in == tag()) {
			return true
		}
	}
	return false
}

func match(words []string, tag func() string) *phrase {
	list := known().byWord[words[0]]
	for i := range list {
		p := &list[i]
		if len(p.words) <= len(words) && slices.Equal(p.words, words[:len(p.words)]) && (p.in == "" || p.in == tag()) {
			return p
		}
	}
	return nil
}
