package quote

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"daimon/lib/doc"
)

// words makes a text of distinct words, numbers, flags and paths, so that a
// changed one is nowhere else.
func words(t *rapid.T) []string {
	n := rapid.IntRange(6, 30).Draw(t, "n")
	out := make([]string, n)
	for i := range out {
		kind := rapid.IntRange(0, 5).Draw(t, "kind")
		out[i] = []string{
			fmt.Sprintf("word%c%c", 'a'+i%26, 'a'+i/26), fmt.Sprintf("%d.%02d", 40+i, i), fmt.Sprintf("--flag-%c", 'a'+i%26),
			fmt.Sprintf("lib/x%d.go", i), fmt.Sprintf("données%d", i), fmt.Sprintf("**Mot%d**", i),
		}[kind]
	}
	return out
}

func TestExactQuotesVerify(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := words(t)
		from := rapid.IntRange(0, len(w)-4).Draw(t, "from")
		to := rapid.IntRange(from+3, len(w)).Draw(t, "to")
		role := rapid.SampledFrom([]string{doc.User, doc.Assistant}).Draw(t, "role")
		tr := transcript(said("x", doc.User, "something else"), said("m", role, strings.Join(w, " ")))
		quote := strings.Join(w[from:to], " ")
		e := judged(tr, item(doc.Verbatim, quote, "m"))
		if !e.True(verifiedField) {
			t.Fatalf("%q: %s", quote, e.Bytes())
		}
		f := e.Get("quote_provenance.fragments.0")
		body := tr.Find("m").Text
		if got := body[f.Get("start").Int():f.Get("end").Int()]; strings.Trim(got, "*") != strings.Trim(quote, "*") {
			t.Fatalf("the fragment is %q, want %q", got, quote)
		}
	})
}

func TestChangedQuotesDoNotVerify(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := words(t)
		from := rapid.IntRange(0, len(w)-4).Draw(t, "from")
		to := rapid.IntRange(from+3, len(w)).Draw(t, "to")
		tr := transcript(said("m", doc.User, strings.Join(w, " ")))
		q := append([]string{}, w[from:to]...)
		i := rapid.IntRange(0, len(q)-1).Draw(t, "i")
		switch rapid.IntRange(0, 4).Draw(t, "how") {
		case 0:
			q[i] = "not " + q[i]
		case 1:
			q[i] = strings.NewReplacer("word", "ward", "4", "3", "5", "6", "6", "7", "--", "-", "lib", "lab", "données", "donnees", "Mot", "Mut").Replace(q[i])
		case 2:
			q[i], q[(i+1)%len(q)] = q[(i+1)%len(q)], q[i]
		case 3:
			r, n := utf8.DecodeRuneInString(strings.Trim(q[i], "*"))
			q[i] = strings.Trim(q[i], "*")[n:]
			if r == utf8.RuneError || q[i] == "" {
				t.Skip("nothing left")
			}
		case 4:
			q[i] += "9"
		}
		quote := strings.Join(q, " ")
		if quote == strings.Join(w[from:to], " ") {
			t.Skip("not changed")
		}
		if e := judged(tr, item(doc.Verbatim, quote, "m")); e.True(verifiedField) || e.Trust() != doc.Inferred {
			t.Fatalf("%q in %q: %s", quote, strings.Join(w, " "), e.Bytes())
		}
	})
}

func judged(tr *doc.Transcript, e *doc.Entry) *doc.Entry {
	c, l := doc.NewCheckpoint(), doc.Lists[1]
	c.SetItems(l, []*doc.Entry{e})
	Verify(c, tr, "")
	return c.Items(l)[0]
}

func FuzzVerify(f *testing.F) {
	f.Add("we **never** push … to main", "we never push", "t", "ok")
	f.Add("- a\n1. b _c_ ~~d~~ `e`", "1. b … e", "«x y z»", "e\u0301")
	f.Fuzz(func(t *testing.T, body, quote, other, printedText string) {
		tr := transcript(said("m", doc.User, body), said("n", doc.Assistant, other), printed("t", printedText))
		for _, ids := range [][]string{{"m"}, {"n", "t"}, nil} {
			e, _ := verify(t, tr, item(doc.Verbatim, quote, ids...))
			for _, fr := range e.Get("quote_provenance.fragments").Array() {
				text := tr.Find(fr.Get("message_id").Str).Text
				if start, end := fr.Get("start").Int(), fr.Get("end").Int(); start < 0 || end <= start || end > int64(len(text)) {
					t.Fatalf("fragment %s outside %q", fr.Raw, text)
				}
			}
		}
	})
}

func FuzzFold(f *testing.F) {
	f.Add("**a** _b_ - c\n1. d…")
	f.Add("e\u0301\xff\u200b 한글")
	f.Fuzz(func(t *testing.T, s string) {
		for _, mode := range []markers{keepMarkers, dropBullets, dropNumbered} {
			g := fold(s, mode)
			if g.locate(); len(g.starts) != len(g.s) || len(g.ends) != len(g.s) {
				t.Fatalf("%d offsets for %d bytes of %q", len(g.starts), len(g.s), g.s)
			}
			for i := range g.starts {
				if g.starts[i] < 0 || g.ends[i] <= g.starts[i] || int(g.ends[i]) > len(s) {
					t.Fatalf("byte %d of %q is [%d,%d) of %q", i, g.s, g.starts[i], g.ends[i], s)
				}
			}
			if strings.Contains(g.s, "  ") || strings.TrimSpace(g.s) != g.s && utf8.ValidString(s) {
				t.Fatalf("white space is left in %q", g.s)
			}
		}
		for _, x := range sentences(s) {
			if x.start < 0 || x.end > len(s) || x.start >= x.end {
				t.Fatalf("sentence %v of %q", x, s)
			}
		}
	})
}

// TestNeverQuadratic holds a bound that only a quadratic search would break.
func TestNeverQuadratic(t *testing.T) {
	const limit = 20 * time.Second // they take milliseconds, more under the race detector
	for name, tt := range map[string]struct{ body, quote string }{
		"one letter":     {strings.Repeat("a", 1<<20), strings.Repeat("a", 64<<10)},
		"letter, blank":  {strings.Repeat("a ", 1<<19), strings.Repeat("a ", 32<<10) + "b"},
		"cut at the end": {strings.Repeat("a b", 1<<18), strings.Repeat("a b", 20<<10) + "a"},
		"underscores":    {strings.Repeat("_a ", 1<<18), "_a _a b_"},
		"asterisks":      {strings.Repeat("*/", 1<<19), strings.Repeat("*/", 1<<10)},
		"quotes":         {strings.Repeat(`"a `, 1<<18), "a a a a a b"},
		"dashes":         {strings.Repeat("- \t", 1<<18), "- - - - x y z"},
		"rules":          {strings.Repeat("---\n", 1<<17), "--- --- x y z"},
		"ellipses":       {strings.Repeat("a b c ", 1<<17), strings.Repeat("a b … ", 30<<10)},
		"never":          {strings.Repeat("you must never do it. ", 1<<15), "you must never"},
	} {
		start := time.Now()
		judged(transcript(said("m", doc.User, tt.body)), item(doc.Verbatim, tt.quote))
		judged(transcript(said("m", doc.User, tt.body)), item(doc.Verbatim, tt.quote, "m"))
		if d := time.Since(start); d > limit {
			t.Errorf("%s took %v", name, d)
		} else {
			t.Logf("%s: %v", name, d)
		}
	}
}

func megabyte() *doc.Transcript {
	var msgs []doc.Message
	for i := range 1000 {
		role := []string{doc.User, doc.Assistant}[i%2]
		msgs = append(msgs, said(fmt.Sprint("m", i), role, strings.Repeat(fmt.Sprintf("line %d of the talk, with `code` and words. ", i), 22)))
	}
	return transcript(msgs...)
}

func benchmark(b *testing.B, cite bool, quote func(i int) string) {
	tr := megabyte()
	var items []*doc.Entry
	for i := range 200 {
		ids := []string{}
		if cite {
			ids = []string{fmt.Sprint("m", i)}
		}
		items = append(items, item(doc.Verbatim, quote(i), ids...))
	}
	b.ResetTimer()
	for b.Loop() {
		c := doc.NewCheckpoint()
		c.SetItems(doc.Lists[1], items)
		Verify(c, tr, "")
	}
}

func BenchmarkCited(b *testing.B) {
	benchmark(b, true, func(i int) string { return fmt.Sprintf("line %d of the talk, with code", i) })
}

func BenchmarkMissing(b *testing.B) {
	benchmark(b, false, func(i int) string { return fmt.Sprintf("row %d of another talk altogether", i) })
}

func BenchmarkOneLetter(b *testing.B) {
	tr := transcript(said("m", doc.User, strings.Repeat("a", 1<<20)))
	q := strings.Repeat("a", 64<<10)
	for b.Loop() {
		judged(tr, item(doc.Verbatim, q, "m"))
	}
}
