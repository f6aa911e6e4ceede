package salient

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

func TestTerms(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"deploy again", ""},
		{"retry retry Retry", ""},
		{"a bb ccc dddd", "ccc dddd"},
		{"snake_case and kebab-case and dotted.name/path", "snake_case kebab-case dotted name path"},
		{"La sesión de la CAFETERÍA está lenta", "sesion cafeteria lenta"},
		{"Die Sitzung für das Büro", "sitzung buro"},
		{"вопрос про очередь сообщений", "вопрос очередь сообщении"},
		{"ｆｕｌｌ width", "full width"},
		{"認証失敗の原因", "認証 証失 失敗 敗の の原 原因"},
		{"キャッシュ を 消しました", "キャッシュ 消し"},
		{"세션 토큰 만료", "세션 토큰 만료"},
		{"trailing- -dash words", "trailing dash words"},
		{"", ""},
	} {
		if got := strings.Join(Terms(c.in), " "); got != c.want {
			t.Errorf("Terms(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestTermsStopAt24(t *testing.T) {
	var words, han []string
	for i := range 40 {
		words = append(words, "word"+strings.Repeat("x", i))
		han = append(han, string(rune(0x4E00+i)))
	}
	if n := len(Terms(strings.Join(words, " "))); n != 24 {
		t.Errorf("%d words", n)
	}
	if n := len(Terms(strings.Join(han, "") + "。" + strings.Join(han[10:], "一"))); n != 48 {
		t.Errorf("%d pairs", n)
	}
}

func TestTermsProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		terms := Terms(rapid.String().Draw(t, "s"))
		if len(terms) == 1 || len(terms) > 48 {
			t.Fatalf("%d terms", len(terms))
		}
		for i, w := range terms {
			if slices.Contains(terms[:i], w) || strings.ContainsFunc(w, unicode.IsSpace) || stopwords()[w] {
				t.Fatalf("bad term %q in %q", w, terms)
			}
		}
	})
}

func TestQuantities(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"retry limit is 3", "3"}, {"6 of 10 pass", "10 6"}, {"2.5 s", "2.5"}, {"2.50 s", "2.5"}, {"1,000 rows", "1000"},
		{"1,00 rows", "0 1"}, {"10,000,000", "10000000"}, {"10x 3rd v3 a_1", ""}, {"twenty-five or twenty five", "25"},
		{"one hundred", "1 100"}, {"seventy", "70"}, {"version 1.2.3", "1.2.3"}, {"3回 失敗", "3"}, {"no numbers", ""}, {"", ""},
	} {
		if got := strings.Join(Quantities(c.in), " "); got != c.want {
			t.Errorf("Quantities(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestConflict(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"limit 3", "limit 5", true}, {"6 of 10 pass", "6 of 3 pass", true}, {"6 pass", "3 of 6 pass", false},
		{"retry times", "retry 5 times", false}, {"1,000 rows", "1000 rows", false}, {"twenty-five", "25", false}, {"", "", false},
	} {
		if Conflict(c.a, c.b) != c.want || Conflict(c.b, c.a) != c.want {
			t.Errorf("Conflict(%q, %q) = %v", c.a, c.b, !c.want)
		}
	}
}

func FuzzQuantities(f *testing.F) {
	f.Add("1,000.5 twenty-five 3回")
	f.Fuzz(func(t *testing.T, s string) {
		if Conflict(s, s) {
			t.Fatalf("%q conflicts with itself", s)
		}
		Terms(s)
	})
}
