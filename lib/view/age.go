package view

import (
	"fmt"
	"time"
)

// Stamp reads a record stamp, YYYY-MM-DDTHH:MM:SSZ. Any other form is no stamp.
func Stamp(s string) (time.Time, bool) {
	t, err := time.Parse("2006-01-02T15:04:05Z", s)
	return t, err == nil && len(s) == len("2006-01-02T15:04:05Z")
}

// Age is how long before now a stamp lies: whole seconds, minutes, hours or
// days, "?" without a stamp. A stamp in the future is 0s old.
func Age(stamp string, now time.Time) string {
	t, ok := Stamp(stamp)
	if !ok {
		return "?"
	}
	d := max(0, now.Sub(t))
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%ds", d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%dm", d/time.Minute)
	case d < 24*time.Hour:
		return fmt.Sprintf("%dh", d/time.Hour)
	}
	return fmt.Sprintf("%dd", d/(24*time.Hour))
}
