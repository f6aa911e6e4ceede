package doc

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"
)

// set is the JSON object raw with a value at a dotted path.
func set(raw, path, val string) string {
	if !named(path) {
		return setAny(raw, path, val)
	}
	switch old := gjson.Get(raw, path); {
	case old.Index > 0 && old.Raw == val:
		return raw
	case old.Index > 0:
		return raw[:old.Index] + val + raw[old.Index+len(old.Raw):]
	case strings.Contains(path, ".") || len(raw) < len("{}"):
		return setAny(raw, path, val)
	case raw == "{}":
		return `{"` + path + `":` + val + "}"
	}
	return raw[:len(raw)-1] + `,"` + path + `":` + val + "}"
}

func setAny(raw, path, val string) string {
	out, err := sjson.SetRaw(raw, path, val)
	if err != nil {
		panic(fmt.Sprintf("doc: set %s: %v", path, err))
	}
	return out
}

// named tells paths made of letters and underscores only, in which no part can
// be an index or an operator.
func named(path string) bool {
	for part := range strings.SplitSeq(path, ".") {
		if part == "" || strings.Trim(part, "_abcdefghijklmnopqrstuvwxyz") != "" {
			return false
		}
	}
	return true
}

func encoded(path string, v any) string {
	if s, ok := v.(string); ok && utf8.ValidString(s) {
		return string(AppendString(nil, s))
	}
	val, err := Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("doc: set %s: %v", path, err))
	}
	return string(val)
}
