package extract

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"daimon/lib/doc"
	"daimon/lib/lang"
	"daimon/lib/rig"
)

// session is a labelled session: what must be found in it and what must not.
type session struct {
	name, lang string
	t          *doc.Transcript
	must       []gold
	mustNot    []gold
	superseded []gold
}

// gold is a labelled quote; field is a list key, or the label of a bad one.
type gold struct{ field, quote, message string }

// covers tells whether quote holds 60 % of the words of want, in order; of its
// characters where words are not set apart.
func covers(quote, want, tag string) bool {
	a, b := units(quote, tag), units(want, tag)
	prev := make([]int, len(b)+1)
	for _, x := range a {
		row := make([]int, len(b)+1)
		for j, y := range b {
			if row[j+1] = max(row[j], prev[j+1]); x == y {
				row[j+1] = max(row[j+1], prev[j]+1)
			}
		}
		prev = row
	}
	return len(b) > 0 && prev[len(b)]*10 >= len(b)*6
}

func units(s, tag string) []string {
	s = strings.ToLower(strings.NewReplacer("*", "", "`", "", "_", "").Replace(s))
	if lang.Dense(tag) {
		return strings.Split(strings.Join(strings.Fields(s), ""), "")
	}
	out := strings.Fields(s)
	for i, w := range out {
		out[i] = strings.Trim(w, ".,;:!?\"'()")
	}
	return out
}

// tally is what an extractor reached on some sessions.
type tally struct {
	sessions, items, must, found, right int
	mustNot, violations                 int
	old                                 int
}

func (a *tally) add(b tally) {
	a.sessions += b.sessions
	a.items += b.items
	a.must += b.must
	a.found += b.found
	a.right += b.right
	a.mustNot += b.mustNot
	a.violations += b.violations
	a.old += b.old
}

// emitted is one item of a candidate.
type emitted struct {
	field string
	e     *doc.Entry
}

func itemsOf(c *doc.Checkpoint) (out []emitted) {
	for _, l := range doc.Lists {
		for _, e := range c.Items(l) {
			out = append(out, emitted{l.Key, e})
		}
	}
	return out
}

// meets tells whether an item rests on a labelled quote.
func (it emitted) meets(g gold, tag string) bool {
	if g.message != "" && !slices.Contains(it.e.Strs("source_message_ids"), g.message) {
		return false
	}
	return covers(it.e.Quote(), g.quote, tag)
}

// score compares what the extractor gives on a session with its labels.
func (s *session) score(note func(format string, args ...any)) (r tally) {
	items := itemsOf(Embedded(s.t))
	r.sessions, r.items, r.must, r.mustNot = 1, len(items), len(s.must), len(s.mustNot)
	hit := make([]string, len(items))
	for _, g := range s.must {
		found, right := false, false
		for i, it := range items {
			if it.meets(g, s.lang) {
				found, right = true, right || it.field == g.field
				hit[i] = "+"
			}
		}
		r.found += count(found)
		r.right += count(right)
		if !found {
			note("  missed %s: %s", g.field, g.quote)
		}
	}
	for i, it := range items {
		for _, g := range s.mustNot {
			if it.meets(g, s.lang) {
				r.violations++
				hit[i] = "VIOLATION " + g.field
				break
			}
		}
		for _, g := range s.superseded {
			r.old += count(it.meets(g, s.lang))
		}
	}
	for i, it := range items {
		note("  %s %s [%d]: %s", hit[i], it.field, it.e.Importance(), it.e.Text())
	}
	return r
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

var good = map[string]string{"decision": "recent_decisions", "rule": "strong_beliefs", "preference": "strong_beliefs",
	"question": "open_questions", "promise": "open_questions", "leftover": "open_questions", "uncertainty": "uncertainties"}

var bad = map[string]bool{"rejected": true, "hypothetical": true, "rhetorical": true, "answered": true, "superseded": true,
	"third-party": true, "sarcasm": true}

// training reads the sessions for developing; their labels are sentences.
func training(t *testing.T, glob string) (out []session) {
	files, _ := filepath.Glob("../../../shared/data/training/" + glob)
	for _, f := range files {
		var d struct {
			Lang     string
			Messages []doc.Message
			Labels   []struct{ Message, Sentence, Label string }
		}
		b, err := os.ReadFile(f)
		if err != nil || json.Unmarshal(b, &d) != nil {
			t.Fatal(f, err)
		}
		s := session{name: filepath.Base(f), lang: d.Lang, t: doc.NewTranscript(doc.Header{}, d.Messages)}
		for _, l := range d.Labels {
			switch g := (gold{good[l.Label], l.Sentence, l.Message}); {
			case g.field != "" && whole(l.Sentence, lang.Dense(d.Lang)):
				s.must = append(s.must, g)
			case bad[l.Label]:
				s.mustNot = append(s.mustNot, gold{l.Label, l.Sentence, l.Message})
			}
		}
		out = append(out, s)
	}
	return out
}

// labelled reads the sessions for judging.
func labelled(t *testing.T) (out []session) {
	for _, r := range rig.Sessions(t) {
		s := session{name: r.Name, lang: r.Gold.Get("lang").Str, t: r.T}
		for _, g := range r.Gold.Get("must").Array() {
			s.must = append(s.must, gold{g.Get("field").Str, g.Get("quote").Str, g.Get("message").Str})
		}
		for _, g := range r.Gold.Get("must_not").Array() {
			why, _, _ := strings.Cut(g.Get("why").Str, ":")
			s.mustNot = append(s.mustNot, s.locate(gold{why, g.Get("quote").Str, ""}))
		}
		for _, g := range r.Gold.Get("superseded").Array() {
			s.superseded = append(s.superseded, s.locate(gold{"", g.Get("old").Str, ""}))
		}
		out = append(out, s)
	}
	return out
}

// locate finds the message that a quote without one is from.
func (s *session) locate(g gold) gold {
	g.message = "nowhere"
	for i := range s.t.Messages {
		if strings.Contains(s.t.Messages[i].Text, g.quote) {
			g.message = s.t.Messages[i].ID
			break
		}
	}
	return g
}
