package extract

import (
	"fmt"
	"strings"
	"testing"

	"daimon/lib/doc"
)

// say makes a transcript of lines "u: …", "a: …" and "t: …"; \n in a line
// stands for a new line, and a tool's first line may be "$ command".
func say(lines ...string) *doc.Transcript {
	roles := map[string]string{"u": doc.User, "a": doc.Assistant, "t": doc.ToolRole}
	var msgs []doc.Message
	for i, l := range lines {
		who, text, _ := strings.Cut(l, ": ")
		m := doc.Message{ID: fmt.Sprintf("m%d", i+1), Role: roles[who], Text: strings.ReplaceAll(text, `\n`, "\n")}
		if m.Role == doc.ToolRole {
			m.Tool = &doc.Tool{Name: "Bash", Status: doc.StatusOK}
			if command, ok := strings.CutPrefix(m.Text, "$ "); ok {
				m.Tool.Input, m.Text, _ = strings.Cut(command, "\n")
			}
			if strings.Contains(m.Text, "FAILED") {
				m.Tool.Status = doc.StatusError
			}
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
		{"bare praise", []string{ask, "a: The importer reads the file twice.", "u: hm, good question."}, "good question", "", ""},
		{"praise is no yes", []string{ask, "a: I suggest a write-through cache in Redis.", "u: good question. what does the log say?"}, "write-through", "", ""},
		{"praise that takes a proposal", []string{ask, "a: I suggest a write-through cache in Redis.", "u: makes sense, thanks"}, "write-through", "recent_decisions", "m2 m3"},
		{"farewell", []string{ask, "a: Noted.", "u: ok that's enough for today, thanks"}, "enough", "", ""},
		{"promise before a farewell", []string{ask, "a: Noted.", "u: i'll ask ops tomorrow, that's enough for today, thanks"}, "ask ops", "open_questions", "m3"},
		{"two offers and a yes", []string{ask, "a: I suggest a separate cache file, or we move the backup.", "u: yes"}, "separate cache file", "", ""},
		{"two offers, settled in own words", []string{ask, "a: I suggest a separate cache file, or we move the backup.", "u: put the cache in its own file instead"}, "in its own file", "recent_decisions", "m3"},
		{"two offers, the offer", []string{ask, "a: I suggest a separate cache file, or we move the backup.", "u: put the cache in its own file instead"}, "separate cache file", "", ""},
		{"carrying out what was settled", []string{ask, "a: In memory or on disk?", "u: on disk it is.", "a: Then I'll add the index in the next migration.", "u: ok"}, "add the index", "", ""},
		{"the same unasked", []string{ask, "a: The cache is slow.", "a: I'll add the index in the next migration.", "u: ok"}, "add the index", "recent_decisions", "m3 m4"},
		{"an order with its reason", []string{ask, "a: Noted.", "u: put the cache in its own file instead, the backup must not wait"}, "own file", "recent_decisions", "m3"},
		{"a rule with what to do instead", []string{ask, "a: Noted.", "u: never write to the archive bucket, use the inbox instead"}, "archive bucket", "strong_beliefs", "m3"},
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
		{"outcome that a tool shows", []string{ask, `t: $ pytest\n56 passed in 2 s`, "a: All 56 tests pass now."}, "56 tests", "strong_beliefs", "m3 m2"},
		{"outcome named by a word", []string{ask, `t: $ go test ./importer\nok  	tide/importer	0.4s`, "a: The importer tests pass now: an empty file is skipped."}, "importer tests", "strong_beliefs", "m3 m2"},
		{"outcome that a tool denies", []string{ask, `t: $ pytest\n55 passed, 1 failed of 56`, "a: All 56 tests pass now."}, "56 tests", "", ""},
		{"outcome that nothing ran for", []string{ask, `t: $ cat notes.txt\n56 passed in 2 s`, "a: All 56 tests pass now."}, "56 tests", "", ""},
		{"outcome without a tool", []string{ask, "a: All 56 tests pass now."}, "56 tests", "", ""},
		{"outcome of an earlier message", []string{ask, `t: $ pytest\n56 passed in 2 s`, "u: what does the log say?", "a: All 56 tests pass now."}, "56 tests", "", ""},
		{"last check failed", []string{ask, `t: $ pytest\nFAILED test_lock`, "a: test_lock still fails on the second run."}, "still fails", "open_questions", "m3 m2"},
		{"failed and passed later", []string{ask, `t: $ pytest\nFAILED test_lock`, "a: test_lock still fails on the second run.", `t: $ pytest\n56 passed in 2 s`, "a: Now test_lock passes on the second run."}, "still fails", "", ""},
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

// TestFarewells takes leave in every language: that is never an item, and the
// same with a rule before it is one.
func TestFarewells(t *testing.T) {
	for tag, c := range map[string][2]string{
		"en": {"ok that's enough for today, thanks", "never write to the archive bucket, thanks"},
		"de": {"ok, das reicht für heute, danke dir", "schreib niemals in den Archiv-Eimer, danke"},
		"es": {"vale, es todo por hoy, muchas gracias", "nunca escribas en el bucket del archivo, gracias"},
		"pt": {"beleza, por hoje é só, muito obrigado", "nunca escreva no bucket do arquivo, obrigado"},
		"fr": {"ok, c'est tout pour aujourd'hui, merci", "ne jamais écrire dans le bucket d'archive, merci"},
		"it": {"ok, per oggi basta così, grazie", "mai scrivere nel bucket di archivio, grazie"},
		"nl": {"ok, genoeg voor vandaag, bedankt", "schrijf nooit in de archiefbucket, bedankt"},
		"pl": {"ok, to wszystko na dziś, dzięki", "nigdy nie zapisuj do kubełka archiwum, dzięki"},
		"tr": {"tamam, bugünlük bu kadar, teşekkürler", "arşiv kovasına asla yazma, teşekkürler"},
		"ru": {"ладно, на сегодня всё, спасибо", "никогда не пиши в архивный бакет, спасибо"},
		"uk": {"добре, на сьогодні все, дякую", "ніколи не пиши в архівний бакет, дякую"},
		"ja": {"了解です、今日はここまでにします。ありがとうございました", "アーカイブには絶対に書き込まないでください。"},
		"zh": {"好的，今天就到这里，谢谢", "绝对不要写入归档存储桶，谢谢"},
		"ko": {"네 좋습니다, 오늘은 여기까지 하죠. 감사합니다", "아카이브 버킷에는 절대 쓰지 마세요. 감사합니다"},
	} {
		if s := alone(tag, c[0]); s.lex.says(s.folded, &s.signs) {
			t.Errorf("%s: %q says something", tag, c[0])
		}
		if s := alone(tag, c[1]); !s.lex.says(s.folded, &s.signs) {
			t.Errorf("%s: %q says nothing", tag, c[1])
		}
	}
}

// TestQuoteLength: a terse choice is quoted with what belongs to it.
func TestQuoteLength(t *testing.T) {
	for _, c := range []struct{ name, said, words, want string }{
		{"elaboration", "sqlite it is. one file, one backup", "sqlite it is", "sqlite it is. one file, one backup"},
		{"question after it", "sqlite it is. one file or two?", "sqlite it is", "sqlite it is."},
		{"rule after it", "sqlite it is. never touch the archive bucket", "sqlite it is", "sqlite it is."},
		{"promise after it", "sqlite it is. i'll ask ops on monday", "sqlite it is", "sqlite it is."},
		{"doubt after it", "sqlite it is. not sure the disk holds it", "sqlite it is", "sqlite it is."},
		{"hypothetical after it", "sqlite it is. if this was big i'd say postgres", "sqlite it is", "sqlite it is."},
		{"another line", `sqlite it is.\none file, one backup`, "sqlite it is", "sqlite it is."},
		{"thanks after it", "sqlite it is. thanks a lot, cheers", "sqlite it is", "sqlite it is."},
		{"at length already", "put the skip history of the importer into the sqlite file. one file, one backup", "sqlite", "put the skip history of the importer into the sqlite file."},
		{"at length, with a reason", "put the skip history of the importer in sqlite. because ops back up one file", "sqlite", "put the skip history of the importer in sqlite. because ops back up one file"},
		{"reversal", "scrap the redis list. put the history in sqlite instead, ops must not wait", "sqlite", "scrap the redis list. put the history in sqlite instead, ops must not wait"},
		{"two choices", "use the redis list for jobs. put the history in sqlite", "history", "put the history in sqlite"},
		{"too long together", "sqlite it is. one file " + strings.Repeat("and one more of them ", 15), "sqlite it is", "sqlite it is."},
	} {
		_, e := find(Embedded(say(ask, "a: Where do we keep the history, in sqlite or in redis?", "u: "+c.said)), c.words)
		if e == nil || e.Quote() != c.want {
			t.Errorf("%s: %v, want %q", c.name, e, c.want)
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
