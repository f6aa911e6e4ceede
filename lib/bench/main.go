// Bench measures the hooks and the stages as whole processes and prints the
// median and the 95th percentile of each beside its budget.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

func main() {
	bin := flag.String("bin", "bin", "folder of the programs")
	runs := flag.Int("n", 21, "runs of each")
	flag.Parse()
	if err := bench(*bin, *runs); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func bench(bin string, runs int) error {
	bin, err := filepath.Abs(bin)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "daimon-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	m, err := prepare(dir, bin)
	if err != nil {
		return err
	}
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "what\tmedian ms\tp95 ms\tbudget ms\t\t")
	for _, c := range cases() {
		took, err := m.measure(c, runs)
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		median, p95 := quantile(took, 0.5), quantile(took, 0.95)
		note := ""
		if median > c.budget {
			note = "OVER"
		}
		fmt.Fprintf(out, "%s\t%.1f\t%.1f\t%.0f\t%s\t\n", c.name, ms(median), ms(p95), ms(c.budget), note)
	}
	return out.Flush()
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// quantile is the smallest value that a share q of all values do not exceed.
func quantile(all []time.Duration, q float64) time.Duration {
	sorted := slices.Clone(all)
	slices.Sort(sorted)
	i := int(q*float64(len(sorted))+0.999999) - 1
	return sorted[min(max(i, 0), len(sorted)-1)]
}

// example is something to measure: a sh script in the bench folder, run with
// stdin read from a file there. before runs ahead of each run, untimed.
type example struct {
	name   string
	budget time.Duration
	script string
	stdin  string
	before func(*machine) error
}

func cases() []example {
	const t = 10 * time.Millisecond
	stage := func(verb, args, stdin string) example {
		return example{name: "daimon-" + verb + ", small input", budget: t, script: "daimon-" + verb + " " + args, stdin: stdin}
	}
	pipe := strings.Join([]string{
		"daimon-normalize >big.t", "daimon-extract <big.t | daimon-verify -t big.t | daimon-ground -t big.t | daimon-carry | daimon-admit -t big.t",
	}, " && ")
	return []example{
		{name: "hooks/session-start, 1,000 checkpoints", budget: 15 * time.Millisecond, script: "hooks/session-start", stdin: "payload"},
		{name: "hooks/user-prompt-submit, 12,000 items", budget: 20 * time.Millisecond, script: "hooks/user-prompt-submit", stdin: "payload"},
		{name: "the same, first prompt after a write", budget: 20 * time.Millisecond, script: "hooks/user-prompt-submit", stdin: "payload", before: (*machine).written},
		{name: "hooks/session-end until it returns", budget: 15 * time.Millisecond, script: "hooks/session-end", stdin: "payload", before: (*machine).settled},
		{name: "daimon-brief, 1,000 checkpoints", budget: t, script: "daimon-brief", stdin: "/dev/null", before: (*machine).settled},
		stage("normalize", "", "small.jsonl"),
		stage("extract", "", "small.t"),
		stage("verify", "-t small.t", "small.1"),
		stage("ground", "-t small.t", "small.2"),
		stage("carry", "", "small.3"),
		stage("admit", "-t small.t", "small.4"),
		{name: "daimon-index, one capture", budget: 20 * time.Millisecond, script: "daimon-index", stdin: "small.receipt"},
		{name: "daimon-index, rebuild of 12,000 items", budget: 400 * time.Millisecond, script: "daimon-index rebuild", stdin: "/dev/null"},
		{name: "six stages, 1 MB session", budget: 150 * time.Millisecond, script: pipe, stdin: "big.jsonl"},
		{name: "daimon-normalize, 100 MB session", budget: time.Second, script: "daimon-normalize", stdin: "huge.jsonl"},
	}
}
