package pipeline

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"daimon/lib/rig"
)

// TestDemo runs what a stranger runs first, from another folder and with nothing
// set up.
func TestDemo(t *testing.T) {
	home := t.TempDir()
	cmd := exec.Command(filepath.Join(rig.Root(), "scripts", "demo"))
	cmd.Dir = home
	cmd.Env = append(os.Environ(), "TMPDIR="+home, "DAIMON_HOME=/nowhere", "DAIMON_DISABLE=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("scripts/demo: %v\n%s", err, out)
	}
	for _, want := range []string{
		`(?m)^daimon-extract: embedded/1: \d+ items`,
		`(?m)^daimon-carry: [1-9]\d* carried.* 1 superseded`,
		`(?m)^DAIMON BRIEFING \(checkpoint: 5d1f0c2e-`,
		`(?m)^DAIMON BRIEFING \(checkpoint: 8e47b9a1-`,
		`\[carried\]`,
		`downgraded \(quote-not-in-transcript 2\)`,
		`evidence-contradicts`,
	} {
		if !regexp.MustCompile(want).Match(out) {
			t.Errorf("no %s in\n%s", want, out)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(home, "*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
