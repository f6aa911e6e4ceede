package canon

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

// Vectors computed by the Python Daimon.
func TestKeyVectors(t *testing.T) {
	for text, want := range map[string]string{
		"Use tabs": "274ce604304bf99b", "use  tabs": "274ce604304bf99b", " USE\ttabs ": "274ce604304bf99b",
		"ｕｓｅ tabs": "274ce604304bf99b", "Use tаbs": "274ce604304bf99b", "use\u2028tabs": "274ce604304bf99b",
		"Use\u200btabs": "952ed19f557efdea", "usetabs": "952ed19f557efdea",
		"use tabs.": "f43149034007bac6", "": EmptyKey, " \n": EmptyKey,
		"Straße": "16d96952087774fe", "STRASSE": "16d96952087774fe",
		"é": "4a99557e4033c353", "e\u0301": "4a99557e4033c353",
		"ﬁle": "3b9c358f36f0a31b", "file": "3b9c358f36f0a31b",
		"ΣΑΣ": "4f8fef24a487dac3", "σας": "4f8fef24a487dac3",
	} {
		if got := Key(text); got != want {
			t.Errorf("Key(%q) = %s, want %s", text, got, want)
		}
	}
	if Key("use tabs") == Key("use spaces") {
		t.Error("different texts share a key")
	}
}

func TestKeyCoversFirst4096(t *testing.T) {
	x := func(n int) string { return strings.Repeat("x", n) }
	if Key(x(4096)) != "a2e659dacb4691e8" || Key(x(5000)) != "a2e659dacb4691e8" {
		t.Error("a long text is not keyed by its first 4,096 characters")
	}
	if Key(x(4095)) == Key(x(4096)) {
		t.Error("4,095 and 4,096 characters share a key")
	}
}

func TestTextIsFixedPoint(t *testing.T) {
	for _, s := range []string{"e\u200b\u0301", "\u0390", "\u1fd3", "\u1fe7", "İ", "ǰ\u0323"} {
		if once := Text(s); Text(once) != once {
			t.Errorf("Text(%q) is no fixed point", s)
		}
	}
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if once := Text(string(r)); Text(once) != once {
			t.Errorf("Text(%U) is no fixed point", r)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "s")
		if once := Text(s); Text(once) != once {
			t.Fatalf("Text(%q) is no fixed point", s)
		}
	})
}

func TestID(t *testing.T) {
	taken := map[string]bool{}
	take := func(list, text string) string {
		id := ID(list, text, func(s string) bool { return taken[s] })
		taken[id] = true
		return id
	}
	for _, c := range []struct{ list, text, want string }{
		{"open_questions", "Ship it?", "o-b16c2889ae64"},
		{"open_questions", "Ship it?", "o-b16c2889ae643ed7"},
		{"recent_decisions", "Use tabs", "r-9dd7cbce34cb"},
		{"strong_beliefs", "Use tabs", "s-cc55212a85ab"},
	} {
		if got := take(c.list, c.text); got != c.want {
			t.Errorf("ID(%s, %q) = %s, want %s", c.list, c.text, got, c.want)
		}
	}
	widths := []int{}
	for range 5 {
		widths = append(widths, len(take("open_questions", "Ship it?")))
	}
	if want := []int{26, 42, 16, 16, 16}; !slices.Equal(widths, want) {
		t.Errorf("lengths after two twins = %v, want %v", widths, want)
	}
}

func TestIsID(t *testing.T) {
	for s, want := range map[string]bool{
		"o-b16c2889ae64": true, "r-9dd7cb": true, "o-b16c2889ae64-2": true,
		"": false, "o-": false, "o-b16c2": false, "O-b16c2889ae64": false, "o-b16c2889ae6g": false,
		"o-b16c2889ae64-": false, "o-b16c2889ae64-x": false, "oo-b16c2889ae64": false,
	} {
		if IsID(s) != want {
			t.Errorf("IsID(%q) = %v", s, !want)
		}
	}
}
