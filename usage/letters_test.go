package usage_test

import (
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/source"
)

// TestLetterSaysWhere: a letter says where the version belongs, and never advises what the client does already.
func TestLetterSaysWhere(t *testing.T) {
	plain := verso.RouteInfo{Method: "GET", Pattern: "/users", Path: "/users"}
	inPath := verso.RouteInfo{Method: "GET", Pattern: "/{version}/users", Path: "/{version}/users"}
	for _, test := range []struct {
		name          string
		from          source.Source
		method, route string
		want          string
	}{
		{"header", verso.Header("Api-Version"), "GET", "/users", " GET /users: 1 request in 30 days, last on 21 Nov 2026. Use GET /users with Api-Version: v2."},
		{"query", verso.QueryParam("version"), "GET", "/users", " Use GET /users?version=v2."},
		{"media type", verso.MediaType("application/vnd.acme.{version}+json"), "GET", "/users", " Use GET /users with Accept: application/vnd.acme.v2+json."},
		{"the second of two", verso.First(verso.PathParam("version"), verso.Header("Api-Version")), "GET", "/users", " Use GET /users with Api-Version: v2."},
		{"path", verso.First(verso.PathParam("version"), verso.Header("Api-Version")), "GET", "/{version}/users", " Use GET /v2/users."},
		{"HEAD", verso.PathParam("version"), "HEAD", "/{version}/users", " HEAD /v1/users: 1 request in 30 days, last on 21 Nov 2026. Use HEAD /v2/users."},
		{"host", verso.HostLabel("{version}.example.com"), "GET", "/users", " GET /users: 1 request in 30 days, last on 21 Nov 2026."},
		{"not known", nil, "GET", "/users", " GET /users: 1 request in 30 days, last on 21 Nov 2026."},
		{"no such route", verso.Header("Api-Version"), "PUT", "/users", "last on 21 Nov 2026. No such route of v2 is known."},
	} {
		t.Run(test.name, func(t *testing.T) {
			table := newTable(lives(catalogue.Gone), noon)
			o := call("v1", "acme", test.route, noon)
			o.Method = test.method
			table.Observe(t.Context(), o)
			page := table.Handler(func() *verso.Explanation {
				return &verso.Explanation{Source: test.from, Routes: []verso.RouteInfo{plain, inPath}}
			})
			if got := ask(page, "GET", "/?letters=v1").Body.String(); !strings.Contains(got, test.want+`"}`) {
				t.Errorf("%s, want %s", got, test.want)
			}
		})
	}
}
