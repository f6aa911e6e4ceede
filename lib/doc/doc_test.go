package doc

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestCanonical(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"white space goes", "{ \"a\" : [1, 2.50 ,null] }\n", `{"a":[1,2.50,null]}`},
		{"byte order mark goes", "\xef\xbb\xbf{}", `{}`},
		{"last of a doubled key wins, in its first place", `{"trust":"inferred","b":1,"trust":"verbatim"}`, `{"trust":"verbatim","b":1}`},
		{"a doubled key cannot hide behind an escape", `{"trust":"inferred","tr\u0075st":"verbatim"}`, `{"trust":"verbatim"}`},
		{"escapes are spelled out", `{"a":"\u0041\/\u00e9\u003c"}`, `{"a":"A/é<"}`},
		{"a lone surrogate is U+FFFD", `{"a":"x\ud800y"}`, `{"a":"x` + "\ufffd" + `y"}`},
		{"bad UTF-8 is U+FFFD", "{\"a\":\"x\xffy\"}", `{"a":"x\ufffdy"}`},
		{"key order stays", `{"b":1,"a":2}`, `{"b":1,"a":2}`},
	} {
		got, err := Canonical([]byte(c.in))
		if err != nil || !sameJSON(string(got), c.want) {
			t.Errorf("%s: Canonical(%q) = %s, %v; want %s", c.name, c.in, got, err, c.want)
		}
	}
	for _, in := range []string{``, `[]`, `1`, `{`, `{"a":1}{"b":2}`, `{"a":` + strings.Repeat("[", 70) + strings.Repeat("]", 70) + `}`} {
		if got, err := Canonical([]byte(in)); err == nil {
			t.Errorf("Canonical(%q) = %s, want an error", in, got)
		}
	}
	if _, err := Canonical([]byte(strings.Repeat("[", 10<<20))); err == nil {
		t.Error("ten million open brackets were accepted")
	}
}

// sameJSON compares bytes, except that U+FFFD may be written as an escape.
func sameJSON(got, want string) bool {
	return got == want || strings.ReplaceAll(got, `\ufffd`, "\ufffd") == strings.ReplaceAll(want, `\ufffd`, "\ufffd")
}

func FuzzCanonical(f *testing.F) {
	for _, s := range []string{`{"a":[1,{"b":"c\u0000"}]}`, `{"a":1,"a":2}`, `{"a":"\ud83d"}`, `{"":{"":[]}}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		once, err := Canonical(in)
		if err != nil {
			return
		}
		if !json.Valid(once) {
			t.Fatalf("Canonical(%q) = %q is no JSON", in, once)
		}
		twice, err := Canonical(once)
		if err != nil || string(twice) != string(once) {
			t.Fatalf("not canonical: %q then %q, %v", once, twice, err)
		}
		c := &Checkpoint{string(once)}
		Validate(c)
		StripCode(c)
		Normalise(c)
		if !json.Valid(c.Bytes()) {
			t.Fatalf("rebuilt into %q", c.raw)
		}
	})
}

const good = `{"working_context":{"active_topic":{"text":"t","trust":"inferred"},"open_questions":[],"recent_decisions":[
{"text":"a","trust":"verbatim","quote":"q"}]},"epistemic_snapshot":{}}`

func parse(t testing.TB, s string) *Checkpoint {
	t.Helper()
	c, err := ParseCheckpoint([]byte(s))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestValidateNamesFieldRowAndReasonInTableOrder(t *testing.T) {
	if got := Validate(parse(t, good)); len(got) != 0 {
		t.Errorf("a good candidate was rejected: %v", got)
	}
	bad := parse(t, `{"epistemic_snapshot":{"uncertainties":null,"strong_beliefs":[{"text":"b","trust":"Verbatim"}],"contradictions_flagged":5},
"working_context":{"recent_decisions":{"a":1},"open_questions":[{"text":"a","trust":"verbatim","quote":" "},7,{"text":null,"because":3,"trust":"inferred","quote":4}],
"active_topic":null}}`)
	want := []string{
		"working_context.active_topic: not an object",
		"working_context.open_questions[0].quote: verbatim without a quote",
		"working_context.open_questions[1]: not an object",
		"working_context.open_questions[2].text: not a string",
		"working_context.open_questions[2].quote: not a string",
		"working_context.open_questions[2].because: not a string",
		"working_context.recent_decisions: not a list",
		"epistemic_snapshot.strong_beliefs[0].trust: not one of verbatim, inferred",
		"epistemic_snapshot.uncertainties: not a list",
	}
	var got []string
	for _, r := range Validate(bad) {
		got = append(got, r.String())
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for field, doc := range map[string]string{
		"working_context":              `{"epistemic_snapshot":{}}`,
		"epistemic_snapshot":           `{"working_context":{"active_topic":{"text":"","trust":"inferred"},"open_questions":[],"recent_decisions":[]}}`,
		"working_context.active_topic": `{"working_context":{"open_questions":[],"recent_decisions":[]},"epistemic_snapshot":{}}`,
	} {
		got := Validate(parse(t, doc))
		if len(got) != 1 || got[0] != (Rejection{field, "missing"}) {
			t.Errorf("without %s: %v", field, got)
		}
	}
}

func TestStripLeavesTheModelOnlyItsOwn(t *testing.T) {
	c := parse(t, `{"session_id":"s","x_note":1,"invented":2,"worker_queue":[{"id":"keep"}],"extractor":"e/1",
"working_context":{"pinned":true,"x_w":1,"active_topic":{"text":"t","trust":"inferred","id":"o-1"},"open_questions":[],"recent_decisions":[
{"text":"a","trust":"verbatim","quote":"q","importance":5,"x_mine":{"id":1},"id":"r-000000","first_seen":"2026-01-01","quote_verified":true,
"grounded":true,"carried_from":"s0","pinned":true,"stated_by":"user","future_field":1,"links":[{"type":"supersedes","target":"b","id":"r-1","x_l":1}]}]},
"epistemic_snapshot":{"contradictions_flagged":["bare",{"text":"c","id":"c-1"}]}}`)
	StripCode(c)
	want := `{"x_note":1,"worker_queue":[{"id":"keep"}],"extractor":"e/1",` +
		`"working_context":{"x_w":1,"active_topic":{"text":"t","trust":"inferred"},"open_questions":[],"recent_decisions":[` +
		`{"text":"a","trust":"verbatim","quote":"q","importance":5,"x_mine":{"id":1},"links":[{"type":"supersedes","target":"b","x_l":1}]}]},` +
		`"epistemic_snapshot":{"contradictions_flagged":["bare",{"text":"c"}]}}`
	if string(c.Bytes()) != want {
		t.Errorf("got  %s\nwant %s", c.Bytes(), want)
	}
}

func TestNormalise(t *testing.T) {
	for _, c := range []struct{ field, in, want string }{
		{"importance", `0`, `1`}, {"importance", `-4`, `1`}, {"importance", `99`, `10`}, {"importance", `7`, `7`},
		{"importance", `7.5`, ``}, {"importance", `true`, ``}, {"importance", `"7"`, ``}, {"importance", `null`, ``}, {"importance", `1e1`, ``},
		{"scene", `"  "`, ``}, {"scene", `["x"]`, ``}, {"scene", `"by the lake"`, `"by the lake"`},
		{"scene", `"` + strings.Repeat("é", 600) + `"`, `"` + strings.Repeat("é", 500) + `"`},
		{"source_message_ids", `"m1"`, `["m1"]`}, {"source_message_ids", `["a",3,"b"]`, `["a","b"]`}, {"source_message_ids", `{"a":1}`, ``},
		{"external_state", `"yes"`, ``}, {"external_state", `false`, `false`},
		{"links", `[{"type":"supersedes","target":"x"},{"type":"likes","target":"x"},{"type":"supersedes"},{"type":"supersedes","target":" "},3]`, `[{"type":"supersedes","target":"x"}]`},
		{"links", `"x"`, ``},
		{"valid_from", `"2026-02-30"`, ``}, {"valid_from", `"2026-02-03"`, `"2026-02-03"`}, {"valid_until", `"2026-02-03T10:00:00+02:00"`, `"2026-02-03T10:00:00+02:00"`},
		{"because", `null`, `null`}, {"x_any", `{"a":[]}`, `{"a":[]}`}, {"quote_verified", `true`, `true`},
	} {
		e, err := ParseEntry(fmt.Appendf(nil, `{"text":"a","trust":"inferred",%q:%s}`, c.field, c.in))
		if err != nil {
			t.Fatal(err)
		}
		d := NewCheckpoint()
		d.SetItems(Lists[0], []*Entry{e})
		Normalise(d)
		got := d.Items(Lists[0])[0].Get(c.field).Raw
		if got != c.want {
			t.Errorf("%s: %s becomes %s, want %s", c.field, c.in, got, c.want)
		}
	}
	d := parse(t, `{"worker_queue":5,"epistemic_snapshot":{"contradictions_flagged":7},"extractor":9}`)
	Normalise(d)
	if got := string(d.Bytes()); got != `{"worker_queue":5,"epistemic_snapshot":{}}` {
		t.Errorf("top level became %s", got)
	}
}

func TestStripAndNormaliseAreIdempotent(t *testing.T) {
	keys := []string{"text", "trust", "quote", "importance", "id", "x_a", "links", "scene", "source_message_ids", "grounded"}
	vals := []string{`"verbatim"`, `""`, `12`, `-1.5`, `null`, `["a",1]`, `{"type":"supersedes","target":"t"}`, `[{"type":"supersedes","target":"t"}]`, `true`}
	rapid.Check(t, func(t *rapid.T) {
		fields := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string {
			return fmt.Sprintf("%q:%s", rapid.SampledFrom(keys).Draw(t, "key"), rapid.SampledFrom(vals).Draw(t, "val"))
		}), 0, 8).Draw(t, "fields")
		e, err := ParseEntry([]byte("{" + strings.Join(fields, ",") + "}"))
		if err != nil {
			t.Fatal(err)
		}
		c := NewCheckpoint()
		c.SetItems(Lists[1], []*Entry{e})
		StripCode(c)
		Normalise(c)
		once := string(c.Bytes())
		StripCode(c)
		Normalise(c)
		if once != string(c.Bytes()) {
			t.Fatalf("%s then %s", once, c.Bytes())
		}
	})
}

func TestWalkEditsDropsAndKeepsBareStrings(t *testing.T) {
	c := parse(t, `{"future":{"a":1},"working_context":{"active_topic":{"text":"t","trust":"inferred","y":1},"open_questions":[{"text":"a","z":[1]},{"text":"b"}],"recent_decisions":"odd"},
"epistemic_snapshot":{"contradictions_flagged":["bare","other"]}}`)
	c.Walk(func(l List, e *Entry) bool {
		if e.Text() == "other" {
			e.Set("text", "changed")
		}
		return e.Text() != "b"
	})
	want := `{"future":{"a":1},"working_context":{"active_topic":{"text":"t","trust":"inferred","y":1},"open_questions":[{"text":"a","z":[1]}],"recent_decisions":"odd"},` +
		`"epistemic_snapshot":{"contradictions_flagged":["bare",{"text":"changed"}]}}`
	if string(c.Bytes()) != want {
		t.Errorf("got  %s\nwant %s", c.Bytes(), want)
	}
}
