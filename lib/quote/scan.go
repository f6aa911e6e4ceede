package quote

import (
	"encoding/binary"

	"daimon/lib/doc"
)

// index is a transcript made ready for looking up quotes.
type index struct {
	t      *doc.Transcript
	bodies []body
}

func newIndex(t *doc.Transcript) *index {
	x := &index{t: t, bodies: make([]body, len(t.Messages))}
	for i := range x.bodies {
		x.bodies[i].m = &t.Messages[i]
	}
	return x
}

const gram = 8

// scan finds for each needle the messages that may hold it, in one pass over
// the transcript however many needles there are. A needle whose pieces are all
// short gets none.
func (x *index) scan(needles []needle) [][]int {
	found := make([][]int, len(needles))
	want := map[uint64][]int{}
	var sieve [1 << 10]uint64
	add := func(id int, pieces []string) {
		p := longest(pieces)
		if len(p) < gram {
			return
		}
		v := binary.LittleEndian.Uint64([]byte(p[(len(p)-gram)/2:]))
		for _, other := range want[v] {
			if other == id {
				return
			}
		}
		want[v] = append(want[v], id)
		h := hash(v)
		sieve[h>>6] |= 1 << (h & 63)
	}
	for id, n := range needles {
		add(id, n.kept)
		add(id, n.bare)
	}
	if len(want) == 0 {
		return found
	}
	for i := range x.bodies {
		b := &x.bodies[i]
		mark := func(s string) {
			for j := 0; j+gram <= len(s); j++ {
				v := load(s[j:])
				if h := hash(v); sieve[h>>6]&(1<<(h&63)) == 0 {
					continue
				}
				for _, id := range want[v] {
					if n := len(found[id]); n == 0 || found[id][n-1] != i {
						found[id] = append(found[id], i)
					}
				}
			}
		}
		mark(b.keptForm().s)
		if bare := b.bareForm(); bare != b.kept {
			mark(bare.s)
		}
	}
	return found
}

func load(s string) uint64 {
	_ = s[gram-1]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

func hash(v uint64) uint64 { return v * 0x9E3779B97F4A7C15 >> 48 }
