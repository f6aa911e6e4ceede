package ground

import (
	"testing"

	"daimon/lib/doc"
)

// ran is one command with its output.
type ran struct {
	cmd, out string
	exit     int
}

// whatRan is what results are of a claim: by claim and verdict.
var whatRan = map[string]map[string][]ran{
	"All tests pass.": {
		Grounded: {
			{cmd: "go test ./... 2>&1 | tail -5", out: "ok  \tx/y\t0.2s"}, {cmd: "go test ./... | grep -v 'no test files'", out: "ok  \tx/y\t0.2s"},
			{cmd: "go test ./... | grep -E '^(ok|FAIL)'", out: "ok  \tx/y\t0.2s"}, {cmd: "cd x && npm test", out: "Tests:  3 passed, 3 total"},
			{cmd: "make test", out: "12 passed in 2s"}, {cmd: "make -j 4 -C core test", out: "ok  \tx\t0.1s"}, {cmd: "make clean test", out: "100% tests passed, 0 tests failed out of 9"},
			{cmd: "docker compose -f ci.yml run --rm -e A=b web pytest -q", out: "3 passed in 1s"}, {cmd: "docker compose run test", out: "3 passed in 1s"},
			{cmd: "docker run --rm -v $PWD:/src golang:1.26 go test ./...", out: "ok  \tx\t0.1s"}, {cmd: "docker exec web pytest", out: "3 passed in 1s"},
			{cmd: "sudo -u ci env A=b timeout -k 5 60 pytest", out: "3 passed in 1s"}, {cmd: "python3 -m pytest -n 4", out: "3 passed in 1s"}, {cmd: ".venv/bin/pytest", out: "3 passed"},
			{cmd: "uv run --with x pytest -q", out: "3 passed in 1s"}, {cmd: "poetry run test", out: "3 passed in 1s"}, {cmd: "bash -lc 'cd a && pytest -q'", out: "3 passed in 1s"},
			{cmd: "ssh build 'cd a; pytest -q'", out: "3 passed in 1s"}, {cmd: "kubectl exec pod -c web -- pytest", out: "3 passed"}, {cmd: "pytest -q > log 2>&1; tail -3 log", out: "3 passed in 1s"},
			{cmd: "pytest | tee log", out: "3 passed in 1s"}, {cmd: "echo run; pytest; echo exit $?", out: "run\n3 passed in 1s\nexit 0"}, {cmd: "npm --prefix web run test:unit -- --run", out: "  3 passing (2ms)"},
			{cmd: "yarn jest", out: "Tests: 3 passed, 3 total"}, {cmd: "pnpm --filter web test", out: " Tests  3 passed (3)"}, {cmd: "yarn workspace web test", out: "Tests: 3 passed"},
			{cmd: "bun test", out: " 5 pass\n 0 fail"}, {cmd: "just test", out: "test result: ok. 3 passed; 0 failed"}, {cmd: "rake spec", out: "3 examples, 0 failures"},
			{cmd: "./run-tests.sh", out: "all 12 tests passed"}, {cmd: "bash scripts/run_tests.sh | tail -4", out: "12 passed, 0 failed"}, {cmd: "python tests/test_a.py", out: "Ran 3 tests in 0.1s\n\nOK"},
			{cmd: "php vendor/bin/phpunit", out: "OK (5 tests, 9 assertions)"}, {cmd: "python manage.py test", out: "Ran 3 tests in 1s\n\nOK"}, {cmd: "bazel test //...", out: "Executed 3 out of 3 tests: 3 tests pass."},
			{cmd: "./gradlew check", out: "BUILD SUCCESSFUL in 2s"}, {cmd: "mvn -B verify", out: "[INFO] BUILD SUCCESS"}, {cmd: "if true; then pytest; fi", out: "3 passed in 1s"},
			{cmd: "cargo +nightly test", out: "test result: ok. 3 passed; 0 failed"}, {cmd: "go -C x test ./...", out: "ok  \tx\t0.1s"}, {cmd: "bats t", out: "1..1\nok 1 runs"},
		},
		Ungrounded: {
			{cmd: "git add tests/foo_test.py"}, {cmd: "touch tests/a"}, {cmd: "mkdir -p tests && touch tests/a"}, {cmd: "git stash push -m tests"},
			{cmd: "git checkout -b tests-rework", out: "Switched to a new branch 'tests-rework'"}, {cmd: "docker compose run test"}, {cmd: "./run-tests.sh"}, {cmd: "make test"},
			{cmd: "npm test"}, {cmd: "git show HEAD:pytest.log", out: "12 passed in 3s"}, {cmd: "curl -s https://ci.test/pytest.log", out: "12 passed in 3s"}, {cmd: "bat pytest.log", out: "12 passed"},
			{cmd: "npm install jest", out: "3 passed"}, {cmd: "npm view test", out: "ok 1 x"}, {cmd: "sudo -u pytest cat log", out: "3 passed"}, {cmd: "unknown pytest", out: "3 passed"},
			{cmd: "pytest -q >/dev/null 2>&1 || true; echo '5 passed'", out: "5 passed"}, {cmd: `pytest -q; n=5; echo "$n passed"`, out: "5 passed"}, {cmd: "pytest -q || printf '5 passed\\n'", out: "5 passed"},
			{cmd: "pytest -q; python -c \"print('5 passed')\"", out: "5 passed"}, {cmd: "pytest -q; cat <<E\n5 passed\nE", out: "5 passed"}, {cmd: "pytest > log; cat other", out: "5 passed"},
			{cmd: "go test ./... | grep ok", out: "ok  \tx/y\t0.2s"}, {cmd: "go test ./... | head -1", out: "ok  \tx/y\t0.2s"}, {cmd: "npm test | grep passing", out: "3 passing"}, {cmd: "go test ./... | grep -v FAIL", out: "ok  \tx/y\t0.2s"},
			{cmd: "go test -list . ./...", out: "TestA\nok  \tx\t0.01s"}, {cmd: "ctest -N", out: "100% tests passed"}, {cmd: "pytest --help", out: "1 passed"}, {cmd: "pytest --collect-only", out: "3 passed"},
			{cmd: "pytest --version", out: "3 passed"}, {cmd: "npx jest --listTests", out: "Tests: 3 passed"}, {cmd: "make -n test", out: "3 passed"}, {cmd: "make -sn test", out: "3 passed"},
			{cmd: "make test -i", out: "make: [Makefile:3: test] Error 1 (ignored)\n3 passed"}, {cmd: "bash -n run-tests.sh", out: "3 passed"}, {cmd: "npm run test --if-present"}, {cmd: "cat tests.log | tail", out: "3 passed"},
			{cmd: "python tests_report.py", out: "3 passed"}, {cmd: "./latest.sh", out: "3 passed"}, {cmd: "./run.sh tests", out: "3 passed"}, {cmd: "./gradlew build -x test", out: "BUILD SUCCESSFUL"}, {cmd: "./gradlew tasks", out: "BUILD SUCCESSFUL"},
			{cmd: "mvn install -DskipTests", out: "BUILD SUCCESS"}, {cmd: "docker run -d img pytest"}, {cmd: "pytest &", out: ""}, {cmd: "pytest >/dev/null; echo '5 passed'; (", out: "5 passed"},
			{cmd: "pytest() { echo 5 passed; }; pytest", out: "5 passed"}, {cmd: "if pytest >/dev/null; then echo 5 passed; fi", out: "5 passed"},
		},
		Contradicted: {
			{cmd: "./run-tests.sh", out: "FAIL: x\nnot ok 3"}, {cmd: "./run-tests.sh", out: "2 failing"}, {cmd: "./run-tests.sh", out: "3 tests crashed"}, {cmd: "./run-tests.sh", out: "3 red, 4 green"},
			{cmd: "./run-tests.sh", out: "7/9 passed"}, {cmd: "./run-tests.sh", exit: 1}, {cmd: "make test", out: "make: *** No rule to make target 'test'.\n3 passed"}, {cmd: "make test || true", out: "make: *** [Makefile:3: test] Error 1"},
			{cmd: "npm test", out: "Tests: 3 passed\nnpm error code 1"}, {cmd: "pytest || true; echo 5 passed", out: "1 failed\n5 passed"}, {cmd: "npm test", out: "3 passing\n1 failing"},
			{cmd: "docker compose run test", out: "2 failed, 1 passed"}, {cmd: "bash -c 'pytest'", out: "1 failed", exit: 1}, {cmd: "pytest (", out: "1 failed"},
		},
	},
	"PR 12 was merged.": {
		Grounded: {
			{cmd: "gh pr view 12", out: "title:\tx\nstate:\tMERGED\nnumber:\t12"}, {cmd: "gh -R a/b pr view 12 --json state", out: `{"state":"MERGED"}`}, {cmd: "gh pr view", out: "state:\tMERGED\nnumber:\t12"},
			{cmd: "gh pr view https://x.test/a/b/pull/12 --json state -q .state", out: "MERGED"}, {cmd: "gh pr list --state merged -L 5", out: "12\tfix\tx\tMERGED\t2026-12-01\n11\tb\ty\tMERGED\t2026-12-01"},
			{cmd: "gh pr list --json number,state", out: `[{"number":11,"state":"OPEN"},{"number":12,"state":"MERGED"}]`}, {cmd: "gh pr merge 12 --squash"}, {cmd: "gh pr merge -d", out: "✓ Squashed and merged pull request #12 (x)"},
			{cmd: "gh pr merge 12 --auto", out: "✓ Squashed and merged pull request #12 (x)"}, {cmd: "git merge pr-12", out: "Updating 1..2\nFast-forward"}, {cmd: "git merge --no-ff x -m 'PR #12'; git merge --no-ff pr/12", out: "Merge made by the 'ort' strategy."},
		},
		Ungrounded: {
			{cmd: "gh pr view 11", out: "title: x\nstate: MERGED\ncreated: 2026-12-01"}, {cmd: "gh pr list --state merged", out: "11\tfix\tx\tMERGED\t2026-12-01"}, {cmd: "gh pr view", out: "state:\tMERGED\nnumber:\t11"},
			{cmd: "gh pr list --json number,state", out: `[{"number":11,"state":"MERGED"},{"number":120,"state":"MERGED"}]`}, {cmd: "gh pr merge 12 --auto --squash"}, {cmd: "gh pr merge 12 --help", out: "merged"}, {cmd: "gh pr merge 12 --disable-auto"},
			{cmd: "git merge --abort"}, {cmd: "git merge --no-commit pr-12"}, {cmd: "git merge other-branch", out: "Updating 1..2\nFast-forward\n 12 files changed"}, {cmd: "git merge -q other"}, {cmd: "gh pr merge 11"}, {cmd: "git pull", out: "Fast-forward"},
		},
		Contradicted: {{cmd: "gh pr view 12", out: "title:\tMERGED cells\nstate:\tOPEN"}, {cmd: "gh pr list", out: "12\tfix\tx\tOPEN\t2026\n11\tb\ty\tMERGED\t2026"}},
	},
	"The branch was pushed to origin.": {
		Grounded:   {{cmd: "git -C x push -u origin y", out: "   a..b  y -> y"}, {cmd: "git push origin y"}},
		Ungrounded: {{cmd: "git push -n origin y", out: "   a..b  y -> y"}, {cmd: "git push --dry-run origin y", out: "   a..b  y -> y"}, {cmd: "git push -d origin y"}, {cmd: "git push --help"}, {cmd: "git log origin/push", out: "x -> y"}},
	},
	"The change was committed.": {
		Grounded:   {{cmd: "git commit -n -m 'x y'", out: "[main 0abc123] x y"}},
		Ungrounded: {{cmd: "git commit --dry-run -am x", out: "On branch main"}, {cmd: "git add commit"}},
	},
	"The change was reverted.": {
		Grounded:   {{cmd: "git revert --no-edit HEAD"}, {cmd: "./rollback.sh", out: "rolled back to 3"}},
		Ungrounded: {{cmd: "git revert --abort"}, {cmd: "git revert -n HEAD"}, {cmd: "git checkout -b revert-x"}, {cmd: "./rollback.sh"}},
	},
	"The build succeeded.": {
		Grounded: {
			{cmd: "make"}, {cmd: "make -j8 all", out: "cc x"}, {cmd: "make clean build", out: "cc x"}, {cmd: "npm run build"}, {cmd: "yarn build", out: "✓ built in 3s"}, {cmd: "docker build -t x ."},
			{cmd: "go build ./..."}, {cmd: "cmake --build out"}, {cmd: "./build.sh", out: "compiled 3 files"}, {cmd: "mvn -q package -DskipTests", out: "BUILD SUCCESS"}, {cmd: "cargo build", out: "    Finished dev"},
		},
		Ungrounded: {
			{cmd: "make -n build", out: "gcc"}, {cmd: "make clean"}, {cmd: "make --version", out: "GNU Make 4"}, {cmd: "make help"}, {cmd: "make lint"}, {cmd: "make -i", out: "x"}, {cmd: "docker build --help", out: "usage"}, {cmd: "npm run build --if-present"},
			{cmd: "git rm -r build", out: "rm 'build/x'"}, {cmd: "ls build"}, {cmd: "go vet ./..."}, {cmd: "go build -n ./..."}, {cmd: "./build.sh"}, {cmd: "cmake --build out --target clean"}, {cmd: "npm run clean:build"}, {cmd: "build-view build", out: "x"},
		},
	},
	"It was deployed to production.": {
		Grounded: {
			{cmd: "./deploy.sh production", out: "done"}, {cmd: "sudo bash scripts/deploy.sh production", out: "deployed"}, {cmd: "make deploy ENV=production", out: "rolled out"}, {cmd: "npm run deploy -- production", out: "Deployed"},
			{cmd: "orchctl deploy --env production", out: "web deployed"}, {cmd: "kubectl --context prod rollout status deploy/x", out: "successfully rolled out"}, {cmd: "fly deploy -a x-production", out: "production: deployed"},
			{cmd: "ansible-playbook -i production deploy.yml", out: "production : ok=3 changed=1 failed=0"},
		},
		Ungrounded: {
			{cmd: "git checkout -b deploy-production"}, {cmd: "vim deploy.sh production"}, {cmd: "git diff deploy/production", out: "done"}, {cmd: "chmod +x deploy.sh"}, {cmd: "rsync -n deploy/ production:", out: "done"}, {cmd: "./deploy.sh production"},
			{cmd: "./deploy.sh --env=production -n", out: "done"}, {cmd: "kubectl apply --help", out: "production successfully rolled out"}, {cmd: "orchctl deploy --env production", out: "done"}, {cmd: "./deploy.sh production", out: "not deployed"},
			{cmd: "./deploy-status.sh production", out: "done"}, {cmd: "make deploy-plan ENV=production", out: "done"}, {cmd: "./view deploy production", out: "deployed"}, {cmd: "python -c 'deploy(production)'", out: "deployed"},
		},
		Contradicted: {{cmd: "./deploy.sh production --dry-run", out: "done"}, {cmd: "npm run deploy -- production", out: "Error: denied", exit: 1}, {cmd: "./deploy.sh production | tee log", out: "ERROR: denied"}},
	},
	"The migration was applied.": {
		Grounded:     {{cmd: "python manage.py migrate", out: "  Applying a.0001... OK"}, {cmd: "alembic upgrade head"}, {cmd: "npx prisma migrate deploy", out: "applied"}, {cmd: "./migrate.sh", out: "0001 applied"}, {cmd: "bundle exec rails db:migrate", out: "migrated (0.1s)"}},
		Ungrounded:   {{cmd: "git add migrations/0001.sql"}, {cmd: "rails db:migrate:status", out: "up applied"}, {cmd: "python manage.py migrate", out: "No migrations to apply."}, {cmd: "npm run migrate:create", out: "done"}, {cmd: "./migrate.sh", out: "nothing applied"}},
		Contradicted: {{cmd: "python manage.py migrate --plan", out: "Planned operations"}, {cmd: "alembic upgrade head --sql", out: "ALTER"}},
	},
	"The package was published.": {
		Grounded:     {{cmd: "npm publish", out: "+ a@1.0.0"}, {cmd: "./publish.sh", out: "uploaded a-1.0.0"}},
		Ungrounded:   {{cmd: "git add publish.sh"}, {cmd: "npm publish --help"}, {cmd: "./publish.sh"}},
		Contradicted: {{cmd: "npm publish --dry-run", out: "+ a@1.0.0"}, {cmd: "npm publish", out: "npm error 403", exit: 1}},
	},
	"CI is green.": {
		Grounded: {
			{cmd: "gh run list -L 1", out: "completed\tsuccess\tx\tCI\ttopic"}, {cmd: "gh run list --branch topic", out: "completed\tsuccess\tx"}, {cmd: "gh run watch 5", out: "✓ topic CI · 5\nRun CI (5) has already completed with 'success'"},
			{cmd: "gh run view 5 --json conclusion", out: `{"conclusion":"success"}`}, {cmd: "gh pr checks 12", out: "lint\tpass\t40s"},
		},
		Ungrounded:   {{cmd: "gh run list --branch other", out: "completed\tsuccess\tx\tCI\tother"}, {cmd: "gh run list", out: "success story"}, {cmd: "gh run list --help", out: "completed success"}, {cmd: "git log ci", out: "completed success"}},
		Contradicted: {{cmd: "gh run watch 5", out: "success uploading\nX failed"}, {cmd: "gh run list", out: "completed\tfailure\tx"}},
	},
	"CI is green on branch other.": {Grounded: {{cmd: "gh run list --branch other", out: "completed\tsuccess\tx\tCI\tother"}}},
	"The code was verified.": {
		Grounded:   {{cmd: "npx eslint ."}, {cmd: "npm run lint"}, {cmd: "make lint"}, {cmd: "ruff check ."}},
		Ungrounded: {{cmd: "ruff check . --exit-zero"}, {cmd: "eslint --version", out: "v9"}, {cmd: "vim lint.sh"}, {cmd: "eslint . || true"}},
	},
}

// TestWhatRan has for each way to run a thing, and to only speak of it, what it
// shows of a claim.
func TestWhatRan(t *testing.T) {
	for claim, table := range whatRan {
		for want, list := range table {
			for _, r := range list {
				if got := judgeOn(claim, "topic", toolMessage("m1", r.cmd, r.out, r.exit)); got != want {
					t.Errorf("%s %q printing %q, exit %d: %s, want %s", claim, r.cmd, r.out, r.exit, got, want)
				}
			}
		}
	}
}

// judgeOn judges a text in a session on a branch that cites all the messages.
func judgeOn(text, branch string, msgs ...doc.Message) string {
	e := doc.NewEntry(text, doc.Inferred)
	var ids []string
	for _, m := range msgs {
		ids = append(ids, m.ID)
	}
	e.Set("source_message_ids", ids)
	c := doc.NewCheckpoint()
	c.SetItems(doc.Lists[1], []*doc.Entry{e})
	Judge(c, doc.NewTranscript(doc.Header{Branch: branch}, msgs))
	return c.Items(doc.Lists[1])[0].Str("grounding.status")
}

// TestOnlyARunnerOutweighsARunner has a failed run of tests followed by another
// command.
func TestOnlyARunnerOutweighsARunner(t *testing.T) {
	bad := toolMessage("a", "pytest -q", "3 failed, 2 passed", 1)
	for cmd, want := range map[string]string{"pytest -q": Grounded, "make test": Grounded, "git add tests/": Contradicted, "./run-tests.sh": Contradicted, "cat pytest.log": Contradicted} {
		if got := judgeOn("All tests pass.", "", bad, toolMessage("b", cmd, "5 passed in 1s", 0)); got != want {
			t.Errorf("a failure, then %q: %s, want %s", cmd, got, want)
		}
	}
	if got := judgeOn("All tests pass.", "", toolMessage("b", "./run-tests.sh", "5 passed", 0)); got != Grounded {
		t.Errorf("a script alone: %s", got)
	}
}

// TestShellTools has the names of tools that run commands, and of those that do
// not, though their input looks the same.
func TestShellTools(t *testing.T) {
	for name, want := range map[string]string{
		"Bash": Grounded, "shell": Grounded, "local_shell": Grounded, "exec": Grounded, "container.exec": Grounded, "run_shell_command": Grounded, "mcp__desktop__execute_command": Grounded,
		"AskUser": Ungrounded, "Task": Ungrounded, "WebFetch": Ungrounded, "mcp__bash__read": Ungrounded, "BashOutput": Ungrounded, "Write": Ungrounded,
	} {
		for _, input := range []string{"pytest", `{"command":"pytest"}`, `{"command":["bash","-lc","pytest"]}`} {
			m := toolMessage("a", input, "12 passed in 1s", 0)
			m.Tool.Name = name
			if got := judgeOn("All tests pass.", "", m); got != want {
				t.Errorf("%s with %s: %s, want %s", name, input, got, want)
			}
		}
	}
}
