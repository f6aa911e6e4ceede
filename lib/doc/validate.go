package doc

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tidwall/gjson"
)

// Rejection is one place where a document breaks the contract. It names the
// field and the reason, never any content.
type Rejection struct {
	Field  string // dotted path with the row: working_context.open_questions[3].trust
	Reason string
}

func (r Rejection) String() string { return r.Field + ": " + r.Reason }

// Validate checks a candidate against the table and returns every rejection in
// table order. It repairs nothing; a document without rejections may still hold
// values that [Normalise] changes.
func Validate(c *Checkpoint) []Rejection {
	var v validator
	v.object(CheckpointFields, gjson.Parse(c.raw), "")
	return v.found
}

type validator struct{ found []Rejection }

func (v *validator) reject(path, reason string) {
	v.found = append(v.found, Rejection{path, reason})
}

func (v *validator) object(fields []Field, obj gjson.Result, path string) {
	for _, f := range fields {
		if f.Owner == Code {
			continue
		}
		v.field(f, obj.Get(f.Name), join(path, f.Name))
	}
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func (v *validator) field(f Field, val gjson.Result, path string) {
	switch {
	case !val.Exists():
		if f.Required {
			v.reject(path, "missing")
		}
		return
	case val.Type == gjson.Null && f.Null:
		return
	case f.Bad != Reject:
		return
	}
	switch f.Type {
	case Object:
		if !val.IsObject() {
			v.reject(path, "not an object")
			return
		}
		v.object(f.Fields, val, path)
	case Item:
		v.item(val, path)
	case Items:
		if !val.IsArray() {
			v.reject(path, "not a list")
			return
		}
		n := 0
		val.ForEach(func(_, e gjson.Result) bool {
			v.item(e, fmt.Sprintf("%s[%d]", path, n))
			n++
			return true
		})
	default:
		if reason := misfit(f, val); reason != "" {
			v.reject(path, reason)
		}
	}
}

func (v *validator) item(e gjson.Result, path string) {
	if !e.IsObject() {
		v.reject(path, "not an object")
		return
	}
	v.object(ItemFields, e, path)
	quote := e.Get("quote")
	if e.Get("trust").Str == Verbatim && (!quote.Exists() || quote.Type == gjson.String && strings.TrimSpace(quote.Str) == "") {
		v.reject(join(path, "quote"), "verbatim without a quote")
	}
}

// misfit says why a scalar value is out of contract, or "".
func misfit(f Field, val gjson.Result) string {
	switch f.Type {
	case String:
		if val.Type != gjson.String {
			return "not a string"
		}
		if len(f.Enum) > 0 && !contains(f.Enum, val.Str) {
			return "not one of " + strings.Join(f.Enum, ", ")
		}
		if f.Max > 0 && utf8.RuneCountInString(val.Str) > f.Max {
			return fmt.Sprintf("longer than %d characters", f.Max)
		}
	case Int:
		if val.Type != gjson.Number || !isInt(val.Raw) {
			return "not an integer"
		}
		if n := val.Int(); n < int64(f.Min) || n > int64(f.Max) {
			return fmt.Sprintf("not in %d to %d", f.Min, f.Max)
		}
	case Bool:
		if val.Type != gjson.True && val.Type != gjson.False {
			return "not true or false"
		}
	case Stamp:
		if val.Type != gjson.String || !isStamp(val.Str) {
			return "not a date"
		}
	}
	return ""
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

func isInt(raw string) bool { return !strings.ContainsAny(raw, ".eE") && len(raw) < 19 }

func isStamp(s string) bool {
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		if _, err := time.Parse(layout, s); err == nil {
			return true
		}
	}
	return false
}
