package payload

import "strings"

// machine are the line starts by which a host marks a prompt of its own.
var machine = []string{
	"[SYSTEM NOTIFICATION", "<task-notification>", "<teammate-message", "<agent-message", "<local-command-stdout>",
}

// window is how far into a prompt a host's mark is looked for, in bytes.
const window = 400

// typed returns a prompt that a person wrote to the agent, and "" for a blank
// one, a slash command and one that the host made.
func typed(prompt string) string {
	head := strings.TrimSpace(prompt)
	if head == "" || head[0] == '/' {
		return ""
	}
	head = head[:min(len(head), window)]
	for line := range strings.Lines(head) {
		for _, mark := range machine {
			if strings.HasPrefix(line, mark) {
				return ""
			}
		}
	}
	return prompt
}
