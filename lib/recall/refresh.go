package recall

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"daimon/lib/doc"
	"daimon/lib/fault"
	"daimon/lib/store"
	"daimon/lib/view"
)

// Counts says what a refresh did, in items.
type Counts struct {
	Added   int  `json:"added"`
	Removed int  `json:"removed"`
	Total   int  `json:"total"`
	Rebuilt bool `json:"rebuilt"`
	// Replaced tells that a file stood there which could not be used.
	Replaced bool `json:"-"`
}

// Refresh brings the index up to date, reading only the files that changed
// since. An index that is missing, foreign, damaged or out of step with itself is
// built anew.
func (x *Index) Refresh(ctx context.Context) (Counts, error) {
	if x.blank() {
		return Counts{}, nil
	}
	unlock, err := x.lock()
	if err != nil {
		return Counts{}, err
	}
	defer unlock()
	db, err := x.current(ctx, "rw")
	if err == nil {
		var n Counts
		n, err = x.refresh(ctx, db)
		if cerr := db.Close(); err == nil {
			err = cerr
		}
		if err == nil {
			return n, nil
		}
	}
	if !errors.Is(err, errStale) && !foreign(err) {
		return Counts{}, wrap("refresh the index", err)
	}
	return x.rebuild(ctx)
}

// blank tells whether there is neither a store nor an index: looking for
// something must not make a data folder.
func (x *Index) blank() bool {
	_, store := os.Lstat(x.st.Checkpoints())
	_, index := os.Lstat(x.path)
	return errors.Is(store, fs.ErrNotExist) && errors.Is(index, fs.ErrNotExist)
}

// Rebuild makes the index from nothing and puts it in place of the old one,
// whose bytes go with its file.
func (x *Index) Rebuild(ctx context.Context) (Counts, error) {
	unlock, err := x.lock()
	if err != nil {
		return Counts{}, err
	}
	defer unlock()
	return x.rebuild(ctx)
}

func (x *Index) rebuild(ctx context.Context) (Counts, error) {
	const op = "rebuild the index"
	x.sweep()
	tmp := fmt.Sprintf("%s.%d.tmp", x.path, os.Getpid())
	f, err := os.OpenFile(tmp, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return Counts{}, fault.Wrap(fault.CannotCreate, op, tmp, err)
	}
	f.Close()
	defer os.Remove(tmp) // gone after the rename
	n, err := x.build(ctx, tmp)
	if err == nil {
		err = syncFile(tmp)
	}
	if err != nil {
		return Counts{}, wrap(op, err)
	}
	st, err := os.Lstat(x.path)
	n.Rebuilt, n.Replaced = true, err == nil
	if err == nil && st.IsDir() {
		return Counts{}, fault.New(fault.CannotCreate, op, "%s is a folder", Name)
	}
	if err := os.Rename(tmp, x.path); err != nil {
		return Counts{}, fault.Wrap(fault.CannotCreate, op, x.path, err)
	}
	return n, fault.Wrap(fault.IO, op, x.path, store.SyncDir(x.st.Home()))
}

func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	err = f.Sync()
	return errors.Join(err, f.Close())
}

// sweep removes what killed writers left: only the lock's holder makes these.
func (x *Index) sweep() {
	for _, pattern := range []string{".*.tmp", ".*.tmp-journal", "-journal", "-wal", "-shm"} {
		left, _ := filepath.Glob(strings.NewReplacer("[", `\[`, "*", `\*`, "?", `\?`).Replace(x.path) + pattern)
		for _, f := range left {
			os.Remove(f)
		}
	}
}

func (x *Index) build(ctx context.Context, path string) (Counts, error) {
	db, err := open(path, "rw", x.wait)
	if err != nil {
		return Counts{}, err
	}
	defer db.Close()
	if _, err := db.ExecContext(ctx, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA page_size = 8192; "+schema); err != nil {
		return Counts{}, err
	}
	if _, err := db.ExecContext(ctx, "INSERT INTO meta VALUES ('version', ?)", Version); err != nil {
		return Counts{}, err
	}
	n, err := x.refresh(ctx, db)
	if err == nil {
		err = db.Close()
	}
	return n, err
}

// stamp is what tells that a file is the one that was read.
type stamp struct{ mtime, size int64 }

func stampOf(path string) stamp {
	st, err := os.Stat(path)
	if err != nil {
		return stamp{-1, -1} // a file that is not there has a stamp, too
	}
	return stamp{st.ModTime().UnixNano(), st.Size()}
}

type known struct {
	id     int64
	slug   string
	sha256 string
	stamp
}

// job is one refresh: what is on disk against what was indexed.
type job struct {
	x       *Index
	tx      *tx
	known   map[string]known
	views   map[string]*view.View
	noted   map[string]bool // projects whose ledger has a row
	changed map[string]bool // projects in which other values are forgotten now
	n       Counts
}

func (x *Index) refresh(ctx context.Context, db *sql.DB) (Counts, error) {
	t, err := begin(ctx, db)
	if err != nil {
		return Counts{}, err
	}
	defer t.rollback()
	j := &job{x: x, tx: t, known: map[string]known{}, noted: map[string]bool{}, views: map[string]*view.View{}, changed: map[string]bool{}}
	if err := t.consistent(); err != nil {
		return Counts{}, err
	}
	for _, step := range []func() error{j.load, j.ledgers, j.files, j.count} {
		if err := step(); err != nil {
			return Counts{}, err
		}
	}
	return j.n, t.commit()
}

func (j *job) load() error {
	return j.tx.each("SELECT id, name, mtime_ns, size, sha256, project_slug FROM files", nil, func(scan func(...any) error) error {
		var k known
		var name string
		var slug sql.NullString
		err := scan(&k.id, &name, &k.mtime, &k.size, &k.sha256, &slug)
		k.slug = slug.String
		j.known[name] = k
		return err
	})
}

// ledgers finds the projects whose forgotten values are others than before; all
// their files are read again.
func (j *job) ledgers() error {
	type row struct {
		slug, digest string
		stamp
	}
	var rows []row
	err := j.tx.each("SELECT project_slug, mtime_ns, size, digest FROM ledgers", nil, func(scan func(...any) error) error {
		var r row
		err := scan(&r.slug, &r.mtime, &r.size, &r.digest)
		rows = append(rows, r)
		return err
	})
	if err != nil {
		return err
	}
	for _, r := range rows {
		j.noted[r.slug] = true
		now := stampOf(j.x.st.Ledger(r.slug, store.Events))
		if now == r.stamp && r.digest != "closed" {
			continue
		}
		j.changed[r.slug] = j.view(r.slug).Digest() != r.digest
		if err := j.tx.ledger(r.slug, now, j.view(r.slug).Digest()); err != nil {
			return err
		}
	}
	return nil
}

// view opens a project's view once.
func (j *job) view(slug string) *view.View {
	v := j.views[slug]
	if v == nil {
		v = view.Open(j.x.st, slug)
		j.views[slug] = v
	}
	return v
}

func (j *job) files() error {
	seen := map[string]bool{}
	for path, err := range j.x.st.Sessions() {
		if err != nil {
			return err
		}
		name := filepath.Base(path)
		seen[name] = true
		if err := j.file(name, path); err != nil {
			return err
		}
	}
	for name, k := range j.known {
		if !seen[name] {
			if err := j.remove(k); err != nil {
				return err
			}
		}
	}
	return nil
}

func (j *job) file(name, path string) error {
	k, indexed := j.known[name]
	now := stampOf(path)
	if indexed && now == k.stamp && !j.changed[k.slug] {
		return nil
	}
	raw, err := readFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // deleted meanwhile: the next refresh sees to it
	}
	sum := sha256.Sum256(raw)
	hash := hex.EncodeToString(sum[:])
	if indexed && hash == k.sha256 && !j.changed[k.slug] {
		return j.tx.exec("UPDATE files SET mtime_ns = ?, size = ? WHERE id = ?", now.mtime, now.size, k.id)
	}
	if indexed {
		if err := j.remove(k); err != nil {
			return err
		}
	}
	c, err := doc.ParseCheckpoint(raw)
	if err != nil {
		c = doc.NewCheckpoint() // torn or foreign: noted, so that it is not read each time
	}
	return j.add(name, now, hash, c)
}

// readFile gives no bytes for what is no regular file of a sane size.
func readFile(path string) ([]byte, error) {
	st, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() || st.Size() > store.MaxCheckpoint {
		return nil, nil
	}
	return os.ReadFile(path)
}

func (j *job) count() error {
	if err := j.tx.exec("DELETE FROM ledgers WHERE project_slug NOT IN (SELECT project_slug FROM files WHERE project_slug IS NOT NULL)"); err != nil {
		return err
	}
	return j.tx.one("SELECT count(*) FROM items", &j.n.Total)
}
