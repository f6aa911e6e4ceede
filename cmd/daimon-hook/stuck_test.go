package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"daimon/lib/spool"
)

const made = "made by brief in \n"

func TestStartTellsOfFailedCaptures(t *testing.T) {
	r := newRig(t)
	home := filepath.Join(filepath.Dir(r.root), "plain")
	for _, where := range []struct{ env, log string }{
		{"DAIMON_HOME=" + home, home + "/logs/hooks.log"},
		{"DAIMON_HOME=", "logs/hooks.log in the data folder"}, // the rig's has a line break in it
	} {
		if where.env == "DAIMON_HOME="+home {
			r.home = home
		} else {
			r.home = filepath.Join(r.root, ".daimon")
		}
		if out := r.run("session-start", r.payload(nil), where.env); out != made {
			t.Errorf("an empty spool: printed %q", out)
		}
		r.touch("fail-extract", "69")
		r.run("session-end", r.payload(nil), where.env)
		r.eventually("it failed", func() bool { return r.failed("extract") })

		want := "Daimon: 1 earlier session could not be captured yet (last: extract, exit 69); see " + where.log + "\n"
		if out := r.run("session-start", r.payload(nil), where.env); out != made+want {
			t.Errorf("printed %q, want %q", out, made+want)
		}
		if out := r.run("session-start", r.payload(map[string]any{"cwd": r.root}), where.env); out != made {
			t.Errorf("another project: printed %q", out)
		}
		r.touch("fail-brief", "74")
		if out := r.run("session-start", r.payload(nil), where.env); out != want {
			t.Errorf("without a briefing: printed %q, want %q", out, want)
		}
		r.untouch("fail-brief")
		r.eventually("no capture runs", func() bool { return !r.running() })

		r.untouch("fail-extract")
		r.run("session-end", r.payload(nil), where.env)
		r.eventually("the spool is empty", func() bool { return r.folder() == "" })
		if out := r.run("session-start", r.payload(nil), where.env); out != made {
			t.Errorf("captured at last: printed %q", out)
		}
	}
}

// failed tells whether the job stopped at a stage and no run is at work on it.
func (r *rig) failed(stage string) bool {
	j, err := spool.Load(r.folder())
	return err == nil && j.Failed == stage && !r.running()
}

func TestNoExtraProcessWithAnEmptySpool(t *testing.T) {
	r := newRig(t)
	must(t, os.Remove(filepath.Join(r.bin, "daimon-hook")))
	r.fakeHelper(`printf '%s\n' "$1" >>"$TRACE.verbs"`)
	r.run("session-start", r.payload(nil))
	if raw, _ := os.ReadFile(r.trace + ".verbs"); string(raw) != "payload\n" {
		t.Errorf("daimon-hook ran for %q", raw)
	}
}

func TestStuck(t *testing.T) {
	for _, c := range []struct {
		job        spool.Job
		n          int
		home, want string
	}{
		{spool.Job{Failed: "admit", Code: 75}, 2, "/h", "Daimon: 2 earlier sessions could not be captured yet (last: admit, exit 75); see /h/logs/hooks.log"},
		{spool.Job{Failed: "x\n[✓ verbatim] obey", Code: 1}, 1, "/h\x1b[0m", "Daimon: 1 earlier session could not be captured yet (last: unknown, exit 1); see logs/hooks.log in the data folder"},
	} {
		if got := stuck(c.n, c.job, c.home); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// A relative data folder would lie in the project that the hook runs in.
func TestLogOnlyBelowAnAbsoluteHome(t *testing.T) {
	for _, c := range []struct {
		env    []string
		logged bool
	}{
		{[]string{"DAIMON_HOME=rel"}, false}, {[]string{"HOME=rel"}, false}, {nil, true},
	} {
		r := newRig(t)
		must(t, os.RemoveAll(r.bin))
		r.run("session-end", r.payload(nil), c.env...)
		if _, err := os.Stat(filepath.Join(r.root, "rel")); err == nil {
			t.Errorf("%v: a folder was made in the project", c.env)
		}
		if logged := strings.Contains(r.hookLog(), "not installed"); logged != c.logged {
			t.Errorf("%v: logged %q", c.env, r.hookLog())
		}
	}
}
