package extract

import (
	"testing"

	"daimon/lib/doc"
)

// alone reads one sentence as the user's in a language.
func alone(tag, text string) *sentence {
	s := &sentence{text: text, folded: fold(text), lex: lexiconOf(tag)}
	s.signs = s.lex.scan(s.folded)
	return s
}

func TestBecause(t *testing.T) {
	for _, c := range []struct{ tag, text, want string }{
		{"en", "use Redis because the cache must survive.", "the cache must survive"},
		{"de", "nimm Redis, weil der Cache überleben muss", "der Cache überleben muss"},
		{"fr", "on garde Redis parce que le cache doit survivre", "le cache doit survivre"},
		{"es", "usa Redis, porque la caché debe sobrevivir", "la caché debe sobrevivir"},
		{"zh", "就用 Redis,因为缓存不能丢掉数据", "缓存不能丢掉数据"},
		{"ja", "キャッシュが消えるので Redis にします", ""},
		{"en", "use Redis because", ""},
		{"en", "use Redis because why", ""},
		{"en", "use Redis, the cause of this is known to us", ""},
		{"en", "use Redis", ""},
	} {
		if got := because(alone(c.tag, c.text)); got != c.want {
			t.Errorf("%q because %q, want %q", c.text, got, c.want)
		}
	}
}

func TestTarget(t *testing.T) {
	for _, c := range []struct {
		tag, text string
		tail      string // a sentence that belongs to it
		replaces  string
		want      string
	}{
		{"en", "make it 4", "", "keep 5 attempts", "keep 5 attempts"},
		{"en", "then scrap the grid.", "", "", "the grid"},
		{"en", "scrap the grid.", "multi-column it is", "", "the grid"},
		{"en", "use columns instead of the grid", "", "", "the grid"},
		{"en", "ok scrap, it is late", "", "", "ok scrap, it is late"},
		{"ja", "分割案はやめて", "", "", "分割案は"},
		{"en", "scrap Redis for the queue, use a table instead of keeping the queue in Redis", "", "", "Redis for the queue"},
		{"en", "scrap keeping skips in the tables of the sqlite file.", "put them in skips.db", "", "scrap keeping skips in the tables of the sqlite file. put them in skips.db"},
		{"en", "use the grid", "", "", ""},
	} {
		s := alone(c.tag, c.text)
		k := &talk{t: say("u: " + c.text + " " + c.tail), sentences: []sentence{*s, {}}}
		cand := &candidate{sentence: s}
		if c.tail != "" {
			k.sentences[1].end = len(c.text + " " + c.tail)
			cand.tail = 1
		}
		if c.replaces != "" {
			cand.replaces = []*sentence{alone(c.tag, c.replaces)}
		}
		if got := k.target(cand); got != c.want {
			t.Errorf("%q replaces %q, want %q", c.text, got, c.want)
		}
	}
}

func TestQuoted(t *testing.T) {
	for _, c := range []struct {
		text string
		want bool
	}{
		{`"we will never turn away a walk-in"`, true},
		{`“we will never turn away a walk-in”, great`, true},
		{`sales wrote "never ever do that" again`, true},
		{"the vendor says: use tenths", true},
		{`rename "old name here" to the shorter one we agreed upon yesterday`, false},
		{"set the header x: y", false},
		{"never turn away a walk-in", false},
	} {
		if got := quoted(alone("en", c.text)); got != c.want {
			t.Errorf("%q is quoted: %v, want %v", c.text, got, c.want)
		}
	}
}

func TestSucceeded(t *testing.T) {
	one, none := 1, 0
	for _, c := range []struct {
		text string
		tool *doc.Tool
		want bool
	}{
		{"56 passed, 0 failed", nil, true},
		{"ok  	daimon/lib	0.1s", nil, true},
		{"55 passed, 1 failed", nil, false},
		{"0 errors, all ok", nil, true},
		{"3 errors, rest ok", nil, false},
		{"ok", &doc.Tool{Status: doc.StatusError}, false},
		{"ok", &doc.Tool{Status: doc.StatusOK, Exit: &one}, false},
		{"ok", &doc.Tool{Status: doc.StatusOK, Exit: &none}, true},
		{"wrote 74 lines", nil, false},
		{"", nil, false},
	} {
		if got := succeeded(&doc.Message{Text: c.text, Tool: c.tool}); got != c.want {
			t.Errorf("%q succeeded: %v, want %v", c.text, got, c.want)
		}
	}
}

func TestRefigured(t *testing.T) {
	for _, c := range []struct {
		old, now string
		want     bool
	}{
		{"5 attempts", "4 attempts, not 5", true}, {"5 attempts", "4 attempts", true},
		{"5 attempts", "5 attempts", false}, {"5 attempts, 30 s", "5 attempts", false},
		{"some attempts", "4 attempts", false}, {"5 attempts", "fewer attempts", false},
	} {
		if got := refigured(c.old, c.now); got != c.want {
			t.Errorf("%q to %q: %v, want %v", c.old, c.now, got, c.want)
		}
	}
}

func TestImportance(t *testing.T) {
	c := Embedded(say(ask, "a: I suggest a bigger buffer for the reader.", "u: yes",
		"a: Noted.", "u: never delete the production backup, no exceptions"))
	_, proposal := find(c, "bigger buffer")
	_, rule := find(c, "production backup")
	if proposal == nil || rule == nil || proposal.Importance() >= rule.Importance() || rule.Importance() < 7 {
		t.Errorf("%s", c.Bytes())
	}
}
