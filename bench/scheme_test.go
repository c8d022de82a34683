package bench

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
)

// settings are those of all services here.
var settings = verso.Settings{DefaultVersion: verso.V("v1"), AllowedVersions: []string{"v1", "v2", "v3"}}

// schemeCase is a scheme, and the route and the request with which all
// frameworks serve it.
type schemeCase struct {
	name    string
	scheme  verso.Scheme
	pattern string // of the route, as net/http has it
	url     string // of a request for v2
	accept  string // the Accept header of the request, "" for a client that sends none
	route   string // the name of the route, in its namespace
}

var schemeCases = []*schemeCase{
	{
		name:    "accept_header",
		scheme:  verso.Must(verso.NewAcceptHeader(settings)),
		pattern: "/users/{id}",
		url:     "http://api.example.com/users/42",
		accept:  "application/json; version=v2",
		route:   "user",
	},
	{
		name:    "url_path",
		scheme:  verso.Must(verso.NewURLPath(settings)),
		pattern: "/{version}/users/{id}",
		url:     "http://api.example.com/v2/users/42",
		route:   "user",
	},
	{
		name:    "namespace",
		scheme:  verso.Must(verso.NewNamespace(settings)),
		pattern: "/v2/users/{id}",
		url:     "http://api.example.com/v2/users/42",
		route:   "v2:user",
	},
	{
		name:    "hostname",
		scheme:  verso.Must(verso.NewHostName(settings, "")),
		pattern: "/users/{id}",
		url:     "http://v2.example.com/users/42",
		route:   "user",
	},
	{
		name:    "query_parameter",
		scheme:  verso.Must(verso.NewQueryParameter(settings)),
		pattern: "/users/{id}",
		url:     "http://api.example.com/users/42?fields=name&page=2&version=v2",
		route:   "user",
	},
}

// colons returns the pattern of the route as Echo and Gin have it.
func (s *schemeCase) colons() string {
	return colons(s.pattern)
}

// colons returns a pattern of net/http as Echo and Gin have it.
func colons(pattern string) string {
	return strings.NewReplacer("{", ":", "}", "").Replace(pattern)
}

// request returns a request for v2.
func (s *schemeCase) request(tb testing.TB) *http.Request {
	tb.Helper()
	r := httptest.NewRequestWithContext(tb.Context(), http.MethodGet, s.url, nil)
	if s.accept != "" {
		r.Header.Set("Accept", s.accept)
	}
	return r
}
