package adapter_test

import (
	"slices"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/internal/coretest"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/source"
)

// listing is a router that lists routes of other code, and its own NotFound.
type listing struct {
	adapter.Router

	foreign []adapter.Listed
	own     []*route.Route
	taken   []*route.Route
}

func (l listing) Routes() []adapter.Listed    { return l.foreign }
func (l listing) OwnNotFound() []*route.Route { return l.own }

func (l listing) TakenNotFound() []*route.Route { return l.taken }

func TestNotFoundHidden(t *testing.T) {
	inPath, prefix, header := verso.PathParam("version"), verso.PathPrefix("/api/{version}"), verso.Header("Api-Version")
	for _, test := range []struct {
		name          string
		from          source.Source
		method, page  string
		neutral       bool
		routes        []string // with versions
		action        catalogue.Action
		found, ownToo bool
	}{
		{"a page for every path", inPath, "GET", "/*", false, []string{"/api/:version/users"}, catalogue.Gone, true, true},
		{"of any method", inPath, "", "/*rest", false, []string{"/api/:version/users"}, catalogue.Gone, true, true},
		{"that is Neutral", inPath, "GET", "/*", true, []string{"/api/:version/users"}, catalogue.Gone, true, false},
		{"below the same prefix", inPath, "GET", "/api/*", false, []string{"/api/:version/users"}, catalogue.Gone, true, true},
		{"beside a prefix", prefix, "GET", "/*", false, []string{"/api/v1/users"}, catalogue.Gone, true, true},
		{"beside a header", header, "GET", "/*", false, []string{"/users"}, catalogue.Gone, true, true},
		{"of the path of a route", header, "GET", "/users/*", false, []string{"/users/:id"}, catalogue.Gone, true, true},
		{"a page beside", inPath, "GET", "/ui/*", false, []string{"/api/:version/users"}, catalogue.Gone, false, false},
		{"a page beside, by a header", header, "GET", "/ui/*", false, []string{"/users"}, catalogue.Gone, false, false},
		{"one path", inPath, "GET", "/:page", false, []string{"/api/:version/users"}, catalogue.Gone, false, false},
		{"below a version", inPath, "GET", "/api/:version/users/*", true, []string{"/api/:version/users"}, catalogue.Gone, false, false},
		{"of another method", inPath, "POST", "/*", false, []string{"/api/:version/users"}, catalogue.Gone, false, false},
		{"with a route for all paths below the API", inPath, "GET", "/*", false, []string{"/api/:version/users", "/api/:version/*"}, catalogue.Gone, false, false},
		{"with such routes below prefixes", prefix, "GET", "/*", false, []string{"/api/v1/users", "/api/v1/*"}, catalogue.Gone, false, false},
		{"without an end", inPath, "GET", "/*", false, []string{"/api/:version/users"}, "", false, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			page := route.Route{Method: test.method, Path: test.page, Pattern: route.Colons(test.page)}
			findings := func(router listing) bool {
				b := adapter.Bind(verso.MustNew(test.from, verso.Config{Catalogue: catalogue.MustNew(catalogue.Config{
					Versions:    []catalogue.Entry{{Version: "v1", Sunset: catalogue.MustDate("2099-01-01")}, {Version: "v2"}},
					AfterSunset: test.action,
				})}), router)
				for _, pattern := range test.routes {
					coretest.Register(b, route.Route{Method: "GET", Pattern: route.Colons(pattern)})
				}
				if test.neutral {
					coretest.Register(b, page, verso.Neutral())
				}
				return slices.ContainsFunc(b.Explain().Findings, func(f verso.Finding) bool { return f.Code == "not_found_hidden" })
			}
			router := listing{}
			if !test.neutral {
				router.foreign = []adapter.Listed{{Route: page}}
			}
			if got := findings(router); got != test.found {
				t.Errorf("found %v, want %v", got, test.found)
			}
			for of, router := range map[string]listing{"own": {own: []*route.Route{&page}}, "taken": {taken: []*route.Route{&page}}} {
				if got := findings(router); !test.neutral && got != test.ownToo {
					t.Errorf("as the router's %s: found %v, want %v", of, got, test.ownToo)
				}
			}
		})
	}
}

// TestNotFoundTakenInAVersion: what answers for paths of versions that no route has answers in unlisted ones, too.
func TestNotFoundTakenInAVersion(t *testing.T) {
	for path, isTold := range map[string]bool{"/:version/*": true, "/*": false, "/ui/*": false} {
		own := route.Route{Path: path, Pattern: route.Colons(path)}
		b := adapter.Bind(verso.MustNew(verso.PathParam("version"), coretest.List("v1")), listing{taken: []*route.Route{&own}})
		coretest.Register(b, route.Route{Method: "GET", Pattern: route.Colons("/:version/users")})
		if got := slices.Contains(coretest.Findings(b.Explain()), "not_found_hidden"); got != isTold {
			t.Errorf("%s: %v", path, got)
		}
	}
}
