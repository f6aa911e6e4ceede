// Package pipeline documents how the stages compose, and replays sessions
// through the real binaries.
//
//	host session ─▶ normalize ─▶ transcript ─────┬─────────┬─────────────┐
//	                                 │           ▼         ▼             ▼
//	                              extract ─▶ verify ─▶ ground ─▶ carry ─▶ admit ─▶ index
//	                                                                      │
//	                                          brief ◀── view ◀── checkpoint files
//
// The evidence never passes through the extractor: the gates get the transcript
// as a file, and the last one recomputes what the others said. Its testdata
// holds txtar scripts, one a promise, and the sessions they replay.
package pipeline
