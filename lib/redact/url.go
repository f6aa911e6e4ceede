package redact

import "strings"

// maxAuthority is how far into a URL the end of its credentials is looked for.
const maxAuthority = 512

// matchURL masks the password in scheme://user:password@host, and a token that
// stands where a user would.
func matchURL(sc *scanner, i int) (span, bool) {
	s := sc.s
	if i == 0 || s[i-1] != ':' || !hasScheme(s, i-1) {
		return span{}, false
	}
	from := i + 2
	end := authority(s, from)
	auth := s[from:end]
	path := strings.IndexAny(auth, "/?#")
	if path < 0 {
		path = len(auth)
	}
	at := strings.LastIndexByte(auth[:path], '@')
	if strings.HasPrefix(auth, mark) {
		return span{}, false
	}
	if at < 0 {
		if at = slashedPassword(auth, path); at < 0 {
			return span{}, false
		}
	}
	user, password, ok := strings.Cut(auth[:at], ":")
	if ok && password != "" && !strings.HasPrefix(password, mark) && !placeholder(password) {
		return span{from + len(user) + 1, from + at, credentialURL}, true
	}
	web := hasFold(s, max(0, i-5), "http:") || hasFold(s, max(0, i-6), "https:")
	if web && len(user) >= 16 && hasDigit(user) && run(user, 0, isURLSafe) == len(user) {
		return span{from, from + len(user), credentialURL}, true
	}
	return span{}, false
}

// hasScheme tells whether a scheme of at most 32 bytes ends at the colon.
func hasScheme(s string, colon int) bool {
	letter := false
	for i := colon - 1; i >= 0 && colon-i <= 32 && (isAlnum(s[i]) || strings.IndexByte("+.-", s[i]) >= 0); i-- {
		letter = letter || isLetter(s[i])
	}
	return letter
}

// authority is the end of what can belong to one URL.
func authority(s string, from int) int {
	limit := min(len(s), from+maxAuthority)
	for i := from; i < limit; i++ {
		c := s[i]
		if isSpace(c) || strings.IndexByte("\"'`<>\\", c) >= 0 || c == ':' && strings.HasPrefix(s[i:], "://") {
			return i
		}
	}
	return limit
}

// slashedPassword finds the @ after a password that holds a slash. A port
// before the slash means that this was a host, and the @ part of a path.
func slashedPassword(auth string, path int) int {
	colon := strings.IndexByte(auth[:path], ':')
	if colon < 0 || path == len(auth) || auth[path] != '/' || run(auth, colon+1, isDigit) == path {
		return -1
	}
	at := strings.LastIndexByte(auth, '@')
	if at < path {
		return -1
	}
	host := run(auth, at+1, func(c byte) bool { return isAlnum(c) || c == '.' || c == '-' })
	if host == at+1 || host < len(auth) && strings.IndexByte(":/?#", auth[host]) < 0 {
		return -1
	}
	return at
}
