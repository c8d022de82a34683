package usage_test

import (
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
