package ground

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/tidwall/gjson"

	"daimon/lib/doc"
	"daimon/lib/lang"
	"daimon/lib/rig"
)

// TestLabelled judges every labelled outcome.
func TestLabelled(t *testing.T) {
	const floor = 0.99 // of all labels; raise it when the figure rises
	right, all := 0, 0
	table := map[string]int{}
	l, _ := doc.ListByKey("recent_decisions")
	for _, s := range rig.Sessions(t) {
		for i, it := range s.Items {
			e := doc.NewEntry(it.Get("text").Str, it.Get("trust").Str)
			e.Set("quote", it.Get("quote").Str)
			e.SetRaw("source_message_ids", []byte(it.Get("source_message_ids").Raw))
			e.Set("quote_verified", it.Get("expect.quote").Str == "verified")
			c := doc.NewCheckpoint()
			c.SetItems(l, []*doc.Entry{e})
			Judge(c, s.T)
			e = c.Items(l)[0]
			got, want := NoOutcome, it.Get("expect.grounding").Str
			if e.Has(groundingKey) {
				got = e.Str("grounding.status")
			}
			table[fmt.Sprintf("%s judged %s", want, got)]++
			if all++; got == want {
				right++
				continue
			}
			t.Logf("%s item %d is %s, want %s (%s)\n\t%s\n\t%s", s.Name, i, got, want, it.Get("expect.note").Str, e.Text(), e.Get(groundingKey).Raw)
		}
	}
	for k, n := range table {
		t.Logf("%4d  %s", n, k)
	}
	t.Logf("grounding verdicts: %d of %d", right, all)
	if float64(right) < floor*float64(all) {
		t.Errorf("only %d of %d are right, held at %.0f %%", right, all, floor*100)
	}
}

// TestTalkIsNoOutcome reads sentences that were written for another purpose: what
// people decide, ask and rule must not pass for a finished thing.
func TestTalkIsNoOutcome(t *testing.T) {
	files, _ := filepath.Glob("../../../shared/data/training/*/*.json")
	if len(files) == 0 {
		t.Skip("no training sentences beside the checkout")
	}
	talk, wrong, outcomes, found := 0, 0, 0, 0
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range gjson.GetBytes(raw, "labels").Array() {
			s := l.Get("sentence").Str
			asserted := len(read(s, lang.Of(s)).asserts) > 0
			switch l.Get("label").Str {
			case "decision", "rule", "question", "promise", "uncertainty", "preference":
				if talk++; asserted {
					wrong++
					t.Logf("%s: %s", l.Get("label").Str, s)
				}
			case "outcome", "outcome-unproven":
				if outcomes++; asserted {
					found++
				}
			}
		}
	}
	t.Logf("%d of %d sentences of talk read as outcomes; %d of %d outcomes found", wrong, talk, found, outcomes)
	if wrong*100 > talk {
		t.Errorf("%d of %d sentences of talk read as outcomes", wrong, talk)
	}
	if found*5 < outcomes {
		t.Errorf("only %d of %d outcomes are found", found, outcomes)
	}
}
