package ground

import (
	"path"
	"regexp"
	"strings"
	"sync"
)

// launcher is a program that runs another, or the front of one.
type launcher struct {
	words  string // that it begins with
	values string // options that a value follows
	skip   int    // arguments before the command, the last of which names what runs when there is none
	tasks  bool   // the command may be the name of a task
}

var launchers = []launcher{
	{words: "sudo", values: "-u -g -h -p -C -D -R -T -U"}, {words: "doas", values: "-u"}, {words: "env", values: "-u -C -S"}, {words: "time", values: "-f -o"},
	{words: "timeout", values: "-k -s --signal --kill-after", skip: 1}, {words: "gtimeout", values: "-k -s", skip: 1}, {words: "nice", values: "-n"}, {words: "nohup"},
	{words: "xargs", values: "-n -P -I -L -d -s -a -E"}, {words: "command"}, {words: "exec"}, {words: "builtin"}, {words: "stdbuf", values: "-i -o -e"},
	{words: "unbuffer"}, {words: "setsid"}, {words: "chronic"}, {words: "ionice", values: "-c -n -p"}, {words: "flock", values: "-w -E", skip: 1},
	{words: "xvfb-run", values: "-s -n"}, {words: "cross-env"}, {words: "dotenv", values: "-e -f"}, {words: "c8"}, {words: "nyc"},
	{words: "npx", values: "-p --package"}, {words: "bunx"}, {words: "pnpm exec"}, {words: "pnpm dlx"}, {words: "yarn exec"}, {words: "yarn dlx"},
	{words: "npm exec", values: "-p --package"}, {words: "npm x"}, {words: "bun x"}, {words: "bundle exec"}, {words: "uvx"}, {words: "pipx run"},
	{words: "poetry run", tasks: true}, {words: "uv run", values: "--with --extra --group --python -p --env-file --project --directory --package", tasks: true},
	{words: "pipenv run", tasks: true}, {words: "pdm run", tasks: true}, {words: "rye run", tasks: true}, {words: "hatch run", tasks: true},
	{words: "conda run", values: "-n -p --name --prefix"}, {words: "mise exec"}, {words: "mise x"}, {words: "asdf exec"}, {words: "direnv exec", skip: 1},
	{words: "aws-vault exec", skip: 1}, {words: "doppler run"}, {words: "op run", values: "--env-file"},
	{words: "ssh", values: "-i -p -o -l -F -J -L -R -D -b -c -e -m -S -W -w", skip: 1},
	{words: "kubectl exec", values: "-c --container", skip: 1}, {words: "oc exec", values: "-c --container", skip: 1},
	{words: "docker compose run", values: containerValues, skip: 1}, {words: "docker compose exec", values: containerValues, skip: 1},
	{words: "docker-compose run", values: containerValues, skip: 1}, {words: "docker-compose exec", values: containerValues, skip: 1},
	{words: "docker run", values: containerValues, skip: 1}, {words: "docker exec", values: containerValues, skip: 1},
	{words: "podman run", values: containerValues, skip: 1}, {words: "podman exec", values: containerValues, skip: 1},
}

const containerValues = "-v --volume -e --env -p --publish --name --network --net -w --workdir -u --user --entrypoint --mount --env-file -m --memory --cpus" +
	" --platform -h --hostname -l --label --add-host --gpus --link --device --shm-size --tmpfs --pull --index --volumes-from --ulimit --dns"

// globals are the options with a value that may stand before a subcommand.
var globals = map[string]string{
	"git": "-C -c --git-dir --work-tree --namespace", "gh": "-R --repo", "glab": "-R --repo",
	"docker":         "--context -H --host -l --log-level --config -f --file -p --project-name --profile --env-file --project-directory",
	"docker-compose": "-f --file -p --project-name --profile --env-file --project-directory", "podman": "--log-level --url",
	"kubectl": "-n --namespace --context --kubeconfig -s --server --as --cluster --user", "oc": "-n --namespace --context --kubeconfig",
	"helm": "-n --namespace --kube-context --kubeconfig", "terraform": "", "tofu": "",
	"npm": "--prefix -C -w --workspace", "pnpm": "-C --dir -F --filter", "yarn": "--cwd", "bun": "--cwd -F --filter",
	"cargo": "--manifest-path --config -Z -C --color", "go": "-C", "uv": "--directory --project", "poetry": "-C --directory -P", "dotnet": "", "rails": "",
	"alembic": "-c -n -x", "flyway": "", "manage.py": "--settings", "artisan": "--env",
}

// taskMark stands before a word that a launcher runs as a task.
const taskMark = "\x01"

// launched takes the launchers off a command. inner is the script it runs, when
// that is one argument; lenient tells that it does not wait for the end.
func launched(words []string) (rest []string, inner string, lenient bool) {
	for range 8 {
		for len(words) > 0 && assignment().MatchString(words[0]) {
			words = words[1:]
		}
		if len(words) == 0 {
			return nil, "", lenient
		}
		base := path.Base(words[0])
		if base == "eval" {
			return nil, strings.Join(words[1:], " "), lenient
		}
		if strings.Contains(words[0], "/") && looksLikeScript(words[0]) && len(words) > 2 && interpreter(words[1]) {
			words = words[1:] // a script that runs what it is given, elsewhere
			continue
		}
		bare := arranged(append([]string{base}, words[1:]...))
		if len(bare) > 1 && (base == "pnpm" || base == "yarn" || base == "bun") && scriptTools()[bare[1]] {
			words = bare[1:]
			continue
		}
		l := launcherOf(bare)
		if l == nil {
			return append([]string{words[0]}, bare[1:]...), "", lenient
		}
		var detached bool
		words, detached = l.take(bare)
		lenient = lenient || detached
		if len(words) == 1 && strings.ContainsAny(words[0], " \t\n") {
			return nil, words[0], lenient
		}
		if l.tasks && len(words) > 0 && plainWord(words[0]) && launcherOf(words) == nil && !knownTool(words) {
			return append([]string{taskMark + words[0]}, words[1:]...), "", lenient
		}
	}
	return nil, "", lenient
}

var assignment = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*=`) })

func launcherOf(words []string) *launcher {
	for i := range launchers {
		front := strings.Fields(launchers[i].words)
		if len(words) < len(front) {
			continue
		}
		same := true
		for k, w := range front {
			same = same && words[k] == w
		}
		if same {
			return &launchers[i]
		}
	}
	return nil
}

// take takes the launcher, its options and its own arguments off.
func (l *launcher) take(words []string) (rest []string, detached bool) {
	words = words[len(strings.Fields(l.words)):]
	entry, own, skip := "", "", l.skip
	for len(words) > 0 {
		w := words[0]
		switch {
		case w == "--":
		case len(w) > 1 && w[0] == '-':
			detached = detached || l.values == containerValues && (w == "-d" || w == "--detach" || w == "-dit" || w == "-itd" || w == "-td")
			if e, found := strings.CutPrefix(w, "--entrypoint="); found {
				entry = e
			}
			if takesValue(l.values, w) && len(words) > 1 {
				words = words[1:]
				if w == "--entrypoint" {
					entry = words[0]
				}
			}
		case assignment().MatchString(w):
		case skip > 0:
			skip--
			own = w
		default:
			if entry != "" {
				words = append([]string{entry}, words...)
			}
			return words, detached
		}
		words = words[1:]
	}
	switch {
	case entry != "":
		return []string{entry}, detached
	case own != "" && l.values == containerValues && !strings.HasSuffix(l.words, "exec"):
		image, _, _ := strings.Cut(path.Base(own), ":")
		return []string{taskMark + image}, detached
	}
	return nil, detached
}

// interpretation is what an interpreter was given to run.
type interpretation struct {
	words []string // none: a line of code
	inner string   // a shell script, as text
	sort  sort
}

// interpreters are the options of interpreters that a value follows, and those
// that code in a line follows.
var interpreters = map[string]struct{ values, code string }{
	"python": {"-W -X", "-c"}, "node": {"-r --require --import --loader --env-file --conditions -C", "-e --eval -p --print --check -c"},
	"tsx": {"", "-e --eval -p"}, "ts-node": {"-P", "-e --eval -p"}, "ruby": {"-I -r -C", "-e -c"}, "perl": {"-I -M", "-e -E -c"},
	"php": {"-d -c", "-r -l"}, "bash": {"-o -O --rcfile", "-n"}, "sh": {"-o", "-n"}, "zsh": {"-o", "-n"}, "dash": {"-o", "-n"}, "ksh": {"-o", "-n"},
	"fish": {"", "-n"}, "java": {"-cp -classpath", "-version"}, "lua": {"-l", "-e"}, "Rscript": {"", "-e"}, "pwsh": {"", "-Command -c"},
	"source": {"", ""}, ".": {"", ""}, "ansible-playbook": {"-i -e -l -u -t --tags --limit --inventory --extra-vars", "--syntax-check --list-tasks --list-hosts"},
	"coverage": {"--source --rcfile", ""}, "deno": {"", "eval fmt lint check"},
}

var version = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:python|pypy)[\d.]*$`) })

func interpreterName(word string) string {
	base := path.Base(word)
	if version().MatchString(base) {
		return "python"
	}
	return base
}

func interpreter(word string) bool {
	_, ok := interpreters[interpreterName(word)]
	return ok
}

// interpreted finds the script that an interpreter runs.
func interpreted(words []string) (interpretation, bool) {
	name := interpreterName(words[0])
	in, ok := interpreters[name]
	rest := words[1:]
	if name == "go" && len(rest) > 1 && rest[0] == "run" {
		return interpretation{words: positionals(rest[1:], "-C -tags -ldflags -mod -exec"), sort: scripted}, true
	}
	switch {
	case !ok || name == "node" && hasWord(rest, "--test") || name == "deno" && len(rest) > 0 && (rest[0] == "test" || rest[0] == "task"):
		return interpretation{}, false
	case (name == "coverage" || name == "deno") && len(rest) > 0 && rest[0] == "run":
		rest = rest[1:]
	case name == "coverage":
		return interpretation{}, true
	}
	posix := strings.HasSuffix(name, "sh") && name != "pwsh"
	for len(rest) > 0 && len(rest[0]) > 1 && rest[0][0] == '-' {
		option := rest[0]
		switch {
		case takesValue(in.code, option):
			return interpretation{}, true
		case option == "-m" && (name == "python" || name == "coverage") && len(rest) > 1, option == "-jar" && len(rest) > 1:
			return interpretation{words: rest[1:], sort: scripted}, true
		case posix && option[1] != '-' && strings.Contains(option, "c"):
			return interpretation{inner: strings.Join(rest[1:min(2, len(rest))], "")}, true
		case posix && option[1] != '-' && strings.Contains(option, "n"):
			return interpretation{}, true
		case takesValue(in.values, option):
			rest = rest[1:]
		}
		rest = rest[min(1, len(rest)):]
	}
	return interpretation{words: rest, sort: scripted}, true
}

func hasWord(words []string, w string) bool {
	for _, x := range words {
		if x == w {
			return true
		}
	}
	return false
}
