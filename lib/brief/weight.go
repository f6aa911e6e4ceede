package brief

import (
	"time"

	"daimon/lib/doc"
)

func weight(l doc.List, e *doc.Entry, now time.Time) float64 { return float64(e.Importance()) }
