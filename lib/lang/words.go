package lang

import "unicode"

var latinTags = [...]string{"en", "es", "pt", "fr", "de", "it", "nl", "pl", "tr"}

// latinWords are the commonest words of each of latinTags, short forms and
// chat spellings among them. A word shared by two languages votes for both.
var latinWords = [len(latinTags)]string{
	"the and of to is it in that for you with on this are be as not have was but they at we can do if so or an will what there from would i my your how which when should its all no just by them than then don t s m ll re ve let lets use keep make yes yep ok does did has had were who why where into only never always must instead dont im ill thats u tho pls",
	"el la los las de que y en un una es no se lo por con para del al está esto eso pero más como sí si ya su me te le hay muy también cuando qué cómo porque sin nada todo son ser fue esta este hasta donde solo queda hay vale nunca hoy yo nos mi tu ni uno dos entonces así",
	"o a os as de que e em um uma é não se por com para do da no na dos das ao mas mais como sim já seu eu você isso isto está tá tem ser foi são também quando porque sem nada tudo só até onde a gente pra pro dá fica nunca hoje nós meu minha nem ou então lá num numa pelo pela depois vou",
	"le la les de des du un une et est en que qui dans pour pas ne se ce ça sur au aux avec il elle on nous vous je tu mais plus ou où si par son sa ses sont être été fait comme tout bien oui non c d l j n s qu y alors jamais toujours cette ces leur quand sans encore reste faut",
	"der die das und ist nicht ich du wir sie es ein eine einen dem den des im in zu auf mit für von aus bei auch noch nur dass wenn oder aber wie was dann schon so wird werden hat haben sind war kann soll muss ja nein mal mach bitte über nach vor bis am vom zum zur keine kein nie immer erst gibt doch",
	"il lo la gli le di che e è in un una uno non si per con da del della dei delle nel al alla ma più come sì se già suo mi ti ci ho ha hai sono essere questo questa quello anche quando perché senza niente tutto solo fino dove mai sempre poi allora va bene noi io cosa ne ogni dalla sul",
	"de het een en is niet ik je we ze dat die dit van in op met voor aan te er zijn was maar ook nog wel als of dan wat hoe naar bij uit om door over kan moet mag hebben heb heeft wordt worden geen nooit altijd alleen al mijn jij zo doe even dus laat weer hier want ja nee zou",
	"i w na z do nie to się jest że o po za od przez dla ale jak co tak czy już tylko ten ta te tego jej jego są był było być może ma mam mi go ich a u bez nigdy zawsze przy więc lub albo niech jeszcze tam tu gdy jeśli żeby ze bo wtedy dobra sobie zrób będzie",
	"ve bir bu da de için ile ne mi mı mu mü var yok değil ama o şu çok daha gibi kadar sonra önce olarak olan her şey ben sen biz siz onu bunu kadar hiç asla evet hayır tamam olsun ki ise ya en diye bunun nasıl neden zaman artık şimdi sadece veya hem",
}

// mark counts letters that point to a language of their own.
func (s *stats) mark(r rune) {
	switch unicode.ToLower(r) {
	case 'ñ', '¿', '¡':
		s.votes[1] += 2
	case 'ã', 'õ':
		s.votes[2] += 2
	case 'œ', 'ê', 'î':
		s.votes[3]++
	case 'ß', 'ä':
		s.votes[4] += 2
	case 'ü', 'ö':
		s.votes[4]++
		s.votes[8]++
	case 'ł', 'ą', 'ę', 'ś', 'ż', 'ź', 'ć', 'ń':
		s.votes[7] += 2
	case 'ı', 'ğ', 'ş', 'İ':
		s.votes[8] += 2
	}
}
