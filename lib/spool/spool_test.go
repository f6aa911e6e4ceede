package spool

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"daimon/lib/fault"
)

// clock is a time that a test moves.
type clock struct{ at time.Time }

func (c *clock) now() time.Time          { return c.at }
func (c *clock) pass(d time.Duration)    { c.at = c.at.Add(d) }
func begin() *clock                      { return &clock{time.Now()} }
func spoolAt(t *testing.T, c *clock) Dir { return At(t.TempDir(), c.now) }

func put(t *testing.T, d Dir, j Job) string {
	t.Helper()
	folder, err := d.Put(j)
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

func load(t *testing.T, folder string) Job {
	t.Helper()
	j, err := Load(folder)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

var job = Job{Session: "s", Transcript: "/t/s.jsonl", Cwd: "/c", Reason: "other", Host: "claude-code"}

func TestPut(t *testing.T) {
	c := begin()
	d := spoolAt(t, c)
	folder := put(t, d, job)
	want := job
	want.QueuedAt = c.at.UTC()
	if got := load(t, folder); !got.QueuedAt.Equal(want.QueuedAt) || got.Session != "s" || got.Cwd != "/c" || got.Serial != 0 {
		t.Errorf("%+v", got)
	}
	for path, mode := range map[string]os.FileMode{d.Path: 0o700 | os.ModeDir, folder: 0o700 | os.ModeDir, filepath.Join(folder, "job"): 0o600} {
		if st, err := os.Stat(path); err != nil || st.Mode() != mode {
			t.Errorf("%s: %v %v", path, st.Mode(), err)
		}
	}
	other := job
	other.Session = "t"
	if put(t, d, other) == folder {
		t.Error("two sessions share a folder")
	}
	other = job
	other.Transcript = "/t/other.jsonl"
	if put(t, d, other) == folder {
		t.Error("two transcripts share a folder")
	}
	if left, _ := filepath.Glob(filepath.Join(folder, ".job-*")); left != nil {
		t.Errorf("left behind: %v", left)
	}
}

func TestPutAgainStartsAfresh(t *testing.T) {
	d := spoolAt(t, begin())
	folder := put(t, d, job)
	for range MaxAttempts {
		lock, err := d.Begin(folder)
		if err != nil {
			t.Fatal(err)
		}
		lock.Close()
	}
	if j, err := d.Fail(folder, 0, "admit", 75); !j.Parked || err != nil {
		t.Fatalf("%+v, %v", j, err)
	}
	again := job
	again.Reason = "clear"
	if put(t, d, again) != folder {
		t.Error("one session has two folders")
	}
	got := load(t, folder)
	if got.Serial != 1 || got.Attempts != 0 || got.Parked || got.Reason != "clear" {
		t.Errorf("%+v", got)
	}
	if got.Failed != "admit" {
		t.Errorf("the stage that failed was forgotten: %+v", got)
	}
}

func TestPutSessionFromFileName(t *testing.T) {
	d := spoolAt(t, begin())
	if got := load(t, put(t, d, Job{Transcript: "/t/abc.jsonl"})); got.Session != "abc" {
		t.Errorf("%+v", got)
	}
	for _, path := range []string{"", "t.jsonl", "./t.jsonl", "~/t.jsonl"} {
		if _, err := d.Put(Job{Session: "s", Transcript: path}); fault.KindOf(err) != fault.Usage {
			t.Errorf("%q: %v", path, err)
		}
	}
}

func TestBeginHoldsTheJob(t *testing.T) {
	d := spoolAt(t, begin())
	folder := put(t, d, job)
	lock, err := d.Begin(folder)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Begin(folder); !errors.Is(err, ErrRunning) {
		t.Errorf("second run: %v", err)
	}
	if got := load(t, folder).Attempts; got != 1 {
		t.Errorf("%d attempts counted", got)
	}
	lock.Close()
	lock, err = d.Begin(folder)
	if err != nil {
		t.Fatalf("after the first run: %v", err)
	}
	lock.Close()
	if _, err := d.Begin(d.Folder("nothing")); fault.KindOf(err) != fault.NoInput {
		t.Errorf("no job: %v", err)
	}
}

// A run that opened the lock just before another run removed the folder holds
// a lock on nothing.
func TestTakeOfARemovedLock(t *testing.T) {
	d := spoolAt(t, begin())
	folder := put(t, d, job)
	path := filepath.Join(folder, "lock")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := d.Done(folder, 0); err != nil {
		t.Fatal(err)
	}
	if err := take(f, path); !errors.Is(err, ErrRunning) {
		t.Errorf("gone: %v", err)
	}
	put(t, d, job)
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := take(f, path); !errors.Is(err, ErrRunning) {
		t.Errorf("replaced: %v", err)
	}
}

func TestDone(t *testing.T) {
	d := spoolAt(t, begin())
	folder := put(t, d, job)
	if err := os.WriteFile(filepath.Join(folder, "1-candidate.json"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	put(t, d, job)
	if err := d.Done(folder, 0); fault.KindOf(err) != fault.TryLater {
		t.Errorf("spooled again meanwhile: %v", err)
	}
	if _, err := d.Fail(folder, 0, "admit", 1); fault.KindOf(err) != fault.TryLater {
		t.Errorf("spooled again meanwhile: %v", err)
	}
	if err := d.Done(folder, load(t, folder).Serial); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(folder); !gone(err) {
		t.Errorf("the folder stands: %v", err)
	}
}

func TestFailParksWhatIsHopeless(t *testing.T) {
	for _, c := range []struct {
		stage string
		code  int
		park  bool
	}{
		{"normalize", 65, true}, {"extract", 65, false}, {"extract", 69, false}, {"normalize", 74, false},
		{"verify", 65, false}, {"admit", 75, false},
	} {
		d := spoolAt(t, begin())
		folder := put(t, d, job)
		j, err := d.Fail(folder, 0, c.stage, c.code)
		if err != nil || j.Parked != c.park {
			t.Errorf("%s %d: %+v, %v", c.stage, c.code, j, err)
		}
		due, _ := d.Pending(10)
		if len(due) == 1 == c.park {
			t.Errorf("%s %d: due %v", c.stage, c.code, due)
		}
		if got := load(t, folder); got.Failed != c.stage || got.Code != c.code {
			t.Errorf("%+v", got)
		}
	}
}

func TestPendingWaitsLongerEachTime(t *testing.T) {
	c := begin()
	d := spoolAt(t, c)
	folder := put(t, d, job)
	due := func() bool {
		names, err := d.Pending(10)
		if err != nil {
			t.Fatal(err)
		}
		return len(names) == 1 && d.Folder(names[0]) == folder
	}
	for n, rest := range []time.Duration{0, 0, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour} {
		if rest > 0 {
			c.pass(rest - time.Second)
			if due() {
				t.Errorf("due %v after attempt %d", rest-time.Second, n)
			}
			c.pass(time.Second)
		}
		if !due() {
			t.Errorf("not due %v after attempt %d", rest, n)
		}
		lock, err := d.Begin(folder)
		if err != nil {
			t.Fatal(err)
		}
		lock.Close()
		if j, err := d.Fail(folder, 0, "extract", 65); err != nil || j.Parked != (n == MaxAttempts-1) || j.Left() != MaxAttempts-1-n {
			t.Errorf("attempt %d: %+v, %v", n+1, j, err)
		}
	}
	c.pass(29 * 24 * time.Hour)
	if due(); !load(t, folder).Parked {
		t.Error("not parked")
	}
	c.pass(2 * 24 * time.Hour)
	if due() {
		t.Error("a parked job is due")
	}
	if _, err := os.Stat(folder); !gone(err) {
		t.Error("a job parked a month ago stands")
	}
}

func TestPendingLimitAndStrangers(t *testing.T) {
	c := begin()
	d := spoolAt(t, c)
	if due, err := d.Pending(5); err != nil || due != nil {
		t.Errorf("no spool: %v %v", due, err)
	}
	for i := range 4 {
		put(t, d, Job{Transcript: fmt.Sprintf("/t/%d.jsonl", i)})
	}
	torn := put(t, d, Job{Transcript: "/t/torn.jsonl"})
	if err := os.WriteFile(filepath.Join(torn, "job"), []byte(`{"session":`), 0o600); err != nil {
		t.Fatal(err)
	}
	empty := filepath.Join(d.Path, "0empty")
	if err := os.Mkdir(empty, 0o700); err != nil {
		t.Fatal(err)
	}
	if due, err := d.Pending(9); err != nil || len(due) != 4 {
		t.Errorf("%v %v", due, err)
	}
	if due, _ := d.Pending(2); len(due) != 2 {
		t.Errorf("limit 2 gives %v", due)
	}
	c.pass(2 * time.Hour)
	_, _ = d.Pending(9)
	if _, err := os.Stat(empty); !gone(err) {
		t.Error("a folder without a job stands")
	}
	if _, err := os.Stat(torn); err != nil {
		t.Errorf("a torn job went: %v", err)
	}
}

// Hooks that spool one session at once leave one whole job.
func TestPutAtOnce(t *testing.T) {
	d := spoolAt(t, begin())
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			j := job
			j.Reason = strings.Repeat("r", i*1000)
			if _, err := d.Put(j); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	due, err := d.Pending(10)
	if err != nil || len(due) != 1 {
		t.Fatalf("%v %v", due, err)
	}
	if got := load(t, d.Folder(due[0])).Serial; got != 19 {
		t.Errorf("serial %d after 20 spoolings", got)
	}
}

func TestLogIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "logs", "hooks.log")
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.FixedZone("", 3600))
	if err := Log(path, at, "session-end", "two\nlines  é"); err != nil {
		t.Fatal(err)
	}
	raw, _ := os.ReadFile(path)
	if string(raw) != "2026-01-02T02:04:05Z session-end: two lines é\n" {
		t.Errorf("%q", raw)
	}
	most := int64(0)
	for i := range 400 {
		if err := Log(path, at, "x", fmt.Sprint(i, strings.Repeat("y", 1000))); err != nil {
			t.Fatal(err)
		}
		st, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		most = max(most, st.Size())
	}
	if most > logMax+1100 || most < logMax {
		t.Errorf("grew to %d", most)
	}
	raw, _ = os.ReadFile(path)
	lines := strings.Split(strings.TrimSpace(string(raw)), "\n")
	if !strings.Contains(lines[len(lines)-1], ": 399yy") {
		t.Error("the newest line is gone")
	}
	for _, line := range lines {
		if !strings.HasPrefix(line, "2026-01-02T02:04:05Z x: ") {
			t.Fatalf("a torn line: %.40q", line)
		}
	}
}
