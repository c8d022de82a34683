package usage_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/versotest"
	"github.com/goverso/verso/usage"
)

// TestExceptions: what a person has accepted of a client, or a route, counts in all views until the client
// calls the version again, or it is taken back.
func TestExceptions(t *testing.T) {
	for _, route := range []string{"", "POST /{version}/report"} {
		t.Run("route "+route, func(t *testing.T) {
			clock := versotest.NewClock(catalogue.MustDate("2025-06-02"))
			versions := catalogue.MustNew(catalogue.Config{AfterSunset: catalogue.Gone, Versions: []catalogue.Entry{
				{Version: "v1", Deprecated: catalogue.MustDate("2025-08-01"), Sunset: catalogue.MustDate("2026-09-01"), Successor: "v2"}, {Version: "v2"}}})
			table := usage.NewTable(&verso.Config{Catalogue: versions, Clock: clock.Now})
			observe := func(version, method, route string) {
				table.Observe(t.Context(), verso.Observation{Time: clock.Now(), Version: verso.V(version), Client: "acme", Method: method, Route: route, Outcome: verso.OutcomeServed})
			}
			for range 200 { // it moves its web shop, and keeps a yearly report
				observe("v1", "GET", "/{version}/orders")
				clock.Advance(24 * time.Hour)
			}
			observe("v1", "POST", "/{version}/report")
			for range 100 {
				clock.Advance(24 * time.Hour)
				observe("v2", "GET", "/{version}/orders")
			}
			check := func(when string, want bool) {
				t.Helper()
				for query, excepted := range map[string]string{
					"ready=v1":                  `"excepted":[{"client":"acme","requests_30_days":0,"last_seen":"2025-12-19T00:00:00Z","why":"exception","exceptions":[{"version":"v1","client":"acme",`,
					"format=openmetrics":        `{version="v1",state="moved"} 1`,
					"letters=v1&state=moved":    `"client":"acme"`,
					"clients=v1&format=json":    `"by":"Ann","note":"shut down","time":"2026-03-29T00:00:00Z"}]`,
					"client=acme&format=html":   "accepted by Ann on 29 Mar 2026: shut down</p>",
					"client=acme&format=json":   `"exceptions":[{"version":"v1",`,
					"format=html":               "All clients have moved.",
					"level=summary&format=json": `"group":"moved"`,
				} {
					if got := ask(table.Handler(nil), "GET", "/?"+query).Body.String(); strings.Contains(got, excepted) != want {
						t.Errorf("%s, %s: %.900s", when, query, got)
					}
				}
				if got := ask(table.Handler(nil), "GET", "/?letters=v1").Body.String(); (got == "") != want {
					t.Errorf("%s: %s", when, got)
				}
			}
			e := usage.Exception{Version: "v1", Client: "acme", Route: route, By: "Ann", Note: "shut down"}
			check("before", false)
			if err := table.Except(e); err != nil {
				t.Fatal(err)
			}
			check("recorded", true)
			next := usage.NewTable(&verso.Config{Catalogue: versions, Clock: clock.Now})
			next.Add(table.Take())
			table = next
			check("in the next table", true)
			if err := table.TakeBack(e); err != nil {
				t.Fatal(err)
			}
			check("taken back", false)
			if err := table.TakeBack(e); !errors.Is(err, usage.ErrNoException) {
				t.Error(err)
			}
			if err := table.Except(e); err != nil {
				t.Fatal(err)
			}
			check("recorded again", true)
			clock.Advance(time.Hour)
			observe("v1", "POST", "/{version}/report")
			check("called since", false)
			clock.Advance(60 * 24 * time.Hour)
			observe("v2", "GET", "/{version}/orders")
			check("called once, months ago", false)
		})
	}
}

// TestExceptionOfOneRoute: the other routes of the client still count, and so does a reason that is not of routes.
func TestExceptionOfOneRoute(t *testing.T) {
	clock := versotest.NewClock(catalogue.MustDate("2025-06-02"))
	versions := catalogue.MustNew(catalogue.Config{AfterSunset: catalogue.Gone, Versions: []catalogue.Entry{
		{Version: "v1", Deprecated: catalogue.MustDate("2025-08-01"), Sunset: catalogue.MustDate("2026-09-01"), Successor: "v2"}, {Version: "v2"}}})
	table := usage.NewTable(&verso.Config{Catalogue: versions, Clock: clock.Now})
	observe := func(client, version, route string) {
		table.Observe(t.Context(), verso.Observation{Time: clock.Now(), Version: verso.V(version), Client: client, Method: "GET", Route: route, Outcome: verso.OutcomeServed})
	}
	for range 60 {
		observe("acme", "v1", "/orders")
		clock.Advance(24 * time.Hour)
	}
	observe("acme", "v1", "/report")
	observe("acme", "v1", "/tax")
	observe("paused", "v1", "/report") // and never in v2
	for range 60 {
		clock.Advance(24 * time.Hour)
		observe("acme", "v2", "/orders")
	}
	for _, client := range []string{"acme", "paused"} {
		if err := table.Except(usage.Exception{Version: "v1", Client: client, Route: "GET /report", By: "Ann"}); err != nil {
			t.Fatal(err)
		}
	}
	want := "2 quiet clients have not moved, and may call it again: acme (GET /tax: not in v2 since 1 Aug 2025), paused (last request on 1 Aug 2025)"
	if got := ask(table.Handler(nil), "GET", "/?ready=v1").Body.String(); !strings.Contains(got, want) || strings.Contains(got, `"route":"GET /report","last_seen"`) {
		t.Error(got)
	}
	contains(t, textOf(table), "GET /report accepted by Ann on 30 Sep 2025; GET /tax: called in one week only")
}

// TestExceptionsChecked: what cannot be excepted.
func TestExceptionsChecked(t *testing.T) {
	table := newTable(versions(t), noon)
	for want, e := range map[string]usage.Exception{
		`Version is "v9"`: {Version: "v9", Client: "acme", By: "Ann"},
		`Client is ""`:    {Version: "v1", By: "Ann"},
		`By is ""`:        {Version: "v1", Client: "acme"},
	} {
		for _, err := range []error{table.Except(e), table.TakeBack(e)} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want %s", err, want)
			}
		}
	}
	table.Add([]usage.Count{{Kind: usage.KindException, Version: "v1"}, {Kind: usage.KindException, Version: "v1", Exception: &usage.Exception{Version: "v1", Client: "acme"}},
		{Kind: usage.KindException, Version: "v1", Exception: &usage.Exception{Version: "v1", Client: "acme", By: "Ann", Time: noon.AddDate(1, 0, 0)}}})
	for _, n := range table.Take() {
		if n.Kind == usage.KindException && (n.Exception.By != "Ann" || !n.Exception.Time.Equal(noon)) {
			t.Error(n.Exception)
		}
	}
}
