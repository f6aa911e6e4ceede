package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"daimon/lib/doc"
	"daimon/lib/store"
)

func TestRun(t *testing.T) {
	home, project := t.TempDir(), t.TempDir()
	t.Setenv("DAIMON_DISABLE", "1") // forgetting works all the same
	st, slug := store.Open(home), store.Slug(store.ProjectRoot(project))
	c := doc.NewCheckpoint()
	c.Set("session_id", "s1")
	c.Set("project_slug", slug)
	l, _ := doc.ListByKey("open_questions")
	var items []*doc.Entry
	for id, text := range map[string]string{"o-000000000001": "the zanzibar plan", "o-000000000002": "the pelican plan"} {
		e := doc.NewEntry(text, doc.Inferred)
		e.Set("id", id)
		items = append(items, e)
	}
	c.SetItems(l, items)
	if _, err := st.WriteCheckpoint(c, slug, store.Options{Rotate: true, Now: time.Now()}); err != nil {
		t.Fatal(err)
	}
	forget := func(args ...string) (int, string, string) {
		var out, errs bytes.Buffer
		code := run(context.Background(), strings.NewReader(""), &out, &errs, append([]string{"--home", home, "--project", project}, args...))
		return code, out.String(), errs.String()
	}
	for _, c := range []struct {
		want int
		args []string
	}{
		{2, nil}, {2, []string{"o-000000000001", "--text", "x"}}, {66, []string{"o-00000000000f"}}, {66, []string{"--text", "zanzibar"}},
		{66, []string{"o-000000000001", "--project", t.TempDir()}}, {2, []string{"o-000000000001", "--reason", "The ZANZIBAR plan leaked"}},
	} {
		if code, out, errs := forget(c.args...); code != c.want || out != "" || strings.Count(errs, "\n") != 1 {
			t.Errorf("%q: %d, want %d; %q %q", c.args, code, c.want, out, errs)
		}
	}
	file := st.SessionFile("s1")
	code, out, _ := forget("o-000000000001", "--dry-run")
	if raw, _ := os.ReadFile(file); code != 0 || !gjson.Get(out, "dry_run").Bool() || gjson.Get(out, "copies").Int() != 3 || !bytes.Contains(raw, []byte("zanzibar")) {
		t.Errorf("dry run: %d %s", code, out)
	}
	code, out, errs := forget("o-000000000001", "--reason", "token=abcdefgh12345678 leaked", "--summary")
	raw, _ := os.ReadFile(file)
	if code != 0 || !gjson.Get(out, "reached").Bool() || strings.Contains(out+errs, "zanzibar") || bytes.Contains(raw, []byte("zanzibar")) || !bytes.Contains(raw, []byte("pelican")) {
		t.Errorf("%d %s %s\n%s", code, out, errs, raw)
	}
	ledger, _ := os.ReadFile(st.Ledger(slug, store.Events))
	if bytes.Contains(ledger, []byte("abcdefgh12345678")) || !bytes.Contains(ledger, []byte("leaked")) || !bytes.Contains(ledger, []byte("cli-agent")) {
		t.Errorf("%s", ledger)
	}
	if code, _, _ := forget("o-000000000001"); code != 0 {
		t.Errorf("again: %d", code)
	}
	if err := os.WriteFile(filepath.Join(home, "stray.txt"), []byte("the pelican plan"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, out, errs := forget("--text", "The Pelican plan"); code != 4 || !strings.Contains(errs, "stray.txt") || gjson.Get(out, "reached").Bool() {
		t.Errorf("not reached: %d %s %s", code, out, errs)
	}
}

func TestHints(t *testing.T) {
	home, project := t.TempDir(), t.TempDir()
	st := store.Open(home)
	slug := store.Slug(store.ProjectRoot(project))
	c := doc.NewCheckpoint()
	c.Set("session_id", "s1")
	c.Set("project_slug", slug)
	l, _ := doc.ListByKey("open_questions")
	var items []*doc.Entry
	for _, it := range [][3]string{
		{"o-000000000001", "the zanzibar plan", "we ship"}, {"o-000000000002", "leave the zanzibar plan alone", ""}, {"o-000000000003", "ship it", "we ship"},
	} {
		e := doc.NewEntry(it[1], doc.Inferred)
		e.Set("id", it[0])
		e.Set("quote", it[2])
		items = append(items, e)
	}
	c.SetItems(l, items)
	if _, err := st.WriteCheckpoint(c, slug, store.Options{Rotate: true, Now: time.Now()}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args  []string
		notes []string
	}{
		{[]string{"o-000000000001", "--dry-run"}, []string{"o-000000000002 (--contained", "the quote of 1 other item: o-000000000003"}},
		{[]string{"o-000000000001"}, []string{"of 1 item: o-000000000002 (forget them", "the quote of 1 other item: o-000000000003"}},
		{[]string{"--text", "zanzibar plan", "--contained", "--dry-run", "--summary"}, []string{"would forget 1 item in 3 copies, 0 quotes; within a longer text: 0 other items"}},
		{[]string{"--text", "zanzibar plan", "--contained"}, nil},
		{[]string{"o-000000000003"}, nil},
	} {
		var out, errs bytes.Buffer
		code := run(context.Background(), strings.NewReader(""), &out, &errs, append([]string{"--home", home, "--project", project}, c.args...))
		if code != 0 || strings.Count(errs.String(), "\n") != len(c.notes) || strings.Contains(errs.String(), "zanzibar") {
			t.Errorf("%q: %d %s%s", c.args, code, &out, &errs)
		}
		for _, n := range c.notes {
			if !strings.Contains(errs.String(), n) {
				t.Errorf("%q: no %q in %s", c.args, n, &errs)
			}
		}
	}
	if raw, _ := os.ReadFile(st.SessionFile("s1")); bytes.Contains(raw, []byte("o-00000000")) || bytes.Contains(raw, []byte("zanzibar")) {
		t.Errorf("left: %s", raw)
	}
}
