package salient

import (
	"strings"
	"sync"
)

// marker is a word or phrase that turns a statement.
type marker struct {
	words []string
	way   way
	in    []string // the languages it counts in; nil: all
}

type markerSet struct {
	byWord map[string][]marker
	dense  []marker // of scripts without spaces, found anywhere
}

var markers = sync.OnceValue(func() *markerSet {
	m := &markerSet{byWord: map[string][]marker{}}
	for _, l := range []struct {
		way   way
		words string
	}{{denies, denials}, {ends, endings}, {replaces, replacements}} {
		for entry := range strings.FieldsSeq(l.words) {
			phrase, in, limited := strings.Cut(entry, "/")
			p := marker{words: strings.Split(fold(phrase), "_"), way: l.way}
			if limited {
				p.in = strings.Split(in, ",")
			}
			m.byWord[p.words[0]] = append(m.byWord[p.words[0]], p)
		}
	}
	for _, l := range []struct {
		way   way
		words string
	}{{denies, denseDenials}, {ends, denseEndings}, {replaces, denseReplacements}} {
		for w := range strings.FieldsSeq(l.words) {
			m.dense = append(m.dense, marker{words: []string{fold(w)}, way: l.way})
		}
	}
	return m
})

// turkishDenials are the forms of the suffix that denies a verb.
var turkishDenials = sync.OnceValue(func() []string {
	return strings.Fields(fold("mıyor miyor muyor müyor mayın meyin mayacak meyecek mamalı memeli mayalım meyelim madan"))
})

// A phrase has _ for its blanks; a slash names the languages that a word counts
// in, where it is another word elsewhere.
const (
	denials = `no/en,es,it not never cannot nor neither none nothing nobody without dont doesnt didnt wont cant isnt arent
		shouldnt mustnt avoid avoids avoided forbid forbids forbidden prohibited banned disallow disallowed refuse refused
		nunca jamás ni/es sin/es ningún ninguna tampoco evitar prohibido prohibida
		não jamais nem/pt sem/pt nenhum nenhuma proibido proibida
		ne/fr pas/fr sans/fr aucun/fr aucune/fr interdit interdite éviter
		nicht nichts kein keine keinen keinem keiner keines nie niemals ohne verboten vermeiden
		non/it,fr mai/it senza nessun nessuno nessuna vietato vietata evitare
		niet niets geen nooit zonder verboden vermijd
		nigdy bez/pl żaden żadna żadnych zabronione unikać unikaj
		не нет никогда без нельзя ни запрещено немає ніколи жодних заборонено
		değil yok/tr asla/tr hiç/tr 안 못`
	endings = `stop stops stopped stopping cease drop drops dropped dropping remove removes removed removing abandon abandoned
		revert reverted undo cancel canceled cancelled discontinue discontinued disable disables disabled deprecate deprecated
		retire retired
		dejar_de deja_de dejamos_de eliminar quitar abandonar deixar_de deixamos_de parar/pt parar_de remover
		arrêter arrêtons arrête supprimer retirer abandonner cesser
		aufhören stoppen stoppt entfernen entfernt abschaffen verzichten
		smettere smettiamo rimuovere togliere verwijderen verwijder
		przestać przestajemy usunąć usuwamy rezygnujemy
		прекратить прекращаем перестать перестаем удалить убрать отказаться отказываемся
		припинити припиняємо видалити прибрати відмовитися відмовляємося
		bırak bırakıyoruz kaldır kaldırıyoruz vazgeç vazgeçtik durdur`
	replacements = `instead replace replaces replaced replacing rather_than in_place_of in_favour_of in_favor_of switch_to switched_to
		en_lugar_de en_vez_de reemplazar sustituir em_vez_de em_lugar_de ao_invés_de substituir trocar
		au_lieu_de à_la_place plutôt_que remplacer statt anstatt stattdessen anstelle ersetzen ersetzt
		invece al_posto_di anziché sostituire in_plaats_van vervangen zamiast zastąpić вместо заменить замість замінити yerine`
	denseDenials      = `ない ません なし 決して 禁止 不要 不用 不再 不能 不会 不使 不得 不许 不准 不应 不可 不是 不支 没有 别用 绝不 决不 从不 永不 않 없 마세요 말아 말고 금지`
	denseEndings      = `やめ 廃止 中止 削除 停止 停用 弃用 取消 移除 删除 放弃 중단 그만 제거 삭제 폐기`
	denseReplacements = `代わりに かわりに 置き換え 代替 取代 替换 改用 而不是 换成 대신 교체`
)
