package doc

import (
	"embed"
	"encoding/json"
	"maps"
)

//go:embed schema/*.json
var schemas embed.FS

// SchemaNames are the published schemas: what a model may send, what is stored,
// and one line of a transcript.
var SchemaNames = []string{"candidate", "checkpoint", "transcript"}

// SchemaJSON returns a published JSON Schema (draft 2020-12) by name.
func SchemaJSON(name string) ([]byte, bool) {
	b, err := schemas.ReadFile("schema/" + name + ".json")
	return b, err == nil
}

// GenerateSchema makes a schema from the field table. The files that
// [SchemaJSON] serves are its output.
func GenerateSchema(name string) []byte {
	var root map[string]any
	switch name {
	case "candidate":
		root = objectSchema(CheckpointFields, false)
	case "checkpoint":
		root = objectSchema(CheckpointFields, true)
	case "transcript":
		root = map[string]any{"oneOf": []any{objectSchema(HeaderFields, true), objectSchema(MessageFields, true)}}
	}
	if name != "transcript" {
		root["$defs"] = map[string]any{"item": itemSchema(name == "checkpoint")}
	}
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["title"] = "daimon " + name
	b, err := json.MarshalIndent(root, "", "  ")
	if err != nil {
		panic(err)
	}
	return append(b, '\n')
}

// objectSchema describes an object. Without code it lists only what a model may
// send; other fields are allowed and get stripped.
func objectSchema(fields []Field, code bool) map[string]any {
	props, required := map[string]any{}, []string{}
	for _, f := range fields {
		if f.Owner == Code && !code {
			continue
		}
		props[f.Name] = fieldSchema(f, code)
		if f.Required {
			required = append(required, f.Name)
		}
	}
	s := map[string]any{"type": "object", "properties": props}
	if len(required) > 0 {
		s["required"] = required
	}
	return s
}

var itemRef = map[string]any{"$ref": "#/$defs/item"}

func itemSchema(code bool) map[string]any {
	s := objectSchema(ItemFields, code)
	s["if"] = map[string]any{"properties": map[string]any{"trust": map[string]any{"const": Verbatim}}, "required": []string{"trust"}}
	s["then"] = map[string]any{"required": []string{"quote"}, "properties": map[string]any{"quote": map[string]any{"pattern": `\S`}}}
	return s
}

func fieldSchema(f Field, code bool) map[string]any {
	s := typeSchema(f, code)
	if f.Null {
		s = map[string]any{"anyOf": []any{s, map[string]any{"type": "null"}}}
	}
	s["description"] = f.Doc
	return s
}

func typeSchema(f Field, code bool) map[string]any {
	list := func(items any) map[string]any { return map[string]any{"type": "array", "items": items} }
	text := map[string]any{"type": "string"}
	switch f.Type {
	case String:
		if len(f.Enum) > 0 {
			text["enum"] = f.Enum
		}
		if f.Max > 0 {
			text["maxLength"] = f.Max
		}
		return text
	case Stamp:
		text["pattern"] = `^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2}))?$`
		return text
	case Int:
		s := map[string]any{"type": "integer"}
		if f.Max > 0 {
			s["minimum"], s["maximum"] = f.Min, f.Max
		}
		return s
	case Bool:
		return map[string]any{"type": "boolean"}
	case Object:
		return objectSchema(f.Fields, code)
	case Item:
		return maps.Clone(itemRef)
	case Items:
		return list(itemRef)
	case ItemsLax:
		return list(map[string]any{"anyOf": []any{itemRef, text}})
	case StringSet:
		return list(text)
	case LinkSet:
		return list(objectSchema(LinkFields, code))
	case Counts:
		return map[string]any{"type": "object", "additionalProperties": map[string]any{"type": "integer"}}
	}
	return map[string]any{}
}
