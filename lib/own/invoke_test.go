package own

import (
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"daimon/lib/doc"
)

func bash(command string) gjson.Result {
	return gjson.ParseBytes(append(doc.AppendString([]byte(`{"command":`), command), '}'))
}

func TestInvocationRuns(t *testing.T) {
	for _, command := range []string{
		"daimon brief", "daimon", "cd x && daimon brief", "A=1 daimon status", "sudo daimon heal", "uv run --project p daimon loops",
		"/usr/local/bin/daimon recall", "sh -c 'daimon brief'", `bash -lc "daimon brief"`, "echo $(daimon brief)", "x=`daimon brief`",
		"rg x | daimon recall", `bash -c "cd x && daimon brief"`,
		"env A=1 daimon x", "env -u B A=1 daimon x", "env -S 'daimon x'", "timeout 5 daimon brief", "timeout -k 2 -s INT 5 daimon brief",
		"nohup daimon x &", "xargs daimon", "ls | xargs -n 1 -I {} daimon forget {}", "python -m daimon x", "python3 -m daimon.cli x",
		"python3 /opt/daimon.py brief", `python -c "import subprocess; subprocess.run(['daimon','brief'])"`,
		"if true; then daimon brief; fi", "while daimon brief; do sleep 1; done", "! daimon brief", "( daimon brief )", "{ daimon brief; }",
		"npx daimon", "npx -y daimon@latest brief", "npx -p daimon daimon brief", "ssh host daimon brief", "ssh -p 22 host 'cd x; daimon brief'",
		"daimon-brief", "./bin/daimon-index query x", "/x/bin/daimon-brief --json", `"$ROOT/bin/daimon-brief"`, "\\daimon brief", `"daimon" brief`,
		"daimon-normalize <s.jsonl | daimon-extract", "cat <(daimon brief)", "f() { daimon brief; }; f", "time daimon brief", "exec daimon brief",
		"D=./bin/daimon; $D brief", "for b in daimon-brief ls; do $b; done", "for v in brief index; do daimon-$v; done", "$DAIMON brief",
		"go run ./cmd/daimon-brief", "find . -name x -exec daimon forget {} \\;", "eval 'daimon brief'", "trap 'daimon x' EXIT",
		"bash ./hooks/daimon-start.sh", "docker exec -it box daimon brief", "kubectl exec pod -- daimon brief", "sudo -u bob daimon brief",
		"bash <<'E'\ndaimon brief\nE", "bash <<<'daimon brief'", "echo 'daimon brief' | sh", "watch -n 1 daimon status", "nice -n 5 daimon x",
		"flock /tmp/l -c 'daimon x'", "flock /tmp/l daimon x", "poetry run daimon x", "uvx daimon-briefing brief", "uv tool run daimon brief",
		`d""aimon brief`, `d'ai'mon brief`, "dai\\mon brief", "alias d=daimon; d brief", "alias x='daimon brief' y=ls; x", `find . -exec daimon-brief \\;`,
		"cat ~/.daimon/checkpoints/x.json", "jq .a ~/.daimon/checkpoints/x.json", "grep -r foo ~/.daimon", "sqlite3 ~/.daimon/recall.db .dump",
		"sqlite3 recall.db .dump", "sqlite3 'file:/x/recall.db?mode=ro' .dump", "cd ~/.daimon && cat checkpoints/latest.json", `cat "$HOME/.d"aimon/x`,
		"cat < ~/.daimon/x", "head -5 /home/me/.daimon/events.jsonl | wc -l", "sudo tail -f ~/.daimon/logs/hooks.log", "D=~/.daimon; cat $D/x",
		"find ~/.daimon -name '*.json' -exec cat {} +", "git -C x show HEAD:.daimon/x", "python3 -c \"print(open('/r/.daimon/x').read())\"",
		"python3 - <<'E'\nprint(open('/r/.daimon/x').read())\nE", "bash hooks/session-start", "sh ./plugin/hooks/capture <x", `"$ROOT"/hooks/session-start`,
		"env A=1 hooks/session-start", ". hooks/session-start.sh", "rg -n foo ~/.daimon/checkpoints", "bash -c 'cat ~/.daimon/x'", "cat --file=/x/.daimon/y",
		"cat 'unclosed ~/.daimon/x; cat /x/.daimon/y", "command daimon brief", "unclosed 'quote; daimon brief\n daimon brief", "if daimon brief",
	} {
		if !Invocation("Bash", bash(command)) {
			t.Errorf("not seen as an invocation: %q", command)
		}
	}
}

func TestInvocationTalks(t *testing.T) {
	for _, command := range []string{
		"rg daimon cli.py", `rg "daimon" notes.md`, "grep -r daimon .", "echo daimon", "echo daimon brief", "cat daimon.log", "cat ~/.daimonrc",
		`git commit -m "daimon brief"`, "cd daimon && ls", "ls daimon-brief", "which daimon", "command -v daimon", "type daimon", "man daimon",
		"go build ./cmd/daimon-brief", "go test ./lib/... # daimon brief", "rm -f bin/daimon", "sudo cat daimon", "xargs grep daimon", "env | grep daimon",
		"sudo -u daimon ls", "ssh daimon ls", "docker exec daimon ls", "timeout 5 grep daimon x", "cat <<'E'\ndaimon brief\nE", "echo 'daimon brief' | cat",
		"rm -rf ~/.daimon/x", "ls ~/.daimon", "mkdir -p ~/.daimon", "echo .daimon >> .gitignore", "grep -r .daimon lib", `rg '\\.daimon' src`, "rg recall.db README.md",
		"git add .daimon", "git commit -m 'move .daimon/x away'", "git status .daimon", "DAIMON_HOME=/x/.daimon make test", "env DAIMON_HOME=/x/.daimon go test ./...",
		"cat hooks/session-start.md", "cat hooks/session-start", "bash hooks/pre-commit", "cat my.daimon/x", "cat x/.daimon.bak", "cat recall.dbx", "bash session-start",
		"alias d=daimon; ls d", "python -c \"print('.daimon')\"", "test -f ~/.daimon/x && make test", `echo d""aimon brief`,
		"./daimon/scripts/test", "python -c \"print('daimon')\"", "python test_daimon.py", "daimonic", "mydaimon brief", "x=daimon ls",
		"for f in daimon; do ls $f; done", "if [ -x daimon ]; then ls; fi", "bash -n 'daimon'x.sh", "find . -name daimon", "ls 'quote daimon",
	} {
		if Invocation("Bash", bash(command)) {
			t.Errorf("seen as an invocation: %q", command)
		}
	}
}

func TestInvocationShapes(t *testing.T) {
	for _, c := range []struct {
		tool, input string
		want        bool
	}{
		{"mcp__DAIMON__x", `{}`, true},
		{"mcp__other__x", `{"q":"daimon"}`, false},
		{"shell", `{"command":["daimon","brief"]}`, true},
		{"shell", `{"command":["bash","-lc","daimon brief"]}`, true},
		{"shell", `{"command":["rg","daimon"]}`, false},
		{"run", `{"command":"env","args":["daimon","brief"]}`, true},
		{"run", `{"command":"cat","args":["daimon"]}`, false},
		{"exec", `{"action":{"command":["daimon"]}}`, true},
		{"Bash", `{"command":7}`, false},
		{"Bash", `null`, false},
		{"Bash", `"daimon brief"`, true},
		{"Bash", `{"command":"\u0064aimon brief"}`, true},
		{"Read", `{"file_path":"/srv/dev/.daimon/checkpoints/latest.json"}`, true},
		{"Read", `{"file_path":"/srv/dev/.d\u0061imon/x"}`, true},
		{"Read", `{"file_path":"C:\\Users\\me\\.daimon\\x"}`, true},
		{"Read", `{"file_path":"/srv/dev/daimon/x"}`, false},
		{"Grep", `{"pattern":"foo","path":"~/.daimon"}`, true},
		{"Grep", `{"pattern":".daimon/x","path":"lib"}`, false},
		{"Glob", `{"pattern":"/srv/dev/.daimon/**/*.json"}`, true},
		{"mcp__fs__read_files", `{"paths":["a","/srv/dev/.daimon/x"]}`, true},
		{"mcp__fs__read_files", `{"paths":["a","b"],"note":"/srv/dev/.daimon/x"}`, false},
		{"mcp__sqlite__query", `{"db_path":"/x/recall.db","sql":"select 1"}`, true},
		{"Write", `{"content":"see ~/.daimon/x","file_path":"README.md"}`, false},
		{"Write", `{"content":"daimon brief","file_path":"daimon"}`, false},
	} {
		if got := Invocation(c.tool, gjson.Parse(c.input)); got != c.want {
			t.Errorf("Invocation(%s, %s) = %v", c.tool, c.input, got)
		}
	}
}

func TestInvocationIsBounded(t *testing.T) {
	for _, unit := range []string{"(", "$(", "bash -c '", "env ", "{ ", "`", "daimon=", "if "} {
		Invocation("Bash", bash(strings.Repeat(unit, 200_000/len(unit))+" daimon"))
	}
}

func FuzzInvocation(f *testing.F) {
	for _, s := range []string{"daimon brief", "bash -c 'daimon x'", "x=$(daimon", "cat <<E\ndaimon\nE", "for i in daimon; do $i", "${a[`daimon`]}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got := Invocation("Bash", bash(s)); got && !speaks(strings.ToLower(s)) && !speaks(s) {
			t.Errorf("%q names no daimon", s)
		}
	})
}
