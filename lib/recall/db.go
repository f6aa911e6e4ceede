// Package recall is the search index over a store's checkpoints: one disposable
// SQLite file, refreshed in proportion to what changed and equal, at any time, to
// one built from nothing.
//
// Nothing in it depends on more than one file: which item replaced which, and
// what a ledger says about it, is found when a question is asked.
package recall

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"modernc.org/sqlite" // registers the driver; also for its error type
	sqlite3 "modernc.org/sqlite/lib"

	"daimon/lib/fault"
	"daimon/lib/store"
)

// Version is the schema's; another one is rebuilt.
const Version = "daimon-1"

// Name is the index file in the data folder, LockName the lock of its writers.
const (
	Name     = "recall.db"
	LockName = "recall.lock"
)

const schema = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE files (
	id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, mtime_ns INTEGER NOT NULL, size INTEGER NOT NULL, sha256 TEXT NOT NULL,
	session_id TEXT NOT NULL, author TEXT NOT NULL, project_slug TEXT, created TEXT NOT NULL, epoch REAL NOT NULL);
CREATE INDEX files_by_project ON files (project_slug, epoch);
CREATE TABLE ledgers (project_slug TEXT PRIMARY KEY, mtime_ns INTEGER NOT NULL, size INTEGER NOT NULL, digest TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE items (
	id INTEGER PRIMARY KEY, file INTEGER NOT NULL, ord INTEGER NOT NULL, project_slug TEXT, kind TEXT NOT NULL,
	text TEXT NOT NULL, quote TEXT NOT NULL, scene TEXT NOT NULL, trust TEXT NOT NULL, item_id TEXT NOT NULL,
	importance INTEGER, first_seen TEXT NOT NULL, pinned INTEGER NOT NULL);
CREATE INDEX items_by_file ON items (file);
CREATE TABLE links (file INTEGER NOT NULL, target TEXT NOT NULL);
CREATE INDEX links_by_file ON links (file);
CREATE INDEX links_by_target ON links (target);
CREATE VIRTUAL TABLE items_fts USING fts5(text, quote, scene, content='', tokenize='unicode61 remove_diacritics 2');
INSERT INTO items_fts(items_fts, rank) VALUES ('secure-delete', 1);
`

// Index is the search index of a store.
type Index struct {
	st   *store.Store
	path string
	wait time.Duration
}

// Open names the index of a store; the file need not exist.
func Open(st *store.Store) *Index {
	return &Index{st: st, path: filepath.Join(st.Home(), Name), wait: store.Wait}
}

// WithWait sets how long to wait for other writers.
func (x *Index) WithWait(d time.Duration) *Index {
	y := *x
	y.wait = d
	return &y
}

// errStale is a database that must be built anew: none, a foreign or damaged
// one, one of another version.
var errStale = errors.New("no usable index")

func (x *Index) lock() (func(), error) {
	return store.Lock(filepath.Join(x.st.Home(), LockName), x.wait)
}

// open opens the database file. Writers keep no journal file around and
// overwrite what they delete.
func open(path, mode string, wait time.Duration) (*sql.DB, error) {
	q := url.Values{"mode": {mode}, "_pragma": {fmt.Sprintf("busy_timeout(%d)", wait.Milliseconds())}}
	if mode == "ro" {
		q.Add("_pragma", "query_only(1)")
	} else {
		q["_pragma"] = append(q["_pragma"], "secure_delete(1)", "journal_mode(DELETE)")
	}
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: path, RawQuery: q.Encode()}).String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	return db, nil
}

// current opens the index, or says errStale.
func (x *Index) current(ctx context.Context, mode string) (*sql.DB, error) {
	if st, err := os.Lstat(x.path); err != nil || !st.Mode().IsRegular() {
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			return nil, errStale
		}
		return nil, err
	}
	db, err := open(x.path, mode, x.wait)
	if err != nil {
		return nil, err
	}
	var version string
	err = db.QueryRowContext(ctx, "SELECT value FROM meta WHERE key = 'version'").Scan(&version)
	switch {
	case err == nil && version == Version:
		return db, nil
	case err == nil, foreign(err):
		err = errStale
	}
	db.Close()
	return nil, err
}

// foreign tells whether an error means that the file is no index of ours.
func foreign(err error) bool {
	switch code(err) {
	case sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_MISMATCH, sqlite3.SQLITE_SCHEMA:
		return true
	}
	return errors.Is(err, sql.ErrNoRows)
}

func code(err error) int {
	var e *sqlite.Error
	if errors.As(err, &e) {
		return e.Code() & 0xFF
	}
	return -1
}

// wrap gives a database error its kind.
func wrap(op string, err error) error {
	var known *fault.Error
	switch {
	case err == nil, errors.As(err, &known):
		return err
	case code(err) == sqlite3.SQLITE_BUSY, code(err) == sqlite3.SQLITE_LOCKED:
		return (&fault.Error{Op: op, Kind: fault.TryLater, Path: Name, Err: errors.New("held by another process")}).WithHint("try again later")
	case errors.Is(err, errStale):
		return (&fault.Error{Op: op, Kind: fault.IO, Path: Name, Err: err}).WithHint("run daimon-index rebuild")
	case strings.Contains(err.Error(), "no such module: fts5"):
		return fault.New(fault.Unavailable, op, "this SQLite has no FTS5")
	case code(err) == sqlite3.SQLITE_CANTOPEN, code(err) == sqlite3.SQLITE_READONLY, code(err) == sqlite3.SQLITE_FULL:
		return &fault.Error{Op: op, Kind: fault.CannotCreate, Path: Name, Err: err}
	}
	return fault.Wrap(fault.IO, op, Name, err)
}
