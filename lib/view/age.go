package view

import (
	"fmt"
	"time"

	"daimon/lib/score"
)

// Age is how long before now a stamp lies: whole seconds, minutes, hours or
// days, "?" without a stamp. A stamp in the future is 0s old.
func Age(stamp string, now time.Time) string {
	t, ok := score.ParseStamp(stamp)
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
