package host

import (
	"time"

	"github.com/tidwall/gjson"
)

var layouts = []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05"}

// stamp reads a time: RFC 3339 with or without fraction and zone (none is
// UTC), or a Unix number in seconds or milliseconds.
func stamp(v gjson.Result) (time.Time, bool) {
	switch v.Type {
	case gjson.String:
		for _, l := range layouts {
			if t, err := time.Parse(l, v.Str); err == nil && t.Year() > 1970 && t.Year() < 9999 {
				return t.UTC(), true
			}
		}
	case gjson.Number:
		n := v.Num
		if n > 1e11 {
			n /= 1000
		}
		if n > 1e8 && n < 1e11 {
			return time.Unix(int64(n), 0).UTC(), true
		}
	}
	return time.Time{}, false
}

// span is the earliest and latest time of a session.
type span struct{ first, last time.Time }

func (s *span) add(t time.Time) {
	if s.first.IsZero() || t.Before(s.first) {
		s.first = t
	}
	if t.After(s.last) {
		s.last = t
	}
}

// format writes a time as UTC in whole seconds; "" for none.
func format(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format("2006-01-02T15:04:05Z")
}
