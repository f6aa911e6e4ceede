package extract

import (
	"fmt"
	"strings"
	"testing"

	"daimon/lib/doc"
)

// say makes a transcript of lines "u: …", "a: …" and "t: …"; \n in a line
// stands for a new line.
func say(lines ...string) *doc.Transcript {
	roles := map[string]string{"u": doc.User, "a": doc.Assistant, "t": doc.ToolRole}
	var msgs []doc.Message
	for i, l := range lines {
		who, text, _ := strings.Cut(l, ": ")
		m := doc.Message{ID: fmt.Sprintf("m%d", i+1), Role: roles[who], Text: strings.ReplaceAll(text, `\n`, "\n")}
		if m.Role == doc.ToolRole {
			m.Tool = &doc.Tool{Status: doc.StatusOK}
		}
		msgs = append(msgs, m)
	}
	return doc.NewTranscript(doc.Header{}, msgs)
}

// find returns the item of a candidate whose quote has these words.
func find(c *doc.Checkpoint, words string) (string, *doc.Entry) {
	for _, it := range itemsOf(c) {
		if strings.Contains(it.e.Quote(), words) {
			return it.field, it.e
		}
	}
	return "", nil
}

const ask = "u: please look at how the cache of the importer works today"

func TestWhatIsKept(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []string
		words string
		field string // "" when it must not be kept
		cites string
	}{
		{"proposal with a yes", []string{ask, "a: I suggest a write-through cache in Redis.", "u: yes"}, "write-through", "recent_decisions", "m2 m3"},
		{"proposal with a no", []string{ask, "a: I suggest a write-through cache in Redis.", "u: no"}, "write-through", "", ""},
		{"proposal without an answer", []string{ask, "a: I suggest a write-through cache in Redis."}, "write-through", "", ""},
		{"proposal passed over", []string{ask, "a: I suggest a write-through cache in Redis.", "u: what does the log say?"}, "write-through", "", ""},
		{"proposal with a yes in German", []string{"u: schau dir bitte den Import an, der ist kaputt", "a: Ich schlage vor, die Sätze zu bündeln.", "u: ja, mach das"}, "bündeln", "recent_decisions", "m2 m3"},
		{"proposal with a no in German", []string{"u: schau dir bitte den Import an, der ist kaputt", "a: Ich schlage vor, die Sätze zu bündeln.", "u: nein, lass das"}, "bündeln", "", ""},
		{"proposal with a yes in Japanese", []string{"u: 在庫バッチの二重登録を調べてください", "a: 一意制約を付けることを提案します。", "u: はい、それでお願いします"}, "一意制約", "recent_decisions", "m2 m3"},
		{"choice by label", []string{ask, `a: Two ways:\n1) keep the cache in memory\n2) move the cache to disk\nWhich?`, "u: 2"}, "to disk", "recent_decisions", "m2 m3"},
		{"the other label", []string{ask, `a: Two ways:\n1) keep the cache in memory\n2) move the cache to disk\nWhich?`, "u: 2"}, "in memory", "", ""},
		{"choice by place", []string{ask, `a: Two ways:\n- keep the cache in memory\n- move the cache to disk`, "u: the second one"}, "to disk", "recent_decisions", "m2 m3"},
		{"a plain yes to a choice", []string{ask, `a: Two ways:\n1) keep the cache in memory\n2) move the cache to disk`, "u: yes"}, "to disk", "", ""},
		{"one part taken", []string{ask, "a: I propose gzip for the archive. I propose blowfish for the passwords.", "u: gzip yes, blowfish no"}, "gzip for", "recent_decisions", "m2 m3"},
		{"the other part", []string{ask, "a: I propose gzip for the archive. I propose blowfish for the passwords.", "u: gzip yes, blowfish no"}, "blowfish for", "", ""},
		{"directive", []string{ask, "a: It sleeps 5 s between runs.", "u: make it 2 s instead"}, "make it 2 s", "recent_decisions", "m3"},
		{"the same as a question", []string{ask, "a: It sleeps 5 s between runs.", "u: make it 2 s instead?"}, "make it 2 s", "", ""},
		{"hypothetical", []string{ask, "a: It sleeps 5 s.", "u: if this was a batch job we could make it 60 s"}, "60 s", "", ""},
		{"rule", []string{ask, "a: Understood.", "u: never write to the archive bucket"}, "archive bucket", "strong_beliefs", "m3"},
		{"rule of the assistant", []string{ask, "a: One must never write to the archive bucket.", "u: thanks a lot"}, "archive bucket", "", ""},
		{"rule in a pasted ticket", []string{ask, "a: Understood.", `u: the ticket says:\nnever write to the archive bucket`}, "archive bucket", "", ""},
		{"rule in a quotation", []string{ask, "a: Understood.", `u: sales wrote "you must never write to the archive bucket"`}, "archive bucket", "", ""},
		{"rule in a quoted line", []string{ask, "a: Understood.", `u: look\n> never write to the archive bucket`}, "archive bucket", "", ""},
		{"rule in code", []string{ask, "a: Understood.", "u: look\\n```\\nnever write to the archive bucket\\n```"}, "archive bucket", "", ""},
		{"question put off", []string{ask, "a: Should the importer retry on a lock?", "u: dunno, need to ask the ops team"}, "retry on a lock", "open_questions", "m2"},
		{"question answered", []string{ask, "a: Should the importer retry on a lock?", "u: yes, three times"}, "retry on a lock", "", ""},
		{"promise", []string{ask, "a: The quota is unknown.", "u: i'll ask the ops team on thursday"}, "on thursday", "open_questions", "m3"},
		{"doubt", []string{ask, "a: I suspect the lock is held by the importer, but I can't tell without a trace of production."}, "I suspect", "uncertainties", "m2"},
		{"doubt settled", []string{ask, "a: I suspect the importer holds the sentinel lock.", "u: have a look", "a: Fixed, the importer no longer takes the sentinel lock."}, "I suspect", "", ""},
		{"leftover", []string{ask, "a: Done with the importer.", "u: thanks a lot", "a: The migration of the archive table is still missing."}, "archive table", "open_questions", "m4"},
		{"outcome that a tool shows", []string{ask, "t: ok: 56 passed, 0 failed", "a: All 56 tests pass now."}, "56 tests", "strong_beliefs", "m3 m2"},
		{"outcome that a tool denies", []string{ask, "t: 55 passed, 1 failed of 56", "a: All 56 tests pass now."}, "56 tests", "", ""},
		{"outcome without a tool", []string{ask, "a: All 56 tests pass now."}, "56 tests", "", ""},
	} {
		field, e := find(Embedded(say(c.lines...)), c.words)
		switch {
		case field != c.field:
			t.Errorf("%s: kept under %q, want %q", c.name, field, c.field)
		case e != nil && strings.Join(e.Strs("source_message_ids"), " ") != c.cites:
			t.Errorf("%s: cites %v, want %s", c.name, e.Strs("source_message_ids"), c.cites)
		}
	}
}

func TestReversal(t *testing.T) {
	c := Embedded(say(ask, "a: How many attempts, and with which backoff?", "u: keep 5 attempts with linear backoff",
		"a: The box does not recover with that.", "u: then make it 4 attempts, not 5, because the gateway gives up after 9 seconds"))
	if field, _ := find(c, "keep 5 attempts"); field != "" {
		t.Errorf("the old decision is kept under %s", field)
	}
	_, e := find(c, "make it 4")
	if e == nil {
		t.Fatal("the new decision is not kept")
	}
	if l := e.Links(); len(l) != 1 || l[0].Type != "supersedes" || !strings.Contains(l[0].Target, "keep 5 attempts") {
		t.Errorf("links %v", l)
	}
	if got := e.Str("because"); got != "the gateway gives up after 9 seconds" {
		t.Errorf("because %q", got)
	}
}

func TestChosen(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"2", "2+"}, {"b then", "b+"}, {"1 and 3 please", "1+ 3+"}, {"1 yes, 2 no", "1+ 2-"}, {"(a), but short", "a+"},
		{"the 2 tests", ""}, {"", ""}, {"keep it", ""},
	} {
		labels, polarity := chosen(c.text)
		var got []string
		for i, l := range labels {
			got = append(got, string(l)+map[int]string{1: "+", -1: "-"}[polarity[i]])
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%q chooses %v, want %s", c.text, got, c.want)
		}
	}
}
