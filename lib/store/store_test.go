package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"daimon/lib/doc"
	"daimon/lib/fault"
)

var now = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

func checkpoint(session, created string) *doc.Checkpoint {
	c := doc.NewCheckpoint()
	c.Set("session_id", session)
	c.Set("created", created)
	return c
}

func TestSessionFileStaysInside(t *testing.T) {
	s := Open(t.TempDir())
	for id, want := range map[string]string{
		"abc-1":          "abc-1.json",
		"../../x":        "____x.json",
		`a\b`:            "a_b.json",
		"a\x00b":         "a_b.json",
		"":               "_.json",
		".":              "_..json",
		"latest":         "_latest.json",
		"prev-2":         "_prev-2.json",
		"prev-02":        "prev-02.json",
		"latest2":        "latest2.json",
		"ünï":            "ünï.json",
		"a\xffb":         "a_b.json",
		".pointer":       "_.pointer.json",
		"rollout-9\n../": "rollout-9___.json",
	} {
		got := s.SessionFile(id)
		if filepath.Dir(got) != s.Checkpoints() || filepath.Base(got) != want {
			t.Errorf("SessionFile(%q) = %s, want %s", id, got, want)
		}
	}
	long, longer := s.SessionFile(strings.Repeat("é", 400)), s.SessionFile(strings.Repeat("é", 401))
	if long == longer || len(filepath.Base(long)) > 255 {
		t.Errorf("long ids: %d bytes, equal %v", len(filepath.Base(long)), long == longer)
	}
	if err := WriteFile(long, nil); err != nil {
		t.Error(err)
	}
}

func TestPointersRotate(t *testing.T) {
	s := Open(t.TempDir())
	for i := 1; i <= 4; i++ {
		c := checkpoint(fmt.Sprintf("s%d", i), fmt.Sprintf("2026-01-0%dT00:00:00Z", i))
		w, err := s.WriteCheckpoint(c, "-p", Options{Rotate: true, Now: now})
		if err != nil || !w.Project || !w.Global {
			t.Fatal(w, err)
		}
	}
	for _, slug := range []string{"-p", ""} {
		if got := sessions(t, s, slug); got != "s4 s3 s2" {
			t.Errorf("pointers of %q: %s", slug, got)
		}
	}
	// The same session again takes its own place and pushes none out.
	if _, err := s.WriteCheckpoint(checkpoint("s4", "2026-01-05T00:00:00Z"), "-p", Options{Rotate: true, Now: now}); err != nil {
		t.Fatal(err)
	}
	if got := sessions(t, s, "-p"); got != "s4 s3 s2" {
		t.Errorf("after a second capture: %s", got)
	}
}

func TestPrevious(t *testing.T) {
	s := Open(t.TempDir())
	if c, err := s.Previous("-p", "s1"); c != nil || err != nil {
		t.Errorf("empty store: %v, %v", c, err)
	}
	must(t, s, checkpoint("s1", "2026-01-01T00:00:00Z"), "-p")
	must(t, s, checkpoint("s2", "2026-01-02T00:00:00Z"), "-p")
	for session, want := range map[string]string{"s2": "s1", "s1": "s2", "s3": "s2"} {
		if c, err := s.Previous("-p", session); err != nil || c.Str("session_id") != want {
			t.Errorf("before %s: %v", session, err)
		}
	}
}

func sessions(t *testing.T, s *Store, slug string) string {
	t.Helper()
	var ids []string
	for _, p := range append([]string{s.LatestPath(slug)}, s.Prev(slug)...) {
		c, err := Read(p)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, c.Str("session_id"))
	}
	return strings.Join(ids, " ")
}

func TestPointerNeverStepsBack(t *testing.T) {
	for _, tc := range []struct {
		name, stored, fresh string
		moves               bool
	}{
		{"older", "2026-01-02T00:00:00Z", "2026-01-01T00:00:00Z", false},
		{"equal", "2026-01-02T00:00:00Z", "2026-01-02T00:00:00Z", true},
		{"newer", "2026-01-02T00:00:00Z", "2026-01-03T00:00:00Z", true},
		{"other zone, older", "2026-01-02T00:00:00Z", "2026-01-02T01:00:00+02:00", false},
		{"older than one just ahead of the clock", "2026-05-01T12:10:00Z", "2026-05-01T12:00:00Z", false},
		{"older than one of the future", "2026-05-01T12:10:01Z", "2026-05-01T12:00:00Z", true},
		{"stamp missing", "", "2026-01-01T00:00:00Z", true},
		{"stamp torn", "2026-01-02T00:00:00Z", "soon", true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := Open(t.TempDir())
			for i, stamp := range []string{tc.stored, tc.fresh} {
				w, err := s.WriteCheckpoint(checkpoint(fmt.Sprint("s", i), stamp), "-p", Options{Rotate: true, Now: now})
				if err != nil {
					t.Fatal(err)
				}
				if i == 1 && (w.Project != tc.moves || w.Global != tc.moves) {
					t.Errorf("moved: project %v global %v, want %v", w.Project, w.Global, tc.moves)
				}
			}
			if _, err := Read(s.SessionFile("s1")); err != nil {
				t.Errorf("the session file must be there either way: %v", err)
			}
		})
	}
}

func TestPointersAreJudgedApart(t *testing.T) {
	s := Open(t.TempDir())
	must(t, s, checkpoint("other", "2026-03-01T00:00:00Z"), "-q")
	w, err := s.WriteCheckpoint(checkpoint("mine", "2026-01-01T00:00:00Z"), "-p", Options{Rotate: true, Now: now})
	if err != nil || !w.Project || w.Global {
		t.Fatal(w, err)
	}
}

func must(t *testing.T, s *Store, c *doc.Checkpoint, slug string) {
	t.Helper()
	if _, err := s.WriteCheckpoint(c, slug, Options{Rotate: true, Now: now}); err != nil {
		t.Fatal(err)
	}
}

func TestRewriteWithoutRotation(t *testing.T) {
	s := Open(t.TempDir())
	must(t, s, checkpoint("old", "2026-01-01T00:00:00Z"), "-p")
	must(t, s, checkpoint("new", "2026-01-02T00:00:00Z"), "-p")
	for id, moves := range map[string]bool{"new": true, "old": false} {
		c := checkpoint(id, "2026-01-02T00:00:00Z")
		c.Set("rewritten", true)
		w, err := s.WriteCheckpoint(c, "-p", Options{Now: now})
		if err != nil || w.Project != moves {
			t.Fatal(id, w, err)
		}
	}
	latest, _ := s.Latest("-p")
	prev, _ := Read(s.Prev("-p")[0])
	if latest.Str("session_id") != "new" || !latest.Get("rewritten").Bool() || prev.Get("rewritten").Exists() || len(s.Prev("-p")) != 1 {
		t.Errorf("latest %s, prev %s", latest.Bytes(), prev.Bytes())
	}
}

func TestTornLatestIsNotRotated(t *testing.T) {
	s := Open(t.TempDir())
	must(t, s, checkpoint("a", "2026-01-01T00:00:00Z"), "-p")
	must(t, s, checkpoint("b", "2026-01-02T00:00:00Z"), "-p")
	if err := os.WriteFile(s.LatestPath("-p"), []byte(`{"session_id":"b"`), 0o600); err != nil {
		t.Fatal(err)
	}
	if c, err := s.Latest("-p"); c != nil || !Torn(err) {
		t.Fatalf("torn latest: %v, %v", c, err)
	}
	must(t, s, checkpoint("c", "2026-01-03T00:00:00Z"), "-p")
	if got := sessions(t, s, "-p"); got != "c a" {
		t.Errorf("pointers: %s", got)
	}
}

func TestModesWhateverTheUmask(t *testing.T) {
	for _, mask := range []int{0, 0o022} {
		old := syscall.Umask(mask)
		defer syscall.Umask(old)
		s := Open(filepath.Join(t.TempDir(), "home"))
		must(t, s, checkpoint("a", "2026-01-01T00:00:00Z"), "-p")
		must(t, s, checkpoint("b", "2026-01-02T00:00:00Z"), "-p")
		err := filepath.WalkDir(s.Home(), func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			st, err := d.Info()
			want := fs.FileMode(0o600)
			if d.IsDir() {
				want = 0o700
			}
			if st.Mode().Perm() != want {
				t.Errorf("umask %o: %s is %o, want %o", mask, path, st.Mode().Perm(), want)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestLockIsBounded(t *testing.T) {
	s := Open(t.TempDir())
	unlock, err := s.LockBucket("-p", Wait)
	if err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	_, err = s.LockBucket("-p", 60*time.Millisecond)
	if fault.KindOf(err) != fault.TryLater || time.Since(begin) > 2*time.Second {
		t.Errorf("held: %v after %v", err, time.Since(begin))
	}
	if other, err := s.LockBucket("-q", 0); err != nil {
		t.Errorf("another bucket: %v", err)
	} else {
		other()
	}
	unlock()
	again, err := s.LockBucket("-p", 0)
	if err != nil {
		t.Fatalf("after release: %v", err)
	}
	again()
}

func TestReap(t *testing.T) {
	s := Open(t.TempDir())
	must(t, s, checkpoint("a", "2026-01-01T00:00:00Z"), "-p")
	old, fresh := filepath.Join(s.Bucket("-p"), "x.1.tmp"), filepath.Join(s.Checkpoints(), "y.2.tmp")
	for path, age := range map[string]time.Duration{old: 2 * time.Hour, fresh: time.Minute} {
		if err := errors.Join(os.WriteFile(path, nil, 0o600), os.Chtimes(path, now.Add(-age), now.Add(-age))); err != nil {
			t.Fatal(err)
		}
	}
	s.Reap("-p", now)
	if exists(old) || !exists(fresh) {
		t.Errorf("old there %v, fresh there %v", exists(old), exists(fresh))
	}
}

func TestSessionsOf(t *testing.T) {
	s := Open(t.TempDir())
	for i, slug := range []string{"-p", "-q", "-p"} {
		c := checkpoint(fmt.Sprint("s", i), "2026-01-01T00:00:00Z")
		c.Set("project_slug", slug)
		must(t, s, c, slug)
	}
	if err := WriteFile(s.SessionFile("torn"), []byte("{")); err != nil {
		t.Fatal(err)
	}
	var got []string
	for f, err := range s.SessionsOf("-p") {
		got = append(got, fmt.Sprint(filepath.Base(f.Path), err != nil))
	}
	if want := "s0.jsonfalse s2.jsonfalse torn.jsontrue"; strings.Join(got, " ") != want {
		t.Errorf("got %v", got)
	}
}

func TestReadRefusesAPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "latest.json")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	if _, err := Read(path); err == nil || Torn(err) {
		t.Errorf("a pipe read as %v", err)
	}
}
