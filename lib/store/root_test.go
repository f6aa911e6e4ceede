package store

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"daimon/lib/doc"
	"daimon/lib/fault"
)

func of(session, slug string) *doc.Checkpoint {
	c := checkpoint(session, "2026-05-01T00:00:00Z")
	c.Set("project_slug", slug)
	return c
}

func write(t *testing.T, s *Store, c *doc.Checkpoint, slug, root string) Written {
	t.Helper()
	w, err := s.WriteCheckpoint(c, slug, Options{Rotate: true, Now: now, Root: root})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestTwoFoldersWithOneSlug(t *testing.T) {
	dir := realPath(t.TempDir())
	deep, flat := filepath.Join(dir, "a", "b"), filepath.Join(dir, "a-b")
	for _, d := range []string{deep, flat} {
		if err := MkdirAll(d); err != nil {
			t.Fatal(err)
		}
	}
	s := Open(t.TempDir())
	plain := Slug(deep)
	if s.Project(deep) != plain || s.Project(flat) != plain {
		t.Fatal("a bucket that is nobody's is whoever asks's")
	}
	write(t, s, of("s1", plain), plain, deep)
	raw, _ := os.ReadFile(filepath.Join(s.Bucket(plain), RootName))
	if st, err := os.Stat(filepath.Join(s.Bucket(plain), RootName)); string(raw) != deep+"\n" || err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("root %q, %v", raw, err)
	}
	other := s.Project(flat)
	if s.Project(deep) != plain || other == plain || !strings.HasPrefix(other, plain+"-") || Slug(other) != other {
		t.Fatalf("%s and %s", s.Project(deep), other)
	}
	if c, err := s.Latest(other); c != nil || err != nil {
		t.Errorf("reads its twin: %v %v", c, err)
	}
	write(t, s, of("s2", other), other, flat)
	for slug, want := range map[string]string{plain: "s1", other: "s2"} {
		if c, err := s.Latest(slug); err != nil || c.Str("session_id") != want {
			t.Errorf("%s: %v %v", slug, c, err)
		}
	}
	// Both came first, and the other one was a moment quicker.
	if _, err := s.WriteCheckpoint(of("s3", plain), plain, Options{Rotate: true, Now: now, Root: flat}); fault.KindOf(err) != fault.TryLater {
		t.Errorf("took another's bucket: %v", err)
	}
	if _, err := os.Stat(s.SessionFile("s3")); err == nil {
		t.Error("wrote before the refusal")
	}
}

func TestSlugsOfLongAndUnreadableRoots(t *testing.T) {
	s := Open(t.TempDir())
	long := "/" + strings.Repeat("long/", 80)
	slug := Slug(long)
	write(t, s, of("s1", slug), slug, long+"first")
	got := s.SlugFor(long)
	if got == slug || Slug(got) != got || len(got) > maxName {
		t.Errorf("%s (%d bytes)", got, len(got))
	}
	if err := os.MkdirAll(filepath.Join(s.Bucket("-x"), RootName), 0o700); err != nil {
		t.Fatal(err)
	}
	if s.SlugFor("/x") == "-x" {
		t.Error("a bucket of which nobody can tell whose it is was opened")
	}
}

func TestPointerOfAnotherProject(t *testing.T) {
	s := Open(t.TempDir())
	write(t, s, of("b1", "-b"), "-b", "")
	raw, _ := os.ReadFile(s.LatestPath("-b"))
	for _, path := range []string{s.LatestPath("-a"), s.prevPath("-a", 1)} {
		if err := WriteFile(path, raw); err != nil {
			t.Fatal(err)
		}
		if c, err := s.ReadPointer("-a", path); c != nil || !Torn(err) {
			t.Errorf("%v %v", c, err)
		}
	}
	if c, err := s.Latest("-a"); c != nil || !Torn(err) {
		t.Errorf("latest: %v %v", c, err)
	}
	if c, err := s.Previous("-a", "a1"); c != nil || !Torn(err) {
		t.Errorf("previous: %v %v", c, err)
	}
	if c, err := s.Latest("-b"); err != nil || c.Str("session_id") != "b1" {
		t.Errorf("its own: %v", err)
	}
	if c, err := s.Latest(""); err != nil || c.Str("session_id") != "b1" {
		t.Errorf("of all projects: %v", err)
	}
	// A capture puts it right, and does not keep it as something older.
	write(t, s, of("a1", "-a"), "-a", "")
	if c, err := s.Latest("-a"); err != nil || c.Str("session_id") != "a1" {
		t.Errorf("%v", err)
	}
}

func TestOneSessionIDInTwoProjects(t *testing.T) {
	s := Open(t.TempDir())
	a := write(t, s, of("same", "-a"), "-a", "")
	b := write(t, s, of("same", "-b"), "-b", "")
	if a.Path != s.SessionFile("same") || b.Path == a.Path || filepath.Dir(b.Path) != s.Checkpoints() {
		t.Errorf("%s and %s", a.Path, b.Path)
	}
	if again := write(t, s, of("same", "-a"), "-a", ""); again.Path != a.Path {
		t.Errorf("the first moved to %s", again.Path)
	}
	if err := os.Remove(a.Path); err != nil {
		t.Fatal(err)
	}
	if again := write(t, s, of("same", "-b"), "-b", ""); again.Path != b.Path {
		t.Errorf("the second moved to %s", again.Path)
	}
	write(t, s, of("same", "-a"), "-a", "")
	for _, slug := range []string{"-a", "-b"} {
		n := 0
		for f, err := range s.SessionsOf(slug) {
			if n++; err != nil || f.Doc.Str("session_id") != "same" {
				t.Errorf("%s: %v", slug, err)
			}
		}
		if n != 1 {
			t.Errorf("%s has %d sessions", slug, n)
		}
	}
	if w := write(t, s, of(strings.Repeat("x", 300), "-a"), "-a", ""); len(filepath.Base(w.Path)) > 255 {
		t.Error(w.Path)
	}
	if w := write(t, s, of(strings.Repeat("x", 300), "-b"), "-b", ""); len(filepath.Base(w.Path)) > 255 || w.Path == s.SessionFile(strings.Repeat("x", 300)) {
		t.Error(w.Path)
	}
}
