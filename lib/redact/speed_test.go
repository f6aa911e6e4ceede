package redact

import (
	"strings"
	"testing"
	"time"
)

const ordinary = "The worker retries the batch when the broker is slow; see lib/queue/retry.go:42 for the budget.\n" +
	"We decided to keep the lock for 30 s because the migration takes 12 s (measured on 2026-02-01).\n"

func fill(unit string, n int) string { return strings.Repeat(unit, n/len(unit)+1)[:n] }

// Every rule finishes on 50,000 bytes of its own anchor, in linear time.
func TestCompletes(t *testing.T) {
	const limit = 10 * time.Second // they take milliseconds; only a runaway rule gets here
	units := []string{
		"token", "token=", "token: ", "token=\"", "token='token=\"", "password is ", "password(", "secret=x(", "api_key==", "--token ",
		"-----BEGIN A KEY-----", "-----BEGIN A KEY----- ", "-----BEGIN A KEY-----\n", "AKIA", "ASIA", "sk_live_", "gho_", "github_pat_",
		"glpat-", "xoxb-", "AIza", "sk-", "sk-a", "eyJ", "eyJhbGciOi.", "bearer ", "bearer: ", "authorization: ", "authorization: a ",
		"basic ", "basic aaaa", "curl -u a:", "a://", "a://b:", "a://b:c@", "a://b:/c@", "npm_", "hf_", "dckr_pat_", "pypi-", "[redacted:",
		"ｔｏｋｅｎ＝", "é", "token=é密", "a_token_", "tokens-", "passphrase: \"", "passphrase: “", "pwd;pwd=", "token==é", "é密token==é密", "?token=&", "\\\"token\\\":\\\"",
	}
	for _, sh := range shapes() {
		units = append(units, sh.prefix)
	}
	for _, u := range units {
		for _, s := range []string{fill(u, 50_000), u + fill("a", 50_000), u + fill("a1", 50_000), u + fill("a.", 50_000), fill(u+"a1b2c3d4 ", 50_000)} {
			start := time.Now()
			Text(s)
			if d := time.Since(start); d > limit {
				t.Errorf("%q over 50,000 bytes takes %v", s[:20], d)
			}
		}
	}
}

func bench(b *testing.B, s string) {
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		Text(s)
	}
}

func BenchmarkOrdinary(b *testing.B) { bench(b, fill(ordinary, 1<<20)) }
func BenchmarkToken(b *testing.B)    { bench(b, fill("token ", 1<<20)) }
func BenchmarkTokenHit(b *testing.B) { bench(b, fill("token=abcdefgh1 ", 1<<20)) }
func BenchmarkTokenRun(b *testing.B) { bench(b, fill("token=x(", 1<<20)) }
func BenchmarkURL(b *testing.B)      { bench(b, fill("a://b", 1<<20)) }
func BenchmarkCJK(b *testing.B) {
	bench(b, fill("認証サーバーが発行します，次に", 1<<20))
}
