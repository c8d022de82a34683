package coretest

import (
	"crypto/tls"
	"net/http"
	"net/url"

	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/source"
	"github.com/goverso/verso/core/versotest"
)

// Preflight is what a browser sends before a request of another origin.
func Preflight(params map[string]string) Ask {
	return Ask{Method: "OPTIONS", Params: params, Header: map[string][]string{"Origin": {"https://a.com"},
		"Access-Control-Request-Method": {"GET"}}}
}

// Ask is a request by its parts, also those that net/http would not parse.
type Ask struct {
	Method string // "": GET
	Host   string
	Query  string
	Header http.Header
	Params map[string]string // path parameters
	Route  *route.Route
	TLS    bool
}

// Request returns the request as a source sees it.
func (a Ask) Request() source.Request {
	r := &http.Request{Method: a.Method, Host: a.Host, URL: &url.URL{Path: "/", RawQuery: a.Query}, Header: a.Header}
	if a.Method == "" {
		r.Method = http.MethodGet
	}
	if a.TLS {
		r.TLS = new(tls.ConnectionState)
	}
	return versotest.Request(r, a.Params, a.Route)
}

// In returns the request with the version as its path parameter.
func In(version string) Ask { return Ask{Params: map[string]string{"version": version}} }

// Accept returns the request with an Accept header of the given lines.
func Accept(lines ...string) Ask { return Ask{Header: http.Header{"Accept": lines}} }

// Field returns the request with the given lines of Api-Version.
func Field(lines ...string) Ask { return Ask{Header: http.Header{"Api-Version": lines}} }

// Query returns the request with the given query.
func Query(text string) Ask { return Ask{Query: text} }

// Host returns the request to the given host.
func Host(name string) Ask { return Ask{Host: name} }

// Named returns the request that matched a route of the given name.
func Named(name string) Ask {
	for matched := range route.NewTable(route.Route{Name: name, Pattern: route.Colons("/users")}).Routes() {
		return Ask{Route: matched}
	}
	return Ask{}
}
