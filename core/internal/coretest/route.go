package coretest

import (
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/route"
)

// Listing is a router that lists routes. Requests have their own path parameters.
type Listing []route.Route

// PathParam returns none.
func (Listing) PathParam(any, string) (string, bool) { return "", false }

// Routes lists the routes.
func (l Listing) Routes() (all []adapter.Listed) {
	for _, r := range l {
		all = append(all, adapter.Listed{Route: r})
	}
	return all
}

// Bound returns a binding with the given routes, each of which carries its check.
func Bound(api *verso.Versioning, routes ...route.Route) *adapter.Binding {
	b := adapter.Bind(api, nil)
	for _, r := range routes {
		Register(b, r)
	}
	return b
}

// Register registers a route, whose path is its pattern.
func Register(b *adapter.Binding, r route.Route, options ...verso.RouteOption) *adapter.Registration {
	r.Path = r.Pattern.String()
	return verso.Must(b.Add(r, options...))
}

// Registered returns a route as requests to it have it.
func Registered(b *adapter.Binding, options ...verso.RouteOption) *route.Route {
	return Register(b, route.Route{Pattern: route.Colons("/:version/users")}, options...).Route()
}

// Others lists the paths of routes of other code.
type Others map[string]bool

// PathParam returns none.
func (Others) PathParam(any, string) (string, bool) { return "", false }

// Routes lists the routes.
func (o Others) Routes() (all []adapter.Listed) {
	for path := range o {
		all = append(all, adapter.Listed{Route: route.Route{Method: "GET", Path: path, Pattern: route.Colons(path)}})
	}
	return all
}

// Users is a route for links.
var Users = route.Route{Name: "users", Pattern: route.Colons("/users")}

// WrongOrigins are texts that no URL may begin with.
var WrongOrigins = []string{
	"/", "/api/", "/api?a=b", "/a b", `/\evil.com`, "///evil.com", "/api//", "https:", "https://", "https:example.com",
	"https:///users",
	"ftp://example.com", "javascript:alert(1)", "https://example.com/", "https://example.com/api/",
	"https://user@example.com", "https://u:p@example.com",
	"https://example.com?", "https://example.com?a=b", "https://example.com#", "https://example.com#a",
	"https://example.com:99999999", "https://example.com:x", "https://[::1", "https://a b",
	"https://example.com\r\nX: y", "https://é.com", " https://example.com",
	"https://2130706433", "http://0x7f.1", "http://127.1", "http://017700000001", "https://example.0x7F",
	"https://1.2.3.4.5", "http://127.1.:80",
}

// LinkedRoutes are routes for links in every source.
var LinkedRoutes = []route.Route{
	{Name: "users", Pattern: route.Colons("/:version/users")}, {Name: "users", Pattern: route.Colons("/users")},
	{Name: "v1:users", Pattern: route.Colons("/v1/users")}, {Name: "v2:users", Pattern: route.Colons("/v2/users")},
}
