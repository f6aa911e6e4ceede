package ground

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"daimon/lib/doc"
	"daimon/lib/lang"
)

// TestRead has for each language a claim, and the same taken back.
func TestRead(t *testing.T) {
	for _, tt := range []struct {
		text string
		want string // kinds asserted, or "" for none
	}{
		{"The retry tests pass with the race detector.", "test"},
		{"The retry tests do not pass with the race detector.", ""},
		{"The retry tests should pass with the race detector.", ""},
		{"Do the retry tests pass?", ""},
		{"The tests pass, and we will merge tomorrow.", "test"},
		{"If the tests pass, the branch is merged by the bot.", "merge"},
		{"The PR was merged on May 3.", "merge"},
		{"The PR may be merged on Friday.", ""},
		{"The user thinks that the PR was merged.", ""},
		{"The PR was merged, as the user reported.", "merge"},
		{"PR 930 was merged and deployed.", "merge deploy"},
		{"It was not built, tested or deployed.", ""},
		{"All checks passed without any failure.", "ci"},
		{"The tests failed.", ""},
		{"The branch was merged but not deployed.", "merge"},
		{"Nothing has been deployed yet.", ""},
		{"The CI run succeeded at once.", "ci"},
		{"Once CI succeeded the branch goes out.", ""},
		{"fixed 200 ms sleep", ""},
		{"We fixed the leak in the pool.", "fix"},
		{"The service went live.", "deploy"},
		{"Los tests de pedidos pasan.", "test"},
		{"Los tests de pedidos todavía no pasan.", ""},
		{"Si los tests de pedidos pasan, avisamos.", ""},
		{"La versión está desplegada en producción.", "deploy"},
		{"La versión se va a desplegar cuando esté probada.", ""},
		{"Os testes de ingestão passam.", "test"},
		{"Os testes de ingestão ainda não passam.", ""},
		{"A migração foi aplicada em homologação.", "apply"},
		{"A migração vai ser aplicada amanhã.", ""},
		{"Les tests de rendu passent.", "test"},
		{"Les tests de rendu ne passent pas encore.", ""},
		{"La MR a été fusionnée hier.", "merge"},
		{"La MR sera fusionnée demain.", ""},
		{"Alle Tests laufen grün durch.", "test"},
		{"Die Tests laufen noch nicht durch.", ""},
		{"Der Branch wurde gemergt.", "merge"},
		{"Der Branch wird morgen gemergt.", ""},
		{"I test del modulo passano tutti.", "test"},
		{"I test del modulo non passano.", ""},
		{"La versione è stata rilasciata in produzione.", "deploy"},
		{"La versione dovrebbe essere rilasciata domani.", ""},
		{"テストはすべて通った。", "test"},
		{"テストはまだ通っていない。", ""},
		{"本番に適用済み。", "apply"},
		{"本番に適用できたはずだ。", ""},
		{"测试全部通过。", "test"},
		{"测试还没有通过。", ""},
		{"新版本已部署到测试环境。", "deploy"},
		{"新版本应该已部署。", ""},
		{"전체 테스트가 통과했다.", "test"},
		{"아직 테스트가 통과하지 않는다.", ""},
		{"스테이징에 배포되었다.", "deploy"},
		{"내일 스테이징에 배포될 예정이다.", ""},
	} {
		var got []string
		for _, a := range read(tt.text, lang.Of(tt.text)).asserts {
			got = append(got, string(a.kind))
		}
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%q asserts %q, want %q", tt.text, s, tt.want)
		}
	}
}

func exitOf(n int) *int { return &n }

// TestEvidence has for each rule a result that shows the outcome and one that
// does not.
func TestEvidence(t *testing.T) {
	const tests, merged, deployed = "All tests pass.", "PR 614 was merged.", "It was deployed to production."
	for _, tt := range []struct {
		claim, cmd, out string
		exit            int
		want            string
	}{
		{tests, "go test ./...", "ok  \tx/y\t0.2s", 0, Grounded},
		{tests, "go test ./...", "--- FAIL: TestA\nFAIL\tx/y\t0.2s", 1, Contradicted},
		{tests, "go test ./... || true", "--- FAIL: TestA\nFAIL\tx/y\t0.2s", 0, Contradicted},
		{tests, "go test ./...", "?   \tx/y\t[no test files]", 0, Ungrounded},
		{tests, "go test ./... -run X", "ok  \tx/y\t0.2s [no tests to run]", 0, Ungrounded},
		{tests, "cd a && go test ./...", "ok  \tx/y\t0.2s", 0, Grounded},
		{tests, "ls", "ok  \tx/y\t0.2s", 0, Ungrounded},
		{tests, "cat log.txt", "12 passed", 0, Ungrounded},
		{tests, "echo 'go test: ok  	x/y'", "ok  \tx/y\t1s", 0, Ungrounded},
		{tests, `git commit -m "go test ./... passes"`, "[main 0abc123] go test", 0, Ungrounded},
		{tests, "pytest -q", "12 passed in 1s", 0, Grounded},
		{tests, "pytest -q", "12 passed, 1 failed in 1s", 1, Contradicted},
		{tests, "pytest -q", "no tests ran in 0.02s", 0, Ungrounded},
		{tests, "npm test", "Tests:       4 passed, 4 total", 0, Grounded},
		{tests, "npm test 2>&1 | tail -3", "Tests:  1 failed, 3 passed, 4 total", 0, Contradicted},
		{tests, "npx vitest run", " Tests  5 passed (5)", 0, Grounded},
		{tests, "npm test", "", 0, Ungrounded},
		{tests, "cargo test", "running 3 tests\ntest result: ok. 3 passed; 0 failed; 0 ignored", 0, Grounded},
		{tests, "cargo test", "test result: FAILED. 2 passed; 1 failed", 101, Contradicted},
		{tests, "cargo test", "running 0 tests\ntest result: ok. 0 passed; 0 failed", 0, Ungrounded},
		{tests, "mvn -q verify", "[INFO] BUILD SUCCESS", 0, Grounded},
		{tests, "./gradlew test", "BUILD FAILED in 2s", 1, Contradicted},
		{tests, "bundle exec rspec", "12 examples, 0 failures", 0, Grounded},
		{tests, "bundle exec rspec", "12 examples, 3 failures", 1, Contradicted},
		{tests, "vendor/bin/phpunit", "OK (5 tests, 9 assertions)", 0, Grounded},
		{tests, "vendor/bin/phpunit", "FAILURES!\nTests: 5, Failures: 1.", 1, Contradicted},
		{tests, "dotnet test", "Passed!  - Failed:     0, Passed:     9", 0, Grounded},
		{tests, "ctest", "100% tests passed, 0 tests failed out of 9", 0, Grounded},
		{"All 84 tests pass.", "pytest -q", "84 passed in 1s", 0, Grounded},
		{"All 84 tests pass.", "pytest -q", "12 passed in 1s", 0, Ungrounded},
		{"All 85 tests pass.", "pytest -q && npm test", "24 passed in 1s\n Tests  61 passed (61)", 0, Grounded},
		{merged, "gh pr view 614 --json state -q .state", "MERGED", 0, Grounded},
		{merged, "gh pr view 614 --json state -q .state", "OPEN", 0, Contradicted},
		{merged, "gh pr view 611 --json state -q .state", "MERGED", 0, Ungrounded},
		{merged, "gh pr list", "611\tMERGED\n614\tOPEN", 0, Contradicted},
		{merged, "gh pr merge 614 --squash", "✓ Squashed and merged pull request #614", 0, Grounded},
		{merged, "gh pr merge 614 --auto", "Pull request #614 will be automatically merged via squash when all requirements are met", 0, Ungrounded},
		{merged, "git push", "main -> main", 0, Ungrounded},
		{"The branch was merged.", "git merge topic", "CONFLICT (content): Merge conflict in a.go\nAutomatic merge failed", 1, Contradicted},
		{"The branch was merged.", "git merge topic", "Updating 1..2\nFast-forward", 0, Grounded},
		{"The branch was pushed.", "git push -q origin x", "", 0, Grounded},
		{"The branch was pushed.", "git push -q origin x || true", "", 0, Ungrounded},
		{"The branch was pushed.", "git push origin x", "! [rejected] x -> x (fetch first)", 1, Contradicted},
		{deployed, "./deploy.sh production", "done", 0, Grounded},
		{deployed, "./deploy.sh staging", "done", 0, Ungrounded},
		{deployed, "./deploy.sh production", "error: health check", 1, Contradicted},
		{deployed, "./deploy.sh production --dry-run", "done", 0, Contradicted},
		{deployed, "./deploy.sh production | tee log", "done", 0, Ungrounded},
		{deployed, "kubectl -n prod rollout status deploy/x", `deployment "x" successfully rolled out`, 0, Grounded},
		{"The infrastructure change was applied.", "terraform apply p.plan", "Apply complete! Resources: 1 added", 0, Grounded},
		{"The infrastructure change was applied.", "terraform plan -detailed-exitcode", "Plan: 1 to add", 2, Ungrounded},
		{"The infrastructure change was applied.", "terraform apply p.plan", "│ Error: state lock", 1, Contradicted},
		{"The package was published.", "npm publish", "+ left-pad@1.0.0", 0, Grounded},
		{"The package was published.", "npm publish", "npm ERR! 403", 1, Contradicted},
		{"The package was published.", "npm pack", "left-pad-1.0.0.tgz", 0, Ungrounded},
	} {
		g := judgeOne(t, tt.claim, toolMessage("m1", tt.cmd, tt.out, tt.exit))
		if g != tt.want {
			t.Errorf("%q by %q printing %q, exit %d: %s, want %s", tt.claim, tt.cmd, tt.out, tt.exit, g, tt.want)
		}
	}
}

func toolMessage(id, cmd, out string, exit int) doc.Message {
	status := doc.StatusOK
	if exit != 0 {
		status = doc.StatusError
	}
	return doc.Message{ID: id, Role: doc.ToolRole, Text: out, Tool: &doc.Tool{Name: "Bash", Input: cmd, Status: status, Exit: exitOf(exit)}}
}

func judgeOne(t *testing.T, text string, msgs ...doc.Message) string {
	t.Helper()
	e := doc.NewEntry(text, doc.Verbatim)
	var ids []string
	for _, m := range msgs {
		ids = append(ids, m.ID)
	}
	e.Set("source_message_ids", ids)
	e = judgeItem(e, msgs)
	want := doc.Inferred
	switch e.Str("grounding.status") {
	case Grounded, "":
		want = doc.Verbatim
	}
	if e.Trust() != want {
		t.Errorf("%q is %s after %s", text, e.Trust(), e.Get(groundingKey).Raw)
	}
	if s := e.Str("grounding.status"); s != "" {
		return s
	}
	return NoOutcome
}

func judgeItem(e *doc.Entry, msgs []doc.Message) *doc.Entry {
	c, l := doc.NewCheckpoint(), doc.Lists[1]
	c.SetItems(l, []*doc.Entry{e})
	Judge(c, doc.NewTranscript(doc.Header{}, msgs))
	once := bytes.Clone(c.Bytes())
	Judge(c, doc.NewTranscript(doc.Header{}, msgs))
	if !bytes.Equal(once, c.Bytes()) {
		panic("judging twice is not judging once")
	}
	return c.Items(l)[0]
}

func TestLastResultDecides(t *testing.T) {
	bad := toolMessage("a", "go test ./...", "FAIL\tx\t0.1s", 1)
	good := toolMessage("b", "go test ./...", "ok  \tx\t0.1s", 0)
	other := toolMessage("c", "ls", "a.go", 0)
	for _, tt := range []struct {
		msgs []doc.Message
		want string
	}{
		{[]doc.Message{bad, good}, Grounded},
		{[]doc.Message{good, bad}, Contradicted},
		{[]doc.Message{good, other}, Grounded},
		{[]doc.Message{other}, Ungrounded},
		{nil, Ungrounded},
	} {
		if got := judgeOne(t, "All tests pass.", tt.msgs...); got != tt.want {
			t.Errorf("%d results: %s, want %s", len(tt.msgs), got, tt.want)
		}
	}
	echo := good
	echo.Echo = true
	if got := judgeOne(t, "All tests pass.", echo); got != Ungrounded {
		t.Errorf("our own output as evidence: %s", got)
	}
	page := good
	page.Tool = &doc.Tool{Name: "WebFetch", Input: `{"command":"go test ./..."}`, Status: doc.StatusOK}
	if got := judgeOne(t, "All tests pass.", page); got != Ungrounded {
		t.Errorf("a fetched page as evidence: %s", got)
	}
}

func TestNeverRaises(t *testing.T) {
	good := toolMessage("b", "go test ./...", "ok  \tx\t0.1s", 0)
	e := doc.NewEntry("All tests pass.", doc.Inferred)
	e.Set("source_message_ids", []string{"b"})
	e.Set(groundedKey, false)
	if e = judgeItem(e, []doc.Message{good}); e.Trust() != doc.Inferred || !e.True(groundedKey) {
		t.Errorf("inferred, shown: %s", e.Bytes())
	}
	e = doc.NewEntry("The queue holds 512 messages.", doc.Inferred)
	e.Set(groundedKey, true)
	e.Set(groundingKey, map[string]string{"status": Grounded})
	if e = judgeItem(e, nil); e.Has(groundedKey) || e.Has(groundingKey) {
		t.Errorf("a claim of being grounded stays: %s", e.Bytes())
	}
}

func TestQuoteClaims(t *testing.T) {
	for quote, want := range map[string]string{"All tests pass now.": Ungrounded, "The tests should pass.": "", "the run of noon": ""} {
		e := doc.NewEntry("State at noon", doc.Verbatim)
		e.Set("quote", quote)
		e.Set("quote_verified", true)
		if e = judgeItem(e, nil); e.Str("grounding.status") != want {
			t.Errorf("quoting %q: %s", quote, e.Bytes())
		}
	}
}

func TestUnreadLanguage(t *testing.T) {
	for text, want := range map[string]string{
		"Alle wijzigingen zijn nu gedeployed en het werkt voor de klant.": "",
		"Wszystkie testy przeszły i gałąź jest już w main, build ok.":     Unread,
		"Чай вкусный, и погода хорошая.":                                  "",
		"Все правки уже в main, CI зелёный.":                              Unread,
	} {
		e := judgeItem(doc.NewEntry(text, doc.Verbatim), nil)
		if got := e.Str("grounding.status"); got != want && want != "" {
			t.Errorf("%q: %s, want %s", text, e.Bytes(), want)
		}
	}
}

func TestLexiconFiles(t *testing.T) {
	entries, err := os.ReadDir("lexicon")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range entries {
		tag, isLexicon := strings.CutSuffix(f.Name(), ".txt")
		if !isLexicon {
			continue
		}
		raw, _ := os.ReadFile("lexicon/" + f.Name())
		l, err := parseLexicon(tag, raw, nil)
		if err != nil {
			t.Error(err)
			continue
		}
		known := map[string]bool{"hedge": true, "negation": true, "report": true, "question": true, "ignore": true, "split": true}
		for _, k := range kinds {
			known[string(k)] = true
		}
		for s, list := range l.sections {
			if !known[s] {
				t.Errorf("%s has an unknown section %q", f.Name(), s)
			}
			for _, p := range list {
				if re := p.get(); re == nil && p.word == "" {
					t.Errorf("%s, section %s: %v", f.Name(), s, p.err)
				}
			}
		}
	}
	for _, r := range table() {
		for _, p := range []*pattern{r.cmd, r.pass, r.fail, r.none} {
			if p.get(); p != nil && p.err != nil {
				t.Errorf("runner %s: %v", r.name, p.err)
			}
		}
	}
	if _, err := parseLexicon("xx", []byte("test"), nil); err == nil {
		t.Error("a section without a pattern is accepted")
	}
	var rest []*pattern
	for _, v := range verbTable() {
		rest = append(rest, v.word, v.done)
	}
	for i := range placeTable() {
		rest = append(rest, &placeTable()[i].said, &placeTable()[i].shown)
	}
	if len(rest) != 2*len(verbs)+2*len(environments) {
		t.Error("the tables of verbs and places are not whole")
	}
	for _, p := range rest {
		if p.get() == nil {
			t.Errorf("%s: %v", p.src, p.err)
		}
	}
}

func FuzzJudge(f *testing.F) {
	f.Add("All tests pass, and “it” was merged.", "go test ./... | tee x", "ok  \tx\t0.1s")
	f.Add("测试，通过", "((", "\xff")
	f.Fuzz(func(t *testing.T, text, cmd, out string) {
		e := doc.NewEntry(text, doc.Verbatim)
		e.Set("source_message_ids", []string{"a"})
		judgeItem(e, []doc.Message{toolMessage("a", cmd, out, 0)})
	})
}

func TestLongInput(t *testing.T) {
	for _, text := range []string{strings.Repeat("a", 1<<20), strings.Repeat("tests ", 1<<17), strings.Repeat(", ", 1<<18)} {
		judgeItem(doc.NewEntry(text, doc.Verbatim), nil)
	}
}
