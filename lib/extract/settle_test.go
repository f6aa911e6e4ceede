package extract

import (
	"strings"
	"testing"
)

// TestSettledAtOnce opens a session with a choice in every language: that is a
// decision though it is the first thing said; the request beside it is none.
func TestSettledAtOnce(t *testing.T) {
	for tag, lines := range map[string]string{
		"en": `We decided to use SQLite in WAL mode because ops back up one file.
			Let us use port 8123 for the preview server since 8080 is taken
			let's go with tabs
			we keep the queue in Redis, that is settled
			- Please use the log of the importer to find the bug
			- let's fix the tests of the importer
			- What happens if we go with SQLite for the importer?
			- If we go with SQLite the importer has to be rewritten.`,
		"de": `Wir haben uns auf SQLite im WAL-Modus geeinigt.
			Nehmen wir Port 8123 für den Vorschau-Server, 8080 ist belegt.
			Lass uns Port 8123 für den Vorschau-Server nehmen.
			- Lass uns die Tests vom Import anschauen.`,
		"es": `Decidimos usar SQLite en modo WAL para la cola de los pedidos.
			Usemos el puerto 8123 para el servidor de vista previa.
			- Revisa por favor los tests del importador.`,
		"pt": `Decidimos usar SQLite em modo WAL.
			Vamos usar a porta 8123 para o servidor de prévia.
			- Olha por favor os testes do importador.`,
		"fr": `On a décidé d'utiliser SQLite en mode WAL.
			On prend le port 8123 pour le serveur d'aperçu.
			- Regarde les tests de l'importateur s'il te plaît.`,
		"it": `Abbiamo deciso di usare SQLite in modalità WAL.
			Usiamo la porta 8123 per il server di anteprima.
			- Guarda per favore i test dell'importatore.`,
		"nl": `We hebben besloten SQLite in WAL-modus te gebruiken.
			Laten we poort 8123 voor de preview-server gebruiken.
			- Laten we naar de tests van de importer kijken.`,
		"pl": `Postanowiliśmy użyć SQLite w trybie WAL.
			Użyjmy portu 8123 dla serwera podglądu.
			- Sprawdź proszę testy importera.`,
		"tr": `SQLite'ı WAL modunda kullanmaya karar verdik.
			Önizleme sunucusu için 8123 portunu kullanalım.
			- Lütfen içe aktarma testlerine bak.`,
		"ru": `Мы решили взять SQLite в режиме WAL.
			Давай использовать порт 8123 для сервера предпросмотра.
			- Посмотри, пожалуйста, тесты импорта.`,
		"uk": `Ми вирішили взяти SQLite у режимі WAL.
			Давай використовувати порт 8123 для сервера перегляду.
			- Подивися, будь ласка, тести імпорту.`,
		"ja": `SQLiteのWALモードに決めました。
			プレビューサーバーはポート8123を使おう。
			インデントはタブにしよう。
			- 在庫バッチの二重登録を調べてください。`,
		"zh": `我们决定使用SQLite的WAL模式。
			预览服务器用8123端口吧。
			- 请看一下导入的测试。`,
		"ko": `SQLite의 WAL 모드를 쓰기로 결정했어요.
			미리보기 서버는 8123 포트를 쓰자.
			- 가져오기 테스트를 봐주세요.`,
	} {
		for said := range strings.Lines(lines) {
			said, request := strings.CutPrefix(strings.TrimSpace(said), "- ")
			want := "recent_decisions"
			if request {
				want = ""
			}
			field, e := find(Embedded(say("u: "+said, "a: ok")), said)
			if field != want {
				t.Errorf("%s: %q kept under %q, want %q", tag, said, field, want)
			}
			if e != nil && tag == "en" && strings.Contains(said, "because") && e.Str("because") == "" {
				t.Errorf("%q: no reason", said)
			}
		}
	}
}

func TestTopic(t *testing.T) {
	const sqlite, rule = "u: we decided to use SQLite in WAL mode", "u: also never use tabs in this repo"
	for _, c := range []struct {
		name  string
		lines []string
		topic string
		list  string // where the item with the words stands, "" when there is none
		words string
	}{
		{"a request", []string{ask}, ask, "", "importer"},
		{"a decision with a request beside it", []string{sqlite + ". please write the schema of the archive"}, "u: please write the schema of the archive", "recent_decisions", "WAL mode"},
		{"a decision, then a question", []string{sqlite, "a: Noted.", "u: how does the schema of the archive look?", "a: It has one table."}, "u: how does the schema of the archive look?", "recent_decisions", "WAL mode"},
		{"a decision, then thanks", []string{sqlite, "a: Noted.", "u: ok thanks a lot"}, sqlite, "recent_decisions", "WAL mode"},
		{"a decision alone", []string{sqlite}, sqlite, "recent_decisions", "WAL mode"},
		{"a rule alone", []string{rule}, "", "strong_beliefs", "never use tabs"},
		{"a rule, then a decision", []string{rule, "a: Noted.", sqlite}, sqlite, "strong_beliefs", "never use tabs"},
		{"a secret beside a request", []string{"u: can you make the login page faster? my token for the host is [redacted:github-token] and the password=[redacted:api-key]"},
			"u: can you make the login page faster?", "", "my token"},
		{"a trivial request, then a rule", []string{"u: Please write a haiku", "a: Done.", rule}, "u: Please write a haiku", "strong_beliefs", "never use tabs"},
		{"a reversal", []string{"u: we keep the queue in Redis, that is settled", "a: OK.", "u: scrap Redis for the queue, use a Postgres table instead"},
			"u: scrap Redis for the queue, use a Postgres table instead", "recent_decisions", "scrap Redis"},
		{"what the reversal took back", []string{"u: we keep the queue in Redis, that is settled", "a: OK.", "u: scrap Redis for the queue, use a Postgres table instead"},
			"u: scrap Redis for the queue, use a Postgres table instead", "", "we keep the queue"},
	} {
		got := Embedded(say(c.lines...))
		topic := ""
		if e := got.Topic(); e != nil && e.Quote() != "" {
			topic = "u: " + strings.TrimSuffix(e.Quote(), ".")
		}
		if topic != c.topic {
			t.Errorf("%s: topic %q, want %q", c.name, topic, c.topic)
		}
		if field, _ := find(got, c.words); field != c.list {
			t.Errorf("%s: %q kept under %q, want %q", c.name, c.words, field, c.list)
		}
	}
}

func TestFollows(t *testing.T) {
	l, _ := parseLexicon("en", "[settle]\nlet us…use")
	z, _ := parseLexicon("zh", "[settle]\n用…吧")
	for _, c := range []struct {
		l    *lexicon
		text string
		want bool
	}{
		{l, "let us now use it", true}, {l, "let us reuse it", false}, {l, "let us users in", false}, {l, "let us go, use it", false}, {l, "use let us", false},
		{z, "服务器用这个端口吧", true}, {z, "服务器用这个，走吧", false}, {z, "服务器用这个", false},
	} {
		if g := c.l.scan(c.text); g.has(cueSettle) != c.want {
			t.Errorf("%q: %v", c.text, !c.want)
		}
	}
}
