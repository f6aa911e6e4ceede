package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"
)

const (
	checkpoints  = 1000
	itemsPerFile = 12
	session      = "5d1f0c2e-0000-4000-8000-000000000000"
)

// machine is a folder with a home, a project, input files and the hooks.
type machine struct {
	dir string
	env []string
}

// prepare fills a machine: a store of 1,000 checkpoints that came through the
// programs under test, and sessions of three sizes.
func prepare(dir, bin string) (*machine, error) {
	m := &machine{dir, []string{
		"HOME=" + dir, "DAIMON_BIN=" + bin, "PATH=" + bin + ":" + os.Getenv("PATH"),
		"DAIMON_PROJECT_DIR=" + filepath.Join(dir, "project"),
	}}
	hooks, err := filepath.Abs("hooks")
	if err != nil {
		return nil, err
	}
	small, err := os.ReadFile("lib/pipeline/testdata/demo/first.jsonl")
	if err != nil {
		return nil, err
	}
	sessions, err := filepath.Glob("lib/pipeline/testdata/sessions/*/session.jsonl")
	if err != nil || len(sessions) == 0 {
		return nil, fmt.Errorf("no sessions: %w", err)
	}
	payload, err := json.Marshal(map[string]string{
		"session_id": session, "transcript_path": filepath.Join(dir, "small.jsonl"), "cwd": filepath.Join(dir, "project"),
		"source": "startup", "reason": "other", "prompt": "why did the nightly import of the tide tables fail?",
	})
	if err != nil {
		return nil, err
	}
	if err := firstError(
		os.MkdirAll(filepath.Join(dir, "project", ".git"), 0o755),
		os.Symlink(hooks, filepath.Join(dir, "hooks")),
		os.WriteFile(filepath.Join(dir, "small.jsonl"), small, 0o600),
		os.WriteFile(filepath.Join(dir, "payload"), payload, 0o600),
		m.long("big.jsonl", sessions, 1<<20),
		m.long("huge.jsonl", sessions, 100<<20),
	); err != nil {
		return nil, err
	}
	for _, script := range []string{
		"daimon-normalize <small.jsonl >small.t", "daimon-extract <small.t >small.1", "daimon-verify -t small.t <small.1 >small.2",
		"daimon-ground -t small.t <small.2 >small.3", "daimon-carry <small.3 >small.4", "daimon-admit -t small.t <small.4 >small.receipt",
	} {
		if _, err := m.run(script, "/dev/null"); err != nil {
			return nil, err
		}
	}
	texts, err := babble(sessions)
	if err != nil {
		return nil, err
	}
	if err := m.fill(texts); err != nil {
		return nil, err
	}
	_, err = m.run("daimon-index --all", "/dev/null")
	return m, err
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// long writes one session of at least size bytes out of several, each turn of
// them with message ids of its own.
func (m *machine) long(name string, sessions []string, size int) error {
	var texts [][]byte
	for _, path := range sessions {
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		texts = append(texts, raw)
	}
	f, err := os.Create(filepath.Join(m.dir, name))
	if err != nil {
		return err
	}
	defer f.Close()
	for turn, written := 0, 0; written < size; turn++ {
		raw := texts[turn%len(texts)]
		n, err := f.Write(renamed(raw, turn))
		if err != nil {
			return err
		}
		written += n
	}
	return f.Close()
}

// renamed gives the rows of a session one session id, and message ids that no
// other turn has.
func renamed(raw []byte, turn int) []byte {
	var out bytes.Buffer
	for line := range bytes.Lines(raw) {
		pairs := []string{}
		if id := gjson.GetBytes(line, "sessionId").String(); id != "" {
			pairs = append(pairs, fmt.Sprintf("%q", id), fmt.Sprintf("%q", session))
		}
		for _, key := range []string{"uuid", "parentUuid", "message.id"} {
			if id := gjson.GetBytes(line, key).String(); id != "" {
				pairs = append(pairs, fmt.Sprintf("%q", id), fmt.Sprintf("%q", fmt.Sprint(id, ".", turn)))
			}
		}
		out.WriteString(strings.NewReplacer(pairs...).Replace(string(line)))
	}
	return out.Bytes()
}

// fill multiplies the one admitted checkpoint, with items of their own.
func (m *machine) fill(texts func() string) error {
	folder := filepath.Join(m.dir, ".daimon", "checkpoints")
	one, err := os.ReadFile(filepath.Join(folder, session+".json"))
	if err != nil {
		return err
	}
	model := gjson.GetBytes(one, "working_context.recent_decisions.0")
	if !model.Exists() {
		return fmt.Errorf("the bundled session gave no decision to multiply")
	}
	start := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	for n := range checkpoints - 1 {
		items := make([]string, itemsPerFile)
		for i := range items {
			items[i], err = with(model.Raw, "text", texts(), "quote", texts(), "id", fmt.Sprintf("r-%012x", n*itemsPerFile+i))
			if err != nil {
				return err
			}
		}
		id := fmt.Sprintf("00000000-0000-4000-8000-%012d", n)
		raw, err := with(string(one), "session_id", id, "created", start.Add(time.Duration(n)*time.Hour).Format(time.RFC3339))
		if err != nil {
			return err
		}
		raw, err = sjson.SetRaw(raw, "working_context.recent_decisions", "["+strings.Join(items, ",")+"]")
		if err = firstError(err, os.WriteFile(filepath.Join(folder, id+".json"), []byte(raw), 0o600)); err != nil {
			return err
		}
	}
	return nil
}

// with sets fields of a JSON object, given as name, value, name, value.
func with(object string, pairs ...string) (string, error) {
	var err error
	for i := 0; i < len(pairs) && err == nil; i += 2 {
		object, err = sjson.Set(object, pairs[i], pairs[i+1])
	}
	return object, err
}

// babble returns a source of sentences made of the words of some sessions,
// a few of them often and most of them seldom; the same ones in every run.
func babble(sessions []string) (func() string, error) {
	const commonest = 1.1 // the exponent that word counts of real text have
	known := map[string]bool{}
	var words []string
	for _, path := range sessions {
		raw, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		for line := range bytes.Lines(raw) {
			for _, word := range strings.Fields(gjson.GetBytes(line, "message.content|@tostr").String()) {
				if len(word) < 20 && !known[word] && !strings.ContainsAny(word, `\"{}[]`) {
					known[word] = true
					words = append(words, word)
				}
			}
		}
	}
	if len(words) < 1000 {
		return nil, fmt.Errorf("only %d words in the bundled sessions", len(words))
	}
	zipf := rand.NewZipf(rand.New(rand.NewPCG(1, 2)), commonest, 5, uint64(len(words)-1))
	return func() string {
		sentence := make([]string, 14)
		for i := range sentence {
			sentence[i] = words[zipf.Uint64()]
		}
		return strings.Join(sentence, " ")
	}, nil
}

// measure times a case.
func (m *machine) measure(c example, runs int) ([]time.Duration, error) {
	var all []time.Duration
	for n := range runs + 1 {
		if c.before != nil {
			if err := c.before(m); err != nil {
				return nil, err
			}
		}
		took, err := m.run(c.script, c.stdin)
		if err != nil {
			return nil, err
		}
		if n > 0 { // the first run warms the caches
			all = append(all, took)
		}
		if took > time.Second && n > 2 {
			break
		}
	}
	return all, m.settled()
}

// run runs a script in the machine's folder. The time counts from before its
// start until its end, the start of sh included.
func (m *machine) run(script, stdin string) (time.Duration, error) {
	if !filepath.IsAbs(stdin) {
		stdin = filepath.Join(m.dir, stdin)
	}
	in, err := os.Open(stdin)
	if err != nil {
		return 0, err
	}
	defer in.Close()
	var said bytes.Buffer
	cmd := exec.Command("sh", "-c", script)
	cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stderr = m.dir, m.env, in, &said
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return 0, fmt.Errorf("%s: %w: %s", script, err, &said)
	}
	return time.Since(start), nil
}

// settled waits until no capture is left in the spool.
func (m *machine) settled() error {
	for range 500 {
		jobs, err := filepath.Glob(filepath.Join(m.dir, ".daimon", "spool", "*", "job"))
		if err != nil || len(jobs) == 0 {
			return err
		}
		time.Sleep(10 * time.Millisecond)
	}
	log, _ := os.ReadFile(filepath.Join(m.dir, ".daimon", "logs", "hooks.log"))
	return fmt.Errorf("a capture does not end: %s", log)
}

// written writes a checkpoint that the index does not know yet.
func (m *machine) written() error {
	_, err := m.run("daimon-admit -t small.t", "small.4")
	return err
}
