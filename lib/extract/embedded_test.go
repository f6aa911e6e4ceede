package extract

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"daimon/lib/doc"
)

// check fails unless a candidate keeps every promise of the embedded extractor.
func check(t interface{ Errorf(string, ...any) }, tr *doc.Transcript) *doc.Checkpoint {
	c := Embedded(tr)
	if again := Embedded(tr); !bytes.Equal(c.Bytes(), again.Bytes()) {
		t.Errorf("two runs differ")
	}
	if bad := doc.Validate(c); len(bad) > 0 {
		t.Errorf("not valid: %v", bad)
	}
	if c.Str("extractor") != Version {
		t.Errorf("extractor is %q", c.Str("extractor"))
	}
	items := itemsOf(c)
	if len(items) > 16 {
		t.Errorf("%d items", len(items))
	}
	if topic := c.Topic(); topic != nil && topic.Text() != "" {
		items = append(items, emitted{"active_topic", topic})
	}
	for _, it := range items {
		ids := it.e.Strs("source_message_ids")
		switch text := it.e.Text(); {
		case it.e.Trust() != doc.Verbatim || it.e.Quote() != text:
			t.Errorf("%q is no quotation", text)
		case len(ids) == 0 || tr.Find(ids[0]) == nil || !strings.Contains(tr.Find(ids[0]).Text, text):
			t.Errorf("%q is not in the message it cites first", text)
		case utf8.RuneCountInString(text) > maxRunes:
			t.Errorf("%d characters", utf8.RuneCountInString(text))
		case !strings.Contains(text, it.e.Str("because")):
			t.Errorf("the reason %q is not in %q", it.e.Str("because"), text)
		}
		for _, id := range ids {
			if tr.Find(id) == nil {
				t.Errorf("%s is cited and not there", id)
			}
		}
	}
	return c
}

func TestPromisesOnSessions(t *testing.T) {
	all := append(labelled(t), training(t, "*/*.json")...)
	for _, s := range all {
		if c := check(t, s.t); c.Str("working_context.active_topic.text") == "" {
			t.Errorf("%s: no topic", s.name)
		}
	}
}

func TestPromisesOnAnything(t *testing.T) {
	pieces := []string{"never touch prod", "yes", "no", "1", "make it 4, not 5", "because it fails", "I suggest a cache.", "\n", "\n- ", "\n1) ", "never start a second run of the nightly import before the\n", " ",
		"`code`", "```\n", "> ", "\"", "“", "?", ". ", "not sure", "ill ask on monday", "はい", "絶対に禁止です。", "それでお願いします", "\xff", "İ", "the ticket says:", "56 passed", ":", "(", "|"}
	rapid.Check(t, func(t *rapid.T) {
		var msgs []doc.Message
		for i := range rapid.IntRange(0, 12).Draw(t, "messages") {
			text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 12).Draw(t, "text"), "")
			role := rapid.SampledFrom([]string{doc.User, doc.Assistant, doc.ToolRole}).Draw(t, "role")
			msgs = append(msgs, doc.Message{ID: fmt.Sprint(i), Role: role, Text: strings.ToValidUTF8(text, "\uFFFD")})
		}
		check(t, doc.NewTranscript(doc.Header{}, msgs))
	})
}

// TestOrder keeps lists oldest first whatever their score.
func TestOrder(t *testing.T) {
	c := Embedded(say(ask, "a: What now?", "u: never write to the bucket", "a: Noted.", "u: always sign the release, no exceptions, ever"))
	l, _ := doc.ListByKey("strong_beliefs")
	if items := c.Items(l); len(items) != 2 || !strings.HasPrefix(items[0].Text(), "never") {
		t.Errorf("%s", c.Bytes())
	}
}

func TestCap(t *testing.T) {
	lines := []string{ask}
	for i := range 40 {
		lines = append(lines, fmt.Sprintf("a: I suggest the w%dx way. Should we gauge r%dx?", i, i),
			fmt.Sprintf("u: yes. never touch the q%dx bucket\\nno idea yet about r%dx, i'll ask them on monday", i, i))
	}
	if n := len(itemsOf(check(t, say(lines...)))); n < 12 {
		t.Errorf("only %d items", n)
	}
}

func TestNothingTwice(t *testing.T) {
	c := check(t, say(ask, "a: Noted.", "u: never touch the archive bucket", "a: Noted.", "u: never touch the archive bucket again please",
		"a: Noted.", "u: never touch the release branch"))
	l, _ := doc.ListByKey("strong_beliefs")
	if n := len(c.Items(l)); n != 2 {
		t.Errorf("%d rules: %s", n, c.Bytes())
	}
}

func TestEmpty(t *testing.T) {
	if c := check(t, doc.NewTranscript(doc.Header{}, nil)); len(itemsOf(c)) != 0 {
		t.Errorf("%s", c.Bytes())
	}
}

// TestHostileIsFast feeds what makes careless extractors quadratic.
func TestHostileIsFast(t *testing.T) {
	many := func(n int, text func(int) string) *doc.Transcript {
		msgs := make([]doc.Message, n)
		for i := range msgs {
			msgs[i] = doc.Message{ID: fmt.Sprint(i), Role: []string{doc.User, doc.Assistant}[i%2], Text: text(i)}
		}
		return doc.NewTranscript(doc.Header{}, msgs)
	}
	for name, tr := range map[string]*doc.Transcript{
		"one long sentence": many(1, func(int) string { return strings.Repeat("never say it ", 80_000) }),
		"one long word":     many(1, func(int) string { return strings.Repeat("x", 1<<20) }),
		"one long line":     many(2, func(int) string { return strings.Repeat("never touch the prod 5, not 6. ", 30_000) }),
		"short messages":    many(100_000, func(i int) string { return fmt.Sprintf("make it %d attempts, not %d", i, i+1) }),
		"the same message":  many(100_000, func(int) string { return "never scrap the sentinel, use the other one instead" }),
		"rare shared words": many(100_000, func(i int) string { return fmt.Sprintf("scrap w%dx, not done yet w%dx", i/4, i/4+1) }),
		"a list of many":    many(4, func(int) string { return strings.Repeat("- use the cache\n", 30_000) }),
		"a list, then a pick": many(3, func(i int) string {
			return []string{"look at this one", strings.Repeat("1) I suggest x\n", 30_000), "1"}[i]
		}),
	} {
		start := time.Now()
		Embedded(tr)
		if d := time.Since(start); d > 40*time.Second {
			t.Errorf("%s: %s", name, d)
		} else {
			t.Logf("%s: %s", name, d)
		}
	}
}

// megabyte is a transcript of real talk of about 1 MB.
func megabyte(tb testing.TB) *doc.Transcript {
	files := training(&testing.T{}, "*/*.json")
	if len(files) == 0 {
		tb.Skip("no training sessions beside the checkout")
	}
	var msgs []doc.Message
	for size := 0; size < 1<<20; {
		for _, s := range files {
			for _, m := range s.t.Messages {
				size += len(m.Text)
				m.ID = fmt.Sprint(len(msgs))
				msgs = append(msgs, m)
			}
		}
	}
	return doc.NewTranscript(doc.Header{}, msgs)
}

func BenchmarkEmbedded(b *testing.B) {
	t := megabyte(b)
	Embedded(t)
	b.SetBytes(1 << 20)
	for b.Loop() {
		Embedded(t)
	}
}
