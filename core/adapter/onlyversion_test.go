package adapter_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/internal/coretest"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/source"
)

// A route that is in the place of a version is in that version only, and one
// without a place in the default version only.
func TestRoutesInThePlaceOfAVersion(t *testing.T) {
	config := verso.Config{AllowedVersions: []string{"v1", "v2", "v3"}}
	withDefault, unversioned, strict := config, config, config
	withDefault.DefaultVersion = verso.V("v1")
	unversioned.AllowUnversioned = true
	strict.DefaultVersion, strict.Strict.RefuseUnversioned = verso.V("v1"), true
	moved := verso.Config{DefaultVersion: verso.V("v1"), AfterDefaultSunset: verso.MoveUnversioned}
	moved.Catalogue = catalogue.MustNew(catalogue.Config{
		Versions:    []catalogue.Entry{{Version: "v1", Sunset: time.Unix(1, 0)}, {Version: "v2"}, {Version: "v3"}},
		AfterSunset: catalogue.Gone, ServedHeader: "Api-Version",
	})
	open := verso.Config{AnyVersion: true, DefaultVersion: verso.V("v1")}
	const all = "v1 v2 v3"
	namespaced := func(name string) route.Route { return route.Route{Name: name, Path: "/users"} }
	at := func(path string) route.Route { return route.Route{Path: path} }
	on := func(host string) route.Route { return route.Route{Host: host, Path: "/users"} }
	prefix, header := verso.PathPrefix("/api/{version}"), verso.Header("Api-Version")
	for name, test := range map[string]struct {
		source  source.Source
		config  verso.Config
		route   route.Route
		options []verso.RouteOption
		in      string // the versions
		text    string // on the line of the route
	}{
		"namespace":                {verso.Namespace(), config, namespaced("v2:users"), nil, "v2", "in v2"},
		"nested namespace":         {verso.Namespace(), config, namespaced("api:v2:users"), nil, "v2", "in v2"},
		"unknown namespace":        {verso.Namespace(), config, namespaced("v9:users"), nil, "", "in no version"},
		"any namespace":            {verso.Namespace(), open, namespaced("v2:users"), nil, "v2", "in v2"},
		"no namespace":             {verso.Namespace(), withDefault, namespaced("users"), nil, "v1", "in v1"},
		"no namespace, strict":     {verso.Namespace(), strict, namespaced("users"), nil, "", "in no version"},
		"namespace and since":      {verso.Namespace(), config, namespaced("v2:users"), []verso.RouteOption{verso.Since("v3")}, "", "in no version"},
		"namespace and removed":    {verso.Namespace(), config, namespaced("v2:users"), []verso.RouteOption{verso.RemovedIn("v3")}, "v2", "in v2"},
		"prefix":                   {prefix, config, at("/api/v2/users"), nil, "v2", "in v2"},
		"unknown prefix":           {verso.PathPrefix("/v{version}"), coretest.List("1", "2"), at("/v9/users"), nil, "", "in no version"},
		"no prefix":                {prefix, withDefault, at("/api/users"), nil, "v1", "in v1"},
		"no prefix, default moved": {prefix, moved, at("/api/users"), nil, "v2", "in v2"},
		"no prefix, no default":    {prefix, config, at("/api/users"), nil, "", "in no version"},
		"no prefix, no version":    {prefix, unversioned, at("/api/users"), nil, "", "in no version"},
		"each version":             {prefix, config, route.Route{Path: "/api/v1/users", RegisteredPath: "/api/users"}, nil, all, ""},
		"prefix or header":         {verso.First(prefix, header), config, at("/api/users"), nil, all, ""},
		"path parameter":           {verso.PathParam("version"), config, at("/:version/users"), nil, all, ""},
		"no path parameter":        {verso.PathParam("version"), withDefault, at("/users"), nil, "v1", "in v1"},
		"no path parameter, neutral": {
			verso.PathParam("version"), withDefault, at("/users"), []verso.RouteOption{verso.Neutral()}, all, "neutral",
		},
		"host":           {verso.HostLabel(""), config, on("v2.example.com"), nil, "v2", "in v2"},
		"unknown host":   {verso.HostLabel(""), config, on("v9.example.com"), nil, "", "in no version"},
		"any host":       {verso.HostLabel(""), config, on(""), nil, all, ""},
		"another host":   {verso.HostLabel(""), config, on("localhost"), nil, all, ""},
		"host, by field": {header, config, on("v2.example.com"), nil, all, ""},
		"header, since":  {header, config, at("/users"), []verso.RouteOption{verso.Since("v2")}, "v2 v3", "since v2"},
	} {
		t.Run(name, func(t *testing.T) {
			binding := adapter.Bind(verso.MustNew(test.source, test.config), coretest.Listing{})
			test.route.Method, test.route.Pattern = "GET", route.Colons(test.route.Path)
			if _, err := binding.Add(test.route, test.options...); err != nil {
				t.Fatal(err)
			}
			info := binding.Explain().Routes[0]
			var in []string
			for version := range strings.SplitSeq(all, " ") {
				if info.InVersion(version) {
					in = append(in, version)
				}
			}
			if got := strings.Join(in, " "); got != test.in {
				t.Errorf("in %q, want %q", got, test.in)
			}
			if !strings.HasSuffix(info.String(), strings.TrimSpace(test.text)) {
				t.Errorf("%q, want %q", info, test.text)
			}
		})
	}
}

func TestPathOfARouteInfo(t *testing.T) {
	for name, test := range map[string]struct {
		source source.Source
		route  route.Route
		want   string
	}{
		"colons":            {verso.Header("Api-Version"), route.Route{Pattern: route.Colons("/users/:id/files/*path")}, "/users/{id}/files/{+path}"},
		"braces":            {verso.Header("Api-Version"), route.Route{Pattern: route.Braces("/users/{id}/files/{path...}")}, "/users/{id}/files/{+path}"},
		"path parameter":    {verso.PathParam("version"), route.Route{Pattern: route.Colons("/:version/users")}, "/{version}/users"},
		"prefix":            {verso.PathPrefix("/api/v{version}"), route.Route{Pattern: route.Colons("/api/v1/users")}, "/api/v1/users"},
		"each, prefixed":    {verso.PathPrefix("/api/v{version}"), route.Route{RegisteredPath: "/api/users", Pattern: route.Colons("/api/v1/users")}, "/api/v{version}/users"},
		"each, unprefixed":  {verso.PathPrefix("/api/v{version}"), route.Route{RegisteredPath: "/api/users", Pattern: route.Colons("/api/users")}, "/api/v{version}/users"},
		"each, at the root": {verso.PathPrefix("/{version}"), route.Route{RegisteredPath: "/:id", Pattern: route.Colons("/1/:id")}, "/{version}/{id}"},
		"not understood":    {verso.Header("Api-Version"), route.Route{Pattern: route.Colons("/a:b:c")}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			binding := adapter.Bind(verso.MustNew(test.source, verso.Config{AllowedVersions: []string{"1", "2"}}), coretest.Listing{})
			test.route.Path = test.route.Pattern.String()
			if _, err := binding.Add(test.route); err != nil {
				t.Fatal(err)
			}
			if got := binding.Explain().Routes[0].Path; got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}

// All paths that EachVersion has made are listed, a line each.
func TestExplainForms(t *testing.T) {
	b := coretest.Bound(verso.MustNew(verso.PathPrefix("/api/{version}"), coretest.WithDefault("v1", "v2")))
	add := func(r route.Route, as string, options ...verso.RouteOption) {
		for _, form := range verso.Must(b.Forms(as, options...)) {
			r.RegisteredPath, r.Pattern = as, route.Colons(form)
			coretest.Register(b, r, options...)
		}
	}
	add(route.Route{Method: "GET"}, "/api/admin/export")
	add(route.Route{Method: "GET"}, "/api/search", verso.Since("v2"))
	for _, method := range []string{"GET", "POST"} {
		add(route.Route{Method: method, AnyMethod: true, Host: "a.com"}, "/api/files")
	}
	coretest.Register(b, route.Route{Method: "GET", Pattern: route.Colons("/api/v2/own")})
	_, routes, _ := strings.Cut(b.Explain().String(), "Routes\n")
	if want := `  GET     /api/admin/export
            /api/admin/export
            /api/v1/admin/export
            /api/v2/admin/export
  GET     /api/{version}/search                                         since v2
            /api/v2/search
          a.com/api/files
            a.com/api/files
            a.com/api/v1/files
            a.com/api/v2/files
  GET     /api/v2/own                                                   in v2
`; routes != want {
		t.Errorf("explained\n%s, want\n%s", routes, want)
	}
}

// Routes for any method are one, however many the router has.
func TestExplainAnyMethod(t *testing.T) {
	binding := adapter.Bind(verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1"}}), coretest.Listing{})
	for _, method := range []string{"GET", "POST", "PUT"} {
		_, err := binding.Add(route.Route{Method: method, Path: "/files", Pattern: route.Colons("/files"), AnyMethod: true})
		if err != nil {
			t.Fatal(err)
		}
	}
	if routes := binding.Explain().Routes; len(routes) != 1 || routes[0].Method != "" {
		t.Errorf("explained %v", routes)
	}
}

// TestHandlersOfOneVersion registers handlers where all requests have one version.
func TestHandlersOfOneVersion(t *testing.T) {
	versions := coretest.With(coretest.List("v1", "v2"), func(c *verso.Config) { c.DefaultVersion = verso.V("v1") })
	moves := verso.Config{
		Catalogue:      catalogue.MustParse([]byte(`{"served_header": "X-Served", "versions": [{"version": "v1"}, {"version": "v2"}]}`)),
		DefaultVersion: verso.V("v1"), AfterDefaultSunset: verso.MoveUnversioned,
	}
	both, first, second := []string{"v1", "v2"}, []string{"v1"}, []string{"v2"}
	prefix, space, header := verso.PathPrefix("/{version}"), verso.Namespace(), verso.Header("Api-Version")
	for name, test := range map[string]struct {
		source source.Source
		config verso.Config
		r      route.Route
		from   []string
		ok     bool
	}{
		"a header":                {header, versions, route.Route{Pattern: route.Colons("/a")}, both, true},
		"a path parameter":        {verso.PathParam("version"), versions, route.Route{Pattern: route.Colons("/:version/a")}, both, true},
		"no path parameter":       {verso.PathParam("version"), versions, route.Route{Pattern: route.Colons("/a")}, both, false},
		"under a prefix":          {prefix, versions, route.Route{Pattern: route.Colons("/v1/a")}, both, false},
		"in a namespace":          {space, versions, route.Route{Name: "v1:", Pattern: route.Colons("/a")}, both, false},
		"in no namespace":         {space, versions, route.Route{Pattern: route.Colons("/a")}, both, false},
		"its own version alone":   {prefix, versions, route.Route{Pattern: route.Colons("/v1/a")}, first, true},
		"another version alone":   {prefix, versions, route.Route{Pattern: route.Colons("/v1/a")}, second, false},
		"a form of EachVersion":   {prefix, versions, route.Route{RegisteredPath: "/a", Pattern: route.Colons("/v1/a")}, both, true},
		"a namespace or a header": {verso.First(header, space), versions, route.Route{Name: "v1:", Pattern: route.Colons("/a")}, both, true},
		"where the default moves": {prefix, moves, route.Route{Pattern: route.Colons("/a")}, both, true},
		"outside of a prefix":     {prefix, versions, route.Route{Pattern: route.Colons("/a")}, both, false},
	} {
		t.Run(name, func(t *testing.T) {
			handlers := make(verso.Handlers[func()])
			for _, version := range test.from {
				handlers[version] = func() {}
			}
			b := coretest.Bound(verso.MustNew(test.source, test.config))
			_, option, err := adapter.Picker(handlers, b)
			if err != nil {
				t.Fatal(err)
			}
			test.r.Path = test.r.Pattern.String()
			var found *verso.Finding
			if _, err = b.Add(test.r, option); errors.As(err, &found) == test.ok || !test.ok && found.Code != "route_one_version" {
				t.Error(err)
			}
		})
	}
}

// TestForms: EachVersion makes no path for a version before the first that has the route,
// unless a request to that path can have another version.
func TestForms(t *testing.T) {
	dated := func(action catalogue.Action, after verso.AfterDefaultSunset) verso.Config {
		return verso.Config{DefaultVersion: verso.V("v1"), AfterDefaultSunset: after, Catalogue: catalogue.MustNew(catalogue.Config{
			Versions:    []catalogue.Entry{{Version: "v1", Sunset: time.Unix(1, 0)}, {Version: "v2"}, {Version: "v3"}},
			AfterSunset: action, ServedHeader: "Api-Version",
		})}
	}
	all, later := "/api/x /api/v1/x /api/v2/x /api/v3/x", "/api/v2/x /api/v3/x"
	prefix, plain := verso.PathPrefix("/api/{version}"), coretest.WithDefault("v1", "v2", "v3")
	for name, test := range map[string]struct {
		source  source.Source
		config  verso.Config
		options []verso.RouteOption
		want    string
	}{
		"no options":              {prefix, plain, nil, all},
		"since the first":         {prefix, plain, []verso.RouteOption{verso.Since("v1")}, all},
		"since":                   {prefix, plain, []verso.RouteOption{verso.Since("v2")}, later},
		"since the last":          {prefix, plain, []verso.RouteOption{verso.Since("v3")}, "/api/v3/x"},
		"since, no default":       {prefix, coretest.List("v1", "v2", "v3"), []verso.RouteOption{verso.Since("v2")}, later},
		"since, a later default":  {prefix, coretest.With(plain, func(c *verso.Config) { c.DefaultVersion = verso.V("v2") }), []verso.RouteOption{verso.Since("v2")}, "/api/x " + later},
		"removed":                 {prefix, plain, []verso.RouteOption{verso.RemovedIn("v2")}, all},
		"since and removed":       {prefix, plain, []verso.RouteOption{verso.Since("v2"), verso.RemovedIn("v3")}, later},
		"neutral":                 {prefix, plain, []verso.RouteOption{verso.Neutral()}, all},
		"since, or a header":      {verso.First(prefix, verso.Header("Api-Version")), plain, []verso.RouteOption{verso.Since("v2")}, "/api/x " + later},
		"since, and a header":     {verso.Agree(verso.Header("Api-Version"), prefix), plain, []verso.RouteOption{verso.Since("v2")}, "/api/x " + later},
		"since, embedded or":      {struct{ source.Source }{verso.First(prefix, verso.Header("Api-Version"))}, plain, []verso.RouteOption{verso.Since("v2")}, "/api/x " + later},
		"since, embedded and":     {struct{ source.Source }{verso.Agree(verso.Header("Api-Version"), prefix)}, plain, []verso.RouteOption{verso.Since("v2")}, "/api/x " + later},
		"since, a header first":   {verso.First(verso.Header("Api-Version"), prefix), plain, []verso.RouteOption{verso.Since("v2")}, all},
		"since, default ends":     {prefix, dated(catalogue.Gone, verso.RejectUnversioned), []verso.RouteOption{verso.Since("v2")}, later},
		"since, default moves":    {prefix, dated(catalogue.Gone, verso.MoveUnversioned), []verso.RouteOption{verso.Since("v2")}, all},
		"since, v1 falls forward": {prefix, dated(catalogue.FallForward, ""), []verso.RouteOption{verso.Since("v3")}, "/api/x /api/v1/x /api/v2/x /api/v3/x"},
	} {
		t.Run(name, func(t *testing.T) {
			forms, err := coretest.Bound(verso.MustNew(test.source, test.config)).Forms("/api/x", test.options...)
			if got := strings.Join(forms, " "); got != test.want || err != nil {
				t.Errorf("%q, %v, want %q", got, err, test.want)
			}
		})
	}
	var mistake *verso.Finding
	if _, err := coretest.Bound(verso.MustNew(prefix, plain)).Forms("/api/x", verso.Since("v9")); !errors.As(err, &mistake) {
		t.Errorf("an unknown version: %v", err)
	}
}

// A first segment that is a parameter is refused only where a route without a version competes with it.
func TestFormsOfAParameter(t *testing.T) {
	prefix := verso.PathPrefix("/api/{version}")
	for name, test := range map[string]struct {
		source source.Source
		config verso.Config
		path   string
		want   string // the forms, or the code of the mistake
	}{
		"without a default": {prefix, coretest.List("v1", "v2"), "/api/:kind/:id", "/api/v1/:kind/:id /api/v2/:kind/:id"},
		"with a default":    {prefix, coretest.WithDefault("v1", "v2"), "/api/:kind/:id", "prefix_parameter"},
		"an escaped colon":  {prefix, coretest.WithDefault("v1"), `/api/\:kind`, `/api/\:kind /api/v1/\:kind`},
	} {
		forms, err := coretest.Bound(verso.MustNew(test.source, test.config)).Forms(test.path)
		got := strings.Join(forms, " ")
		if mistake := (*verso.Finding)(nil); errors.As(err, &mistake) {
			got = mistake.Code
		}
		if got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}
