package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"daimon/lib/doc"
)

const row = `{"type":"user","uuid":"u1","sessionId":"s1","version":"2.1.0","message":{"role":"user","content":"use port 8081"}}` + "\n"

func call(t *testing.T, stdin io.Reader, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	t.Setenv("HOME", t.TempDir())
	var out, errs bytes.Buffer
	code = run(context.Background(), stdin, &out, &errs, args)
	return code, out.String(), errs.String()
}

func TestExits(t *testing.T) {
	dir := t.TempDir()
	file := func(name, body string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for name, c := range map[string]struct {
		stdin io.Reader
		args  []string
		code  int
		say   string
	}{
		"stdin":         {strings.NewReader(row), nil, 0, ""},
		"a file":        {strings.NewReader(""), []string{file("s.jsonl", row)}, 0, ""},
		"named host":    {strings.NewReader(row), []string{"--host", "claude-code"}, 0, ""},
		"unknown host":  {strings.NewReader(row), []string{"--host", "emacs"}, 2, "claude-code"},
		"empty stdin":   {strings.NewReader(""), nil, 65, "empty"},
		"empty file":    {strings.NewReader(""), []string{file("e.jsonl", "")}, 66, "empty"},
		"no such file":  {strings.NewReader(""), []string{filepath.Join(dir, "gone")}, 66, "gone"},
		"a folder":      {strings.NewReader(""), []string{dir}, 74, "directory"},
		"no session":    {strings.NewReader(`{"type":"session_meta"}`), nil, 65, "seen session_meta; name it with --host"},
		"no turns":      {strings.NewReader(`{"type":"custom-title","customTitle":"x"}`), nil, 65, "no turns in a claude-code session (version unknown): 1 rows in 41 bytes"},
		"reading fails": {iotest.ErrReader(errors.New("gone bad")), nil, 74, "gone bad"},
	} {
		t.Run(name, func(t *testing.T) {
			code, out, errs := call(t, c.stdin, c.args...)
			if code != c.code || !strings.Contains(errs, c.say) || strings.Count(errs, "\n") > 1 {
				t.Errorf("exit %d, stderr %q", code, errs)
			}
			if (out == "") == (code == 0) {
				t.Errorf("exit %d with stdout %q", code, out)
			}
		})
	}
}

func TestTranscript(t *testing.T) {
	in := row + strings.Repeat("broken\n", 25) +
		`{"type":"user","uuid":"u2","message":{"content":"the key is AKIA` + `ZZZZZZZZZZZZZZZZ, keep it"}}` + "\n"
	code, out, errs := call(t, strings.NewReader(in), "--summary")
	if code != 0 {
		t.Fatal(errs)
	}
	tr, err := doc.LoadTranscript(strings.NewReader(out), "out")
	if err != nil || len(tr.Messages) != 2 || tr.SessionID != "s1" || tr.Rows != 27 || tr.Excluded["not-json"] != 25 {
		t.Errorf("%v %+v", err, tr)
	}
	if strings.Contains(out, "AKIAZ") || !strings.Contains(out, "keep it") || len(tr.Redacted) == 0 {
		t.Errorf("secret: %s", out)
	}
	lines := strings.Split(strings.TrimSpace(errs), "\n")
	if len(lines) != 22 || lines[0] != "daimon-normalize: stdin:2: not JSON" || !strings.HasSuffix(lines[20], "5 more bad lines") || !strings.Contains(lines[21], "2 messages of 27 rows") {
		t.Errorf("stderr:\n%s", errs)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space") }

func TestWritingFails(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	var errs bytes.Buffer
	if code := run(context.Background(), strings.NewReader(row), full{}, &errs, nil); code != 74 {
		t.Errorf("exit %d, %s", code, &errs)
	}
}
