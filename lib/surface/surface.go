// Package surface declares every shape of file that is written below the data
// folder: who writes it, whether it can hold the words of a session, and how
// forgetting reaches it. A file that no row declares must not be written.
package surface

import (
	"path"
	"path/filepath"
	"strings"
)

// Reach is how a forgotten value leaves a file.
type Reach string

// The ways. Only [None] leaves a file as it is, and only files that hold no
// words may have it.
const (
	None    Reach = "none"    // holds no words of a session
	Rewrite Reach = "rewrite" // parsed, scrubbed and replaced
	Scrub   Reach = "scrub"   // a ledger: fields are scrubbed, rows and order stay
	Rebuild Reach = "rebuild" // derived: made anew
	Purge   Reach = "purge"   // cannot be searched by value: deleted whole
	Empty   Reach = "empty"   // the same, but others have it open: cut to nothing
	Lines   Reach = "lines"   // lines that hold the value are dropped
	Staged  Reach = "staged"  // a writer's temporary file: deleted when its writer is gone
)

// Shape is one kind of file. In Pattern * stands for anything in one part of the
// path, {n} for digits in a part, ** for any number of parts.
type Shape struct {
	Pattern string
	Writer  string
	Words   bool // can hold words of a session
	Reach   Reach
}

// Shapes are all of them; the first that matches counts.
var Shapes = []Shape{
	{"checkpoints/.pointer.lock", "store", false, None},
	{"checkpoints/*/.pointer.lock", "store", false, None},
	{"checkpoints/*/root", "admit", false, None}, // the project's folder
	{"checkpoints/*/events.jsonl", "admit, forget", true, Scrub},
	{"checkpoints/*/verification.jsonl", "admit", false, None},
	{"checkpoints/*/forget-hits.jsonl", "admit", false, None},
	{"checkpoints/*/latest.json", "admit, forget", true, Rewrite},
	{"checkpoints/*/prev-{n}.json", "admit, forget", true, Rewrite},
	{"checkpoints/*.json", "admit, forget", true, Rewrite},
	{"checkpoints/*.tmp", "store", true, Staged},
	{"checkpoints/*/*.tmp", "store", true, Staged},
	{"recall.db", "index", true, Rebuild},
	{"recall.db-journal", "index", true, Rebuild},
	{"recall.db.{n}.tmp", "index", true, Rebuild},
	{"recall.lock", "index", false, None},
	{"spool/.lock", "hook", false, None},
	{"spool/*/lock", "hook", false, None},
	{"spool/*/job", "hook", false, None}, // paths and ids
	{"spool/*/.job-*", "hook", false, None},
	{"spool/**", "capture", true, Purge},
	{"cache/**", "extract", true, Purge},
	{"logs/hooks.log", "hooks", true, Lines},
	{"logs/*.log", "capture", true, Empty},
	// Written by the Python Daimon in the same folders.
	{"checkpoints/*/*.jsonl", "other ledgers", true, Scrub},
	{"checkpoints/.chunk-cache/*", "other caches", true, Purge},
}

// Match finds the shape of a file by its path below the data folder.
func Match(rel string) (Shape, bool) {
	rel = filepath.ToSlash(rel)
	for _, s := range Shapes {
		if matches(strings.Split(s.Pattern, "/"), strings.Split(rel, "/")) {
			return s, true
		}
	}
	return Shape{}, false
}

func matches(pattern, parts []string) bool {
	for i, p := range pattern {
		switch {
		case p == "**":
			return len(parts) > i
		case i >= len(parts) || !matchPart(p, parts[i]):
			return false
		}
	}
	return len(pattern) == len(parts)
}

func matchPart(pattern, part string) bool {
	if before, after, ok := strings.Cut(pattern, "{n}"); ok {
		digits, found := strings.CutPrefix(part, before)
		digits, ended := strings.CutSuffix(digits, after)
		return found && ended && digits != "" && strings.Trim(digits, "0123456789") == ""
	}
	ok, err := path.Match(pattern, part)
	return ok && err == nil
}
