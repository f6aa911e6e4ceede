package recall

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"

	"daimon/lib/canon"
	"daimon/lib/doc"
	"daimon/lib/own"
	"daimon/lib/salient"
	"daimon/lib/score"
	"daimon/lib/view"
)

const (
	// MaxSuggestions is how many lines a prompt gets at most.
	MaxSuggestions = 2

	candidates  = 256 // rows looked at
	finalists   = 32  // of them, asked whether they still hold
	minCoverage = 2   // terms of the prompt that a session's items must hold
	oldHits     = 3   // and that an old item must hold by itself
	oldAfter    = 7 * 24 * time.Hour
	pastFactor  = 0.7
	shownRunes  = 160
)

// Ask is a prompt for which prior work is looked up.
type Ask struct {
	Slug    string
	Prompt  string
	Session string          // the asking session: never suggested to itself
	Briefed *doc.Checkpoint // its items are known already; may be nil
	Now     time.Time
}

// Suggest finds items of other sessions that bear on a prompt: at most
// MaxSuggestions, from different sessions, or none.
func (x *Index) Suggest(ctx context.Context, v *view.View, a Ask) ([]Row, error) {
	terms := salient.Terms(a.Prompt)
	if a.Slug == "" || len(terms) == 0 || !Typed(a.Prompt) || v.Closed() != "" || x.blank() {
		return nil, nil
	}
	db, err := x.current(ctx, "ro")
	if err != nil {
		return nil, wrap("search the index", err)
	}
	defer db.Close()
	found, err := present(ctx, db, phrases(forms(terms)))
	var rows []Row
	if err == nil && len(found) > 0 {
		rows, err = match(ctx, db, a.Slug, strings.Join(found, " OR "), candidates)
	}
	if err == nil {
		rows, err = a.pick(ctx, db, v, terms, rows)
	}
	return rows, wrap("search the index", err)
}

// forms adds the inflected forms, which the index does not know of.
func forms(terms []string) []string {
	out := slices.Clone(terms)
	for _, t := range terms { // what bounds a query cuts these first
		if !strings.ContainsFunc(t, isJoined) {
			out = append(out, variants(t)[1:]...)
		}
	}
	return out[:min(len(out), maxForms)]
}

// present leaves out what the index does not know: most inflected forms are no
// words, and ranking goes through every phrase for every row.
func present(ctx context.Context, db *sql.DB, phrases []string) ([]string, error) {
	stmt, err := db.PrepareContext(ctx, "SELECT 1 FROM items_fts WHERE items_fts MATCH ? LIMIT 1")
	if err != nil {
		return nil, err
	}
	defer stmt.Close()
	var out []string
	for _, p := range phrases {
		var one int
		switch err := stmt.QueryRowContext(ctx, p).Scan(&one); err {
		case nil:
			out = append(out, p)
		case sql.ErrNoRows:
		default:
			return nil, err
		}
	}
	return out, nil
}

type scored struct {
	Row
	hits  int
	score float64
}

func (a Ask) pick(ctx context.Context, db *sql.DB, v *view.View, terms []string, rows []Row) ([]Row, error) {
	known := a.known()
	covered := map[string]map[string]bool{}
	var found []scored
	for _, r := range rows {
		if known[r.Session] || known[r.ItemID] || known[r.Text] {
			continue
		}
		hits := credit(terms, r.Text+" "+r.Quote)
		if len(hits) == 0 {
			continue
		}
		if covered[r.Session] == nil {
			covered[r.Session] = map[string]bool{}
		}
		for _, h := range hits {
			covered[r.Session][h] = true
		}
		found = append(found, scored{r, len(hits), a.weigh(r)})
	}
	found = slices.DeleteFunc(found, func(s scored) bool { return len(covered[s.Session]) < minCoverage || a.tooOld(s) })
	slices.SortStableFunc(found, heavier)
	found = found[:min(len(found), finalists)]
	for i := 0; i < len(found); i++ {
		r := &found[i].Row
		if !admit(v, r) {
			found = slices.Delete(found, i, i+1)
			i--
			continue
		}
		if err := past(ctx, db, a.Slug, r); err != nil {
			return nil, err
		}
		if r.Status != "" {
			found[i].score *= pastFactor
		}
	}
	slices.SortStableFunc(found, heavier)
	return choose(found), nil
}

func heavier(x, y scored) int {
	return cmp.Or(cmp.Compare(y.score, x.score), cmp.Compare(y.hits, x.hits), cmp.Compare(x.ItemID, y.ItemID))
}

// known is the sessions, ids and texts that the asker has before it already.
func (a Ask) known() map[string]bool {
	out := map[string]bool{}
	if a.Session != "" {
		out[a.Session] = true
	}
	if a.Briefed == nil {
		return out
	}
	a.Briefed.Clone().Walk(func(_ doc.List, e *doc.Entry) bool {
		for _, s := range []string{e.ID(), strings.TrimSpace(e.Text())} {
			if s != "" {
				out[s] = true
			}
		}
		return true
	})
	if session := a.Briefed.Str("session_id"); session != "" {
		out[session] = true
	}
	return out
}

func (a Ask) weigh(r Row) float64 {
	e := doc.NewEntry(r.Text, r.Trust)
	e.Set("first_seen", r.FirstSeen)
	if r.Importance != nil {
		e.Set("importance", *r.Importance)
	}
	return max(0, -r.Rank) * score.Weight(r.Kind, e, a.Now)
}

// tooOld asks more of an item that was first seen over a week ago, unless the
// user made it a rule. An age that is not known never counts against it.
func (a Ask) tooOld(s scored) bool {
	at, ok := score.ParseStamp(s.FirstSeen)
	return ok && a.Now.Sub(at) > oldAfter && !s.Pinned && s.hits < oldHits
}

// choose takes one row of each session and each claim.
func choose(found []scored) []Row {
	var out []Row
	seen := map[string]bool{}
	for _, s := range found {
		session, claim := "session "+s.Session, "claim "+canon.Key(s.Text)
		if len(out) == MaxSuggestions || seen[session] || seen[claim] {
			continue
		}
		seen[session], seen[claim] = true, true
		out = append(out, s.Row)
	}
	return out
}

// Suggestion is a row as one line for a prompt.
func Suggestion(r Row, now time.Time) string {
	return fmt.Sprintf("%s %s", own.RecallHead, line(r, now, shownRunes))
}

// Line is a row as one line of a search result.
func Line(r Row, now time.Time) string { return "- " + line(r, now, 0) }

func line(r Row, now time.Time, limit int) string {
	text := view.Line(r.Text)
	if runes := []rune(text); limit > 0 && len(runes) > limit {
		text = string(runes[:limit-3]) + "..."
	}
	created := view.Age(r.Created, now)
	if created != "?" {
		created += " ago"
	}
	s := fmt.Sprintf(`[%s] %s "%s" (session %s, %s)`, r.Kind, view.Mark(r.Trust), text, view.Line(r.Session), created)
	if r.ItemID != "" {
		s += " [" + view.Line(r.ItemID) + "]"
	}
	switch {
	case r.Status != "":
		s += " (" + r.Status + ")"
	case r.SupersededBy != "":
		s += " (likely superseded by " + r.SupersededBy + ")"
	}
	return s
}
