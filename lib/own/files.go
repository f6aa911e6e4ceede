package own

import (
	"path"
	"strings"

	"github.com/tidwall/gjson"
)

const (
	folder   = ".daimon"   // the data folder
	database = "recall.db" // the search index, wherever it lies
)

// hooks are the scripts that make Daimon speak, in a folder named hooks.
var hooks = []string{"capture", "pre-compact", "session-end", "session-start", "user-prompt-submit"}

func isHook(word string) bool {
	dir, base := path.Split(word)
	return path.Base(dir) == "hooks" && contains(hooks, strings.TrimSuffix(base, ".sh"))
}

// stored tells whether a path leads into a data folder, or to the database.
func stored(word string) bool {
	if !strings.Contains(word, folder) && !strings.Contains(word, database) {
		return false
	}
	word, _, _ = strings.Cut(word, "?mode=") // a database URL's options
	parts := strings.FieldsFunc(word, func(r rune) bool { return strings.ContainsRune(`/\:=@,`, r) })
	for _, p := range parts {
		if p == folder {
			return true
		}
	}
	return len(parts) > 0 && parts[len(parts)-1] == database
}

// silent are programs that print nothing of what is in a file.
var silent = words(`rm mkdir rmdir touch chmod chown mv cp ln ls du df stat tree test [ [[ echo printf export unset
	which type alias kill wc basename dirname realpath readlink`)

// patterned take a pattern before their files.
var patterned = words("grep egrep fgrep rg ag ack sed awk gawk jq yq")

func words(list string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		m[w] = true
	}
	return m
}

// gitPrints are the git commands that print what is in a file.
var gitPrints = words("show diff log grep blame cat-file")

// reads tells whether a command prints what Daimon stored: one of its arguments
// is such a path, and the command is not known to be silent about contents.
// Going into the folder counts, since what follows reads there.
func reads(name string, args []string) bool {
	switch {
	case silent[name]:
		return false
	case name == "git":
		if i := verb(args); i < 0 || !gitPrints[args[i]] {
			return false
		}
	}
	pattern := patterned[name]
	for _, a := range args {
		switch {
		case pattern && !strings.HasPrefix(a, "-"):
			pattern = false
		case setting(a):
		case stored(a):
			return true
		}
	}
	return false
}

func verb(args []string) int {
	for i := 0; i < len(args); i++ {
		switch {
		case args[i] == "-C" || args[i] == "-c":
			i++
		case !strings.HasPrefix(args[i], "-"):
			return i
		}
	}
	return -1
}

// setting tells an environment variable in the arguments of a wrapper.
func setting(word string) bool {
	name, _, found := strings.Cut(word, "=")
	return found && name != "" && name == strings.ToUpper(name) && !strings.ContainsAny(name, "-/.")
}

// pathKeys are where file tools keep the paths they look at.
var pathKeys = words(`file_path filepath path paths file files filename filenames notebook_path directory dir folder glob uri url
	cwd workdir working_directory absolute_path target_file relative_workspace_path db db_path database`)

// looksInto tells whether a file tool is given a path of Daimon's. A pattern is one
// only for the tool that lists files by it.
func looksInto(toolName string, input gjson.Result) bool {
	if !input.IsObject() || !strings.Contains(input.Raw, folder) && !strings.Contains(input.Raw, database) && !strings.Contains(input.Raw, `\u`) {
		return false
	}
	found := false
	input.ForEach(func(k, v gjson.Result) bool {
		key := strings.ToLower(k.Str)
		if pathKeys[key] || key == "pattern" && strings.EqualFold(toolName, "glob") {
			for _, s := range strs(v) {
				found = found || stored(s)
			}
		}
		return !found
	})
	return found
}
