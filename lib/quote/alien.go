package quote

import (
	"strings"
	"unicode/utf8"

	"daimon/lib/lang"
)

// aliens are the parts of a message that its author passed on rather than said:
// fenced and quoted blocks, indented code, log lines, and speech in quotation
// marks.
func (b *body) aliens() []extent {
	if !b.split {
		b.split = true
		b.alien = blocks(b.m.Text)
		b.lines = len(b.alien)
		b.alien = append(b.alien, speech(b.m.Text)...)
	}
	return b.alien
}

// passedOn tells whether a piece of a match lies in such a part, or takes in a
// line of one: then the whole is not what the author said.
func (b *body) passedOn(match []extent) bool {
	for _, m := range match {
		if within(m, b.aliens()) || overlaps(m, b.alien[:b.lines]) {
			return true
		}
	}
	return false
}

func overlaps(m extent, parts []extent) bool {
	for _, p := range parts {
		if p.start < m.end && m.start < p.end {
			return true
		}
	}
	return false
}

func within(m extent, parts []extent) bool {
	for _, p := range parts {
		if p.start <= m.start && m.end <= p.end {
			return true
		}
	}
	return false
}

// blocks are the whole lines that were passed on.
func blocks(text string) []extent {
	var out []extent
	fence := ""
	for at := 0; at < len(text); {
		end := at + strings.IndexByte(text[at:]+"\n", '\n')
		line := strings.TrimRight(text[at:end], " \t\r")
		trim := strings.TrimLeft(line, " \t")
		switch mark := fenceOf(trim); {
		case fence != "":
			out = append(out, extent{at, end})
			if mark == fence || mark != "" && mark[0] == fence[0] && len(mark) >= len(fence) {
				fence = ""
			}
		case mark != "" && (mark[0] != '-' || ruled(text[min(end+1, len(text)):])):
			fence = mark
			out = append(out, extent{at, end})
		case alienLine(line, trim):
			out = append(out, extent{at, end})
		}
		at = end + 1
	}
	return out
}

// fenceOf is the mark of a line that opens or closes a block: back quotes,
// tildes, or a rule of dashes or equal signs alone on its line.
func fenceOf(line string) string {
	for _, c := range "`~" {
		if n := len(line) - len(strings.TrimLeft(line, string(c))); n >= 3 {
			return line[:n]
		}
	}
	if len(line) >= 3 && strings.Trim(line, "-") == "" {
		return line
	}
	return ""
}

// ruled tells whether a rule that closes a block follows before long.
func ruled(rest string) bool {
	for n := 0; rest != "" && n < 60; n++ {
		line, after, _ := strings.Cut(rest, "\n")
		if m := fenceOf(strings.TrimSpace(line)); m != "" && m[0] == '-' {
			return n > 0
		}
		rest = after
	}
	return false
}

func alienLine(line, trim string) bool {
	switch {
	case trim == "":
		return false
	case strings.HasPrefix(trim, ">"), strings.HasPrefix(line, "    "), strings.HasPrefix(line, "\t"):
		return true
	case strings.HasPrefix(trim, "$ "), strings.HasPrefix(trim, "Traceback "), strings.HasPrefix(trim, "at ") && strings.HasSuffix(trim, ")"):
		return true
	}
	return logLine(trim)
}

// logLine tells a line that begins with a time stamp or a level.
func logLine(line string) bool {
	s := strings.TrimLeft(line, "[(")
	digits := 0
	for digits < len(s) && isDigit(s[digits]) {
		digits++
	}
	if rest := s[digits:]; len(rest) > 2 && isDigit(rest[1]) &&
		(digits == 4 && (rest[0] == '-' || rest[0] == '/') || digits == 2 && rest[0] == ':') {
		return true
	}
	word, _, found := strings.Cut(s, " ")
	switch strings.TrimRight(word, ":]") {
	case "ERROR", "WARN", "WARNING", "INFO", "DEBUG", "FATAL", "TRACE", "PANIC":
		return found
	}
	return false
}

// marks are the quotation marks, opening and closing.
var marks = map[rune]rune{'"': '"', '“': '”', '„': '“', '«': '»', '「': '」', '『': '』', '《': '》'}

// maxSpeech is the longest speech in quotation marks, in bytes.
const maxSpeech = 2000

// speech are the parts in quotation marks that are long enough to be somebody's
// sentence rather than a name.
func speech(text string) []extent {
	var out []extent
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		closing, opens := marks[r]
		if !opens {
			i += n
			continue
		}
		rest := text[i+n:]
		if len(rest) > maxSpeech {
			rest = rest[:maxSpeech]
		}
		if stop := strings.Index(rest, "\n\n"); stop >= 0 {
			rest = rest[:stop]
		}
		k := strings.IndexRune(rest, closing)
		if k < 0 {
			i += n
			continue
		}
		end := i + n + k + utf8.RuneLen(closing)
		if sentence(rest[:k]) {
			out = append(out, extent{i, end})
		}
		i = end
	}
	return out
}

func sentence(s string) bool {
	dense := 0
	for _, r := range s {
		if lang.Letter(r) {
			dense++
		}
	}
	return dense >= 8 || len(strings.Fields(s)) >= 3
}
