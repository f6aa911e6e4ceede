package redact

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Sessions in eight languages that talk much about tokens and keys, and hold none.
func TestNothingIsMaskedInCleanSessions(t *testing.T) {
	const root = "../../../shared/data"
	if _, err := os.Stat(root); err != nil {
		t.Skipf("no %s here", root)
	}
	texts := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.Contains(filepath.Ext(path), ".json") {
			return err
		}
		raw, err := os.ReadFile(path)
		dec := json.NewDecoder(strings.NewReader(string(raw)))
		for v := any(nil); err == nil && dec.Decode(&v) == nil; {
			each(v, func(s string) {
				texts++
				if out, counts := Text(s); counts != nil {
					t.Errorf("%s: %v in %q", path, counts, excerpt(out))
				}
			})
		}
		return err
	})
	if err != nil || texts < 1000 {
		t.Errorf("read %d texts: %v", texts, err)
	}
	t.Logf("%d texts", texts)
}

func excerpt(s string) string {
	i := strings.Index(s, mark)
	return s[max(0, i-80):min(len(s), i+80)]
}

func each(v any, fn func(string)) {
	switch v := v.(type) {
	case string:
		fn(v)
	case []any:
		for _, e := range v {
			each(e, fn)
		}
	case map[string]any:
		for _, e := range v {
			each(e, fn)
		}
	}
}
