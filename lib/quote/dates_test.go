package quote

import (
	"testing"

	"daimon/lib/doc"
)

// A validity date stays only when a message that the item cites states it.
func TestDatesMustBeStated(t *testing.T) {
	tr := transcript(said("m1", doc.User, "we use the old port until 2026-03-01, then the new one"), said("m2", doc.User, "and nothing else changes"))
	for _, c := range []struct {
		date, cited string
		kept        bool
	}{
		{"2026-03-01", "m1", true},
		{"2026-03-01T00:00:00Z", "m1", true},
		{"2026-03-02", "m1", false},
		{"2026-03-01", "m2", false},
		{"2026-03-01", "", false},
	} {
		quote := "we use the old port"
		if c.cited == "m2" {
			quote = "and nothing else changes"
		}
		e := item(doc.Verbatim, quote)
		if c.cited != "" {
			e = item(doc.Verbatim, quote, c.cited)
		}
		e.Set("valid_until", c.date)
		got, _ := verify(t, tr, e)
		if got.Has("valid_until") != c.kept {
			t.Errorf("%+v: %s", c, got.Bytes())
		}
	}
}

// A command that the user typed is no rule; the same words in a sentence are.
func TestCommandIsNoRule(t *testing.T) {
	command := said("m1", doc.User, "echo never push to main")
	command.Speaker = "bash"
	for _, c := range []struct {
		m    doc.Message
		want int
	}{{command, 0}, {said("m1", doc.User, "never push to main"), 1}} {
		d := doc.NewCheckpoint()
		if r := Verify(d, transcript(c.m), ""); r.Pinned != c.want {
			t.Errorf("%q: %d pinned, want %d", c.m.Text, r.Pinned, c.want)
		}
	}
}
