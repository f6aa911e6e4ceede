package recall

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
	"strings"

	"daimon/lib/doc"
	"daimon/lib/view"
)

// Row is one found item.
type Row struct {
	Kind         string  `json:"kind"`
	ItemID       string  `json:"item_id"`
	Text         string  `json:"text"`
	Quote        string  `json:"quote,omitempty"`
	Trust        string  `json:"trust"`
	Author       string  `json:"author,omitempty"`
	Session      string  `json:"session_id"`
	Created      string  `json:"created"`
	FirstSeen    string  `json:"first_seen,omitempty"`
	Importance   *int    `json:"importance,omitempty"`
	Pinned       bool    `json:"pinned,omitempty"`
	Frontier     bool    `json:"frontier"`         // stands in the project's newest checkpoint
	Status       string  `json:"status,omitempty"` // "", "resolved" or "superseded by …"
	SupersededBy string  `json:"superseded_by,omitempty"`
	Rank         float64 `json:"rank"` // smaller is better
	epoch        float64
}

// Found is the answer to a search.
type Found struct {
	Rows     []Row
	Withheld int    // matches that may not be shown
	Closed   string // why nothing may be shown, or ""
}

// Query is a question to the index. The project is the only scope there is; an
// empty one finds nothing.
type Query struct {
	Slug  string
	Words []string
	Limit int // rows, at least 1
}

// maxMatches bounds what one query ranks.
const maxMatches = 4096

// Search finds items that hold all the words, or, where there is none, any of
// them. It writes nothing. Live items come first, then by rank.
func (x *Index) Search(ctx context.Context, v *view.View, q Query) (Found, error) {
	found := Found{Closed: v.Closed()}
	terms := phrases(q.Words[:min(len(q.Words), maxWords)])
	if q.Slug == "" || len(terms) == 0 || found.Closed != "" || x.blank() {
		return found, nil
	}
	db, err := x.current(ctx, "ro")
	if err != nil {
		return found, wrap("search the index", err)
	}
	defer db.Close()
	rows, err := match(ctx, db, q.Slug, strings.Join(terms, " AND "), maxMatches)
	if err == nil && len(rows) == 0 && len(terms) > 1 {
		rows, err = match(ctx, db, q.Slug, strings.Join(terms, " OR "), maxMatches)
	}
	if err == nil {
		err = judge(ctx, db, v, q, rows, &found)
	}
	return found, wrap("search the index", err)
}

// The project stands inside the query: no row of another one is ever read.
const matchSQL = `
SELECT i.kind, i.item_id, i.text, i.quote, i.trust, f.author, f.session_id, f.created, i.first_seen, i.importance, i.pinned, f.epoch, bm25(items_fts) AS score
FROM items_fts JOIN items i ON i.id = items_fts.rowid JOIN files f ON f.id = i.file
WHERE items_fts MATCH ? AND i.project_slug = ?
ORDER BY score, i.id LIMIT ?`

func match(ctx context.Context, db *sql.DB, slug, query string, limit int) ([]Row, error) {
	rows, err := db.QueryContext(ctx, matchSQL, query, slug, limit)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []Row
	for rows.Next() {
		var r Row
		if err := rows.Scan(&r.Kind, &r.ItemID, &r.Text, &r.Quote, &r.Trust, &r.Author, &r.Session, &r.Created, &r.FirstSeen, &r.Importance, &r.Pinned, &r.epoch, &r.Rank); err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, rows.Err()
}

// judge passes matches through the view once more, since the ledger may have
// grown after they were indexed, until there are as many open items as asked for.
func judge(ctx context.Context, db *sql.DB, v *view.View, q Query, rows []Row, found *Found) error {
	newest, err := frontier(ctx, db, q.Slug)
	if err != nil {
		return err
	}
	for i := range rows {
		rows[i].Frontier = rows[i].Session == newest
	}
	slices.SortStableFunc(rows, better)
	limit := max(1, q.Limit)
	var closed []Row
	for _, r := range distinct(rows) {
		if len(found.Rows) == limit {
			break
		}
		if !admit(v, &r) {
			found.Withheld++
			continue
		}
		if err := past(ctx, db, q.Slug, &r); err != nil {
			return err
		}
		if r.Status != "" {
			closed = append(closed, r)
			continue
		}
		found.Rows = append(found.Rows, r)
	}
	found.Rows = append(found.Rows, closed[:min(len(closed), limit-len(found.Rows))]...)
	return nil
}

// admit says whether a row may be shown, and takes from it what may not.
func admit(v *view.View, r *Row) bool {
	seen, ok := v.ClassifyRow(r.ItemID, r.Text, r.Quote).(view.Visible)
	if !ok {
		return false
	}
	if r.Quote != seen.Entry.Quote() {
		r.Quote = ""
		if r.Trust == doc.Verbatim {
			r.Trust = doc.Inferred
		}
	}
	r.SupersededBy, r.Status = seen.SupersededBy, v.Status(r.ItemID)
	return true
}

func frontier(ctx context.Context, db *sql.DB, slug string) (string, error) {
	var session string
	err := db.QueryRowContext(ctx, "SELECT session_id FROM files WHERE project_slug = ? ORDER BY created <> '' DESC, epoch DESC, session_id DESC LIMIT 1", slug).Scan(&session)
	if err == sql.ErrNoRows {
		err = nil
	}
	return session, err
}

// past gives an item that a later one replaced its status.
func past(ctx context.Context, db *sql.DB, slug string, r *Row) error {
	if r.Status != "" {
		return nil
	}
	by, err := replacedIn(ctx, db, slug, *r)
	if by != "" {
		r.Status = "superseded by " + by
	}
	return err
}

// replacedIn is the session, other than the item's own, in which a link says that
// the item is superseded.
func replacedIn(ctx context.Context, db *sql.DB, slug string, r Row) (string, error) {
	if r.ItemID == "" {
		return "", nil
	}
	var session string
	err := db.QueryRowContext(ctx, `SELECT f.session_id FROM links l JOIN files f ON f.id = l.file
		WHERE l.target = ? AND f.project_slug = ? AND f.author = ? AND f.session_id <> ? ORDER BY f.epoch DESC, f.session_id LIMIT 1`,
		r.ItemID, slug, r.Author, r.Session).Scan(&session)
	if err == sql.ErrNoRows {
		err = nil
	}
	return session, err
}

func better(a, b Row) int {
	return cmp.Or(
		cmp.Compare(a.Rank, b.Rank),
		boolean(b.Frontier, a.Frontier), cmp.Compare(b.epoch, a.epoch), cmp.Compare(a.ItemID, b.ItemID))
}

// boolean orders false before true.
func boolean(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// distinct keeps one row of each claim, in the place of the best and with the
// content of the newest: a carried item stands in many checkpoints.
func distinct(rows []Row) []Row {
	at := map[[3]string]int{}
	var out []Row
	for _, r := range rows {
		key := [3]string{r.Kind, r.Author, view.Line(r.Text)}
		i, seen := at[key]
		switch {
		case !seen:
			at[key] = len(out)
			out = append(out, r)
		case r.epoch > out[i].epoch:
			r.Rank = out[i].Rank
			out[i] = r
		}
	}
	return out
}
