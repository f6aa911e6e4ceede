package admit

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tidwall/gjson"

	"daimon/lib/canon"
	"daimon/lib/doc"
	"daimon/lib/life"
	"daimon/lib/score"
)

// identify gives each item its id, origin and first sight, then brings its
// fields into the table's order, so that equal items have equal bytes. Ids are
// made from masked text.
func (r *run) identify() {
	taken := map[string]bool{}
	for _, s := range r.slots {
		if s.stored != nil && s.list != doc.Topic {
			taken[s.stored.ID()] = true
		}
	}
	for _, s := range r.slots {
		s.inherit()
		s.absent("first_seen", r.seen[s.item.Text()], r.created())
		if s.list != doc.Topic {
			s.absent("origin_session", r.t.SessionID)
			s.absent("origin_author", r.o.Author)
			if s.item.ID() == "" && strings.TrimSpace(s.item.Text()) != "" {
				id := canon.ID(s.list.Key, s.item.Text(), func(id string) bool { return taken[id] })
				taken[id] = true
				s.item.Set("id", id)
			}
		}
		if s.kind == fresh {
			s.compare(identityFields)
		}
		if s.kind != carried {
			s.item = ordered(s.item)
		}
	}
}

var identityFields = []string{"id", "first_seen", "carried_from", "origin_session", "origin_author"}

// inherit takes a fresh item's identity from the stored one it stands for. It
// comes from there, never from what the candidate said.
func (s *slot) inherit() {
	if s.kind != fresh || s.stored == nil {
		return
	}
	for _, f := range identityFields {
		if f != "carried_from" {
			s.item.CopyField(s.stored, f)
		}
	}
}

// absent sets a field to the first value that is not blank, unless it is there.
func (s *slot) absent(key string, values ...string) {
	if s.item.Has(key) {
		return
	}
	for _, v := range values {
		if strings.TrimSpace(v) != "" {
			s.item.Set(key, v)
			return
		}
	}
}

// ordered puts the fields of the table first, in its order.
func ordered(e *doc.Entry) *doc.Entry {
	known := map[string]string{}
	rest := []byte{'{'}
	gjson.ParseBytes(e.Bytes()).ForEach(func(k, v gjson.Result) bool {
		if inTable()[k.Str] {
			known[k.Str] = v.Raw
		} else {
			rest = appendField(rest, k.Str, []byte(v.Raw))
		}
		return true
	})
	b := []byte{'{'}
	for _, f := range doc.ItemFields {
		if raw, ok := known[f.Name]; ok {
			b = appendField(b, f.Name, []byte(raw))
		}
	}
	if len(b) > 1 && len(rest) > 1 {
		b = append(b, ',')
	}
	return parsed(append(append(b, rest[1:]...), '}'))
}

var inTable = sync.OnceValue(func() map[string]bool {
	names := map[string]bool{}
	for _, f := range doc.ItemFields {
		names[f.Name] = true
	}
	return names
})

// created is the end of the session; now, if the session has none or one that the
// clock has not reached.
func (r *run) created() string {
	for _, s := range []string{r.t.End, r.t.Start} {
		if score.Future(s, r.o.Now) {
			break
		}
		if at, err := time.Parse(time.RFC3339, s); err == nil {
			return life.Stamp(at)
		}
	}
	return life.Stamp(r.o.Now)
}

// ownField tells whether a field of the document is code's to set.
func ownField(name string) bool {
	return slices.ContainsFunc(doc.CheckpointFields, func(f doc.Field) bool { return f.Name == name && f.Owner == doc.Code })
}

// dropHeader takes what the candidate says of itself out of the document, and
// remembers it.
func (r *run) dropHeader() {
	r.header = map[string]string{}
	gjson.ParseBytes(r.claimed.Bytes()).ForEach(func(k, v gjson.Result) bool {
		if ownField(k.Str) {
			r.header[k.Str] = v.Raw
			r.doc.Delete(k.Str)
		}
		return true
	})
}

// stamp sets the document's own fields. They come from the transcript and the
// caller, and are set after masking and forgetting, which they need not pass.
func (r *run) stamp() {
	set := func(key, value string) {
		if value != "" {
			r.doc.Set(key, value)
		}
	}
	set("session_id", r.t.SessionID)
	set("created", r.created())
	set("format_version", doc.FormatVersion)
	set("author", r.o.Author)
	set("project_slug", r.o.Slug)
	set("project_name", r.o.Name)
	set("git_branch", r.t.Branch)
	set("transcript_hash", r.t.SHA256)
	if plainID(r.t.SessionID) {
		r.doc.Set("source_ref", sourceRef{1, r.t.Host, r.t.SessionID, "unsupported"})
	}
	if counts := r.masked(); len(counts) > 0 {
		r.doc.Set("redactions", counts)
	}
}

// sourceRef names the evidence. The locator tells how a reader may find the
// host's file again; nothing here knows.
type sourceRef struct {
	Version   int    `json:"version"`
	Host      string `json:"host"`
	SessionID string `json:"session_id"`
	Locator   string `json:"locator"`
}

// plainID tells whether an id can stand in a source ref: 1 to 200 ASCII letters,
// digits, dots, underscores and hyphens, the first a letter or digit.
func plainID(id string) bool {
	for i := range len(id) {
		c := id[i]
		letter := c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
		if !letter && (i == 0 || !strings.ContainsRune("._-", rune(c))) {
			return false
		}
	}
	return id != "" && len(id) <= 200
}

// masked counts the secrets that never reached the file, in the transcript and
// in the candidate.
func (r *run) masked() map[string]int {
	counts := maps.Clone(r.t.Redacted)
	if counts == nil {
		counts = map[string]int{}
	}
	for kind, n := range r.redacted {
		counts[kind] += n
	}
	return counts
}

// headerLied tells whether the candidate claimed another session, time, source
// or project than it has.
func (r *run) headerLied() bool {
	for name, raw := range r.header {
		if raw != r.doc.Get(name).Raw {
			return true
		}
	}
	return false
}
