package client

import (
	"iter"
	"strings"
	"time"
)

// maxDateBytes is the length up to which text may be a date. Dates with comments
// and zones have some seventy bytes.
const maxDateBytes = 128

// earliest returns the earliest date in the lines of a field, nil if there is
// none, and whether an element is true (Deprecation, before RFC 9745). Lines and
// commas are one list, although HTTP-dates have commas themselves.
func earliest(lines []string, now time.Time) (date *time.Time, isTrue bool) {
	for line := range bounded(lines, maxDatesBytes) {
		for line != "" {
			t, n, ok := firstDate(line, now)
			switch {
			case ok && (date == nil || t.Before(*date)):
				date = &t
			case !ok:
				element, _, _ := strings.Cut(line, ",")
				isTrue = isTrue || isTrueText(element)
			}
			line = line[n:]
		}
	}
	return date, isTrue
}

// isTrueText reports whether an element is "true", or a boolean of a structured
// field (RFC 9651, section 3.3.6) that is.
func isTrueText(element string) bool {
	element, _, _ = strings.Cut(element, ";")
	element = strings.Trim(element, " \t\"")
	return element == "?1" || equalFold(element, "true")
}

// firstDate reads a date at the beginning of a list, from as many elements as make
// one, up to three: "Wed, Nov 27, 2019". n is the length of what was read, or of
// the first element where there is no date, with the comma behind it.
func firstDate(list string, now time.Time) (t time.Time, n int, ok bool) {
	var ends [3]int // of the first elements
	found := 0
	for end := 0; found < len(ends) && end < len(list); found++ {
		next := strings.IndexByte(list[end:], ',')
		if next < 0 {
			next = len(list) - end
		}
		ends[found] = end + next
		end += next + 1
	}
	for i := found - 1; i >= 0; i-- {
		if i > 0 && strings.ContainsAny(list[:ends[i-1]], ";([") {
			continue // what is behind these does not count, and would hide the next date
		}
		if t, ok = parseDate(list[:ends[i]], now); ok {
			return t, min(ends[i]+1, len(list)), true
		}
	}
	return time.Time{}, min(ends[0]+1, len(list)), false
}

// parseDate reads a date in any form that services send, strict or not: a date of
// a structured field (RFC 9651, section 3.3.7), an HTTP-date (RFC 9110, section
// 5.6.7) and what resembles one, or ISO 8601. Parameters, quotes, comments,
// weekdays and fractions do not count. Without a zone it is UTC, and without a
// time the first second of the day. ok is false for years before 1 and after
// 9999, in UTC.
func parseDate(text string, now time.Time) (t time.Time, ok bool) {
	text, _, _ = strings.Cut(text, ";")
	text = strings.Trim(text, " \t\"")
	if len(text) > maxDateBytes {
		return time.Time{}, false
	}
	switch seconds, isNumber := strings.CutPrefix(text, "@"); {
	case isNumber:
		t, ok = parseSeconds(seconds)
	case isISO(text):
		t, ok = parseISO(text)
	default:
		t, ok = parseNamed(text, now)
	}
	if !ok || t.Year() < 1 || t.Year() > 9999 {
		return time.Time{}, false
	}
	return t, true
}

// parseSeconds reads the integer of a structured field, of up to 15 digits
// (RFC 9651, section 3.3.1), as seconds since 1970.
func parseSeconds(text string) (t time.Time, ok bool) {
	digits, negative := strings.CutPrefix(text, "-")
	seconds, ok := number(digits, 1, 15)
	if negative {
		seconds = -seconds
	}
	return time.Unix(seconds, 0).UTC(), ok
}

// number reads a decimal number of so many digits.
func number(text string, atLeast, atMost int) (n int64, ok bool) {
	if len(text) < atLeast || len(text) > atMost {
		return 0, false
	}
	for i := range len(text) {
		if !isDigit(text[i]) {
			return 0, false
		}
		n = 10*n + int64(text[i]-'0')
	}
	return n, true
}

func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// leading returns the length of the beginning of text that is made of such bytes.
func leading(text string, is func(byte) bool) int {
	for i := range len(text) {
		if !is(text[i]) {
			return i
		}
	}
	return len(text)
}

// moment is a date in its parts, as far as they are read.
type moment struct {
	year, month, day     int64
	hour, minute, second int64
	offset               int64 // of the zone, in seconds east of UTC
	hasYear, hasMonth    bool
	hasDay, hasClock     bool
	hasZone, hasOffset   bool
	isShort              bool // the year has two digits
}

// time returns the moment in UTC. ok is false when there is no such day or time.
func (m *moment) time() (t time.Time, ok bool) {
	if !m.hasYear || !m.hasMonth || !m.hasDay || m.hour > 24 || m.minute > 59 || m.second > 60 || m.hour == 24 && m.minute+m.second > 0 {
		return time.Time{}, false
	}
	day := time.Date(int(m.year), time.Month(m.month), int(m.day), 0, 0, 0, 0, time.UTC)
	if m.month < 1 || m.month > 12 || day.Day() != int(m.day) {
		return time.Time{}, false
	}
	return day.Add(time.Duration(m.hour*3600+m.minute*60+m.second-m.offset) * time.Second), true
}

// isISO reports whether text begins as ISO 8601: 2027-06-30 or 20270630.
func isISO(text string) bool {
	digits := leading(text, isDigit)
	return digits == 8 || digits == 4 && len(text) > 4 && (text[4] == '-' || text[4] == '/')
}

// parseISO reads ISO 8601 in its usual forms, and what resembles it:
// 2027-06-30T23:59:59.5+02:00, 20270630T235959Z, "2027-06-30 23:59 UTC".
func parseISO(text string) (t time.Time, ok bool) {
	text, _, _ = strings.Cut(text, "[") // the name of a zone, in Java
	m := moment{hasYear: true, hasMonth: true, hasDay: true}
	if digits := leading(text, isDigit); digits == 8 {
		date, _ := number(text[:8], 8, 8)
		m.year, m.month, m.day = date/10000, date/100%100, date%100
		text = text[8:]
	} else {
		separator := text[4]
		m.year, text = mustNumber(text[:4]), text[5:]
		if m.month, text, ok = cutNumber(text); !ok || text == "" || text[0] != separator {
			return time.Time{}, false
		}
		if m.day, text, ok = cutNumber(text[1:]); !ok {
			return time.Time{}, false
		}
	}
	clock := strings.TrimLeft(text, "Tt_ \t")
	if clock != "" && isDigit(clock[0]) {
		ok = m.addClock(clock)
	} else {
		ok = (clock != "" || text == "") && m.addZones(clock)
	}
	if !ok {
		return time.Time{}, false
	}
	return m.time()
}

// cutNumber reads a number of one or two digits.
func cutNumber(text string) (n int64, rest string, ok bool) {
	digits := leading(text, isDigit)
	n, ok = number(text[:digits], 1, 2)
	return n, text[digits:], ok
}

// addClock reads a time of the day: 23:59, 23:59:59.5, 235959, and the zone that
// follows it.
func (m *moment) addClock(text string) (ok bool) {
	if m.hasClock {
		return false
	}
	switch digits := leading(text, isDigit); digits {
	case 4, 6: // 2359, 235959
		clock, _ := number(text[:digits], 4, 6)
		if digits == 4 {
			clock *= 100
		}
		m.hour, m.minute, m.second = clock/10000, clock/100%100, clock%100
		text = text[digits:]
	default:
		parts := 0
		for _, part := range []*int64{&m.hour, &m.minute, &m.second} {
			if *part, text, ok = cutNumber(text); !ok {
				return false
			}
			if parts++; parts == 3 || text == "" || text[0] != ':' {
				break
			}
			text = text[1:]
		}
		if parts < 2 {
			return false
		}
	}
	if len(text) > 1 && (text[0] == '.' || text[0] == ',') && isDigit(text[1]) {
		text = text[1+leading(text[1:], isDigit):]
	}
	m.hasClock = true
	return m.addZones(text)
}

// addZones reads the words behind a time: a zone, or its offset and its name.
func (m *moment) addZones(text string) (ok bool) {
	for part := range strings.FieldsSeq(text) {
		if !m.addZone(part) {
			return false
		}
	}
	return true
}

// zones are the names of RFC 5322, section 4.3, and others that mean one zone
// only. Programs that print local time send them.
var zones = map[string]int64{
	"GMT": 0, "UTC": 0, "UT": 0, "Z": 0,
	"EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7,
	"WET": 0, "WEST": 1, "CET": 1, "CEST": 2, "EET": 2, "EEST": 3, "MSK": 3, "JST": 9, "KST": 9,
	"SAST": 2, "HST": -10, "AKST": -9, "AKDT": -8, "AEST": 10, "AEDT": 11, "AWST": 8, "NZST": 12, "NZDT": 13,
}

// addZone reads a zone: a name, an offset such as +0200, +02:00 or +02, or both,
// as in GMT+0200. An offset counts more than a name. A name that is not known is
// UTC (RFC 5322, section 4.3).
func (m *moment) addZone(text string) (ok bool) {
	n := leading(text, isLetter)
	name, offset := strings.ToUpper(text[:n]), text[n:]
	if name != "" {
		hours, known := zones[name]
		if m.hasZone && !m.hasOffset || !known && (n == 2 || n > 5) {
			return false
		}
		if !m.hasOffset {
			m.offset, m.hasZone = hours*3600, true
		}
	}
	if offset == "" {
		return name != ""
	}
	if m.hasOffset || offset[0] != '+' && offset[0] != '-' {
		return false
	}
	digits := offset[1:]
	if len(digits) == len("02:00") && digits[2] == ':' {
		digits = digits[:2] + digits[3:]
	}
	clock, ok := number(digits, 1, 4)
	if len(digits) <= 2 {
		clock *= 100
	}
	if !ok || clock/100 > 23 || clock%100 > 59 {
		return false
	}
	m.offset = (clock/100*60 + clock%100) * 60
	if offset[0] == '-' {
		m.offset = -m.offset
	}
	m.hasZone, m.hasOffset = true, true
	return true
}

// parseNamed reads a date with the name of the month, in any order that is
// unambiguous: the three forms of an HTTP-date, those of RFC 5322, of C and of
// JavaScript.
func parseNamed(text string, now time.Time) (t time.Time, ok bool) {
	text, _, _ = strings.Cut(text, "(") // a comment
	var m moment
	for token := range words(text) {
		if !m.add(token) {
			return time.Time{}, false
		}
	}
	if !m.isShort {
		return m.time()
	}
	// RFC 9110, section 5.6.7: not more than 50 years in the future.
	present := now.UTC()
	latest := present.AddDate(50, 0, 0)
	m.year += int64(present.Year()/100*100) + 100
	for t, ok = m.time(); m.year > 0 && (!ok || t.After(latest)); t, ok = m.time() {
		m.year -= 100
	}
	return t, ok
}

// words returns the parts of a date between white space, commas and, in a day such
// as 31-Dec-27, hyphens.
func words(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for text != "" {
			end := strings.IndexAny(text, " \t,")
			if end < 0 {
				end = len(text)
			}
			word := text[:end]
			text = text[min(end+1, len(text)):]
			if word == "" {
				continue
			}
			if !isDigit(word[0]) {
				if !yield(word) {
					return
				}
				continue
			}
			for part := range strings.SplitSeq(word, "-") {
				if !yield(part) {
					return
				}
			}
		}
	}
}

// add reads one word of a date.
func (m *moment) add(word string) (ok bool) {
	digits := leading(word, isDigit)
	switch {
	case digits > 0 && digits < len(word):
		return word[digits] == ':' && m.addClock(word)
	case digits > 0 && digits <= 2 && !m.hasDay:
		m.day, m.hasDay = mustNumber(word), true
		return true
	case (digits == 2 || digits == 4) && !m.hasYear:
		m.year, m.hasYear, m.isShort = mustNumber(word), true, digits == 2
		return true
	case isWeekday(word):
		return true
	}
	if month := monthOf(word); month > 0 {
		ok = !m.hasMonth
		m.month, m.hasMonth = month, true
		return ok
	}
	return m.addZone(word)
}

func mustNumber(digits string) int64 {
	n, _ := number(digits, 1, 4)
	return n
}

// monthOf returns the number of a month, by its name or an abbreviation of it of
// at least three letters; 0 for none.
func monthOf(word string) int64 {
	for month := time.January; month <= time.December; month++ {
		if isAbbreviation(word, month.String()) {
			return int64(month)
		}
	}
	return 0
}

func isWeekday(word string) bool {
	for day := time.Sunday; day <= time.Saturday; day++ {
		if isAbbreviation(word, day.String()) {
			return true
		}
	}
	return false
}

func isAbbreviation(word, name string) bool {
	word = strings.TrimSuffix(word, ".")
	return len(word) >= 3 && len(word) <= len(name) && equalFold(word, name[:len(word)])
}
