package conformance

import (
	"net/http"

	verso "github.com/goverso/verso/core"
)

// unmatched are checks of requests without a route. A framework answers them by itself, and
// middleware that authenticates or counts must cover these answers as it does without Verso.
var unmatched = []groupCheck{
	{"not-found", inHeader, serving("v1", "v2"), App{NotFound: true, Before: ran("a"), Routes: []Route{
		answering("GET", "/users", "users").checks(), answering("PUT", "/users", "user").with(verso.Since("v2")),
	}}},
	{"page", inHeader, serving("v1", "v2"), App{NotFound: true, Before: ran("a"), Routes: []Route{
		answering("GET", "/users", "users").checks(),
		{Method: http.MethodGet, Pattern: "/pages/{rest*}", Outside: true, Handle: answerer("page")},
	}}},
	{"groups", inHeader, serving("v1", "v2"), App{NotFound: true, Routes: inGroup(
		&Group{Within: &Group{Prefix: "/admin", Middleware: ran("a"), AfterCheck: ran("x")}, Prefix: "/deep",
			Middleware: ran("b"), AfterCheck: ran("y")}, answering("GET", "/users", "users"))}},
	{"each", inPrefix, byDefault(), App{Routes: inGroup(deep, answering("GET", "/x", "x"))}},
}
