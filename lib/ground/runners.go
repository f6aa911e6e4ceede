package ground

// runner is one program whose result can show an outcome. Patterns are RE2; cmd
// meets the line of one command, the others the output, line by line (multi-line
// mode). A failure outweighs a pass; a pass needs its own line unless the runner
// is silent, which says nothing when all went well and is then told by its exit.
type runner struct {
	name     string
	kinds    []Kind
	cmd      string
	pass     string
	fail     string
	none     string // it ran, and did nothing
	silent   bool
	harmless []int // exits other than 0 that are no failure
	each     bool  // a pass line speaks of a part only
}

// runners are tried in order; every one that fits a command counts.
var runners = []runner{
	{name: "go test", kinds: []Kind{Test}, cmd: `^(?:go|richgo) test\b|^gotestsum\b`, each: true,
		pass: `^ok\s+\S+\s|^PASS\s*$|^DONE [1-9]\d* tests`, fail: `^\s*--- FAIL|^FAIL\b|\[build failed\]|^panic:|\[setup failed\]`,
		none: `no tests to run|^testing: warning`},
	{name: "go build", kinds: []Kind{Build, Check}, cmd: `^go (?:build|install)\b`, fail: `^\S+\.go:\d+|^# `, silent: true},
	{name: "go vet", kinds: []Kind{Check}, cmd: `^go vet\b`, fail: `^\S+\.go:\d+|^# `, silent: true},
	{name: "pytest", kinds: []Kind{Test}, cmd: `^(?:pytest|py\.test|tox|nox|unittest|nose2|manage\.py test|django-admin test)(?: |$)`,
		pass: `\b[1-9]\d* passed\b|^OK\b`, fail: `\b[1-9]\d* (?:failed|errors?)\b|^(?:FAILED|ERROR)\b|^INTERNALERROR`,
		none: `no tests ran|collected 0 items|Ran 0 tests`},
	{name: "javascript tests", kinds: []Kind{Test}, cmd: `^(?:vitest|jest|mocha|ava|playwright|tap|tape|cypress run|deno test)(?: |$)|^node (?:\S+ )*--test\b`, each: true,
		pass: `Tests?:?\s.*\b[1-9]\d* passed\b|^\s*[1-9]\d* pass(?:ing|ed)?\b|^(?:#|ℹ) pass [1-9]|^ok \d+ |^ok \| [1-9]`,
		fail: jsFails, none: `[Nn]o tests? (?:files? )?(?:found|were found)|^# tests 0$`},
	{name: "test tasks", kinds: []Kind{Test}, cmd: `^task (?:\S+ )*(?:\S*[^a-z\s])?(?:run)?(?:tests?|specs?|checks?|e2e|unit|integration)(?:[^a-z]|$)`, each: true,
		pass: summary, fail: jsFails + `|` + summaryFails, none: `no tests ran|collected 0 items|Ran 0 tests|[Nn]o tests? (?:files? )?(?:found|were found)|^# tests 0$|\(ignored\)$|^testing: warning`},
	{name: "other tests", kinds: []Kind{Test}, cmd: `^(?:mix|swift|flutter|dart|lein|stack|cabal|sbt|zig build) test\b|^(?:bats|prove|busted|ginkgo|robot|elm-test|behave|xcodebuild (?:\S+ )*test)(?: |$)`, each: true,
		pass: summary + `|^All tests (?:passed|successful)|TEST SUCCEEDED|Test Suite Passed`, fail: summaryFails + `|TEST FAILED|^Result: FAIL`, none: `no tests ran`},
	{name: "cargo test", kinds: []Kind{Test}, cmd: `^cargo (?:test|nextest run|t)(?: |$)`, each: true,
		pass: `^test result: ok\. [1-9]\d* passed|[1-9]\d* tests? run: [1-9]\d* passed`, fail: `^test result: FAILED|^error(?:\[E\d+\])?:|could not compile|\b[1-9]\d* failed\b`,
		none: `^running 0 tests`},
	{name: "cargo build", kinds: []Kind{Build, Check}, cmd: `^cargo (?:build|check|b)(?: |$)`, pass: `^\s*Finished\b`, fail: `^error(?:\[E\d+\])?:|could not compile`},
	{name: "cargo clippy", kinds: []Kind{Check}, cmd: `^cargo clippy\b`, pass: `^\s*Finished\b`, fail: `^error(?:\[E\d+\])?:|could not compile`},
	{name: "cargo fuzz", kinds: []Kind{Test, Fix, Done}, cmd: `^cargo fuzz run\b`, pass: `^Done \d+ runs|^Executed \S+`, fail: `^SUMMARY:|panicked at|ERROR: libFuzzer`},
	{name: "cargo publish", kinds: []Kind{Publish}, cmd: `^cargo publish\b`, pass: `^\s*(?:Published|Uploaded)\b`, fail: `^error|aborting upload`},
	{name: "maven tests", kinds: []Kind{Test}, cmd: `^mvnw? (?:\S+ )*(?:test|verify|install|package|deploy)(?: |$)`, pass: `BUILD SUCCESS`, fail: `BUILD FAILURE|Failures: [1-9]|Errors: [1-9]`, none: `No tests to run|Tests are skipped`},
	{name: "maven", kinds: []Kind{Build}, cmd: `^mvnw? (?:\S+ )*(?:compile|test|verify|install|package|deploy)(?: |$)`, pass: `BUILD SUCCESS`, fail: `BUILD FAILURE`},
	{name: "gradle tests", kinds: []Kind{Test}, cmd: `^gradlew? (?:\S+ )*(?:\S*:)?(?:\w*[tT]est\w*|check|build)(?: |$)`, pass: `BUILD SUCCESSFUL`, fail: `BUILD FAILED|\b[1-9]\d* failed\b`},
	{name: "gradle", kinds: []Kind{Build}, cmd: `^gradlew? (?:\S+ )*(?:\S*:)?(?:build|assemble\w*|compile\w*|jar|bootJar|bundle\w*|install\w*|\w*[tT]est\w*|check)(?: |$)`, pass: `BUILD SUCCESSFUL`, fail: `BUILD FAILED`},
	{name: "jvm publish", kinds: []Kind{Publish}, cmd: `^(?:gradlew? (?:\S+ )*(?:\S*:)?publish\w*|mvnw? (?:\S+ )*deploy)(?: |$)`, pass: `BUILD SUCCESS`, fail: `BUILD FAIL`},
	{name: "rspec", kinds: []Kind{Test}, cmd: `^(?:rspec|rails test|minitest)(?: |$)`, pass: `[1-9]\d* (?:examples?|runs).*\b0 failures`, fail: `\b[1-9]\d* failures?\b`, none: `\b0 (?:examples|runs)\b`},
	{name: "phpunit", kinds: []Kind{Test}, cmd: `^(?:phpunit|pest|artisan test)(?: |$)`, pass: `^OK \(|Tests:\s+[1-9]\d* passed`, fail: `^(?:FAILURES|ERRORS)!|[1-9]\d* failed`, none: `No tests executed`},
	{name: "ctest", kinds: []Kind{Test}, cmd: `^ctest\b`, pass: `100% tests passed`, fail: `\*\*\*Failed|tests failed out of`, none: `No tests were found`},
	{name: "dotnet test", kinds: []Kind{Test}, cmd: `^dotnet test\b`, pass: `^\s*Passed!|Test Run Successful`, fail: `^\s*Failed!|Test Run Failed|error CS\d+`, none: `No test is available`},
	{name: "dotnet build", kinds: []Kind{Build}, cmd: `^dotnet (?:build|publish)\b`, pass: `Build succeeded`, fail: `Build FAILED|error CS\d+`},
	{name: "linters", kinds: []Kind{Check}, cmd: `^(?:tsc|eslint|ruff|mypy|pyright|flake8|golangci-lint|staticcheck|shellcheck|stylelint|biome|rubocop|black|prettier)\b`,
		fail: `error TS\d+|✖ [1-9]|Found [1-9]\d* errors?|: error:`, silent: true},
	{name: "lint tasks", kinds: []Kind{Check}, cmd: `^task (?:\S+ )*(?:\S*[^a-z\s])?(?:lint|vet|typecheck|type-check|tsc)(?:[^a-z]|$)`,
		fail: `error TS\d+|✖ [1-9]|Found [1-9]\d* errors?|\berror:|^npm (?:ERR!|error)|ELIFECYCLE|^\w*make(?:\[\d+\])?: \*\*\*`, none: `\(ignored\)$`, silent: true},
	{name: "javascript build", kinds: []Kind{Build}, cmd: `^(?:vite build|webpack|rollup|tsc|next build)(?: |$)`, pass: jsBuilt, fail: jsBuildFails, silent: true},
	{name: "build tasks", kinds: []Kind{Build}, cmd: `^task (?:\S+ )*(?:\S*[^a-z\s])?(?:build|compile|bundle|dist)(?:[^a-z]|$)`,
		pass: jsBuilt, fail: jsBuildFails + `|^\w*make(?:\[\d+\])?: \*\*\*|\berror:|FAILED:`, none: `\(ignored\)$`, silent: true},
	{name: "make", kinds: []Kind{Build}, cmd: `^(?:make|cmake --build)(?: |$)`, fail: `^\w*make(?:\[\d+\])?: \*\*\*|\berror:|FAILED:`, none: `\(ignored\)$|Nothing to be done`, silent: true},
	{name: "docker build", kinds: []Kind{Build}, cmd: `^(?:docker|podman)(?: buildx| compose)? build\b`, pass: `Successfully (?:built|tagged)|naming to|exporting to image`, fail: `^ERROR|failed to solve`, silent: true},
	{name: "docker push", kinds: []Kind{Publish, Push}, cmd: `^(?:docker|podman|crane|skopeo)(?: image)? (?:push|copy)\b`, pass: `digest: sha256`, fail: `denied|unauthorized|^error`, silent: true},
	{name: "package publish", kinds: []Kind{Publish}, cmd: `^(?:npm|pnpm|yarn|bun)(?: npm)? publish\b|^twine upload\b|^gem push\b|^(?:uv|poetry) publish\b|^gh release create\b`,
		pass: `^\+ \S+@|View at:|Successfully registered|Published|/releases/tag/`, fail: `^npm (?:ERR!|error)|HTTPError|already exists|^error`, silent: true},
	{name: "kubectl", kinds: []Kind{Deploy}, cmd: `^(?:kubectl|oc) (?:rollout status|apply|set image)\b`, pass: `successfully rolled out`, fail: `^error|exceeded its progress deadline|timed out`, none: `Waiting for deployment[^\n]*\z`},
	{name: "helm", kinds: []Kind{Deploy}, cmd: `^helm (?:upgrade|install)\b`, pass: `STATUS: deployed`, fail: `^Error|STATUS: failed`},
	{name: "hosted deploy", kinds: []Kind{Deploy}, cmd: `^(?:fly|flyctl|vercel|netlify|firebase|serverless|sls|sam|cdk|wrangler|eb|railway|copilot) (?:deploy|up)\b|^gcloud (?:run|app|functions) deploy\b|^docker stack deploy\b`,
		pass: `(?i)\b(?:deployed|deploy(?:ment)? (?:is )?(?:complete|live|succeeded|successful))\b|serving 100 percent|^(?:Creating|Updating) service|^\s*✅`, fail: `(?i)^.*\b(?:error|failed|aborted)\b`},
	{name: "terraform validate", kinds: []Kind{Check}, cmd: `^(?:terraform|tofu) validate\b`, pass: `Success! The configuration is valid`, fail: `^(?:│ )?Error:`},
	{name: "terraform apply", kinds: []Kind{Apply, Deploy}, cmd: `^(?:terraform|tofu) (?:apply|destroy)\b`, pass: `(?:Apply|Destroy) complete!`, fail: `^(?:│ )?Error:`},
	{name: "terraform plan", kinds: nil, cmd: `^(?:terraform|tofu) plan\b`, harmless: []int{2}},
	{name: "migrations", kinds: []Kind{Apply}, cmd: `^(?:alembic upgrade|flyway migrate|liquibase update|rails db:migrate|manage\.py migrate|artisan migrate|prisma migrate (?:deploy|dev)|knex migrate(?::latest)?|goose (?:\S+ )*up|sqlx migrate run|dbmate (?:up|migrate)|diesel migration run|sequelize db:migrate|typeorm migration:run|mix ecto\.migrate|dotnet ef database update)(?: |$)`,
		pass: `\b(?:applied|migrated|Running upgrade|Successfully)\b|\.\.\. OK`, fail: `(?i)^.*\b(?:error|failed|traceback)\b`, none: `No migrations to apply|already up to date`, silent: true},
	{name: "git merge", kinds: []Kind{Merge}, cmd: `^git merge(?: |$)`, pass: `Merge made by|^Fast-forward|^Updating `, fail: `^CONFLICT|Automatic merge failed|^fatal:|^error:`, none: `Already up to date`, silent: true},
	{name: "git push", kinds: []Kind{Push}, cmd: `^git push(?: |$)`, pass: `\s->\s`, fail: `\[rejected\]|^error:|^fatal:|\[remote rejected\]`, none: `Everything up-to-date`, silent: true},
	{name: "git commit", kinds: []Kind{Commit}, cmd: `^git commit(?: |$)`, pass: `^\[\S+.* [0-9a-f]{7,}\]`, fail: `nothing to commit|^fatal:|^error:`, silent: true},
	{name: "git revert", kinds: []Kind{Revert}, cmd: `^git revert(?: |$)`, fail: `^CONFLICT|^error:|^fatal:`, silent: true},
	{name: "merge request merge", kinds: []Kind{Merge}, cmd: `^(?:gh pr|glab mr) merge\b`, pass: `(?i)\bmerged\b`, fail: `not mergeable|GraphQL|failed|^!`, none: `will be automatically merged|auto-merge`, silent: true},
	{name: "merge request state", kinds: []Kind{Merge}, cmd: `^(?:gh pr|glab mr) (?:view|list|status)\b`,
		pass: `(?i)^state:\s*merged\b|"state":\s*"merged"|"merged":\s*true|(?:^|\t)[\["]*MERGED\b|^[#!]?\d+\s.*\bMERGED\b`,
		fail: `(?i)^state:\s*(?:open(?:ed)?|closed|draft)\b|"state":\s*"(?:open(?:ed)?|closed)"|(?:^|\t)[\["]*(?:OPEN|CLOSED|DRAFT|BLOCKED)\b|^[#!]?\d+\s+(?:OPEN|CLOSED|DRAFT)\b`},
	{name: "merge request checks", kinds: []Kind{CI, Test}, cmd: `^gh pr checks\b`, pass: `\b(?:pass|success)\b`, fail: `\b(?:fail|failure|failed|cancel(?:led)?)\b`, none: `\b(?:pending|queued|in_progress)\b`},
	{name: "workflow runs", kinds: []Kind{CI}, cmd: `^(?:gh run|glab ci|\S*ci-cli|circleci|buildkite|bk|tkn)\b`,
		pass: `(?:^|\t)completed\s+success\b|"conclusion":\s*"?success|\(success\)|\b(?:state|result|status|conclusion):\s*success\b|with 'success'|^✓ |^"?success"?$`,
		fail: `\bfailure\b|^X |\bfailed\b|[Ee]xit code [1-9]|\bcancelled\b|^FAIL\b|\(failed\)|^\S*\s*Error:`, none: `\b(?:in_progress|queued|pending|running)\b`},
	{name: "nginx", kinds: []Kind{Check, Test}, cmd: `^nginx (?:\S+ )*-t\b`, pass: `test is successful`, fail: `test failed|\[emerg\]`},
}

const (
	jsFails      = `\b[1-9]\d* (?:failed|failing)\b|^\s*[1-9]\d* fail\b|^(?:#|ℹ) fail [1-9]|^not ok\b|^\s*FAIL\b|^npm (?:ERR!|error)|ELIFECYCLE`
	jsBuilt      = `\bbuilt in\b|[Cc]ompiled successfully|webpack .* compiled`
	jsBuildFails = `error during build|Failed to compile|^npm (?:ERR!|error)|ERROR in|error TS\d+`

	// summary is a line in which some runner sums up a run that went well.
	summary = `\b[1-9]\d* passed\b|^\s*[1-9]\d* pass(?:ing)?\b|^(?:#|ℹ) pass [1-9]|^ok \d+ |^ok\s+\S+\s+(?:[\d.]+s|\(cached\))|^test result: ok\. [1-9]` +
		`|^OK(?: \(.*\))?\s*$|^PASS\s*$|100% tests passed|\b[1-9]\d* (?:tests?|checks?|suites?|examples?|runs|specs?)\b.*\b0 (?:failures|failed|errors)` +
		`|BUILD SUCCESS|^\s*Passed!|^All (?:\d+ )?tests (?:passed|successful)|\b[1-9]\d* tests? pass\b`

	summaryFails = `^\w*make(?:\[\d+\])?: \*\*\*|\berror:|^\s*--- FAIL|^(?:FAIL|FAILED|FAILURES|ERROR)\b|\b[1-9]\d* (?:failed|failures?|errors?|failing)\b|^test result: FAILED` +
		`|\*\*\*Failed|tests failed out of|BUILD FAIL|could not compile|^panic:|\[build failed\]`
)
