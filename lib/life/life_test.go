package life

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"
	"pgregory.net/rapid"

	"daimon/lib/canon"
	"daimon/lib/doc"
	"daimon/lib/fault"
	"daimon/lib/ledger"
	"daimon/lib/store"
)

func fold(lines ...string) *State {
	rows, _ := ledger.Parse([]byte(strings.Join(lines, "\n")))
	return Fold(rows)
}

func row(ts, ref, status string) string {
	return fmt.Sprintf(`{"ts":%q,"kind":"resolution","item_ref":%q,"status":%q,"source":"cli"}`, ts, ref, status)
}

const (
	early = "2026-01-01T00:00:00Z"
	late  = "2026-01-02T00:00:00Z"
)

func TestLiveness(t *testing.T) {
	if fold().Resolved("o-1") {
		t.Error("no event resolves")
	}
	for status, resolved := range map[string]bool{
		"reopened": false, "Reopen:x": false, "reopened:unforget": false, "supersede-candidate:r-1": false,
		"corroborated-by:s": false, "resolving-candidate": false,
		"resolved": true, "": true, "wat": true, "superseded-by:x": true, "forgotten:abc": true,
		"resolved-agent-verified": true,
	} {
		if got := fold(row(early, "o-1", status)).Resolved("o-1"); got != resolved {
			t.Errorf("%q: resolved %v", status, got)
		}
	}
}

func TestLatestWins(t *testing.T) {
	for _, tc := range []struct{ name, a, b, want string }{
		{"later stamp", row(late, "o-1", "resolved"), row(early, "o-1", "reopened"), "resolved"},
		{"later stamp, other order", row(early, "o-1", "resolved"), row(late, "o-1", "reopened"), "reopened"},
		{"equal stamps: reopen", row(early, "o-1", "reopened"), row(early, "o-1", "resolved"), "reopened"},
		{"equal stamps: guess loses", row(early, "o-1", "supersede-candidate:r-2"), row(early, "o-1", "wat"), "wat"},
		{"equal weight: greater JSON", row(early, "o-1", "a"), row(early, "o-1", "b"), "b"},
		{"no stamp never displaces", row(early, "o-1", "resolved"), row("", "o-1", "reopened"), "resolved"},
		{"bad stamp never displaces", row(early, "o-1", "resolved"), row("zzz", "o-1", "reopened"), "resolved"},
	} {
		for _, s := range []*State{fold(tc.a, tc.b), fold(tc.b, tc.a)} {
			if got := s.Status("o-1"); got != tc.want {
				t.Errorf("%s: %q", tc.name, got)
			}
		}
	}
}

func TestForgotten(t *testing.T) {
	by := By{At: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Channel: "cli-tty", Author: "dev"}
	lines := []string{}
	for _, r := range Tombstones(by, canon.Key("The secret plan"), []string{"o-000001", "r-000002"}, "asked to") {
		b, _ := doc.Marshal(r)
		lines = append(lines, string(b))
	}
	if len(lines) != 3 || strings.Contains(strings.Join(lines, ""), "secret") {
		t.Fatalf("rows %v", lines)
	}
	s := fold(lines...)
	if !s.IsForgotten("the  SECRET plan") || !s.IsForgotten("- “The secret plan.”") || !s.IsForgotten("Hm. The secret plan! Yes") ||
		s.IsForgotten("the secret plan b") || s.IsForgotten("") || !s.ForgottenID("o-000001") || !s.Resolved("r-000002") {
		t.Errorf("state %+v", s)
	}
	// Reopening items does not bring the value back: the key ref stands.
	s = fold(append(lines, row(late, "o-000001", "reopened"), row(late, "r-000002", "reopened"))...)
	if !s.IsForgotten("the secret plan") || s.ForgottenID("o-000001") || s.Resolved("o-000001") {
		t.Error("reopen lifted a forget")
	}
	refs := s.Tombstones(canon.Key("the secret plan"))
	if len(refs) != 1 || !strings.HasPrefix(refs[0], keyRef) {
		t.Fatalf("standing %v", refs)
	}
	if _, ok := s.Latest(refs[0]); ok || s.Resolved(refs[0]) {
		t.Error("the item fold shows a key ref")
	}
	s = fold(append(lines, row(late, "o-000001", "reopened:unforget"), row(late, "r-000002", "reopened:unforget"), row(late, refs[0], "reopened:unforget"))...)
	if s.IsForgotten("the secret plan") {
		t.Error("unforget of every ref did not lift")
	}
}

func TestSupersedeCandidate(t *testing.T) {
	by := By{At: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Channel: "mechanical", Author: "dev"}
	b, _ := doc.Marshal(Supersede(by, "r-00000a", "r-00000b", "old words"))
	s := fold(string(b))
	if s.SupersedeCandidate("r-00000a") != "r-00000b" || s.Resolved("r-00000a") || s.SupersedeCandidate("r-00000b") != "" {
		t.Errorf("%s", b)
	}
	if want := `{"ts":"2026-01-01T00:00:00Z","kind":"resolution","item_ref":"r-00000a","status":"supersede-candidate:r-00000b","source":"serializer","channel":"mechanical","author":"dev","item_text":"old words"}`; string(b) != want {
		t.Errorf("row %s", b)
	}
}

func TestOrderAndRepetitionDoNotMatter(t *testing.T) {
	gen := rapid.Custom(func(t *rapid.T) string {
		return row(rapid.SampledFrom([]string{early, late, "2026-01-01T02:00:00+02:00", "", "bad"}).Draw(t, "ts"),
			rapid.SampledFrom([]string{"o-1", "o-2", "forgotten-key:x", ""}).Draw(t, "ref"),
			rapid.SampledFrom([]string{"resolved", "reopened", "supersede-candidate:r-9", "forgotten:00aa", "x", ""}).Draw(t, "status"))
	})
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.SliceOfN(gen, 0, 8).Draw(t, "rows")
		other := rapid.Permutation(rows).Draw(t, "order")
		if len(rows) > 0 {
			other = append(other, rapid.SliceOf(rapid.SampledFrom(rows)).Draw(t, "again")...)
		}
		a, b := raws(fold(rows...)), raws(fold(other...))
		if !reflect.DeepEqual(a, b) || !reflect.DeepEqual(fold(rows...).keys, fold(other...).keys) {
			t.Fatalf("%v\n%v", a, b)
		}
	})
}

func raws(s *State) map[string]string {
	out := map[string]string{}
	for ref, r := range s.latest {
		out[ref] = string(sorted(r))
	}
	return out
}

func TestSortedKeys(t *testing.T) {
	got := string(sorted(gjson.Parse(`{"b":[{"z":1,"a":"é"}],"a b":2,"a":null}`)))
	if want := `{"a":null,"a b":2,"b":[{"a":"é","z":1}]}`; got != want {
		t.Errorf("got %s", got)
	}
}

func TestUnprovenEventsAreAnError(t *testing.T) {
	st := store.Open(t.TempDir())
	path := st.Ledger("-p", store.Events)
	if s, err := Read(st, "-p"); err != nil || s.Health.Class != ledger.Absent {
		t.Fatalf("absent: %v", err)
	}
	if err := ledger.Append(path, Row{TS: early, ItemRef: "o-1", Status: "resolved"}); err != nil {
		t.Fatal(err)
	}
	f, _ := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	fmt.Fprint(f, `{"torn`)
	if s, err := Read(st, "-p"); err != nil || s.Health.Class != ledger.Degraded || !s.Resolved("o-1") {
		t.Errorf("torn: %v", err)
	}
	fmt.Fprint(f, "\n<<<<<<< ours\n")
	f.Close()
	if _, err := Read(st, "-p"); fault.KindOf(err) != fault.TryLater {
		t.Errorf("garbage: %v", err)
	}
}

func TestPythonStore(t *testing.T) {
	home := filepath.Join("..", "..", "..", "shared", "data", "python-store")
	if _, err := os.Stat(home); err != nil {
		t.Skip("no Python store beside the checkout")
	}
	st := store.Open(home)
	slug := store.Slug("/home/dev/ledgerline")
	s, err := Read(st, slug)
	if err != nil {
		t.Fatal(err)
	}
	if !s.Resolved("o-16b003fe3998") || !s.ForgottenID("r-f9f25732d029") || !s.Forgotten()["01257d38415ae632"] || s.Resolved("o-e66538d046bd") {
		t.Errorf("state %+v", s)
	}
	latest, err := st.Latest(slug)
	if err != nil || latest.Str("session_id") != "pystore-0005" || len(st.Prev(slug)) != 2 {
		t.Fatalf("latest %v, %v", latest, err)
	}
	n := 0
	for _, err := range st.SessionsOf(slug) {
		if n++; err != nil {
			t.Error(err)
		}
	}
	if n != 5 {
		t.Errorf("%d sessions", n)
	}
}
