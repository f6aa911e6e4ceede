package ledger

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/tidwall/gjson"

	"daimon/lib/doc"
	"daimon/lib/fault"
	"daimon/lib/store"
)

// Append adds rows, each a value that encodes as a JSON object or the bytes of
// one, in a single write under the lock of the ledger's folder, and syncs it. If
// the file ends in a torn line the batch starts on a new one.
func Append(path string, rows ...any) error {
	if len(rows) == 0 {
		return nil
	}
	unlock, err := store.Lock(filepath.Join(filepath.Dir(path), store.LockName), store.Wait)
	if err != nil {
		return err
	}
	defer unlock()
	return AppendHeld(path, rows...)
}

// AppendHeld is [Append] for a caller that holds the lock.
func AppendHeld(path string, rows ...any) error {
	const op = "append to ledger"
	batch, err := encode(rows)
	if err != nil || len(batch) == 0 {
		return fault.Wrap(fault.Internal, op, path, err)
	}
	if err := store.MkdirAll(filepath.Dir(path)); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return fault.Wrap(fault.CannotCreate, op, path, err)
	}
	size, err := f.Seek(0, io.SeekEnd)
	if err == nil {
		err = appendTo(f, size, batch)
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil && size == 0 {
		err = store.SyncDir(filepath.Dir(path))
	}
	return fault.Wrap(fault.IO, op, path, err)
}

func appendTo(f *os.File, size int64, batch []byte) error {
	if size > 0 {
		last := make([]byte, 1)
		if _, err := f.ReadAt(last, size-1); err != nil {
			return err
		}
		if last[0] != '\n' {
			batch = append([]byte{'\n'}, batch...)
		}
	}
	if _, err := f.Write(batch); err != nil {
		return err
	}
	return f.Sync()
}

func encode(rows []any) ([]byte, error) {
	var batch []byte
	for _, r := range rows {
		line, ok := r.([]byte)
		if !ok {
			var err error
			if line, err = doc.Marshal(r); err != nil {
				return nil, err
			}
		}
		if _, kind := parseLine(line); kind != good || bytes.IndexByte(line, '\n') >= 0 {
			return nil, fmt.Errorf("row is no JSON object on one line")
		}
		batch = append(append(batch, line...), '\n')
	}
	return batch, nil
}

// Rewrite passes every good row to fn under the lock, as its bytes on file and as
// parsed, and replaces the file with what fn returns: the same line, another
// one, or nil to drop it. A line that is no row is never shown and stays byte for
// byte. It returns how many rows were changed or dropped; for none the file is
// not touched.
func Rewrite(path string, fn func(line []byte, row gjson.Result) []byte) (int, error) {
	unlock, err := store.Lock(filepath.Join(filepath.Dir(path), store.LockName), store.Wait)
	if err != nil {
		return 0, err
	}
	defer unlock()
	return RewriteHeld(path, fn)
}

// RewriteHeld is [Rewrite] for a caller that holds the lock.
func RewriteHeld(path string, fn func(line []byte, row gjson.Result) []byte) (int, error) {
	raw, h := load(path)
	switch h.Class {
	case Absent:
		return 0, nil
	case Transient, Unreadable:
		return 0, h.Unproven(path)
	}
	var out []byte
	changed := 0
	for line := range bytes.Lines(raw) {
		body, ended := bytes.CutSuffix(line, []byte("\n"))
		row, kind := parseLine(body)
		if kind != good {
			out = append(out, line...)
			continue
		}
		now := fn(body, row)
		if !bytes.Equal(now, body) {
			changed++
		}
		if now == nil {
			continue
		}
		if out = append(out, now...); ended {
			out = append(out, '\n')
		}
	}
	if changed == 0 {
		return 0, nil
	}
	return changed, store.WriteFile(path, out)
}
