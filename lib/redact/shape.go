package redact

import (
	"bytes"
	"encoding/base64"
	"strings"
)

// shape is a key that tells its issuer by a fixed prefix.
type shape struct {
	prefix   string
	kind     kind
	min, max int // bytes after the prefix; a longer run is no match, 0 is no limit
	class    func(byte) bool
	alone    bool // no word byte or hyphen may stand before it
	real     func(rest string) bool
}

func shapes() []shape {
	out := []shape{
		{"AKIA", awsKey, 16, 24, isUpperDigit, true, nil},
		{"ASIA", awsKey, 16, 24, isUpperDigit, true, nil},
		{"github_pat_", githubToken, 40, 0, isWord, false, nil},
		{"glpat-", gitlabToken, 20, 0, isURLSafe, false, nil},
		{"xapp-", slackToken, 20, 0, isAlnumDash, false, nil},
		{"whsec_", stripeKey, 20, 0, isAlnum, false, nil},
		{"npm_", npmToken, 36, 0, isAlnum, false, nil},
		{"hf_", hfToken, 30, 0, isAlnum, true, nil},
		{"dckr_pat_", dockerToken, 20, 0, isURLSafe, false, nil},
		{"dckr_oat_", dockerToken, 20, 0, isURLSafe, false, nil},
		{"pypi-", pypiToken, 50, 0, isURLSafe, true, nil},
		{"shpat_", vendorToken, 32, 0, isAlnum, false, nil},
		{"dop_v1_", vendorToken, 40, 0, isAlnum, false, nil},
		{"ya29.", vendorToken, 20, 0, isURLSafe, true, nil},
		{"AGE-SECRET-KEY-1", vendorToken, 40, 0, isUpperDigit, false, nil},
		{"sk-", openaiKey, 20, 0, isURLSafe, true, isOpenAI},
	}
	for _, c := range "oprsu" {
		out = append(out, shape{"gh" + string(c) + "_", githubToken, 36, 0, isAlnum, false, nil})
	}
	for _, c := range "abprse" {
		out = append(out, shape{"xox" + string(c) + "-", slackToken, 10, 0, isAlnumDash, false, nil})
	}
	for _, p := range []string{"sk", "rk", "pk"} {
		out = append(out, shape{p + "_live_", stripeKey, 8, 0, isAlnum, false, nil},
			shape{p + "_test_", stripeKey, 8, 0, isAlnum, false, hasDigit})
	}
	return append(out, shape{"AIza", googleKey, 35, 0, isURLSafe, false, nil})
}

// limit is how far a run is worth following.
func (sh shape) limit(n, from int) int {
	switch {
	case sh.kind == googleKey:
		return min(n, from+sh.min)
	case sh.max > 0:
		return min(n, from+sh.max+1)
	}
	return n
}

func isUpperDigit(c byte) bool { return isUpper(c) || isDigit(c) }
func isAlnumDash(c byte) bool  { return isAlnum(c) || c == '-' }

// isOpenAI keeps hyphenated words (sk-learn-pipeline-steps) out: a key has one
// long unbroken piece or several digits.
func isOpenAI(rest string) bool {
	digits, longest := 0, 0
	for piece := range strings.SplitSeq(rest, "-") {
		longest = max(longest, len(piece))
	}
	for i := range len(rest) {
		if isDigit(rest[i]) {
			digits++
		}
	}
	return longest >= 16 || digits >= 4
}

func groupShapes() map[string][]shape {
	out := map[string][]shape{}
	for _, sh := range shapes() {
		pair := strings.ToLower(sh.prefix[:2])
		out[pair] = append(out[pair], sh)
	}
	return out
}

func (sc *scanner) matchShapes(i int, list []shape) (span, bool) {
	s := sc.s
	if i < sc.shaped {
		return span{}, false
	}
	for _, sh := range list {
		if !strings.HasPrefix(s[i:], sh.prefix) || sh.alone && (!bounded(s, i) || i > 0 && s[i-1] == '-') {
			continue
		}
		from := i + len(sh.prefix)
		end := run(s[:sh.limit(len(s), from)], from, sh.class)
		n := end - from
		if n < sh.min || sh.max > 0 && (n > sh.max || end < len(s) && isWord(s[end])) {
			continue
		}
		if sh.real == nil || sh.real(s[from:min(end, from+256)]) {
			sc.shaped = end
			return span{i, end, sh.kind}, true
		}
	}
	return span{}, false
}

// maxLabel is the longest label of a PEM block.
const maxLabel = 64

// matchPEM masks a whole block, or all the rest when it has no end. The bare
// first line, named inside a sentence, is none.
func matchPEM(sc *scanner, i int) (span, bool) {
	s := sc.s
	start := i - 4
	if start < 0 || !strings.HasPrefix(s[start:], "-----BEGIN ") {
		return span{}, false
	}
	from := start + len("-----BEGIN ")
	to := run(s[:min(len(s), from+maxLabel)], from, func(c byte) bool { return isUpperDigit(c) || c == ' ' })
	label := s[from:to]
	if !strings.Contains(label, "KEY") && !strings.Contains(label, "CERTIFICATE") || !strings.HasPrefix(s[to:], "-----") {
		return span{}, false
	}
	body := to + 5
	if end := sc.endOfPEM(label, body); end > 0 {
		return span{start, end, pem}, true
	}
	next := blanks(s, body, 8)
	rest := s[next:min(len(s), next+40)]
	if rest == "" || isSpace(rest[0]) || rest[0] == '\\' || len(rest) == 40 && run(rest, 0, isToken) == 40 {
		return span{start, len(s), pem}, true
	}
	return span{}, false
}

// endOfPEM is the end of the line that closes a block, or 0. It looks through
// the rest of the text once a label, and for so many labels only.
func (sc *scanner) endOfPEM(label string, from int) int {
	if sc.endless[label] || len(sc.endless) > 100 {
		return 0
	}
	last := "-----END " + label + "-----"
	if n := strings.Index(sc.s[from:], last); n >= 0 {
		return from + n + len(last)
	}
	if sc.endless == nil {
		sc.endless = map[string]bool{}
	}
	sc.endless[label] = true
	return 0
}

// matchJWT masks three base64url parts of which two begin like {" .
func matchJWT(sc *scanner, i int) (span, bool) {
	s := sc.s
	if !strings.HasPrefix(s[i:], "eyJ") || i > 0 && isURLSafe(s[i-1]) && !bounded(s, i) {
		return span{}, false
	}
	one := run(s, i, isURLSafe)
	if one-i < 8 || !strings.HasPrefix(s[one:], ".eyJ") {
		return span{}, false
	}
	two := run(s, one+1, isURLSafe)
	if two >= len(s) || s[two] != '.' {
		return span{}, false
	}
	return span{i, run(s, two+1, isURLSafe), jwt}, true
}

// matchBearer masks the word and the token: Bearer X, bearer: X.
func matchBearer(sc *scanner, i int) (span, bool) {
	s := sc.s
	if !hasFold(s, i, "bearer") || !bounded(s, i) {
		return span{}, false
	}
	at := i + len("bearer")
	from := blanks(s, at, 4)
	if from < len(s) && (s[from] == ':' || s[from] == '=') {
		from = blanks(s, from+1, 4)
	}
	end := run(s, from, isToken)
	if from == at || end-from < 16 || words(s[from:min(end, from+256)]) {
		return span{}, false
	}
	return span{i, end, bearer}, true
}

// words tells a hyphenated or slashed phrase, or one long word about
// authentication, from a token.
func words(v string) bool {
	for i := range len(v) {
		if !isLower(lower(v[i])) && strings.IndexByte("-/.", v[i]) < 0 {
			return false
		}
	}
	return strings.ContainsAny(strings.TrimRight(v, "."), "-/.") || hasFold(v, 0, "authent") || hasFold(v, 0, "authori")
}

// matchAuthorization masks the header Authorization with any scheme. Where the
// name stands in quotes of its own, only the scheme and the credentials go.
func matchAuthorization(sc *scanner, i int) (span, bool) {
	s := sc.s
	if !hasFold(s, i, "authorization") || !bounded(s, i) {
		return span{}, false
	}
	at := i + len("authorization")
	sep := blanks(s, run(s, at, isQuote), 4)
	if sep >= len(s) || s[sep] != ':' && s[sep] != '=' {
		return span{}, false
	}
	value := run(s, blanks(s, sep+1, 4), isQuote)
	start := i
	if strings.ContainsAny(s[at:value], "\"'`\\") {
		start = value
	}
	word := run(s, value, isURLSafe)
	from := blanks(s, word, 4)
	end := run(s, from, isToken)
	if from > word && end-from >= 16 && !words(s[from:min(end, from+256)]) {
		return span{start, end, bearer}, true
	}
	end = run(s, value, isToken)
	if v := s[value:min(end, value+256)]; end-value >= 20 && hasDigit(v) && !words(v) {
		return span{start, end, bearer}, true
	}
	return span{}, false
}

func isQuote(c byte) bool { return c == '"' || c == '\'' || c == '`' || c == '\\' }

// matchBasic masks Basic and base64 that decodes to user:password.
func matchBasic(sc *scanner, i int) (span, bool) {
	s := sc.s
	at := i + len("basic")
	if !hasFold(s, i, "basic") || !bounded(s, i) || at >= len(s) || s[at] != ' ' {
		return span{}, false
	}
	from := blanks(s, at, 4)
	end := run(s, from, func(c byte) bool { return isAlnum(c) || c == '+' || c == '/' || c == '=' })
	if end-from < 8 || end-from > 1024 {
		return span{}, false
	}
	raw, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(s[from:end], "="))
	if err != nil || !bytes.ContainsRune(raw, ':') || bytes.ContainsFunc(raw, func(r rune) bool { return r < 0x20 || r == 0xFFFD }) {
		return span{}, false
	}
	return span{i, end, basicAuth}, true
}

// matchCurlUser masks the password of curl -u user:password.
func matchCurlUser(sc *scanner, i int) (span, bool) {
	s := sc.s
	if i == 0 || s[i-1] != ' ' && s[i-1] != '-' {
		return span{}, false
	}
	at := i + 2
	if hasFold(s, i, "-user") {
		at = i + len("-user")
	}
	line := s[max(0, i-200):i]
	line = line[strings.LastIndexByte(line, '\n')+1:]
	from := run(s, blanks(s, at, 2), isQuote)
	if from == at || !strings.Contains(line, "curl ") {
		return span{}, false
	}
	colon := run(s, from, func(c byte) bool { return isURLSafe(c) || c == '.' || c == '@' })
	if colon == from || colon >= len(s) || s[colon] != ':' {
		return span{}, false
	}
	end := run(s, colon+1, func(c byte) bool { return !isSpace(c) && !isQuote(c) })
	if v := s[colon+1 : end]; end-colon < 4 || placeholder(v) || strings.HasPrefix(v, mark) {
		return span{}, false
	}
	return span{colon + 1, end, basicAuth}, true
}
