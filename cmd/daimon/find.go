package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"daimon/lib/stage"
)

var name = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z][a-z0-9-]*$`) })

// folders are where programs are looked for, in order.
type folders []string

// places are the folder of this program, symlinks resolved, then PATH. A
// relative entry of PATH is taken from the working directory.
func places(env stage.Env) folders {
	var at folders
	if self, err := os.Executable(); err == nil {
		if real, err := filepath.EvalSymlinks(self); err == nil {
			self = real
		}
		at = append(at, filepath.Dir(self))
	}
	for _, dir := range filepath.SplitList(env.Getenv("PATH")) {
		if dir == "" {
			continue
		}
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(env.Dir, dir)
		}
		at = append(at, dir)
	}
	return at
}

// find is the program of a verb, or "".
func (at folders) find(verb string) string {
	if !name().MatchString(verb) {
		return ""
	}
	for _, dir := range at {
		if path := filepath.Join(dir, "daimon-"+verb); program(path) {
			return path
		}
	}
	return ""
}

func program(path string) bool {
	st, err := os.Stat(path)
	return err == nil && st.Mode().IsRegular() && st.Mode()&0o111 != 0
}

// listed are the verbs that can be run: ours in their order, then what else
// there is by name.
func listed(at folders) []stage.Verb {
	var verbs []stage.Verb
	known := map[string]bool{}
	for _, v := range stage.Verbs {
		known[v.Name] = true
		if at.find(v.Name) != "" {
			verbs = append(verbs, v)
		}
	}
	var others []string
	for _, dir := range at {
		paths, _ := filepath.Glob(filepath.Join(escape(dir), "daimon-*"))
		for _, path := range paths {
			verb := strings.TrimPrefix(filepath.Base(path), "daimon-")
			if !known[verb] && name().MatchString(verb) && program(path) {
				known[verb] = true
				others = append(others, verb)
			}
		}
	}
	slices.Sort(others)
	for _, verb := range others {
		verbs = append(verbs, stage.Verb{Name: verb, Summary: "(found on this machine)"})
	}
	return verbs
}

// escape makes a folder's name match only itself in a glob.
func escape(dir string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(dir)
}

// nearest is the known word at most two edits away, the closest first, or "".
func nearest(word string, known []string) string {
	best, near := 3, ""
	for _, k := range known {
		if d := distance(word, k); d < best {
			best, near = d, k
		}
	}
	return near
}

// distance counts insertions, deletions, substitutions and swaps of neighbours.
func distance(a, b string) int {
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		d[i][0] = i
	}
	for j := range d[0] {
		d[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			d[i][j] = min(d[i-1][j]+1, d[i][j-1]+1, d[i-1][j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}
