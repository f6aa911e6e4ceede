package host

import (
	"strings"

	"github.com/tidwall/gjson"
)

// decision is a tool result that may hold what a person decided.
type decision struct {
	call   call
	known  bool // the call was seen
	text   string
	result gjson.Result // the row's structured result
	denial string
	failed bool
}

// decided is what came of it: who spoke, in which words if any, and what is
// left of the text as evidence. Only words that the person chose are words;
// the sentences by which the host reports a choice are not.
type decided struct {
	speaker string
	words   []string
	rest    string
}

const (
	answeredHead = "User has answered your questions:"
	approvedHead = "User has approved your plan"
	refusedHead  = "The user doesn't want to proceed with this tool use."
	planKept     = "The agent proposed a plan that was rejected by the user."
)

// decide judges by the tool and the row's fields first, and by the host's
// fixed sentences only where those agree: a tool can print any sentence.
func decide(d decision) decided {
	switch {
	case d.refused():
		return decided{speaker: speakerRefusal, words: reasonGiven(d.text)}
	case d.failed:
		return decided{}
	case d.is("AskUserQuestion", object(d.result).Get("answers").IsObject()):
		if words := answers(d.result, d.text); len(words) > 0 {
			return decided{speaker: speakerAnswer, words: words, rest: d.text}
		}
	case d.is("ExitPlanMode", object(d.result).Get("plan").Exists()) && strings.HasPrefix(d.text, approvedHead):
		return decided{speaker: speakerApproval, rest: approvedPlan(d.text)}
	}
	return decided{}
}

// is tells whether the call is of a tool, or, for a call that was not seen,
// whether the structured result has its shape.
func (d decision) is(tool string, shape bool) bool {
	if d.known {
		return d.call.name == tool
	}
	return shape
}

func (d decision) refused() bool {
	fixed := strings.HasPrefix(d.text, refusedHead) || strings.HasPrefix(d.text, planKept)
	switch {
	case !d.failed:
		return false
	case d.denial != "":
		return d.denial == "user-rejected" && fixed
	case d.result.Type == gjson.String:
		return d.result.Str == "User rejected tool use" && fixed
	}
	return fixed && !d.result.Exists() && !strings.HasPrefix(d.call.name, "mcp__")
}

// reasonGiven is what the person typed when refusing, if anything.
func reasonGiven(text string) []string {
	for _, lead := range []string{
		"To tell you how to proceed, the user said:",
		"The user provided the following reason for the rejection:",
		"the user said:",
	} {
		i := strings.Index(text, lead)
		if i < 0 {
			continue
		}
		words, _, _ := strings.Cut(text[i+len(lead):], "\n\nNote: The user's next message may contain")
		if words = strings.TrimSpace(words); words != "" {
			return []string{words}
		}
	}
	return nil
}

func approvedPlan(text string) string {
	if i := strings.Index(text, "## Approved Plan"); i >= 0 {
		if _, plan, ok := strings.Cut(text[i:], "\n"); ok {
			return strings.TrimSpace(plan)
		}
	}
	return ""
}

// answers are a person's answers in the order of the questions: from the
// structured result, else from the fixed sentence.
func answers(result gjson.Result, text string) []string {
	var out []string
	result = object(result)
	result.Get("answers").ForEach(func(_, v gjson.Result) bool {
		blocks(v, func(kind string, b gjson.Result) {
			if kind == "text" {
				out = add(out, blockText(b))
			}
		})
		return true
	})
	result.Get("annotations").ForEach(func(_, v gjson.Result) bool {
		out = add(out, object(v).Get("notes").Str)
		return true
	})
	if len(out) > 0 || result.Get("answers").Exists() {
		return out
	}
	rest, ok := strings.CutPrefix(text, answeredHead)
	for ok {
		var answer string
		if _, answer, ok = strings.Cut(rest, `"="`); ok {
			end := answerEnd(answer)
			out = add(out, answer[:end])
			rest = answer[end:]
		}
	}
	return out
}

func add(list []string, s string) []string {
	if s = strings.TrimSpace(s); s != "" {
		list = append(list, strings.Clone(s))
	}
	return list
}

// answerEnd is where an answer in the fixed sentence ends: before the quote
// that the next pair or the end of the sentence follows.
func answerEnd(s string) int {
	end := -1
	for _, mark := range []string{`", "`, `". You can now`, `" user notes`, `" selected preview`} {
		if i := strings.Index(s, mark); i >= 0 && (end < 0 || i < end) {
			end = i
		}
	}
	if end < 0 {
		end = strings.LastIndexByte(s, '"')
	}
	if end < 0 {
		return len(s)
	}
	return end
}
