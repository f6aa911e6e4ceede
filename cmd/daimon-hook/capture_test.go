package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"daimon/lib/doc"
	"daimon/lib/spool"
	"daimon/lib/store"
)

const stages = "normalize extract verify ground carry admit index"

func TestEndOfASessionIsCaptured(t *testing.T) {
	for _, hook := range []string{"session-end", "pre-compact"} {
		r := newRig(t)
		r.touch("slow-extract", "")
		start := time.Now()
		if out := r.run(hook, r.payload(nil)); out != "" {
			t.Errorf("%s printed %q", hook, out)
		}
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%s took %v with a slow extractor and stdin open", hook, took)
		}
		r.eventually("extract runs", func() bool { return r.called("extract") })
		r.untouch("slow-extract")
		r.captured()
		r.wantCalls(stages)
		for stage, want := range map[string]string{
			"normalize": "{}\n", "extract": "{}\n", "verify": "made by extract", "ground": "made by verify",
			"carry": "made by ground", "admit": "made by carry", "index": "made by admit in " + r.project,
		} {
			if raw, _ := os.ReadFile(r.trace + ".in-" + stage); !strings.HasPrefix(string(raw), want) {
				t.Errorf("%s read %q", stage, raw)
			}
		}
		if log := r.hookLog(); log != "" {
			t.Errorf("logged: %s", log)
		}
	}
}

func TestEverythingIsPrivate(t *testing.T) {
	r := newRig(t)
	r.touch("fail-admit", "75")
	r.run("session-end", r.payload(nil))
	r.eventually("it failed", func() bool { return r.hookLog() != "" && !r.running() })
	files := 0
	err := filepath.WalkDir(r.home, func(path string, d os.DirEntry, err error) error {
		st, err2 := d.Info()
		if err != nil || err2 != nil {
			return nil
		}
		if st.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s is %v", path, st.Mode())
		}
		files++
		return nil
	})
	if err != nil || files < 10 {
		t.Errorf("%d files, %v", files, err)
	}
}

func TestFailedStageKeepsTheFiles(t *testing.T) {
	r := newRig(t)
	r.touch("fail-ground", "70")
	r.run("session-end", r.payload(nil))
	r.eventually("it failed", func() bool { return r.called("ground") && r.hookLog() != "" && !r.running() })
	r.wantCalls("normalize extract verify ground")
	for file, kept := range map[string]bool{
		"job": true, "transcript.jsonl": true, "1-candidate.json": true, "2-verified.json": true, "3-grounded.json": false,
	} {
		if _, err := os.Stat(filepath.Join(r.folder(), file)); (err == nil) != kept {
			t.Errorf("%s: %v", file, err)
		}
	}
	if log := r.hookLog(); strings.Count(log, "\n") != 2 || !strings.Contains(log, "ground ended with 70") || !strings.Contains(log, "said why") || !strings.Contains(log, "stopped at ground: it is tried again, 4 attempts left") {
		t.Errorf("logged: %s", log)
	}

	// The next start tries again, and does not pay for the extractor twice.
	r.untouch("fail-ground")
	must(t, os.Remove(r.trace))
	r.run("session-start", r.payload(nil))
	r.captured()
	names, _ := r.calls() // the briefing runs beside the capture
	stages := slices.DeleteFunc(slices.Clone(names), func(s string) bool { return s == "brief" })
	if len(names) != len(stages)+1 || strings.Join(stages, " ") != "normalize verify ground carry admit index" {
		t.Errorf("called %v\n%s", names, r.logs())
	}
}

func TestCandidateOfAnotherTranscriptIsNotTakenUp(t *testing.T) {
	for _, c := range []struct{ failed, then, want string }{
		{"admit", "{}\n", "normalize verify ground carry admit index"},
		{"admit", "{}\n{}\n", stages},
		{"verify", "{}\n", stages}, // the candidate itself may be the fault
	} {
		r := newRig(t)
		r.touch("fail-"+c.failed, "65")
		r.run("session-end", r.payload(nil))
		r.eventually("it failed", func() bool { return r.called(c.failed) && r.hookLog() != "" && !r.running() })
		r.untouch("fail-" + c.failed)
		must(t, os.WriteFile(r.transcript, []byte(c.then), 0o600))
		must(t, os.Remove(r.trace))
		r.run("capture", "")
		r.captured()
		r.wantCalls(c.want)
	}
}

func TestNothingToCaptureIsNotTriedAgain(t *testing.T) {
	r := newRig(t)
	r.touch("fail-normalize", "65")
	r.run("session-end", r.payload(nil))
	r.eventually("it is parked", func() bool { return strings.Contains(r.hookLog(), "parked") && !r.running() })
	must(t, os.Remove(r.trace))
	r.run("session-start", r.payload(nil))
	r.eventually("the retry is over", func() bool { return r.called("brief") })
	time.Sleep(200 * time.Millisecond)
	r.wantCalls("brief")

	// The session goes on and ends again: there may be something now.
	r.untouch("fail-normalize")
	r.run("session-end", r.payload(nil))
	r.captured()
}

func TestABadAnswerIsTriedAgain(t *testing.T) {
	r := newRig(t)
	r.touch("fail-extract", "65")
	r.run("session-end", r.payload(nil))
	r.eventually("it failed", func() bool { return strings.Contains(r.hookLog(), "4 attempts left") && !r.running() })
	r.untouch("fail-extract")
	must(t, os.Remove(r.trace))
	r.run("session-start", r.payload(nil))
	r.captured()
	r.wantCalls("brief " + stages)
}

// Two starts at once take up the same jobs.
func TestJobThatAnotherRunFinished(t *testing.T) {
	r := newRig(t)
	must(t, os.MkdirAll(filepath.Join(r.home, "spool"), 0o700))
	for _, name := range []string{"0123456789abcdef", filepath.Join(r.home, "spool", "0123456789abcdef")} {
		cmd := r.command("capture")
		cmd.Args = append(cmd.Args, name)
		if out, err := cmd.CombinedOutput(); err != nil || r.logs() != "" {
			t.Errorf("%v\n%s\n%s", err, out, r.logs())
		}
	}
	if names, _ := r.calls(); names != nil {
		t.Errorf("called %v", names)
	}
}

// The same transcript again, after a session that was only opened and closed.
func TestUnchangedTranscriptIsNotExtractedAgain(t *testing.T) {
	const header = `{"format":"daimon.transcript/1","session_id":"s","source_sha256":"aa"}` + "\n"
	const kept = `{"session_id":"s","transcript_hash":"aa","format_version":"` + doc.FormatVersion + `"}`
	for latest, want := range map[string]string{
		kept:                                     "normalize index",
		strings.Replace(kept, `"aa"`, `"ab"`, 1): stages,
		strings.Replace(kept, `"s"`, `"t"`, 1):   stages,
		strings.Replace(kept, "D-", "C-", 1):     stages,
		"{":                                      stages,
		"":                                       stages,
	} {
		r := newRig(t)
		must(t, os.WriteFile(r.transcript, []byte(header), 0o600))
		if latest != "" {
			st := store.Open(r.home)
			must(t, store.WriteFile(st.LatestPath(store.Slug(store.ProjectRoot(r.project))), []byte(latest)))
		}
		r.run("session-end", r.payload(nil))
		r.captured()
		r.wantCalls(want)
		if raw, _ := os.ReadFile(r.trace); want != stages && !strings.Contains(string(raw), "--all") {
			t.Errorf("the index is refreshed as if a receipt came: %s", raw)
		}
	}
}

func TestTwoCapturesOfOneSession(t *testing.T) {
	r := newRig(t)
	r.touch("slow-extract", "")
	r.run("session-end", r.payload(nil))
	r.eventually("extract runs", func() bool { return r.called("extract") })
	r.run("capture", "")
	r.wantCalls("normalize extract")
	if log := r.hookLog(); log != "" { // as after a /clear: no fault
		t.Errorf("logged: %s", log)
	}
	// Spooled again while it runs: the same run goes once more over the session.
	r.run("session-end", r.payload(nil))
	r.wantCalls("normalize extract")
	r.untouch("slow-extract")
	r.eventually("the spool is empty", func() bool { return r.folder() == "" })
	r.wantCalls(stages + " " + stages)
}

func TestKilledHookAndKilledCapture(t *testing.T) {
	r := newRig(t)
	r.touch("slow-extract", "")
	hook := r.command("session-end")
	hook.Stdin = strings.NewReader(r.payload(nil))
	must(t, hook.Start())
	must(t, hook.Wait())
	// The host kills the hook's process group; the capture is not in it.
	_ = syscall.Kill(-hook.Process.Pid, syscall.SIGKILL)
	r.eventually("extract runs", func() bool { return r.called("extract") })
	if !r.running() {
		t.Error("the capture does not hold its job")
	}

	// The machine kills the capture: the job is free at once, and still there.
	_, pid := r.calls()
	group, err := syscall.Getpgid(pid)
	if err != nil || group == hook.Process.Pid || group == syscall.Getpgrp() {
		t.Fatalf("the capture is in group %d of %d: %v", group, hook.Process.Pid, err)
	}
	must(t, syscall.Kill(-group, syscall.SIGKILL))
	r.eventually("the job is free", func() bool { return !r.running() })
	r.untouch("slow-extract")
	if r.folder() == "" {
		t.Fatal("the job is lost")
	}
	r.run("session-start", r.payload(nil))
	r.captured()
}

// A hook that is killed after the spool and before the capture has started.
func TestJobWithoutACapture(t *testing.T) {
	r := newRig(t)
	capture := filepath.Join(r.hooks, "capture")
	must(t, os.Rename(capture, capture+".away"))
	r.run("session-end", r.payload(nil))
	if r.folder() == "" || r.called("normalize") {
		t.Fatalf("folder %q", r.folder())
	}
	must(t, os.Rename(capture+".away", capture))
	if out := r.run("session-start", r.payload(nil)); !strings.Contains(out, "made by brief") {
		t.Errorf("printed %q", out)
	}
	r.captured()
	r.wantCalls(stages + " brief") // and is briefed on it
}

// Wherever the host's kill falls, there is a whole job or none, and the next
// start finishes it.
func TestKilledAtAnyMoment(t *testing.T) {
	r := newRig(t)
	spooled := 0
	for delay := range 16 {
		must(t, os.WriteFile(r.transcript, []byte(strings.Repeat("{}\n", delay+1)), 0o600))
		hook := r.command("session-end")
		hook.Stdin = strings.NewReader(r.payload(nil))
		must(t, hook.Start())
		time.Sleep(time.Duration(delay) * time.Millisecond)
		_ = syscall.Kill(-hook.Process.Pid, syscall.SIGKILL)
		_ = hook.Wait()
		if folder := r.folder(); folder != "" {
			if _, err := spool.Load(folder); err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("killed after %d ms: %v", delay, err)
			}
			spooled++
		}
		r.run("session-start", r.payload(nil))
		r.eventually("no job is left", func() bool {
			_, err := os.Stat(filepath.Join(r.folder(), "job"))
			return r.folder() == "" || err != nil && !r.running()
		})
	}
	t.Logf("%d of 16 kills fell after the job was spooled", spooled)
}
