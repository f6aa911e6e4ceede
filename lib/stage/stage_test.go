package stage

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"daimon/lib/fault"
)

type flags struct {
	Common
	Level int       `help:"A number."`
	Now   time.Time `help:"A time."`
}

var tool = Tool{Name: "daimon-verify", Doc: "Longer text.", Exits: []Exit{{fault.BadInput, "the candidate is bad"}, {fault.NotReached, "not there"}, {fault.Failed, "no"}}}

func do(stdin string, args []string, work func(*Proc) error) (code int, out, errs string) {
	var o, e bytes.Buffer
	env := Env{func(k string) string { return map[string]string{"HOME": "/h", "DAIMON_PROJECT_DIR": "/p/env"}[k] }, time.Now, "/w"}
	code = tool.Run(context.Background(), env, Streams{strings.NewReader(stdin), &o, &e}, args, &flags{}, work)
	return code, o.String(), e.String()
}

func TestHelpAndVersionNeedNothingElse(t *testing.T) {
	unreached := func(*Proc) error { t.Error("work was called"); return nil }
	code, out, _ := do("", []string{"--help"}, unreached)
	for _, want := range []string{"Judge a candidate's quotes", "Longer text.", "--home", "EXIT STATUS", "65  the candidate is bad"} {
		if !strings.Contains(out, want) {
			t.Errorf("--help lacks %q:\n%s", want, out)
		}
	}
	if want := "EXIT STATUS\n    0  done\n    1  no\n    2  wrong flags or arguments\n    4  not there\n   65  the candidate is bad\n"; !strings.HasSuffix(out, want) {
		t.Errorf("--help does not end in %q:\n%s", want, out)
	}
	if code != 0 {
		t.Errorf("--help exits %d", code)
	}
	if code, out, _ := do("", []string{"--version"}, unreached); code != 0 || out != "daimon-verify "+Version+"\n" {
		t.Errorf("--version: %d %q", code, out)
	}
}

func TestErrorsAreOneLineWithACode(t *testing.T) {
	for _, c := range []struct {
		name string
		args []string
		err  error
		code int
		want string
	}{
		{"unknown flag", []string{"--wrong"}, nil, 2, "daimon-verify: unknown flag --wrong; see daimon-verify --help\n"},
		{"bad value", []string{"--level=x"}, nil, 2, ""},
		{"bad time", []string{"--now=yesterday"}, nil, 2, "daimon-verify: --now: wants a time like 2026-11-27T08:00:00Z, not \"yesterday\"; see daimon-verify --help\n"},
		{"good time", []string{"--now=2026-11-27T08:00:00+01:00"}, nil, 0, ""},
		{"plain error", nil, errors.New("a\nb"), 1, "daimon-verify: a b\n"},
		{"kind", nil, fault.New(fault.TryLater, "lock", "held").WithHint("wait"), 75, "daimon-verify: lock: held; wait\n"},
		{"wrapped kind stays", nil, fault.Wrap(fault.IO, "write", "/x", fault.New(fault.NotPermitted, "sign", "no")), 77, ""},
		{"missing file", nil, fault.Wrap(fault.IO, "open", "/x", io.ErrUnexpectedEOF), 74, ""},
		{"fine", nil, nil, 0, ""},
	} {
		code, out, errs := do("", c.args, func(*Proc) error { return c.err })
		if code != c.code || out != "" || c.want != "" && errs != c.want || strings.Count(errs, "\n") > 1 {
			t.Errorf("%s: exit %d, stderr %q, stdout %q", c.name, code, errs, out)
		}
	}
	code, _, errs := do("", nil, func(*Proc) error { panic("boom\nstack") })
	if code != 70 || strings.Count(errs, "\n") != 1 || strings.Contains(errs, "goroutine") {
		t.Errorf("a panic ends in %d %q", code, errs)
	}
}

func TestEmptyStdinIsNoDocument(t *testing.T) {
	for in, want := range map[string]int{"": 65, " \n\t": 65, "[]": 65, "{": 65, "{}": 0} {
		code, out, errs := do(in, nil, func(p *Proc) error {
			_, err := p.Checkpoint()
			return err
		})
		if code != want || out != "" || (want != 0) != (errs != "") {
			t.Errorf("%q: exit %d, want %d; stderr %q", in, code, want, errs)
		}
	}
}

// A device that is no terminal, such as /dev/null, reads as empty.
func TestTerminal(t *testing.T) {
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Skip(err)
	}
	defer null.Close()
	var out, errs bytes.Buffer
	env := Env{func(string) string { return "/h" }, time.Now, "/w"}
	code := tool.Run(context.Background(), env, Streams{null, &out, &errs}, nil, &flags{}, func(p *Proc) error {
		if p.Terminal() {
			t.Error("/dev/null is taken for a terminal")
		}
		_, err := p.Checkpoint()
		return err
	})
	if code != 65 || !strings.Contains(errs.String(), "stdin is empty") {
		t.Errorf("exit %d, %s", code, errs.String())
	}
	pty, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip(err)
	}
	defer pty.Close()
	if p := (&Proc{Streams: Streams{In: pty}}); !p.Terminal() {
		t.Error("a terminal is not seen")
	}
}

func TestRelativeHomes(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		args []string
		home string // "" is refused
	}{
		{map[string]string{"HOME": "rel"}, nil, ""},
		{map[string]string{"HOME": "rel", "DAIMON_HOME": "d"}, nil, "/w/d"},
		{map[string]string{"HOME": "rel"}, []string{"--home=d"}, "/w/d"},
		{map[string]string{"HOME": "/h"}, nil, "/h/.daimon"},
	} {
		var out, errs bytes.Buffer
		home := ""
		env := Env{func(k string) string { return c.env[k] }, time.Now, "/w"}
		code := tool.Run(context.Background(), env, Streams{strings.NewReader(""), &out, &errs}, c.args, &flags{}, func(p *Proc) error {
			home = p.Home
			return nil
		})
		if home != c.home || (code == 66) != (c.home == "") {
			t.Errorf("%v %v: exit %d, home %q, %s", c.env, c.args, code, home, errs.String())
		}
	}
}

func TestOnlyAPureToolRunsWithoutADataFolder(t *testing.T) {
	bare := Env{func(string) string { return "" }, time.Now, "/w"}
	for _, pure := range []bool{true, false} {
		tool := tool
		tool.Pure = pure
		var out, errs bytes.Buffer
		code := tool.Run(context.Background(), bare, Streams{strings.NewReader(""), &out, &errs}, nil, &flags{}, func(p *Proc) error { return nil })
		if want := map[bool]int{true: 0, false: 66}[pure]; code != want {
			t.Errorf("pure %v: exit %d, want %d; %s", pure, code, want, errs.String())
		}
	}
}

func TestFoldersComeFromFlagsThenEnvironment(t *testing.T) {
	for _, c := range []struct {
		args          []string
		home, project string
	}{
		{nil, "/h/.daimon", "/p/env"},
		{[]string{"--home=/d/", "--project=/q/../r"}, "/d", "/r"},
		{[]string{"--home=d", "--project=sub"}, "/w/d", "/w/sub"},
	} {
		do("", c.args, func(p *Proc) error {
			if p.Home != c.home || p.ProjectDir() != c.project {
				t.Errorf("%v: %s %s", c.args, p.Home, p.ProjectDir())
			}
			return nil
		})
	}
}

func TestNow(t *testing.T) {
	var f flags
	env := Env{func(string) string { return "/h" }, time.Now, "/w"}
	var out, errs bytes.Buffer
	code := tool.Run(context.Background(), env, Streams{strings.NewReader(""), &out, &errs}, []string{"--now", "2026-11-27T08:00:00+01:00"}, &f, func(*Proc) error { return nil })
	if want := time.Date(2026, 11, 27, 7, 0, 0, 0, time.UTC); code != 0 || !f.Now.Equal(want) {
		t.Errorf("exit %d, %v, want %v; %s", code, f.Now, want, &errs)
	}
}

func TestHint(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{{nil, ""}, {[]string{"--summary"}, "daimon-verify: nothing here\n"}} {
		_, _, errs := do("", c.args, func(p *Proc) error { p.Hint("nothing %s", "here"); return nil })
		if errs != c.want {
			t.Errorf("%v: %q, want %q", c.args, errs, c.want)
		}
	}
	pty, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip(err)
	}
	defer pty.Close()
	if !terminal(pty) || terminal(&bytes.Buffer{}) {
		t.Error("a terminal is not told from a buffer")
	}
}

func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "0 items", 1: "1 item", 2: "2 items"} {
		if got := Count(n, "item"); got != want {
			t.Errorf("%d: %q", n, got)
		}
	}
}
