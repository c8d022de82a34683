package usage

import (
	"math"
	"strconv"
	"strings"
	"time"
)

const (
	secondsPerHour = 60 * 60
	secondsPerDay  = 24 * secondsPerHour
)

// clockText returns by how much a clock is wrong, or "".
func clockText(skew int64) string {
	switch {
	case skew > 0:
		return "its clock is " + span(skew) + " ahead"
	case skew < 0:
		return "its clock is " + span(-skew) + " behind"
	}
	return ""
}

// span returns some seconds as text, in minutes, hours or days.
func span(seconds int64) string {
	in := func(unit int64) int { return int((seconds + unit/2) / unit) }
	switch {
	case seconds >= 2*secondsPerDay:
		return plural(in(secondsPerDay), "day", "days")
	case seconds >= 2*secondsPerHour:
		return plural(in(secondsPerHour), "hour", "hours")
	}
	return plural(in(60), "minute", "minutes")
}

// change compares requests with those of the week before: "up 5%". It is "" when
// that was not counted, or had none.
func change(now uint64, before *uint64) string {
	if before == nil || *before == 0 {
		return ""
	}
	switch percent := math.Round(100 * (float64(now)/float64(*before) - 1)); {
	case percent < 0:
		return "down " + number(uint64(-percent)) + "%"
	case percent > 0:
		return "up " + number(uint64(percent)) + "%"
	}
	return "unchanged"
}

func nameOf(client string, other bool) string {
	switch {
	case other:
		return "(all others, beyond the bound)"
	case client == "":
		return "(without a name)"
	}
	return printable(client)
}

// ends returns when a version ends, in calendar days, or "".
func ends(days *int) string {
	switch {
	case days == nil:
		return ""
	case -1 <= *days && *days <= 1:
		return [...]string{"yesterday", "today", "tomorrow"}[*days+1]
	case *days < 0:
		return number(uint64(-*days)) + " days ago"
	}
	return "in " + number(uint64(*days)) + " days"
}

// date returns the day of a time, in UTC.
func date(t time.Time) string { return t.UTC().Format("2 Jan 2006") }

// number returns a number with commas.
func number(n uint64) string {
	text := strconv.FormatUint(n, 10)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// printable returns text with all characters escaped that are invisible or change
// the order of other characters.
func printable(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' || r == '\\' }) {
		return text // as nearly all are: pages have 20,000 of them
	}
	quoted := strconv.QuoteToGraphic(text)
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}

func percent(part, all uint64) uint64 {
	return uint64(math.Round(100 * float64(part) / float64(max(1, all))))
}

// dayText returns a day as text: "21 Nov".
func dayText(day string) string {
	at, _ := time.Parse(time.DateOnly, day)
	return at.Format("2 Jan")
}

// timeText returns a time, or "" for the zero time.
func timeText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// cellText returns text that a spreadsheet does not read as a formula.
func cellText(text string) string {
	if text != "" && strings.IndexByte("=+-@\t\r", text[0]) >= 0 {
		return "'" + text
	}
	return text
}

func nameOfDay(day uint64) string {
	return time.Unix(int64(day*secondsPerDay), 0).UTC().Format(time.DateOnly)
}

func parseDay(name string) (day uint64, ok bool) {
	at, err := time.Parse(time.DateOnly, name)
	return dayOf(at.Unix()), err == nil && at.Unix() >= 0
}

// dayOf returns the day of a second since 1970.
func dayOf(second int64) uint64 { return uint64(max(0, second)) / secondsPerDay }

func verb(n int, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}

// minute returns a time as text.
func minute(t time.Time) string { return t.UTC().Format("2 Jan 2006, 15:04 UTC") }

// plural returns a number of things as text.
func plural(n int, one, more string) string {
	return number(uint64(n)) + " " + verb(n, one, more)
}

func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// timeOf returns a second since 1970 as a time, the zero time for 0.
func timeOf(second int64) time.Time {
	if second == 0 {
		return time.Time{}
	}
	return time.Unix(second, 0).UTC()
}

// startOf returns the start of the day of a time.
func startOf(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) }

func daysBetween(from, to time.Time) int { return int(startOf(to).Sub(startOf(from)).Hours() / 24) }

// maxForBytes bounds texts of the service and of persons.
const maxForBytes = 200

// bounded returns a text as valid UTF-8 of at most so many bytes, as core bounds the names of
// clients.
func bounded(text string, most int) string {
	if text = strings.ToValidUTF8(text, "\uFFFD"); len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") // without a part of a character
	}
	return text
}

// few are some clients in words: the first three, and how many there are.
type few struct {
	n     int
	first []string
}

func (f *few) add(text func() string) {
	if f.n++; f.n <= 3 {
		f.first = append(f.first, text())
	}
}

func (f few) String() string {
	text := strings.Join(f.first, ", ")
	if more := f.n - len(f.first); more > 0 {
		text += " and " + number(uint64(more)) + " more"
	}
	return text
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
