package forget

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"daimon/lib/canon"
	"daimon/lib/doc"
	"daimon/lib/ledger"
	"daimon/lib/recall"
	"daimon/lib/scrub"
	"daimon/lib/store"
	"daimon/lib/surface"
)

// minScan is the shortest value, in bytes, that is searched for in raw bytes:
// shorter ones stand everywhere by chance.
const minScan = 8

// spellings are the byte forms a value can have in a file.
func (t *Target) spellings() [][]byte {
	var out [][]byte
	for _, v := range t.values {
		if len(strings.TrimSpace(v)) < minScan {
			continue
		}
		quoted := doc.AppendString(nil, v)
		for _, s := range [][]byte{[]byte(v), []byte(strings.TrimSpace(v)), quoted[1 : len(quoted)-1], ascii(v)} {
			if !slices.ContainsFunc(out, func(o []byte) bool { return bytes.Equal(o, s) }) {
				out = append(out, s)
			}
		}
	}
	return out
}

// ascii escapes as the Python Daimon's ledgers may have it.
func ascii(s string) []byte {
	quoted := doc.AppendString(nil, s)
	var b []byte
	for _, r := range string(quoted[1 : len(quoted)-1]) {
		switch {
		case r < 0x80:
			b = append(b, byte(r))
		case r > 0xFFFF:
			r -= 0x10000
			b = fmt.Appendf(b, `\u%04x\u%04x`, 0xD800+r>>10, 0xDC00+r&0x3FF)
		default:
			b = fmt.Appendf(b, `\u%04x`, r)
		}
	}
	return b
}

// heldBy tells whether the raw bytes of a file hold a value.
func (t *Target) heldBy(path string) (bool, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(t.spellings(), func(s []byte) bool { return bytes.Contains(raw, s) }), nil
}

// residue reads everything below the data folder once more. Parsed files must not
// hold a value whole; any other file must not hold its bytes, unless a longer text
// that stays, or another project, holds them too.
func (r *runner) residue(s *Step) error {
	files, err := documents(r.st, r.slug)
	if err != nil {
		return err
	}
	r.ContainedIn = r.t.containers(files)
	for _, f := range files {
		if f.doc != nil && scrub.Checkpoint(f.doc, r.t.forgotten, r.t.gone).Any() {
			s.miss(r.rel(f.path))
		}
	}
	shared := len(r.ContainedIn) > 0
	return filepath.WalkDir(r.st.Home(), func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && !os.IsNotExist(err):
			s.miss(r.rel(path))
		case err == nil && d.Type().IsRegular():
			r.inspect(s, path, &shared)
		}
		return nil
	})
}

// inspect judges one file. The walk comes to the checkpoints before the index, so
// that shared is known by then.
func (r *runner) inspect(s *Step, path string, shared *bool) {
	held, err := r.t.heldBy(path)
	in, _ := filepath.Rel(r.st.Checkpoints(), path)
	checkpoint := filepath.IsLocal(in)
	switch {
	case checkpoint && filepath.Dir(path) == r.st.Bucket(r.slug) && filepath.Ext(path) == ".jsonl":
		r.ledger(s, path, held)
	case os.IsNotExist(err):
	case err != nil:
		s.miss(r.rel(path))
	case !held, wordless(r.rel(path)):
	case checkpoint && filepath.Ext(path) == ".json":
		if _, err := store.Read(path); err == nil {
			*shared = true // whole values were looked for above
		} else {
			s.miss(r.rel(path))
		}
	case checkpoint && filepath.Dir(filepath.Dir(path)) == r.st.Checkpoints() && filepath.Dir(path) != r.st.Bucket(r.slug):
		*shared = true // another project's
	case filepath.Base(path) == recall.Name && *shared:
	default:
		s.miss(r.rel(path))
	}
}

// wordless files name folders and ids: forgetting the path of a project must not
// take the project's memory from it.
func wordless(rel string) bool {
	shape, declared := surface.Match(rel)
	return declared && !shape.Words
}

// ledger must be proven, whole in every line, and free of the value.
func (r *runner) ledger(s *Step, path string, held bool) {
	rows, h := ledger.Read(path)
	torn := h.Torn > 0 && (held || len(r.t.values) == 0)
	if !h.Proven() || torn || slices.ContainsFunc(rows, func(row gjson.Result) bool { _, n := r.row(row); return n > 0 }) {
		s.miss(r.rel(path))
	}
}

// containers lists the ids of items that stay and have a value within a longer
// text; an item without an id counts as "-".
func (t *Target) containers(files []file) []string {
	ids := []string{}
	each(files, func(e *doc.Entry) {
		if len(t.containing(e)) > 0 {
			ids = append(ids, named(e))
		}
	})
	slices.Sort(ids)
	return slices.Compact(ids)
}

// containing is the texts of an item that stays which have a value within them.
func (t *Target) containing(e *doc.Entry) []string {
	if t.forgotten(e.Text()) {
		return nil
	}
	var out []string
	for _, s := range []string{e.Text(), e.Quote(), e.Str("because"), e.Str("scene")} {
		if !t.forgotten(s) && t.within(s) {
			out = append(out, s)
		}
	}
	return out
}

func (t *Target) within(s string) bool {
	if s == "" {
		return false
	}
	s = canon.Text(s)
	return slices.ContainsFunc(t.canonical(), func(v string) bool { return len(v) >= minScan && holdsWords(s, v) })
}

// holdsWords tells whether v stands in s and is not cut out of longer words.
func holdsWords(s, v string) bool {
	for from := 0; ; {
		at := strings.Index(s[from:], v)
		if at < 0 {
			return false
		}
		at += from
		if !joined(s[:at], v) && !joined(v, s[at+len(v):]) {
			return true
		}
		_, size := utf8.DecodeRuneInString(s[at:])
		from = at + size
	}
}

// joined tells whether two texts, put together, make a word of letters or digits
// where they meet. Scripts that write no spaces have no such words.
func joined(a, b string) bool {
	last, _ := utf8.DecodeLastRuneInString(a)
	first, _ := utf8.DecodeRuneInString(b)
	word := func(r rune) bool { return r < 0x0E00 && (unicode.IsLetter(r) || unicode.IsNumber(r)) }
	return a != "" && b != "" && word(last) && word(first)
}
