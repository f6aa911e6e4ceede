package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	programs "daimon/lib/rig"
)

// odd is a folder name with every character that a script can trip over.
const odd = "it's a \"home\" $HOME `x`\n* ünï;& "

// built is the folder with the daimon-hook under test.
var built string

func TestMain(m *testing.M) { os.Exit(programs.Main(m, &built, "daimon-hook")) }

// rig is a machine with the hooks installed and programs that only note how
// they were called.
type rig struct {
	t                          *testing.T
	root, hooks, bin, home     string // folders; home is the data folder
	trace, project, transcript string
	env                        []string
}

// fake is a stage: it notes its name and arguments, reads its input, waits
// up to ten seconds while the file slow-NAME is there, and fails as fail-NAME
// says.
const fake = `#!/bin/sh
name=${0##*daimon-}
printf '%s %s\n' "$name $$" "$*" >>"$TRACE"
cat >"$TRACE.in-$name"
n=0
while [ -e "$TRACE.slow-$name" ] && [ $n -lt 500 ]; do n=$((n + 1)) && sleep 0.02; done
if [ -e "$TRACE.fail-$name" ]; then
	echo "daimon-$name: said why" >&2
	exit "$(cat "$TRACE.fail-$name")"
fi
if [ "$name" = normalize ]; then cat "$TRACE.in-$name"; else echo "made by $name in $DAIMON_PROJECT_DIR"; fi
`

func newRig(t *testing.T) *rig {
	t.Helper()
	root := filepath.Join(t.TempDir(), odd)
	r := &rig{t: t, root: root, hooks: filepath.Join(root, "plugin", "hooks"), bin: filepath.Join(root, "programs"),
		home: filepath.Join(root, ".daimon"), trace: filepath.Join(root, "trace"), project: filepath.Join(root, "a project"),
		transcript: filepath.Join(root, "sess ion.jsonl")}
	for _, dir := range []string{r.hooks, r.bin, r.project} {
		must(t, os.MkdirAll(dir, 0o755))
	}
	for _, verb := range []string{"normalize", "extract", "verify", "ground", "carry", "admit", "index", "brief"} {
		must(t, os.WriteFile(filepath.Join(r.bin, "daimon-"+verb), []byte(fake), 0o755))
	}
	must(t, os.Symlink(filepath.Join(built, "daimon-hook"), filepath.Join(r.bin, "daimon-hook")))
	must(t, os.CopyFS(r.hooks, os.DirFS("../../hooks")))
	must(t, os.WriteFile(r.transcript, []byte("{}\n"), 0o600))
	r.env = []string{"PATH=/usr/bin:/bin", "HOME=" + root, "DAIMON_BIN=" + r.bin, "TRACE=" + r.trace}
	t.Cleanup(func() { // nothing detached may outlive the folder
		for _, f := range r.glob(r.trace + ".slow-*") {
			os.Remove(f)
		}
		r.eventually("no capture runs", func() bool { return !r.running() })
		gone := 0 // a detached program that only now starts may still write
		r.eventually("the folder stays away", func() bool {
			if _, err := os.Lstat(root); err != nil {
				gone++
			} else if gone = 0; os.RemoveAll(root) != nil {
				return false
			}
			return gone > 5
		})
	})
	return r
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// payload is what a host writes, with more fields laid over it.
func (r *rig) payload(more map[string]any) string {
	p := map[string]any{"session_id": "s'1", "transcript_path": r.transcript, "cwd": r.project, "hook_event_name": "X", "reason": "other"}
	for k, v := range more {
		p[k] = v
	}
	raw, err := json.Marshal(p)
	must(r.t, err)
	return string(raw)
}

// run runs a hook under dash, as a host would: stdin stays open, and the
// environment has env added. It fails the test unless the hook exits 0 soon.
func (r *rig) run(hook, stdin string, env ...string) (stdout string) {
	r.t.Helper()
	cmd := r.command(hook, env...)
	in, err := cmd.StdinPipe()
	must(r.t, err)
	defer in.Close()
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	must(r.t, cmd.Start())
	_, _ = io.WriteString(in, stdin) // a hook may leave without reading
	if stdin == "" {
		in.Close()
	}
	stop := time.AfterFunc(15*time.Second, func() { _ = cmd.Process.Kill() })
	defer stop.Stop()
	if err := cmd.Wait(); err != nil {
		r.t.Errorf("%s: %v\n%s%s", hook, err, &out, &errs)
	}
	return out.String()
}

func (r *rig) command(hook string, env ...string) *exec.Cmd {
	r.t.Helper()
	dash, err := exec.LookPath("dash")
	if err != nil {
		r.t.Skip("dash is not installed")
	}
	cmd := exec.Command(dash, append([]string{filepath.Join(r.hooks, hook)}, r.jobArgs(hook)...)...)
	cmd.Dir = r.root
	cmd.Env = append(r.env, env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return cmd
}

// jobArgs gives capture the one job there is, unless there is none.
func (r *rig) jobArgs(hook string) []string {
	if folder := r.folder(); hook == "capture" && folder != "" {
		return []string{folder}
	}
	return nil
}

// touch makes one of the files that steer the stages.
func (r *rig) touch(what, text string) {
	must(r.t, os.WriteFile(r.trace+"."+what, []byte(text), 0o600))
}
func (r *rig) untouch(what string) { must(r.t, os.Remove(r.trace+"."+what)) }

// calls are the stages called so far, and the last one's process id.
func (r *rig) calls() (names []string, pid int) {
	raw, _ := os.ReadFile(r.trace)
	for line := range strings.Lines(string(raw)) {
		var name string
		if n, _ := fmt.Sscanf(line, "%s %d ", &name, &pid); n == 2 {
			names = append(names, name)
		}
	}
	return names, pid
}

func (r *rig) called(stage string) bool {
	names, _ := r.calls()
	return strings.Contains(strings.Join(names, " ")+" ", stage+" ")
}

func (r *rig) wantCalls(want string) {
	r.t.Helper()
	if names, _ := r.calls(); strings.Join(names, " ") != want {
		r.t.Errorf("called %v, want %s\n%s", names, want, r.logs())
	}
}

func (r *rig) glob(pattern string) []string {
	// Only the last element is a pattern.
	entries, _ := os.ReadDir(filepath.Dir(pattern))
	var found []string
	for _, e := range entries {
		if ok, _ := filepath.Match(filepath.Base(pattern), e.Name()); ok {
			found = append(found, filepath.Join(filepath.Dir(pattern), e.Name()))
		}
	}
	return found
}

// folder is the one job folder in the spool, or "".
func (r *rig) folder() string {
	for _, dir := range r.glob(filepath.Join(r.home, "spool", "[0-9a-f]*")) {
		return dir
	}
	return ""
}

// running tells whether a capture holds the job.
func (r *rig) running() bool {
	f, err := os.Open(filepath.Join(r.folder(), "lock"))
	if r.folder() == "" || err != nil {
		return false
	}
	defer f.Close()
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil
}

func (r *rig) logs() string {
	var b strings.Builder
	for _, f := range r.glob(filepath.Join(r.home, "logs", "*")) {
		raw, _ := os.ReadFile(f)
		fmt.Fprintf(&b, "== %s\n%s", filepath.Base(f), raw)
	}
	return b.String()
}

func (r *rig) hookLog() string {
	raw, _ := os.ReadFile(filepath.Join(r.home, "logs", "hooks.log"))
	return string(raw)
}

func (r *rig) eventually(what string, ok func() bool) {
	r.t.Helper()
	for range 1000 {
		if ok() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	r.t.Fatalf("never: %s\n%s", what, r.logs())
}

func (r *rig) captured() {
	r.t.Helper()
	r.eventually("the spool is empty", func() bool { return r.called("index") && r.folder() == "" })
}
