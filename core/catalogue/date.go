package catalogue

import (
	"math"
	"slices"
	"strings"
	"time"
)

// Instants are seconds since 1970-01-01T00:00:00Z. These two take the place of a
// date that is not there, so that comparisons need not ask.
const (
	always = math.MinInt64 // before every instant
	never  = math.MaxInt64 // after every instant
)

// imfFixdate is the form of an HTTP-date (RFC 9110, section 5.6.7), for a time in
// UTC.
const imfFixdate = "Mon, 02 Jan 2006 15:04:05 GMT"

// ParseDate reads a date: RFC 3339 with a time and a zone,
// "2026-06-30T12:00:00+02:00", or a date alone, "2026-06-30", which is its first
// second in UTC. The result is in UTC.
//
// The error is an [*Error] with [CodeDateMalformed], [CodeDateFraction],
// [CodeDateUnset] or [CodeDateRange].
func ParseDate(text string) (time.Time, error) {
	t, code := parseDate(text)
	if code == "" {
		return t, nil
	}
	return time.Time{}, &Error{Code: code, Message: dateMessage(code, quote(text))}
}

// parseDate is [ParseDate], with a code instead of an error.
func parseDate(text string) (time.Time, Code) {
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		whole, fraction := cutFraction(text)
		if !hasRFC3339Form(whole) {
			return time.Time{}, CodeDateMalformed
		}
		if t, err = time.Parse(time.RFC3339, whole); err != nil {
			return time.Time{}, CodeDateMalformed
		}
		if strings.Trim(fraction, "0") != "" {
			return time.Time{}, CodeDateFraction
		}
	}
	if code := checkDate(t); code != "" {
		return time.Time{}, code
	}
	return t.UTC(), ""
}

// wholeSeconds is the form of a time in RFC 3339 before its fraction and its
// zone: 0 stands for a digit.
const wholeSeconds = "0000-00-00T00:00:00"

// cutFraction takes the digits of a fraction out of a time in RFC 3339. The
// standard library cuts a fraction to nanoseconds, perhaps to none.
func cutFraction(text string) (whole, fraction string) {
	const point = len(wholeSeconds)
	if len(text) <= point || text[point] != '.' {
		return text, ""
	}
	end := point + 1
	for end < len(text) && isDigit(text[end]) {
		end++
	}
	if end == point+1 {
		return text, "" // a point without a digit: malformed
	}
	return text[:point] + text[end:], text[point+1 : end]
}

// hasRFC3339Form reports whether text has the form of RFC 3339 without a fraction.
// The standard library also reads hours of one digit, offsets of more than a day
// and a comma for the point.
func hasRFC3339Form(text string) bool {
	if len(text) < len(wholeSeconds) || !hasForm(text[:len(wholeSeconds)], wholeSeconds) {
		return false
	}
	zone := text[len(wholeSeconds):]
	if zone == "Z" {
		return true
	}
	return (hasForm(zone, "+00:00") || hasForm(zone, "-00:00")) && zone[1:3] < "24" && zone[4:6] < "60"
}

// hasForm reports whether text is form with any digit for each 0.
func hasForm(text, form string) bool {
	if len(text) != len(form) {
		return false
	}
	for i := range len(form) {
		if text[i] != form[i] && (form[i] != '0' || !isDigit(text[i])) {
			return false
		}
	}
	return true
}

// checkDate returns the code for a time that is no date of a catalogue, or "".
func checkDate(t time.Time) Code {
	switch {
	case t.Unix() <= 0:
		return CodeDateUnset
	case t.UTC().Year() > 9999:
		return CodeDateRange
	case t.Nanosecond() != 0:
		return CodeDateFraction
	default:
		return ""
	}
}

// dateMessage says what is wrong with a date, and what to change.
func dateMessage(code Code, date string) string {
	switch code {
	case CodeDateMalformed:
		return date + ` is no date: write "2026-06-30T12:00:00Z", with a zone, or "2026-06-30"`
	case CodeDateFraction:
		return date + " has a fraction of a second: write whole seconds"
	case CodeDateUnset:
		return date + " is not after 1970-01-01T00:00:00Z: leave out a date that is not set"
	default:
		return date + " is after the year 9999 in GMT: leave out a date that never comes"
	}
}

// reported stands for a date whose mistake is reported already. Nobody else has
// a time so long ago.
var reported = time.Unix(math.MinInt64/4, 0)

// instant checks a date and returns its second. It returns none where there is
// no date or a wrong one.
func (m *mistakes) instant(field string, t time.Time, none int64) int64 {
	if t.IsZero() || t.Equal(reported) {
		return none
	}
	if code := checkDate(t); code != "" {
		m.add(field, code, "%s", dateMessage(code, t.Format(time.RFC3339Nano)))
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
func dateText(second int64) string {
	return timeOf(second).Format(time.RFC3339)
}

// inOrder sorts instants and drops duplicates, [always] and [never].
func inOrder(instants []int64) []int64 {
	instants = slices.DeleteFunc(instants, func(second int64) bool { return second == always || second == never })
	slices.Sort(instants)
	return slices.Clip(slices.Compact(instants))
}

// reached returns how many of the instants, which are in order, are not after a
// second.
func reached(instants []int64, second int64) int {
	n, exact := slices.BinarySearch(instants, second)
	if exact {
		n++
	}
	return n
}
