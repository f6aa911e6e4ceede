package recall

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// fold is compatibility form in lower case, without accents.
func fold(s string) string {
	if plain(s) {
		return strings.ToLower(s)
	}
	return strings.ToLower(norm.NFC.String(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFKD.String(s))))
}

func plain(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// units are the words of a text, folded: each token whole, and the parts of one
// joined by _ - . / : or by capitals.
func units(text string) map[string]bool {
	out := map[string]bool{}
	for _, token := range strings.FieldsFunc(text, func(r rune) bool {
		return !searchable(r) && !strings.ContainsRune("_-./:", r) && !unicode.Is(unicode.M, r)
	}) {
		out[fold(strings.Trim(token, "-./:"))] = true
		for _, part := range strings.FieldsFunc(camel(token), func(r rune) bool { return !searchable(r) && !unicode.Is(unicode.M, r) }) {
			out[fold(part)] = true
		}
	}
	return out
}

// camel puts a space between a lower-case letter and the capital after it.
func camel(s string) string {
	var b strings.Builder
	var last rune
	for _, r := range s {
		if unicode.IsUpper(r) && unicode.IsLower(last) {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
		last = r
	}
	return b.String()
}

var endings = []string{"ings", "edly", "ing", "ies", "ers", "est", "ed", "es", "er", "ly", "s", "d"}

// variants are the spellings under which a prompt's term is looked for, so that
// caching finds cache and policy finds policies.
func variants(term string) []string {
	out := []string{term, term + "s", term + "es"}
	for _, e := range endings {
		out = append(out, term+e)
		stem, ok := strings.CutSuffix(term, e)
		if !ok || len([]rune(stem)) < 3 {
			continue
		}
		out = append(out, stem)
		switch e {
		case "ies":
			out = append(out, stem+"y")
		case "es", "ed", "er", "est", "ing":
			out = append(out, stem+"e")
		}
	}
	if stem, ok := strings.CutSuffix(term, "y"); ok {
		out = append(out, stem+"ies")
	}
	if stem, ok := strings.CutSuffix(term, "e"); ok {
		out = append(out, stem+"ing", stem+"ings")
	}
	return out
}

// credit lists the terms that a text holds as words. A term of a script without
// spaces counts wherever it stands.
func credit(terms []string, text string) []string {
	have := units(text)
	whole := ""
	var out []string
	for _, term := range terms {
		if strings.ContainsFunc(term, isJoined) {
			if whole == "" {
				whole = fold(text)
			}
			if strings.Contains(whole, term) {
				out = append(out, term)
			}
			continue
		}
		for _, v := range variants(term) {
			if have[v] {
				out = append(out, term)
				break
			}
		}
	}
	return out
}
