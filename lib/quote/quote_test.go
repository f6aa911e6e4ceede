package quote

import (
	"bytes"
	"strings"
	"testing"

	"daimon/lib/doc"
)

func said(id, role, text string) doc.Message { return doc.Message{ID: id, Role: role, Text: text} }

func printed(id, text string) doc.Message {
	return doc.Message{ID: id, Role: doc.ToolRole, Text: text, Tool: &doc.Tool{Name: "Bash", Status: doc.StatusOK}}
}

func transcript(msgs ...doc.Message) *doc.Transcript {
	return doc.NewTranscript(doc.Header{SessionID: "s", SHA256: strings.Repeat("a", 64)}, msgs)
}

func item(trust, quote string, ids ...string) *doc.Entry {
	e := doc.NewEntry("what was said", trust)
	if quote != "" {
		e.Set("quote", quote)
	}
	if ids != nil {
		e.Set(idsField, ids)
	}
	return e
}

// verify runs Verify over one item, twice as a library and once more as the
// binary would, and fails when that changes a byte.
func verify(t testing.TB, tr *doc.Transcript, e *doc.Entry) (*doc.Entry, Report) {
	t.Helper()
	c, l := doc.NewCheckpoint(), doc.Lists[1]
	c.SetItems(l, []*doc.Entry{e})
	r := Verify(c, tr, "2026-01-02T03:04:05Z")
	once := bytes.Clone(c.Bytes())
	Verify(c, tr, "2026-01-02T03:04:05Z")
	if !bytes.Equal(once, c.Bytes()) {
		t.Errorf("verifying twice changes\n%s\nto\n%s", once, c.Bytes())
	}
	refused := Lowered(c)
	doc.StripCode(c)
	refused(c)
	Verify(c, tr, "2026-01-02T03:04:05Z")
	if !bytes.Equal(once, c.Bytes()) {
		t.Errorf("stripping and verifying again changes\n%s\nto\n%s", once, c.Bytes())
	}
	return c.Items(l)[0], r
}

// matching has for each rule of folding a quote that is there and one that is not.
var matching = []struct {
	body, quote string
	want        bool
}{
	{"go right", "go right", true},
	{"go left", "go left", true}, // short, and all of it
	{"so: go left. then on", "go left", false},
	{"go right! Go left. then on", "go left", true},
	{"first this\n- go left.\nthen on", "go left", true},
	{"We will go. more\nWe", "We", true}, // the second one
	{"We will go", "We", false},
	{"We will go", "We will go", true},
	{"用红色方案，不用蓝色", "用红色方案", true}, // five such characters say enough
	{"用红色方案", "红色", false},
	{"是红色", "是红色", true},
	{"ago lefty", "go left", false},
	{"ship it tomorrow", "**ship it** tomorrow", true},
	{"we **never** push", "we never push", true},
	{"we never push to main", "we push to main", false},
	{"use the __new__ parser here", "use the new parser here", true},
	{"read my_var_name first", "read my_var_name first", true},
	{"read my_var_name first", "read myvarname first", false},
	{"edit __init__.py first", "edit init.py first", false},
	{"`git push --force` it is", "git push --force it is", true},
	{"git push --force it is", "git push -force it is", false},
	{"git push --force it is", "force it is", false},
	{"git push --force it is", "-force it is", false},
	{"pages 3–9 only", "pages 3-9 only", true},
	{"pages 3–9 only please", "9 only please", false},
	{"fast—cheap", "fast - cheap", false},
	{"fast—cheap and good", "cheap and good", true},
	{"speed - about 10 ms", "speed about 10 ms", true},
	{"the answer is 5 - 3 here", "the answer is 5 3 here", false},
	{"the offset is -5 degrees", "5 degrees", false},
	{"the offset is -5 degrees", "-5 degrees", true},
	{"a + b is the sum", "a b is the sum", false},
	{"run rm *.go in there", "run rm .go in there", false},
	{"compute 2 * 3 here", "compute 2 3 here", false},
	{"compute 2*3 here", "compute 23 here", false},
	{"straße is closed", "STRASSE is closed", true},
	{"Übermäßig viel", "übermässig VIEL", true},
	{"cafe\u0301 is open", "café is open", true},
	{"café is open", "cafe is open", false},
	{"ＦＵＬＬ width here", "full width here", true},
	{"x² is the area here", "x2 is the area here", false},
	{"zero\u200bwidth space", "zerowidth space", true},
	{"no\u00a0break space", "no break space", true},
	{"pay in раypal now", "pay in paypal now", false},
	{"he said „good“ twice", `he said "good" twice`, true},
	{"don’t do that", "don't do that", true},
	{"don't do that now", "do that now", true},
	{"we don't do that", "we do that", false},
	{"they said don't", "they said don", false},
	{"exactly 1,024 items", "exactly 1024 items", false},
	{"exactly 1,024 items", "exactly 1,024 items", true},
	{"exactly 1,024 items", "024 items", false},
	{"exactly 1,024 items", "exactly 1", false},
	{"version 1.74 stays", "version 1", false},
	{"waste is 5% here", "waste is 5", false},
	{"make it 40 attempts", "make it 4", false},
	{"make it 4.", "make it 4", true},
	{"the bug is in retry.go here", "the bug is in retry", false},
	{"the bug is in retry. Fix it", "the bug is in retry", true},
	{"see lib/retry/x.go first", "retry/x.go first", false},
	{"see lib/retry/x.go first", "see lib/retry", false},
	{"it is read-only for now", "it is read", false},
	{"it is non-negotiable here", "negotiable here", false},
	{"if !ready then stop", "ready then stop", false},
	{"一律不能删除原始文件", "能删除原始文件", false},
	{"一律不能删除原始文件", "不能删除原始文件", true},
	{"テストは通っていない", "テストは通って", false},
	{"テストは通っていない", "テストは通っていない", true},
	{"테스트가 통과하지 않는다", "테스트가 통과하", false},
	{"- one\n- two\n- three", "one two three", true},
	{"1. one\n2. two", "one two", true},
	{"Ways:\n1. one\n2. two", "Ways: 1. one 2. two", true},
	{"make it 5. Then ship", "make it 6. Then ship", false},
	{"make it 5. Then ship", "6. Then ship", false},
	{"make it 5. Then ship", "5. Then ship", true},
	{"first part, some more, last part", "first part … last part", true},
	{"first part, some more, last part", "last part ... first part", false},
	{"first part, some more, last part", "first part … nope … last part", false},
	{"first part, so on, last part", "first part … so … last part", true},
	{"first part, sooner, last part", "first part … so … last part", false},
	{"keep a.... then b", "keep a.... then b", true},
	{"the key is [redacted:aws] for now", "the key is [redacted:aws] for now", true},
	{"the key is [redacted:aws-key] for now", "the key is [redacted:x] for now", true},
	{"the key is [redacted:aws] for now", "The  key is **[redacted:aws]**", true},
	{"the key is in the vault for now", "the key is [redacted:aws] for now", false},
	{"the key is [redacted:aws] for now", "the key is [redacted:aws] [redacted:aws] for now", false},
	{"the key is [redacted:aws] for now", "the key is for now", false},
	{"the key is [redacted:aws] for now", "[redacted:aws]", false},
	{"We will not deploy on Friday", "We will ... deploy on Friday", false},
	{"We will surely deploy on Friday", "We will ... deploy on Friday", true},
	{"We will, as I said, never deploy on Friday", "We will … deploy on Friday", false},
	{"We'll go. Please don't ever deploy on Friday", "We'll go … deploy on Friday", false},
	{"We can't stay, so we go and then deploy on Friday", "We … deploy on Friday", true}, // the second we
	{"You can't stay, so we go and then deploy on Friday", "You … deploy on Friday", false},
	{"We go, they do not care, and then deploy on Friday", "We go … deploy on Friday", true},
	{"We will not deploy on Monday. We will surely deploy on Friday", "We will … deploy on Friday", true},
	{"We go. No deploys for days. Then deploy on Friday", "We go. … deploy on Friday", true},
	{"Wir werden am Freitag nicht mehr ausrollen", "Wir werden … ausrollen", false},
	{"Wir werden am Freitag noch ausrollen", "Wir werden … ausrollen", true},
	{"Nous ne voulons pas du tout déployer", "Nous … voulons", false},
	{"No vamos, nunca, a desplegar eso", "vamos … a desplegar eso", false},
	{"мы больше не будем выпускать в пятницу", "мы больше … будем выпускать в пятницу", false},
	{"мы в пятницу будем выпускать новую версию", "мы … будем выпускать новую версию", true},
	{"我们周五不会部署新版本", "我们周五…部署新版本", false},
	{"我们周五一定会部署新版本", "我们周五…部署新版本", true},
	{"우리는 금요일에 절대 안 배포 합니다", "우리는 금요일에 … 배포 합니다", false},
	{"anything", "…", false},
	{"anything", "[redacted:aws]", false},
	{"anything", "** — **", false},
	{"user: yes", "user: yes", true},
	{"user: yes", "yes", false},
	{"yes", "user: yes", false},
}

func TestMatching(t *testing.T) {
	for _, tt := range matching {
		got, _ := verify(t, transcript(said("m", doc.Assistant, tt.body)), item(doc.Verbatim, tt.quote, "m"))
		if got.True(verifiedField) != tt.want || (got.Trust() == doc.Verbatim) != tt.want {
			t.Errorf("%q in %q: %s, want %v", tt.quote, tt.body, got.Bytes(), tt.want)
		}
	}
}

func TestCitations(t *testing.T) {
	echo := printed("e", "")
	echo.Echo = true
	tr := transcript(
		said("u1", doc.User, "we keep the budget per host"),
		said("a1", doc.Assistant, "I would keep the fallback queue, then drop the oldest"),
		printed("t1", "ok  example/retry  0.2s"),
		said("u2", doc.User, "use four attempts for now"),
		said("u3", doc.User, "use four attempts for now. and log it"),
		echo,
		said("u4", doc.User, "a vendor writes:\n> always retry fifty times in a row\nno way"),
		printed("t2", "nothing to see in here"),
	)
	for _, tt := range []struct {
		name   string
		item   *doc.Entry
		ids    string
		reason string // "" when kept
		by     string
	}{
		{"cited", item(doc.Verbatim, "the budget per host", "u1"), `["u1"]`, "", "user"},
		{"marker", item(doc.Verbatim, "the budget per host", "[m1]"), `["u1"]`, "", "user"},
		{"bare marker", item(doc.Verbatim, "the budget per host", " m1 ", "m1", "nope", "m99"), `["u1"]`, "", "user"},
		{"with evidence", item(doc.Verbatim, "the budget per host", "u1", "t1"), `["u1","t1"]`, "", "user"},
		{"wrong message", item(doc.Verbatim, "the budget per host", "u2"), `["u1"]`, "", "user"},
		{"wrong message, evidence stays", item(doc.Verbatim, "the budget per host", "u2", "t1"), `["u1","t1"]`, "", "user"},
		{"wrong message, two hold it", item(doc.Verbatim, "use four attempts", "u1"), ``, "", "user"},
		{"wrong speaker", item(doc.Verbatim, "drop the oldest", "u1"), ``, WrongSpeaker, ""},
		{"passed on, cited elsewhere", item(doc.Verbatim, "always retry fifty times", "u1"), ``, WrongSpeaker, ""},
		{"passed on, cited", item(doc.Verbatim, "always retry fifty times", "u4"), `["u4"]`, "", ""},
		{"uncited", item(doc.Verbatim, "the budget per host"), ``, "", "user"},
		{"uncited, printed only", item(doc.Verbatim, "ok example/retry"), ``, WrongSpeaker, ""},
		{"printed, cited", item(doc.Verbatim, "ok example/retry", "t1"), `["t1"]`, "", "tool"},
		{"printed, other result cited", item(doc.Verbatim, "ok example/retry", "t2"), `["t1","t2"]`, "", "tool"},
		{"said, result cited", item(doc.Verbatim, "the budget per host", "t1"), `["t1"]`, "", "user"},
		{"nowhere", item(doc.Verbatim, "the budget per planet", "u1", "t1"), ``, NotFound, ""},
		{"echo", item(doc.Verbatim, "the budget per planet", "e"), ``, EchoOnly, ""},
		{"echo cited, words elsewhere", item(doc.Verbatim, "the budget per host", "e"), `["e"]`, "", "user"},
		{"short, uncited", item(doc.Verbatim, "log it"), ``, NotFound, ""},
		{"short, cited, a part", item(doc.Verbatim, "log it", "u3"), ``, NotFound, ""},
		{"short, cited, a line", item(doc.Verbatim, "No way", "u4"), `["u4"]`, "", "user"},
		{"a part passed on", item(doc.Verbatim, "a vendor writes … always retry fifty times", "u4"), `["u4"]`, "", ""},
		{"a line passed on inside", item(doc.Verbatim, "a vendor writes: > always retry fifty times in a row no way", "u4"), `["u4"]`, "", ""},
		{"own words around it", item(doc.Verbatim, "a vendor writes … no way", "u4"), `["u4"]`, "", "user"},
		{"two messages of one role", item(doc.Verbatim, "the budget per host … and log it", "u3", "u1"), `["u3","u1"]`, "", "user"},
		{"two messages, no ellipsis", item(doc.Verbatim, "the budget per host use four", "u1", "u2"), ``, NotFound, ""},
		{"two speakers", item(doc.Verbatim, "the budget per host … drop the oldest", "u1", "a1"), ``, NotFound, ""},
	} {
		got, r := verify(t, tr, tt.item)
		reason := ""
		if len(r.Downgraded) > 0 {
			reason = r.Downgraded[0].Reason
		}
		if reason != tt.reason || got.Get(idsField).Raw != tt.ids || got.Str(saidField) != tt.by ||
			got.True(verifiedField) != (tt.reason == "") || got.Str("quote_provenance.reason") != tt.reason ||
			got.True(echoField) != (tt.reason == EchoOnly) {
			t.Errorf("%s: reason %q, want %q: %s", tt.name, reason, tt.reason, got.Bytes())
		}
	}
}

func TestReceipt(t *testing.T) {
	tr := transcript(said("u1", doc.User, "# Plan\n\nwe *keep* café “open”, always"), said("u2", doc.User, "and log it too"))
	e, _ := verify(t, tr, item(doc.Verbatim, `we keep CAFÉ "open" … log it too`, "u1", "u2"))
	frags := e.Get("quote_provenance.fragments").Array()
	if len(frags) != 2 || !e.True("quote_provenance.cross_message") {
		t.Fatalf("fragments: %s", e.Bytes())
	}
	for i, want := range []string{"we *keep* café “open”", "log it too"} {
		m := tr.Find(frags[i].Get("message_id").Str)
		if got := m.Text[frags[i].Get("start").Int():frags[i].Get("end").Int()]; got != want {
			t.Errorf("fragment %d is %q, want %q", i, got, want)
		}
	}
	if e.Str("last_verified") != "2026-01-02T03:04:05Z" || e.Str("quote_provenance.digest.value") != strings.Repeat("a", 64) {
		t.Errorf("receipt: %s", e.Bytes())
	}
	c := doc.NewCheckpoint()
	c.SetItems(doc.Lists[1], []*doc.Entry{item(doc.Verbatim, "we keep café", "u1")})
	if Verify(c, tr, ""); c.Items(doc.Lists[1])[0].Has("last_verified") {
		t.Error("last_verified without a stamp")
	}
}

func TestInferredIsNotTouched(t *testing.T) {
	tr := transcript(said("u1", doc.User, "we keep it"), printed("t1", "ok"))
	e, r := verify(t, tr, item(doc.Inferred, "we keep it", "u1", "t1"))
	if string(e.Bytes()) != `{"text":"what was said","trust":"inferred","quote":"we keep it","source_message_ids":["t1"]}` || r.Verified != 0 {
		t.Errorf("inferred: %s", e.Bytes())
	}
	e = item(doc.Inferred, "we keep it")
	e.Set(verifiedField, false)
	if e, _ = verify(t, tr, e); !e.False(verifiedField) || e.Trust() != doc.Inferred {
		t.Errorf("a refusal is forgotten: %s", e.Bytes())
	}
}

func TestManySources(t *testing.T) {
	var msgs []doc.Message
	var ids []string
	for i := range 100 {
		id := strings.Repeat("x", i+1)
		ids = append(ids, id)
		msgs = append(msgs, said(id, doc.User, "the same words again"))
	}
	e, _ := verify(t, transcript(msgs...), item(doc.Verbatim, "the same words again", ids...))
	if n := len(e.Strs(idsField)); n != maxSources {
		t.Errorf("%d sources kept", n)
	}
}
