package redact

import (
	"maps"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// rep makes obviously fake key material of n bytes.
func rep(n int) string { return strings.Repeat("a1B2c3D4", n/8+1)[:n] }

var pemBlock = "-----BEGIN RSA PRIVATE KEY-----\nMIIfake\n-----END RSA PRIVATE KEY-----"

// Each row masks its secret; what stands in want is all that is left.
func TestMasked(t *testing.T) {
	for _, c := range []struct{ in, want, kind string }{
		{"x " + pemBlock + " y", "x [redacted:pem] y", "pem"},
		{"x -----BEGIN CERTIFICATE-----\nMIIfake\nrest", "x [redacted:pem]", "pem"},
		{`{"k":"-----BEGIN PRIVATE KEY-----\nMII\n-----END PRIVATE KEY-----\n"}`, `{"k":"[redacted:pem]\n"}`, "pem"},
		{"id AKIAIOSFODNN7EXAMPLE.", "id [redacted:aws-key].", "aws-key"},
		{"id ASIAIOSFODNN7EXAMPLE", "id [redacted:aws-key]", "aws-key"},
		{"id AKIAIOSFODNN7EXAMPLEX", "id [redacted:aws-key]", "aws-key"},
		{"sk_live_" + rep(8), "[redacted:stripe-key]", "stripe-key"},
		{"sk_test_" + rep(8), "[redacted:stripe-key]", "stripe-key"},
		{"rk_live_" + rep(20), "[redacted:stripe-key]", "stripe-key"},
		{"ghp_" + rep(36), "[redacted:github-token]", "github-token"},
		{`\nghs_` + rep(36), `\n[redacted:github-token]`, "github-token"},
		{"github_pat_" + rep(40), "[redacted:github-token]", "github-token"},
		{"glpat-" + rep(20), "[redacted:gitlab-token]", "gitlab-token"},
		{"xoxb-" + rep(10), "[redacted:slack-token]", "slack-token"},
		{"xoxe-" + rep(10), "[redacted:slack-token]", "slack-token"},
		{"AIza" + rep(35), "[redacted:google-key]", "google-key"},
		{"AIza" + rep(36), "[redacted:google-key]2", "google-key"},
		{"npm_" + rep(36), "[redacted:npm-token]", "npm-token"},
		{"hf_" + rep(34), "[redacted:hf-token]", "hf-token"},
		{"dckr_pat_" + rep(27), "[redacted:docker-token]", "docker-token"},
		{"sk-" + rep(20), "[redacted:openai-key]", "openai-key"},
		{"sk-proj-" + rep(24), "[redacted:openai-key]", "openai-key"},
		{"sk-ant-api03-" + rep(24), "[redacted:openai-key]", "openai-key"},
		{"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln", "[redacted:jwt]", "jwt"},
		{"curl -H 'Authorization: Bearer " + rep(16) + "'", "curl -H '[redacted:bearer]'", "bearer"},
		{"bearer " + rep(16), "[redacted:bearer]", "bearer"},
		{"bearer: " + rep(16), "[redacted:bearer]", "bearer"},
		{"BEARER abcdefghijklmnopqrst", "[redacted:bearer]", "bearer"},
		{"Authorization: Digest " + rep(18), "[redacted:bearer]", "bearer"},
		{`{"Authorization": "Token ` + rep(18) + `"}`, `{"Authorization": "[redacted:bearer]"}`, "bearer"},
		{"Basic dXNlcjpwYXNzd29yZA==", "[redacted:basic-auth]", "basic-auth"},
		{"curl -u admin:s3cr3tpw https://x", "curl -u admin:[redacted:basic-auth] https://x", "basic-auth"},
		{"token=abcdefgh", "token=[redacted:api-key]", "api-key"},
		{"API_KEY: " + rep(10), "API_KEY: [redacted:api-key]", "api-key"},
		{`"api_key": "` + rep(12) + `", "x": 1`, `"api_key": "[redacted:api-key]", "x": 1`, "api-key"},
		{`{\"token\":\"` + rep(12) + `\"}`, `{\"token\":\"[redacted:api-key]\"}`, "api-key"},
		{"aws_secret_access_key = " + rep(40), "aws_secret_access_key = [redacted:api-key]", "api-key"},
		{"access_key: " + rep(20), "access_key: [redacted:api-key]", "api-key"},
		{"private_key=" + rep(20), "private_key=[redacted:api-key]", "api-key"},
		{"pwd: hunter2x", "pwd: [redacted:api-key]", "api-key"},
		{"password: correcthorsebattery please", "password: [redacted:api-key] please", "api-key"},
		{"passwd:QxErTyZiOpAs\" x", "passwd:[redacted:api-key]\" x", "api-key"},
		{"passwd:correcthorsebattery\" ok", "passwd:[redacted:api-key]\" ok", "api-key"},
		{"the passphrase: correcthorsebattery, ok", "the passphrase: [redacted:api-key], ok", "api-key"},
		{"DB_PASSWORD=hunter2", "DB_PASSWORD=[redacted:api-key]", "api-key"},
		{"export SECRET_FOO=abcdefgh\nB=1", "export SECRET_FOO=[redacted:api-key]\nB=1", "api-key"},
		{"a_name_that_is_far_longer_than_thirty_two_characters_token=abcdefgh1", "a_name_that_is_far_longer_than_thirty_two_characters_token=[redacted:api-key]", "api-key"},
		{"tokens=" + rep(20), "tokens=[redacted:api-key]", "api-key"},
		{"clientSecret: '" + rep(20) + "'", "clientSecret: '[redacted:api-key]'", "api-key"},
		{"secretAccessKey = \"" + rep(20) + "\"", "secretAccessKey = \"[redacted:api-key]\"", "api-key"},
		{"X-Api-Key: " + rep(16), "X-Api-Key: [redacted:api-key]", "api-key"},
		{"the password is hunter2hunter2.", "the password is [redacted:api-key].", "api-key"},
		{"password is `hunter2!x`", "password is `[redacted:api-key]`", "api-key"},
		{"**Password:** hunter2hunter2", "**Password:** [redacted:api-key]", "api-key"},
		{"passphrase: C0rrect-Horse", "passphrase: [redacted:api-key]", "api-key"},
		{`passphrase: "correct horse battery staple"`, `passphrase: "[redacted:api-key]"`, "api-key"},
		{"mysql --password hunter2hunter2 -h db", "mysql --password [redacted:api-key] -h db", "api-key"},
		{"GET /?token=abcdefgh1&page=2", "GET /?token=[redacted:api-key]&page=2", "api-key"},
		{"Server=db;Password=p4ss/w0rd;Database=x", "Server=db;Password=[redacted:api-key];Database=x", "api-key"},
		{"AccountKey=" + rep(40) + "==;EndpointSuffix=x", "AccountKey=[redacted:api-key];EndpointSuffix=x", "api-key"},
		{"//packages.example.test/:_authToken=" + rep(20), "//packages.example.test/:_authToken=[redacted:api-key]", "api-key"},
		{"ｔｏｋｅｎ＝ａｂｃｄｅｆｇｈ", "token=[redacted:api-key]", "api-key"},
		{"密码 password：hunter2x。然后", "密码 password:[redacted:api-key]。然后", "api-key"},
		{"la contraseña es hunter2x", "la contraseña es [redacted:api-key]", "api-key"},
		{"postgres://user:pass@host/db", "postgres://user:[redacted:credential-url]@host/db", "credential-url"},
		{"HTTPS://user:pass@host", "HTTPS://user:[redacted:credential-url]@host", "credential-url"},
		{"redis://:pa/ss@host:6379", "redis://:[redacted:credential-url]@host:6379", "credential-url"},
		{"amqp://u:a/b@mq.example/v", "amqp://u:[redacted:credential-url]@mq.example/v", "credential-url"},
		{"https://" + rep(20) + "@github.com/x", "https://[redacted:credential-url]@github.com/x", "credential-url"},
	} {
		got, counts := Text(c.in)
		if got != c.want || !maps.Equal(counts, map[string]int{c.kind: 1}) {
			t.Errorf("Text(%q)\n got %q %v\nwant %q %s", c.in, got, counts, c.want, c.kind)
		}
		again, more := Text(got)
		if again != got || more != nil {
			t.Errorf("second pass over %q gives %q %v", got, again, more)
		}
	}
}

// Near misses: the same words without a secret.
func TestKept(t *testing.T) {
	for _, s := range []string{
		"", "token=abcdefg", "AKIAIOSFODNN7", "xAKIAIOSFODNN7EXAMPLE", "ghp_" + rep(35), "AIza" + rep(34),
		"the file starts with `-----BEGIN RSA PRIVATE KEY-----`, see", "-----BEGIN MESSAGE-----\nx",
		"sk-learn-pipeline-integration-test", "task-force-members-and-their-roles", "risk-assessment-methodology",
		"bearer authentication/authorization flow", "Bearer token auth", "bearer short", "eyJhbGciOi.eyX.z",
		"authorization: required for everything here", "basic understanding of", "basic auth", "Basic abcdefgh",
		"password is required", "password is sha256-hashed", "the token is 32-byte", "password: required",
		`"password": "must be at least 8 characters"`, "password: string", "token: Optional[str] = None",
		"max_tokens=16384000", "tokens: 12345678", "tokens: 128k-context", "token_count: 12345678", "tokenizer = abcdefgh1234",
		"token = getToken(request)", "token = self.session_token2", "password=settings.DB_PASSWORD", "secret = os.environ[\"X1234567\"]",
		"api_key=api_key_value)", "token: $GITHUB_TOKEN", "password=${DB_PASSWORD}", "token: <your-token-1234>", "password: ********",
		"secret: {{ vault.key1234 }}", "secretName: my-app-tls-2024", "PWD=/home/me/project1", "TOKEN_FILE=/run/secrets/x1",
		"the secret: keep functions short1", "if token == session_token1:", "passwordless: enabled12",
		"https://host.example:8080/a/@scope/b", "https://user@host", "git@github.com:x/y.git", "ssh://git@host/x",
		"postgres://user:$PGPASSWORD@host", "see https://x.example/a:b and mail a@b.example",
		"password: requirements changed here", "password: unfortunately it expired", "password: somePlainCamelName, x",
		"token: correcthorsebattery please", "password: correcthors please",
		"ｆｕｌｌ　ｗｉｄｔｈ", "トークン token：認証サーバーが発行します", "docker run -u 1000:1000 img",
		"authToken: string;", `"token": "access_token"`, `"secret": "my-vault-secret-name"`, `append(env, "PWD="+cmd.Dir2)`, "tokens = d.tokens2[:0]", "token = 2*maxConcurrency1", "token::new(abcdefgh1)", "secret =~ abcdefgh12",
	} {
		if got, counts := Text(s); got != s || counts != nil {
			t.Errorf("Text(%q) = %q %v", s, got, counts)
		}
	}
}

// A key is masked whatever invisible character splits it, and also where one
// parts it from a word; a clean text keeps every such character.
func TestMaskedThroughHiddenCharacters(t *testing.T) {
	key := "ghp_" + rep(36)
	hiding := []string{"\u200b", "\ufeff", "\u202e", "\x01", "\x08", "\x7f", "\u0085", "\U000e0041", "\u00ad", "\u034f", "\u180e", "\ufe0f",
		"\u200d", "\u2066", "\u206a", "\u115f", "\u3164", "\U000e0100", "\ufffd"}
	for _, x := range hiding {
		for in, want := range map[string]string{
			"use " + key[:10] + x + key[10:] + " now":        "use [redacted:github-token] now",
			"use " + strings.Join(strings.Split(key, ""), x): "use [redacted:github-token]",
			"pass" + x + "word: hunter2x":                    "password: [redacted:api-key]",
		} {
			if got, counts := Text(in); got != want || len(counts) != 1 {
				t.Errorf("%q: %q %v", in, got, counts)
			}
			check(t, in)
		}
		apart := "word" + x + "AKIAIOSFODNN7EXAMPLE"
		if got, _ := Text(apart); strings.Contains(got, "AKIA") {
			t.Errorf("%q: %q", apart, got)
		}
		clean := "use " + x + " the e\u0301 token" + x + " wisely"
		if got, counts := Text(clean); got != clean || counts != nil {
			t.Errorf("%q: %q %v", clean, got, counts)
		}
	}
	if got, counts := Text("a\tb\r\nghp_" + rep(20) + "\n" + rep(16)); counts != nil {
		t.Errorf("line breaks part: %q", got)
	}
}

func TestSeveralKindsInOneText(t *testing.T) {
	in := "token=ghp_" + rep(36) + " and password=ab." + "glpat-" + rep(20) + " secret=abcdefgh " + pemBlock
	got, counts := Text(in)
	want := "token=[redacted:github-token] and password=ab.[redacted:gitlab-token] secret=[redacted:api-key] [redacted:pem]"
	if got != want {
		t.Errorf("got %q %v", got, counts)
	}
	if counts["github-token"] != 1 || counts["api-key"] != 1 || counts["pem"] != 1 {
		t.Errorf("counts %v", counts)
	}
}

// What masking uncovers is masked too.
func TestMasksUntilNothingIsLeft(t *testing.T) {
	got, counts := Text("https://" + rep(20) + ":x-oauth-basic@github.com")
	if got != "https://[redacted:credential-url]:[redacted:credential-url]@github.com" || counts["credential-url"] != 2 {
		t.Errorf("%q %v", got, counts)
	}
}

func pieces() *rapid.Generator[string] {
	return rapid.SampledFrom([]string{
		"token", "password", "secret", "=", ":", " ", "\"", "'", "`", "://", "@", "/", "is ", "bearer ", "Authorization", "basic ",
		"sk-", "ghp_", "AKIA", "xoxb-", "eyJ", ".eyJ", ".", "-----BEGIN X KEY-----", "-----END X KEY-----", "\n", `\n`, `\"`,
		"[redacted:api-key]", "[redacted:", "]", rep(8), rep(40), "abcdefgh", "ABCDEFGH", "１２", "́", "\xff", "https", "hunter2", "curl -u ", ";", "&", "?", "--",
	})
}

func TestIdempotent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOfN(pieces(), 0, 30).Draw(t, "pieces"), "")
		check(t, s)
	})
}

type failer interface{ Fatalf(string, ...any) }

func check(t failer, s string) {
	once, counts := Text(s)
	if counts == nil && once != s {
		t.Fatalf("clean text %q became %q", s, once)
	}
	if again, more := Text(once); again != once || more != nil {
		t.Fatalf("Text(%q) = %q, then %q %v", s, once, again, more)
	}
}

func FuzzText(f *testing.F) {
	f.Add("token=abcdefgh https://u:p@h " + pemBlock)
	f.Add("password is hunter2x, bearer: " + rep(20))
	f.Fuzz(func(t *testing.T, s string) { check(t, s) })
}
