package client_test

import (
	"strings"
	"testing"
	"time"

	"github.com/goverso/verso/client"
	verso "github.com/goverso/verso/core"
)

// sunsetOf returns the date that a client reads from the lines of Sunset, on
// 2026-11-21, or nil if they have no date.
func sunsetOf(t *testing.T, lines ...string) *time.Time {
	t.Helper()
	var fields []string
	for _, line := range lines {
		fields = append(fields, "Sunset", line)
	}
	var heard notices
	get(t, verso.Must(client.New(v1(answering(200, fields...), &heard))), "http://api.example.com/")
	got := heard.take()
	if len(got) == 0 {
		return nil
	}
	return got[0].SunsetAt
}

// TestDates reads dates; the cases of the conformance suite have more.
func TestDates(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"seconds", "@1688169599", "2023-06-30T23:59:59Z"},
		{"seconds before 1970", "@-1", "1969-12-31T23:59:59Z"},
		{"first second", "@-62135596800", "0001-01-01T00:00:00Z"},
		{"last second", "@253402300799", "9999-12-31T23:59:59Z"},
		{"ISO, a day", "2027-12-31", "2027-12-31T00:00:00Z"},
		{"ISO, one digit", "2027-1-2", "2027-01-02T00:00:00Z"},
		{"ISO, eight digits", "20271231", "2027-12-31T00:00:00Z"},
		{"ISO, a time of six digits", "20270630T235958Z", "2027-06-30T23:59:58Z"},
		{"ISO, a fraction", "2027-06-30T12:00:00.999+02:00", "2027-06-30T10:00:00Z"},
		{"ISO, a fraction with a comma", "2027-06-30T12:00:00,9Z", "2027-06-30T12:00:00Z"},
		{"ISO, a fraction with a comma and an offset", "2027-06-30T12:00:00,999+0200", "2027-06-30T10:00:00Z"},
		{"ISO, two joined", "2027-06-30T12:00:00,2026-06-30T12:00:00", "2026-06-30T12:00:00Z"},
		{"ISO, the name of a zone", "2027-06-30T12:00:00+02:00[Europe/Paris]", "2027-06-30T10:00:00Z"},
		{"HTTP", "Thu, 31 Dec 2026 23:59:59 GMT", "2026-12-31T23:59:59Z"},
		{"RFC 850", "Friday, 31-Dec-27 23:59:59 GMT", "2027-12-31T23:59:59Z"},
		{"RFC 850, in 50 years", "Saturday, 21-Nov-76 00:00:00 GMT", "2076-11-21T00:00:00Z"},
		{"RFC 850, in more than 50 years", "Sunday, 22-Nov-76 00:00:00 GMT", "1976-11-22T00:00:00Z"},
		{"RFC 850, a day that the next century does not have", "29-Feb-00", "2000-02-29T00:00:00Z"},
		{"asctime", "Fri Mar  5 00:00:00 2027", "2027-03-05T00:00:00Z"},
		{"JavaScript", "Fri Mar 05 2027 01:00:00 GMT+0100 (Central European Standard Time)", "2027-03-05T00:00:00Z"},
		{"American", "Sat, Nov 27, 2027", "2027-11-27T00:00:00Z"},
		{"American, without the day of the week", "November 27, 2027", "2027-11-27T00:00:00Z"},
		{"unusual abbreviations", "Thurs. 2 Sept. 2027", "2027-09-02T00:00:00Z"},
		{"RFC 822", "Fri, 31 Dec 27 23:59:59 GMT", "2027-12-31T23:59:59Z"},
		{"in lower case", "thursday, 2 september 2027 01:00:00 cet", "2027-09-02T00:00:00Z"},
		{"the last of 16", strings.Repeat("soon, ", 15) + "2027-06-30", "2027-06-30T00:00:00Z"},
		{"one more", strings.Repeat("soon, ", 16) + "2027-06-30", ""},
		{"after text that is not a date", "soon, or, Nov 27, 2027", "2027-11-27T00:00:00Z"},
		{"the earliest", "2028-01-01, 2027-01-01, 2029-01-01", "2027-01-01T00:00:00Z"},
		{"short years, and no time", "30 Jun 28, 30 Jun 27", "2027-06-30T00:00:00Z"},
		{"not the end of a date and what is after it", "2028-01-01, Jan 2027", "2028-01-01T00:00:00Z"},
		{"a comma at the end", "30 Jun 2027,", "2027-06-30T00:00:00Z"},
		{"a time without seconds", "Wed, 30 Jun 2027 12:34 GMT", "2027-06-30T12:34:00Z"},
		{"a parameter", "@1688169599;a=b, 2028-01-01", "2023-06-30T23:59:59Z"},
		{"a line as long as those that are read", strings.Repeat(",", 1<<10-10) + "2027-06-30", "2027-06-30T00:00:00Z"},
		{"a longer line", strings.Repeat(",", 1<<10-9) + "2027-06-30", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := ""
			if at := sunsetOf(t, test.text); at != nil {
				got = at.Format(time.RFC3339)
			}
			if got != test.want {
				t.Errorf("%q is %q, want %q", test.text, got, test.want)
			}
		})
	}
}

// TestDateLines reads 64 lines of a field.
func TestDateLines(t *testing.T) {
	lines := make([]string, 65)
	lines[64] = "2027-06-30"
	if at := sunsetOf(t, lines[1:]...); at == nil {
		t.Error("the line 64 is not read")
	}
	if at := sunsetOf(t, lines...); at != nil {
		t.Error("the line 65 is read")
	}
}

func TestDateZones(t *testing.T) {
	for zone, want := range map[string]string{
		"": "0s", "GMT": "0s", "UTC": "0s", "UT": "0s", "Z": "0s", "utc": "0s",
		"EST": "-5h0m0s", "EDT": "-4h0m0s", "CST": "-6h0m0s", "CDT": "-5h0m0s", "MST": "-7h0m0s", "MDT": "-6h0m0s", "PST": "-8h0m0s", "PDT": "-7h0m0s",
		"WET": "0s", "WEST": "1h0m0s", "CET": "1h0m0s", "CEST": "2h0m0s", "EET": "2h0m0s", "EEST": "3h0m0s", "MSK": "3h0m0s", "JST": "9h0m0s", "KST": "9h0m0s",
		"SAST": "2h0m0s", "HST": "-10h0m0s", "AKST": "-9h0m0s", "AKDT": "-8h0m0s", "AEST": "10h0m0s", "AEDT": "11h0m0s", "AWST": "8h0m0s", "NZST": "12h0m0s", "NZDT": "13h0m0s",
		"XYZ":   "0s",
		"+0530": "5h30m0s", "-0330": "-3h30m0s", "+05:30": "5h30m0s", "+2359": "23h59m0s", "-00:01": "-1m0s",
		"GMT+0100": "1h0m0s", "UTC-0300": "-3h0m0s", "+0200 CET": "2h0m0s", "-0500 (EST)": "-5h0m0s",
	} {
		at := sunsetOf(t, "Wed, 30 Jun 2027 12:00:00 "+zone)
		if at == nil {
			t.Errorf("%s: no date", zone)
		} else if got := time.Date(2027, 6, 30, 12, 0, 0, 0, time.UTC).Sub(*at).String(); got != want {
			t.Errorf("%s is %s east of UTC, want %s", zone, got, want)
		}
	}
}

// TestDeprecationIsTrue reads Deprecation in its form before RFC 9745.
func TestDeprecationIsTrue(t *testing.T) {
	for text, want := range map[string]bool{
		"true": true, "TRUE": true, `"true"`: true, "?1": true, "?1;a=b": true, "false, true": true,
		"": false, "false": false, "?0": false, "truly": false,
	} {
		var heard notices
		get(t, verso.Must(client.New(v1(answering(200, "Deprecation", text), &heard))), "http://api.example.com/")
		if got := heard.take(); (len(got) == 1 && got[0].Deprecated && got[0].DeprecatedAt == nil) != want || !want && len(got) > 0 {
			t.Errorf("%q: %+v", text, got)
		}
	}
}

// Text that is not a date causes no notice; the conformance suite has more cases.
func TestNoDates(t *testing.T) {
	for _, text := range []string{
		"@", "@-", "@1.5", "@0x10", "@9999999999999999", "-1", "1", "0",
		"2027", "2027-", "2027-06", "2027-06-", "2027-06/30", "2027-006-30", "2027-06-30T", "2027-06-30T1", "2027-06-30T1:", "2027-06-30T123", "2027-06-30T12:000",
		"2027-06-30T12:00:00+", "2027-06-30T12:00:00+1:0", "2027-06-30T12:00:00+02:00:00", "2027-06-30T12:00:00=02:00", "2027-06-30 12:00 PM",
		"2027-06-30T12:00:00.", "2027-06-30T12:00:00.x", "2027-06-30T12:00:00+", "2027-06-30T24:00:00Z", "2027-06-30T23:59:60Z", "2027-06-30T12:00:00+25:00", "2027-06-30 1:2:3", "2027-06-30 12:00:00+02", "2027-06-30T12:00:00+00200", "2027-06-30 12:00 AB", "2027-06-30 12:00 ABCDEF",
		"2027-06-3012:00:00", "2027-13-01", "2027-00-01", "2027-01-00", "2027-04-31", "2027-06-30T24:00:01Z", "2027-06-30T12:60Z", "2027-06-30T12:00:61Z",
		"20271301", "202706300000", "Fri", "Fri, 01", "Fri, 01 Jan", "01 Jan", "Jan 2027", "01 Jan 2027 2028", "01 02 Jan 2027", "01 Jan Feb 2027", "01 Ja 2027", "Mo 01 Jan 2027",
		"01 Jan 2027 12:00 13:00", "1st Jan 2027", "001 Jan 2027", "01 Jan 02027", "01 Jan 2027 GMT UTC", "01 Jan 2027 +0100 +0200", "01 Jan 2027 Europe/Paris",
		"01-Jan", "01--2027", "01 Jan -27", "31 Nov 2027", "29 Feb 2027", "29-Feb-27", "1e9", "\xff\xfe", "'2027-06-30'",
	} {
		var heard notices
		get(t, verso.Must(client.New(v1(answering(200, "Sunset", text), &heard))), "http://api.example.com/")
		if got := heard.take(); len(got) != 0 && got[0].SunsetAt != nil {
			t.Errorf("%q is %s", text, got[0].SunsetAt)
		}
	}
}
