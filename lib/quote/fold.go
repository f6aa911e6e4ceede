package quote

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"daimon/lib/canon"
)

// markers says what happens to a list marker at the start of a line.
type markers int

const (
	keepMarkers  markers = iota
	dropBullets          // "- ", "* " and "+ " go, numbers stay
	dropNumbered         // those and "2. " go
)

// form is a text as quotes are compared: case and white space folded, emphasis,
// quote glyphs and dash glyphs levelled, the kind of a redaction mark dropped. A changed word, digit, sign, path,
// flag or negation never folds away.
type form struct {
	s      string
	src    string
	mode   markers
	starts []int32  // source offset of the rune behind each byte of s
	ends   []int32  // and where that rune ends; both filled on demand
	marked bool     // the source has a marker at the start of a line
	said   []extent // the sentences of the source, filled on demand
}

func fold(src string, mode markers) *form {
	f := &folder{mode: mode, out: make([]byte, 0, len(src))}
	f.run(src)
	return &form{s: string(f.out), src: src, mode: mode, marked: f.marked}
}

// span is the range of source bytes behind s[i:j].
func (f *form) span(i, j int) (start, end int) {
	f.locate()
	return int(f.starts[i]), int(f.ends[j-1])
}

func (f *form) locate() {
	if f.starts != nil {
		return
	}
	g := &folder{mode: f.mode, track: true}
	g.run(f.src)
	f.starts, f.ends = g.starts, g.ends
}

// folder makes one form.
type folder struct {
	mode         markers
	track        bool
	marked       bool
	out          []byte
	starts, ends []int32
	text         string // the source, composed
	seg          []int32
	gap          int // offset in text of pending white space, or -1
	open         int // underscore emphasis that was opened
}

// compose brings src to NFC. seg maps a byte of the result to the source; nil
// when the source is composed already.
func compose(src string) (text string, seg []int32) {
	if norm.NFC.IsNormalString(src) {
		return src, nil
	}
	var out []byte
	var it norm.Iter
	it.InitString(norm.NFC, src)
	for !it.Done() {
		at := it.Pos()
		for _, c := range it.Next() {
			out = append(out, c)
			seg = append(seg, int32(at))
		}
	}
	return string(out), append(seg, int32(len(src)))
}

func (f *folder) source(i int) int32 {
	if f.seg == nil {
		return int32(i)
	}
	return f.seg[i]
}

func (f *folder) emit(s string, from, to int) {
	if f.gap >= 0 && len(f.out) > 0 {
		f.put(" ", f.gap, f.gap+1)
	}
	f.gap = -1
	f.put(s, from, to)
}

func (f *folder) put(s string, from, to int) {
	f.out = append(f.out, s...)
	if !f.track {
		return
	}
	start, end := f.source(from), f.source(to)
	for end == start && to < len(f.text) { // inside one composed piece
		to++
		end = f.source(to)
	}
	for range len(s) {
		f.starts, f.ends = append(f.starts, start), append(f.ends, end)
	}
}

func (f *folder) space(i int) {
	if f.gap < 0 {
		f.gap = i
	}
}

func (f *folder) run(src string) {
	f.text, f.seg = compose(src)
	f.gap = -1
	for i := 0; i < len(f.text); {
		if i == 0 || f.text[i-1] == '\n' {
			if n := f.marker(f.text[i:]); n > 0 {
				f.space(i)
				i += n
				continue
			}
		}
		switch n := f.plain(i); {
		case n > 0:
			f.emit(f.text[i:i+1], i, i+1)
			f.out = append(f.out, f.text[i+1:i+n]...)
			i += n
		case f.text[i] < utf8.RuneSelf:
			i = f.ascii(i)
		default:
			i = f.wide(i)
		}
	}
}

// plain is how many bytes from i on are in folded form already, when no offsets
// are asked for.
func (f *folder) plain(i int) int {
	n := 0
	for ; !f.track && i+n < len(f.text); n++ {
		c := f.text[i+n]
		if c >= utf8.RuneSelf || c <= ' ' || 'A' <= c && c <= 'Z' || c == '`' || c == '*' || c == '_' || c == '~' || c == '-' || c == '[' && maskLen(f.text[i+n:]) > 0 {
			break
		}
	}
	return n
}

// marker is the length of the list marker that line begins with, if it goes.
func (f *folder) marker(line string) int {
	i := 0
	for i < len(line) && (line[i] == ' ' || line[i] == '\t') {
		i++
	}
	digits := i
	for digits < len(line) && digits-i < 9 && isDigit(line[digits]) {
		digits++
	}
	end := i
	switch {
	case i == len(line):
		return 0
	case strings.IndexByte("-*+", line[i]) >= 0:
		end = i + 1
	case digits > i && digits < len(line) && line[digits] == '.':
		end = digits + 1
	default:
		return 0
	}
	if end == len(line) || !isBlank(line[end]) {
		return 0
	}
	f.marked = true
	if f.mode == keepMarkers || f.mode == dropBullets && digits > i {
		return 0
	}
	return end
}

func (f *folder) ascii(i int) int {
	switch c := f.text[i]; {
	case isBlank(c):
		f.space(i)
	case c == '`':
	case c == '[' && maskLen(f.text[i:]) > 0:
		n := maskLen(f.text[i:])
		f.emit(masked, i, i+n)
		return i + n
	case c == '~' && (f.at(i-1) == '~' || f.at(i+1) == '~'):
	case c == '*' || c == '_':
		return f.emphasis(i)
	case c == '-' && f.alone(i, i+1):
		f.space(i)
	case 'A' <= c && c <= 'Z':
		f.emit(lower[c-'A':c-'A'+1], i, i+1)
	default:
		f.emit(f.text[i:i+1], i, i+1)
	}
	return i + 1
}

// masked is what a redaction mark folds to.
const masked = "[redacted]"

// maskLen is the length of the redaction mark at the start of s, or 0.
func maskLen(s string) int {
	const head = "[redacted:"
	if !strings.HasPrefix(s, head) {
		return 0
	}
	n := len(head)
	for n < len(s) && (s[n] == '-' || 'a' <= s[n] && s[n] <= 'z') {
		n++
	}
	if n < len(s) && s[n] == ']' {
		return n + 1
	}
	return 0
}

const lower = "abcdefghijklmnopqrstuvwxyz"

func (f *folder) wide(i int) int {
	r, n := utf8.DecodeRuneInString(f.text[i:])
	to := i + n
	switch glyph := level(r); {
	case invisible(r):
	case glyph == ' ' || unicode.IsSpace(r):
		f.space(i)
	case glyph == '-' && f.alone(i, to):
		f.space(i)
	case glyph != r:
		f.emit(canon.Fold(string(glyph)), i, to)
	case caseless(r):
		f.emit(f.text[i:to], i, to)
	default:
		f.emit(canon.Fold(f.text[i:to]), i, to)
	}
	return to
}

// level maps the glyphs that stand for one character: curly quotes, dashes,
// no-break space and full-width forms.
func level(r rune) rune {
	switch {
	case r >= 0x2018 && r <= 0x201B:
		return '\''
	case r >= 0x201C && r <= 0x201F, r == 0xAB, r == 0xBB:
		return '"'
	case r >= 0x2010 && r <= 0x2015, r == 0x2212:
		return '-'
	case r == 0xA0, r == 0x202F, r == 0x3000:
		return ' '
	case r >= 0xFF01 && r <= 0xFF5E:
		return r - 0xFF01 + '!'
	}
	return r
}

func invisible(r rune) bool {
	switch {
	case r == 0xAD, r == 0x34F, r == 0xFEFF,
		r >= 0x180B && r <= 0x180D, r >= 0x200B && r <= 0x200F, r >= 0x202A && r <= 0x202E,
		r >= 0x2060 && r <= 0x2064, r >= 0x2066 && r <= 0x2069,
		r >= 0xFE00 && r <= 0xFE0F, r >= 0xE0000 && r <= 0xE007F:
		return true
	}
	return false
}

// caseless is a fast answer for the scripts without case.
func caseless(r rune) bool {
	return r >= 0x2E80 && r < 0xA640 || r >= 0xAC00 && r < 0xFB00 || r >= 0x1F000
}

// alone tells whether the dash at [i,to) is punctuation between words. Between
// numbers it is a sign and stays.
func (f *folder) alone(i, to int) bool {
	if f.gap < 0 && len(f.out) > 0 || to < len(f.text) && !isBlank(f.text[to]) {
		return false
	}
	if n := len(f.out); n > 0 && isDigit(f.out[n-1]) {
		return false
	}
	for to < len(f.text) && isBlank(f.text[to]) {
		to++
	}
	return to == len(f.text) || !isDigit(f.text[to])
}

// at is the byte at i, or a space outside the text.
func (f *folder) at(i int) byte {
	if i < 0 || i >= len(f.text) {
		return ' '
	}
	return f.text[i]
}

func isBlank(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }
func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// wordByte takes every byte of a multi-byte rune as part of a word.
func wordByte(c byte) bool {
	return isDigit(c) || c >= utf8.RuneSelf || 'a' <= c|0x20 && c|0x20 <= 'z'
}
