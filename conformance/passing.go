package conformance

import verso "github.com/goverso/verso/core"

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
