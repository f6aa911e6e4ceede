package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"daimon/lib/payload"
	"daimon/lib/spool"
	"daimon/lib/stage"
)

var hostHooks = []string{"session-start", "session-end", "pre-compact", "user-prompt-submit"}

func TestStartBriefsTheProjectOfThePayload(t *testing.T) {
	r := newRig(t)
	for _, source := range []string{"startup", "resume", "compact", "clear"} {
		if out := r.run("session-start", r.payload(map[string]any{"source": source})); !strings.HasPrefix(out, "made by brief") {
			t.Errorf("%s: printed %q", source, out)
		}
	}
	raw, _ := os.ReadFile(r.trace)
	if want := "--project=" + r.project + "\n"; strings.Count(string(raw), want) != 4 {
		t.Errorf("called: %s", raw)
	}
	for _, stdin := range []string{"", "garbage", "[]"} {
		must(t, os.Remove(r.trace))
		r.run("session-start", stdin)
		if raw, _ := os.ReadFile(r.trace); !strings.HasSuffix(string(raw), "--project="+r.root+"\n") {
			t.Errorf("payload %q: called %s", stdin, raw)
		}
	}
}

func TestStartWaitsForTheCaptureOfItsProject(t *testing.T) {
	for _, tc := range []struct{ dir, want string }{
		{"a project", stages + " brief"}, {"elsewhere", "normalize extract brief verify ground carry admit index"},
	} {
		r := newRig(t)
		r.touch("slow-extract", "")
		r.run("session-end", r.payload(nil))
		r.eventually("extract runs", func() bool { return r.called("extract") })
		release := time.AfterFunc(time.Second, func() { os.Remove(r.trace + ".slow-extract") })
		defer release.Stop()
		start := r.payload(map[string]any{"source": "clear", "cwd": filepath.Join(r.root, tc.dir)})
		if out := r.run("session-start", start); !strings.HasPrefix(out, "made by brief") {
			t.Errorf("printed %q", out)
		}
		r.captured()
		r.wantCalls(tc.want)
	}
}

func TestStartDoesNotWaitForASlowCapture(t *testing.T) {
	r := newRig(t)
	r.touch("slow-extract", "")
	r.run("session-end", r.payload(nil))
	if out := r.run("session-start", r.payload(nil)); !strings.HasPrefix(out, "made by brief") {
		t.Errorf("printed %q", out)
	}
	if r.called("verify") {
		t.Error("waited for the whole capture")
	}
}

func TestBriefThatFailsSaysNothing(t *testing.T) {
	r := newRig(t)
	r.touch("fail-brief", "74")
	if out := r.run("session-start", r.payload(nil)); out != "" {
		t.Errorf("printed %q", out)
	}
	if log := r.hookLog(); !strings.Contains(log, "session-start: daimon brief ended with 74: daimon-brief: said why\n") {
		t.Errorf("logged: %s", log)
	}
}

func TestPrompt(t *testing.T) {
	r := newRig(t)
	prompt := "why `is` it $slow?\n'\"\\n é"
	if out := r.run("user-prompt-submit", r.payload(map[string]any{"prompt": prompt})); !strings.HasPrefix(out, "made by index") {
		t.Errorf("printed %q", out)
	}
	if raw, _ := os.ReadFile(r.trace + ".in-index"); string(raw) != prompt+"\n" {
		t.Errorf("index read %q", raw)
	}
	if raw, _ := os.ReadFile(r.trace); !strings.HasSuffix(string(raw), " suggest --project="+r.project+" --session=s'1\n") {
		t.Errorf("called: %s", raw)
	}
	must(t, os.Remove(r.trace))
	if out := r.run("user-prompt-submit", r.payload(nil)); out != "" || r.called("index") {
		t.Errorf("no prompt: printed %q", out)
	}
	r.touch("fail-index", "1")
	if out := r.run("user-prompt-submit", r.payload(map[string]any{"prompt": prompt})); out != "" || !strings.Contains(r.hookLog(), "index ended with 1") {
		t.Errorf("printed %q, logged %s", out, r.hookLog())
	}
}

// A cd in the session does not move it to another project.
func TestProjectDirOfTheHost(t *testing.T) {
	for _, tc := range []struct{ env, project string }{{"the start", "the start"}, {"", "a project"}} {
		r := newRig(t)
		dir := func(name string) string {
			if name == "" {
				return ""
			}
			return filepath.Join(r.root, name)
		}
		env, want := "CLAUDE_PROJECT_DIR="+dir(tc.env), dir(tc.project)
		r.run("session-start", r.payload(nil), env)
		r.run("user-prompt-submit", r.payload(map[string]any{"prompt": "how?"}), env)
		raw, _ := os.ReadFile(r.trace)
		if strings.Count(string(raw), "--project="+want) != 2 {
			t.Errorf("%s: called %s", env, raw)
		}
		for _, hook := range []string{"session-end", "pre-compact"} {
			r.touch("fail-admit", "75")
			r.run(hook, r.payload(nil), env)
			r.eventually("it failed", func() bool { return r.called("admit") && !r.running() })
			if j, err := spool.Load(r.folder()); err != nil || j.Cwd != want {
				t.Errorf("%s: %s: %+v, %v", env, hook, j, err)
			}
		}
	}
	// Not even with a payload that says nothing.
	r := newRig(t)
	r.run("session-start", "garbage", "CLAUDE_PROJECT_DIR="+r.project)
	if raw, _ := os.ReadFile(r.trace); !strings.Contains(string(raw), "--project="+r.project) {
		t.Errorf("called %s", raw)
	}
}

func TestHugePromptIsNoFault(t *testing.T) {
	r := newRig(t)
	for size, called := range map[int]bool{payload.Limit: false, payload.Limit / 2: true} {
		out := r.run("user-prompt-submit", r.payload(map[string]any{"prompt": strings.Repeat("x ", size/2)}))
		if r.called("index") != called || out == "" == called || r.hookLog() != "" {
			t.Errorf("%d bytes: printed %.40q, logged %s", size, out, r.hookLog())
		}
		os.Remove(r.trace)
	}
}

func TestNothingToCapture(t *testing.T) {
	for why, path := range map[string]any{"no file": "/nowhere/x.jsonl", "empty": "", "absent": nil, "a folder": os.TempDir()} {
		r := newRig(t)
		r.run("session-end", r.payload(map[string]any{"transcript_path": path}))
		if r.folder() != "" || strings.Count(r.hookLog(), "no capture of session s'1") != 1 {
			t.Errorf("%s: logged %s", why, r.hookLog())
		}
	}
}

func TestGuardAndKillSwitch(t *testing.T) {
	for env, works := range map[string]bool{
		"DAIMON_CAPTURE=1": false, "DAIMON_CAPTURE=/some/job": false, "DAIMON_CAPTURE=": true,
		"DAIMON_DISABLE=1": false, "DAIMON_DISABLE=TRUE": false, "DAIMON_DISABLE=yes": false, "DAIMON_DISABLE=On": false,
		"DAIMON_DISABLE=0": true, "DAIMON_DISABLE=": true,
	} {
		r := newRig(t)
		for _, hook := range hostHooks {
			r.run(hook, r.payload(map[string]any{"prompt": "how?"}), env)
		}
		if works {
			r.eventually("all ran", func() bool { return r.called("brief") && r.called("admit") && r.folder() == "" })
			continue
		}
		if names, _ := r.calls(); names != nil || r.folder() != "" {
			t.Errorf("%s: called %v", env, names)
		}
	}
}

func TestCaptureIsMarked(t *testing.T) {
	r := newRig(t)
	script := "#!/bin/sh\ncat >/dev/null\nprintf '%s' \"$DAIMON_CAPTURE\" >\"$TRACE.marked\"\n"
	must(t, os.WriteFile(filepath.Join(r.bin, "daimon-extract"), []byte(script), 0o755))
	r.run("session-end", r.payload(nil))
	r.captured()
	if raw, _ := os.ReadFile(r.trace + ".marked"); len(raw) == 0 {
		t.Error("a model run in a capture would be captured too")
	}
}

func TestProgramsAreFound(t *testing.T) {
	for _, c := range []struct{ where, env string }{
		{"plugin/bin", ""}, {"go/bin", ""}, {".local/bin", ""}, {"on path", "PATH"},
	} {
		r := newRig(t)
		dir := filepath.Join(r.root, c.where)
		must(t, os.MkdirAll(filepath.Dir(dir), 0o755))
		must(t, os.Rename(r.bin, dir))
		env := []string{"DAIMON_BIN="}
		if c.env != "" {
			env = append(env, c.env+"="+dir+":/usr/bin:/bin")
		}
		if out := r.run("session-start", r.payload(nil), env...); !strings.HasPrefix(out, "made by brief") {
			t.Errorf("%s: printed %q\n%s", c.where, out, r.logs())
		}
	}
}

func TestNotInstalled(t *testing.T) {
	r := newRig(t)
	must(t, os.RemoveAll(r.bin))
	for _, hook := range hostHooks {
		out := r.run(hook, r.payload(map[string]any{"prompt": "how?"}))
		if want := hook == "session-start"; strings.Count(out, "\n") == 1 != want || strings.Contains(out, "not installed") != want {
			t.Errorf("%s: printed %q", hook, out)
		}
		if !strings.Contains(r.hookLog(), hook+": daimon-hook is not installed\n") {
			t.Errorf("%s: logged %s", hook, r.hookLog())
		}
	}
}

// Whatever is broken, a host sees exit 0; run checks that.
func TestNeverFailsTheHost(t *testing.T) {
	for what, break_ := range map[string]func(r *rig) []string{
		"no HOME":        func(*rig) []string { return []string{"HOME=", "DAIMON_HOME="} },
		"home is a file": func(r *rig) []string { must(t, os.WriteFile(r.home, nil, 0o600)); return nil },
		"no common":      func(r *rig) []string { must(t, os.Remove(filepath.Join(r.hooks, "common"))); return nil },
		"broken helper": func(r *rig) []string {
			must(t, os.Remove(filepath.Join(r.bin, "daimon-hook")))
			r.fakeHelper("exit 2")
			return nil
		},
		"killed helper": func(r *rig) []string {
			must(t, os.Remove(filepath.Join(r.bin, "daimon-hook")))
			r.fakeHelper("kill -9 $$")
			return nil
		},
		"garbled helper": func(r *rig) []string {
			must(t, os.Remove(filepath.Join(r.bin, "daimon-hook")))
			r.fakeHelper("echo 'x=(('")
			return nil
		},
		"all stages break": func(r *rig) []string { must(t, os.Remove(filepath.Join(r.bin, "daimon-brief"))); return nil },
	} {
		t.Run(what, func(t *testing.T) {
			r := newRig(t)
			env := break_(r)
			for _, hook := range append(hostHooks, "capture") {
				for _, stdin := range []string{r.payload(map[string]any{"prompt": "how?"}), "", "nonsense", "\x00"} {
					r.run(hook, stdin, env...)
				}
			}
		})
	}
}

// A host that never finishes its sentence keeps a hook for two seconds.
func TestLogIsMasked(t *testing.T) {
	home := t.TempDir()
	cmd := exec.Command(filepath.Join(built, "daimon-hook"), "log", "x", "--", "bad key ghp_"+strings.Repeat("a1", 18), "again")
	cmd.Env = []string{"DAIMON_HOME=" + home}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	raw, err := os.ReadFile(filepath.Join(home, "logs", "hooks.log"))
	if err != nil || !strings.HasSuffix(string(raw), " x: bad key [redacted:github-token] again\n") {
		t.Errorf("%v: %s", err, raw)
	}
}

func TestHalfAPayload(t *testing.T) {
	r := newRig(t)
	start := time.Now()
	r.run("session-end", `{"session_id":`)
	if took := time.Since(start); took > 5*time.Second || !strings.Contains(r.hookLog(), "no whole JSON object") {
		t.Errorf("took %v, logged %s", took, r.hookLog())
	}
}

func (r *rig) fakeHelper(body string) {
	must(r.t, os.WriteFile(filepath.Join(r.bin, "daimon-hook"), []byte("#!/bin/sh\n"+body+"\n"), 0o755))
}

// The plugin's own manifest, run as the host runs it.
func TestPlugin(t *testing.T) {
	var manifest struct{ Name, Version string }
	decode(t, "../../.claude-plugin/plugin.json", &manifest)
	if manifest.Name != "daimon" || manifest.Version != stage.Version {
		t.Errorf("%+v, want version %s", manifest, stage.Version)
	}
	var hooks struct {
		Hooks map[string][]struct {
			Hooks []struct {
				Type, Command string
				Timeout       int // seconds
			}
		}
	}
	decode(t, "../../hooks/hooks.json", &hooks)
	r := newRig(t)
	for _, event := range []string{"SessionStart", "UserPromptSubmit", "PreCompact", "SessionEnd"} {
		groups := hooks.Hooks[event]
		if len(groups) != 1 || len(groups[0].Hooks) != 1 {
			t.Fatalf("%s: %+v", event, groups)
		}
		h := groups[0].Hooks[0]
		if h.Type != "command" || h.Timeout < 5 || h.Timeout > 30 {
			t.Errorf("%s: %+v", event, h)
		}
		cmd := exec.Command("/bin/sh", "-c", h.Command)
		cmd.Env = append(r.env, "CLAUDE_PLUGIN_ROOT="+filepath.Join(r.root, "plugin"))
		cmd.Stdin = strings.NewReader(r.payload(map[string]any{"hook_event_name": event, "prompt": "how?"}))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", event, err, out)
		}
	}
	r.captured()
	if !r.called("brief") {
		t.Error("no briefing")
	}
	if len(hooks.Hooks) != 4 {
		t.Errorf("%d events, 4 are tested", len(hooks.Hooks))
	}
}

func decode(t *testing.T, path string, into any) {
	t.Helper()
	raw, err := os.ReadFile(path)
	must(t, err)
	must(t, json.Unmarshal(raw, into))
}
