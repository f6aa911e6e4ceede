package quote

import (
	"testing"

	"daimon/lib/doc"
	"daimon/lib/rig"
)

// TestLabelled judges every labelled quote as if it were claimed verbatim.
func TestLabelled(t *testing.T) {
	right, all := 0, 0
	for _, s := range rig.Sessions(t) {
		c := doc.NewCheckpoint()
		l, _ := doc.ListByKey("recent_decisions")
		var items []*doc.Entry
		for _, it := range s.Items {
			e := doc.NewEntry(it.Get("text").Str, doc.Verbatim)
			e.Set("quote", it.Get("quote").Str)
			e.SetRaw(idsField, []byte(it.Get(idsField).Raw))
			items = append(items, e)
		}
		c.SetItems(l, items)
		Verify(c, s.T, "")
		for i, e := range c.Items(l) {
			got, want := "missing", s.Items[i].Get("expect.quote").Str
			if e.True(verifiedField) {
				got = "verified"
			}
			if all++; got == want {
				right++
				continue
			}
			t.Errorf("%s item %d is %s, want %s (%s)\n\t%s", s.Name, i, got, want, s.Items[i].Get("expect.note").Str, e.Bytes())
		}
	}
	t.Logf("quote verdicts: %d of %d", right, all)
}

// TestLabelledPins shows what is pinned in the labelled sessions, and holds that
// nothing passed on or imagined is.
func TestLabelledPins(t *testing.T) {
	for _, s := range rig.Sessions(t) {
		c := doc.NewCheckpoint()
		r := Verify(c, s.T, "")
		t.Logf("%s: %d pinned, %d more", s.Name, r.Pinned, r.PinsDropped)
		l, _ := doc.ListByKey(beliefsField)
		for _, e := range c.Items(l) {
			t.Logf("\t%s", e.Text())
			if !e.True(verifiedField) {
				t.Errorf("%s: a pin is not verified: %s", s.Name, e.Bytes())
			}
		}
	}
}
