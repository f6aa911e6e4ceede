package lint

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// layers are the packages under lib, lowest first. A package imports only
// packages of lower layers.
var layers = [][]string{
	{"doc", "canon", "fault", "lang", "own"}, // know nothing of ours
	{"redact", "salient", "scrub", "score", "receipt", "payload", "spool", "stage", "surface"},
	{"host", "quote", "ground", "carry"}, // know documents
	{"extract"},                          // claims only what they would bear out
	{"store"},                            // knows files
	{"ledger"},
	{"life"}, // knows ledgers
	{"view"}, // the one door for reading
	{"recall", "brief", "admit"},
	{"forget"},
	{"rig", "lint", "pipeline", "bench"}, // judge or measure the rest
}

// pure packages are functions of their input: they reach no file, process or
// network.
var pure = []string{"canon", "lang", "own", "salient", "redact", "scrub", "score", "quote", "ground", "carry"}

// light programs start without SQLite.
var light = []string{"brief", "normalize", "extract", "verify", "ground", "carry", "admit", "hook"}

const sqlite = "modernc.org/sqlite"

// list runs go list in the module and returns its lines, split into fields.
func list(t *testing.T, args ...string) [][]string {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list"}, args...)...)
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var rows [][]string
	for line := range strings.Lines(string(out)) {
		rows = append(rows, strings.Fields(line))
	}
	return rows
}

func layerOf(name string) int {
	return slices.IndexFunc(layers, func(l []string) bool { return slices.Contains(l, name) })
}

// upward tells whether an import goes to the same layer or a higher one.
func upward(from, to string) bool { return layerOf(to) >= layerOf(from) }

func TestImportsPointDown(t *testing.T) {
	if !upward("doc", "store") || !upward("brief", "admit") || upward("view", "life") {
		t.Fatal("the rule does not hold for the cases it was made for")
	}
	const lib = "daimon/lib/"
	seen := 0
	for _, row := range list(t, "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./lib/...") {
		name := strings.TrimPrefix(row[0], lib)
		if layerOf(name) < 0 {
			t.Errorf("lib/%s has no layer: give it the lowest that fits", name)
			continue
		}
		for _, path := range row[1:] {
			dep, ours := strings.CutPrefix(path, lib)
			switch {
			case strings.HasPrefix(path, "daimon/cmd/"):
				t.Errorf("lib/%s imports a program, %s", name, path)
			case ours && layerOf(dep) >= 0 && upward(name, dep):
				t.Errorf("lib/%s imports lib/%s, which is not below it", name, dep)
			case slices.Contains(pure, name) && reaches(path):
				t.Errorf("lib/%s is pure and imports %s", name, path)
			}
			seen++
		}
	}
	if seen < 50 {
		t.Errorf("only %d imports seen", seen)
	}
}

func reaches(path string) bool {
	return path == "os" || strings.HasPrefix(path, "os/") || path == "net" || strings.HasPrefix(path, "net/") || path == "syscall"
}

func TestProgramsStandAlone(t *testing.T) {
	linked := map[string]bool{}
	for _, row := range list(t, "-f", `{{.ImportPath}} {{join .Deps " "}}`, "./cmd/...") {
		name := strings.TrimPrefix(row[0], "daimon/cmd/daimon-")
		for _, dep := range row[1:] {
			if strings.HasPrefix(dep, "daimon/cmd/") {
				t.Errorf("%s imports %s", row[0], dep)
			}
			if strings.HasPrefix(dep, sqlite) {
				linked[name] = true
			}
		}
	}
	for _, name := range light {
		if linked[name] {
			t.Errorf("daimon-%s links SQLite", name)
		}
	}
	if !linked["index"] {
		t.Error("daimon-index links no SQLite: the check sees nothing")
	}
}
