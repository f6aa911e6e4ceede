package salient

import (
	"strings"
	"sync"
)

var stopwords = sync.OnceValue(func() map[string]bool {
	m := make(map[string]bool, 1200)
	for _, list := range []string{english, fillers, spanish, portuguese, french, german, italian, dutch, polish, turkish, russian, ukrainian} {
		for w := range strings.FieldsSeq(list) {
			m[w] = true
		}
	}
	return m
})

// The lists hold words of three letters or more, folded as fold does it.
const (
	english = `the and for are was were been being but not you your yours our ours his her hers its they them their theirs
		this that these those with from into onto over under about above below after before between during through against
		because while when where which who whom whose what why how all any both each few more most other others some such
		only own same than then there here too very can could will would shall should may might must have has had having
		does did doing done just now out off again once also even ever never yet still nor per via upon without within
		until unless since though although however either neither every instead rather else them himself itself yourself
		ours she him let lets isn aren wasn weren don doesn didn won wouldn shouldn couldn cannot one`
	fillers = `please fix code file files run issue question need needs want use used using make makes made get gets got
		add added see look check help know think thing things way work works working like new`
	spanish = `los las una unos unas del con por para que como pero mas sin sobre entre hasta desde cuando donde quien cual
		cuales este esta estos estas ese esa esos esas eso esto aquel aquella ellos ellas nosotros usted ustedes sus mis tus
		nuestro nuestra les nos muy tambien tan ser son era eran fue fueron sido estar estan estaba hay haber han has hemos
		habia hacer hace hecho puede pueden poder debe deben debemos tiene tienen tener todo toda todos todas otro otra otros
		otras algo nada nadie cada porque aunque mientras antes despues ahora luego aqui alli solo asi segun contra durante
		siempre nunca tal hola favor gracias puedes quiero necesito vamos ver mira usar usa archivo codigo ejecuta arregla`
	portuguese = `uma umas uns dos das nos nas pelo pela pelos pelas com sem para por que como mas mais muito tambem entre ate
		quando onde quem qual quais este esta estes estas esse essa esses essas isso isto aquele aquela eles elas voces voce
		seu sua seus suas meu minha nosso nossa ser sao era eram foi foram sido estar estao estava tem ter tinha havia fazer
		faz feito pode podem deve devem todo toda todos todas outro outra cada porque embora antes depois agora aqui ainda
		nao sim ele ela lhe pra`
	french = `les des une aux avec sans pour par que qui quoi dont mais plus moins tres aussi entre jusque quand comment
		pourquoi est sont etait etaient ete etre avoir ont avait fait faire peut peuvent doit doivent tout toute tous toutes
		autre autres cette ces cet son ses leur leurs mon mes notre nos votre vos elle elles ils nous vous lui donc alors
		parce depuis avant apres pendant chaque encore deja pas ici sur sous dans chez`
	german = `der die das den dem des ein eine einen einem einer eines und oder aber nicht mit von vom zum zur fur auf aus bei
		nach uber unter vor zwischen durch gegen ohne ist sind war waren wird werden wurde wurden sein haben hat hatte kann
		konnen soll sollen muss mussen darf auch nur noch schon sehr mehr als wie was wer wenn weil dass sich ich wir
		ihr sie ihn ihm uns euch mein dein unser dieser diese dieses jeder jede alle alles man hier dort dann jetzt immer`
	italian = `gli una uno dei degli delle del della dello dal dalla nel nella sul sulla con per che chi cui come non piu anche
		tra fra sono era erano essere avere hanno stato fare puo possono deve devono tutto tutti tutta altro altri questo
		questa questi queste quello quella ogni perche quando dove mentre prima dopo ora qui molto loro suo sua noi voi`
	dutch = `het een van voor met niet maar ook dat dit deze die wie wat waar wanneer hoe als dan nog wel naar uit over onder
		door tegen zonder zijn was waren wordt worden werd hebben heeft had kan kunnen moet moeten zal zou alle alles andere
		elke hun haar ons onze mijn jouw hier daar altijd omdat`
	polish = `nie jest sie dla ale czy jak jako tak tym tego tej ten jego jej ich oraz lub albo przez przed przy pod nad bez
		gdy kiedy gdzie kto juz tylko jeszcze bardzo moze mozna musi byc byl byla bylo sa ktory ktora ktore wszystko zeby`
	turkish = `bir icin ile ama veya gibi daha cok olan olarak oldu olur olsun var yok degil bunu buna bunun sonra once kadar
		her hem ise bile eger neden nasil hangi sen siz biz onlar onun benim bizim sadece ancak`
	russian = `что это как для или при над под без про его она они оно ему наш ваш все всех был была было были быть есть нет
		тоже также еще уже только если когда где кто чтобы потому после перед через можно нужно надо очень так там тут вот
		этот эта эти тот мои твои свои которыи которая которые`
	ukrainian = `що це для або при над під без про його вона вони воно наш ваш все всіх був була було були бути нема теж також
		ще вже тільки якщо коли хто щоб тому після перед через можна треба дуже так там тут цеи ця ці які якии`
)
