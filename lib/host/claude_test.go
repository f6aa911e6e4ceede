package host

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"daimon/lib/doc"
)

var update = flag.Bool("update", false, "rewrite what the cases want")

// Each file of testdata is one row shape: rows in, messages and counts out.
func TestClaudeRows(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.txt")
	if len(files) < 15 {
		t.Fatalf("only %d cases", len(files))
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			if err != nil || len(a.Files) != 2 {
				t.Fatalf("%v, %d files", err, len(a.Files))
			}
			h, msgs, bad, err := Normalize(strings.NewReader(string(a.Files[0].Data)), "claude-code", Options{File: "in", Redact: fakeRedact})
			got := render(h, msgs, bad, err)
			if *update {
				a.Files[1].Data = []byte(got)
				if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if want := string(a.Files[1].Data); got != want {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}

// fakeRedact masks the word SECRET.
func fakeRedact(s string) (string, map[string]int) {
	n := strings.Count(s, "SECRET")
	if n == 0 {
		return s, nil
	}
	return strings.ReplaceAll(s, "SECRET", "[masked]"), map[string]int{"word": n}
}

func render(h doc.Header, msgs []doc.Message, bad []doc.BadLine, err error) string {
	var b strings.Builder
	for _, m := range msgs {
		fmt.Fprintf(&b, "%s", m.Role)
		if m.Speaker != "" {
			fmt.Fprintf(&b, "(%s)", m.Speaker)
		}
		fmt.Fprintf(&b, " %s", m.ID)
		if m.Tool != nil {
			exit := ""
			if m.Tool.Exit != nil {
				exit = fmt.Sprintf(" exit %d", *m.Tool.Exit)
			}
			fmt.Fprintf(&b, " [%s %q: %s%s]", m.Tool.Name, m.Tool.Input, m.Tool.Status, exit)
		}
		if m.Echo {
			b.WriteString(" echo")
		}
		if m.Cut > 0 {
			fmt.Fprintf(&b, " cut %d", m.Cut)
		}
		fmt.Fprintf(&b, ": %q\n", m.Text)
	}
	for _, l := range bad {
		fmt.Fprintf(&b, "bad %s\n", l)
	}
	if err != nil {
		return b.String() + "error: " + err.Error() + "\n"
	}
	fmt.Fprintf(&b, "rows %d; out: %s\n", h.Rows, Counts(h.Excluded))
	for _, f := range [][2]string{{"session", h.SessionID}, {"cwd", h.Cwd}, {"branch", h.Branch}, {"version", h.Version},
		{"title", h.Title}, {"start", h.Start}, {"end", h.End}} {
		if f[1] != "" {
			fmt.Fprintf(&b, "%s %s\n", f[0], f[1])
		}
	}
	if len(h.Redacted) > 0 {
		fmt.Fprintf(&b, "masked: %s\n", Counts(h.Redacted))
	}
	return b.String()
}

func TestDropBlocksIsLinear(t *testing.T) {
	for _, unit := range []string{"<ide_selection>", "<ide_selection></ide_selection>\n", "x <ide_selection>", "\n<ide_selection", "</ide_selection>"} {
		start := time.Now()
		dropBlocks(strings.Repeat(unit, (1<<20)/len(unit))+"</ide_selection>", "ide_selection")
		if d := time.Since(start); d > 20*time.Second {
			t.Errorf("1 MB of %q took %v", unit, d)
		}
	}
}
