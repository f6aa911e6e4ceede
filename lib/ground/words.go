package ground

import (
	"regexp"
	"strconv"
	"sync"
)

// verbs tell by its name what a script, task or subcommand is for that no runner
// is known for, such as ./deploy.sh, and by what words in its output it says that
// the thing was done.
var verbs = []struct {
	kind Kind
	word string
	done string
}{
	{Deploy, `(?i)(?:deploy|desplegar|despliegue|implantar|rollout|\bship\b|ausrollen|deployer|promote)`,
		`(?i)\b(?:deployed|rolled out|promoted|shipped|released|is live|now live|went live|live at|healthy|desplegad[oa]s?|implantad[oa]s?|déployée?s?|ausgerollt|deployt)\b|部署(?:成功|完成)|已部署|デプロイ(?:完了|成功|済)|배포 ?(?:완료|성공|됨)`},
	{Apply, `(?i)(?:migrat|migrar|migra\b|migrer|\bapply\b)`,
		`(?i)\b(?:applied|migrated|aplicad[oa]s?|migrad[oa]s?|appliquée?s?|migrée?s?|angewendet|migriert|applicat[oaei])\b|适用|应用成功|適用|적용`},
	{Publish, `(?i)(?:publish|upload|publicar|publier|release\.)`,
		`(?i)\b(?:published|uploaded|released|publicad[oa]s?|publiée?s?|veröffentlicht|hochgeladen|pubblicat[oaei])\b|发布成功|上传成功|公開(?:完了|済)|게시 ?완료`},
	{Build, `(?i)(?:build|compile|construir|bauen)`,
		`(?i)\b(?:built|compiled|wrote|written|linked|packaged|generated|construid[oa]|compilad[oa]|gebaut|kompiliert)\b|构建成功|编译成功|ビルド(?:成功|完了)|빌드 ?(?:성공|완료)`},
	{Test, `(?i)(?:^|[^a-z])(?:run)?(?:tests?|specs?|e2e)(?:all)?(?:[^a-z]|$)|\bcheck\.sh`,
		`(?im)\b[1-9]\d* (?:\w+ ){0,2}?(?:passed|passing|passes|pass|succeeded|green|ok)\b|\ball (?:\d+ )?(?:\w+ )?(?:tests?|checks?|specs?|suites?)(?: have| were| are)? (?:pass(?:ed|ing)?|ok|green|succeeded)\b` +
			`|^\s*tests? (?:suite )?(?:pass(?:ed)?|ok|succeeded)\b|\b(?:passed|pass): ?[1-9]|` + summary + `|(?:测试|テスト).*(?:通过|合格|成功)|테스트.*통과`},
	{Revert, `(?i)(?:rollback|revert)`,
		`(?i)\b(?:reverted|rolled back|rollback (?:complete|successful|done)|revertid[oa]s?|annulée?s?)\b|回滚成功|ロールバック完了`},
}

type verb struct {
	kind       Kind
	word, done *pattern
}

var verbTable = sync.OnceValue(func() []verb {
	out := make([]verb, len(verbs))
	for i, v := range verbs {
		out[i] = verb{v.kind, &pattern{src: v.word}, &pattern{src: v.done}}
	}
	return out
})

// What is read in the output of a command that no runner is known for. failing
// are words of failure, harmlessly what is left out first; succeeding says that
// something went well, denying begins a clause that does not count for that.
const (
	failing = `(?im)\b(?:errors?|fail|fails|failed|failing|failures?|not ok|not all|fatal|killed|abort(?:ed|ing)?|cancell?ed|cancelado|cancelada|traceback|panic|denied|crash(?:ed|es)?|timed out|exceptions?|refused|unable to|could not|rejected|unhealthy|segmentation fault|core dumped|command not found|no such file` +
		`|fallo|falhou|erro|fehler|fehlgeschlagen|échec|échoué|errore|fallito)\b|\b(?:[1-9]\d*|all|is|are|still) red\b|^\s*[✗✘✖×❌]|falló|错误|失败|エラー|失敗|실패|오류`
	harmlessly = `(?i)\b(?:0|no) (?:tests? |checks? )?(?:failed|failures?|errors?|failing|exceptions?)\b|\b(?:failed|failures?|errors?|fail)(?::| ?=)? ?0\b`
	succeeding = `(?i)\b(?:done|ok|success|successful|successfully|succeeded|complete|completed|finished|passed|listo|hecho|completad[oa]|exitos[oa]|concluíd[oa]|feito|pronto|terminée?|réussie?|fertig|erfolgreich|abgeschlossen|completat[oa]|riuscit[oa])\b|完成|成功|完了|완료|성공|✓|✔|✅`
	denying    = `(?i)\b(?:not|never|nothing|none|no|0|would|will|should|could|cannot|skip(?:ped|ping)?|nicht|kein\w*|não|nada|ne|pas|to be)\b[^\n.;,]*|未|没有|まだ`
)

var (
	failWords = once(failing)
	zeroWords = once(harmlessly)
	goodWords = once(succeeding)
	denials   = once(denying)
	fractions = once(`\b(\d+) ?(?:/|of|out of) ?(\d+) (?:\w+ ){0,2}?(?:pass|ok|succe)`)
)

func once(src string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(src) })
}

// says tells whether an output says that a thing was done. Only the words of its
// kind will do when exactly is set.
func (v *verb) says(output string, exactly bool) bool {
	switch {
	case v.kind == Test:
		return v.done.matches(output)
	case exactly:
		return v.done.matches(denials().ReplaceAllString(output, ""))
	}
	output = denials().ReplaceAllString(output, "")
	return v.done.matches(output) || goodWords().MatchString(output)
}

// complains tells whether an output has words of failure.
func complains(output string) bool {
	if failWords().MatchString(zeroWords().ReplaceAllString(output, "")) {
		return true
	}
	for _, m := range fractions().FindAllStringSubmatch(output, -1) {
		part, _ := strconv.Atoi(m[1])
		if all, _ := strconv.Atoi(m[2]); part < all {
			return true
		}
	}
	return false
}
