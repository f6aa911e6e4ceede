package doc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"
	"pgregory.net/rapid"
)

// appendPlainly is what Canonical writes for one value, done the long way.
func appendPlainly(b []byte, v gjson.Result) []byte {
	switch {
	case v.IsObject():
		var keys []string
		vals := map[string]gjson.Result{}
		v.ForEach(func(k, e gjson.Result) bool {
			if _, seen := vals[k.Str]; !seen {
				keys = append(keys, k.Str)
			}
			vals[k.Str] = e
			return true
		})
		b = append(b, '{')
		for i, k := range keys {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendPlainly(append(append(b, encodedPlainly(k)...), ':'), vals[k])
		}
		return append(b, '}')
	case v.IsArray():
		b = append(b, '[')
		for i, e := range v.Array() {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendPlainly(b, e)
		}
		return append(b, ']')
	case v.Type == gjson.String:
		return append(b, encodedPlainly(v.Str)...)
	}
	return append(b, v.Raw...)
}

func encodedPlainly(s string) []byte {
	b, err := Marshal(strings.ToValidUTF8(s, "\ufffd"))
	if err != nil {
		panic(err)
	}
	return b
}

// foreignJSON draws valid JSON as nobody would write it.
func foreignJSON(depth int) *rapid.Generator[string] {
	blank := rapid.SampledFrom([]string{"", "", " ", "\n\t", "\r\n  "})
	key := rapid.SampledFrom([]string{`"a"`, `"\u0061"`, `"b"`, `"é"`, `""`, `"a.b"`, `"x\"y"`, `"\ud800"`, `"k0"`, `"k1"`, `"k2"`, `"k3"`})
	scalar := rapid.SampledFrom([]string{`1`, `-0.50E+3`, `true`, `null`, `"t"`, `"\n\/\u2028\u0000\ud83d\ude00"`, "\"\xff\xfe\u2029<&>\"", `"\\\""`, `"—“”"`})
	return rapid.Custom(func(t *rapid.T) string {
		w := func() string { return blank.Draw(t, "blank") }
		kind := rapid.IntRange(0, 2).Draw(t, "kind")
		if depth == 0 || kind == 0 {
			return scalar.Draw(t, "scalar")
		}
		var parts []string
		for range rapid.IntRange(0, 40/(5-min(depth, 4))).Draw(t, "n") {
			part := w() + foreignJSON(depth-1).Draw(t, "value") + w()
			if kind == 1 {
				part = w() + key.Draw(t, "key") + w() + ":" + part
			}
			parts = append(parts, part)
		}
		open, end := "[", "]"
		if kind == 1 {
			open, end = "{", "}"
		}
		if len(parts) == 0 {
			return open + w() + end
		}
		return open + strings.Join(parts, ",") + end
	})
}

func TestCanonicalIsWhatTheLongWayGives(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := ` {"r" : ` + foreignJSON(3).Draw(t, "json") + `, "r2":1}`
		got, err := Canonical([]byte(in))
		if want := appendPlainly(nil, gjson.Parse(in)); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("Canonical(%q)\n = %q, %v\nwant %q", in, got, err, want)
		}
	})
	var many []string
	for i := range 200 {
		many = append(many, fmt.Sprintf(`"k%d":%d`, i%70, i))
	}
	in := "{" + strings.Join(many, ",") + "}"
	if got, want := parse(t, in).Bytes(), appendPlainly(nil, gjson.Parse(in)); !bytes.Equal(got, want) {
		t.Errorf("many keys: %s, want %s", got, want)
	}
}

func TestAppendString(t *testing.T) {
	every := make([]byte, 0, 256)
	for c := range 256 {
		every = append(every, byte(c), 'x')
	}
	for _, s := range []string{"", string(every), "\u2028a\u2029", "\u2027\u202a", "\xe2\x80", "\xe2\x80\xa8\xe2", "—", "\x7f", "\ufffd"} {
		if got, want := AppendString([]byte("p"), s), encodedPlainly(s); string(got) != "p"+string(want) {
			t.Errorf("AppendString(%q) = %s, want %s", s, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) })).Draw(t, "s")
		if got, want := AppendString(nil, s), encodedPlainly(s); !bytes.Equal(got, want) {
			t.Fatalf("AppendString(%q) = %s, want %s", s, got, want)
		}
	})
}

func TestSetIsWhatSjsonDoes(t *testing.T) {
	paths := rapid.SampledFrom([]string{"a", "b", "a.b", "a.a.a", "new", "new.er", "k_x", "x-y", "a.0", "é"})
	rapid.Check(t, func(t *rapid.T) {
		c, err := ParseCheckpoint([]byte(`{"a":` + foreignJSON(2).Draw(t, "json") + `,"b":{"a":1}}`))
		if err != nil {
			t.Fatal(err)
		}
		if rapid.Bool().Draw(t, "empty") {
			c = &Checkpoint{"{}"}
		}
		path, val := paths.Draw(t, "path"), rapid.SampledFrom([]string{`1`, `"s"`, `{"a":null}`, `[]`}).Draw(t, "value")
		want, err := sjson.SetRaw(c.raw, path, val)
		if err != nil {
			return
		}
		before := c.raw
		if c.SetRaw(path, []byte(val)); c.raw != want || !json.Valid(c.Bytes()) {
			t.Fatalf("%s: %s = %s\ngives %s\nwant  %s", before, path, val, c.raw, want)
		}
	})
}
