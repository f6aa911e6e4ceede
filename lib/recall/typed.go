package recall

import "strings"

// machine are the line starts by which hosts mark prompts that no person typed.
var machine = []string{"[SYSTEM NOTIFICATION", "<task-notification>", "<teammate-message", "<agent-message", "<local-command-stdout>"}

// window is how far into a prompt such a mark is looked for, in characters.
const window = 400

// Typed tells whether a prompt may be a person's words: not blank, no slash
// command, no notification of the host.
func Typed(prompt string) bool {
	prompt = strings.TrimSpace(prompt)
	if prompt == "" || prompt[0] == '/' {
		return false
	}
	n := 0
	for i := range prompt {
		if n++; n > window {
			prompt = prompt[:i]
			break
		}
	}
	for line := range strings.Lines(prompt) {
		for _, m := range machine {
			if strings.HasPrefix(line, m) {
				return false
			}
		}
	}
	return true
}
