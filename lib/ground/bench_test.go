package ground

import (
	"fmt"
	"testing"

	"daimon/lib/doc"
)

func BenchmarkJudge200(b *testing.B) {
	texts := []string{"The retry budget is kept per host rather than per request.", "All 84 tests pass after the snapshot update.",
		"Safari may not honour break-inside inside columns.", "El TTL del catálogo se queda en 900 segundos.", "測試"}
	var items []*doc.Entry
	for i := range 200 {
		e := doc.NewEntry(texts[i%len(texts)], doc.Verbatim)
		e.Set("source_message_ids", []string{fmt.Sprint("m", i%20)})
		items = append(items, e)
	}
	var msgs []doc.Message
	for i := range 20 {
		msgs = append(msgs, toolMessage(fmt.Sprint("m", i), "go test ./... && git push", "ok  \tx\t1s\n84 passed", 0))
	}
	t := doc.NewTranscript(doc.Header{}, msgs)
	for b.Loop() {
		c := doc.NewCheckpoint()
		c.SetItems(doc.Lists[1], items)
		Judge(c, t)
	}
}
