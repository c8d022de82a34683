package usage_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/versotest"
	"github.com/goverso/verso/usage"
)

// TestToldIsNotNew: a monthly job that nobody changed gets 410 each month after the end. Only its first call is news.
func TestToldIsNotNew(t *testing.T) {
	clock := versotest.NewClock(catalogue.MustDate("2026-03-01"))
	end := catalogue.MustDate("2026-09-01")
	table := usage.NewTable(&verso.Config{Clock: clock.Now, Catalogue: catalogue.MustNew(catalogue.Config{AfterSunset: catalogue.Gone, Versions: []catalogue.Entry{
		{Version: "v1", Deprecated: catalogue.MustDate("2026-03-01"), Sunset: end, Successor: "v2"}, {Version: "v2"}}})})
	page, told := table.Handler(nil), 0
	for day := clock.Now().AddDate(0, 0, 1); day.Before(catalogue.MustDate("2027-01-20")); day = day.AddDate(0, 0, 1) {
		clock.Set(day.Add(9 * time.Hour))
		if day.Day() == 2 {
			o := verso.Observation{Version: verso.V("v1"), Client: "monthly", Method: "GET", Route: "/x", Outcome: verso.OutcomeServed, Time: clock.Now()}
			if !day.Before(end) {
				o.Outcome = "version_gone"
			}
			table.Observe(t.Context(), o)
		}
		text := ask(page, "GET", "/?format=openmetrics").Body.String()
		if strings.Contains(text, `state="told"} 1`) {
			told++
		}
		if isNew := strings.Contains(text, `verso_usage_new_clients{version="v1"} 1`); isNew != (day.Format(time.DateOnly) == "2026-03-02") {
			t.Error(day, isNew)
		}
	}
	if told < 60 {
		t.Errorf("told on %d days", told)
	}
}

// TestNamelessIsNoClient: the heading of a list counts those with a name, as the first line does.
func TestNamelessIsNoClient(t *testing.T) {
	table := newTable(lives(catalogue.Gone), noon)
	table.Observe(t.Context(), call("v1", "", "/users", noon))
	if text := textOf(table); !strings.Contains(text, "Write to these: no known client that only calls v1") {
		t.Error(text)
	}
}

// TestCodeMayGo: 30 days after the end, a bot that gets 410 each day is no reason to keep the code of the version. A
// client that is let through is one, and so is a job that has not learnt of the end yet.
func TestCodeMayGo(t *testing.T) {
	end := catalogue.MustDate("2026-06-01")
	for _, test := range []struct {
		name    string
		day     string
		outcome string // after the end
		quiet   bool   // a half-yearly job has not called since
		want    string
	}{
		{"410", "2026-08-01", "version_gone", false, `"note":"Clients that called it since the end got 410: its own code does not answer them"}`},
		{"let through", "2026-08-01", verso.OutcomeServed, false, "1 client has called it in the last 30 days: bot"},
		{"a quiet job", "2026-08-01", "version_gone", true, "1 quiet client has not moved, and may call it again: job"},
		{"in the 30 days", "2026-06-20", "version_gone", false, "1 client has called it in the last 30 days: bot"},
	} {
		t.Run(test.name, func(t *testing.T) {
			clock := versotest.NewClock(catalogue.MustDate("2026-01-01"))
			table := usage.NewTable(&verso.Config{Clock: clock.Now, Catalogue: catalogue.MustNew(catalogue.Config{AfterSunset: catalogue.Gone, Versions: []catalogue.Entry{
				{Version: "v1", Sunset: end, Successor: "v2"}, {Version: "v2"}}})})
			for day := clock.Now(); day.Before(catalogue.MustDate(test.day)); day = day.AddDate(0, 0, 1) {
				o := call("v1", "bot", "/users", day)
				if !day.Before(end) {
					o.Outcome = test.outcome
				}
				table.Observe(t.Context(), o)
				if test.quiet && day.Format(time.DateOnly) == "2026-03-01" {
					table.Observe(t.Context(), call("v1", "job", "/jobs", day))
				}
			}
			clock.Set(catalogue.MustDate(test.day))
			if got := ask(table.Handler(nil), "GET", "/?ready=v1").Body.String(); !strings.Contains(got, test.want) {
				t.Errorf("%s, want %s", got, test.want)
			}
		})
	}
}

// TestGateIsShort: the answer of the gate has 100 clients, and says how many more there are.
func TestGateIsShort(t *testing.T) {
	table := newTable(lives(catalogue.Gone), noon)
	for i := range 250 {
		table.Observe(t.Context(), call("v1", fmt.Sprint("client ", i), "/users", noon))
	}
	got := ask(table.Handler(nil), "GET", "/?ready=v1").Body.String()
	if !strings.Contains(got, "250 clients have called it") || strings.Count(got, `"why":"called"`) != 100 || !strings.Contains(got, `"more":150`) {
		t.Error(got)
	}
}
