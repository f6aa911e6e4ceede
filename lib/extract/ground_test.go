package extract

import (
	"os"
	"testing"

	"daimon/lib/doc"
	"daimon/lib/ground"
	"daimon/lib/rig"
)

// demo reads the invented sessions that are shown to new users.
func demo(t *testing.T) (out []session) {
	for _, name := range []string{"first", "second"} {
		if path := "../pipeline/testdata/demo/" + name + ".jsonl"; exists(path) {
			out = append(out, session{name: "demo " + name, lang: "en", t: rig.Transcript(t, path)})
		}
	}
	return out
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// TestOutcomesAreShown has every item that cites a tool result judged: what it
// claims must stand in what it cites.
func TestOutcomesAreShown(t *testing.T) {
	all := append(append(labelled(t), training(t, "*/*.json")...), demo(t)...)
	shown, lowered := 0, 0
	for _, s := range all {
		c := Embedded(s.t)
		r := ground.Judge(c, s.t)
		lowered += len(r.Failed)
		for _, it := range itemsOf(c) {
			for _, f := range r.Failed {
				if f.List.Key == it.field && it.e.False("grounded") {
					t.Logf("%s: lowered %s: %s", s.name, f.Reason, it.e.Text())
					break
				}
			}
			switch field := it.e.Get("grounded"); {
			case !citesTool(s.t, it.e):
			case it.field == "strong_beliefs" && !field.Bool():
				t.Errorf("%s: not shown: %s %s", s.name, it.e.Text(), it.e.Get("grounding").Raw)
			case it.field == "strong_beliefs":
				shown++
				t.Logf("%s: %s", s.name, it.e.Text())
			}
		}
	}
	t.Logf("%d outcomes shown, %d other items lowered", shown, lowered)
}

func citesTool(t *doc.Transcript, e *doc.Entry) bool {
	for _, id := range e.Strs("source_message_ids") {
		if m := t.Find(id); m != nil && m.Role == doc.ToolRole {
			return true
		}
	}
	return false
}
