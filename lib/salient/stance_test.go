package salient

import "testing"

func TestOpposed(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"Use SQLite for the cache layer", "Do not use SQLite for the cache layer", true},
		{"Use SQLite for the cache layer", "Don’t use SQLite for the cache layer", true},
		{"Use SQLite for the cache layer", "We no longer use SQLite for the cache layer", true},
		{"Use SQLite for the cache layer", "Use Postgres instead of SQLite for the cache layer", true},
		{"Use SQLite for the cache layer", "Stop using SQLite for the cache layer", true},
		{"Use SQLite for the cache layer", "The cache layer goes on using SQLite", false},
		{"The gauge reading may be null", "The gauge reading is never null", true},
		{"The gauge reading is never null", "The gauge reading must not be null", false},
		{"Never commit secrets", "Secrets must not be committed", false},
		{"Use SQLite, not Postgres", "Use Postgres, not SQLite", true},
		{"Use SQLite, not Postgres", "SQLite it is, not Postgres", false},
		{"Postgres instead of SQLite", "SQLite instead of Postgres", true},
		{"Do not use SQLite", "Do not stop using SQLite", true},

		{"Usamos SQLite para la caché", "Ya no usamos SQLite para la caché", true},
		{"Usamos SQLite para la caché", "Para la caché usamos SQLite", false},
		{"Usamos SQLite para o cache da fila", "Não usamos SQLite para o cache da fila", true},
		{"Vamos usar o SQLite na fila, é isso", "Vamos usar o SQLite no cache da fila, é isso", false},
		{"On utilise SQLite pour le cache", "On n'utilise plus SQLite pour le cache", true},
		{"On utilise SQLite pour le cache", "Pour le cache on utilise SQLite", false},
		{"Wir nutzen SQLite für den Cache", "Wir nutzen SQLite nicht mehr für den Cache", true},
		{"Wir nutzen SQLite für den Cache", "Wir nutzen Postgres statt SQLite für den Cache", true},
		{"Wir nutzen SQLite für den Cache", "Für den Cache nutzen wir SQLite im Mai", false},
		{"Usiamo SQLite per la cache", "Non usiamo SQLite per la cache", true},
		{"Usiamo SQLite per la cache", "Per la cache usiamo SQLite", false},
		{"We gebruiken SQLite voor de cache", "We gebruiken geen SQLite voor de cache", true},
		{"We gebruiken SQLite voor de cache", "Voor de cache gebruiken we SQLite", false},
		{"Używamy SQLite do pamięci podręcznej", "Nie używamy SQLite do pamięci podręcznej", true},
		{"Używamy SQLite do pamięci podręcznej", "Do pamięci podręcznej używamy SQLite", false},
		{"Используем SQLite для кеша", "Больше не используем SQLite для кеша", true},
		{"Используем SQLite для кеша", "Для кеша используем SQLite", false},
		{"Використовуємо SQLite для кешу", "Замість SQLite для кешу використовуємо Postgres", true},
		{"Використовуємо SQLite для кешу", "Для кешу використовуємо SQLite", false},
		{"Önbellek için SQLite kullanıyoruz", "Önbellek için artık SQLite kullanmıyoruz", true},
		{"Önbellek için SQLite kullanıyoruz", "SQLite önbellek için kullanılıyor", false},
		{"キャッシュにはSQLiteを使う", "キャッシュにはSQLiteを使わない", true},
		{"キャッシュにはSQLiteを使う", "SQLiteをキャッシュに使う", false},
		{"缓存使用 SQLite", "缓存不再使用 SQLite", true},
		{"缓存使用 SQLite", "使用 SQLite 做缓存", false},
		{"캐시에 SQLite를 사용한다", "캐시에 SQLite를 사용하지 않는다", true},
		{"캐시에 SQLite를 사용한다", "SQLite를 캐시에 사용한다", false},

		{"mail relay queue grows", "mail relay queue keeps growing", false},
		{"", "", false}, {"'", "-", false},
	} {
		if Opposed(c.a, c.b) != c.want || Opposed(c.b, c.a) != c.want {
			t.Errorf("Opposed(%q, %q) = %v", c.a, c.b, !c.want)
		}
	}
}
