package forget

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"daimon/lib/canon"
	"daimon/lib/doc"
	"daimon/lib/fault"
	"daimon/lib/life"
	"daimon/lib/recall"
	"daimon/lib/store"
	"daimon/lib/view"
)

const (
	value  = `Ship "Zanzibar" on the ünlucky 13th`
	quote  = "let us ship zanzibar on the 13th, whatever they say"
	twin   = "Keep the pelican survivor"
	id     = "r-00000000000a"
	twinID = "r-00000000000b"
	slug   = "-w-a"
)

var (
	ctx = context.Background()
	by  = life.By{At: time.Date(2026, 1, 10, 0, 0, 0, 0, time.UTC), Channel: "cli-agent", Author: "tester"}
)

func checkpoint(session, project string) *doc.Checkpoint {
	c := doc.NewCheckpoint()
	c.Set("session_id", session)
	c.Set("project_slug", project)
	c.Set("created", "2026-01-0"+session[len(session)-1:]+"T00:00:00Z")
	l, _ := doc.ListByKey("recent_decisions")
	e := doc.NewEntry(value, doc.Verbatim)
	e.Set("quote", quote)
	e.Set("id", id)
	other := doc.NewEntry(twin, doc.Verbatim)
	other.Set("quote", "the pelican survivor stays")
	other.Set("id", twinID)
	c.SetItems(l, []*doc.Entry{e, other})
	q, _ := doc.ListByKey("open_questions")
	sibling := doc.NewEntry("ship \"zanzibar\"  on the ÜNLUCKY 13th", doc.Inferred)
	sibling.Set("id", "o-00000000000c")
	quoting := doc.NewEntry("They insist", doc.Verbatim)
	quoting.Set("quote", "So be it. "+value+"!")
	quoting.Set("id", "o-00000000000d")
	c.SetItems(q, []*doc.Entry{sibling, quoting})
	return c
}

// home is a store in which the value stands wherever it can.
func home(t *testing.T) *store.Store {
	t.Helper()
	st := store.Open(filepath.Join(t.TempDir(), "a home [1]*?"))
	for _, s := range []string{"s1", "s2", "s3", "s4"} {
		if _, err := st.WriteCheckpoint(checkpoint(s, slug), slug, store.Options{Rotate: true, Now: by.At}); err != nil {
			t.Fatal(err)
		}
	}
	rows := strings.Join([]string{
		`{"ts":"2026-01-01T00:00:00Z","kind":"resolution","item_ref":"r-00000000000e","status":"supersede-candidate:` + twinID + `","source":"serializer","item_text":` + string(doc.AppendString(nil, value)) + `}`,
		`{"ts":"2026-01-02T00:00:00Z","kind":"log","note":` + string(doc.AppendString(nil, value)) + `}`,
		`{"ts":"2026-01-02T00:00:00Z","kind":"log","note":"a note that stays"}`,
	}, "\n") + "\n"
	put(t, st.Ledger(slug, store.Events), rows)
	put(t, filepath.Join(st.Bucket(slug), "refutations.jsonl"), `{"id":"r-1","verdict":`+string(doc.AppendString(nil, value))+`}`+"\n")
	put(t, filepath.Join(st.Home(), "spool", "abc", "job"), `{"session":"s5"}`)
	put(t, filepath.Join(st.Home(), "spool", "abc", "transcript.jsonl"), value)
	put(t, filepath.Join(st.Home(), "cache", "x", "y.json"), value)
	put(t, filepath.Join(st.Home(), "logs", "capture.log"), "extractor said: "+value)
	put(t, filepath.Join(st.Bucket(slug), "latest.json.1.2.tmp"), value)
	put(t, filepath.Join(st.Home(), "logs", "hooks.log"), "one line about the pelican survivor\nextract said "+strings.ToUpper(value)+"\nthe last\n")
	if _, err := recall.Open(st).Refresh(ctx); err != nil {
		t.Fatal(err)
	}
	return st
}

func put(t *testing.T, path, body string) {
	t.Helper()
	if err := store.WriteFile(path, []byte(body)); err != nil {
		t.Fatal(err)
	}
}

// holders walks everything below the home on its own and lists the files that
// hold any of some words, in any case.
func holders(t *testing.T, st *store.Store, words ...string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(st.Home(), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		for _, w := range words {
			if bytes.Contains(bytes.ToLower(raw), []byte(w)) {
				rel, _ := filepath.Rel(st.Home(), path)
				out = append(out, rel)
				break
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestForget(t *testing.T) {
	st := home(t)
	if n := len(holders(t, st, "zanzibar")); n < 14 {
		t.Fatalf("the value stands in only %d files to begin with", n)
	}
	target, err := Find(st, slug, id, "")
	if err != nil {
		t.Fatal(err)
	}
	preview, err := Preview(st, slug, target)
	if err != nil || !preview.DryRun || preview.Copies == 0 || !slices.Equal(preview.IDs, []string{"o-00000000000c", id}) || len(preview.Keys) != 4 {
		t.Errorf("preview %+v, %v", preview, err)
	}
	if n := len(holders(t, st, "zanzibar")); n < 14 {
		t.Error("the preview removed something")
	}
	r, err := Run(ctx, st, slug, target, by, "asked to")
	if err != nil {
		t.Fatal(err)
	}
	if !r.Reached || len(r.ContainedIn) != 0 {
		t.Errorf("%+v", r)
	}
	if left := holders(t, st, "zanzibar", "whatever they say"); len(left) > 0 {
		t.Errorf("the value is left in %q", left)
	}
	if n := len(holders(t, st, "pelican survivor")); n < 9 {
		t.Errorf("the sibling is left in only %d files", n)
	}
	if s := r.Summary() + string(must(doc.Marshal(r))); strings.Contains(strings.ToLower(s), "zanzibar") {
		t.Errorf("the report holds the value: %s", s)
	}
	for _, said := range []string{"staging 1 file,", "spool 1 file,", "cache 1 file,", "logs 2 files,", " in 1 file"} {
		if !strings.Contains(r.Summary(), said) {
			t.Errorf("no %q in %s", said, r.Summary())
		}
	}
	again, err := Run(ctx, st, slug, target, by, "")
	if err != nil || strings.Contains(again.Summary(), "logs") || strings.Contains(again.Summary(), "spool") {
		t.Errorf("nothing was left there: %s, %v", again.Summary(), err)
	}
	v := view.Open(st, slug)
	if got := v.ClassifyRow("", value, ""); got != (view.Withheld{Reason: view.Forgotten}) {
		t.Errorf("the value is not forgotten: %v", got)
	}
	found, err := recall.Open(st).Search(ctx, v, recall.Query{Slug: slug, Words: []string{"pelican"}, Limit: 5})
	if err != nil || len(found.Rows) != 1 {
		t.Errorf("the index lost the sibling: %v %v", found.Rows, err)
	}
	c, err := st.Latest(slug)
	if err != nil || c.Str("session_id") != "s4" {
		t.Fatalf("latest: %v %v", c, err)
	}
	l, _ := doc.ListByKey("open_questions")
	if q := c.Items(l); len(q) != 1 || q[0].Trust() != doc.Inferred || q[0].Has("quote") {
		t.Errorf("the item that quoted it: %s", q[0].Bytes())
	}
	state, err := life.Read(st, slug)
	if err != nil || state.Resolved("r-00000000000e") || state.SupersedeCandidate("r-00000000000e") == "" {
		t.Errorf("a scrubbed row decides otherwise than before: %v", err)
	}
	raw, _ := os.ReadFile(st.Ledger(slug, store.Events))
	if !bytes.Contains(raw, []byte("a note that stays")) || !bytes.Contains(raw, []byte("[forgotten:"+canon.Key(value)+"]")) || !bytes.Contains(raw, []byte(`"note":"asked to"`)) {
		t.Errorf("%s", raw)
	}
	if raw, _ := os.ReadFile(filepath.Join(st.Home(), "logs", "hooks.log")); string(raw) != "one line about the pelican survivor\nthe last\n" {
		t.Errorf("hooks.log: %q", raw)
	}
	if _, err := os.Stat(filepath.Join(st.Home(), "spool", "abc", "job")); err != nil {
		t.Error("the job went with its outputs")
	}
}

func must(b []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return b
}

func TestByText(t *testing.T) {
	st := home(t)
	for text, want := range map[string]fault.Kind{"SHIP \"zanzibar\" on the ünlucky 13TH": -1, "zanzibar": fault.NoInput, "": fault.NoInput} {
		_, err := Find(st, slug, "", text)
		if want < 0 && err != nil || want >= 0 && fault.KindOf(err) != want {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestScope(t *testing.T) {
	st := home(t)
	if _, err := Find(st, "-w-b", id, ""); fault.KindOf(err) != fault.NoInput {
		t.Errorf("another project's id: %v", err)
	}
	if _, err := Find(st, slug, "r-0000000000ff", ""); fault.KindOf(err) != fault.NoInput {
		t.Errorf("unknown id: %v", err)
	}
	// What another project holds is not this one's to delete.
	if _, err := st.WriteCheckpoint(checkpoint("b9", "-w-b"), "-w-b", store.Options{Rotate: true, Now: by.At}); err != nil {
		t.Fatal(err)
	}
	target, err := Find(st, slug, id, "")
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(ctx, st, slug, target, by, "")
	if err != nil || !r.Reached {
		t.Errorf("%+v %v", r, err)
	}
	left := holders(t, st, "zanzibar")
	if want := []string{"checkpoints/-w-b/latest.json", "checkpoints/b9.json", "checkpoints/latest.json", "recall.db"}; !slices.Equal(left, want) {
		t.Errorf("left in %q", left)
	}
}

func TestAgainFinishes(t *testing.T) {
	st := home(t)
	target, err := Find(st, slug, id, "")
	if err != nil {
		t.Fatal(err)
	}
	r := &runner{ctx, st, slug, target, by, report(target)}
	if err := r.tombstone(""); err != nil { // killed right after
		t.Fatal(err)
	}
	for range 2 {
		if target, err = Find(st, slug, id, ""); err != nil {
			t.Fatal(err)
		}
		if r, err := Run(ctx, st, slug, target, by, ""); err != nil || !r.Reached {
			t.Fatalf("%+v %v", r, err)
		}
	}
	if left := holders(t, st, "zanzibar", "whatever they say"); len(left) > 0 {
		t.Errorf("left in %q", left)
	}
}

func TestNotReached(t *testing.T) {
	for name, c := range map[string]struct {
		path, body string
	}{
		"torn ledger line":  {"checkpoints/" + slug + "/events.jsonl", `{"note":"` + "let us ship zanzibar on the 13th, whatever they say"},
		"torn session file": {"checkpoints/torn.json", `{"x":"` + quote},
		"undeclared file":   {"notes.txt", quote},
	} {
		st := home(t)
		path := filepath.Join(st.Home(), c.path)
		old, _ := os.ReadFile(path)
		put(t, path, string(old)+c.body)
		target, err := Find(st, slug, id, "")
		if err != nil {
			t.Fatal(name, err)
		}
		r, err := Run(ctx, st, slug, target, by, "")
		if err != nil || r.Reached {
			t.Errorf("%s: %v %+v", name, err, r)
			continue
		}
		last := r.Steps[len(r.Steps)-1]
		if !slices.Contains(last.Missed, c.path) {
			t.Errorf("%s: missed %q", name, last.Missed)
		}
	}
}

func TestContained(t *testing.T) {
	st := store.Open(t.TempDir())
	c := checkpoint("s1", slug)
	l, _ := doc.ListByKey("strong_beliefs")
	longer := doc.NewEntry("As they said: "+value+", so be it", doc.Inferred)
	longer.Set("id", "s-00000000000f")
	c.SetItems(l, []*doc.Entry{longer})
	if _, err := st.WriteCheckpoint(c, slug, store.Options{Rotate: true, Now: by.At}); err != nil {
		t.Fatal(err)
	}
	target, err := Find(st, slug, id, "")
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(ctx, st, slug, target, by, "")
	if err != nil || !slices.Equal(r.ContainedIn, []string{"s-00000000000f"}) {
		t.Errorf("%+v %v", r, err)
	}
}

func TestRunningCaptureIsReported(t *testing.T) {
	st := home(t)
	lock := filepath.Join(st.Home(), "spool", "abc", "lock")
	unlock, err := store.Lock(lock, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	target, err := Find(st, slug, id, "")
	if err != nil {
		t.Fatal(err)
	}
	if r, err := Run(ctx, st, slug, target, by, ""); err != nil || r.Reached {
		t.Errorf("while a capture runs: %+v %v", r, err)
	}
	unlock()
	if target, err = Find(st, slug, id, ""); err != nil {
		t.Fatal(err)
	}
	if r, err := Run(ctx, st, slug, target, by, ""); err != nil || !r.Reached {
		t.Errorf("afterwards: %+v %v", r, err)
	}
}

func TestReasonMustNotTell(t *testing.T) {
	st := home(t)
	target, err := Find(st, slug, id, "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Run(ctx, st, slug, target, by, "because of "+strings.ToUpper(value)); fault.KindOf(err) != fault.Usage {
		t.Errorf("%v", err)
	}
	if state, err := life.Read(st, slug); err != nil || len(state.Forgotten()) != 0 {
		t.Error("a refused run wrote a tombstone")
	}
}

func TestShortWordsBreakNothing(t *testing.T) {
	st := store.Open(t.TempDir())
	c := checkpoint("s1", slug)
	l, _ := doc.ListByKey("strong_beliefs")
	e := doc.NewEntry("verbatim", doc.Verbatim)
	e.Set("quote", "cli")
	e.Set("id", "s-00000000000f")
	c.SetItems(l, []*doc.Entry{e})
	if _, err := st.WriteCheckpoint(c, slug, store.Options{Rotate: true, Now: by.At}); err != nil {
		t.Fatal(err)
	}
	target, err := Find(st, slug, "s-00000000000f", "")
	if err != nil {
		t.Fatal(err)
	}
	if r, err := Run(ctx, st, slug, target, by, ""); err != nil || !r.Reached {
		t.Errorf("%+v %v", r, err)
	}
	got, err := st.Latest(slug)
	if err != nil {
		t.Fatal(err)
	}
	d, _ := doc.ListByKey("recent_decisions")
	if items := got.Items(d); len(items) != 2 || items[0].Trust() != doc.Verbatim {
		t.Errorf("%s", got.Bytes())
	}
	state, err := life.Read(st, slug)
	if err != nil || !state.IsForgotten("VERBATIM") {
		t.Error("not forgotten")
	}
}

func TestScrubbedStatusKeepsItsClass(t *testing.T) {
	const text = "reopen the case of zanzibar"
	st := store.Open(t.TempDir())
	c := checkpoint("s1", slug)
	l, _ := doc.ListByKey("strong_beliefs")
	e := doc.NewEntry(text, doc.Inferred)
	e.Set("id", "s-00000000000f")
	c.SetItems(l, []*doc.Entry{e})
	if _, err := st.WriteCheckpoint(c, slug, store.Options{Rotate: true, Now: by.At}); err != nil {
		t.Fatal(err)
	}
	put(t, st.Ledger(slug, store.Events), `{"ts":"2026-01-01T00:00:00Z","item_ref":"`+twinID+`","status":"`+text+`","source":"`+text+`"}`+"\n")
	target, err := Find(st, slug, "", text)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(ctx, st, slug, target, by, "")
	if err != nil || r.Steps[2].Items != 1 {
		t.Fatalf("%+v %v", r, err)
	}
	state, err := life.Read(st, slug)
	if err != nil || state.Resolved(twinID) || state.Status(twinID) != "reopen [forgotten:"+canon.Key(text)+"]" {
		t.Errorf("%v %q", err, state.Status(twinID))
	}
}
