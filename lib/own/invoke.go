package own

import (
	"path"
	"strings"

	"github.com/tidwall/gjson"
)

const (
	program    = "daimon"
	maxCommand = 64 << 10 // bytes of one command that are judged
	maxDepth   = 8        // commands inside commands
)

// Invocation tells whether a tool call makes Daimon speak: a tool whose name says
// so, a command with daimon, a daimon-… program or one of the hooks in command
// position, through any of the usual wrappers, or a tool or command that reads
// what Daimon stored. Naming Daimon in an argument is no invocation.
func Invocation(toolName string, input gjson.Result) bool {
	if strings.Contains(strings.ToLower(toolName), program) {
		return true
	}
	return looksInto(toolName, input) || runs(input, 0)
}

// runs looks for a command in the places where tools keep one.
func runs(input gjson.Result, depth int) bool {
	switch {
	case depth > 2:
		return false
	case input.Type == gjson.String:
		return script(input.Str, 0)
	case input.IsArray():
		return argv(strs(input), 0)
	case !input.IsObject():
		return false
	}
	found := false
	input.ForEach(func(k, v gjson.Result) bool {
		switch strings.ToLower(k.Str) {
		case "command", "cmd", "argv", "script", "commands", "action":
			found = found || runs(v, depth+1)
			if args := strs(input.Get("args")); len(args) > 0 {
				found = found || argv(append(strs(v), args...), 0)
			}
		}
		return !found
	})
	return found
}

// strs is a string, or the strings of a list.
func strs(v gjson.Result) []string {
	var out []string
	switch {
	case v.Type == gjson.String:
		out = append(out, v.Str)
	case v.IsArray():
		v.ForEach(func(_, e gjson.Result) bool {
			if e.Type == gjson.String && len(out) < 1024 {
				out = append(out, e.Str)
			}
			return true
		})
	}
	return out
}

// isDaimon tells whether a word in command position names a Daimon program.
func isDaimon(word string) bool {
	base := word[strings.LastIndexAny(word, `/\`)+1:]
	base, _, _ = strings.Cut(strings.TrimSuffix(base, ".exe"), "@")
	return base == program || strings.HasPrefix(base, program+"-") || strings.HasPrefix(base, program+"_")
}

// wrapper says how a program that runs another finds it in its arguments.
type wrapper struct {
	valued string   // short options that take a value
	long   []string // long options that take a value
	skip   int      // words before the command
	verbs  []string // words of which one must come first; then the command follows
	shell  bool     // the command is a script, its words joined
	eval   string   // the option, if any, whose value is a script
}

var wrappers = map[string]wrapper{
	"env":        {valued: "uC", long: []string{"--unset", "--chdir"}, eval: "S"},
	"sudo":       {valued: "ugCpDhRrTtU", long: []string{"--user", "--group", "--chdir", "--host"}},
	"doas":       {valued: "uC"},
	"su":         {valued: "gGsw", skip: 1, eval: "c"},
	"timeout":    {valued: "sk", long: []string{"--signal", "--kill-after"}, skip: 1},
	"nohup":      {},
	"setsid":     {},
	"nice":       {valued: "n", long: []string{"--adjustment"}},
	"ionice":     {valued: "cnp"},
	"stdbuf":     {valued: "ioe"},
	"time":       {valued: "fo"},
	"command":    {},
	"builtin":    {},
	"exec":       {valued: "a"},
	"then":       {},
	"do":         {},
	"else":       {},
	"if":         {},
	"while":      {},
	"!":          {},
	"xargs":      {valued: "InLPsdaE", long: []string{"--max-args", "--max-procs", "--replace", "--delimiter", "--arg-file"}},
	"parallel":   {valued: "jNI", long: []string{"--jobs"}, shell: true},
	"watch":      {valued: "nq", long: []string{"--interval"}, shell: true},
	"hyperfine":  {valued: "wmMrpcsS", long: []string{"--warmup", "--runs", "--prepare"}, shell: true},
	"strace":     {valued: "oepsE"},
	"ltrace":     {valued: "oepsn"},
	"chrt":       {skip: 1},
	"taskset":    {skip: 1},
	"chroot":     {skip: 1},
	"flock":      {valued: "wE", long: []string{"--timeout", "--wait"}, skip: 1, eval: "c"},
	"script":     {valued: "IOBTEo", skip: 1, eval: "c"},
	"ssh":        {valued: "bcDEeFIiJLlmOopQRSWw", skip: 1, shell: true},
	"eval":       {shell: true},
	"trap":       {shell: true},
	"busybox":    {},
	"unbuffer":   {},
	"run":        {},
	"caffeinate": {valued: "tw"},
	"direnv":     {verbs: []string{"exec"}, skip: 1},
	"npx":        {valued: "p", long: []string{"--package"}, eval: "c"},
	"bunx":       {},
	"pnpx":       {},
	"pnpm":       {verbs: []string{"exec", "dlx"}},
	"yarn":       {verbs: []string{"exec", "dlx", "run"}},
	"npm":        {verbs: []string{"exec", "x"}, long: []string{"--package"}},
	"uvx":        {valued: "p", long: []string{"--from", "--with", "--python"}},
	"uv":         {verbs: []string{"run", "tool"}, valued: "p", long: uvLong},
	"pipx":       {verbs: []string{"run"}, long: []string{"--spec"}},
	"poetry":     {verbs: []string{"run"}},
	"pdm":        {verbs: []string{"run"}},
	"hatch":      {verbs: []string{"run"}},
	"rye":        {verbs: []string{"run"}},
	"mise":       {verbs: []string{"exec", "x"}},
	"bundle":     {verbs: []string{"exec"}},
	"conda":      {verbs: []string{"run"}, valued: "np", long: []string{"--name", "--prefix"}},
	"go":         {verbs: []string{"run"}, long: []string{"-tags", "-C", "-ldflags", "-mod", "-exec"}},
	"docker":     {verbs: []string{"exec", "run"}, valued: "euwvp", long: dockerLong, skip: 1},
	"podman":     {verbs: []string{"exec", "run"}, valued: "euwvp", long: dockerLong, skip: 1},
	"kubectl":    {verbs: []string{"exec"}, valued: "nc", long: []string{"--namespace", "--container"}, skip: 1},
}

var (
	uvLong     = []string{"--project", "--directory", "--with", "--python", "--extra", "--group", "--env-file"}
	dockerLong = []string{"--env", "--user", "--workdir", "--volume", "--name", "--entrypoint", "--network"}
)

// argv tells whether a command given as words runs Daimon.
func argv(words []string, depth int) bool {
	for len(words) > 0 && (assignment(words[0]) || words[0] == "") {
		words = words[1:]
	}
	if len(words) == 0 || depth > maxDepth {
		return false
	}
	name := strings.TrimSuffix(path.Base(words[0]), ".exe")
	rest := words[1:]
	switch {
	case isDaimon(words[0]), isHook(words[0]), reads(name, rest):
		return true
	case isShell(name):
		return shell(rest, depth)
	case name == "find":
		return findExec(rest, depth)
	case name == "command" && len(rest) > 0 && (rest[0] == "-v" || rest[0] == "-V"):
		return false
	case name == "." || name == "source":
		return len(rest) > 0 && (isDaimon(rest[0]) || isHook(rest[0]))
	case interprets(name):
		return interpreter(rest)
	}
	if w, ok := wrappers[name]; ok {
		return w.runs(rest, depth)
	}
	return false
}

func assignment(word string) bool {
	i := strings.IndexByte(word, '=')
	return i > 0 && !strings.ContainsAny(word[:i], "/ -.")
}

// runs walks past the wrapper's own words to the command it runs.
func (w wrapper) runs(words []string, depth int) bool {
	skip, verb := w.skip, len(w.verbs) == 0
	for i := 0; i < len(words); i++ {
		word := words[i]
		switch {
		case word == "--":
		case strings.HasPrefix(word, "-") && len(word) > 1:
			if w.eval != "" && strings.HasPrefix(word, "-"+w.eval) {
				s := strings.TrimPrefix(word, "-"+w.eval) + " " + strings.Join(words[i+1:], " ")
				return script(s, depth+1)
			}
			if w.takesValue(word) {
				i++
			}
		case !verb:
			if verb = contains(w.verbs, word); !verb {
				return false
			}
		case skip > 0:
			skip--
		case assignment(word):
		case w.shell:
			return script(strings.Join(words[i:], " "), depth+1)
		default:
			return argv(words[i:], depth+1)
		}
	}
	return false
}

func (w wrapper) takesValue(option string) bool {
	if contains(w.long, option) {
		return true
	}
	return len(option) == 2 && strings.IndexByte(w.valued, option[1]) >= 0
}

func contains(list []string, s string) bool {
	for _, e := range list {
		if e == s {
			return true
		}
	}
	return false
}

func isShell(name string) bool {
	switch name {
	case "sh", "bash", "zsh", "dash", "ksh", "ash", "fish", "pwsh", "powershell", "cmd":
		return true
	}
	return false
}

// shell judges the arguments of a shell: -c SCRIPT, or a script file.
func shell(words []string, depth int) bool {
	eval := false
	for i := 0; i < len(words); i++ {
		word := words[i]
		switch low := strings.ToLower(word); {
		case strings.HasPrefix(word, "--"), word == "-":
		case low == "/c" || low == "-command":
			eval = true
		case (word[:min(1, len(word))] == "-" || strings.HasPrefix(word, "+")):
			eval = eval || strings.Contains(word, "c")
			if word == "-o" || word == "+o" || word == "-O" {
				i++
			}
		case eval:
			return script(word, depth+1)
		default:
			return isDaimon(word) || isHook(word)
		}
	}
	return false
}

func findExec(words []string, depth int) bool {
	for i, w := range words {
		switch w {
		case "-exec", "-execdir", "-ok", "-okdir":
			if argv(words[i+1:], depth+1) {
				return true
			}
		}
	}
	return false
}

func interprets(name string) bool {
	if strings.HasPrefix(name, "python") || strings.HasPrefix(name, "pypy") {
		return true
	}
	switch name {
	case "py", "node", "bun", "deno", "ruby", "perl":
		return true
	}
	return false
}

// interpreter judges -m MODULE, -c CODE and a script file.
func interpreter(words []string) bool {
	for i, word := range words {
		next := ""
		if i+1 < len(words) {
			next = words[i+1]
		}
		switch {
		case word == "-m":
			return isDaimon(strings.SplitN(next, ".", 2)[0])
		case word == "-c" || word == "-e":
			return spawns(next)
		case word == "run" || strings.HasPrefix(word, "-"):
		default:
			base := path.Base(word)
			return isDaimon(strings.TrimSuffix(base, path.Ext(base)))
		}
	}
	return false
}

// spawns tells whether a piece of code looks as if it ran Daimon, or read what
// it stored.
func spawns(code string) bool {
	if strings.Contains(code, folder+"/") || strings.Contains(code, database) {
		return true
	}
	if !strings.Contains(code, program) {
		return false
	}
	for _, call := range []string{"subprocess", "os.system", "popen", "exec", "spawn", "import " + program, "from " + program} {
		if strings.Contains(code, call) {
			return true
		}
	}
	return false
}
