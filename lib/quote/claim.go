package quote

import (
	"slices"

	"daimon/lib/doc"
)

// claim is one verbatim item on its way to a verdict.
type claim struct {
	place
	x     *index
	n     needle
	cited []int // messages, in the order cited

	reason  string // of a refusal; "" when the words were found
	hits    []hit
	bound   bool // found in cited messages
	roles   map[string]bool
	rebound bool
}

// hit is one piece of the quote in one message.
type hit struct {
	msg int
	extent
}

// byCitation looks in the cited messages. It tells whether that settled it.
func (k *claim) byCitation() bool {
	if !k.n.usable() {
		k.reason = NotFound
		return true
	}
	for _, i := range k.cited {
		b := &k.x.bodies[i]
		if found := b.find(k.n); found != nil {
			k.hold(i, found)
		}
	}
	if k.hits == nil {
		k.across(k.cited)
	}
	if k.hits != nil {
		k.bound = true
		return true
	}
	if longest(k.n.kept) == "" {
		k.reason = NotFound
		k.echo()
		return true
	}
	return false
}

// hold notes a message that has the whole quote. The first one is kept as the
// place; words that were only passed on are nobody's.
func (k *claim) hold(i int, found []extent) {
	if k.hits == nil {
		for _, f := range found {
			k.hits = append(k.hits, hit{i, f})
		}
	}
	if k.roles == nil {
		k.roles = map[string]bool{}
	}
	role := k.x.bodies[i].m.Role
	if role != doc.ToolRole && k.x.bodies[i].passedOn(found) {
		role = ""
	}
	k.roles[role] = true
}

// across looks for the pieces of a quote with an ellipsis in several messages
// of one role, in the order of the transcript.
func (k *claim) across(among []int) {
	if len(k.n.kept) < 2 {
		return
	}
	sorted := slices.Compact(slices.Sorted(slices.Values(among)))
	for _, role := range []string{doc.User, doc.Assistant, doc.ToolRole} {
		if hits := k.chain(sorted, role); hits != nil {
			k.hits, k.roles = hits, map[string]bool{role: true}
			return
		}
	}
}

func (k *claim) chain(among []int, role string) []hit {
	var hits []hit
	next, from := 0, 0
	for _, p := range k.n.kept {
		for found := false; !found; {
			if next == len(among) {
				return nil
			}
			b := &k.x.bodies[among[next]]
			if b.m.Role == role {
				f := b.keptForm()
				if i := f.place(p, from, k.n.short); i >= 0 {
					start, end := f.span(i, i+len(p))
					hits = append(hits, hit{among[next], extent{start, end}})
					if n := len(hits) - 2; n >= 0 && hits[n].msg == among[next] && f.turned(hits[n].extent, hits[n+1].extent) {
						return nil
					}
					from, found = i+len(p), true
					continue
				}
			}
			next, from = next+1, 0
		}
	}
	return hits
}

// byScan looks in the messages near, which hold a part of the quote. Words that
// a message of another role holds than the cited ones do not count: a citation
// of the wrong message is an error, one of the wrong speaker is not.
func (k *claim) byScan(near []int) {
	said, passed, printed, sameTool := k.holders(near)
	speakers, tools := k.citedRoles()
	same := slices.DeleteFunc(slices.Clone(said), func(i int) bool { return !speakers[k.x.bodies[i].m.Role] })
	switch {
	case len(same) == 1:
		k.rebind(same[0])
	case len(same) > 1:
		k.unbind()
		k.take(append(said, passed...))
	case len(sameTool) == 1:
		k.rebind(sameTool[0])
	case len(speakers) > 0:
		k.reason = WrongSpeaker
	case len(said)+len(passed) > 0:
		k.take(append(said, passed...))
	case tools && len(printed) > 0:
		k.take(printed)
	default:
		k.reason = WrongSpeaker
	}
	if k.reason != "" && len(said)+len(passed)+len(printed) == 0 {
		k.reason = NotFound
		if len(speakers) == 0 && !tools && k.n.allLong() {
			k.anywhere()
		}
		k.echo()
	}
}

// holders are the messages with the whole quote: in the speaker's own words,
// passed on, and printed by a tool; the last also by itself if a tool was cited.
func (k *claim) holders(near []int) (said, passed, printed, sameTool []int) {
	_, tools := k.citedRoles()
	for _, i := range near {
		b := &k.x.bodies[i]
		switch found := b.find(k.n); {
		case found == nil:
		case b.m.Role == doc.ToolRole:
			printed = append(printed, i)
		case b.passedOn(found):
			passed = append(passed, i)
		default:
			said = append(said, i)
		}
	}
	if tools {
		sameTool = printed
	}
	return said, passed, printed, sameTool
}

func (k *claim) citedRoles() (speakers map[string]bool, tools bool) {
	speakers = map[string]bool{}
	for _, i := range k.cited {
		if m := k.x.bodies[i].m; m.Role == doc.ToolRole {
			tools = true
		} else {
			speakers[m.Role] = true
		}
	}
	return speakers, tools
}

func (k *claim) take(holders []int) {
	for _, i := range slices.Sorted(slices.Values(holders)) {
		k.hold(i, k.x.bodies[i].find(k.n))
	}
}

// rebind makes the one message that holds the quote the cited one. Cited tool
// results stay: they are evidence for the outcome.
func (k *claim) rebind(i int) {
	k.unbind()
	k.cited = append([]int{i}, k.cited...)
	k.setCited()
	k.take([]int{i})
	k.bound, k.rebound = true, true
}

// unbind drops the cited messages that are no tool results.
func (k *claim) unbind() {
	k.cited = slices.DeleteFunc(k.cited, func(i int) bool { return !signal(k.x.bodies[i].m) })
	k.setCited()
}

func (k *claim) setCited() {
	var ids []string
	for _, i := range k.cited {
		ids = append(ids, k.x.bodies[i].m.ID)
	}
	setSources(k.e, ids[:min(len(ids), maxSources)])
}

// anywhere looks for an uncited quote with an ellipsis in all that one speaker said.
func (k *claim) anywhere() {
	var all []int
	for i := range k.x.bodies {
		if k.x.bodies[i].m.Role != doc.ToolRole {
			all = append(all, i)
		}
	}
	if k.across(all); k.hits != nil {
		k.reason = ""
	}
}

// echo gives a miss its own reason when a cited message held Daimon's own text,
// which is no longer there to look at.
func (k *claim) echo() {
	for _, i := range k.cited {
		if k.reason == NotFound && k.x.bodies[i].m.Echo {
			k.reason = EchoOnly
		}
	}
}
