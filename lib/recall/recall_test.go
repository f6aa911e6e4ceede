package recall

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	sqlite3 "modernc.org/sqlite/lib"
	"pgregory.net/rapid"

	"daimon/lib/canon"
	"daimon/lib/doc"
	"daimon/lib/fault"
	"daimon/lib/store"
	"daimon/lib/view"
)

var ctx = context.Background()

type entry struct {
	list, text, quote, id, extra string
	proven                       bool
}

// put writes a session file without going through admission.
func put(t testing.TB, st *store.Store, session, slug, created string, items ...entry) {
	t.Helper()
	c := doc.NewCheckpoint()
	c.Set("session_id", session)
	c.Set("project_slug", slug)
	c.Set("created", created)
	for _, it := range items {
		l, ok := doc.ListByKey(it.list)
		if !ok {
			t.Fatal(it.list)
		}
		e := doc.NewEntry(it.text, doc.Inferred)
		if it.quote != "" {
			e.Set("quote", it.quote)
		}
		if it.id != "" {
			e.Set("id", it.id)
		}
		if it.extra != "" {
			e.SetRaw("links", []byte(`[{"type":"supersedes","target":"`+it.extra+`"}]`))
		}
		if it.proven {
			e.Set("trust", doc.Verbatim)
			e.Set("quote_verified", true)
		}
		c.SetItems(l, append(c.Items(l), e))
	}
	if err := store.WriteFile(st.SessionFile(session), c.Indented()); err != nil {
		t.Fatal(err)
	}
}

func events(t testing.TB, st *store.Store, slug string, lines ...string) {
	t.Helper()
	if err := store.WriteFile(st.Ledger(slug, store.Events), []byte(strings.Join(lines, "\n")+"\n")); err != nil {
		t.Fatal(err)
	}
}

func refresh(t testing.TB, st *store.Store) Counts {
	t.Helper()
	n, err := Open(st).Refresh(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func texts(t testing.TB, st *store.Store, slug, query string) []string {
	t.Helper()
	found, err := Open(st).Search(ctx, view.Open(st, slug), Query{slug, strings.Fields(query), 50})
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	var out []string
	for _, r := range found.Rows {
		out = append(out, r.Text)
	}
	return out
}

func TestWords(t *testing.T) {
	st := store.Open(t.TempDir())
	const slug = "-w-a"
	corpus := []string{"Rotate the signing key", "Café sesión", "run pre-edit hooks", "see src/app for don't", "limit is 5 GB/s", "TODO: fix ns:value",
		"修改配置文件后重启", "use sqlite配置文件now", "設定を変更する", "배포를 시작", "snake_case AND (x) NEAR/2", "ภาษาไทยง่าย"}
	var items []entry
	for _, s := range corpus {
		items = append(items, entry{list: "recent_decisions", text: s})
	}
	put(t, st, "s1", slug, "2026-01-01T00:00:00Z", items...)
	refresh(t, st)
	for query, want := range map[string]int{
		"rotate signing": 0, "sign*": -1, "sesion": 1, "sesi": -1, "pre-edit": 2, "src/app": 3, "don't": 3, "GB/s": 4, "TODO: fix": 5, "ns:value": 5,
		"配置": 6, "置": 6, "改配置文": 6, "后重启": 6, "启": 6, "sqlite配置": 7, "文件now": 7, "変更": 8, "シ定": -1, "시작": 9,
		"AND": 10, "(x)": 10, "NEAR/2": 10, "snake_case": 10, "ไทย": 11, "***": -1, `"`: -1, "'": -1, "": -1, "-": -1, "OR": -1, "NOT": -1,
		"signing ***": 0, `"signing"`: 0, "col:signing": -1, "rotate OR": 0,
	} {
		got := texts(t, st, slug, query)
		if want < 0 && len(got) > 0 || want >= 0 && !slices.Contains(got, corpus[want]) {
			t.Errorf("%q found %q", query, got)
		}
	}
	if got := texts(t, st, slug, "signing hooks"); len(got) != 2 {
		t.Errorf("words that never meet: %q", got)
	}
	if got := texts(t, st, slug, "signing rotate"); len(got) != 1 {
		t.Errorf("words that meet: %q", got)
	}
}

func TestScope(t *testing.T) {
	st := store.Open(t.TempDir())
	put(t, st, "a1", "-w-a", "2026-01-01T00:00:00Z", entry{list: "open_questions", text: "the heron rule"})
	put(t, st, "b1", "-w-b", "2026-01-01T00:00:00Z", entry{list: "open_questions", text: "nothing to see"})
	put(t, st, "n1", "", "2026-01-01T00:00:00Z", entry{list: "open_questions", text: "the heron rule of nobody"})
	refresh(t, st)
	if got := texts(t, st, "-w-a", "heron"); len(got) != 1 {
		t.Errorf("its own project finds %q", got)
	}
	for _, slug := range []string{"-w-b", "", "*", "%", "-w-", "-w-a' OR 1=1 --", "-w-A"} {
		if got := texts(t, st, slug, "heron"); len(got) != 0 {
			t.Errorf("%q finds %q", slug, got)
		}
	}
}

func TestSupersededAndResolved(t *testing.T) {
	st := store.Open(t.TempDir())
	const slug = "-w-a"
	put(t, st, "s1", slug, "2026-01-01T00:00:00Z", entry{list: "recent_decisions", text: "use redis cache", id: "r-000000000001"}, entry{list: "recent_decisions", text: "redis on port", id: "r-000000000002"},
		entry{list: "recent_decisions", text: "redis now and here and there and everywhere", id: "r-000000000003"})
	put(t, st, "s2", slug, "2026-01-02T00:00:00Z", entry{list: "recent_decisions", text: "use memory", quote: "use memory", id: "r-000000000004", extra: "r-000000000001", proven: true},
		entry{list: "recent_decisions", text: "use disks", id: "r-000000000005", extra: "r-000000000003"}) // unproven: replaces nothing
	events(t, st, slug, `{"ts":"2026-01-03T00:00:00Z","item_ref":"r-000000000002","status":"resolved"}`)
	refresh(t, st)
	found, err := Open(st).Search(ctx, view.Open(st, slug), Query{slug, []string{"redis"}, 10})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, r := range found.Rows {
		got[r.ItemID] = r.Status
	}
	if got["r-000000000001"] != "superseded by s2" || got["r-000000000002"] != "resolved" || got["r-000000000003"] != "" || found.Rows[0].ItemID != "r-000000000003" {
		t.Errorf("%+v", found.Rows)
	}
}

func TestDistinct(t *testing.T) {
	st := store.Open(t.TempDir())
	for i := range 6 {
		put(t, st, fmt.Sprintf("s%d", i), "p", fmt.Sprintf("2026-01-0%dT00:00:00Z", i+1), entry{list: "open_questions", text: "nightly  job fails", id: "o-000000000001"})
	}
	put(t, st, "other", "p", "2026-01-01T00:00:00Z", entry{list: "open_questions", text: "Nightly job fails"})
	refresh(t, st)
	found, err := Open(st).Search(ctx, view.Open(st, "p"), Query{"p", []string{"nightly"}, 0})
	if err != nil || len(found.Rows) != 1 {
		t.Fatalf("limit 0: %v %v", found.Rows, err)
	}
	found, _ = Open(st).Search(ctx, view.Open(st, "p"), Query{"p", []string{"nightly"}, 10})
	if len(found.Rows) != 2 || found.Rows[0].Session != "s5" || !found.Rows[0].Frontier {
		t.Errorf("%+v", found.Rows)
	}
}

func TestForgottenIsNotIndexed(t *testing.T) {
	st := store.Open(t.TempDir())
	put(t, st, "s1", "p", "2026-01-01T00:00:00Z", entry{list: "open_questions", text: "Zanzibar heron", id: "o-000000000001"}, entry{list: "open_questions", text: "heron stays", id: "o-000000000002", quote: "said Zanzibar heron"})
	refresh(t, st)
	if got := texts(t, st, "p", "heron"); len(got) != 2 {
		t.Fatalf("before: %q", got)
	}
	tomb := `{"ts":"2026-01-03T00:00:00Z","item_ref":"forgotten-key:A","status":"forgotten:` + canon.Key("zanzibar HERON") + `"}`
	events(t, st, "p", tomb)
	if got := texts(t, st, "p", "heron"); !slices.Equal(got, []string{"heron stays"}) {
		t.Errorf("an index older than the tombstone shows %q", got)
	}
	if n := refresh(t, st); n.Total != 1 || n.Rebuilt {
		t.Errorf("%+v", n)
	}
	events(t, st, "p", tomb, `{"ts":"2026-01-04T00:00:00Z","item_ref":"o-000000000002","status":"resolved"}`)
	if n := refresh(t, st); n.Added+n.Removed != 0 {
		t.Errorf("a row that forgets nothing made it read again: %+v", n)
	}
	events(t, st, "p", `{"ts":"2026-01-03T00:00:00Z","item_ref":"x","status":"resolved"}`)
	if n := refresh(t, st); n.Total != 2 {
		t.Errorf("tombstone lifted: %+v", n)
	}
	events(t, st, "p", "garbage")
	if n := refresh(t, st); n.Total != 0 {
		t.Errorf("closed ledger: %+v", n)
	}
}

func TestDeletedBytesAreGone(t *testing.T) {
	st := store.Open(t.TempDir())
	put(t, st, "s1", "p", "2026-01-01T00:00:00Z", entry{list: "open_questions", text: "the zanzibarheron value"})
	put(t, st, "s2", "p", "2026-01-01T00:00:00Z", entry{list: "open_questions", text: "the survivingpelican value"})
	refresh(t, st)
	os.Remove(st.SessionFile("s1"))
	refresh(t, st)
	raw, err := os.ReadFile(filepath.Join(st.Home(), Name))
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(raw, []byte("zanzibarheron")) || !bytes.Contains(raw, []byte("survivingpelican")) {
		t.Error("bytes of a removed item are left, or those of its sibling are not")
	}
	left, _ := filepath.Glob(filepath.Join(st.Home(), Name+"*"))
	if len(left) != 1 {
		t.Errorf("files left: %q", left)
	}
	if fi, _ := os.Stat(left[0]); fi.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", fi.Mode())
	}
}

// dump is the whole content of an index, free of row numbers.
func dump(t testing.TB, st *store.Store) []string {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(st.Home(), Name))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("CREATE VIRTUAL TABLE temp.v USING fts5vocab(main, items_fts, instance)"); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("INSERT INTO items_fts(items_fts) VALUES ('integrity-check')"); err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, q := range []string{
		"SELECT 'file', name, mtime_ns, size, sha256, session_id, project_slug, created FROM files",
		"SELECT 'ledger', project_slug, mtime_ns, size, digest, '', '', '' FROM ledgers",
		"SELECT 'item', f.name, ord, kind, text, quote || trust || item_id || first_seen || pinned, i.project_slug, importance FROM items i JOIN files f ON f.id = i.file",
		"SELECT 'link', f.name, target, '', '', '', '', '' FROM links JOIN files f ON f.id = file",
		"SELECT 'word', f.name, ord, v.term, v.col, v.offset, '', '' FROM v JOIN items i ON i.id = v.doc JOIN files f ON f.id = i.file",
		"SELECT 'words', count(*), '', '', '', '', '', '' FROM v",
	} {
		rows, err := db.Query(q)
		if err != nil {
			t.Fatal(q, err)
		}
		for rows.Next() {
			col := make([]any, 8)
			ptr := make([]any, 8)
			for i := range col {
				ptr[i] = &col[i]
			}
			if err := rows.Scan(ptr...); err != nil {
				t.Fatal(err)
			}
			out = append(out, fmt.Sprint(col...))
		}
		rows.Close()
	}
	slices.Sort(out)
	return out
}

func TestRefreshEqualsRebuild(t *testing.T) {
	word := rapid.SampledFrom([]string{"heron", "配置文件", "rotate key", "Zanzibar", "x", "don't"})
	rapid.Check(t, func(rt *rapid.T) {
		st := store.Open(t.TempDir())
		put(t, st, "base", "p", "2026-01-01T00:00:00Z", entry{list: "open_questions", text: "a base"})
		for step := range rapid.IntRange(1, 8).Draw(rt, "steps") {
			session := fmt.Sprintf("s%d", rapid.IntRange(0, 3).Draw(rt, "session"))
			slug := rapid.SampledFrom([]string{"p", "q", ""}).Draw(rt, "slug")
			switch rapid.IntRange(0, 4).Draw(rt, "what") {
			case 0:
				os.Remove(st.SessionFile(session))
			case 1:
				status := rapid.SampledFrom([]string{"forgotten:" + canon.Key("heron"), "forgotten:" + canon.Key("Zanzibar"), "resolved", "reopened"}).Draw(rt, "status")
				ref := rapid.SampledFrom([]string{"o-000000000001", "forgotten-key:A"}).Draw(rt, "ref")
				events(t, st, "p", fmt.Sprintf(`{"ts":"2026-01-0%dT00:00:00Z","item_ref":%q,"status":%q}`, step+1, ref, status))
			case 2:
				_ = store.WriteFile(st.SessionFile(session), []byte(`{"torn`))
			default:
				var items []entry
				for range rapid.IntRange(0, 3).Draw(rt, "items") {
					items = append(items, entry{"open_questions", word.Draw(rt, "text"), word.Draw(rt, "quote"), rapid.SampledFrom([]string{"", "o-000000000001"}).Draw(rt, "id"), rapid.SampledFrom([]string{"", "o-000000000001"}).Draw(rt, "link"), rapid.Bool().Draw(rt, "proven")})
				}
				put(t, st, session, slug, "2026-01-01T00:00:00Z", items...)
			}
			if n := refresh(t, st); step > 0 && n.Rebuilt {
				rt.Fatal("refresh rebuilt")
			}
		}
		refreshed := dump(t, st)
		if _, err := Open(st).Rebuild(ctx); err != nil {
			rt.Fatal(err)
		}
		if rebuilt := dump(t, st); !slices.Equal(refreshed, rebuilt) {
			rt.Fatalf("refreshed:\n%s\nrebuilt:\n%s", strings.Join(refreshed, "\n"), strings.Join(rebuilt, "\n"))
		}
	})
}

func TestDamage(t *testing.T) {
	st := store.Open(t.TempDir())
	put(t, st, "s1", "p", "2026-01-01T00:00:00Z", entry{list: "open_questions", text: "heron"})
	path := filepath.Join(st.Home(), Name)
	for name, damage := range map[string]func(){
		"missing": func() { os.Remove(path) },
		"garbage": func() { os.WriteFile(path, bytes.Repeat([]byte("x"), 9000), 0o600) },
		"empty":   func() { os.WriteFile(path, nil, 0o600) },
		"other version": func() {
			db, _ := sql.Open("sqlite", path)
			db.Exec("UPDATE meta SET value = '5'")
			db.Close()
		},
		"words lost": func() {
			db, _ := sql.Open("sqlite", path)
			db.Exec("INSERT INTO items_fts(items_fts) VALUES ('delete-all')")
			db.Close()
		},
		"python schema": func() {
			os.Remove(path)
			db, _ := sql.Open("sqlite", path)
			db.Exec("CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT); INSERT INTO meta VALUES ('schema_version', '5')")
			db.Close()
		},
	} {
		refresh(t, st)
		damage()
		if n := refresh(t, st); !n.Rebuilt || n.Total != 1 || n.Replaced != (name != "missing") {
			t.Errorf("%s: %+v", name, n)
		}
		if got := texts(t, st, "p", "heron"); len(got) != 1 {
			t.Errorf("%s: found %q", name, got)
		}
	}
	if n := refresh(t, st); n.Rebuilt || n.Added != 0 {
		t.Errorf("nothing changed: %+v", n)
	}
}

func TestLockIsBounded(t *testing.T) {
	st := store.Open(t.TempDir())
	put(t, st, "s1", "p", "2026-01-01T00:00:00Z")
	x := Open(st).WithWait(20 * time.Millisecond)
	unlock, err := x.lock()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := x.Refresh(ctx); fault.KindOf(err) != fault.TryLater {
		t.Errorf("%v", err)
	}
	unlock()
	if _, err := x.Refresh(ctx); err != nil {
		t.Error(err)
	}
}

func TestSearchIsReadOnly(t *testing.T) {
	st := store.Open(t.TempDir())
	put(t, st, "s1", "p", "2026-01-01T00:00:00Z", entry{list: "open_questions", text: "heron"})
	refresh(t, st)
	path := filepath.Join(st.Home(), Name)
	before, _ := os.ReadFile(path)
	empty := store.Open(filepath.Join(t.TempDir(), "none"))
	if got := texts(t, empty, "p", "heron"); len(got) != 0 {
		t.Error(got)
	}
	if _, err := Open(empty).Refresh(ctx); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(empty.Home()); err == nil {
		t.Error("looking made a data folder")
	}
	for range 3 {
		if got := texts(t, st, "p", "heron"); len(got) != 1 {
			t.Fatal(got)
		}
	}
	if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
		t.Error("a search changed the index")
	}
}

func FuzzQuery(f *testing.F) {
	for _, s := range []string{`"a" OR b*`, "NEAR(x, 2)", "配置 {text}:x", "a\x00b", "^x - + (", "text : y", "é\u0301 ้"} {
		f.Add(s)
	}
	st := store.Open(f.TempDir())
	put(f, st, "s1", "p", "2026-01-01T00:00:00Z", entry{list: "open_questions", text: "heron 配置文件"})
	refresh(f, st)
	f.Fuzz(func(t *testing.T, s string) { texts(t, st, "p", s) })
}

func TestFullDiskIsNoDamage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	db, err := open(path, "rwc", time.Second)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("PRAGMA max_page_count = 2; CREATE TABLE t (x)"); err != nil {
		t.Fatal(err)
	}
	_, err = db.Exec("INSERT INTO t VALUES (zeroblob(100000))")
	if code(err) != sqlite3.SQLITE_FULL || foreign(err) || fault.KindOf(wrap("x", err)) != fault.CannotCreate {
		t.Errorf("%v: %v", err, wrap("x", err))
	}
}

func TestOneSessionIDInTwoProjects(t *testing.T) {
	st := store.Open(t.TempDir())
	l, _ := doc.ListByKey("open_questions")
	for slug, text := range map[string]string{"-a": "the zanzibar heron", "-b": "the zanzibar pelican"} {
		c := doc.NewCheckpoint()
		c.Set("session_id", "same")
		c.Set("project_slug", slug)
		c.SetItems(l, []*doc.Entry{doc.NewEntry(text, doc.Inferred)})
		if _, err := st.WriteCheckpoint(c, slug, store.Options{Rotate: true}); err != nil {
			t.Fatal(err)
		}
	}
	x := Open(st)
	if n, err := x.Refresh(ctx); err != nil || n.Total != 2 {
		t.Fatalf("%+v %v", n, err)
	}
	for slug, want := range map[string]string{"-a": "the zanzibar heron", "-b": "the zanzibar pelican"} {
		found, err := x.Search(ctx, view.Open(st, slug), Query{Slug: slug, Words: []string{"zanzibar"}, Limit: 5})
		if err != nil || len(found.Rows) != 1 || found.Rows[0].Text != want {
			t.Errorf("%s: %+v %v", slug, found, err)
		}
	}
}
