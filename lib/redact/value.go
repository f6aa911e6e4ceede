package redact

import (
	"strings"
	"sync"
)

// looked is how much of a value the rules look at, in bytes.
const looked = 256

func set(words string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		m := map[string]bool{}
		for w := range strings.FieldsSeq(words) {
			m[w] = true
		}
		return m
	})
}

// about are last words of names that tell something about a secret; more are
// last words under which it still is the secret itself.
var (
	about = set(`count counts limit limits len length size budget type name url uri path file dir ttl exp expiry
		expires expiration usage id ids policy provider manager store ref arn index kind prefix suffix format pattern
		regex scope scopes endpoint header field env var rotation min max per window bucket age days hours seconds minutes
		enabled required rounds cost algo algorithm mode version source backend class timeout lifetime total used in out at`)
	more = set(`key keys value val secret token tokens password pass passwd prod dev test staging live current new old
		primary secondary master root admin user db database base64 b64 string plain plaintext hex raw default`)
)

// vocabulary are words that stand after a secret's name without being one.
var vocabulary = set(`string str bytes text number integer boolean optional required undefined disabled enabled invalid
	expired missing unknown incorrect wrong empty redacted hidden masked removed none null true false default example
	token tokens password passwords secret secrets key keys access refresh bearer auth authentication authorization
	user username account session client server value header cookie name type field rotation rotated rotate
	generated required plaintext hashed hash encrypted encryption storage manager vault config configuration env
	environment variable reset change changed update updated create created delete deleted verify verified valid
	validation validated policy provider service request response error failed failure success login logout
	anypassword something whatever placeholder readonly protected private public static const async await import`)

// plausible tells whether the value can be the secret that the name promises.
func (f *found) plausible() bool {
	v := f.value[:min(len(f.value), looked)]
	sh := shapeOf(v)
	if strings.HasPrefix(v, mark) || sh.alnum < 4 || placeholder(v) {
		return false
	}
	if f.quoted && sh.space {
		return f.phrase(v)
	}
	least := 8
	if f.family != token && sh.mixed() {
		least = 6
	}
	switch {
	case len(v) < least, strings.Contains(v, "://"), f.family != token && vocabulary()[strings.ToLower(v)]:
		return false
	case strings.HasPrefix(v, "/"), strings.HasPrefix(v, "~/"), strings.HasPrefix(v, "./"), strings.HasPrefix(v, "../"):
		return f.family == password && !strings.Contains(v[1:], "/") && sh.digit
	case f.plural() && (sh.numeric() || f.tie != equals && !(sh.mixed() && len(v) >= 16)):
		return false
	case !sh.digit && known(v):
		return false
	case f.quoted:
		return f.tie != prose || sh.mixed() && !technical(v)
	case f.tie == compare, f.expression(v, sh):
		return false
	}
	return f.bareOK(v, sh)
}

// bareOK judges a value without quotes by how it is tied to its name.
func (f *found) bareOK(v string, sh form) bool {
	switch f.tie {
	case prose, flag:
		return len(v) >= 6 && sh.mixed() && !technical(v) && !strings.HasPrefix(v, "-")
	case colon:
		if sh.digit || sh.symbol {
			return !(sh.plainWords() && !sh.digit)
		}
		return f.family == password && (f.behind == 0 || f.behind == '\n' || f.behind == '\\') ||
			(f.family == password || f.family == passphrase) && longWord(v)
	case equals:
		if sh.digit || sh.symbol && !sh.plainWords() {
			return true
		}
		identifier := strings.Contains(v, "_") || strings.ToLower(v) != v
		return !f.spaced && f.behind != ')' && (f.capitals() || !identifier)
	}
	return false
}

// minWord is how long a word without digits must be to be taken for a password
// inside a sentence.
const minWord = 12

// endings are those of English words that long, which may follow "password:" in
// prose.
var endings = []string{"tion", "tions", "ment", "ments", "ing", "ings", "ity", "ities", "able", "ible", "ally", "ly", "ness", "ance", "ence",
	"ical", "ational", "ated", "ised", "ized", "sible", "rected", "sive", "ship", "ability", "ers", "ors", "less", "ful"}

// longWord tells whether v is one run of letters that is no word of prose or
// code: too long, in one case or in both at random, without a usual ending.
func longWord(v string) bool {
	if len(v) < minWord || run(v, 0, isLetter) != len(v) {
		return false
	}
	capitals := 0
	for i := 1; i < len(v); i++ {
		if isUpper(v[i]) {
			capitals++
		}
	}
	if capitals > 0 && capitals < len(v)-1 {
		return capitals >= len(v)/3 && capitals <= len(v)*3/4
	}
	for _, e := range endings {
		if len(v) < 2*minWord && strings.HasSuffix(strings.ToLower(v), e) {
			return false
		}
	}
	return true
}

// expression tells source code from a value: a call, an index, a member, a type.
func (f *found) expression(v string, sh form) bool {
	n := run(v, 0, isWord)
	head := v[:n]
	switch {
	case strings.IndexByte("([{|,", v[0]) >= 0, v[0] == '!' && run(v, 1, isLetter) == len(v):
		return true
	case n == 0 || n == len(v):
		return false
	case f.tie == equals && f.spaced && (v[n] == '*' || v[n] == '+') && n+1 < len(v) && run(v, n+1, isWord) == len(v):
		return true
	case v[n] == '(' || v[n] == '[':
		return f.spaced || f.tie == colon || strings.ContainsAny(v[n:], ")]") || f.behind == ' ' || isQuote(f.behind)
	case v[n] == '.' && !hasDigit(head):
		rest := v[n+1:]
		return run(rest, 0, func(c byte) bool { return isWord(c) || strings.IndexByte(".,()[]?!:", c) >= 0 }) == len(rest)
	}
	return false
}

// plural tells a count of tokens from a token.
func (f *found) plural() bool {
	return f.family == token && (strings.HasSuffix(f.name, "s") || strings.HasSuffix(f.name, "S"))
}

// phrase judges a quoted value of several words. Messages about passwords are
// common; only a passphrase may be made of plain words.
func (f *found) phrase(v string) bool {
	if f.tie == prose || f.family == token || f.family == directory {
		return false
	}
	for w := range strings.FieldsSeq(v) {
		if sh := shapeOf(w); len(w) >= 5 && sh.mixed() && !technical(w) {
			return true
		}
	}
	return f.family == passphrase && strings.Count(v, " ") >= 2 && !strings.ContainsAny(v, ".?!:")
}

// form is what kinds of bytes a value has.
type form struct {
	n, alnum                     int
	letter, digit, symbol, space bool
	joined                       bool // has - or _ or . or /
}

func shapeOf(v string) form {
	f := form{n: len(v)}
	for i := range len(v) {
		switch c := v[i]; {
		case isLetter(c) || c >= 0x80:
			f.letter = true
			f.alnum++
		case isDigit(c):
			f.digit = true
			f.alnum++
		case isSpace(c):
			f.space = true
		case strings.IndexByte("-_./,", c) >= 0:
			f.joined = true
		default:
			f.symbol = true
		}
	}
	return f
}

func (f form) numeric() bool    { return !f.letter }
func (f form) mixed() bool      { return f.letter && (f.digit || f.symbol) }
func (f form) plainWords() bool { return !f.symbol && !f.digit }

// known tells whether every piece of v is letters and one of them is a word that
// people write after such names.
func known(v string) bool {
	for piece := range strings.FieldsFuncSeq(strings.ToLower(kebabWords(v)), func(r rune) bool { return strings.ContainsRune("-_./, ;)(", r) }) {
		if vocabulary()[piece] {
			return true
		}
	}
	return false
}

// kebabWords splits camel case, but leaves capitals in a row alone.
func kebabWords(v string) string {
	if strings.ToUpper(v) == v {
		return v
	}
	return kebab(v)
}

// technical tells names of algorithms and measures, which mix letters and
// digits, from a password: sha256, 32-byte, v2, RS256-signed.
func technical(v string) bool {
	low := strings.ToLower(v)
	for _, p := range []string{"sha", "md5", "base64", "base32", "utf", "hs256", "rs256", "es256", "http", "oauth", "aes", "bcrypt", "argon2", "pbkdf2", "scrypt", "ed25519", "uuid", "ascii"} {
		if strings.HasPrefix(low, p) {
			return true
		}
	}
	n := run(low, 0, func(c byte) bool { return isDigit(c) || c == '.' || c == '~' || c == '<' || c == '>' })
	rest := strings.TrimLeft(low[n:], "-")
	if n > 0 && run(rest, 0, isLetter) == len(rest) {
		return len(rest) > 2 || rest == "" || len(low) < 8 // 32-byte, 10min, 5s
	}
	return strings.HasPrefix(low, "v") && len(low) < 8 && run(low, 1, func(c byte) bool { return isDigit(c) || c == '.' }) == len(low)
}

// placeholder tells what stands for a secret from the secret: $VAR, ${VAR}, <x>,
// {{ x }}, %s, ****, xxxx, your-key-here.
func placeholder(v string) bool {
	if v == "" {
		return true
	}
	low := strings.ToLower(v)
	switch {
	case strings.HasPrefix(v, "${"), strings.HasPrefix(v, "$("), strings.HasPrefix(v, "{"), strings.HasPrefix(v, "<"),
		strings.HasPrefix(v, "%("), v == "%s", v == "%v", strings.HasPrefix(v, "..."), strings.HasPrefix(v, "…"),
		strings.HasPrefix(low, "your-"), strings.HasPrefix(low, "your_"), strings.HasPrefix(low, "xxx"):
		return true
	case v[0] == '$':
		name := v[1:]
		return run(name, 0, isWord) == len(name) && (!hasDigit(name) || strings.ToUpper(name) == name)
	case v[0] == '%' && len(v) > 2 && v[len(v)-1] == '%':
		return true
	}
	return strings.Trim(v, v[:1]) == "" && (len(v) > 3 || !isAlnum(v[0]))
}
