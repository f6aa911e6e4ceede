package quote

import "strings"

// closeLook is how far ahead the second half of an emphasis is looked for.
const closeLook = 200

// emphasis reads the run of asterisks or underscores at i: emphasis goes,
// operators, globs and parts of identifiers stay.
func (f *folder) emphasis(i int) int {
	c := f.text[i]
	to := i
	for f.at(to) == c && to < len(f.text) {
		to++
	}
	stays := f.star(i, to)
	if c == '_' {
		stays = f.underscore(i, to)
	}
	if stays {
		f.emit(f.text[i:to], i, to)
	}
	return to
}

// star tells whether the asterisks at [i,to) mean something: a factor, a glob,
// or one that stands alone.
func (f *folder) star(i, to int) bool {
	prev, next := f.at(i-1), f.at(to)
	switch {
	case isBlank(prev) && isBlank(next):
		return true
	case isDigit(prev) && isDigit(next):
		return true
	case to-i == 1 && wordByte(prev) && wordByte(next):
		return true
	case prev == '/':
		return next == '/' || !strings.Contains(f.before(i), "*")
	case (next == '.' || next == '/') && !wordByte(prev):
		return !strings.Contains(f.after(to), "*")
	}
	return false
}

// before and after are the rest of the token around a place, within reason.
func (f *folder) before(i int) string {
	from := i
	for from > 0 && i-from < closeLook && !isBlank(f.text[from-1]) {
		from--
	}
	return f.text[from:i]
}

func (f *folder) after(i int) string {
	to := i
	for to < len(f.text) && to-i < closeLook && !isBlank(f.text[to]) {
		to++
	}
	return f.text[i:to]
}

func (f *folder) underscore(i, to int) bool {
	prev, next := f.at(i-1), f.at(to)
	opens := !wordByte(prev) && !isBlank(next)
	closes := !wordByte(next) && !isBlank(prev)
	switch {
	case opens && f.closed(to):
		f.open++
		return false
	case closes && f.open > 0:
		f.open--
		return false
	}
	return true
}

// closed tells whether an underscore that closes an emphasis follows on the
// line. One before a call or a suffix, as in __init__.py, closes none.
func (f *folder) closed(from int) bool {
	for i := from; i < len(f.text) && i-from < closeLook && f.text[i] != '\n'; i++ {
		if f.text[i] != '_' || isBlank(f.text[i-1]) {
			continue
		}
		switch next := f.at(i + 1); {
		case next == '_', wordByte(next), next == '(':
		case next == '.' && wordByte(f.at(i+2)):
		default:
			return true
		}
	}
	return false
}
