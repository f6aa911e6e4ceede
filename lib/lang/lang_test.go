package lang

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestOf(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"make it 4 attempts, not 5", "en"},
		{"no lo toques, que lo lee contabilidad", "es"},
		{"não mexe nisso, quem fez isso fez por um motivo", "pt"},
		{"on ne déploie jamais un jour de spectacle", "fr"},
		{"Lass die Bescheinigungen in Ruhe, das ist nicht nötig", "de"},
		{"Le tariffe non vanno mai scritte nel codice", "it"},
		{"Doe maar die index, en geen Redis erbij", "nl"},
		{"Brzmi dobrze, tak zrób.", "pl"},
		{"Tablo yolundan gidelim, bu kadar yeter.", "tr"},
		{"Словарь не делаем, это усложняет", "ru"},
		{"фото з поля ніколи не затираємо", "uk"},
		{"税率ごとに合計してから切り捨て、でいきます。", "ja"},
		{"改成在 MySQL 里建一张 deduct_log", "zh"},
		{"그냥 checkstyle 정규식 룰로 막아주세요.", "ko"},
		{"TestGatewayDeadline internal/retry", ""},
		{"42", ""},
		{"", ""},
		{"the 表 is in order, and we keep it as it was before", "en"},
		{"\xff\xfe", ""},
	} {
		if got := Of(c.text); got != c.want {
			t.Errorf("Of(%q) = %q, want %q", c.text, got, c.want)
		}
	}
}

// TestMessages asks for the language of every longer message of the training
// sessions, which come labelled by session.
func TestMessages(t *testing.T) {
	files, _ := filepath.Glob("../../../shared/data/training/*/*.json")
	if len(files) == 0 {
		t.Skip("no training sessions beside the checkout")
	}
	right, wrong, unknown := 0, 0, 0
	for _, f := range files {
		var s struct {
			Lang     string
			Messages []struct{ Role, Text string }
		}
		b, err := os.ReadFile(f)
		if err != nil || json.Unmarshal(b, &s) != nil {
			t.Fatal(f, err)
		}
		for _, m := range s.Messages {
			if m.Role != "user" || len(strings.Fields(m.Text)) < 5 && utf8.RuneCountInString(m.Text) < 40 {
				continue
			}
			switch Of(m.Text) {
			case s.Lang:
				right++
			case "":
				unknown++
			default:
				wrong++
				t.Logf("%s: %s for %q", s.Lang, Of(m.Text), m.Text)
			}
		}
	}
	t.Logf("%d right, %d unknown, %d wrong", right, unknown, wrong)
	if wrong*50 > right || unknown*20 > right {
		t.Errorf("of %d messages %d are taken for another language, %d for none", right+unknown+wrong, wrong, unknown)
	}
}

func FuzzOf(f *testing.F) {
	f.Add("ja, mach das")
	f.Add("\xe3\x81")
	f.Fuzz(func(t *testing.T, s string) {
		if first := Of(s); first != Of(s) {
			t.Error("two answers for one text")
		}
	})
}

func TestFunction(t *testing.T) {
	for _, w := range []string{"the", "i", "pero", "cuando", "değil"} {
		if !Function(w) {
			t.Errorf("%q is no function word", w)
		}
	}
	for _, w := range []string{"", "eht", "cache", "functional", "\xff", "The"} {
		if Function(w) {
			t.Errorf("%q is a function word", w)
		}
	}
	n := 0
	for _, list := range latinWords {
		for _, w := range strings.Fields(list) {
			if n++; len(w) > maxWord || !Function(w) {
				t.Errorf("%q is not found", w)
			}
		}
	}
	if n < 300 {
		t.Errorf("only %d words", n)
	}
}
