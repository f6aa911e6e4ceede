package extract

import (
	"strings"
	"unicode/utf8"
)

// A line of this many characters may have been broken to fit.
const (
	wrapFrom = 55
	wrapTo   = 100

	maxWrapped = 30 // lines looked at together
)

// lineEnd is where the line that begins at i ends.
func lineEnd(text string, i int) int {
	if n := strings.IndexByte(text[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(text)
}

// wrapped is where the last of the lines ends that were one line before somebody
// broke it to fit a column: three or more, each so full that the first word of
// the next had no room, or a full line that stops where no sentence does.
func wrapped(text string, at, end int) int {
	if end-at < wrapFrom || !flows(strings.TrimSpace(text[at:end])) {
		return end
	}
	ends, full := paragraph(text, at, end)
	for i, e := range ends {
		line := strings.TrimRight(text[at:e], " \r")
		if i == len(ends)-1 || strings.HasSuffix(line, ":") || !full && !halts(line) {
			return e
		}
		at = e + 1
	}
	return end
}

// paragraph lists where the lines end that may go on from the one at at, and
// tells whether all of them fill one column. It stops when they do not.
func paragraph(text string, at, end int) (ends []int, full bool) {
	widest, least := 0, wrapTo+1 // least: the column that a first word broke
	for len(ends) < maxWrapped {
		line := strings.TrimSpace(text[at:end])
		if m, _ := marker(line); line == "" || len(ends) > 0 && (m > 0 || !flows(line)) {
			break
		}
		if len(ends) > 0 {
			word, _, _ := strings.Cut(line, " ")
			least = min(least, width(text, ends[len(ends)-1])+1+utf8.RuneCountInString(word))
		}
		ends, widest = append(ends, end), max(widest, width(text, end))
		if least <= widest {
			return ends, false
		}
		if end == len(text) {
			break
		}
		at, end = end+1, lineEnd(text, end+1)
	}
	return ends, len(ends) >= 3 && widest >= wrapFrom
}

// width counts the characters of the line that ends at end.
func width(text string, end int) int {
	line := text[strings.LastIndexByte(text[:end], '\n')+1 : end]
	return utf8.RuneCountInString(strings.TrimRight(line, " \r"))
}

// halts tells whether a full line ends in a comma or a word that ends no sentence.
func halts(line string) bool {
	if n := utf8.RuneCountInString(line); n < wrapFrom || n > wrapTo {
		return false
	}
	line = fold(line)
	switch line[strings.LastIndexByte(line, ' ')+1:] {
	case "the", "a", "an", "and", "or", "of", "to", "for", "with", "by", "from", "der", "die", "das", "und", "oder", "mit", "für", "von",
		"el", "la", "los", "las", "un", "una", "y", "con", "de", "para", "le", "les", "une", "des", "et", "ou", "pour", "avec", "du",
		"il", "gli", "di", "che", "e", "os", "um", "uma", "het", "een", "en", "van", "voor", "met":
		return true
	}
	return strings.HasSuffix(line, ",")
}

// flows tells whether a line may be part of a paragraph.
func flows(line string) bool {
	return line != "" && strings.IndexByte(">|#<`~$", line[0]) < 0 && !isLog(line)
}

// unwrap puts blanks where a folded sentence was broken, so that its words stand
// together; every byte keeps its place.
func unwrap(s string) string {
	if strings.IndexByte(s, '\n') < 0 {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r", " "), "\n", " ")
}
