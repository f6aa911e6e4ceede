package ledger

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/tidwall/gjson"
	"pgregory.net/rapid"

	"daimon/lib/doc"
)

func TestHealth(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		rows       int
		want       Class
		detail     string
	}{
		{"empty", "", 0, OK, ""},
		{"rows", "{\"a\":1}\n\n  \n{\"a\":2}\n", 2, OK, ""},
		{"wide separators inside a row", "{\"a\":\"x\u2028y\u0085z\v\"}\n", 0, Unreadable, "no row"}, // a raw VT is no JSON
		{"separators JSON allows", "{\"a\":\"x\u2028y\u0085z\"}\n{\"a\":2}\n", 2, OK, ""},
		{"torn tail", "{\"a\":1}\n{\"a\":", 1, Degraded, "torn"},
		{"torn middle", "{\"a\":\n{\"a\":2}\n", 1, Degraded, "torn"},
		{"tail of NULs", "{\"a\":1}\n\x00\x00\x00", 1, Degraded, "torn"},
		{"NULs between rows", "{\"a\":1}\n\x00\x00\n{\"a\":2}\n", 2, Degraded, "torn"},
		{"NULs before the first row", "\x00\x00\n{\"a\":1}\n", 1, Unreadable, "garbage"},
		{"nothing but NULs", "\x00\x00\x00", 0, Unreadable, "garbage"},
		{"nothing but NUL lines", "\x00\x00\n\x00\n", 0, Unreadable, "garbage"},
		{"a first append cut off", "{\"a\":", 0, Degraded, "torn"},
		{"nothing but an ended torn row", "{\"a\":\n", 0, Unreadable, "no row"},
		{"nothing but torn rows", "{\"a\":\n{\"b\":", 0, Unreadable, "no row"},
		{"nothing but blanks", " \n\n", 0, OK, ""},
		{"NULs and more", "{\"a\":1}\n\x00\x00x", 1, Unreadable, "garbage"},
		{"conflict marker", "{\"a\":1}\n<<<<<<< HEAD\n", 1, Unreadable, "garbage"},
		{"no object", "[1]\n", 0, Unreadable, "garbage"},
		{"undecodable", "{\"a\":\"\xff\"}\n{\"a\":1}\n", 1, Unreadable, "garbage"},
		{"garbage outranks torn", "{\n7\n", 0, Unreadable, "garbage"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			rows, h := Parse([]byte(tc.text))
			if len(rows) != tc.rows || h.Class != tc.want || h.Detail != tc.detail {
				t.Errorf("%d rows, %v", len(rows), h)
			}
			if h.Proven() != (tc.want != Unreadable) {
				t.Errorf("proven %v", h.Proven())
			}
		})
	}
}

func TestReadWhatIsNoFile(t *testing.T) {
	dir := t.TempDir()
	if _, h := Read(filepath.Join(dir, "no/such")); h.Class != Absent || !h.Proven() {
		t.Errorf("absent: %v", h)
	}
	if _, h := Read(dir); h.Class != Unreadable || h.Proven() || strings.Contains(h.String(), dir) {
		t.Errorf("folder: %v", h)
	}
	path := filepath.Join(dir, "closed")
	if err := os.WriteFile(path, nil, 0); err != nil {
		t.Fatal(err)
	}
	if os.Getuid() != 0 {
		if _, h := Read(path); h.Class != Unreadable {
			t.Errorf("no permission: %v", h)
		}
	}
}

func TestAppendHealsATornTail(t *testing.T) {
	path := filepath.Join(t.TempDir(), "b", "events.jsonl")
	if err := Append(path); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("an empty batch made a file")
	}
	if err := Append(path, map[string]int{"a": 1}); err != nil {
		t.Fatal(err)
	}
	f, _ := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	fmt.Fprint(f, `{"torn":`)
	f.Close()
	if err := Append(path, map[string]int{"a": 2}, []byte(`{"a":3}`)); err != nil {
		t.Fatal(err)
	}
	raw, _ := os.ReadFile(path)
	if want := "{\"a\":1}\n{\"torn\":\n{\"a\":2}\n{\"a\":3}\n"; string(raw) != want {
		t.Errorf("file is %q", raw)
	}
	if st, _ := os.Stat(path); st.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", st.Mode())
	}
}

func TestAppendRefusesWhatIsNoRow(t *testing.T) {
	path := filepath.Join(t.TempDir(), "l.jsonl")
	for _, bad := range []any{[]byte("{\n}"), []byte("7"), []byte(`{"a"`), 7, make(chan int)} {
		if err := Append(path, map[string]int{"a": 1}, bad); err == nil {
			t.Errorf("%v was appended", bad)
		}
	}
	if _, h := Read(path); h.Class != Absent {
		t.Error("a refused batch left bytes behind")
	}
}

func TestAppendersDoNotTearEachOther(t *testing.T) {
	path := filepath.Join(t.TempDir(), "l.jsonl")
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j := range 10 {
				if err := Append(path, map[string]any{"n": i*10 + j, "pad": strings.Repeat("x", 3000)}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	rows, h := Read(path)
	seen := map[int64]bool{}
	for _, r := range rows {
		seen[r.Get("n").Int()] = true
	}
	if len(seen) != 80 || h.Class != OK {
		t.Errorf("%d rows, %v", len(seen), h)
	}
}

func TestRewriteKeepsWhatItCannotRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "l.jsonl")
	text := "{\"a\": 1}\n{\"torn\n\xff\xfe\n\n{\"a\":2}\n<<<<\n{\"a\":3}\n{\"tail\""
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	fn := func(drop int64) func([]byte, gjson.Result) []byte {
		return func(line []byte, row gjson.Result) []byte {
			switch row.Get("a").Int() {
			case drop:
				return nil
			case drop + 1:
				return []byte(`{"a":"new"}`)
			}
			return line
		}
	}
	before, _ := os.Stat(path)
	if n, err := Rewrite(path, fn(70)); n != 0 || err != nil {
		t.Fatal(n, err)
	}
	if after, _ := os.Stat(path); !os.SameFile(before, after) {
		t.Error("nothing to change, yet the file was replaced")
	}
	if n, err := Rewrite(path, fn(2)); n != 2 || err != nil {
		t.Fatal(n, err)
	}
	raw, _ := os.ReadFile(path)
	if want := "{\"a\": 1}\n{\"torn\n\xff\xfe\n\n<<<<\n{\"a\":\"new\"}\n{\"tail\""; string(raw) != want {
		t.Errorf("file is %q", raw)
	}
	if n, err := Rewrite(filepath.Join(t.TempDir(), "none"), fn(1)); n != 0 || err != nil {
		t.Error(n, err)
	}
}

// What is appended is read back whole, whatever torn lines stand between.
func TestRoundTrip(t *testing.T) {
	dir := t.TempDir()
	text := rapid.StringOfN(rapid.RuneFrom([]rune("ab\u2028\u2029\u0085\v\f\x1c\x1d\n\r\"\\{}é")), 0, 12, -1)
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		path := filepath.Join(dir, fmt.Sprint(n))
		var want []string
		for range rapid.IntRange(1, 5).Draw(t, "batches") {
			var rows []any
			for _, s := range rapid.SliceOfN(text, 1, 3).Draw(t, "rows") {
				rows = append(rows, map[string]string{"s": s})
				want = append(want, s)
			}
			if err := Append(path, rows...); err != nil {
				t.Fatal(err)
			}
			if rapid.Bool().Draw(t, "tear") {
				f, _ := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
				fmt.Fprint(f, `{"s":"half`)
				f.Close()
			}
		}
		rows, h := Read(path)
		var got []string
		for _, r := range rows {
			got = append(got, r.Get("s").Str)
		}
		if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) || !h.Proven() {
			t.Fatalf("wrote %q, read %q, %v", want, got, h)
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"{}\n", "{\"a\":1,\"a\":2}\n{", "\xff\n", "{\"a\":\"\u2028\"}\r\n", "[[[["} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		rows, h := Parse(raw)
		lines := 0
		for line := range bytes.Lines(raw) {
			if len(bytes.TrimSpace(line)) > 0 {
				lines++
			}
		}
		if len(rows)+h.Torn+h.Garbage != lines {
			t.Fatalf("%d rows, %d torn, %d garbage of %d lines", len(rows), h.Torn, h.Garbage, lines)
		}
		for _, r := range rows {
			if _, err := doc.Canonical([]byte(r.Raw)); err != nil {
				t.Fatalf("row %q: %v", r.Raw, err)
			}
		}
	})
}
