package surface

import "testing"

func TestMatch(t *testing.T) {
	for rel, want := range map[string]Reach{
		"checkpoints/s1.json": Rewrite, "checkpoints/latest.json": Rewrite, "checkpoints/-w-a/latest.json": Rewrite, "checkpoints/-w-a/prev-12.json": Rewrite,
		"checkpoints/-w-a/events.jsonl": Scrub, "checkpoints/-w-a/verification.jsonl": None, "checkpoints/-w-a/trust.jsonl": Scrub,
		"checkpoints/-w-a/latest.json.12.99.tmp": Staged, "checkpoints/.pointer.lock": None, "recall.db": Rebuild, "recall.db.77.tmp": Rebuild,
		"spool/ab/job": None, "spool/ab/transcript.jsonl": Purge, "spool/ab/1-candidate.json.part": Purge, "spool/.lock": None, "cache/a/b/c": Purge,
		"logs/hooks.log": Lines, "logs/capture.log": Empty,
		"": "", "notes.txt": "", "recall.db.bak.tmp": "", "checkpoints/-w-a/prev-x.json": "", "checkpoints/-w-a/other.json": "", "checkpoints/-w-a/deep/x.json": "",
		"checkpoints": "", "spool": "", "cache": "", "logs/x/y.log": "", "recall.db-wal": "",
	} {
		s, ok := Match(rel)
		if s.Reach != want || ok != (want != "") {
			t.Errorf("%s: %q %v, want %q", rel, s.Reach, ok, want)
		}
	}
}

// What can hold words must be reachable, and nothing else may be exempt.
func TestEveryShapeIsReached(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range Shapes {
		if s.Words == (s.Reach == None) || s.Writer == "" || seen[s.Pattern] {
			t.Errorf("%+v", s)
		}
		seen[s.Pattern] = true
	}
}
