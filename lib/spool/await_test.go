package spool

import (
	"testing"
	"time"
)

func TestAwait(t *testing.T) {
	const limit = 60 * time.Millisecond
	mine := func(j Job) bool { return j.Cwd == job.Cwd }
	for name, tc := range map[string]struct {
		change func(c *clock, d Dir, folder string)
		waits  bool
	}{
		"queued":          {func(*clock, Dir, string) {}, true},
		"running":         {func(_ *clock, d Dir, f string) { started(t, d, f) }, true},
		"failed":          {func(_ *clock, d Dir, f string) { started(t, d, f); fail(t, d, f) }, false},
		"killed, again":   {func(_ *clock, d Dir, f string) { started(t, d, f); started(t, d, f) }, true},
		"failed, queued":  {func(_ *clock, d Dir, f string) { started(t, d, f); fail(t, d, f); put(t, d, job) }, true},
		"done":            {func(_ *clock, d Dir, f string) { done(t, d, f) }, false},
		"not old yet":     {func(c *clock, _ Dir, _ string) { c.pass(recent - 1) }, true},
		"old":             {func(c *clock, _ Dir, _ string) { c.pass(recent) }, false},
		"another project": {func(_ *clock, d Dir, f string) { other := job; other.Cwd = "/d"; put(t, d, other) }, false},
	} {
		c := begin()
		d := spoolAt(t, c)
		tc.change(c, d, put(t, d, job))
		start := time.Now()
		if err := d.Await(limit, mine); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if waited := time.Since(start) >= limit; waited != tc.waits {
			t.Errorf("%s: waited %v, want %v", name, waited, tc.waits)
		}
	}
}

func TestAwaitReturnsWhenTheJobIsDone(t *testing.T) {
	d := spoolAt(t, begin())
	folder := put(t, d, job)
	time.AfterFunc(50*time.Millisecond, func() { _ = d.Done(folder, 0) })
	start := time.Now()
	if err := d.Await(time.Minute, func(Job) bool { return true }); err != nil || time.Since(start) > 30*time.Second {
		t.Errorf("%v after %v", err, time.Since(start))
	}
}

func TestAwaitWithoutASpool(t *testing.T) {
	d := At(t.TempDir(), time.Now)
	if err := d.Await(time.Minute, func(Job) bool { return true }); err != nil {
		t.Error(err)
	}
}

func started(t *testing.T, d Dir, folder string) {
	t.Helper()
	lock, err := d.Begin(folder)
	if err != nil {
		t.Fatal(err)
	}
	lock.Close()
}

func fail(t *testing.T, d Dir, folder string) {
	t.Helper()
	if _, err := d.Fail(folder, 0, "extract", 1); err != nil {
		t.Fatal(err)
	}
}

func done(t *testing.T, d Dir, folder string) {
	t.Helper()
	if err := d.Done(folder, 0); err != nil {
		t.Fatal(err)
	}
}
