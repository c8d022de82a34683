package catalogue_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/goverso/verso/core/catalogue"
)

func TestParseDate(t *testing.T) {
	tests := []struct {
		name, text string
		want       string // in RFC 3339
		code       string
	}{
		{"a date alone", "2026-06-30", "2026-06-30T00:00:00Z", ""},
		{"UTC", "2026-06-30T12:34:56Z", "2026-06-30T12:34:56Z", ""},
		{"an offset", "2026-06-30T00:30:00+02:00", "2026-06-29T22:30:00Z", ""},
		{"an unknown offset", "2026-06-30T00:00:00-00:00", "2026-06-30T00:00:00Z", ""},
		{"the 29th of February", "2028-02-29", "2028-02-29T00:00:00Z", ""},
		{"the first second", "1970-01-01T00:00:01Z", "1970-01-01T00:00:01Z", ""},
		{"the last second", "9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z", ""},
		{"less than a nanosecond is cut", "2026-06-30T00:00:00.0000000001Z", "2026-06-30T00:00:00Z", ""},
		{"a fraction of zero", "2026-06-30T00:00:00.000Z", "2026-06-30T00:00:00Z", ""},

		{"nothing", "", "", "date_malformed"},
		{"a word", "tomorrow", "", "date_malformed"},
		{"no zone", "2026-06-30T00:00:00", "", "date_malformed"},
		{"no seconds", "2026-06-30T00:00Z", "", "date_malformed"},
		{"a space for T", "2026-06-30 00:00:00Z", "", "date_malformed"},
		{"the 30th of February", "2026-02-30", "", "date_malformed"},
		{"the 30th of February with a time", "2026-02-30T00:00:00Z", "", "date_malformed"},
		{"the 29th of February in 2026", "2026-02-29", "", "date_malformed"},
		{"a thirteenth month", "2026-13-01", "", "date_malformed"},
		{"a leap second", "2026-06-30T23:59:60Z", "", "date_malformed"},
		{"the hour 24", "2026-06-30T24:00:00Z", "", "date_malformed"},
		{"an hour of one digit", "2026-06-30T1:00:00Z", "", "date_malformed"},
		{"a day of one digit", "2026-06-3", "", "date_malformed"},
		{"a year of five digits", "+10000-01-01T00:00:00Z", "", "date_malformed"},
		{"an offset of a day", "2026-06-30T00:00:00+24:00", "", "date_malformed"},
		{"an offset without a colon", "2026-06-30T00:00:00+0200", "", "date_malformed"},
		{"a fraction after a comma", "2026-06-30T00:00:00,5Z", "", "date_malformed"},
		{"a point without digits", "2026-06-30T00:00:00.Z", "", "date_malformed"},
		{"a fraction of a minute", "2026-06-30T00:00.0:00Z", "", "date_malformed"},
		{"a date with a zone", "2026-06-30Z", "", "date_malformed"},
		{"white space", " 2026-06-30", "", "date_malformed"},
		{"an HTTP-date", "Tue, 30 Jun 2026 00:00:00 GMT", "", "date_malformed"},

		{"a fraction", "2026-06-30T00:00:00.5Z", "", "date_fraction"},
		{"the period", "1970-01-01", "", "date_unset"},
		{"the zero time", "0001-01-01T00:00:00Z", "", "date_unset"},
		{"the year 0", "0000-01-01", "", "date_unset"},
		{"the period by its zone", "1970-01-01T01:00:00+01:00", "", "date_unset"},
		{"the year 10000 by its zone", "9999-12-31T23:59:59-00:01", "", "date_range"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := catalogue.ParseDate(test.text)
			if test.code == "" {
				if err != nil || got.Format(time.RFC3339Nano) != test.want {
					t.Errorf("ParseDate(%q) = %v, %v, want %s", test.text, got, err, test.want)
				}
				return
			}
			if !got.IsZero() {
				t.Errorf("ParseDate(%q) = %v and an error", test.text, got)
			}
			checkMistakes(t, err, mistake{test.code, ""})
		})
	}
}

// A catalogue accepts every date that ParseDate reads, and writes it as the same
// instant.
func FuzzParseDate(f *testing.F) {
	for _, text := range []string{"2026-06-30", "2026-06-30T00:00:00Z", "2026-06-30T00:00:00.0+02:00", "9999-12-31T23:59:59-01:00", "1970-01-01", "2026-06-30T00:00:00.01Z"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		date, err := catalogue.ParseDate(text)
		if err != nil {
			var e *catalogue.Error
			if !errors.As(err, &e) || !date.IsZero() {
				t.Fatalf("ParseDate(%q) = %v, %v", text, date, err)
			}
			return
		}
		if date.Unix() <= 0 || date.Nanosecond() != 0 || date.Year() > 9999 || date.Location() != time.UTC {
			t.Fatalf("ParseDate(%q) = %v", text, date)
		}
		if again, err := catalogue.ParseDate(date.Format(time.RFC3339)); err != nil || !again.Equal(date) {
			t.Fatalf("%v is read as %v, %v", date, again, err)
		}
		if _, err := catalogue.New(catalogue.Config{Versions: []catalogue.Entry{{Version: "v1", Sunset: date}}}); err != nil {
			t.Fatalf("%v: %v", date, err)
		}
	})
}

func ExampleParseDate() {
	midnight, _ := catalogue.ParseDate("2026-06-30")
	fmt.Println(midnight)

	_, err := catalogue.ParseDate("2026-06-30T12:00:00")
	fmt.Println(err)
	// Output:
	// 2026-06-30 00:00:00 +0000 UTC
	// catalogue: "2026-06-30T12:00:00" is not a date: write "2026-06-30T12:00:00Z", with a zone, or "2026-06-30" (date_malformed)
}
