package main

import (
	"testing"
	"time"
)

func TestQuantile(t *testing.T) {
	all := []time.Duration{5, 1, 4, 2, 3}
	for q, want := range map[float64]time.Duration{0: 1, 0.2: 1, 0.21: 2, 0.5: 3, 0.95: 5, 1: 5} {
		if got := quantile(all, q); got != want {
			t.Errorf("quantile %v is %d, want %d", q, got, want)
		}
	}
	if all[0] != 5 {
		t.Error("the values were put in order in place")
	}
}

func TestRenamed(t *testing.T) {
	got := string(renamed([]byte(`{"uuid":"a","parentUuid":"b","sessionId":"s","message":{"id":"m","content":"x"}}`+"\n"), 7))
	want := `{"uuid":"a.7","parentUuid":"b.7","sessionId":"` + session + `","message":{"id":"m.7","content":"x"}}` + "\n"
	if got != want {
		t.Errorf("got %s", got)
	}
}
