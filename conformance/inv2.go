package conformance

import verso "github.com/goverso/verso/core"

// InV2 has a source of each kind, with a route and the link to it in v2 if links begin
// with http://v1.example.com. It is for an adapter's own test of a handler that is
// called without the middleware. The routes have no handler.
var InV2 = []struct {
	Name   string
	Source verso.Source
	Route  Route
	Link   string
}{
	{"path", verso.PathParam("version"), newRoute("", "user", "/{version}/users/{id}", nil), "http://v1.example.com/v2/users/7"},
	{"namespace", verso.Namespace(), newRoute("v2", "user", "/second/users/{id}", nil), "http://v1.example.com/second/users/7"},
	{"host", verso.HostLabel(""), newRoute("", "user", "/users/{id}", nil), "http://v1.example.com/users/7"},
	{"query", verso.QueryParam("version"), newRoute("", "user", "/users/{id}", nil), "http://v1.example.com/users/7?version=v2"},
	{"Accept", verso.AcceptParam("version"), newRoute("", "user", "/users/{id}", nil), "http://v1.example.com/users/7"},
	{"header", verso.Header("Api-Version"), newRoute("", "user", "/users/{id}", nil), "http://v1.example.com/users/7"},
	{
		"media type", verso.MediaType("application/vnd.acme.{version}+json"),
		newRoute("", "user", "/users/{id}", nil), "http://v1.example.com/users/7",
	},
	{
		"header or path", verso.First(verso.Header("Api-Version"), verso.PathParam("version")),
		newRoute("", "user", "/{version}/users/{id}", nil), "http://v1.example.com/v2/users/7",
	},
}
