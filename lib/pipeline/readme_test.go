package pipeline

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"daimon/lib/rig"
	"daimon/lib/stage"
)

// step is one command of a console block and the output the block shows for it.
type step struct {
	line          int
	command, want string
}

// consoleSteps reads the ```console blocks of a Markdown file: a line that
// begins with "$ " is a command, one that begins with "> " goes on with it, and
// the lines after it are its output. A line "..." stands for any lines.
func consoleSteps(md string) []step {
	var steps []step
	inside := false
	for i, line := range strings.Split(md, "\n") {
		switch {
		case strings.HasPrefix(line, "```"):
			inside = line == "```console"
		case !inside:
		case strings.HasPrefix(line, "$ "):
			steps = append(steps, step{line: i + 1, command: line[2:]})
		case strings.HasPrefix(line, "> ") && len(steps) > 0:
			steps[len(steps)-1].command += "\n" + line[2:]
		case len(steps) > 0:
			steps[len(steps)-1].want += line + "\n"
		}
	}
	return steps
}

func matches(want, got string) bool {
	parts := strings.Split("\n"+want, "\n...\n")
	for i, p := range parts {
		parts[i] = regexp.QuoteMeta(p)
	}
	return regexp.MustCompile(`(?s)\A` + strings.Join(parts, `\n(.*\n)?`) + `\z`).MatchString("\n" + got)
}

func TestMatches(t *testing.T) {
	for _, c := range []struct {
		want, got string
		ok        bool
	}{
		{"a\n", "a\n", true}, {"a\n", "b\n", false}, {"a\n", "a\nb\n", false},
		{"a\n...\nc\n", "a\nb\nb\nc\n", true}, {"a\n...\nc\n", "a\nc\n", true}, {"a\n...\nc\n", "a\nb\n", false}, {"", "a\n", false},
	} {
		if matches(c.want, c.got) != c.ok {
			t.Errorf("matches(%q, %q) = %v", c.want, c.got, !c.ok)
		}
	}
}

// TestReadmeCommands runs every console block of the README in order, in one
// HOME and one project folder, through a shell, and compares what it prints.
func TestReadmeCommands(t *testing.T) {
	md, err := os.ReadFile(filepath.Join(rig.Root(), "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	steps := consoleSteps(string(md))
	if len(steps) < 6 {
		t.Fatalf("the README has %d commands; it promises six pipelines", len(steps))
	}
	work := t.TempDir()
	project := filepath.Join(work, "tidewatch")
	for _, dir := range []string{filepath.Join(work, "home"), filepath.Join(project, ".git")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"first.jsonl", "second.jsonl", "overclaim.json"} {
		b, err := os.ReadFile(filepath.Join("testdata", "demo", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(project, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range steps {
		cmd := exec.Command("sh", "-c", s.command)
		cmd.Dir = project
		cmd.Env = []string{"HOME=" + filepath.Join(work, "home"), "PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH"), "DAIMON_AUTHOR=dev"}
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		err := cmd.Run()
		if !matches(s.want, out.String()) {
			t.Errorf("README.md:%d: $ %s\nprints\n%swant\n%s(%v)", s.line, s.command, out.String(), s.want, err)
		}
	}
}

// TestReadmeTableListsEveryBinary holds the table against the one list of verbs.
func TestReadmeTableListsEveryBinary(t *testing.T) {
	md, err := os.ReadFile(filepath.Join(rig.Root(), "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range stage.Verbs {
		if row := "| `daimon-" + v.Name + "` | " + v.Summary + " |"; !strings.Contains(string(md), row) {
			t.Errorf("README lacks the row %s", row)
		}
		if _, err := os.Stat(filepath.Join(bin, "daimon-"+v.Name)); err != nil {
			t.Errorf("daimon-%s is listed but not built", v.Name)
		}
	}
	built, err := os.ReadDir(bin)
	if err != nil {
		t.Fatal(err)
	}
	if len(built) != len(stage.Verbs)+1 { // and the front door
		t.Errorf("%d binaries are built, %d verbs listed", len(built), len(stage.Verbs))
	}
}
