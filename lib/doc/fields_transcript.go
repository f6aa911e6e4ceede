package doc

// HeaderFields is every field of a transcript's header line.
var HeaderFields = []Field{
	{Name: "format", Type: String, Required: true, Enum: []string{TranscriptFormat}, Doc: "Marks the first line."},
	{Name: "host", Type: String, Required: true, Doc: "Agent host that wrote the session."},
	{Name: "host_version", Type: String, Doc: "Its version, where the session says."},
	{Name: "session_id", Type: String, Required: true, Doc: "The host's id of the session."},
	{Name: "cwd", Type: String, Doc: "Folder the session ran in."},
	{Name: "git_branch", Type: String, Doc: "Branch at the end of the session."},
	{Name: "start", Type: Stamp, Doc: "Earliest stamp of any row; UTC, seconds, Z."},
	{Name: "end", Type: Stamp, Doc: "Latest stamp of any row; UTC, seconds, Z."},
	{Name: "title", Type: String, Doc: "The host's title of the session."},
	{Name: "source_sha256", Type: String, Required: true, Doc: "SHA-256 of the session file, hex."},
	{Name: "source_bytes", Type: Int, Required: true, Doc: "Size of the session file."},
	{Name: "rows", Type: Int, Required: true, Doc: "Host rows read."},
	{Name: "kept", Type: Int, Required: true, Doc: "Messages that follow."},
	{Name: "excluded", Type: Counts, Doc: "Host rows left out, count by reason."},
	{Name: "redacted", Type: Counts, Doc: "Secrets masked, count by kind."},
}

// MessageFields is every field of a transcript's other lines.
var MessageFields = []Field{
	{Name: "id", Type: String, Required: true, Doc: "Stable id to cite."},
	{Name: "role", Type: String, Required: true, Enum: []string{User, Assistant, ToolRole}, Doc: "Who: a tool message is what a tool returned."},
	{Name: "at", Type: Stamp, Doc: "When; UTC."},
	{Name: "speaker", Type: String, Doc: "Finer than role, where the host tells."},
	{Name: "text", Type: String, Required: true, Doc: "The words, secrets masked, Daimon's own text removed."},
	{Name: "tool", Type: Object, Fields: toolFields, Doc: "What a tool message is the result of."},
	{Name: "cut", Type: Int, Doc: "Bytes of the text dropped by the payload cap."},
	{Name: "echo", Type: Bool, Doc: "Daimon's own text was removed; no evidence when a tool message."},
}

var toolFields = []Field{
	{Name: "name", Type: String, Doc: "Tool that was called."},
	{Name: "input", Type: String, Doc: "The command, else the input as JSON."},
	{Name: "status", Type: String, Required: true, Enum: []string{StatusOK, StatusError, StatusUnknown}, Doc: "How it ended."},
	{Name: "exit", Type: Int, Doc: "Exit status, where the host gives one."},
}
