package admit

import (
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"

	"daimon/lib/doc"
	"daimon/lib/fault"
	"daimon/lib/ledger"
	"daimon/lib/life"
	"daimon/lib/receipt"
	"daimon/lib/redact"
	"daimon/lib/store"
)

// Run admits a candidate into the store under the project's lock: it reads what
// is stored, recomputes, writes the checkpoint and then the ledgers. Events that
// cannot be proven refuse the whole run, before a byte is written. c must be
// valid. note takes what went wrong without stopping the run.
func Run(st *store.Store, c *doc.Checkpoint, t *doc.Transcript, o Options, note func(format string, args ...any)) (*receipt.Receipt, error) {
	out := &receipt.Receipt{SessionID: t.SessionID, ProjectSlug: o.Slug}
	switch {
	case t.SessionID == "":
		return nil, fault.New(fault.BadInput, "admit", "the transcript names no session")
	case nothing(c, t):
		out.Skipped = receipt.SkippedEmpty
		return out, nil
	}
	whole := func(c *doc.Checkpoint, err error) (*doc.Checkpoint, error) {
		if store.Torn(err) {
			note("%v: taken for none", err)
			return nil, nil
		}
		return c, err
	}
	unlock, err := st.LockBucket(o.Slug, store.Wait)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if o.Life, err = life.Read(st, o.Slug); err != nil {
		return nil, fault.Wrap(fault.TryLater, "admission refused", "", err)
	}
	prev, err := whole(st.Latest(o.Slug))
	if err == nil && prev != nil && prev.Str("session_id") == t.SessionID {
		o.Before, err = whole(st.Previous(o.Slug, t.SessionID))
	}
	if err != nil {
		return nil, err
	}
	res := Recompute(c, t, prev, o)
	w, err := st.WriteCheckpoint(res.Doc, o.Slug, store.Options{Rotate: true, Held: true, Now: o.Now, Root: o.Root})
	if err != nil {
		return nil, err
	}
	record(st, res, o, note)
	fill(out, st, res, w)
	return out, nil
}

// nothing tells whether there is neither content nor a person to speak of.
func nothing(c *doc.Checkpoint, t *doc.Transcript) bool {
	for _, l := range doc.Lists {
		if len(c.Items(l)) > 0 {
			return false
		}
	}
	if topic := c.Topic(); topic != nil && strings.TrimSpace(topic.Text()) != "" {
		return false
	}
	for _, m := range t.Messages {
		if m.Role == doc.User {
			return false
		}
	}
	return true
}

func fill(out *receipt.Receipt, st *store.Store, res *Result, w store.Written) {
	out.Checkpoint, _ = filepath.Rel(st.Home(), w.Path) // always below it
	out.SHA256 = w.SHA256
	out.Items, out.Carried = res.Items, res.Carried
	out.Downgraded, out.Dropped = res.Downgraded, res.Dropped
	out.Pointers = receipt.Pointers{Project: w.Project, Global: w.Global}
	out.Redactions = map[string]int{}
	res.Doc.Get("redactions").ForEach(func(k, n gjson.Result) bool {
		out.Redactions[k.Str] = int(n.Int())
		return true
	})
}

// rejection is one row of the rejection ledger: a pointer and a code.
type rejection struct {
	TS      string `json:"ts"`
	Check   string `json:"check"`
	ItemRef string `json:"item_ref"`
	Reason  string `json:"reason"`
	Channel string `json:"channel"`
	Author  string `json:"author"`
}

// hit counts one time a forgotten value was kept out.
type hit struct {
	TS  string `json:"ts"`
	Key string `json:"key"`
}

// record writes the ledgers. The checkpoint stands by now, so a ledger that
// cannot be written is noted and costs only its rows.
func record(st *store.Store, res *Result, o Options, note func(string, ...any)) {
	by := life.By{At: o.Now, Channel: "mechanical", Author: o.Author}
	stamp := life.Stamp(o.Now)
	var hits, events, rejections []any
	for _, d := range res.Dropped {
		if d.Reason == Forgotten {
			hits = append(hits, hit{stamp, d.Key})
		}
	}
	for _, s := range res.Supersedes {
		old, _ := redact.Text(s.OldText)
		events = append(events, life.Supersede(by, s.OldID, s.NewID, old))
	}
	path := st.Ledger(o.Slug, store.Verification)
	known := standing(path)
	for _, d := range res.Downgraded {
		if r := (rejection{stamp, d.Check, d.ID, d.Reason, by.Channel, by.Author}); !known[r.what()] {
			known[r.what()] = true
			rejections = append(rejections, r)
		}
	}
	add := func(path string, rows []any) {
		if _, h := ledger.Read(path); len(rows) > 0 && !h.Proven() {
			note("%s is %s: %d rows not written", filepath.Base(path), h, len(rows))
		} else if err := ledger.AppendHeld(path, rows...); err != nil {
			note("%v", err)
		}
	}
	add(st.Ledger(o.Slug, store.ForgetHits), hits)
	add(st.Ledger(o.Slug, store.Events), events)
	add(path, rejections)
}

func (r rejection) what() string { return r.Check + "\x00" + r.ItemRef + "\x00" + r.Reason }

// standing is what the ledger holds already: capturing a session again is no
// second rejection. Rows without an item speak of one capture each.
func standing(path string) map[string]bool {
	rows, _ := ledger.Read(path)
	known := map[string]bool{}
	for _, row := range rows {
		r := rejection{Check: row.Get("check").Str, ItemRef: row.Get("item_ref").Str, Reason: row.Get("reason").Str}
		if r.ItemRef != "" {
			known[r.what()] = true
		}
	}
	return known
}
