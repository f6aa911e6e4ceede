// Package receipt is what admission says it did: names, counts and codes, never
// the text of an item.
package receipt

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"daimon/lib/doc"
)

// Format is the first field of every receipt.
const Format = "daimon.receipt/1"

// Reasons why nothing was written.
const (
	SkippedDisabled = "disabled" // the kill switch is set
	SkippedEmpty    = "empty"    // no item, no topic, and no user in the transcript
)

// Receipt is the document admit prints and index passes on. Checkpoint is where
// the file is, relative to the data folder; a reader finds the file by
// SessionID instead, since a document may not name a file to open.
type Receipt struct {
	Format      string         `json:"format"`
	SessionID   string         `json:"session_id"`
	ProjectSlug string         `json:"project_slug"`
	Checkpoint  string         `json:"checkpoint,omitempty"`
	SHA256      string         `json:"sha256,omitempty"` // of the checkpoint file, hex
	Skipped     string         `json:"skipped,omitempty"`
	Items       int            `json:"items"`   // in the lists; the topic is none
	Carried     int            `json:"carried"` // of those, from the stored latest
	Downgraded  []Downgrade    `json:"downgraded"`
	Dropped     []Drop         `json:"dropped"`
	Redactions  map[string]int `json:"redactions"` // secrets masked, by kind
	Pointers    Pointers       `json:"pointers"`
	Index       *Index         `json:"index,omitempty"`
}

// Downgrade is one judgement against an item.
type Downgrade struct {
	ID     string `json:"id"`     // of the item; empty for the topic or the document
	Check  string `json:"check"`  // quote, outcome or claim
	Reason string `json:"reason"` // a code
}

// Drop is one value that was not stored.
type Drop struct {
	Key    string `json:"key"`    // content key
	Reason string `json:"reason"` // a code
}

// Pointers tells which pointers name the session now.
type Pointers struct {
	Project bool `json:"project"`
	Global  bool `json:"global"`
}

// Index is what index adds.
type Index struct {
	Added   int  `json:"added"`
	Removed int  `json:"removed"`
	Total   int  `json:"total"`
	Rebuilt bool `json:"rebuilt"`
}

// Decode reads a receipt.
func Decode(b []byte) (*Receipt, error) {
	var r Receipt
	if err := json.Unmarshal(b, &r); err != nil {
		return nil, fmt.Errorf("not a receipt: %w", err)
	}
	if r.Format != Format {
		return nil, fmt.Errorf("not a receipt: no format %s", Format)
	}
	return &r, nil
}

// Encode is the receipt on one line, lists never null.
func (r *Receipt) Encode() []byte {
	c := *r
	c.Format = Format
	if c.Downgraded == nil {
		c.Downgraded = []Downgrade{}
	}
	if c.Dropped == nil {
		c.Dropped = []Drop{}
	}
	if c.Redactions == nil {
		c.Redactions = map[string]int{}
	}
	b, err := doc.Marshal(c)
	if err != nil {
		panic(err) // strings, numbers and booleans always encode
	}
	return b
}

// Summary is the receipt for a person, on one line.
func (r *Receipt) Summary() string {
	if r.Skipped != "" {
		return "nothing written: " + r.Skipped
	}
	s := fmt.Sprintf("%s written, %d of them carried", count(r.Items, "item"), r.Carried)
	reasons := map[string]int{}
	for _, d := range r.Downgraded {
		reasons[d.Reason]++
	}
	if len(reasons) > 0 {
		s += "; judged against: " + tally(reasons)
	}
	if len(r.Dropped) > 0 {
		s += fmt.Sprintf("; %s kept out", count(len(r.Dropped), "forgotten value"))
	}
	if len(r.Redactions) > 0 {
		s += "; masked " + tally(r.Redactions)
	}
	if !r.Pointers.Project {
		s += "; a newer session stays the latest"
	}
	return s
}

func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

func tally(counts map[string]int) string {
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%s %d", k, counts[k]))
	}
	return strings.Join(parts, ", ")
}
