package lang

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// maxWord is the longest function word in bytes: one that fits a machine word,
// so that looking it up hashes no string.
const maxWord = 8

// entry is a function word, packed, and the set of languages that use it.
type entry struct {
	word uint64
	set  uint16
}

// words is an open hash table of the function words; most of it is empty.
type words [1 << 12]entry

var table = sync.OnceValue(func() *words {
	t := &words{}
	for i, list := range latinWords {
		for w := range strings.FieldsSeq(list) {
			e := t.find(pack(w))
			e.word = pack(w)
			e.set |= 1 << i
		}
	}
	return t
})

// find is the entry of a packed word, or the empty one where it belongs.
func (t *words) find(word uint64) *entry {
	at := word * 0x9E3779B97F4A7C15 >> 52
	for t[at].set != 0 && t[at].word != word {
		at = (at + 1) % uint64(len(t))
	}
	return &t[at]
}

// pack is the bytes of a word of at most maxWord.
func pack[T string | []byte](word T) (k uint64) {
	for i := range len(word) {
		k = k<<8 | uint64(word[i])
	}
	return k
}

func (s *stats) vote(known *words, word string) {
	if len(word) > maxWord {
		return
	}
	var buf [2 * maxWord]byte
	low := buf[:0]
	for _, r := range word {
		low = utf8.AppendRune(low, unicode.ToLower(r))
	}
	if len(low) > maxWord {
		return
	}
	s.add(known.find(pack(low)).set)
}

// add gives a vote to each language of a set.
func (s *stats) add(set uint16) {
	for i := 0; set != 0; i, set = i+1, set>>1 {
		if set&1 != 0 {
			s.votes[i] += 2
		}
	}
}

// Function tells whether a lower-case word is a function word of some language
// in Latin letters, so that two texts sharing it have nothing in common yet.
func Function(word string) bool {
	return word != "" && len(word) <= maxWord && table().find(pack(word)).set != 0
}
