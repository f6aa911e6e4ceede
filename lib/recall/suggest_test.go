package recall

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"daimon/lib/doc"
	"daimon/lib/own"
	"daimon/lib/store"
	"daimon/lib/view"
)

func TestCredit(t *testing.T) {
	for _, c := range []struct {
		term, text string
		want       bool
	}{
		{"port", "the transport layer", false}, {"one", "an honest one-off", true}, {"one", "honest", false},
		{"token", "auth_token expired", true}, {"policy", "all policies", true}, {"caching", "the cache", true}, {"cache", "caching it", true},
		{"cache", "cached it", true}, {"sesion", "una sesión", true}, {"client", "httpClient", true}, {"main", "src/main.go:12", true},
		{"配置", "修改配置文件", true}, {"配文", "修改配置文件", false},
	} {
		if got := len(credit([]string{c.term}, c.text)) == 1; got != c.want {
			t.Errorf("%q in %q: %v", c.term, c.text, got)
		}
	}
}

func TestTyped(t *testing.T) {
	for prompt, want := range map[string]bool{
		"fix the importer": true, "/clear": false, "  /compact x": false, " \n": false,
		"<task-notification>\nx": false, "\n [SYSTEM NOTIFICATION] x": false, "explain <task-notification> to me": true,
		"look:\n<agent-message from=x>": false, "look:\n <agent-message>": true, strings.Repeat("x", 400) + "\n<task-notification>": true,
		strings.Repeat("é", 380) + "\n<task-notification>": false,
	} {
		if Typed(prompt) != want {
			t.Errorf("%.40q: %v", prompt, !want)
		}
	}
}

func ask(t *testing.T, st *store.Store, a Ask) []string {
	t.Helper()
	refresh(t, st)
	if a.Now.IsZero() {
		a.Now = time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)
	}
	if a.Slug == "" {
		a.Slug = "p"
	}
	rows, err := Open(st).Suggest(ctx, view.Open(st, a.Slug), a)
	if err != nil {
		t.Fatal(err)
	}
	out := []string{}
	for _, r := range rows {
		out = append(out, r.Text)
	}
	slices.Sort(out)
	return out
}

// seen puts one item with a first_seen stamp and perhaps a pin.
func seen(t *testing.T, st *store.Store, session, firstSeen string, pinned bool, texts ...string) {
	t.Helper()
	c := doc.NewCheckpoint()
	c.Set("session_id", session)
	c.Set("project_slug", "p")
	c.Set("created", "2026-01-01T00:00:00Z")
	l, _ := doc.ListByKey("recent_decisions")
	var items []*doc.Entry
	for i, text := range texts {
		e := doc.NewEntry(text, doc.Verbatim)
		e.Set("quote", text)
		e.Set("id", fmt.Sprintf("r-%s%08x", session[len(session)-4:], i))
		e.Set("first_seen", firstSeen)
		if pinned {
			e.Set("pinned", true)
		}
		items = append(items, e)
	}
	c.SetItems(l, items)
	if err := store.WriteFile(st.SessionFile(session), c.Indented()); err != nil {
		t.Fatal(err)
	}
}

func TestSuggest(t *testing.T) {
	const fresh = "2026-01-04T00:00:00Z"
	prompt := "should the importer retry when the vendor throttles?"
	for _, c := range []struct {
		name   string
		set    func(*store.Store)
		a      Ask
		prompt string
		want   []string
	}{
		{"two terms in one item", func(st *store.Store) { seen(t, st, "aaaa", fresh, false, "Importer gives up after one retry") }, Ask{}, prompt, []string{"Importer gives up after one retry"}},
		{"one term", func(st *store.Store) { seen(t, st, "aaaa", fresh, false, "Importer logs are long", "Importer is old") }, Ask{}, prompt, []string{}},
		{"two terms over two items of a session", func(st *store.Store) { seen(t, st, "aaaa", fresh, false, "Importer logs are long", "Vendor is slow") }, Ask{}, prompt, []string{"*"}},
		{"too short a prompt", func(st *store.Store) { seen(t, st, "aaaa", fresh, false, "Importer gives up after one retry") }, Ask{}, "importer again", []string{}},
		{"another project", func(st *store.Store) { seen(t, st, "aaaa", fresh, false, "Importer gives up after one retry") }, Ask{Slug: "q"}, prompt, []string{}},
		{"own session", func(st *store.Store) { seen(t, st, "aaaa", fresh, false, "Importer gives up after one retry") }, Ask{Session: "aaaa"}, prompt, []string{}},
		{"machine prompt", func(st *store.Store) { seen(t, st, "aaaa", fresh, false, "Importer gives up after one retry") }, Ask{}, "<task-notification>\n" + prompt, []string{}},
		{"old, two terms", func(st *store.Store) {
			seen(t, st, "aaaa", "2025-12-01T00:00:00Z", false, "Importer gives up after one retry")
		}, Ask{}, prompt, []string{}},
		{"old, three terms", func(st *store.Store) {
			seen(t, st, "aaaa", "2025-12-01T00:00:00Z", false, "Importer waits when the vendor asks, one retry")
		}, Ask{}, prompt, []string{"*"}},
		{"old, pinned", func(st *store.Store) {
			seen(t, st, "aaaa", "2025-12-01T00:00:00Z", true, "Importer gives up after one retry")
		}, Ask{}, prompt, []string{"*"}},
		{"age unknown", func(st *store.Store) { seen(t, st, "aaaa", "junk", false, "Importer gives up after one retry") }, Ask{}, prompt, []string{"*"}},
		{"three sessions", func(st *store.Store) {
			for i := range 3 {
				seen(t, st, fmt.Sprintf("s%04d", i), fresh, false, fmt.Sprintf("Importer retry number w%d", i))
			}
		}, Ask{}, prompt, []string{"*", "*"}},
		{"one claim in two sessions", func(st *store.Store) {
			seen(t, st, "aaaa", fresh, false, "Importer  retry is ON")
			seen(t, st, "bbbb", fresh, false, "importer retry is on")
		}, Ask{}, prompt, []string{"*"}},
		{"forgotten", func(st *store.Store) {
			seen(t, st, "aaaa", fresh, false, "Importer gives up after one retry")
			events(t, st, "p", `{"ts":"2026-01-01T00:00:00Z","item_ref":"r-aaaa00000000","status":"forgotten:0123456789abcdef"}`)
		}, Ask{}, prompt, []string{}},
	} {
		st := store.Open(t.TempDir())
		c.set(st)
		c.a.Prompt = c.prompt
		got := ask(t, st, c.a)
		for i := range got {
			if i < len(c.want) && c.want[i] == "*" {
				got[i] = "*"
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestBriefedIsLeftOut(t *testing.T) {
	st := store.Open(t.TempDir())
	seen(t, st, "aaaa", "", false, "Importer gives up after one retry")
	c := doc.NewCheckpoint()
	c.Set("session_id", "newest")
	l, _ := doc.ListByKey("open_questions")
	c.SetItems(l, []*doc.Entry{doc.NewEntry("Importer gives up after one retry", doc.Inferred)})
	a := Ask{Prompt: "should the importer retry when the vendor throttles?"}
	if got := ask(t, st, a); len(got) != 1 {
		t.Fatalf("without a briefing: %q", got)
	}
	a.Briefed = c
	if got := ask(t, st, a); len(got) != 0 {
		t.Errorf("briefed: %q", got)
	}
}

func TestSuggestionIsOneOwnLine(t *testing.T) {
	r := Row{Kind: "decision", Trust: doc.Verbatim, ItemID: "r-000000000001", Session: "s1", Created: "2026-01-01T00:00:00Z", Status: "resolved",
		Text: "first\nline\u2028 " + own.RecallHead + strings.Repeat(" é", 200)}
	got := Suggestion(r, time.Date(2026, 1, 4, 0, 0, 0, 0, time.UTC))
	if !strings.HasPrefix(got, own.RecallHead+` [decision] [✓ verbatim] "first line `) || !strings.HasSuffix(got, `..." (session s1, 3d ago) [r-000000000001] (resolved)`) {
		t.Error(got)
	}
	if strings.ContainsAny(got, "\n\u2028") || strings.Count(got, own.RecallHead) != 1 {
		t.Errorf("not one line: %q", got)
	}
	if clean, removed := own.StripText("a\n" + got + "\nb"); !removed || strings.Contains(clean, "first") || !strings.Contains(clean, "b") {
		t.Errorf("capture keeps %q", clean)
	}
}
