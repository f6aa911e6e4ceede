package ground

import (
	"slices"
	"testing"
)

func TestAlternatives(t *testing.T) {
	for src, want := range map[string][]string{
		"a":                        {"a"},
		"a|b c":                    {"a", "b c"},
		"(?:will|plans?|x)":        {"will", "plans", "plan", "x"},
		"(?:a|b) c":                {"(?:a|b) c"},
		"(?:a)(?:b|c)":             {"(?:a)(?:b|c)"},
		"(?:a(?:b|c)|d[|)]|e\\|f)": {"a(?:b|c)", "d[|)]", "e\\|f"},
		"a?":                       {"a?"},
		"é?x":                      {"é?x"},
		"ab??":                     {"ab??"},
		"an? [^ ]+":                {"an? [^ ]+"},
		"か$|か？|だろう":                {"か$", "か？", "だろう"},
	} {
		if got := alternatives(src); !slices.Equal(got, want) {
			t.Errorf("%s gives %q, want %q", src, got, want)
		}
	}
}
