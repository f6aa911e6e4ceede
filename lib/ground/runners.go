package ground

// runner is one program whose result can show an outcome. Patterns are RE2; cmd
// meets one simple command, the others the output, line by line (multi-line mode).
// A failure outweighs a pass; a pass needs its own line unless the runner is
// silent, which says nothing when all went well and is then told by its exit.
type runner struct {
	name     string
	kinds    []Kind
	cmd      string
	pass     string
	fail     string
	none     string // it ran, and did nothing
	silent   bool
	harmless []int // exits other than 0 that are no failure
	open     bool  // it runs whatever its file names, so the verbs count too
}

// runners are tried in order; every one that fits a command counts.
var runners = []runner{
	{name: "go test", kinds: []Kind{Test}, cmd: `^(?:go|gotestsum|richgo)(?: \S+)*? ?test\b|^gotestsum`,
		pass: `^ok\s+\S+\s|^PASS\s*$|^DONE [1-9]\d* tests`, fail: `^\s*--- FAIL|^FAIL\b|\[build failed\]|^panic:|\[setup failed\]`,
		none: `no tests to run|^testing: warning`},
	{name: "go build", kinds: []Kind{Build, Check}, cmd: `^go (?:build|vet|install)\b`, fail: `^\S+\.go:\d+|^# `, silent: true},
	{name: "pytest", kinds: []Kind{Test}, cmd: `\b(?:pytest|tox|nox|unittest)\b`,
		pass: `\b[1-9]\d* passed\b|^OK\b`, fail: `\b[1-9]\d* (?:failed|errors?)\b|^(?:FAILED|ERROR)\b|^INTERNALERROR`,
		none: `no tests ran|collected 0 items|Ran 0 tests`},
	{name: "javascript tests", kinds: []Kind{Test}, cmd: `^(?:npx|npm|pnpm|yarn|bun|bunx|deno)\b.*\b(?:test|t|vitest|jest|mocha|ava|playwright)\b|^(?:vitest|jest|mocha|ava|playwright)\b|^node\b.*--test\b`,
		pass: `Tests?:?\s.*\b[1-9]\d* passed\b|^\s*[1-9]\d* pass(?:ing|ed)\b|^(?:#|ℹ) pass [1-9]|^ok \d+ `,
		fail: `\b[1-9]\d* (?:failed|failing)\b|^(?:#|ℹ) fail [1-9]|^not ok\b|^\s*FAIL\b|^npm ERR!|ELIFECYCLE`,
		none: `[Nn]o tests? (?:files? )?(?:found|were found)|^# tests 0$`},
	{name: "cargo test", kinds: []Kind{Test}, cmd: `^cargo(?: \+\S+)? (?:test|nextest|t)\b`,
		pass: `^test result: ok\. [1-9]\d* passed|[1-9]\d* tests? run: [1-9]\d* passed`, fail: `^test result: FAILED|^error(?:\[E\d+\])?:|could not compile|\b[1-9]\d* failed\b`,
		none: `^running 0 tests`},
	{name: "cargo build", kinds: []Kind{Build, Check}, cmd: `^cargo(?: \+\S+)? (?:build|check|clippy|b)\b`, pass: `^\s*Finished\b`, fail: `^error(?:\[E\d+\])?:|could not compile`},
	{name: "cargo fuzz", kinds: []Kind{Test, Fix, Done}, cmd: `^cargo(?: \+\S+)? fuzz run\b`, pass: `^Done \d+ runs|^Executed \S+`, fail: `^SUMMARY:|panicked at|ERROR: libFuzzer`},
	{name: "cargo publish", kinds: []Kind{Publish}, cmd: `^cargo(?: \+\S+)? publish\b`, pass: `^\s*(?:Published|Uploaded)\b`, fail: `^error|aborting upload`},
	{name: "maven", kinds: []Kind{Test, Build}, cmd: `\bmvnw?\b`, pass: `BUILD SUCCESS`, fail: `BUILD FAILURE|Failures: [1-9]|Errors: [1-9]`, none: `No tests to run|Tests are skipped`},
	{name: "gradle", kinds: []Kind{Test, Build}, cmd: `\bgradlew?\b`, pass: `BUILD SUCCESSFUL`, fail: `BUILD FAILED|\b[1-9]\d* failed\b`},
	{name: "rspec", kinds: []Kind{Test}, cmd: `\b(?:rspec|rake (?:test|spec)|rails test|minitest)\b`, pass: `[1-9]\d* (?:examples?|runs).*\b0 failures`, fail: `\b[1-9]\d* failures?\b`, none: `\b0 (?:examples|runs)\b`},
	{name: "phpunit", kinds: []Kind{Test}, cmd: `\b(?:phpunit|pest|artisan test)\b`, pass: `^OK \(|Tests:\s+[1-9]\d* passed`, fail: `^(?:FAILURES|ERRORS)!|[1-9]\d* failed`, none: `No tests executed`},
	{name: "ctest", kinds: []Kind{Test}, cmd: `^ctest\b`, pass: `100% tests passed`, fail: `\*\*\*Failed|tests failed out of`, none: `No tests were found`},
	{name: "dotnet test", kinds: []Kind{Test}, cmd: `^dotnet test\b`, pass: `^\s*Passed!|Test Run Successful`, fail: `^\s*Failed!|Test Run Failed|error CS\d+`, none: `No test is available`},
	{name: "dotnet build", kinds: []Kind{Build}, cmd: `^dotnet (?:build|publish)\b`, pass: `Build succeeded`, fail: `Build FAILED|error CS\d+`},
	{name: "linters", kinds: []Kind{Check}, cmd: `^(?:npx |pnpm |yarn |bunx )*(?:tsc|eslint|ruff|mypy|pyright|flake8|golangci-lint|staticcheck|shellcheck|stylelint|biome|rubocop|black|prettier)\b`,
		fail: `error TS\d+|✖ [1-9]|Found [1-9]\d* errors?|: error:`, silent: true},
	{name: "javascript build", kinds: []Kind{Build}, cmd: `^(?:npm|pnpm|yarn|bun|npx|bunx)\b.*\b(?:build|vite build|webpack|rollup|tsc)\b`,
		pass: `\bbuilt in\b|[Cc]ompiled successfully|webpack .* compiled`, fail: `error during build|Failed to compile|^npm ERR!|ERROR in|error TS\d+`, silent: true},
	{name: "make tests", kinds: []Kind{Test}, cmd: `^(?:make|gmake|just|task|ninja)\b.*(?:test|check|spec)`,
		pass: `\b[1-9]\d* (?:tests?|checks|suites?)\b.*\b0 (?:failures|failed|errors)|\b[1-9]\d* passed\b|^ok\s+\S+\s|100% tests passed`,
		fail: `^\w*make(?:\[\d+\])?: \*\*\*|\berror:|^FAIL\b|\b[1-9]\d* (?:failed|failures?)\b|^error: `, none: `no tests ran`, open: true},
	{name: "make", kinds: []Kind{Build}, cmd: `^(?:make|gmake|ninja|cmake --build|bazel build|just build|task build)\b`, fail: `^\w*make(?:\[\d+\])?: \*\*\*|\berror:|FAILED:`, silent: true, open: true},
	{name: "docker build", kinds: []Kind{Build}, cmd: `^(?:docker|podman)(?: buildx| compose)? build\b`, pass: `Successfully (?:built|tagged)|naming to|exporting to image`, fail: `^ERROR|failed to solve`, silent: true},
	{name: "docker push", kinds: []Kind{Publish, Push}, cmd: `^(?:docker|podman|crane|skopeo)(?: image)? (?:push|copy)\b`, pass: `digest: sha256`, fail: `denied|unauthorized|^error`, silent: true},
	{name: "package publish", kinds: []Kind{Publish}, cmd: `^(?:npm|pnpm|yarn|bun)(?: npm)? publish\b|\btwine upload\b|^gem push\b|^(?:uv|poetry) publish\b|^gh release create\b`,
		pass: `^\+ \S+@|View at:|Successfully registered|Published|/releases/tag/`, fail: `^npm ERR!|HTTPError|already exists|^error`, silent: true},
	{name: "kubectl", kinds: []Kind{Deploy}, cmd: `^(?:kubectl|oc)\b.*\b(?:rollout status|apply|set image)\b`, pass: `successfully rolled out`, fail: `^error|exceeded its progress deadline|timed out`, none: `Waiting for deployment[^\n]*\z`},
	{name: "helm", kinds: []Kind{Deploy}, cmd: `^helm\b.*\b(?:upgrade|install)\b`, pass: `STATUS: deployed`, fail: `^Error|STATUS: failed`},
	{name: "terraform validate", kinds: []Kind{Check}, cmd: `^(?:terraform|tofu)\b.* ?validate\b`, pass: `Success! The configuration is valid`, fail: `^(?:│ )?Error:`},
	{name: "terraform apply", kinds: []Kind{Apply, Deploy}, cmd: `^(?:terraform|tofu)\b.* ?(?:apply|destroy)\b`, pass: `(?:Apply|Destroy) complete!`, fail: `^(?:│ )?Error:`},
	{name: "terraform plan", kinds: nil, cmd: `^(?:terraform|tofu)\b.* ?plan\b`, harmless: []int{2}},
	{name: "migrations", kinds: []Kind{Apply}, cmd: `\b(?:alembic upgrade|flyway migrate|liquibase update|db:migrate|manage\.py migrate|artisan migrate|prisma migrate|knex migrate|goose up|sqlx migrate|dbmate up|diesel migration run)\b`,
		pass: `\b(?:applied|migrated|Running upgrade|Successfully)\b|\.\.\. OK`, fail: `(?i)^.*\b(?:error|failed|traceback)\b`, silent: true},
	{name: "git merge", kinds: []Kind{Merge}, cmd: `^git(?: -\S+)* (?:merge|pull)\b`, pass: `Merge made by|^Fast-forward|^Updating `, fail: `^CONFLICT|Automatic merge failed|^fatal:|^error:`, none: `Already up to date`, silent: true},
	{name: "git push", kinds: []Kind{Push}, cmd: `^git(?: -\S+)* push\b`, pass: `\s->\s`, fail: `\[rejected\]|^error:|^fatal:|\[remote rejected\]`, none: `Everything up-to-date`, silent: true},
	{name: "git commit", kinds: []Kind{Commit}, cmd: `^git(?: -\S+)* commit\b`, pass: `^\[\S+.* [0-9a-f]{7,}\]`, fail: `nothing to commit|^fatal:|^error:`, silent: true},
	{name: "git revert", kinds: []Kind{Revert}, cmd: `^git(?: -\S+)* revert\b`, fail: `^CONFLICT|^error:|^fatal:`, silent: true},
	{name: "merge request merge", kinds: []Kind{Merge}, cmd: `^(?:gh pr|glab mr) merge\b`, pass: `(?i)\bmerged\b`, fail: `not mergeable|GraphQL|failed|^!`, none: `will be automatically merged|auto-merge`, silent: true},
	{name: "merge request state", kinds: []Kind{Merge}, cmd: `^(?:gh pr|glab mr) (?:view|list|status)\b`, pass: `\bMERGED\b|(?i)"state":\s*"merged"|^state:\s*merged`, fail: `\b(?:OPEN|CLOSED|DRAFT|BLOCKED)\b|(?i)"state":\s*"open(?:ed)?"`},
	{name: "merge request checks", kinds: []Kind{CI, Test}, cmd: `^gh pr checks\b`, pass: `\b(?:pass|success)\b`, fail: `\b(?:fail|failure|failed)\b`, none: `\b(?:pending|queued|in_progress)\b`},
	{name: "workflow runs", kinds: []Kind{CI}, cmd: `^(?:gh run|glab ci|\S*ci-cli|circleci|buildkite|bk|tkn)\b`,
		pass: `\bsuccess\b`, fail: `\bfailure\b|[Ee]xit code [1-9]|\bcancelled\b|^FAIL\b|\(failed\)|^\S*\s*Error:`, none: `\b(?:in_progress|queued|pending|running)\b`},
	{name: "nginx", kinds: []Kind{Check, Test}, cmd: `\bnginx -t\b`, pass: `test is successful`, fail: `test failed|\[emerg\]`},
}

// verbs are words of commands that no runner is known for, such as ./deploy.sh.
// Such a command counts when its exit is its own and its output names no failure.
var verbs = []struct {
	kind Kind
	word string
}{
	{Deploy, `(?i)(?:deploy|desplegar|despliegue|implantar|rollout|\bship\b|ausrollen|deployer|promote)`},
	{Apply, `(?i)(?:migrat|migrar|migra\b|migrer|\bapply\b)`},
	{Publish, `(?i)(?:publish|upload|publicar|publier|release\.)`},
	{Build, `(?i)(?:build|compile|construir|bauen)`},
	{Test, `(?i)(?:\btests?\b|_test\b|run-tests|\bcheck\.sh)`},
	{Revert, `(?i)(?:rollback|revert)`},
}

// failing are words of failure in the output of a command that no runner is
// known for; harmlessly is what is left out first.
const (
	failing    = `(?i)\b(?:error|errors|failed|failure|fatal|killed|aborted|aborting|cancelled|canceled|cancelado|cancelada|traceback|panic|denied|fallo|falhou|erro|fehler|fehlgeschlagen|échec|échoué|errore|fallito)\b|falló|错误|失败|エラー|失敗|실패|오류`
	harmlessly = `(?i)\b(?:0|no) (?:tests? |checks? )?(?:failed|failures?|errors?|failing)\b|\b(?:failed|failures?|errors?|fail)(?::| ?=)? 0\b`
)
