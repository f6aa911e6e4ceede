package receipt

import (
	"reflect"
	"strings"
	"testing"
)

func TestRoundTrip(t *testing.T) {
	r := &Receipt{
		SessionID: "s", ProjectSlug: "-p", Checkpoint: "checkpoints/s.json", SHA256: "00", Items: 3, Carried: 1,
		Downgraded: []Downgrade{{"r-000001", "quote", "quote-not-in-transcript"}},
		Pointers:   Pointers{Project: true},
	}
	b := r.Encode()
	if want := `"dropped":[],"redactions":{},"pointers":{"project":true,"global":false}}`; !strings.HasSuffix(string(b), want) {
		t.Errorf("encoded %s", b)
	}
	back, err := Decode(b)
	if err != nil || !reflect.DeepEqual(back.Encode(), b) || back.Format != Format {
		t.Errorf("decoded %+v, %v", back, err)
	}
	for _, bad := range []string{"", "{}", `{"format":"other"}`, "[]", `{"format":"daimon.receipt/1","items":"x"}`} {
		if _, err := Decode([]byte(bad)); err == nil {
			t.Errorf("%q was read as a receipt", bad)
		}
	}
}

func TestSummary(t *testing.T) {
	r := &Receipt{Items: 3, Carried: 1, Downgraded: []Downgrade{{"", "quote", "b"}, {"", "quote", "a"}, {"", "claim", "b"}}}
	if got, want := r.Summary(), "3 items written, 1 of them carried; judged against: a 1, b 2; a newer session stays the latest"; got != want {
		t.Errorf("got %q", got)
	}
	r = &Receipt{Skipped: SkippedDisabled}
	if got := r.Summary(); got != "nothing written: disabled" {
		t.Errorf("got %q", got)
	}
}

func TestSummaryOfOne(t *testing.T) {
	r := &Receipt{Items: 1, Dropped: make([]Drop, 1), Pointers: Pointers{Project: true}}
	if got, want := r.Summary(), "1 item written, 0 of them carried; 1 forgotten value kept out"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
