package usage_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/versotest"
	"github.com/goverso/verso/usage"
)

// TestRoutesBesideExceptions: where exceptions are of some routes of a client, gate, page and letter name the others.
func TestRoutesBesideExceptions(t *testing.T) {
	until := catalogue.MustDate("2026-03-01")
	for _, test := range []struct {
		name       string
		calls      map[string][2]int // the first day of each route, and the day after the last one
		exceptions []usage.Exception
		gate       string
		letter     string
	}{
		{"the client calls", map[string][2]int{"v1 /health": {0, 130}, "v1 /orders": {0, 98}},
			[]usage.Exception{{Route: "GET /health", Kind: usage.MayBreak, Until: until}},
			`"routes_left":[{"route":"GET /orders","last_seen":"2025-09-07T00:00:00Z"}]`, `still call:\n\n  GET /orders: last request`},
		{"the client is silent", map[string][2]int{"v1 /report": {0, 60}, "v1 /orders": {0, 60}},
			[]usage.Exception{{Route: "GET /report"}},
			"acme (GET /orders: not in v2 since 31 Jul 2025)", `You last called it on 31 Jul 2025, and may call it again:\n\n  GET /orders: last request`},
		{"and is asked", map[string][2]int{"v1 /report": {0, 60}, "v1 /orders": {0, 60}},
			[]usage.Exception{{Route: "GET /report"}}, `"routes":["GET /orders"]`, `"ask":true`},
		{"it calls both versions", map[string][2]int{"v1 /health": {0, 130}, "v1 /orders": {0, 98}, "v2 /users": {98, 130}},
			[]usage.Exception{{Route: "GET /health", Kind: usage.MayBreak, Until: until}},
			`"routes_left":[{"route":"GET /orders"`, `still call:\n\n  GET /orders: last request`},
		{"it has moved the rest", map[string][2]int{"v1 /report": {0, 60}, "v1 /tax": {0, 60}, "v1 /orders": {0, 60}, "v2 /orders": {60, 130}},
			[]usage.Exception{{Route: "GET /report"}},
			"acme (GET /tax: not in v2 since 31 Jul 2025)", `You call the rest in a later version, and may call v1 again:\n\n  GET /tax: last request`},
		{"nothing but what is needed", map[string][2]int{"v1 /report": {0, 60}, "v1 /orders": {0, 60}, "v2 /orders": {60, 130}},
			[]usage.Exception{{Route: "GET /report"}, {Route: "GET /orders", Kind: usage.StillNeeds, Until: until}},
			"acme (GET /orders: expected about 1 Mar 2026)", `may call v1 again:\n\n  GET /orders: last request`},
		{"nothing but what is needed, and was never called", map[string][2]int{"v1 /report": {0, 60}, "v1 /orders": {0, 60}, "v2 /orders": {60, 130}},
			[]usage.Exception{{Route: "GET /report"}, {Route: "GET /tax", Kind: usage.StillNeeds, Until: until}},
			"acme (last request on 31 Jul 2025)", "may call it again"},
	} {
		t.Run(test.name, func(t *testing.T) {
			clock := versotest.NewClock(catalogue.MustDate("2025-06-02"))
			versions := catalogue.MustNew(catalogue.Config{AfterSunset: catalogue.Gone, Versions: []catalogue.Entry{
				{Version: "v1", Deprecated: catalogue.MustDate("2025-08-01"), Sunset: catalogue.MustDate("2026-09-01"), Successor: "v2"}, {Version: "v2"}}})
			table := usage.NewTable(&verso.Config{Catalogue: versions, Clock: clock.Now})
			for day := range 130 {
				for route, days := range test.calls {
					if version, path, _ := strings.Cut(route, " "); days[0] <= day && day < days[1] {
						table.Observe(t.Context(), verso.Observation{Time: clock.Now(), Version: verso.V(version), Client: "acme", Method: "GET", Route: path, Outcome: verso.OutcomeServed})
					}
				}
				clock.Advance(24 * time.Hour)
			}
			for _, e := range test.exceptions {
				e.Version, e.Client, e.By = "v1", "acme", "Ann"
				if err := table.Except(t.Context(), e); err != nil {
					t.Fatal(err)
				}
			}
			contains(t, ask(table.Handler(nil), "GET", "/?ready=v1").Body.String(), `"ready":false`, test.gate)
			contains(t, ask(table.Handler(nil), "GET", "/?letters=v1").Body.String(), test.letter)
			for _, query := range []string{"", "format=html", "client=acme&format=html", "clients=v1", "format=csv", "format=jsonl", "format=openmetrics"} {
				if response := ask(table.Handler(nil), "GET", "/?"+query); response.Code != 200 {
					t.Errorf("%s: %d %s", query, response.Code, response.Body)
				}
			}
		})
	}
}

// TestRouteOfNoCall: the gate and the page of the client show an answer about a route without a call, and the page
// names the routes with one.
func TestRouteOfNoCall(t *testing.T) {
	clock := versotest.NewClock(noon.AddDate(0, 0, -70))
	table := usage.NewTable(&verso.Config{Catalogue: lives(catalogue.Gone), Clock: clock.Now})
	for _, route := range []string{"/a", "/b", "/c", "/d", "/e"} {
		table.Observe(t.Context(), call("v1", "acme", route, clock.Now()))
	}
	table.Observe(t.Context(), call("v1", "one", "/a", clock.Now()))
	clock.Set(noon)
	except := func(e usage.Exception) {
		e.Version, e.Client, e.By = "v1", "acme", "Ann"
		require.NoError(t, table.Except(t.Context(), e))
	}
	except(usage.Exception{Route: "GET /r01"})
	except(usage.Exception{Route: "POST /a", Kind: usage.MayBreak, Until: noon.AddDate(0, 0, 90)})
	except(usage.Exception{Route: "GET /later", Kind: usage.StillNeeds, Until: noon.AddDate(0, 0, 90)}) // of a call to come
	gate := ask(table.Handler(nil), "GET", "/?ready=v1").Body.String()
	assert.Contains(t, gate, `"not_found":["acme GET /r01","acme POST /a"]`)
	page := ask(table.Handler(nil), "GET", "/?client=acme&format=json").Body.String()
	assert.Contains(t, page, `"no_effect":["GET /r01 has moved, according to Ann on 21 Nov 2026. `+
		`This has no effect: no call of that route is counted, but of GET /a, GET /b, GET /c and 2 more","POST /a may break, accepted by Ann`)
	assert.Contains(t, ask(table.Handler(nil), "GET", "/?client=acme&format=html").Body.String(), "This has no effect: no call of that route")

	clock.Set(noon.AddDate(0, 0, 31)) // the gate is no longer news of it
	assert.NotContains(t, ask(table.Handler(nil), "GET", "/?ready=v1").Body.String(), "not_found")
	clock.Set(noon)
	for query, want := range map[string]bool{"one+GET+/a": true, "one+GET+/b": false, "acme+GET+/a": false,
		"acme+GET+/a&except=acme+GET+/b&except=acme+GET+/c&except=acme+GET+/d&except=GET+/e&except=acme+GET+/later": true} {
		got := ask(table.Handler(nil), "GET", "/?ready=v1&except="+query).Body.String()
		assert.Equal(t, want, strings.Contains(got, `"why":"except"`), got)
		assert.Equal(t, !want, strings.Contains(got, strings.ReplaceAll(query, "+", " ")+`"],"questions"`), got)
	}
	// It needs another route, by the answer.
	got := ask(table.Handler(nil), "GET", "/?ready=v1&except=acme+GET+/a&except=acme+GET+/b&except=acme+GET+/c&except=acme+GET+/d&except=GET+/e").Body.String()
	assert.NotContains(t, got, `"why":"except"`)
}

// TestRouteNeedsItsMethod: a route that cannot be one is refused, with what it may have been.
func TestRouteNeedsItsMethod(t *testing.T) {
	table := newTable(lives(catalogue.Gone), noon)
	for route, want := range map[string]string{"r01": `"GET /r01"`, "/v1/report": `"GET /v1/report"`, "GET": `"GET /GET"`, "v1/report x": `"GET /v1/report x"`} {
		err := table.Except(t.Context(), usage.Exception{Version: "v1", Client: "acme", Route: route, By: "Ann"})
		assert.ErrorContains(t, err, "write it as the gate names it, with its method, such as "+want)
	}
}
