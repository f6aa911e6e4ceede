package redact

import (
	"strings"
	"unicode/utf8"
)

// family is what a keyword names. Passwords are chosen by people and may be short.
type family int

const (
	token family = iota
	password
	passphrase
	directory // pwd: a password, or the working directory
)

type keyword struct {
	word string // lower case
	family
}

var keywords = [...]keyword{
	{"apikey", token}, {"api_key", token}, {"api-key", token}, {"api key", token},
	{"access_key", token}, {"access-key", token}, {"accesskey", token}, {"accountkey", token},
	{"private_key", token}, {"private-key", token}, {"privatekey", token},
	{"secret", token}, {"token", token},
	{"password", password}, {"passwd", password}, {"passphrase", passphrase}, {"pwd", directory},
	{"passwort", password}, {"contraseña", password}, {"contrasena", password},
	{"senha", password}, {"mot de passe", password},
}

func groupKeywords() map[string][]keyword {
	out := map[string][]keyword{}
	for _, k := range keywords {
		out[k.word[:2]] = append(out[k.word[:2]], k)
	}
	return out
}

// tie is how a name and its value are joined.
type tie int

const (
	colon   tie = iota
	equals      // =, with or without space
	compare     // == or ===
	prose       // "is" and the like
	flag        // --password X
)

// found is a name and what seems to be its value.
type found struct {
	family
	name           string // whole, as written
	tie            tie
	spaced         bool // white space before the value's sign, or after =
	quoted         bool
	query          bool // stands in the query of a URL
	value          string
	start          int // of the value
	before, behind byte
}

// matchName masks the value that a secret's name introduces. The name may go on
// before the keyword as long as it likes; after it, only with a known word.
func (sc *scanner) matchName(i int, words []keyword) (span, bool) {
	if i < sc.masked {
		return span{}, false
	}
	for _, k := range words {
		if !hasFold(sc.s, i, k.word) {
			continue
		}
		f, ok := sc.assignment(i, k)
		if !ok || !f.plausible() {
			return span{}, false
		}
		sc.masked = f.start + len(f.value)
		return span{f.start, sc.masked, apiKey}, true
	}
	return span{}, false
}

// assignment reads name, sign and value around a keyword.
func (sc *scanner) assignment(i int, k keyword) (found, bool) {
	s := sc.s
	f := found{family: k.family}
	start := i
	for start > 0 && i-start < 64 && isURLSafe(s[start-1]) {
		start--
	}
	end := i + len(k.word)
	stop := run(s[:min(len(s), end+48)], end, isURLSafe)
	f.name = s[start:stop]
	if start > 0 {
		f.before = s[start-1]
	}
	f.query = f.before == '?' || f.before == '&'
	at, ok := f.sign(s, stop)
	if !ok || !suffix(s[i:end], s[end:stop], f.tie == equals && !f.spaced && f.capitals()) {
		return f, false
	}
	return f, sc.read(&f, at)
}

// sign reads what ties the name to the value and returns where the value begins.
func (f *found) sign(s string, at int) (int, bool) {
	name := at
	for at < len(s) && at-name < 4 && (isQuote(s[at]) || s[at] == '*') {
		at++
	}
	sep := blanks(s, at, 12)
	if sep >= len(s) {
		return 0, false
	}
	f.spaced = sep > at
	rest := s[sep:min(len(s), sep+4)]
	after := 0
	switch {
	case strings.HasPrefix(rest, "==="):
		f.tie, after = compare, 3
	case strings.HasPrefix(rest, "=="):
		f.tie, after = compare, 2
	case strings.HasPrefix(rest, "=~"), strings.HasPrefix(rest, "::"):
		return 0, false
	case strings.HasPrefix(rest, "=>"), strings.HasPrefix(rest, ":="):
		f.tie, after = equals, 2
	case rest[0] == '=':
		f.tie, after = equals, 1
	case rest[0] == ':':
		f.tie, after = colon, 1
	default:
		return f.spoken(s, sep)
	}
	value := blanks(s, sep+after, 12)
	f.spaced = f.spaced || f.tie == equals && value > sep+after
	return value, true
}

// spoken reads the ties that are words, and the blank after a command's flag.
func (f *found) spoken(s string, at int) (int, bool) {
	if !f.spaced {
		return 0, false
	}
	if strings.HasPrefix(f.name, "--") {
		f.tie = flag
		return at, true
	}
	f.tie = prose
	for _, w := range []string{"is ", "was ", "is: ", "es ", "ist ", "est ", "é "} {
		if hasFold(s, at, w) {
			return blanks(s, at+len(w), 4), true
		}
	}
	return 0, false
}

// capitals tells whether the name is written like an environment variable.
func (f *found) capitals() bool { return strings.ToUpper(f.name) == f.name }

// suffix tells whether a name that goes on after its keyword still names the
// secret and not something about it. Environment variables may go on with
// anything but such a word.
func suffix(word, rest string, env bool) bool {
	if rest == "" || rest == "s" || rest == "S" {
		return true
	}
	camel := isUpper(rest[0]) && !isUpper(word[len(word)-1])
	low := strings.ToLower(rest)
	if !camel && rest[0] != '_' && rest[0] != '-' && !isDigit(rest[0]) && low != "key" {
		return false
	}
	if camel {
		rest = kebab(rest)
	}
	parts := strings.FieldsFunc(strings.ToLower(rest), func(r rune) bool { return r == '_' || r == '-' })
	if len(parts) == 0 {
		return true
	}
	last := strings.Trim(parts[len(parts)-1], "0123456789")
	if env {
		return !about()[last]
	}
	return last == "" || more()[last]
}

func kebab(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if isUpper(s[i]) {
			b.WriteByte('-')
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// read takes the value: what stands between quotes, else all up to white space.
func (sc *scanner) read(f *found, at int) bool {
	s := sc.s
	for at < len(s) && s[at] == '*' && at+1 < len(s) && (s[at+1] == '*' || s[at+1] == ' ') {
		at++ // the end of markdown's bold
	}
	at = blanks(s, at, 4)
	if at+1 < len(s) && strings.IndexByte("bfrBFR", s[at]) >= 0 && (s[at+1] == '"' || s[at+1] == '\'') {
		at++
	}
	if q := opening(s, at); q != "" {
		from := at + len(q)
		if n := closing(s[from:min(len(s), from+maxQuoted)], q); n >= 0 {
			f.quoted, f.start, f.value = true, from, s[from:from+n]
			return true
		}
		if at = from; at < len(s) && strings.IndexByte("+,;)]} \n", s[at]) >= 0 {
			return false // that quote closed something: "PWD=" + dir
		}
	}
	if strings.HasPrefix(s[at:], "“") {
		at += len("“")
	}
	f.start = at
	end := sc.bare(at, f)
	f.value = s[at:end]
	if end < len(s) {
		f.behind = s[end]
	}
	return f.value != ""
}

// maxQuoted is how long a quoted value may be, in bytes.
const maxQuoted = 1 << 16

func opening(s string, at int) string {
	for _, q := range []string{`\"`, `\'`, `"`, `'`, "`"} {
		if strings.HasPrefix(s[at:], q) {
			return q
		}
	}
	return ""
}

// closing finds the end of a quoted value on the same line, or -1.
func closing(s, q string) int {
	for i := 0; i < len(s); i++ {
		switch {
		case strings.HasPrefix(s[i:], q):
			return i
		case s[i] == '\n':
			return -1
		case s[i] == '\\' && len(q) == 1:
			i++
		}
	}
	return -1
}

// bare is the end of a value without quotes.
func (sc *scanner) bare(at int, f *found) int {
	s := sc.s
	if at < sc.tailStart || at >= sc.tailEnd {
		sc.tailStart, sc.tailEnd = at, at
		for sc.tailEnd < len(s) && !ends(s, sc.tailEnd) {
			sc.tailEnd++
		}
	}
	end := sc.tailEnd
	if f.query {
		if n := strings.IndexAny(s[at:min(end, at+maxQuoted)], "&#"); n >= 0 {
			end = at + n
		}
	}
	if n := strings.IndexByte(s[at:min(end, at+256)], ';'); n >= 0 && nextField(s[at+n+1:end]) {
		end = at + n
	}
	if !f.capitals() || f.tie != equals {
		if sc.foreign < at || sc.foreign > sc.tailEnd {
			sc.foreign = at + foreign(s[at:sc.tailEnd])
		}
		end = min(end, sc.foreign)
	}
	for end > at && strings.IndexByte(".,;:!?)]}>*", s[end-1]) >= 0 {
		end--
	}
	return end
}

// ends tells whether a bare value stops before byte i: at white space, a quote,
// an escape that stands for one of them, or a marker.
func ends(s string, i int) bool {
	c := s[i]
	if c == '[' && strings.HasPrefix(s[i:], mark) || isSpace(c) || c == '"' || c == '\'' || c == '`' || c == '<' {
		return true
	}
	return c == '\\' && i+1 < len(s) && strings.IndexByte("nrt\"'", s[i+1]) >= 0
}

// nextField tells whether rest is the next name=value of a connection string,
// or nothing.
func nextField(rest string) bool {
	n := run(rest, 0, isWord)
	return rest == "" || n > 0 && n < len(rest) && rest[n] == '='
}

// foreign is where a script without spaces between words takes over.
func foreign(v string) int {
	for i, r := range v {
		if r >= 0x2E80 || r >= 0x2000 && r <= 0x206F || r == utf8.RuneError {
			return i
		}
	}
	return len(v)
}
