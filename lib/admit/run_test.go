package admit

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"daimon/lib/doc"
	"daimon/lib/fault"
	"daimon/lib/store"
)

func TestLedgersAreWrittenUnderTheLock(t *testing.T) {
	st := store.Open(t.TempDir())
	if err := store.WriteFile(st.Ledger(opts.Slug, store.Verification), []byte("no row\n")); err != nil {
		t.Fatal(err)
	}
	var notes []string
	note := func(format string, args ...any) {
		notes = append(notes, fmt.Sprintf(format, args...))
		if _, err := st.LockBucket(opts.Slug, 0); fault.KindOf(err) != fault.TryLater {
			t.Errorf("the bucket is free while the ledgers are written: %v", err)
		}
	}
	lie := strings.Replace(honest, "keep the skip", "keep no skip", 1)
	r, err := Run(st, decision(t, lie), talk(), opts, note)
	if err != nil || len(r.Downgraded) != 1 {
		t.Fatal(r, err)
	}
	// A rejection ledger that is not ours to read costs its rows, not the checkpoint.
	if len(notes) != 1 || notes[0] != "verification.jsonl is unreadable (garbage): 1 rows not written" {
		t.Errorf("notes %q", notes)
	}
	if _, err := store.Read(st.SessionFile("s2")); err != nil {
		t.Error(err)
	}
}

func TestTornLatestIsNoPrevious(t *testing.T) {
	st := store.Open(t.TempDir())
	if err := store.WriteFile(st.LatestPath(opts.Slug), []byte(`{"session_id":"s`)); err != nil {
		t.Fatal(err)
	}
	n := 0
	r, err := Run(st, decision(t, honest), talk(), opts, func(string, ...any) { n++ })
	if err != nil || !r.Pointers.Project || n != 1 {
		t.Errorf("%+v, %v, %d notes", r, err, n)
	}
}

// A session captured again goes on from the one before it: what was carried in
// the first time is carried still, and the bytes stay.
func TestCaptureAgain(t *testing.T) {
	st := store.Open(t.TempDir())
	quiet := func(string, ...any) {}
	s1 := talk()
	s1.SessionID, s1.End = "s1", "2026-05-01T10:00:00Z"
	if _, err := Run(st, decision(t, `{"text":"The backup is nightly.","trust":"inferred"}`), s1, opts, quiet); err != nil {
		t.Fatal(err)
	}
	before, _ := st.Latest(opts.Slug)
	for i := range 3 {
		c := decision(t, honest)
		item := before.Items(doc.Lists[1])[0].Clone()
		item.Set("carried_from", "s1")
		c.SetItems(doc.Lists[1], append(c.Items(doc.Lists[1]), item))
		r, err := Run(st, c, talk(), opts, quiet)
		if err != nil || r.Carried != 1 || len(r.Downgraded) != 0 {
			t.Fatalf("capture %d: %+v, %v", i, r, err)
		}
	}
	if prev := st.Prev(opts.Slug); len(prev) != 1 {
		t.Errorf("a second capture pushed the pointers on: %v", prev)
	}
}

func TestManyAtOnce(t *testing.T) {
	st := store.Open(t.TempDir())
	var wg sync.WaitGroup
	for i := range 9 {
		tr := talk()
		tr.SessionID, tr.End = fmt.Sprint("p", i), fmt.Sprintf("2026-05-0%dT10:00:00Z", i+1)
		c := decision(t, honest)
		wg.Go(func() {
			if _, err := Run(st, c, tr, opts, func(string, ...any) {}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	latest, err := st.Latest(opts.Slug)
	if err != nil || latest.Str("session_id") != "p8" {
		t.Errorf("latest %s, %v", latest.Str("session_id"), err)
	}
	n := 0
	for range st.SessionsOf(opts.Slug) {
		n++
	}
	if n != 9 {
		t.Errorf("%d sessions", n)
	}
}
