package recall

import (
	"context"
	"database/sql"
	"strings"

	"daimon/lib/doc"
	"daimon/lib/score"
	"daimon/lib/store"
	"daimon/lib/view"
)

// tx is one write transaction with its prepared statements.
type tx struct {
	ctx  context.Context
	conn *sql.Conn
	stmt map[string]*sql.Stmt
	done bool
}

// begin takes the write lock at once, so that no half-read state is acted on.
func begin(ctx context.Context, db *sql.DB) (*tx, error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		conn.Close()
		return nil, err
	}
	return &tx{ctx: ctx, conn: conn, stmt: map[string]*sql.Stmt{}}, nil
}

func (t *tx) prepared(query string) (*sql.Stmt, error) {
	if s := t.stmt[query]; s != nil {
		return s, nil
	}
	s, err := t.conn.PrepareContext(t.ctx, query)
	t.stmt[query] = s
	return s, err
}

func (t *tx) exec(query string, args ...any) error {
	_, err := t.insert(query, args...)
	return err
}

func (t *tx) insert(query string, args ...any) (int64, error) {
	s, err := t.prepared(query)
	if err != nil {
		return 0, err
	}
	r, err := s.ExecContext(t.ctx, args...)
	if err != nil {
		return 0, err
	}
	return r.LastInsertId()
}

func (t *tx) one(query string, dest any, args ...any) error {
	return t.conn.QueryRowContext(t.ctx, query, args...).Scan(dest)
}

func (t *tx) each(query string, args []any, fn func(scan func(...any) error) error) error {
	rows, err := t.conn.QueryContext(t.ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := fn(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

func (t *tx) commit() error {
	err := t.exec("COMMIT")
	if err == nil {
		t.done = true
		t.close()
	}
	return err
}

func (t *tx) rollback() {
	if !t.done {
		_, _ = t.conn.ExecContext(context.WithoutCancel(t.ctx), "ROLLBACK") // the close would, too
		t.close()
	}
}

func (t *tx) close() {
	for _, s := range t.stmt {
		if s != nil {
			s.Close()
		}
	}
	t.conn.Close()
}

// consistent finds an index whose full-text part lost or kept rows that the items
// have not.
func (t *tx) consistent() error {
	var items, words int
	if err := t.one("SELECT count(*) FROM items", &items); err != nil {
		return err
	}
	if err := t.one("SELECT count(*) FROM items_fts_docsize", &words); err != nil {
		return err
	}
	if items != words {
		return errStale
	}
	return nil
}

func (t *tx) ledger(slug string, s stamp, digest string) error {
	return t.exec("INSERT OR REPLACE INTO ledgers VALUES (?, ?, ?, ?)", slug, s.mtime, s.size, digest)
}

const unindex = "INSERT INTO items_fts(items_fts, rowid, text, quote, scene) VALUES ('delete', ?, ?, ?, ?)"

// remove takes a file and all that came from it out of the index.
func (j *job) remove(k known) error {
	type row struct {
		id                 int64
		text, quote, scene string
	}
	var rows []row
	err := j.tx.each("SELECT id, text, quote, scene FROM items WHERE file = ?", []any{k.id}, func(scan func(...any) error) error {
		var r row
		err := scan(&r.id, &r.text, &r.quote, &r.scene)
		rows = append(rows, r)
		return err
	})
	if err != nil {
		return err
	}
	for _, r := range rows {
		if err := j.tx.exec(unindex, r.id, Spread(r.text), Spread(r.quote), Spread(r.scene)); err != nil {
			return err
		}
	}
	j.n.Removed += len(rows)
	for _, q := range []string{"DELETE FROM items WHERE file = ?", "DELETE FROM links WHERE file = ?", "DELETE FROM files WHERE id = ?"} {
		if err := j.tx.exec(q, k.id); err != nil {
			return err
		}
	}
	return nil
}

const (
	addFile = "INSERT INTO files (name, mtime_ns, size, sha256, session_id, author, project_slug, created, epoch) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
	addItem = "INSERT INTO items (file, ord, project_slug, kind, text, quote, scene, trust, item_id, importance, first_seen, pinned) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
	addFTS  = "INSERT INTO items_fts(rowid, text, quote, scene) VALUES (?, ?, ?, ?)"
	addLink = "INSERT INTO links VALUES (?, ?)"
)

// add indexes a checkpoint. One without a project is noted, and found by nobody.
func (j *job) add(name string, s stamp, hash string, c *doc.Checkpoint) error {
	slug := store.Slug(c.Str("project_slug"))
	epoch := float64(s.mtime) / 1e9
	if at, ok := score.ParseStamp(c.Str("created")); ok {
		epoch = float64(at.Unix())
	}
	file, err := j.tx.insert(addFile, name, s.mtime, s.size, hash, c.Str("session_id"), c.Str("author"), null(slug), c.Str("created"), epoch)
	if err != nil || slug == "" {
		return err
	}
	if !j.noted[slug] {
		j.noted[slug] = true
		at := stampOf(j.x.st.Ledger(slug, store.Events)) // before the read: a row that comes between costs one more read
		if err := j.tx.ledger(slug, at, j.view(slug).Digest()); err != nil {
			return err
		}
	}
	ord := 0
	c.Walk(func(l doc.List, e *doc.Entry) bool {
		ord++
		if err == nil {
			err = j.item(file, ord, slug, l, e)
		}
		return true
	})
	return err
}

func (j *job) item(file int64, ord int, slug string, l doc.List, e *doc.Entry) error {
	seen, ok := j.view(slug).ClassifyPast(l, e).(view.Visible)
	if !ok || strings.TrimSpace(seen.Entry.Text()) == "" {
		return nil
	}
	e = seen.Entry
	text, quote, scene := strings.TrimSpace(e.Text()), strings.TrimSpace(e.Quote()), strings.TrimSpace(e.Str("scene"))
	var importance any
	if e.Has("importance") {
		importance = e.Importance()
	}
	row, err := j.tx.insert(addItem, file, ord, slug, l.Kind, text, quote, scene, e.Trust(), e.ID(), importance, e.Str("first_seen"), e.True("pinned"))
	if err != nil {
		return err
	}
	j.n.Added++
	if err := j.tx.exec(addFTS, row, Spread(text), Spread(quote), Spread(scene)); err != nil {
		return err
	}
	for _, link := range e.Links() { // an unproven claim replaces nothing
		if link.Type == "supersedes" && e.Trust() == doc.Verbatim && e.True("quote_verified") {
			if err := j.tx.exec(addLink, file, link.Target); err != nil {
				return err
			}
		}
	}
	return nil
}

func null(s string) any {
	if s == "" {
		return nil
	}
	return s
}
