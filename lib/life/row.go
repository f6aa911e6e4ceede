package life

import (
	"crypto/rand"
	"time"
)

// StampLayout is the form of every stamp in a ledger: UTC, whole seconds.
const StampLayout = "2006-01-02T15:04:05Z"

// Stamp is t as ledgers write it.
func Stamp(t time.Time) string { return t.UTC().Format(StampLayout) }

// Row is one line of the events ledger.
type Row struct {
	TS       string `json:"ts"`
	Kind     string `json:"kind"`
	ItemRef  string `json:"item_ref"`
	Status   string `json:"status"`
	Source   string `json:"source"`
	Channel  string `json:"channel,omitempty"`
	Author   string `json:"author,omitempty"`
	Note     string `json:"note,omitempty"`
	ItemText string `json:"item_text,omitempty"`
}

// By says when, through which observed channel and by whom a row is written.
type By struct {
	At      time.Time
	Channel string // cli-tty, cli-agent, hook, mechanical …
	Author  string
}

// Tombstones forget a content key: one row for each item that holds the value,
// with note as the reason, and one on a fresh key ref, so that reopening the item
// does not bring the value back. Append them in one batch, before any rewrite. No
// row holds the value.
func Tombstones(by By, key string, ids []string, note string) []any {
	row := Row{
		TS: Stamp(by.At), Kind: "tombstone", Status: forgotten + key,
		Source: "cli", Channel: by.Channel, Author: by.Author,
	}
	var rows []any
	for _, id := range ids {
		r := row
		r.ItemRef, r.Note = id, note
		rows = append(rows, r)
	}
	row.ItemRef = keyRef + rand.Text() // says nothing about the key, and is no item's id
	return append(rows, row)
}

// Supersede suggests that newID replaced oldID. A suggestion closes nothing.
func Supersede(by By, oldID, newID, oldText string) Row {
	return Row{
		TS: Stamp(by.At), Kind: "resolution", ItemRef: oldID, Status: candidate + ":" + newID,
		Source: "serializer", Channel: by.Channel, Author: by.Author, ItemText: oldText,
	}
}
