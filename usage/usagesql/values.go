package usagesql

import (
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/goverso/verso/usage"
)

const (
	secondsPerHour = 60 * 60
	secondsPerDay  = 24 * secondsPerHour
	secondsPerWeek = 7 * secondsPerDay
)

func dayOf(t time.Time) int64 { return t.Unix() / secondsPerDay }

// dayName returns the name of a day, given in days after a time in UTC.
func dayName(t time.Time, after int) string { return t.AddDate(0, 0, after).Format(time.DateOnly) }

// lateDays are for how long forgotten rows are not deleted: a batch may come as late.
const lateDays = 30

// keptFrom returns the first second of requests that are not forgotten at a time.
func keptFrom(t time.Time) int64 { return (dayOf(t) - usage.KeepDays) * secondsPerDay }

// deletedFrom returns likewise the first second of rows that stay.
func deletedFrom(t time.Time) int64 { return keptFrom(t) - lateDays*secondsPerDay }

// earlier returns the earlier of the two; 0 is not known.
func earlier(a, b int64) int64 {
	if a == 0 || b > 0 && b < a {
		return b
	}
	return a
}

// textOf returns names as the JSON parameter of a statement.
func textOf(names []string) string {
	text, _ := json.Marshal(names)
	if names == nil {
		return "[]"
	}
	return string(text)
}

// maxNameBytes bounds a name in a key: an entry of an index in PostgreSQL has at most
// 2,704 bytes.
const maxNameBytes = 512

// storable returns a name without NUL, which text in PostgreSQL cannot have, as UTF-8
// of at most 512 bytes.
func storable(name string) string {
	if len(name) <= maxNameBytes && utf8.ValidString(name) && strings.IndexByte(name, 0) < 0 {
		return name
	}
	name = strings.ReplaceAll(strings.ToValidUTF8(name, "\uFFFD"), "\x00", "\uFFFD")
	if len(name) > maxNameBytes {
		name = strings.ToValidUTF8(name[:maxNameBytes], "")
	}
	return name
}

const (
	batchesAtOnce = 500     // and
	bytesAtOnce   = 4 << 20 // of batches, as the database keeps them, bound the memory of a merge
	rowsAtOnce    = 5000    // in one statement
)
