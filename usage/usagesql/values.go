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
)

func dayOf(t time.Time) int64 { return t.Unix() / secondsPerDay }

// dayName returns the name of a day, given in days after a time in UTC.
func dayName(t time.Time, after int) string { return t.AddDate(0, 0, after).Format(time.DateOnly) }

// isOld is true of rows that are forgotten, as a table in memory forgets them: their last request is
// before the second that oldFrom returns. Of those without a time it is not known.
const isOld = "last_seen > 0 AND last_seen < $1"

// oldFrom returns the start of the day that is KeepDays before another one.
func oldFrom(t time.Time) int64 { return (dayOf(t) - usage.KeepDays) * secondsPerDay }

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
