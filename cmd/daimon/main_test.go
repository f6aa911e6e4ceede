package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"daimon/lib/stage"
)

// on returns an Env whose PATH is one folder that holds the named programs.
func on(t *testing.T, programs ...string) (stage.Env, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "a [b] *c")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, p := range programs {
		if err := os.WriteFile(filepath.Join(dir, p), []byte("#!/bin/sh\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return stage.Env{Dir: t.TempDir(), Getenv: func(k string) string {
		return map[string]string{"PATH": "rel::" + dir}[k]
	}}, dir
}

func TestRun(t *testing.T) {
	env, dir := on(t, "daimon-brief", "daimon-mine", "daimon-Odd", "other")
	if err := os.WriteFile(filepath.Join(dir, "daimon-plain"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args   string
		code   int
		ran    string // program and arguments
		out    string
		stderr string
	}{
		{args: "brief --json a", ran: "daimon-brief --json a", code: 69, stderr: "daimon: start "},
		{args: "mine", ran: "daimon-mine", code: 69},
		{args: "help brief", ran: "daimon-brief --help", code: 69},
		{args: "", out: "Usage: daimon VERB"},
		{args: "help", out: "  mine        (found"},
		{args: "--help", out: "  brief       Print the briefing"},
		{args: "help help", out: "Usage: daimon VERB"},
		{args: "help version", out: "\"daimon version\" for the version"},
		{args: "version", out: "daimon " + stage.Version + "\n"},
		{args: "hlep", code: 2, stderr: "daimon: there is no verb \"hlep\"; did you mean \"help\"?\n"},
		{args: "--version", out: "daimon " + stage.Version + "\n"},
		{args: "breif", code: 2, stderr: "daimon: there is no verb \"breif\"; did you mean \"brief\"?\n"},
		{args: "zebra", code: 2, stderr: "daimon: there is no verb \"zebra\"; see daimon help\n"},
		{args: "verify", code: 2, stderr: "daimon: daimon-verify is not installed; scripts/build makes it\n"},
		{args: "../brief", code: 2, stderr: "daimon: there is no verb"},
		{args: "Odd", code: 2, stderr: "daimon: there is no verb"},
		{args: "plain", code: 2, stderr: "daimon: there is no verb"},
	} {
		var out, errs bytes.Buffer
		ran := ""
		code := run(env, &out, &errs, strings.Fields(c.args), func(path string, argv, _ []string) error {
			if filepath.Dir(path) != dir {
				t.Errorf("%s: ran %s", c.args, path)
			}
			ran = strings.Join(append([]string{filepath.Base(path)}, argv[1:]...), " ")
			return errors.New("not today")
		})
		if code != c.code || ran != c.ran || !strings.Contains(out.String(), c.out) || !strings.HasPrefix(errs.String(), c.stderr) {
			t.Errorf("daimon %s: code %d, ran %q\n%s%s", c.args, code, ran, &out, &errs)
		}
		for _, never := range []string{"Odd", "plain", "other"} {
			if strings.Contains(out.String(), never) {
				t.Errorf("daimon %s lists %s", c.args, never)
			}
		}
	}
}

func TestOrder(t *testing.T) {
	env, _ := on(t, "daimon-aaa", "daimon-index", "daimon-verify")
	var got []string
	for _, v := range listed(places(env)) {
		got = append(got, v.Name)
	}
	// Programs beside the test binary would be listed too; there are none.
	if want := []string{"verify", "index", "aaa"}; !slices.Equal(got, want) {
		t.Errorf("listed %v, want %v", got, want)
	}
}

func TestNearest(t *testing.T) {
	known := []string{"carry", "brief", "verify"}
	for word, want := range map[string]string{
		"breif": "brief", "verfy": "verify", "carrry": "carry", "bri": "brief", "xyz": "", "br": "",
	} {
		if got := nearest(word, known); got != want {
			t.Errorf("nearest(%q) = %q, want %q", word, got, want)
		}
	}
}
