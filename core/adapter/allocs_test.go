package adapter_test

import (
	"fmt"
	"net/http/httptest"
	"testing"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/internal/coretest"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/scheme"
	"github.com/goverso/verso/core/source"
)

// served is a configured service and a request for a version that it serves.
type served struct {
	name string
	api  *verso.Versioning
	ask  coretest.Ask
}

// everySource are services that read the version in every way, with the given
// configuration of the versions v1 to v3.
func everySource(config verso.Config) (all []served) {
	for name, s := range coretest.Sources() {
		all = append(all, served{name, verso.MustNew(s.Source, config), s.Ask("v2")})
	}
	nested := func(sources ...source.Source) source.Source {
		return verso.First(verso.Agree(sources[0], sources[1]), sources[2])
	}
	return append(all,
		served{"first of three, in the second", verso.MustNew(coretest.Three(verso.First), config), coretest.InTwo("v2")},
		served{"first of three, in the last", verso.MustNew(coretest.Three(verso.First), config), coretest.Field("v2")},
		served{"agreement of three", verso.MustNew(coretest.Three(verso.Agree), config), coretest.InTwo("v2")},
		served{"nested", verso.MustNew(coretest.Three(nested), config), coretest.InTwo("v2")},
	)
}

func TestDetermineAllocs(t *testing.T) {
	strict := func(c *verso.Config) {
		c.Strict = verso.Strict()
		c.Strict.AllowedHosts = []string{"example.com"}
	}
	usual := coretest.WithDefault("v1", "v2", "v3")
	var many []string
	for i := range 1000 {
		many = append(many, fmt.Sprintf("v%d", i+1))
	}
	for name, config := range map[string]verso.Config{
		"usual": usual, "strict": coretest.With(usual, strict), "1,000 versions": coretest.WithDefault(many...),
	} {
		for _, s := range everySource(config) {
			t.Run(name+"/"+s.name, func(t *testing.T) {
				if s.ask.Host == "" {
					s.ask.Host = "v2.example.com:8080"
				}
				r, want := s.ask.Request(), 0.0
				if s.name == "pattern" {
					want = 1 // package regexp has no search without it
				}
				if got := coretest.Outcome(s.api, r); got != "= v2" {
					t.Fatal(got)
				}
				if got := beginAllocs(t, coretest.Bound(s.api), r); got != want {
					t.Errorf("Begin allocates %v times, want %v", got, want)
				}
			})
		}
	}
}

// A request without a version, and one that is refused no version, are served as
// cheaply; so is a preflight, a neutral route, and the default where every
// version is served.
func TestDetermineAllocsWithoutAVersion(t *testing.T) {
	open := verso.Must(scheme.NewQueryParameter("version", verso.Config{AnyVersion: true, DefaultVersion: verso.V("v2")}))
	first := verso.MustNew(coretest.Three(verso.First), coretest.WithDefault("v1", "v2"))
	neutral := verso.Must(scheme.NewURLPath("version", coretest.WithDefault("v1", "v2")))
	for name, s := range map[string]served{
		"default":              {api: verso.Must(scheme.NewURLPath("version", coretest.WithDefault("v1", "v2")))},
		"default of an open":   {api: open},
		"named by the default": {api: open, ask: coretest.Query("version=v2")},
		"default of three":     {api: first},
		"preflight":            {api: first, ask: coretest.Preflight(nil)},
		"neutral":              {api: neutral},
	} {
		b := coretest.Bound(s.api)
		if name == "neutral" {
			s.ask.Route = coretest.Registered(b, verso.Neutral())
		}
		if got := beginAllocs(t, b, s.ask.Request()); got != 0 {
			t.Errorf("%s: Begin allocates %v times, want 0", name, got)
		}
	}
}

// beginAllocs returns how often a check allocates, which has its call on the stack.
func beginAllocs(t *testing.T, b *adapter.Binding, r source.Request) float64 {
	t.Helper()
	w, c, seam := httptest.NewRecorder(), new(coretest.Checked), coretest.SeamOf(b)
	next := func(c *coretest.Checked) { c.Fields.Set(w.Header()) }
	return testing.AllocsPerRun(100, func() {
		clear(w.Header())
		*c = coretest.Checked{}
		var call adapter.Call
		call.Request = r
		if _ = seam.Check(c, &call, next); c.Err != nil {
			t.Fatal(c.Err)
		}
	})
}

func TestAllocsOverTime(t *testing.T) {
	b := coretest.Bound(verso.Must(scheme.NewURLPath("version", coretest.SixFields())))
	fields := 0
	count := func(catalogue.Field, adapter.FieldMode) { fields++ }
	counting := func(c *coretest.Checked) { c.Fields.Each(count) }
	pick, option, err := adapter.Picker(verso.Handlers[func(*coretest.Checked)]{"v1": counting, "v2": func(*coretest.Checked) { t.Error("the handler of v2") }}, b)
	if err != nil {
		t.Fatal(err)
	}
	c, seam := new(coretest.Checked), coretest.SeamOf(b)
	dispatching := coretest.Register(b, route.Route{Pattern: route.Colons("/:version/a")}, option).Route()
	since := coretest.Registered(b, verso.Since("v1"), verso.DeprecatedAt(coretest.Date(2026, 1, 1)))
	for name, matched := range map[string]*route.Route{"no options": nil, "since": since, "dispatching": dispatching} {
		r := coretest.Ask{Params: map[string]string{"version": "v1"}, Route: matched}.Request()
		if got := testing.AllocsPerRun(100, func() {
			fields = 0
			*c = coretest.Checked{}
			var call adapter.Call
			call.Request = r
			if matched == dispatching {
				_ = seam.HandleVersions(c, &call, pick)
			} else {
				_ = seam.Check(c, &call, counting)
			}
			if c.Err != nil {
				t.Fatal(c.Err)
			}
		}); got != 0 {
			t.Errorf("%s: a check allocates %v times, want 0", name, got)
		}
		if fields != 6 {
			t.Errorf("%s: %d fields, want 6", name, fields)
		}
	}
}

// succeeded is a route whose responses have a successor link, and a request to it.
type succeeded struct {
	source source.Source
	ask    coretest.Ask
	routes []route.Route // the first is that of the request, the last that of the link
	allocs float64       // that a link may take
}

func successors() map[string]succeeded {
	user := func(name, path string) route.Route {
		return route.Route{Method: "GET", Name: name, Pattern: route.Colons(path)}
	}
	id := map[string]string{"id": "7"}
	return map[string]succeeded{
		"path":      {verso.PathParam("version"), coretest.Ask{Params: map[string]string{"version": "v1", "id": "7"}}, []route.Route{user("", "/:version/users/:id")}, 2},
		"prefix":    {verso.PathPrefix("/{version}"), coretest.Ask{Params: id}, []route.Route{user("", "/v1/users/:id"), user("", "/v2/users/:id")}, 2},
		"namespace": {verso.Namespace(), coretest.Ask{Params: id}, []route.Route{user("v1:user", "/v1/users/:id"), user("v2:user", "/v2/users/:id")}, 2},
		"host":      {verso.HostLabel(""), coretest.Ask{Host: "v1.example.com", Params: id}, []route.Route{user("", "/users/:id")}, 4},
		"query":     {verso.QueryParam("version"), coretest.Ask{Query: "version=v1", Params: id}, []route.Route{user("", "/users/:id")}, 2},
	}
}

// bind binds a service whose v1 is deprecated.
func (s succeeded) bind(links bool) (*adapter.Binding, coretest.Ask) {
	b := coretest.Bound(verso.MustNew(s.source, verso.Config{
		Clock: func() time.Time { return coretest.Date(2026, 11, 21) },
		Catalogue: catalogue.MustNew(catalogue.Config{
			Versions:       []catalogue.Entry{{Version: "v1", Deprecated: coretest.Date(2026, 1, 1), Sunset: coretest.Date(2027, 1, 1), Successor: "v2"}, {Version: "v2"}},
			SuccessorLinks: links,
		}),
	}))
	var first *adapter.Registration
	for _, r := range s.routes {
		if added := coretest.Register(b, r); first == nil {
			first = added
		}
	}
	s.ask.Route = first.Route()
	return b, s.ask
}

// A successor link allocates its text and its field, and nothing else, unless the version
// moves the host.
func TestSuccessorLinkAllocs(t *testing.T) {
	for name, s := range successors() {
		without, plain := s.bind(false)
		with, linked := s.bind(true)
		if got := successorIn(t, with, linked); got == "" {
			t.Errorf("%s: no link", name)
		}
		if got := beginAllocs(t, with, linked.Request()) - beginAllocs(t, without, plain.Request()); got > s.allocs {
			t.Errorf("%s: a successor link allocates %v times, want at most %v", name, got, s.allocs)
		}
	}
}

// A link allocates the text of the URL, and nothing else.
func TestLinkAllocs(t *testing.T) {
	routes := []route.Route{
		{Name: "user", Pattern: route.Colons("/:version/users/:id")}, {Name: "v2:user", Pattern: route.Colons("/v2/users/:id")},
		{Name: "user", Pattern: route.Colons("/users/:id")}, {Name: "list", Pattern: route.Colons("/users")},
	}
	positional, by := verso.Target{Name: "user", Args: []any{"7"}}, verso.Target{Name: "user", Params: verso.Params{"id": "7"}}
	for _, test := range []struct {
		name   string
		source source.Source
		ask    coretest.Ask
		target verso.Target
	}{
		{"header, no parameter", verso.Header("Api-Version"), coretest.Field("v2"), verso.Target{Name: "list"}},
		{"header, positional", verso.Header("Api-Version"), coretest.Field("v2"), positional},
		{"header, named", verso.Header("Api-Version"), coretest.Field("v2"), by},
		{"path, named", verso.PathParam("version"), coretest.In("v2"), by},
		{"namespace, positional", verso.Namespace(), coretest.Named("v2:x"), positional},
		{"namespace, named", verso.Namespace(), coretest.Named("v2:x"), by},
		{"query, positional", verso.QueryParam("version"), coretest.Query("version=v2"), positional},
		{"query, named", verso.QueryParam("version"), coretest.Query("version=v2"), by},
		{"host, named", verso.HostLabel(""), coretest.Host("v2.example.com"), by},
		{"first of three, named", coretest.Three(verso.First), coretest.InTwo("v2"), by},
	} {
		t.Run(test.name, func(t *testing.T) {
			api := coretest.Bound(verso.MustNew(test.source, coretest.List("v1", "v2")), routes...)
			if test.ask.Host == "" {
				test.ask.Host = "example.com"
			}
			r := test.ask.Request()
			api.Lookup("", "", "") // a request has come, so the routes are kept
			result, _ := coretest.Decided(t, api, r)
			var err error
			var built string
			got := testing.AllocsPerRun(100, func() {
				if built, err = adapter.LinkFor(result, r, test.target); err != nil {
					t.Fatal(err)
				}
			})
			if got != 1 {
				t.Errorf("%s: Link allocates %v times, want 1", built, got)
			}
		})
	}
}
