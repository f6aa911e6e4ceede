package scrub

import (
	"strings"
	"testing"

	"daimon/lib/canon"
	"daimon/lib/doc"
)

func is(values ...string) func(string) bool {
	return func(s string) bool {
		for _, v := range values {
			if canon.Key(s) == canon.Key(v) && canon.Key(s) != canon.EmptyKey {
				return true
			}
		}
		return false
	}
}

func TestEntry(t *testing.T) {
	const base = `{"text":"Keep","trust":"verbatim","quote":"the words","quote_verified":true,"last_verified":"2026-01-01T00:00:00Z",` +
		`"source_message_ids":["m1"],"quote_provenance":{"pieces":["the words"]},"because":"a reason","scene":"a scene",` +
		`"links":[{"type":"supersedes","target":"old plan"}],"x_note":{"deep":["one","two"]},"id":"r-aaaaaaaaaaaa"}`
	for _, c := range []struct {
		name, forget, want string
		keep               bool
	}{
		{"text", "KEEP", "", false},
		{"part of the text is not the value", "Kee", base, true},
		{"nothing", "absent", base, true},
		{"trust word", "verbatim", base, true},
		{"id", "r-aaaaaaaaaaaa", base, true},
		{"quote", "The  words", `{"text":"Keep","trust":"inferred","because":"a reason","scene":"a scene",` +
			`"links":[{"type":"supersedes","target":"old plan"}],"x_note":{"deep":["one","two"]},"id":"r-aaaaaaaaaaaa"}`, true},
		{"because", "a reason", strings.Replace(base, `"because":"a reason",`, "", 1), true},
		{"scene", "a scene", strings.Replace(base, `"scene":"a scene",`, "", 1), true},
		{"link", "old plan", strings.Replace(base, `"links":[{"type":"supersedes","target":"old plan"}],`, "", 1), true},
		{"unknown key", "deep", strings.Replace(base, `"deep":["one","two"]`, "", 1), true},
		{"known key", "quote", base, true},
		{"unknown field", "two", strings.Replace(base, `,"two"`, "", 1), true},
	} {
		e, err := doc.ParseEntry([]byte(base))
		if err != nil {
			t.Fatal(err)
		}
		keep, _ := Entry(e, is(c.forget))
		if keep != c.keep || keep && string(e.Bytes()) != c.want {
			t.Errorf("%s: keep %v\n got %s\nwant %s", c.name, keep, e.Bytes(), c.want)
		}
	}
}

func TestCheckpoint(t *testing.T) {
	c, err := doc.ParseCheckpoint([]byte(`{"session_id":"gone","working_context":{"active_topic":{"text":"gone","trust":"inferred"},` +
		`"open_questions":[{"text":"Gone","trust":"inferred","id":"o-1"},{"text":"stays","trust":"inferred","id":"o-2"},{"text":"by id","id":"o-3"}],` +
		`"recent_decisions":7},"epistemic_snapshot":{"contradictions_flagged":["gone","kept"]},"worker_queue":["gone",{"a":"gone","b":"kept"}],"x_top":"gone"}`))
	if err != nil {
		t.Fatal(err)
	}
	n := Checkpoint(c, is("gone"), func(id string) bool { return id == "o-3" })
	const want = `{"session_id":"gone","working_context":{"open_questions":[{"text":"stays","trust":"inferred","id":"o-2"}],` +
		`"recent_decisions":7},"epistemic_snapshot":{"contradictions_flagged":["kept"]},"worker_queue":[{"b":"kept"}]}`
	if string(c.Bytes()) != want || n != (Count{4, 3}) {
		t.Errorf("%+v\n got %s\nwant %s", n, c.Bytes(), want)
	}
	before := string(c.Bytes())
	if n := Checkpoint(c, is("gone"), nil); n.Any() || string(c.Bytes()) != before {
		t.Errorf("a second scrub changed %+v", n)
	}
}
