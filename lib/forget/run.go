package forget

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"daimon/lib/canon"
	"daimon/lib/fault"
	"daimon/lib/ledger"
	"daimon/lib/life"
	"daimon/lib/recall"
	"daimon/lib/scrub"
	"daimon/lib/stage"
	"daimon/lib/store"
)

// Step is what one step removed. Reached is judged on a fresh read afterwards.
type Step struct {
	Step    string   `json:"step"`
	Files   int      `json:"files"`            // changed or removed
	Items   int      `json:"items"`            // items, rows or values removed
	Reached bool     `json:"reached"`          //
	Missed  []string `json:"missed,omitempty"` // files that may still hold the value, below the data folder
}

// Report is the receipt of a run. It holds ids, keys and counts, never a value.
type Report struct {
	Format string   `json:"format"`
	DryRun bool     `json:"dry_run"`
	Again  bool     `json:"again"` // it was forgotten before
	IDs    []string `json:"ids"`
	Keys   []string `json:"keys"`
	Copies int      `json:"copies"` // items that hold the value, over all files
	Fields int      `json:"fields"` // items that quote it
	Steps  []Step   `json:"steps"`
	// ContainedIn lists items that stay and have the value as a part of a longer
	// text.
	ContainedIn []string `json:"contained_in"`
	// Contained lists items that went because they contained the value.
	Contained []string `json:"contained"`
	// SharedQuote lists items that stay and keep the quote of one that went.
	SharedQuote []string `json:"shared_quote"`
	Reached     bool     `json:"reached"`
}

// Format is the first field of a report.
const Format = "daimon.forgotten/1"

// Preview is the report of a run that was not made.
func Preview(st *store.Store, slug string, t *Target) (*Report, error) {
	r := report(t)
	r.DryRun, r.Reached = true, false
	files, err := documents(st, slug)
	r.ContainedIn = t.containers(files)
	return r, err
}

func report(t *Target) *Report {
	r := &Report{Format: Format, Again: t.again, IDs: append([]string{}, t.IDs()...), Keys: []string{},
		Copies: t.copies, Fields: t.fields, Steps: []Step{}, ContainedIn: []string{}, Reached: true,
		Contained: append([]string{}, t.taken...), SharedQuote: append([]string{}, t.shared...)}
	for key := range t.Keys {
		r.Keys = append(r.Keys, key)
	}
	slices.Sort(r.Keys)
	return r
}

// runner is one run, under the project's lock and that of the global pointers.
type runner struct {
	ctx  context.Context
	st   *store.Store
	slug string
	t    *Target
	by   life.By
	*Report
}

// Run forgets. reason is put on the tombstone. The error is about the tombstone
// alone; once that stands, every step is tried and reported.
func Run(ctx context.Context, st *store.Store, slug string, t *Target, by life.By, reason string) (*Report, error) {
	if t.reveals(reason) {
		return nil, fault.New(fault.Usage, "forget", "the reason holds the value itself")
	}
	unlock, err := st.LockBucket(slug, store.Wait)
	if err != nil {
		return nil, err
	}
	defer unlock()
	unlockAll, err := st.LockBucket("", store.Wait)
	if err != nil {
		return nil, err
	}
	defer unlockAll()
	r := &runner{ctx, st, slug, t, by, report(t)}
	if err := r.tombstone(reason); err != nil {
		return nil, err
	}
	for _, s := range []struct {
		name string
		do   func(*Step) error
	}{
		{"checkpoints", r.checkpoints}, {"ledgers", r.ledgers}, {"staging", r.staging}, {"spool", r.spool},
		{"cache", r.cache}, {"logs", r.logs}, {"index", r.index}, {"residue", r.residue},
	} {
		step := Step{Step: s.name, Reached: true}
		if err := s.do(&step); err != nil {
			step.miss(r.rel(pathOf(err)))
		}
		r.Reached = r.Reached && step.Reached
		r.Steps = append(r.Steps, step)
	}
	return r.Report, nil
}

func (s *Step) miss(path string) {
	s.Reached = false
	if !slices.Contains(s.Missed, path) {
		s.Missed = append(s.Missed, path)
	}
}

// pathOf is where an error arose; its message might hold the value.
func pathOf(err error) string {
	if e, ok := err.(*fault.Error); ok {
		return e.Path
	}
	return ""
}

func (r *runner) rel(path string) string {
	if rel, err := filepath.Rel(r.st.Home(), path); err == nil && filepath.IsAbs(path) {
		return rel
	}
	return path
}

// reveals tells whether a text contains a value, however spelled.
func (t *Target) reveals(s string) bool {
	s = canon.Text(s)
	return slices.ContainsFunc(t.canonical(), func(v string) bool { return strings.Contains(s, v) })
}

// canonical is the values in the form in which they are compared.
func (t *Target) canonical() []string {
	if t.folded == nil {
		for _, v := range t.values {
			t.folded = append(t.folded, canon.Text(v))
		}
	}
	return t.folded
}

func (r *runner) tombstone(reason string) error {
	var rows []any
	state, err := life.Read(r.st, r.slug)
	for _, key := range r.Keys {
		if err == nil && state.Forgotten()[key] && r.t.again {
			continue
		}
		rows = append(rows, life.Tombstones(r.by, key, r.t.Keys[key], reason)...)
	}
	if err := ledger.AppendHeld(r.st.Ledger(r.slug, store.Events), rows...); err != nil {
		return err
	}
	r.Steps = append(r.Steps, Step{Step: "tombstone", Files: min(1, len(rows)), Items: len(rows), Reached: true})
	return nil
}

// checkpoints rewrites each file in place: rotating would copy the old bytes on.
func (r *runner) checkpoints(s *Step) error {
	files, err := documents(r.st, r.slug)
	if err != nil {
		return err
	}
	for _, f := range files {
		if f.doc == nil {
			r.damaged(s, f)
			continue
		}
		n := scrub.Checkpoint(f.doc, r.t.forgotten, r.t.gone)
		if !n.Any() {
			continue
		}
		if err := store.WriteFile(f.path, f.doc.Indented()); err != nil {
			s.miss(r.rel(f.path))
			continue
		}
		s.Files++
		s.Items += n.Items + n.Fields
	}
	return nil
}

// damaged files cannot be scrubbed. A pointer is a copy and goes if it holds the
// value; a session file is reported.
func (r *runner) damaged(s *Step, f file) {
	switch held, err := r.t.heldBy(f.path); {
	case err == nil && !held:
	case f.own && err == nil && os.Remove(f.path) == nil:
		s.Files++
	default:
		s.miss(r.rel(f.path))
	}
}

// ledgers scrubs fields, never rows: what a row decides must go on holding.
func (r *runner) ledgers(s *Step) error {
	paths, err := filepath.Glob(filepath.Join(globQuote(r.st.Bucket(r.slug)), "*.jsonl"))
	if err != nil {
		return fault.Wrap(fault.IO, "list ledgers", r.st.Bucket(r.slug), err)
	}
	for _, path := range paths {
		if name := filepath.Base(path); name == store.Verification || name == store.ForgetHits {
			continue // codes and hashes
		}
		fields := 0
		_, err := ledger.RewriteHeld(path, func(line []byte, row gjson.Result) []byte {
			out, n := r.row(row)
			fields += n
			if n == 0 {
				return line
			}
			return out
		})
		if err != nil {
			s.miss(r.rel(path))
			continue
		}
		if fields > 0 {
			s.Files++
			s.Items += fields
		}
	}
	return nil
}

// classes are the status words that a fold reads, the longest first.
var classes = []string{"supersede-candidate", "resolving-candidate", "superseded-by:", "forgotten", "reopen"}

func (r *runner) row(row gjson.Result) ([]byte, int) {
	status := row.Get("status").Str
	return scrub.Row(row, r.t.forgotten, func(s string) string {
		mark := "[forgotten:" + canon.Key(s) + "]"
		if s != status {
			return mark
		}
		for _, c := range classes {
			if strings.HasPrefix(strings.ToLower(s), c) {
				return s[:len(c)] + " " + mark
			}
		}
		return mark
	})
}

// index builds the search index anew, if there is one.
func (r *runner) index(s *Step) error {
	left, _ := filepath.Glob(globQuote(filepath.Join(r.st.Home(), recall.Name)) + "*")
	if len(left) == 0 {
		return nil
	}
	if _, err := recall.Open(r.st).Rebuild(r.ctx); err != nil {
		s.miss(recall.Name)
		return nil
	}
	s.Files, s.Items = 1, r.t.copies
	return nil
}

// Summary is the report for a person, on one line.
func (r *Report) Summary() string {
	if r.DryRun {
		return fmt.Sprintf("would forget %s in %s, %s; within a longer text: %s", stage.Count(len(r.IDs), "item"),
			copies(r.Copies), stage.Count(r.Fields, "quote"), stage.Count(len(r.ContainedIn), "other item"))
	}
	var parts []string
	for _, s := range r.Steps {
		part := fmt.Sprintf("%s %d in %s", s.Step, s.Items, stage.Count(s.Files, "file"))
		switch {
		case !s.Reached:
			part += " (not reached)"
		case s.Files == 0:
			continue
		case s.Items == 0: // files that hold no items, such as logs
			part = s.Step + " " + stage.Count(s.Files, "file")
		}
		parts = append(parts, part)
	}
	if len(parts) == 0 {
		return "nothing was left to remove"
	}
	return "removed: " + strings.Join(parts, ", ")
}

func copies(n int) string {
	if n == 1 {
		return "1 copy"
	}
	return fmt.Sprintf("%d copies", n)
}

func globQuote(path string) string {
	return strings.NewReplacer(`\`, `\\`, "[", `\[`, "*", `\*`, "?", `\?`).Replace(path)
}
