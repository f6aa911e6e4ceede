package extract

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"daimon/lib/fault"
)

const valid = `{"working_context":{"active_topic":{"text":"t","trust":"inferred"},"open_questions":[],"recent_decisions":[]},"epistemic_snapshot":{}}`

func TestCommand(t *testing.T) {
	for _, c := range []struct {
		name, cmd string
		kind      fault.Kind
		want      string // in the error; "" when it must do
	}{
		{"it answers", `cat >/dev/null; printf '%s' '` + valid + `'`, 0, ""},
		{"it reads the transcript", `grep -q evidence && printf '%s' '` + valid + `'`, 0, ""},
		{"it need not read it", `printf '%s' '` + valid + `'`, 0, ""},
		{"it is guarded", `[ "$DAIMON_CAPTURE" = 1 ] && printf '%s' '` + valid + `'`, 0, ""},
		{"a code-owned field in it is no fault", `printf '%s' '{"session_id":1,` + valid[1:] + `'`, 0, ""},
		{"it fails", `echo first >&2; echo "the last  word" >&2; exit 3`, fault.Failed, "exit status 3: the last word"},
		{"it is not there", `no-such-program-at-all`, fault.Unavailable, "cannot be run"},
		{"it hangs", `sleep 60`, fault.Unavailable, "no answer in"},
		{"it hangs below another shell", `sh -c 'sleep 60; :' ; :`, fault.Unavailable, "no answer in"},
		{"it leaves something running", `sleep 60 & printf '%s' '` + valid + `'`, fault.Unavailable, "left a program running"},
		{"it prints nothing", `true`, fault.BadInput, "printed nothing"},
		{"it prints white space", `echo`, fault.BadInput, "printed nothing"},
		{"it prints words", `echo hello`, fault.BadInput, "not JSON"},
		{"it prints a list", `echo '[]'`, fault.BadInput, "not a JSON object"},
		{"it breaks the contract", `echo '{"epistemic_snapshot":{}}'`, fault.BadInput, "working_context: missing"},
		{"it floods", `yes`, fault.BadInput, "more than 4096 bytes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			start := time.Now()
			got, err := Command(context.Background(), []byte("evidence\n"), CommandOptions{Command: c.cmd, Timeout: 1500 * time.Millisecond, Limit: 4096})
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("took %s", took)
			}
			switch {
			case c.want == "" && err != nil:
				t.Fatal(err)
			case c.want == "" && got.Str("working_context.active_topic.text") != "t":
				t.Errorf("the answer came out as %s", got.Bytes())
			case c.want != "" && (err == nil || fault.KindOf(err) != c.kind || !strings.Contains(err.Error(), c.want)):
				t.Errorf("error %v of kind %d, want %q of kind %d", err, fault.KindOf(err), c.want, c.kind)
			}
		})
	}
}

func TestCommandNamesEveryRejection(t *testing.T) {
	_, err := Command(context.Background(), nil, CommandOptions{Command: `echo '{"working_context":{}}'`, Timeout: time.Minute, Limit: 4096})
	var bad Refused
	if !errors.As(err, &bad) || len(bad) != 4 {
		t.Errorf("%v: want the topic, two lists and the snapshot", err)
	}
}

// TestCommandKillsItsGroup leaves nothing of a command that ran out of time.
func TestCommandKillsItsGroup(t *testing.T) {
	mark := filepath.Join(t.TempDir(), "mark")
	cmd := `(sleep 1; : >'` + mark + `') & wait`
	if _, err := Command(context.Background(), nil, CommandOptions{Command: cmd, Timeout: 100 * time.Millisecond, Limit: 10}); err == nil {
		t.Fatal("it ended in time")
	}
	time.Sleep(1500 * time.Millisecond)
	if _, err := os.Stat(mark); err == nil {
		t.Error("a child outlived the command")
	}
}

func TestTail(t *testing.T) {
	for _, c := range []struct{ said, want string }{
		{"", ""}, {"\n\n", ""}, {"a\nb\n", ": b"}, {"x\x1b[31m red\n", ": x [31m red"},
		{strings.Repeat("y", 9000), ": " + strings.Repeat("y", 200)},
		{"Authorization: Bearer ghp_" + strings.Repeat("Ab1", 12), ""},
	} {
		w := &tail{}
		for i := 0; i < len(c.said); i += 100 {
			_, _ = w.Write([]byte(c.said[i:min(len(c.said), i+100)]))
		}
		switch got := w.quote(); {
		case strings.Contains(got, "ghp_Ab1"):
			t.Error("a secret is quoted")
		case c.want != "" && got != c.want:
			t.Errorf("quote of %q is %q, want %q", c.said, got, c.want)
		}
	}
}
