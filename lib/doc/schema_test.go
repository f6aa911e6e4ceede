package doc

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the schema files from the table")

func TestSchemaFilesAreFresh(t *testing.T) {
	for _, name := range SchemaNames {
		want := GenerateSchema(name)
		if *update {
			if err := os.WriteFile(filepath.Join("schema", name+".json"), want, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		got, ok := SchemaJSON(name)
		if !ok || !bytes.Equal(got, want) {
			t.Errorf("schema/%s.json is stale; run: go test ./lib/doc -run SchemaFiles -update", name)
		}
	}
	if _, ok := SchemaJSON("nothing"); ok {
		t.Error("an unknown schema was served")
	}
}

func TestCandidateSchemaGivesTheModelNoCodeField(t *testing.T) {
	b, _ := SchemaJSON("candidate")
	full, _ := SchemaJSON("checkpoint")
	for _, f := range slices.Concat(CheckpointFields, ItemFields) {
		key := []byte(`"` + f.Name + `": {`)
		if f.Owner == Code && bytes.Contains(b, key) {
			t.Errorf("candidate schema offers %s", f.Name)
		}
		if f.Owner == Model && !bytes.Contains(b, key) {
			t.Errorf("candidate schema lacks %s", f.Name)
		}
		if !bytes.Contains(full, key) {
			t.Errorf("checkpoint schema lacks %s", f.Name)
		}
	}
}

func TestTranscriptTablesMatchTheTypes(t *testing.T) {
	for _, c := range []struct {
		fields []Field
		typ    reflect.Type
	}{
		{HeaderFields, reflect.TypeFor[Header]()},
		{MessageFields, reflect.TypeFor[Message]()},
		{toolFields, reflect.TypeFor[Tool]()},
	} {
		var tags, names []string
		for i := range c.typ.NumField() {
			name, opts, _ := strings.Cut(c.typ.Field(i).Tag.Get("json"), ",")
			tags = append(tags, name+":"+map[bool]string{true: "optional", false: "required"}[opts == "omitempty"])
		}
		for _, f := range c.fields {
			names = append(names, f.Name+":"+map[bool]string{true: "required", false: "optional"}[f.Required])
		}
		if !slices.Equal(tags, names) {
			t.Errorf("%v: fields %v, table %v", c.typ, tags, names)
		}
	}
}
