package conformance

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"sync"
	"testing"

	verso "github.com/goverso/verso/core"
)

// passings are requests to handlers that pass them on: see [Response.PassOn]. The route that
// answers decides on the request, and Config.Observe is called once, for this route. Frameworks
// let a handler run another route for the same request: a rewrite, an error page, an alias. Two
// decisions would count the request twice, and the first could be the wrong one.
var passings = []struct{ ask, told string }{
	{"GET /to v1: 200 v1 to |", "/to v1 served"},
	{"GET /on v1: 200 v1 to |", "/to v1 served"},
	{"GET /further v2: 200 v2 to |", "/to v2 served"},
	{"GET /late-on v2: 200 v2 late |", "/late v2 served"},
	{"GET /late-on v1: 404 |", "/late v1 not_in_version"},
	{"GET /on v9: 400 |", "/on  invalid_header_version"},
}

// passingBehind are those behind middleware that sets v2, of the test version of which no route
// takes notice. Handlers see the test version, and the log sees the request as it was sent.
var passingBehind = []struct{ ask, told string }{
	{"GET /to v1: 200 v2 to |", "/to v1 served"},
	{"GET /on v1: 200 v2 to |", "/to v1 served"},
	{"GET /further v1: 200 v2 to |", "/to v1 served"},
	{"GET /late-on v1: 404 |", "/late v1 not_in_version"},
}

// passingChecks has the application once as it is and once behind a test version.
func passingChecks() []check {
	return []check{{"observed", checkPassing(App{}, passings)},
		{"set-after", checkPassing(App{After: []Middleware{setV2}}, passingBehind)}}
}

// One server serves all of the requests, so that a leftover of one would show in the next.
func checkPassing(app App, of []struct{ ask, told string }) func(testing.TB, Mount) error {
	return func(tb testing.TB, mount Mount) error {
		tb.Helper()
		var mu sync.Mutex
		var told []string
		config, app := serving("v1", "v2"), app
		config.Observe = func(_ context.Context, o verso.Observation) {
			mu.Lock()
			defer mu.Unlock()
			told = append(told, o.Route+" "+o.Version.String()+" "+o.Outcome)
		}
		app.API = verso.MustNew(inHeader, config)
		on := func(pattern, to string) Route {
			return newRoute("", "", pattern, func(Call) Response { return Response{PassOn: to} }).checks()
		}
		app.Routes = []Route{
			// Two steps find an adapter that only looks one step back.
			on("/on", "/to"), on("/further", "/on"), on("/late-on", "/late"),
			answering(http.MethodGet, "/to", "to").checks(),
			answering(http.MethodGet, "/late", "late").with(verso.Since("v2")),
		}
		server := mount(tb, app)
		var wrong complaints
		for _, p := range of {
			mu.Lock()
			told = nil
			mu.Unlock()
			err := checkRan(server.Address, p.ask)
			soon(func() bool {
				mu.Lock()
				defer mu.Unlock()
				return len(told) > 0
			})
			mu.Lock()
			wrong = append(wrong, err)
			wrong.unless(slices.Equal(told, []string{p.told}), "%s: Observe is called with %q instead of once with %q",
				p.ask, told, p.told)
			mu.Unlock()
		}
		return errors.Join(append(wrong, server.stop())...)
	}
}
