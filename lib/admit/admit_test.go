package admit

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"daimon/lib/canon"
	"daimon/lib/carry"
	"daimon/lib/doc"
	"daimon/lib/ledger"
	"daimon/lib/life"
)

var (
	now  = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	opts = Options{Slug: "-w-proj", Name: "proj", Author: "dev", Now: now}
)

// talk is the evidence of every test here.
func talk() *doc.Transcript {
	return doc.NewTranscript(doc.Header{
		Format: doc.TranscriptFormat, Host: "claude-code", SessionID: "s2", Branch: "main",
		Start: "2026-05-02T09:00:00Z", End: "2026-05-02T10:00:00Z", SHA256: strings.Repeat("ab", 32),
	}, []doc.Message{
		{ID: "m-1", Role: doc.User, Text: "We keep the skip history in SQLite, one file, one backup."},
		{ID: "m-2", Role: doc.Assistant, Text: "Understood. The importer reads the stations one by one."},
		{ID: "m-3", Role: doc.User, Text: "Never write a partial table for a station."},
	})
}

func candidate(t *testing.T, lists map[string]string) *doc.Checkpoint {
	t.Helper()
	c := doc.NewCheckpoint()
	for path, items := range lists {
		c.SetRaw(path, []byte(items))
	}
	out, err := doc.ParseCheckpoint(c.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if bad := doc.Validate(out); len(bad) > 0 {
		t.Fatal(bad)
	}
	return out
}

const decisions = "working_context.recent_decisions"

func decision(t *testing.T, item string) *doc.Checkpoint {
	return candidate(t, map[string]string{decisions: "[" + item + "]"})
}

func first(c *doc.Checkpoint, path string) gjson.Result { return c.Get(path + ".0") }

const honest = `{"text":"Skips live in SQLite.","trust":"verbatim","quote":"keep the skip history in SQLite","source_message_ids":["m-1"]}`

func TestHonestItemPasses(t *testing.T) {
	r := Recompute(decision(t, honest), talk(), nil, opts)
	e := first(r.Doc, decisions)
	for path, want := range map[string]string{
		"trust": "verbatim", "quote_verified": "true", "stated_by": "user", "first_seen": "2026-05-02T10:00:00Z",
		"last_verified": "2026-05-02T10:00:00Z", "origin_session": "s2", "origin_author": "dev",
		"id": canon.ID("recent_decisions", "Skips live in SQLite.", func(string) bool { return false }),
	} {
		if got := e.Get(path).String(); got != want {
			t.Errorf("%s = %q, want %q", path, got, want)
		}
	}
	for path, want := range map[string]string{
		"session_id": "s2", "created": "2026-05-02T10:00:00Z", "format_version": doc.FormatVersion, "author": "dev",
		"project_slug": "-w-proj", "project_name": "proj", "git_branch": "main", "transcript_hash": strings.Repeat("ab", 32),
		"source_ref.host": "claude-code",
	} {
		if got := r.Doc.Str(path); got != want {
			t.Errorf("%s = %q, want %q", path, got, want)
		}
	}
	if len(r.Downgraded) != 0 {
		t.Errorf("judged against: %v", r.Downgraded)
	}
	// The user's rule is pinned though no gate ran before.
	if pin := first(r.Doc, "epistemic_snapshot.strong_beliefs"); !pin.Get("pinned").Bool() || pin.Get("id").Str == "" {
		t.Errorf("pin %s", pin.Raw)
	}
}

// claims are the fields a hostile candidate may add; none may survive as claimed.
var claims = map[string]string{
	"quote_verified": "true", "last_verified": `"2030-01-01T00:00:00Z"`, "quote_provenance": `{"outcome":"verified"}`,
	"grounded": "true", "grounding": `{"status":"shown"}`, "stated_by": `"user"`, "id": `"r-0123456789ab"`,
	"first_seen": `"2020-01-01T00:00:00Z"`, "carried_from": `"s1"`, "pinned": "true", "origin_session": `"s1"`,
	"origin_author": `"boss"`, "preceding_tool_context": `"ok"`, "restated_after_resolve": "true",
	"anchored_to": `{"file":"a"}`, "receipt_hash": `"x"`,
}

func TestEachClaimGainsNothing(t *testing.T) {
	const lie = `"text":"It runs on three hosts.","trust":"verbatim","quote":"it runs on three hosts from now on","source_message_ids":["m-1"]`
	plain := first(Recompute(decision(t, "{"+lie+"}"), talk(), nil, opts).Doc, decisions)
	for field, value := range claims {
		t.Run(field, func(t *testing.T) {
			r := Recompute(decision(t, fmt.Sprintf(`{%s,%q:%s}`, lie, field, value)), talk(), nil, opts)
			if got := first(r.Doc, decisions); got.Raw != plain.Raw {
				t.Errorf("got  %s\nwant %s", got.Raw, plain.Raw)
			}
			if !told(r, CheckClaim, ClaimedMore) || !told(r, CheckQuote, "quote-not-in-transcript") {
				t.Errorf("judged against: %v", r.Downgraded)
			}
		})
	}
	if plain.Get("trust").Str != doc.Inferred || plain.Get("quote_verified").Raw != "false" || plain.Get("source_message_ids").Exists() {
		t.Errorf("plain lie stands as %s", plain.Raw)
	}
}

func told(r *Result, check, reason string) bool {
	for _, d := range r.Downgraded {
		if d.Check == check && d.Reason == reason {
			return true
		}
	}
	return false
}

// A document that went through the gates claims what is so: no row, same bytes.
func TestTrueClaimsAreNoLies(t *testing.T) {
	once := Recompute(decision(t, honest), talk(), nil, opts)
	again := Recompute(once.Doc, talk(), nil, opts)
	if string(once.Doc.Bytes()) != string(again.Doc.Bytes()) {
		t.Errorf("once  %s\ntwice %s", once.Doc.Bytes(), again.Doc.Bytes())
	}
	for _, d := range again.Downgraded {
		if d.ID != "" { // ids are only kept from a store
			t.Logf("%v", d)
		}
	}
	stored := Recompute(once.Doc, talk(), once.Doc, opts)
	if len(stored.Downgraded) != 0 || string(stored.Doc.Bytes()) != string(once.Doc.Bytes()) {
		t.Errorf("against itself: %v\n%s", stored.Downgraded, stored.Doc.Bytes())
	}
}

func TestStricterGateStands(t *testing.T) {
	for claim, want := range map[string]string{
		`"trust":"inferred"`:                           `[inferred null null]`,
		`"trust":"inferred","quote_verified":false`:    `[inferred false null]`,
		`"trust":"verbatim","quote_verified":false`:    `[inferred false null]`,
		`"trust":"verbatim","grounded":false`:          `[inferred true false]`,
		`"trust":"inferred","quote_verified":true`:     `[inferred true null]`,
		`"trust":"verbatim","quote_verified":true`:     `[verbatim true null]`,
		`"trust":"verbatim","quote_verified":"always"`: `[verbatim true null]`,
	} {
		r := Recompute(decision(t, `{"text":"Skips live in SQLite.","quote":"keep the skip history in SQLite","source_message_ids":["m-1"],`+claim+`}`), talk(), nil, opts)
		e := first(r.Doc, decisions)
		val := func(k string) any { return e.Get(k).Value() }
		if got := strings.ReplaceAll(fmt.Sprint([]any{val("trust"), val("quote_verified"), val("grounded")}), "<nil>", "null"); got != want {
			t.Errorf("%s: %s, want %s", claim, got, want)
		}
	}
}

func inStore(t *testing.T, items ...string) *doc.Checkpoint {
	t.Helper()
	c := decision(t, strings.Join(items, ","))
	c.Set("session_id", "s1")
	c.Set("created", "2026-05-01T10:00:00Z")
	return c
}

const (
	oldVerbatim = `{"text":"Stations are read hourly.","trust":"verbatim","quote":"read them every hour","source_message_ids":["z-9"],"quote_verified":true,"last_verified":"2026-05-01T10:00:00Z","quote_provenance":{"version":1},"id":"r-00000000000a","first_seen":"2026-04-01T00:00:00Z","origin_session":"s0","origin_author":"ann"}`
	oldInferred = `{"text":"The backup is nightly.","trust":"inferred","quote_verified":false,"quote":"nightly backup","id":"r-00000000000b","first_seen":"2026-04-02T00:00:00Z","origin_session":"s0"}`
)

func TestCarriedIsTheStoredItem(t *testing.T) {
	prev := inStore(t, oldVerbatim, oldInferred)
	var copies []string
	for _, e := range prev.Items(doc.Lists[1]) {
		copies = append(copies, string(carry.Copy(e, "s1").Bytes()))
	}
	r := Recompute(decision(t, strings.Join(copies, ",")), talk(), prev, opts)
	for i, want := range copies {
		if got := r.Doc.Get(fmt.Sprintf("%s.%d", decisions, i)).Raw; !strings.HasPrefix(got, want[:len(want)-1]) {
			t.Errorf("carried as %s\nwant       %s", got, want)
		}
	}
	if r.Carried != 2 || len(r.Downgraded) != 0 {
		t.Errorf("carried %d, against %v", r.Carried, r.Downgraded)
	}

	// One byte off, or a second copy of the same, and it is judged as new.
	for name, item := range map[string]string{
		"changed": strings.Replace(copies[0], "Stations are read hourly", "Deploys need no review", 1),
		"twice":   copies[0] + "," + copies[0],
		"moved":   strings.Replace(copies[0], `"carried_from":"s1"`, `"carried_from":"s9"`, 1),
	} {
		r := Recompute(decision(t, item), talk(), prev, opts)
		last := r.Doc.Items(doc.Lists[1])
		e := last[len(last)-1]
		switch name {
		case "moved": // still the stored words with the stored evidence
			if e.Trust() != doc.Verbatim || e.Has("carried_from") {
				t.Errorf("%s: %s", name, e.Bytes())
			}
		default:
			if e.Trust() != doc.Inferred || !e.False("quote_verified") || e.ID() == "r-00000000000a" || e.Str("origin_session") != "s2" {
				t.Errorf("%s: %s", name, e.Bytes())
			}
		}
		if !told(r, CheckClaim, ClaimedMore) && name != "moved" {
			t.Errorf("%s: against %v", name, r.Downgraded)
		}
	}
}

func TestIdentityComesFromTheStore(t *testing.T) {
	prev := inStore(t, oldInferred)
	item := func(text, id string) string {
		return fmt.Sprintf(`{"text":%q,"trust":"inferred","id":%q,"first_seen":"2019-01-01T00:00:00Z","origin_session":"s7"}`, text, id)
	}
	for _, tc := range []struct{ name, list, item, id, seen, origin string }{
		{"same text", decisions, item("The backup is nightly.", "r-00000000000b"), "r-00000000000b", "2026-04-02T00:00:00Z", "s0"},
		{"the same statement", decisions, item("Nightly backup", "r-00000000000b"), "r-00000000000b", "2026-04-02T00:00:00Z", "s0"},
		{"the opposite", decisions, item("The backup is not nightly.", "r-00000000000b"), "", "2026-05-02T10:00:00Z", "s2"},
		{"its words among many", decisions, item("Drop the nightly backup and wipe every table of production.", "r-00000000000b"), "", "2026-05-02T10:00:00Z", "s2"},
		{"another claim under that id", decisions, item("Deploys need no review at all.", "r-00000000000b"), "", "2026-05-02T10:00:00Z", "s2"},
		{"an id nobody has", decisions, item("The backup is nightly.", "r-00000000000c"), "", "2026-04-02T00:00:00Z", "s2"},
		{"another list", "working_context.open_questions", item("The backup is nightly.", "r-00000000000b"), "", "2026-04-02T00:00:00Z", "s2"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := Recompute(candidate(t, map[string]string{tc.list: "[" + tc.item + "]"}), talk(), prev, opts)
			e := first(r.Doc, tc.list)
			if id := e.Get("id").Str; tc.id != "" && id != tc.id || tc.id == "" && (id == "r-00000000000b" || id == "r-00000000000c" || id == "") {
				t.Errorf("id %s", id)
			}
			if honoured := e.Get("id").Str == "r-00000000000b"; told(r, CheckClaim, ClaimedMore) == honoured && tc.name != "same text" && tc.name != "the same statement" {
				t.Errorf("honoured %v, against %v", honoured, r.Downgraded)
			}
			if e.Get("first_seen").Str != tc.seen || e.Get("origin_session").Str != tc.origin {
				t.Errorf("item %s", e.Raw)
			}
		})
	}
}

func forgetting(values ...string) *life.State {
	var lines []string
	for _, v := range values {
		for _, row := range life.Tombstones(life.By{At: now}, canon.Key(v), nil, "") {
			b, _ := json.Marshal(row)
			lines = append(lines, string(b))
		}
	}
	rows, _ := ledger.Parse([]byte(strings.Join(lines, "\n")))
	return life.Fold(rows)
}

func TestForgottenValuesStayOut(t *testing.T) {
	o := opts
	o.Life = forgetting("the gone value", "keep the skip history in SQLite")
	gone := "  The GONE\tvalue "
	c := candidate(t, map[string]string{
		decisions: fmt.Sprintf(`[%s,{"text":%q,"trust":"inferred"},{"text":"kept","trust":"inferred","because":%q,"scene":%[2]q,
			"links":[{"type":"supersedes","target":%[2]q},{"type":"supersedes","target":"r-000001"}],"later":{"deep":[%[2]q,"fine"],"the gone value":1},"":%[2]q}]`, honest, gone, gone),
		"epistemic_snapshot.contradictions_flagged": fmt.Sprintf(`[%q,"something else"]`, gone),
		"worker_queue": fmt.Sprintf(`[%q,{"a":%[1]q,"b":"stays"}]`, gone),
	})
	c.Set("working_context.active_topic.text", "The gone value")
	c.Set("working_context.notes", []string{gone, "note"})
	r := Recompute(c, talk(), nil, o)
	if text := strings.ToLower(string(r.Doc.Bytes())); strings.Contains(text, "gone") || strings.Contains(text, "keep the skip history") {
		t.Errorf("still there: %s", text)
	}
	items := r.Doc.Items(doc.Lists[1])
	if len(items) != 2 || r.Doc.Topic() != nil {
		t.Fatalf("items %s", r.Doc.Get(decisions).Raw)
	}
	if q := items[0]; q.Trust() != doc.Inferred || q.Has("quote_verified") || q.Has("quote_provenance") || q.Has("source_message_ids") || q.Has("stated_by") {
		t.Errorf("quote's receipts stand: %s", q.Bytes())
	}
	if k := items[1]; k.Has("because") || k.Has("scene") || k.Get("links.#").Int() != 1 || k.Get("later").Raw != `{"deep":["fine"]}` {
		t.Errorf("kept: %s", k.Bytes())
	}
	for _, want := range []string{`"something else"`, `{"b":"stays"}`, `["note"]`} {
		if !strings.Contains(string(r.Doc.Bytes()), want) {
			t.Errorf("%s went too: %s", want, r.Doc.Bytes())
		}
	}
	n := 0
	for _, d := range r.Dropped {
		if d.Reason == Forgotten {
			n++
		}
	}
	if n != 3 { // the decision, the contradiction and the topic
		t.Errorf("dropped %v", r.Dropped)
	}
	// A longer sentence that holds the value is another value.
	twin := Recompute(decision(t, `{"text":"the gone value is mentioned","trust":"inferred"}`), talk(), nil, o)
	if len(twin.Doc.Items(doc.Lists[1])) != 1 {
		t.Error("a value that merely contains it was dropped")
	}
}

func TestSupersedeCandidates(t *testing.T) {
	prev := inStore(t, oldVerbatim, oldInferred)
	prev.SetRaw("working_context.open_questions", []byte(`[{"text":"Are stations read hourly?","trust":"inferred","id":"o-00000000000a"}]`))
	const text = "The stations are read one by one."
	item := func(target string) string {
		return fmt.Sprintf(`{"text":%q,"trust":"verbatim","quote":"The importer reads the stations one by one","source_message_ids":["m-2"],
			"links":[{"type":"supersedes","target":%q},{"type":"supersedes","target":%[2]q}]}`, text, target)
	}
	spoken := func(source, status string) *life.State {
		rows, _ := ledger.Parse(fmt.Appendf(nil, `{"ts":"2026-05-01T00:00:00Z","item_ref":"r-00000000000a","status":%q,"source":%q}`, status, source))
		return life.Fold(rows)
	}
	id := canon.ID("recent_decisions", text, func(string) bool { return false })
	good := item("r-00000000000a")
	for _, tc := range []struct {
		name, item string
		life       *life.State
		want       int
	}{
		{"stored item", good, nil, 1},
		{"nothing stored", item("r-00000000000f"), nil, 0},
		{"words", item("Stations are read hourly."), nil, 0},
		{"another subject", item("r-00000000000b"), nil, 0},
		{"another list", item("o-00000000000a"), nil, 0},
		{"inferred", strings.Replace(good, "verbatim", "inferred", 1), nil, 0},
		{"no such quote", strings.Replace(good, "one by one\"", "two by two\"", 1), nil, 0},
		{"forgotten", good, forgetting("Stations are read hourly."), 0},
		{"a person spoke", good, spoken("cli-tty", "reopened"), 0},
		{"an earlier guess", good, spoken("serializer", "supersede-candidate:r-0000000000aa"), 1},
		{"the same guess", good, spoken("serializer", "supersede-candidate:"+id), 0},
	} {
		o := opts
		o.Life = tc.life
		r := Recompute(decision(t, tc.item), talk(), prev, o)
		if len(r.Supersedes) != tc.want {
			t.Errorf("%s: %v", tc.name, r.Supersedes)
		} else if tc.want == 1 && r.Supersedes[0] != (Supersede{"r-00000000000a", id, "Stations are read hourly."}) {
			t.Errorf("%s: %v", tc.name, r.Supersedes)
		}
	}
}

func TestLaxListAndOddFields(t *testing.T) {
	c := candidate(t, map[string]string{
		"epistemic_snapshot.contradictions_flagged": `["a bare one",7,{"text":3},{"text":"claims","trust":"verbatim"},null]`,
		decisions: `[{"text":"odd","trust":"inferred","":1,"a.b":"x","@this":2,":0":3,"importance":99,"x_mine":"y"}]`,
	})
	r := Recompute(c, talk(), nil, opts)
	flagged := r.Doc.Items(doc.Lists[4])
	if len(flagged) != 2 || flagged[0].ID() == "" || flagged[1].Trust() != doc.Inferred {
		t.Errorf("flagged %s", r.Doc.Get("epistemic_snapshot.contradictions_flagged").Raw)
	}
	var odd map[string]any
	if err := json.Unmarshal([]byte(first(r.Doc, decisions).Raw), &odd); err != nil {
		t.Fatal(err)
	}
	if odd["importance"] != 10.0 || odd[""] != 1.0 || odd["a.b"] != "x" || odd["@this"] != 2.0 || odd[":0"] != 3.0 || odd["x_mine"] != "y" {
		t.Errorf("odd %v", odd)
	}
}

func TestDocumentClaims(t *testing.T) {
	c := decision(t, honest)
	c.Set("session_id", "s2")
	if r := Recompute(c, talk(), nil, opts); told(r, CheckClaim, ClaimedMore) {
		t.Error("a true session_id is called a lie")
	}
	c.Set("created", "2031-01-01T00:00:00Z")
	c.Set("redactions", map[string]int{"made_up": 3})
	r := Recompute(c, talk(), nil, opts)
	if !told(r, CheckClaim, ClaimedMore) || r.Doc.Str("created") != "2026-05-02T10:00:00Z" || r.Doc.Get("redactions").Exists() {
		t.Errorf("against %v, %s", r.Downgraded, r.Doc.Bytes())
	}
}
