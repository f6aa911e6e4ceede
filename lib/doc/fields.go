package doc

// Type is what a field must hold.
type Type int

// The types of the field table.
const (
	String    Type = iota // a JSON string
	Int                   // a JSON number without fraction or exponent
	Bool                  // true or false
	Stamp                 // a string: a date, or a date and time, RFC 3339
	Object                // an object with the fields of Field.Fields
	Item                  // an object with the fields of ItemFields
	Items                 // a list of Item
	ItemsLax              // a list of Item or bare strings
	StringSet             // a list of strings; one bare string stands for a list of one
	LinkSet               // a list of objects with the fields of LinkFields
	Counts                // an object of integers
	Any                   // anything
)

// Owner says whose word a field is.
type Owner int

// The two owners. A code-owned field in a model's answer is no error; it just
// gets no vote.
const (
	Model Owner = iota
	Code
)

// Action is what happens to a value that is out of contract.
type Action int

// The five actions.
const (
	Reject Action = iota // the document is refused
	Clamp                // the value is brought into range
	Drop                 // the value is removed
	Pass                 // the value is kept as it is
	Strip                // the field is removed from what a model sent, whatever it holds
)

// Field is one row of the table.
type Field struct {
	Name     string
	Type     Type
	Required bool // absent is rejected
	Null     bool // null is accepted and kept
	Owner    Owner
	Bad      Action
	Enum     []string // the only strings allowed
	Min, Max int      // range of an Int, or longest String in characters
	Fields   []Field  // of an Object
	Doc      string   // one line for the schema
}

// CheckpointFields is every top-level field of a checkpoint.
var CheckpointFields = []Field{
	{Name: "session_id", Type: String, Owner: Code, Bad: Strip, Doc: "Host session this checkpoint was made from."},
	{Name: "created", Type: Stamp, Owner: Code, Bad: Strip, Doc: "End of the session, else when it was captured; UTC, seconds, Z."},
	{Name: "format_version", Type: String, Owner: Code, Bad: Strip, Doc: "Shape of the stored document."},
	{Name: "author", Type: String, Owner: Code, Bad: Strip, Doc: "Who ran the capture."},
	{Name: "project_slug", Type: String, Owner: Code, Bad: Strip, Doc: "Bucket of the project."},
	{Name: "project_name", Type: String, Owner: Code, Bad: Strip, Doc: "Last part of the project's path."},
	{Name: "git_branch", Type: String, Owner: Code, Bad: Strip, Doc: "Branch at the end of the session."},
	{Name: "transcript_hash", Type: String, Owner: Code, Bad: Strip, Doc: "SHA-256 of the host's session file, hex."},
	{Name: "source_ref", Type: Any, Owner: Code, Bad: Strip, Doc: "Host and session the evidence came from."},
	{Name: "receipts", Type: Bool, Owner: Code, Bad: Strip, Doc: "A signature sidecar exists."},
	{Name: "source", Type: String, Owner: Code, Bad: Strip, Doc: "How the document came in, where not from a capture."},
	{Name: "redactions", Type: Any, Owner: Code, Bad: Strip, Doc: "Secrets masked, count by kind."},
	{Name: "extraction_version", Type: Int, Owner: Code, Bad: Strip, Doc: "Version of the extraction contract."},
	{Name: "llm_backend", Type: String, Owner: Code, Bad: Strip, Doc: "Backend that was asked."},
	{Name: "llm_model", Type: String, Owner: Code, Bad: Strip, Doc: "Model that was asked for."},
	{Name: "llm_model_served", Type: Any, Owner: Code, Bad: Strip, Doc: "Model that answered."},
	{Name: "extractor", Type: String, Owner: Model, Bad: Drop, Max: 80, Doc: "What the extractor calls itself; a claim."},
	{Name: "working_context", Type: Object, Required: true, Bad: Reject, Fields: contextFields, Doc: "What the session was about."},
	{Name: "epistemic_snapshot", Type: Object, Required: true, Bad: Reject, Fields: snapshotFields, Doc: "What was believed and doubted."},
	{Name: "worker_queue", Type: Any, Bad: Pass, Doc: "Placeholder; stored, never shown."},
}

var contextFields = []Field{
	{Name: "active_topic", Type: Item, Required: true, Bad: Reject, Doc: "The one thing the session was about."},
	{Name: "open_questions", Type: Items, Required: true, Bad: Reject, Doc: "Unresolved at the end."},
	{Name: "recent_decisions", Type: Items, Required: true, Bad: Reject, Doc: "Choices taken, oldest first."},
}

var snapshotFields = []Field{
	{Name: "strong_beliefs", Type: Items, Bad: Reject, Doc: "Stated positions and rules."},
	{Name: "uncertainties", Type: Items, Bad: Reject, Doc: "Stated doubts."},
	{Name: "contradictions_flagged", Type: ItemsLax, Null: true, Bad: Drop, Doc: "Statements that cannot both hold."},
}

// ItemFields is every field of an item.
var ItemFields = []Field{
	{Name: "text", Type: String, Required: true, Bad: Reject, Doc: "The statement, in the session's language."},
	{Name: "trust", Type: String, Required: true, Bad: Reject, Enum: []string{"verbatim", "inferred"}, Doc: "verbatim: the quote is copied. inferred: a reading."},
	{Name: "quote", Type: String, Bad: Reject, Doc: "The words as they stand in the transcript; needed when verbatim."},
	{Name: "because", Type: String, Null: true, Bad: Reject, Doc: "The stated reason, one clause."},
	{Name: "importance", Type: Int, Bad: Clamp, Min: 1, Max: 10, Doc: "1 minor to 10 hard to reverse."},
	{Name: "scene", Type: String, Bad: Clamp, Max: 500, Doc: "Episodic context, one or two sentences."},
	{Name: "source_message_ids", Type: StringSet, Bad: Drop, Doc: "Ids of the messages this rests on."},
	{Name: "external_state", Type: Bool, Bad: Drop, Doc: "The answer may have changed outside the session."},
	{Name: "links", Type: LinkSet, Bad: Drop, Doc: "What this replaces."},
	{Name: "valid_from", Type: Stamp, Bad: Drop, Doc: "When it began to hold, if a cited message says so."},
	{Name: "valid_until", Type: Stamp, Bad: Drop, Doc: "When it ceased to hold, if a cited message says so."},
	{Name: "id", Type: String, Owner: Code, Bad: Strip, Doc: "Stable id within the project."},
	{Name: "first_seen", Type: Stamp, Owner: Code, Bad: Strip, Doc: "When it was first captured."},
	{Name: "last_verified", Type: Stamp, Owner: Code, Bad: Strip, Doc: "When its quote was last found."},
	{Name: "quote_verified", Type: Bool, Owner: Code, Bad: Strip, Doc: "Whether the quote was found."},
	{Name: "quote_provenance", Type: Any, Owner: Code, Bad: Strip, Doc: "Where the quote was found."},
	{Name: "quote_echo_only", Type: Bool, Owner: Code, Bad: Strip, Doc: "The cited message held only Daimon's own text."},
	{Name: "grounded", Type: Bool, Owner: Code, Bad: Strip, Doc: "A cited tool result shows the outcome."},
	{Name: "grounding", Type: Any, Owner: Code, Bad: Strip, Doc: "How the outcome was judged."},
	{Name: "stated_by", Type: String, Owner: Code, Bad: Strip, Enum: []string{"user", "assistant", "tool"}, Doc: "The one role that said the quote."},
	{Name: "carried_from", Type: String, Owner: Code, Bad: Strip, Doc: "Session an unresolved item was carried from."},
	{Name: "pinned", Type: Bool, Owner: Code, Bad: Strip, Doc: "A rule in the user's words, kept by code."},
	{Name: "origin_session", Type: String, Owner: Code, Bad: Strip, Doc: "Session that first captured it."},
	{Name: "origin_author", Type: String, Owner: Code, Bad: Strip, Doc: "Author of that session."},
	{Name: "preceding_tool_context", Type: Any, Owner: Code, Bad: Strip, Doc: "Tool result just before the words."},
	{Name: "restated_after_resolve", Type: Bool, Owner: Code, Bad: Strip, Doc: "Said again after it was closed."},
	{Name: "anchored_to", Type: Any, Owner: Code, Bad: Strip, Doc: "Code the item is tied to."},
	{Name: "receipt_hash", Type: String, Owner: Code, Bad: Strip, Doc: "Reserved."},
	{Name: "foreign_verbatim_claim", Type: Bool, Owner: Code, Bad: Strip, Doc: "Verbatim according to another author."},
}

// LinkFields is every field of a link between items.
var LinkFields = []Field{
	{Name: "type", Type: String, Required: true, Bad: Drop, Enum: []string{"supersedes"}, Doc: "Only supersedes is known."},
	{Name: "target", Type: String, Required: true, Bad: Drop, Doc: "An item id, or words that name the old item."},
}

// List is one place in a checkpoint where items stand.
type List struct {
	Section string // working_context or epistemic_snapshot
	Key     string // field name, as in the table
	Kind    string // short name: question, decision, belief, uncertainty, contradiction, topic
	Carries bool   // open items of it go on to the next session
}

// Path is the list's place in the document, dotted.
func (l List) Path() string { return l.Section + "." + l.Key }

// Prefix is the letter that item ids of this list begin with.
func (l List) Prefix() string { return l.Key[:1] }

// Topic is the single item a checkpoint has outside its lists.
var Topic = List{"working_context", "active_topic", "topic", false}

// Lists is the walk order of every reader and writer, the topic apart.
var Lists = []List{
	{"working_context", "open_questions", "question", true},
	{"working_context", "recent_decisions", "decision", true},
	{"epistemic_snapshot", "strong_beliefs", "belief", false},
	{"epistemic_snapshot", "uncertainties", "uncertainty", true},
	{"epistemic_snapshot", "contradictions_flagged", "contradiction", false},
}

// ListByKey finds a list by its field name.
func ListByKey(key string) (List, bool) {
	for _, l := range Lists {
		if l.Key == key {
			return l, true
		}
	}
	return List{}, false
}
