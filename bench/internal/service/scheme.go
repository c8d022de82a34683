// Package service has the services that commands load and soak put under load:
// one route in three versions, in Echo v4 and in Gin, in each scheme, in a
// process of their own.
package service

import (
	"net/http"

	verso "github.com/goverso/verso/core"
)

// Settings are those of all services.
var Settings = verso.Settings{DefaultVersion: verso.V("v1"), AllowedVersions: []string{"v1", "v2", "v3"}}

// Schemes are the five schemes, in the order of the specification.
var Schemes = []*Scheme{
	{
		Name:   "accept_header",
		Status: http.StatusNotAcceptable,
		scheme: verso.Must(verso.NewAcceptHeader(Settings)),
		routes: []route{{"user", "/users/:id"}},
	},
	{
		Name:   "url_path",
		Status: http.StatusNotFound,
		scheme: verso.Must(verso.NewURLPath(Settings)),
		routes: []route{{"user", "/users/:id"}, {"user", "/:version/users/:id"}},
	},
	{
		Name:   "namespace",
		Status: http.StatusNotFound,
		scheme: verso.Must(verso.NewNamespace(Settings)),
		routes: []route{
			{"user", "/users/:id"}, {"v1:user", "/v1/users/:id"}, {"v2:user", "/v2/users/:id"}, {"v3:user", "/v3/users/:id"},
			{NotServed + ":user", "/" + NotServed + "/users/:id"},
		},
	},
	{
		Name:   "hostname",
		Status: http.StatusNotFound,
		scheme: verso.Must(verso.NewHostName(Settings, "")),
		routes: []route{{"user", "/users/:id"}},
	},
	{
		Name:   "query_parameter",
		Status: http.StatusNotFound,
		scheme: verso.Must(verso.NewQueryParameter(Settings)),
		routes: []route{{"user", "/users/:id"}},
	},
}

// NotServed is a version that is not allowed. In the namespace scheme it has a
// route nevertheless, so that Verso refuses it there too.
const NotServed = "beta"

// Scheme is a scheme and the routes of the service that uses it.
type Scheme struct {
	Name   string // as in the conformance cases
	Status int    // of its refusals

	scheme verso.Scheme
	routes []route
}

// route is a route as Echo and Gin have it.
type route struct{ name, pattern string }

// Request is what a client sends.
type Request struct {
	Path   string
	Query  string // without the question mark
	Host   string
	Accept string // "" for none
}

// Target returns the target of the request line.
func (r *Request) Target() string {
	if r.Query == "" {
		return r.Path
	}
	return r.Path + "?" + r.Query
}

// Request returns a request for a version, "" for none.
func (s *Scheme) Request(version string) Request {
	r := Request{Path: "/users/42", Host: "api.example.com"}
	switch {
	case s.Name == "hostname" && version == "":
		r.Host = "example.com" // two labels hold no version
	case s.Name == "hostname":
		r.Host = version + ".example.com"
	case version == "":
	case s.Name == "accept_header":
		r.Accept = "application/json; version=" + version
	case s.Name == "query_parameter":
		r.Query = "version=" + version
	default:
		r.Path = "/" + version + r.Path
	}
	return r
}

// user is what the handlers answer with.
type user struct {
	Version string `json:"version"`
}
