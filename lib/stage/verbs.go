package stage

// Verb is one binary of the family, with the line that says what it is for.
type Verb struct{ Name, Summary string }

// Verbs are the binaries in the order in which the README and help list them.
var Verbs = []Verb{
	{"normalize", "Turn a host's session file into a transcript."},
	{"extract", "Turn a transcript into a candidate checkpoint."},
	{"verify", "Judge a candidate's quotes against the transcript."},
	{"ground", "Judge a candidate's outcomes against tool results."},
	{"carry", "Take over open items from the previous checkpoint."},
	{"admit", "Recompute every judgement, redact, and write the checkpoint."},
	{"index", "Refresh the search index, or search it."},
	{"brief", "Print the briefing for a new session."},
	{"forget", "Remove a value and keep it from coming back."},
	{"hook", "Do for the hook scripts what sh cannot."},
}

// Summary is the line of a binary by its full name, or "".
func Summary(name string) string {
	if name == "daimon" {
		return "Session-boundary memory for coding agents."
	}
	for _, v := range Verbs {
		if "daimon-"+v.Name == name {
			return v.Summary
		}
	}
	return ""
}
