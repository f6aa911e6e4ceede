package spool

import (
	"testing"
	"time"
)

func TestStuck(t *testing.T) {
	all := func(Job) bool { return true }
	for name, c := range map[string]struct {
		change func(c *clock, d Dir, folder string)
		n      int
	}{
		"queued":          {func(*clock, Dir, string) {}, 0},
		"running":         {func(_ *clock, d Dir, f string) { started(t, d, f) }, 0},
		"cut off":         {func(_ *clock, d Dir, f string) { started(t, d, f); started(t, d, f) }, 0},
		"failed":          {func(_ *clock, d Dir, f string) { started(t, d, f); fail(t, d, f) }, 1},
		"failed, retried": {func(_ *clock, d Dir, f string) { started(t, d, f); fail(t, d, f); started(t, d, f) }, 1},
		"parked": {func(c *clock, d Dir, f string) {
			for range MaxAttempts {
				started(t, d, f)
			}
			fail(t, d, f)
			c.pass(20 * tell)
		}, 1},
		"nothing to capture":      {func(c *clock, d Dir, f string) { empty(t, d, f); c.pass(tell) }, 1},
		"nothing to capture, old": {func(c *clock, d Dir, f string) { empty(t, d, f); c.pass(tell + 1) }, 0},
		"done":                    {func(_ *clock, d Dir, f string) { done(t, d, f) }, 0},
	} {
		clock := begin()
		d := spoolAt(t, clock)
		c.change(clock, d, put(t, d, job))
		n, _, err := d.Stuck(all)
		none, _, _ := d.Stuck(func(Job) bool { return false })
		if n != c.n || none != 0 || err != nil {
			t.Errorf("%s: %d, want %d; %d of nobody; %v", name, n, c.n, none, err)
		}
	}
}

func empty(t *testing.T, d Dir, folder string) {
	t.Helper()
	started(t, d, folder)
	if _, err := d.Fail(folder, 0, "normalize", 65); err != nil {
		t.Fatal(err)
	}
}

func TestStuckNamesTheLast(t *testing.T) {
	c := begin()
	d := spoolAt(t, c)
	for session, stage := range map[string]string{"b": "admit", "a": "index", "c": "carry"} {
		j := job
		j.Session = session
		folder := put(t, d, j)
		c.at = time.Date(2026, 1, int(session[0]), 0, 0, 0, 0, time.UTC)
		started(t, d, folder)
		if _, err := d.Fail(folder, 0, stage, 1); err != nil {
			t.Fatal(err)
		}
	}
	if n, last, err := d.Stuck(func(Job) bool { return true }); n != 3 || last.Failed != "carry" || err != nil {
		t.Errorf("%d, %+v, %v", n, last, err)
	}
	if n, _, err := At(t.TempDir(), c.now).Stuck(nil); n != 0 || err != nil {
		t.Errorf("no spool: %d, %v", n, err)
	}
}
