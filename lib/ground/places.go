package ground

import (
	"strings"
	"sync"

	"daimon/lib/doc"
)

// environments are where something can be applied, deployed or tried. said meets
// a claim in lower case, shown the command that was run.
var environments = []struct{ name, said, shown string }{
	{"production", `\b(?:prod|production|produktion|live)\b|producción|produccion|produção|produzione|本番|生产|線上|线上|운영|프로덕션`,
		`(?i)\b(?:prod|production|produccion|producción|producao|produção|produktion|prd|live)\b`},
	{"staging", `\b(?:staging|stage|stg|homolog)\b|homologaç|homologación|検証環境|ステージング|预发|預發|스테이징`,
		`(?i)\b(?:staging|stage|stg|homolog\w*)\b`},
	{"preproduction", `\b(?:pre|preprod)\b|preproducci|pré-produ|pré-prod`, `(?i)\b(?:pre|preprod\w*)\b`},
	{"test", `测试环境|測試環境|テスト環境|테스트 환경|\btest environment\b|\btestumgebung\b|entorno de pruebas|ambiente de teste`, `(?i)\b(?:test|testing|qa|tst)\b`},
	{"canary", `\bcanary\b|canario|灰度`, `(?i)\bcanary\b`},
	{"hardware", `\b(?:hardware|device|devices|phones?|bench|in the field)\b|実機|真机|실기기`, `(?i)\b(?:hardware|device|adb|openocd|flash\w*|hil|jlink|bench)\b`},
}

type placePatterns struct {
	name        string
	said, shown pattern
}

var placeTable = sync.OnceValue(func() []placePatterns {
	out := make([]placePatterns, len(environments))
	stems := stemsFile("places")
	for i, e := range environments {
		p := &out[i]
		p.name, p.said.src, p.shown.src = e.name, e.said, e.shown
		p.said.stems, stems = next(stems)
	}
	return out
})

// placesIn reads text in lower case.
func placesIn(text string) []string {
	var out []string
	places := placeTable()
	for i := range places {
		if p := &places[i]; p.said.matches(text) {
			out = append(out, p.name)
		}
	}
	return out
}

// evidencePlaces are the places a command was aimed at; when it names none, those
// its output names.
func evidencePlaces(m *doc.Message, s showing) []string {
	var out []string
	_, args, _ := strings.Cut(s.cmd.words, " ")
	places := placeTable()
	for i := range places {
		if p := &places[i]; p.shown.matches(args) {
			out = append(out, p.name)
		}
	}
	if len(out) > 0 {
		return out
	}
	return placesIn(strings.ToLower(m.Text))
}
