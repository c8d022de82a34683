package client

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// earliest returns the earliest date in the lines of a field, or nil, and whether an
// element is true (Deprecation, before RFC 9745). The lines are one list separated
// by commas, although HTTP-dates also contain commas.
func earliest(lines []string, now time.Time) (date *time.Time, isTrue bool) {
	list := strings.Join(bounded(lines, maxDatesBytes), "\n,")
	if list == "" {
		return nil, false
	}
	if t, ok := parseDate(strings.TrimSpace(list), standardLayouts, now); ok {
		return &t, false
	}
	elements := strings.FieldsFunc(normalDates(list), func(c rune) bool { return c == ',' })
	for _, element := range elements[:min(len(elements), maxDates)] {
		if t, ok := parseDate(element, layouts, now); ok && (date == nil || t.Before(*date)) {
			date = &t
		}
		isTrue = isTrue || element == "TRUE" || element == "?1"
	}
	return date, isTrue
}

// parseDate reads seconds after "@" (RFC 9651, section 3.3.7), or a date in one of
// the layouts. ok is false for years before 1 and after 9999, in UTC.
func parseDate(text string, layouts []string, now time.Time) (t time.Time, ok bool) {
	if seconds, isNumber := strings.CutPrefix(text, "@"); isNumber {
		n, err := strconv.ParseInt(seconds, 10, 64)
		ok = err == nil && seconds[0] != '+' && firstSecond <= n && n <= lastSecond
		return time.Unix(n, 0).UTC(), ok
	}
	if len(text) < len("20060102") {
		return time.Time{}, false // rejects most other text before trying all layouts
	}
	for _, layout := range layouts {
		t, err := time.Parse(layout, text)
		if err != nil {
			continue
		}
		if name, offset := t.Zone(); offset == 0 {
			t = t.Add(-zones[name] * time.Hour)
		}
		if later := t.AddDate(100, 0, 0); strings.Contains(layout, " 06") && !later.After(now.AddDate(50, 0, 0)) {
			t = later // RFC 9110, section 5.6.7; time.Parse takes 69 to 99 for 1969 to 1999
		}
		return t.UTC().Truncate(time.Second), firstSecond <= t.Unix() && t.Unix() <= lastSecond
	}
	return time.Time{}, false
}

// The first second of the year 1 and the last one of the year 9999, from 1970 on.
const (
	firstSecond = -62135596800
	lastSecond  = 253402300799
)

// standardLayouts has the date form that HTTP prescribes (RFC 9110, section 5.6.7).
var standardLayouts = []string{http.TimeFormat}

// layouts are the date forms that services send, after [normalDates]: those of HTTP,
// RFC 5322, ISO 8601, C, JavaScript, Java and Go.
var layouts = func() []string {
	all := []string{"Jan 2 15:04:05 2006", "Jan 2 15:04:05 MST 2006", "20060102", "20060102 150405",
		"20060102 150405-0700"}
	for _, zone := range []string{"", "-0700", "-07:00", " MST", "-0700 MST"} {
		for _, clock := range []string{" 15:04:05", "", " 15:04"} {
			for _, day := range []string{"2 Jan 2006", "2006-1-2", "Jan 2 2006", "2 Jan 06"} {
				all = append(all, day+clock+zone)
			}
		}
	}
	return all
}()

// zones are the hours east of UTC of the names in RFC 5322, section 4.3, and of other
// unambiguous names. All other names of three or four letters mean UTC.
var zones = map[string]time.Duration{
	"EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7,
	"WEST": 1, "CET": 1, "CEST": 2, "EET": 2, "EEST": 3, "MSK": 3, "JST": 9, "KST": 9, "SAST": 2,
	"HST": -10, "AKST": -9, "AKDT": -8, "AEST": 10, "AEDT": 11, "AWST": 8, "NZST": 12, "NZDT": 13,
}

// normalDates normalizes a list of dates: upper case, and without parts that vary or
// do not matter, so that few layouts remain.
func normalDates(list string) string {
	list = strings.ToUpper(list)
	for _, form := range forms {
		list = form.found.ReplaceAllString(list, form.normal)
	}
	list = strings.Join(strings.Fields(list), " ")
	return strings.ReplaceAll(strings.ReplaceAll(list, " ,", ","), ", ", ",")
}

var forms = []struct {
	found  *regexp.Regexp
	normal string
}{
	{regexp.MustCompile(`;[^,]*|\([^)\n]*\)?|\[[^\]\n]*\]?|"`),
		""}, // parameters, comments, the zone's name in Java
	// a weekday, which may be wrong
	{regexp.MustCompile(`\b(?:MON|TUE|WED|THU|FRI|SAT|SUN)[A-Z]*[.,]*`), ""},
	{regexp.MustCompile(`\b(JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)[A-Z]*\.?`), "$1"}, // a month
	{regexp.MustCompile(`((?:^|,)\s*[A-Z]{3}\s+\d\d?),`), "$1 "},                               // "Nov 27, 2019"
	{regexp.MustCompile(`(\d)-([A-Z]{3})-(\d)`), "$1 $2 $3"},                                   // "27-Nov-19"
	{regexp.MustCompile(`(\d)[T_](\d)`), "$1 $2"},                                              // "2019-11-27T14:34:29"
	{regexp.MustCompile(`(:\d\d),\d+(Z|[+-]\d\d:?\d\d\b)`), "$1$2"},                            // "14:34:29,5+01:00"
	// UTC, and the space before an offset
	{regexp.MustCompile(`(\d)(?:\s+(?:GMT|UTC?)|\s*Z)?\s*([+,-]|$)`), "$1$2"},
}
