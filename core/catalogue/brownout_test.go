package catalogue_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/goverso/verso/core/catalogue"
)

func TestBrownout(t *testing.T) {
	may := func(text string) time.Time { return at("2026-05-" + text + ":00Z") }
	windows := []catalogue.Brownout{
		{From: may("12T14:00"), Until: may("12T18:00")},
		{From: may("05T14:00"), Until: may("05T15:00")},
		{From: may("19T14:00"), Until: may("19T15:00")},
		{From: may("19T15:00"), Until: may("19T16:00"), Status: 410},
		{From: may("19T16:00"), Until: may("19T17:00"), Status: 503},
		{From: may("31T00:00"), Until: may("31T12:00")},
		{From: may("31T12:00"), Until: at("2026-06-01")},
	}
	entry := catalogue.Entry{Version: "v1", Deprecated: at("2026-01-01"), Sunset: at("2026-06-01"), Brownouts: windows}
	tests := []struct {
		name       string
		now        time.Time
		status     int
		retryAfter int64
	}{
		{"the second before", may("05T14:00").Add(-time.Second), 0, 0},
		{"a fraction before", may("05T14:00").Add(-1), 0, 0},
		{"the first second", may("05T14:00"), 410, 3600},
		{"a fraction after", may("05T14:00").Add(time.Second - 1), 410, 3600},
		{"the last second", may("05T15:00").Add(-time.Second), 410, 1},
		{"the end", may("05T15:00"), 0, 0},
		{"a later window", may("12T16:00"), 410, 7200},
		{"windows that touch and have the same status", may("19T14:59"), 410, 3660},
		{"windows that touch and have another status", may("19T16:00"), 503, 3600},
		{"the end of the last of them", may("19T17:00"), 0, 0},
		{"until the sunset", may("31T11:00"), 410, 0},
		{"the sunset", at("2026-06-01"), 0, 0},
	}
	c := newCatalogue(t, catalogue.Config{Versions: []catalogue.Entry{entry}, AfterSunset: catalogue.Gone})
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			status, retryAfter, ok := c.At(test.now).Brownout(0)
			if status != test.status || retryAfter != test.retryAfter || ok != (status != 0) {
				t.Errorf("Brownout() = %d, %d, %v, want %d, %d", status, retryAfter, ok, test.status, test.retryAfter)
			}
		})
	}

	c = newCatalogue(t, catalogue.Config{Versions: []catalogue.Entry{entry}})
	if status, retryAfter, _ := c.At(may("31T11:00")).Brownout(0); status != 410 || retryAfter != 13*3600 {
		t.Errorf("until a sunset that does not end the version: %d, %d", status, retryAfter)
	}
}

// The route is gone when the brownout is over, so there is no Retry-After.
func TestBrownoutUntilRouteGone(t *testing.T) {
	c := newCatalogue(t, catalogue.Config{AfterSunset: catalogue.Gone, Versions: []catalogue.Entry{{
		Version: "v1", Deprecated: at("2026-01-01"), Brownouts: []catalogue.Brownout{{From: at("2026-05-01"), Until: at("2026-05-03")}},
	}}})
	for sunset, want := range map[string]int64{"2026-05-02": 0, "2026-05-03": 0, "2026-05-03T00:00:01Z": 86400} {
		table := newRoute(t, c, catalogue.RouteConfig{Sunset: at(sunset)})
		got := table.Decide(c.At(at("2026-05-02")), 0)
		if got.Outcome != catalogue.VersionBrownout || got.RetryAfter != want {
			t.Errorf("route until %s: %+v, want %d seconds", sunset, got, want)
		}
	}
}

func TestEveryWeek(t *testing.T) {
	for _, n := range []int{0, -1} {
		_, err := catalogue.New(catalogue.Config{AfterSunset: catalogue.Gone, Versions: []catalogue.Entry{{Version: "v1",
			Deprecated: at("2026-01-01"), Brownouts: catalogue.EveryWeek(at("2026-05-05"), time.Hour, n)}}})
		if err == nil || !strings.Contains(err.Error(), "brownouts[0].from") {
			t.Errorf("%d weeks: %v", n, err)
		}
	}
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip(err)
	}
	// Summer time ends on 25 October 2026.
	windows := catalogue.EveryWeek(time.Date(2026, 10, 20, 14, 0, 0, 0, zone), time.Hour, 2)
	for i, want := range []string{"2026-10-20T12:00:00Z", "2026-10-27T13:00:00Z"} {
		if !windows[i].From.Equal(at(want)) || !windows[i].Until.Equal(at(want).Add(time.Hour)) {
			t.Errorf("window %d: %v, want %s", i, windows[i], want)
		}
	}
}

func ExampleEveryWeek() {
	first := time.Date(2026, time.May, 5, 14, 0, 0, 0, time.UTC) // a Tuesday
	for _, window := range catalogue.EveryWeek(first, time.Hour, 3) {
		fmt.Println(window.From.Format(time.RFC1123), window.Until.Format(time.TimeOnly))
	}
	// Output:
	// Tue, 05 May 2026 14:00:00 UTC 15:00:00
	// Tue, 12 May 2026 14:00:00 UTC 15:00:00
	// Tue, 19 May 2026 14:00:00 UTC 15:00:00
}
