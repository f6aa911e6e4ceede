package brief

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"daimon/lib/doc"
	"daimon/lib/own"
	"daimon/lib/view"
)

// maxText is the longest inferred text that is printed whole, in bytes.
const maxText = 600

// shortened ends a text that was cut. Only readings are cut, never quotes.
const shortened = " …[shortened]"

// Text prints the briefing in at most limit bytes (0: Max). Items are dropped
// whole, the lightest beliefs first, and every section says how many.
func (b *Briefing) Text(limit int) ([]byte, Report) {
	r := Report{Session: b.Session, Withheld: map[string]int{}}
	for reason, n := range b.Withheld {
		r.Withheld[string(reason)] = n
	}
	if b.Empty() {
		return nil, r
	}
	if limit <= 0 {
		limit = Max
	}
	frame := b.frame()
	b.fit(limit - len(frame.head) - len(frame.tail))
	out := bytes.NewBufferString(frame.head)
	for _, s := range b.Sections {
		s.print(out)
		r.LeftOut += s.leftOut()
		r.Shown += s.shown
	}
	out.WriteString(frame.tail)
	r.Bytes = out.Len()
	return out.Bytes(), r
}

type frame struct{ head, tail string }

// frame is everything that no budget touches.
func (b *Briefing) frame() frame {
	var h strings.Builder
	h.WriteString(b.head() + "\n" + fixed + "\n")
	for _, n := range b.Notes {
		h.WriteString(clip(view.Line(n), 300) + "\n")
	}
	if b.Closed != "" {
		h.WriteString("No item is shown: " + clip(view.Line(b.Closed), 300) + ", so withdrawn items cannot be told from live ones.\n")
	}
	var t strings.Builder
	for _, reason := range []view.Reason{view.Resolved, view.Forgotten} {
		if n := b.Withheld[reason]; n > 0 {
			fmt.Fprintf(&t, "%s withheld\n", plural(n, string(reason)+" item"))
		}
	}
	if b.Stale > 0 {
		fmt.Fprintf(&t, "%s unverified for more than 7 days\n", plural(b.Stale, "carried item"))
	}
	tail := own.BriefingEnd + "\n"
	if t.Len() > 0 {
		tail = "\n" + t.String() + tail
	}
	return frame{h.String(), tail}
}

// fit renders each item once, then drops whole ones until all fits.
func (b *Briefing) fit(room int) {
	size := 0
	for _, s := range b.Sections {
		for _, it := range s.Items {
			it.line = it.render(s.inline)
			it.cut = len(it.line) > room/3 // one giant may not push out the rest
		}
		s.measure()
		size += s.size()
	}
	for _, v := range b.victims() {
		if size <= room {
			return
		}
		if v.item.cut {
			continue
		}
		size -= v.from.size()
		v.item.cut = true
		v.from.shown--
		v.from.lines -= len(v.item.line)
		size += v.from.size()
	}
}

type victim struct {
	from *Section
	item *Item
}

// victims lists the items in the order in which they go: beliefs, doubts, decisions
// from the oldest, loops, then rules, contradictions, what needs checking, the topic.
func (b *Briefing) victims() []victim {
	var first, rules, last []victim
	for _, n := range []int{beliefs, doubts, decisions, loops, contradictions, verify, topic} {
		s := b.Sections[n]
		items := slices.Clone(s.Items)
		if n != decisions {
			slices.Reverse(items)
		}
		for _, it := range items {
			switch v := (victim{s, it}); {
			case n == contradictions || n == verify || n == topic:
				last = append(last, v)
			case it.Entry.True("pinned"):
				rules = append(rules, v)
			default:
				first = append(first, v)
			}
		}
	}
	slices.SortStableFunc(rules, func(x, y victim) int { return cmp.Compare(x.item.weight, y.item.weight) })
	return slices.Concat(first, rules, last)
}

func (s *Section) measure() {
	s.shown, s.lines = 0, 0
	for _, it := range s.Items {
		if !it.cut {
			s.shown++
			s.lines += len(it.line)
		}
	}
}

func (s *Section) leftOut() int { return s.LeftOut + len(s.Items) - s.shown }

// size is how many bytes print writes.
func (s *Section) size() int { return len(s.title()) + s.lines + len(s.rest()) }

func (s *Section) print(b *bytes.Buffer) {
	b.WriteString(s.title())
	for _, it := range s.Items {
		if !it.cut {
			b.WriteString(it.line)
		}
	}
	b.WriteString(s.rest())
}

func (s *Section) title() string {
	switch {
	case len(s.Items)+s.LeftOut == 0:
		return ""
	case s.inline && s.shown > 0:
		return "\n" + s.Title
	}
	return "\n" + s.Title + "\n"
}

// rest announces what the section does not show.
func (s *Section) rest() string {
	n := s.leftOut()
	if n == 0 {
		return ""
	}
	what := "item"
	if s.Name == "decisions" {
		what = "decision"
	}
	return fmt.Sprintf("  (+%s not shown)\n", plural(n, what))
}

// render makes the line of an item: mark, text, tags, reason, quote, handle.
func (it *Item) render(inline bool) string {
	e := it.Entry
	var b strings.Builder
	b.WriteString(map[bool]string{true: " ", false: "- "}[inline])
	b.WriteString(view.Mark(e.Trust()) + " ")
	text := view.Line(e.Text())
	if e.Trust() != doc.Verbatim {
		text = shorten(text)
	}
	b.WriteString(text + it.tags())
	if because := view.Line(e.Str("because")); because != "" {
		b.WriteString(" — because " + shorten(because))
	}
	if quote := it.quote(text); quote != "" {
		b.WriteString(` — "` + quote + `"`)
	}
	if id := view.Line(e.ID()); id != "" && !inline {
		b.WriteString(" [" + id + "]")
	}
	b.WriteByte('\n')
	if it.SupersededBy != "" {
		b.WriteString("  likely superseded by " + it.SupersededBy + "\n")
	}
	return b.String()
}

func (it *Item) tags() string {
	e, tags := it.Entry, ""
	if e.Has("carried_from") {
		tags += " [carried]"
	}
	if e.True("pinned") {
		tags += " [pinned rule]"
	}
	switch who := e.Str("stated_by"); who {
	case doc.User, doc.Assistant, doc.ToolRole:
		tags += " [said by " + who + "]"
	}
	if e.False("grounded") {
		tags += " [unproven outcome]"
	}
	if e.False("quote_verified") {
		tags += " [quote not found]"
	}
	return tags
}

// quote is what follows the text: nothing when it says the same, when it was
// not found in the transcript, or when a reading's quote is too long to print.
func (it *Item) quote(text string) string {
	quote := view.Line(it.Entry.Quote())
	if quote == text || it.Entry.False("quote_verified") || it.Entry.Trust() != doc.Verbatim && len(quote) > maxText {
		return ""
	}
	return quote
}

// shorten cuts words that are no quote, where one can see it.
func shorten(s string) string {
	if len(s) <= maxText {
		return s
	}
	return clip(s, maxText-len(shortened)) + shortened
}

// clip cuts to at most n bytes, between characters.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
