package adapter_test

import (
	"slices"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/internal/coretest"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/source"
)

// TestUncheckedOnAHostOfAVersion: what is on a host of a version is in that version.
func TestUncheckedOnAHostOfAVersion(t *testing.T) {
	for host, isTold := range map[string]bool{"v1.example.com": true, "v3.example.com": false, "admin.example.com": false, "": false} {
		b := adapter.Bind(verso.MustNew(verso.HostLabel(""), coretest.List("v1", "v2")), coretest.Listing{{Method: "GET", Host: host, Path: "/*", Pattern: route.Colons("/*")}})
		coretest.Register(b, coretest.Users)
		if got := slices.Contains(coretest.Findings(b.Explain()), "unchecked_versioned"); got != isTold {
			t.Errorf("%q: %v", host, got)
		}
	}
}

// TestUncheckedAtAPathOfVersions registers routes with the framework itself.
func TestUncheckedAtAPathOfVersions(t *testing.T) {
	users := route.Route{Method: "POST", Pattern: route.Colons("/users")}
	for name, test := range map[string]struct {
		source   source.Source
		path     string
		options  []verso.RouteOption
		checked  bool
		findings []string
	}{
		"a path parameter":              {verso.PathParam("version"), "/:version/a", nil, false, []string{"unchecked_versioned"}},
		"under a prefix":                {verso.PathPrefix("/{version}"), "/v1/a", nil, false, []string{"unchecked_versioned"}},
		"another method of a path":      {verso.Header("Api-Version"), "/users", nil, false, []string{"unchecked_versioned"}},
		"the text of a version":         {verso.PathParam("version"), "/v1/rooms/:id", nil, false, []string{"unchecked_versioned"}},
		"another name of the parameter": {verso.PathParam("version"), "/:v/rooms/:id", nil, false, []string{"unchecked_versioned"}},
		"the text of a coming version":  {verso.PathParam("version"), "/v3/rooms/:id", nil, false, []string{"unchecked_versioned"}},
		"the rest of a version":         {verso.PathParam("version"), "/v1/*", nil, false, []string{"unchecked_versioned"}},
		"parameters in a version":       {verso.PathParam("version"), "/v1/:any/:id", nil, false, []string{"unchecked_versioned"}},
		"the rest of a part of it":      {verso.PathParam("version"), "/v1/halls/*", nil, false, nil},
		"the rest of a lacking version": {verso.PathParam("version"), "/v1/news/*", nil, false, nil},
		"the rest of a later version":   {verso.PathParam("version"), "/v2/news/*", nil, false, []string{"unchecked_versioned"}},
		"the rest of a coming version":  {verso.PathParam("version"), "/v3/*", nil, false, nil},
		"a text beside a parameter":     {verso.PathParam("version"), "/:tenant/rooms/best", nil, false, []string{"unchecked_versioned"}},
		"a text beside a part":          {verso.PathParam("version"), "/at-v1/halls/best", nil, false, []string{"unchecked_versioned"}},
		"a text beside another part":    {verso.PathParam("version"), "/in-v1/halls/best", nil, false, nil},
		"the rest of none":              {verso.PathParam("version"), "/old/*", nil, false, nil},
		"the text of none":              {verso.PathParam("version"), "/old/rooms/:id", nil, false, nil},
		"a pattern that is not read":    {verso.Header("Api-Version"), "/files/*/of/*", nil, false, []string{"unchecked_versioned"}},
		"another path":                  {verso.Header("Api-Version"), "/health", nil, false, nil},
		"the path of a neutral route":   {verso.Header("Api-Version"), "/users", []verso.RouteOption{verso.Neutral()}, false, nil},
		"the same behind a middleware":  {verso.Header("Api-Version"), "/users", nil, true, nil},
		"a path parameter, and checked": {verso.PathParam("version"), "/:version/a", nil, true, nil},
	} {
		t.Run(name, func(t *testing.T) {
			b := adapter.Bind(verso.MustNew(test.source, coretest.List("v1", "v2")), coretest.Others{test.path: true})
			coretest.Register(b, users, test.options...)
			coretest.Register(b, route.Route{Method: "GET", Pattern: route.Colons("/:version/rooms/:id")})
			coretest.Register(b, route.Route{Method: "GET", Pattern: route.Colons("/:version/news/:id")}, verso.Since("v2"))
			coretest.Register(b, route.Route{Method: "GET", Pattern: route.Braces("/at-{version}/halls/{id}")})
			coretest.Register(b, route.Route{Method: "PUT", Pattern: route.Colons("/files/*/of/*")})
			if test.checked {
				b.NoteMiddleware(nil)
			}
			found := slices.DeleteFunc(coretest.Findings(b.Explain()), func(code string) bool { return code != "unchecked_versioned" })
			if !slices.Equal(found, test.findings) {
				t.Errorf("%v, want %v", found, test.findings)
			}
		})
	}
}

// TestUncheckedInAComingVersion has a prefix of the path, which has no parameter.
func TestUncheckedInAComingVersion(t *testing.T) {
	for path, isTold := range map[string]bool{"/api/v3/users": true, "/api/v3/rooms": false, "/v3/users": false, "/api/new/users": false} {
		b := adapter.Bind(verso.MustNew(verso.PathPrefix("/api/{version}"), coretest.List("v1", "v2")), coretest.Others{path: true})
		coretest.Register(b, route.Route{Method: "GET", Pattern: route.Colons("/api/v2/users")})
		if got := slices.Contains(coretest.Findings(b.Explain()), "unchecked_versioned"); got != isTold {
			t.Errorf("%q: %v", path, got)
		}
	}
}

// deep is a router in which a parameter at the end of a path takes deeper paths.
type deep struct{ coretest.Listing }

func (deep) LastTakesRest() bool { return true }

// inOrder is a router that takes the first route with a path.
type inOrder struct{ *coretest.Listing }

func (inOrder) TakesFirst() bool { return true }

// TestUncheckedInFrontOfVersions: what another route takes depends on the router.
func TestUncheckedInFrontOfVersions(t *testing.T) {
	for name, test := range map[string]struct {
		paths []string // of other code
		own   string
		of    func(l *coretest.Listing) adapter.Router
		isOf  bool
	}{
		"a last parameter, deeper":              {[]string{"/v1/:name"}, "/:version/rooms/:id", func(l *coretest.Listing) adapter.Router { return deep{*l} }, true},
		"a last parameter, continued":           {[]string{"/v1/:name", "/v1/:any/of/it"}, "/:version/rooms/:id", func(l *coretest.Listing) adapter.Router { return deep{*l} }, false},
		"a last parameter of one segment":       {[]string{"/v1/:name"}, "/:version/rooms/:id", func(l *coretest.Listing) adapter.Router { return *l }, false},
		"a last parameter in the version":       {[]string{"/:name"}, "/:version/rooms/:id", func(l *coretest.Listing) adapter.Router { return deep{*l} }, false},
		"first, parameters":                     {[]string{"/:any/v1"}, "/api/:version", func(l *coretest.Listing) adapter.Router { return inOrder{l} }, true},
		"first, parameters, in a version alone": {[]string{"/:any/v9"}, "/api/:version", func(l *coretest.Listing) adapter.Router { return inOrder{l} }, false},
		"first, a parameter behind other text":  {[]string{"/x:any/rooms"}, "/:version/rooms", func(l *coretest.Listing) adapter.Router { return inOrder{l} }, false},
		"first, a parameter behind the text":    {[]string{"/v:any/rooms"}, "/:version/rooms", func(l *coretest.Listing) adapter.Router { return inOrder{l} }, true},
		"first, the rest":                       {[]string{"/:any/v1/*"}, "/api/:version/rooms", func(l *coretest.Listing) adapter.Router { return inOrder{l} }, true},
		"first, another path":                   {[]string{"/:any/v1/halls"}, "/api/:version/rooms", func(l *coretest.Listing) adapter.Router { return inOrder{l} }, false},
		"first, a shorter path":                 {[]string{"/:any"}, "/api/:version", func(l *coretest.Listing) adapter.Router { return inOrder{l} }, false},
		"first, all paths":                      {[]string{"/*"}, "/:version/rooms", func(l *coretest.Listing) adapter.Router { return inOrder{l} }, false},
		"later":                                 {[]string{"/api/:version", "/:any/v1"}, "/api/:version", func(l *coretest.Listing) adapter.Router { return inOrder{l} }, false},
	} {
		var all coretest.Listing
		for _, path := range append(test.paths, test.own) {
			all = append(all, route.Route{Method: "GET", Path: path, Pattern: route.Colons(path)})
		}
		b := adapter.Bind(verso.MustNew(verso.PathParam("version"), coretest.List("v1", "v2")), test.of(&all))
		coretest.Register(b, route.Route{Method: "GET", Path: test.own, Pattern: route.Colons(test.own)})
		if got := slices.Contains(coretest.Findings(b.Explain()), "unchecked_versioned"); got != test.isOf {
			t.Errorf("%s: %v", name, got)
		}
	}
}
