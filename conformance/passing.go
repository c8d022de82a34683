package conformance

import (
	"context"
	"errors"
	"net/http"
	"testing"

	verso "github.com/goverso/verso/core"
)

// passings send requests to handlers that pass them on: see [Response.PassOn]. The route that
// answers decides on the request, and Config.Observe is called once, for this route. Frameworks
// let a handler run another route for the same request: a rewrite, an error page, an alias. Two
// decisions would count the request twice, and the first could be the wrong one. Behind
// middleware that sets v2 handlers see the test version, of which no route takes notice.
var passings = []groupCheck{
	{"observed", inHeader, serving("v1", "v2"), App{Routes: passed}},
	{"set-after", inHeader, serving("v1", "v2"), App{After: []Middleware{setV2}, Routes: passed}},
}

var passed = []Route{
	// Two steps find an adapter that only looks one step back.
	passingOn("/on", "/to"), passingOn("/further", "/on"), passingOn("/late-on", "/late"),
	answering("GET", "/to", "to").checks(), answering("GET", "/late", "late").with(verso.Since("v2")),
}

func passingOn(pattern, to string) Route {
	return newRoute("", "", pattern, func(Call) Response { return Response{PassOn: to} }).checks()
}

// incomparable is a writer that Go cannot compare.
type incomparable struct {
	http.ResponseWriter
	_ []byte
}

// Unwrap is for [http.ResponseController].
func (w incomparable) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// checkIncomparable passes a request on with a writer that Go cannot compare, as middleware may give to what comes
// next. An adapter that knows a request by its writer must not panic.
func checkIncomparable(tb testing.TB, mount Mount) error {
	tb.Helper()
	config := serving("v1", "v2")
	config.Observe = func(context.Context, verso.Observation) {}
	wrap := func(s Step) int {
		s.Wrap(func(outside http.ResponseWriter) (http.ResponseWriter, func()) {
			return incomparable{ResponseWriter: outside}, func() {}
		})
		return 0
	}
	server := mount(tb, App{API: verso.MustNew(inHeader, config), Before: []Middleware{wrap}, Routes: passed})
	return errors.Join(checkRan(server.Address, "GET /on v2: 200 v2 to |"), server.stop())
}
