package ground

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// asking are the options with which a program shows or lists, tries or undoes
// instead of doing, by program and subcommand; all programs have the first.
var asking = map[string]string{
	"": "--help -help --list --list-tests --listTests --collect-only --show-only --no-run --print-config --showConfig --notest --fixtures --markers",

	"go": "-list -c", "ctest": "-N", "pytest": "--co --setup-plan --setup-only", "dotnet": "-t", "tox": "-l", "nox": "-l",
	"git merge": "--abort --quit --no-commit --squash", "git revert": "--abort --quit --no-commit -n --skip", "git push": "--delete -d",
	"gh pr": "--disable-auto --web", "gh release": "--draft", "terraform apply": "-refresh-only", "docker build": "--check",
	"make": "-q -t -p --question --touch", "prisma migrate": "--create-only", "npm publish": "--provenance-only", "cmake": "clean",
}

// rehearsing are the options with which a program tells what it would do.
var rehearsing = map[string]string{
	"": "--dry-run --dryrun --check-only --noop --no-op --whatif --what-if --plan --simulate --just-print --recon --fake --planonly",

	"alembic": "--sql", "manage.py": "--check", "ansible-playbook": "--check -C", "gradle": "-m", "gradlew": "-m",
	"git push": "-n", "go": "-n", "just": "-n", "task": "-n", "rake": "-n",
}

// forgiving are the options with which a program ends well whatever it found.
var forgiving = map[string]string{
	"": "--exit-zero --if-present --issues-exit-code=0 --ignore-errors -Dmaven.test.failure.ignore -Dmaven.test.failure.ignore=true", "make": "-i",
}

// flags reads the options that change what a program does.
func (p *program) flags(words []string) {
	rest := words[1:]
	has := func(table map[string]string) bool {
		options := table[""] + " " + table[words[0]]
		if len(rest) > 0 {
			options += " " + table[words[0]+" "+rest[0]]
		}
		return given(rest, strings.Fields(options))
	}
	cluster := func(letters string) bool {
		return makes(words[0]) && slices.ContainsFunc(rest, func(w string) bool {
			return len(w) > 1 && w[0] == '-' && strings.Trim(w[1:], "BikmnsSrRwq") == "" && strings.ContainsAny(w, letters)
		})
	}
	p.dry = has(rehearsing) || cluster("n")
	p.idle = has(asking) || versionOnly(rest) || p.sort == scripted && slices.Contains(rest, "-n")
	p.lenient = p.lenient || has(forgiving) || cluster("i")
	p.skips = skipsTests(rest)
	p.queues = given(rest, []string{"--auto", "--when-pipeline-succeeds", "--auto-merge"})
	p.number = requestNumber(words)
	p.branch = branchOf(rest)
}

// given tells whether one of the options stands among words, with or without a
// value of its own.
func given(words, options []string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		name, value, _ := strings.Cut(w, "=")
		if value == "false" || value == "none" {
			return false
		}
		return slices.Contains(options, w) || name != w && slices.Contains(options, name)
	})
}

func versionOnly(args []string) bool {
	if len(args) == 0 {
		return false
	}
	switch args[0] {
	case "help", "version":
		return true
	}
	switch args[len(args)-1] {
	case "-h", "--version", "-version", "-V":
		return true
	case "-v":
		return len(args) == 1
	}
	return false
}

func skipsTests(args []string) bool {
	for i, w := range args {
		if strings.HasPrefix(w, "-DskipTests") || strings.HasPrefix(w, "-Dmaven.test.skip") || w == "-x" && i+1 < len(args) && strings.HasSuffix(args[i+1], "test") {
			return true
		}
	}
	return false
}

const requestValues = "-R --repo -L --limit -q --jq --json -t --template -s --state -b --body -F --body-file -l --label -a --author -B --base -H --head -S --search --match-head-commit --subject"

var requestArg = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[#!]?(\d+)$|/(?:pull|merge_requests)/(\d+)`)
})

// requestNumber is the number of the merge request that an argument names.
func requestNumber(words []string) string {
	if len(words) < 3 || words[0]+" "+words[1] != "gh pr" && words[0]+" "+words[1] != "glab mr" {
		return ""
	}
	for _, w := range positionals(words[3:], requestValues) {
		if m := requestArg().FindStringSubmatch(w); m != nil {
			return m[1] + m[2]
		}
	}
	return ""
}

func branchOf(args []string) string {
	for i, w := range args {
		switch name, value, found := strings.Cut(w, "="); {
		case name != "--branch" && name != "-b" && name != "--ref":
		case found:
			return value
		case i+1 < len(args):
			return args[i+1]
		}
	}
	return ""
}

func set(words string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		m := map[string]bool{}
		for _, w := range strings.Fields(words) {
			m[w] = true
		}
		return m
	})
}

var (
	// idlePrograms print, move or edit what stands somewhere; nothing of it ran.
	idlePrograms = set(`cat tac bat batcat less more head tail grep egrep fgrep rg ag ack sed awk gawk find fd ls exa eza tree wc sort uniq cut tr
		column jq yq xxd diff cmp stat file du df pwd cd pushd popd cp mv rm mkdir rmdir touch ln chmod chown tee echo printf true false : test [ [[ sleep wait
		which type whereis export set unset read date seq basename dirname realpath readlink tar zip unzip gzip rsync scp curl wget http
		vim vi nvim nano emacs code micro ed open xdg-open man help history alias tmux screen ps top kill pip pip3 brew apt apt-get dnf yum apk
		sqlite3 psql mysql`)

	// closedPrograms are known with all they can show.
	closedPrograms = set(`git gh glab docker docker-compose podman kubectl oc helm terraform tofu npm pnpm yarn bun uv poetry cargo go rustup
		pytest jest vitest mocha eslint ruff tsc mvn mvnw gradle gradlew hg svn aws az dotnet`)

	// packageVerbs are no scripts of a package.
	packageVerbs = set(`add remove rm install i ci update up upgrade outdated why list ls info view init create publish pack link unlink audit config
		cache dlx exec run x pm patch store root bin prune import rebuild fetch version login logout whoami tag owner dedupe set policies npm plugin
		workspaces workspace global help`)

	// scriptTools are programs that a package manager runs by their name.
	scriptTools = set(`vitest jest mocha ava playwright tsc eslint prettier vite webpack rollup cypress biome stylelint turbo nx tsx ts-node prisma knex tap`)
)

// knownTool tells whether a runner is known for a command.
func knownTool(words []string) bool {
	line := strings.Join(words, " ")
	return slices.ContainsFunc(table(), func(r compiled) bool { return r.cmd.matches(line) })
}
