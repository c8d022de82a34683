package catalogue

import (
	"math"
	"regexp"
	"slices"
	"sort"
	"time"

	"github.com/goverso/verso/core/internal/codes"
)

// Instants are seconds since 1970-01-01T00:00:00Z. These two represent a missing date, so
// that comparisons need no special case.
const (
	always = math.MinInt64 // before every instant
	never  = math.MaxInt64 // after every instant
)

// imfFixdate is the form of an HTTP-date (RFC 9110, section 5.6.7), for a time in
// UTC.
const imfFixdate = "Mon, 02 Jan 2006 15:04:05 GMT"

// dateForm is the form of a date. [time.Parse] is more lenient: it also reads hours
// of one digit, offsets of more than a day, and a decimal comma.
var dateForm = regexp.MustCompile(`^[^T]+(T\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d))?$`)

// ParseDate reads a date in RFC 3339: either with a time and a zone,
// "2026-06-30T12:00:00+02:00", or without both, "2026-06-30", which means the
// first second of that day in UTC. The result is in UTC.
//
// The error is an [*Error] with the code date_malformed, date_fraction, date_unset
// or date_range.
func ParseDate(text string) (time.Time, error) {
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		t, err = time.Parse(time.RFC3339, text)
	}
	if err != nil || !dateForm.MatchString(text) {
		return time.Time{}, mistake(codes.DateMalformed, quote(text))
	}
	if mistake := checkDate(t, quote(text)); mistake != nil {
		return time.Time{}, mistake
	}
	return t.UTC(), nil
}

// MustDate is [ParseDate] for a date in source code. It panics if the text is none.
func MustDate(text string) time.Time { return must(ParseDate(text)) }

// checkDate returns an error if a catalogue cannot have the time as a date, and
// nil otherwise.
func checkDate(t time.Time, text string) *Error {
	switch {
	case t.Unix() <= 0:
		return mistake(codes.DateUnset, text)
	case t.UTC().Year() > 9999: // an HTTP-date has four digits
		return mistake(codes.DateRange, text)
	case t.Nanosecond() != 0: // the Date of RFC 9651, section 3.3.7, is an integer
		return mistake(codes.DateFraction, text)
	}
	return nil
}

// reported represents a date whose mistake has already been reported. No caller passes a
// time so long ago.
var reported = time.Unix(math.MinInt64/4, 0)

// instant checks a date and returns its second. It returns none when the date is
// missing or wrong.
func instant(m *mistakes, field string, t time.Time, none int64) int64 {
	if t.IsZero() || t.Equal(reported) {
		return none
	}
	if mistake := checkDate(t, t.Format(time.RFC3339Nano)); mistake != nil {
		m.say(field, mistake)
		return none
	}
	return t.Unix()
}

// timeOf returns an instant as a time in UTC, the zero time for [always] and
// [never].
func timeOf(second int64) time.Time {
	if second == always || second == never {
		return time.Time{}
	}
	return time.Unix(second, 0).UTC()
}

// dateText returns an instant in RFC 3339.
func dateText(second int64) string { return timeOf(second).Format(time.RFC3339) }

// startsOf returns the starts of the periods that instants divide time into, in
// order: [always] and the instants, without duplicates and [never].
func startsOf(instants []int64) []int64 {
	instants = append(instants, always)
	instants = slices.DeleteFunc(instants, func(second int64) bool { return second == never })
	slices.Sort(instants)
	return slices.Clip(slices.Compact(instants))
}

// periodAt returns the position of the period that holds a second.
func periodAt(starts []int64, second int64) int {
	return sort.Search(len(starts), func(i int) bool { return starts[i] > second }) - 1
}
