package adapter_test

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/internal/coretest"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/scheme"
)

// toNote is what a version registers routes with: "GET /users/:id".
type toNote func(described string, handler func() string)

// mountOf returns a RouteJoiner of a framework that can rename path parameters or not, and
// what it adds: for each route, the handlers by version.
func mountOf(renames bool) (m adapter.RouteJoiner[toNote, func() string], added map[string]map[string]string) {
	added = make(map[string]map[string]string)
	m.Record = func(register func(toNote), note func(route.Route, func() string)) {
		register(func(described string, handler func() string) {
			method, path, _ := strings.Cut(described, " ")
			note(route.Route{Method: method, Path: path, Pattern: route.Colons(path)}, handler)
		})
	}
	if renames {
		m.Rename = func(handler func() string, from, to []string) func() string {
			return func() string { return handler() + " of " + from[0] + " as " + to[0] }
		}
	}
	m.Add = func(first route.Route, handlers map[string]func() string) {
		says := make(map[string]string)
		for version, handler := range handlers {
			if says[version] = "removed"; handler != nil {
				says[version] = handler()
			}
		}
		added[first.Method+" "+first.Path] = says
	}
	return m, added
}

func TestMount(t *testing.T) {
	says := func(text string) func() string { return func() string { return text } }
	api := verso.Must(scheme.NewURLPath("version", coretest.With(coretest.List("v1", "v2", "v10", "v3"), func(c *verso.Config) { c.AllowUnversioned = true })))
	m, added := mountOf(true)
	err := m.Join(coretest.Bound(api), map[string]func(toNote){
		"v3": func(r toNote) { r("GET /report", says("three")) },
		"v2": func(r toNote) {
			r("GET /users/:name", says("two"))
			r("POST /users/:id", says("two"))
			r("PUT /any/:name", says("two"))
		},
		"v1": func(r toNote) {
			r("GET /users/:id", says("one"))
			r("GET /report", says("one"))
			r(" /any/:id", says("one"))
		},
		"": func(r toNote) { r("GET /users/:id", says("none")) },
	})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]map[string]string{
		"GET /users/:id":  {"v1": "one", "v2": "two of id as name", "v3": "removed", "": "none"},
		"GET /report":     {"v1": "one", "v2": "removed", "v3": "three"},
		"POST /users/:id": {"v2": "two", "v3": "removed"},
		" /any/:id":       {"v1": "one", "v2": "removed", "v3": "removed"},
		"PUT /any/:name":  {"v1": "one of name as id", "v2": "two", "v3": "removed"},
	}
	if !maps.EqualFunc(added, want, maps.Equal) {
		t.Errorf("%v, want %v", added, want)
	}
}

func TestMountErrors(t *testing.T) {
	listed := verso.Must(scheme.NewURLPath("version", coretest.List("v1", "v2")))
	one := func(r toNote) { r("GET /users/:id", func() string { return "" }) }
	framework := make(coretest.Others)
	var around *adapter.Binding
	for name, test := range map[string]struct {
		versions map[string]func(toNote)
		code     string
	}{
		"none":                 {nil, "dispatch_empty"},
		"nil first":            {map[string]func(toNote){"v1": nil, "v2": one}, "dispatch_empty"},
		"an unknown version":   {map[string]func(toNote){"v1": one, "v9": one}, "since_unknown"},
		"without a version":    {map[string]func(toNote){"v1": one, "": one}, "handler_unversioned"},
		"nothing":              {map[string]func(toNote){"v1": one, "v2": func(toNote) {}}, "mount_empty"},
		"a route twice":        {map[string]func(toNote){"v1": func(r toNote) { one(r); one(r) }}, "mount_twice"},
		"no handler":           {map[string]func(toNote){"v1": func(r toNote) { r("GET /a", nil) }}, "mount_nil"},
		"names":                {map[string]func(toNote){"v1": one, "v2": func(r toNote) { r("GET /users/:name", func() string { return "" }) }}, "mount_names"},
		"with the framework":   {map[string]func(toNote){"v1": func(r toNote) { one(r); framework["/b"] = true }}, "mount_escapes"},
		"all of it with that":  {map[string]func(toNote){"v1": func(toNote) { framework["/c"] = true }}, "mount_escapes"},
		"with what is around":  {map[string]func(toNote){"v1": func(r toNote) { one(r); coretest.Register(around, coretest.Users) }}, "mount_escapes"},
		"nothing but an error": {map[string]func(toNote){"v1": func(r toNote) { r("GET /a", nil); framework["/d"] = true }}, "mount_escapes"},
	} {
		t.Run(name, func(t *testing.T) {
			m, added := mountOf(false)
			var found *verso.Finding
			around = adapter.Bind(listed, framework)
			if err := m.Join(around, test.versions); !errors.As(err, &found) || found.Code != test.code {
				t.Errorf("%v, want %s", err, test.code)
			}
			if len(added) > 0 {
				t.Errorf("%v were added", added)
			}
		})
	}
}

// TestRoutesOfAnotherAPI: a router that lists the registrations of two APIs has routes that each of them does not check.
func TestRoutesOfAnotherAPI(t *testing.T) {
	api := verso.MustNew(verso.Header("Api-Version"), coretest.List("v1"))
	other := adapter.Bind(api, nil)
	theirs := coretest.Register(other, route.Route{Method: "GET", Pattern: route.Colons("/theirs")})
	listed := adapter.Listed{Route: route.Route{Method: "GET", Path: "/theirs", Pattern: route.Colons("/theirs")}, Registration: theirs}
	b := adapter.Bind(api, listing{foreign: []adapter.Listed{listed}})
	coretest.Register(b, route.Route{Method: "GET", Pattern: route.Colons("/own")})
	var unchecked []string
	for _, info := range b.Explain().Routes {
		if info.Unchecked {
			unchecked = append(unchecked, info.Pattern)
		}
	}
	if !slices.Equal(unchecked, []string{"/theirs"}) {
		t.Error(unchecked)
	}
}
