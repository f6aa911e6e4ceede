package quote

import (
	"fmt"
	"strings"
	"testing"

	"daimon/lib/doc"
)

// pinned are the texts pinned by verifying an empty candidate, or the given one.
func pinned(t *testing.T, c *doc.Checkpoint, msgs ...doc.Message) ([]string, Report) {
	t.Helper()
	if c == nil {
		c = doc.NewCheckpoint()
	}
	r := Verify(c, transcript(msgs...), "")
	once := string(c.Bytes())
	refused := Lowered(c)
	doc.StripCode(c)
	refused(c)
	if again := Verify(c, transcript(msgs...), ""); string(c.Bytes()) != once || again.Pinned != r.Pinned {
		t.Errorf("pinning again changes\n%s\nto\n%s", once, c.Bytes())
	}
	var out []string
	for _, e := range c.Items(doc.Lists[2]) {
		if !e.True(pinnedField) {
			continue
		}
		out = append(out, e.Text())
		if e.Quote() != e.Text() || e.Trust() != doc.Verbatim || !e.True(verifiedField) || len(e.Strs(idsField)) != 1 {
			t.Errorf("a pin is not whole: %s", e.Bytes())
		}
	}
	return out, r
}

func TestPins(t *testing.T) {
	for _, tt := range []struct {
		text string
		want string // pins, joined by |
	}{
		{"Never push to main.", "Never push to main."},
		{"Never push.", ""}, // two words
		{"Should we never push to main?", ""},
		{"We could push to main.", ""},
		{"ok. you must not touch it. thanks", "you must not touch it."},
		{"- always run the linter\n- ship it when ready", "always run the linter"},
		{"1. never change the dtype\n2. go on", "never change the dtype"},
		{"dont edit X now please", "dont edit X now please"},
		{"DON’T edit X now please", "DON’T edit X now please"},
		{"i don't know what it is", ""},
		{"it is prohibited to push", "it is prohibited to push"},
		{"> never push to main\nok then", ""},
		{"```\nnever push to main\n```\nfine by me", ""},
		{"    never push to main from here", ""},
		{"2026-01-02 03:04:05 worker must never be restarted", ""},
		{"ERROR must not be null here", ""},
		{"he wrote \"you must never push to main\" to me", ""},
		{"he wrote \"push to main\" and i say never do that", "he wrote \"push to main\" and i say never do that"},
		{"nunca hagas push a main", "nunca hagas push a main"},
		{"haz push a main luego", ""},
		{"a gente nunca apaga dado bruto", "a gente nunca apaga dado bruto"},
		{"une facture ne doit jamais être refaite pour ça", "une facture ne doit jamais être refaite pour ça"},
		{"si jamais on refait le module, on verra avec les autres", ""},
		{"das darf man niemals neu rechnen", "das darf man niemals neu rechnen"},
		{"nie powiedział tego w tym miesiącu", ""}, // Polish "nie" is no rule
		{"ここは絶対に変更しないで", "ここは絶対に変更しないで"},
		{"必ず。", ""},
		{"原始文件绝对不能删除", "原始文件绝对不能删除"},
		{"8MB 不要了", ""},
		{"알림은 반드시 즉시 보내야 합니다", "알림은 반드시 즉시 보내야 합니다"},
		{"방해금지 시간 계산을 봐주세요", ""},
		{"никогда не пушим в main", "никогда не пушим в main"},
		{"we must " + strings.Repeat("very ", 70) + "soon", ""},
	} {
		got, _ := pinned(t, nil, said("u", doc.User, tt.text))
		if s := strings.Join(got, "|"); s != tt.want {
			t.Errorf("%q pins %q, want %q", tt.text, s, tt.want)
		}
	}
}

func TestOnlyTheUserPins(t *testing.T) {
	rule := "never push to main again"
	tool := printed("t", rule)
	if got, _ := pinned(t, nil, said("a", doc.Assistant, rule), tool); len(got) != 0 {
		t.Errorf("pinned %q", got)
	}
	if got, _ := pinned(t, nil, said("a", doc.User, rule), tool); len(got) != 1 {
		t.Errorf("pinned %q", got)
	}
}

func TestPinLimits(t *testing.T) {
	var b strings.Builder
	for i := range 12 {
		fmt.Fprintf(&b, "never touch file number %d\n", i)
	}
	got, r := pinned(t, nil, said("u", doc.User, b.String()), said("v", doc.User, "never touch file number 1"))
	if len(got) != maxPins || r.PinsDropped != 2 {
		t.Errorf("%d pinned, %d dropped", len(got), r.PinsDropped)
	}
}

func TestPinsBesideQuotes(t *testing.T) {
	for _, tt := range []struct {
		trust, quote string
		want         int
	}{
		{doc.Verbatim, "never push", 0},
		{doc.Verbatim, "other words.\nnever push to main again", 0},
		{doc.Verbatim, "never push to main again, or ever", 1}, // nobody said it
		{doc.Inferred, "never push", 1},
		{doc.Verbatim, "some other words", 1},
	} {
		c := doc.NewCheckpoint()
		c.SetItems(doc.Lists[1], []*doc.Entry{item(tt.trust, tt.quote, "u")})
		got, _ := pinned(t, c, said("u", doc.User, "some other words.\nnever push to main again"))
		if len(got) != tt.want {
			t.Errorf("beside %s %q: %q", tt.trust, tt.quote, got)
		}
	}
}
