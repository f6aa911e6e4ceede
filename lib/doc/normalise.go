package doc

import (
	"fmt"
	"strings"

	"github.com/tidwall/gjson"
)

// StripCode removes every field that the table does not give to the model, at every
// level the table describes. Fields whose name begins with x_ pass. What the
// table calls Any is kept whole: it is the model's own.
func StripCode(c *Checkpoint) { c.raw = string(rebuild(CheckpointFields, gjson.Parse(c.raw), true)) }

// StripCodeEntry does for one item what [StripCode] does for a document.
func StripCodeEntry(e *Entry) { e.raw = string(rebuild(ItemFields, gjson.Parse(e.raw), true)) }

// Normalise clamps and drops the values of model-owned fields that are out of
// contract but not worth refusing a document for. Unknown and code-owned fields
// pass untouched. It never makes a valid document invalid.
func Normalise(c *Checkpoint) { c.raw = string(rebuild(CheckpointFields, gjson.Parse(c.raw), false)) }

func rebuild(fields []Field, obj gjson.Result, strip bool) []byte {
	b := []byte{'{'}
	obj.ForEach(func(k, val gjson.Result) bool {
		f, known := find(fields, k.Str)
		foreign := !known || f.Owner == Code
		if strip && foreign && !strings.HasPrefix(k.Str, "x_") {
			return true
		}
		out := []byte(val.Raw)
		if !foreign {
			if out = fit(f, val, strip); out == nil {
				return true
			}
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(AppendString(b, k.Str), ':')
		b = append(b, out...)
		return true
	})
	return append(b, '}')
}

func find(fields []Field, name string) (Field, bool) {
	for _, f := range fields {
		if f.Name == name {
			return f, true
		}
	}
	return Field{}, false
}

// fit returns the value as it should stand, or nil when it must go. While
// stripping, values are only descended into, never changed.
func fit(f Field, val gjson.Result, strip bool) []byte {
	switch f.Type {
	case Object:
		if val.IsObject() {
			return rebuild(f.Fields, val, strip)
		}
	case Item:
		if val.IsObject() {
			return rebuild(ItemFields, val, strip)
		}
	case Items, ItemsLax:
		if val.IsArray() {
			return fitItems(f, val, strip)
		}
	case LinkSet:
		if val.IsArray() {
			return fitLinks(val, strip)
		}
	}
	if strip || val.Type == gjson.Null && f.Null || f.Bad == Reject || f.Bad == Pass {
		return []byte(val.Raw)
	}
	return fitScalar(f, val)
}

func fitItems(f Field, val gjson.Result, strip bool) []byte {
	return fitList(val, func(e gjson.Result) []byte {
		switch {
		case e.IsObject():
			return rebuild(ItemFields, e, strip)
		case f.Type == Items || strip || e.Type == gjson.String:
			return []byte(e.Raw)
		}
		return nil
	})
}

func fitLinks(val gjson.Result, strip bool) []byte {
	return fitList(val, func(e gjson.Result) []byte {
		if !e.IsObject() {
			if strip {
				return []byte(e.Raw)
			}
			return nil
		}
		for _, f := range LinkFields {
			v := e.Get(f.Name)
			if !strip && (!v.Exists() || misfit(f, v) != "" || strings.TrimSpace(v.Str) == "") {
				return nil
			}
		}
		return rebuild(LinkFields, e, strip)
	})
}

func fitList(val gjson.Result, keep func(gjson.Result) []byte) []byte {
	b := []byte{'['}
	val.ForEach(func(_, e gjson.Result) bool {
		out := keep(e)
		if out == nil {
			return true
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(b, out...)
		return true
	})
	return append(b, ']')
}

func fitScalar(f Field, val gjson.Result) []byte {
	switch f.Type {
	case StringSet:
		return fitStrings(val)
	case ItemsLax, LinkSet:
		return nil // lists were dealt with before
	}
	reason := misfit(f, val)
	blank := f.Name == "scene" && strings.TrimSpace(val.Str) == ""
	switch {
	case reason == "" && !blank:
		return []byte(val.Raw)
	case f.Bad != Clamp:
		return nil
	case f.Type == Int && val.Type == gjson.Number && isInt(val.Raw):
		return fmt.Append(nil, max(f.Min, min(f.Max, int(val.Int()))))
	case f.Type == String && val.Type == gjson.String && !blank:
		runes := []rune(strings.TrimSpace(val.Str))
		return AppendString(nil, string(runes[:min(f.Max, len(runes))]))
	}
	return nil
}

func fitStrings(val gjson.Result) []byte {
	if val.Type == gjson.String {
		return append(append([]byte{'['}, val.Raw...), ']')
	}
	if !val.IsArray() {
		return nil
	}
	return fitList(val, func(e gjson.Result) []byte {
		if e.Type != gjson.String {
			return nil
		}
		return []byte(e.Raw)
	})
}
