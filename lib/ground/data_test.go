package ground

import (
	"fmt"
	"testing"

	"daimon/lib/doc"
)

// TestLabelled judges every labelled outcome.
func TestLabelled(t *testing.T) {
	const floor = 0.95 // of all labels; raise it when the figure rises
	right, all := 0, 0
	table := map[string]int{}
	l, _ := doc.ListByKey("recent_decisions")
	for _, s := range sessions(t) {
		for i, it := range s.items {
			e := doc.NewEntry(it.Get("text").Str, it.Get("trust").Str)
			e.Set("quote", it.Get("quote").Str)
			e.SetRaw("source_message_ids", []byte(it.Get("source_message_ids").Raw))
			e.Set("quote_verified", it.Get("expect.quote").Str == "verified")
			c := doc.NewCheckpoint()
			c.SetItems(l, []*doc.Entry{e})
			Judge(c, s.t)
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
			t.Logf("%s item %d is %s, want %s (%s)\n\t%s\n\t%s", s.name, i, got, want, it.Get("expect.note").Str, e.Text(), e.Get(groundingKey).Raw)
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
