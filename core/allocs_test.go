package verso_test

import (
	"fmt"
	"net/http/httptest"
	"testing"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/scheme"
	"github.com/goverso/verso/core/source"
	"github.com/goverso/verso/core/versotest"
)

// served is a configured service and a request for a version that it serves.
type served struct {
	name string
	api  *verso.Versioning
	ask  ask
}

// everySource are services that read the version in every way, with the given
// configuration of the versions v1 to v3.
func everySource(config verso.Config) (all []served) {
	for name, s := range sources() {
		all = append(all, served{name, verso.MustNew(s.source, config), s.ask("v2")})
	}
	nested := func(sources ...source.Source) source.Source {
		return verso.First(verso.Agree(sources[0], sources[1]), sources[2])
	}
	return append(all,
		served{"first of three, in the second", verso.MustNew(three(verso.First), config), inTwo("v2")},
		served{"first of three, in the last", verso.MustNew(three(verso.First), config), field("v2")},
		served{"agreement of three", verso.MustNew(three(verso.Agree), config), inTwo("v2")},
		served{"nested", verso.MustNew(three(nested), config), inTwo("v2")},
	)
}

func TestDetermineAllocs(t *testing.T) {
	strict := func(c *verso.Config) {
		c.Strict = verso.Strict()
		c.Strict.AllowedHosts = []string{"example.com"}
	}
	usual := withDefault("v1", "v2", "v3")
	var many []string
	for i := range 1000 {
		many = append(many, fmt.Sprintf("v%d", i+1))
	}
	for name, config := range map[string]verso.Config{
		"usual": usual, "strict": with(usual, strict), "1,000 versions": withDefault(many...),
	} {
		for _, s := range everySource(config) {
			t.Run(name+"/"+s.name, func(t *testing.T) {
				if s.ask.host == "" {
					s.ask.host = "v2.example.com:8080"
				}
				r, want := s.ask.request(), 0.0
				if s.name == "pattern" {
					want = 1 // package regexp has no search without it
				}
				if got := outcome(s.api, r); got != "= v2" {
					t.Fatal(got)
				}
				if got := beginAllocs(t, bound(s.api), r); got != want {
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
	first := verso.MustNew(three(verso.First), withDefault("v1", "v2"))
	neutral := verso.Must(scheme.NewURLPath("version", withDefault("v1", "v2")))
	for name, s := range map[string]served{
		"default":              {api: verso.Must(scheme.NewURLPath("version", withDefault("v1", "v2")))},
		"default of an open":   {api: open},
		"named by the default": {api: open, ask: query("version=v2")},
		"default of three":     {api: first},
		"preflight":            {api: first, ask: preflight(nil)},
		"neutral":              {api: neutral},
	} {
		b := bound(s.api)
		if name == "neutral" {
			s.ask.route = registered(b, verso.Neutral())
		}
		if got := beginAllocs(t, b, s.ask.request()); got != 0 {
			t.Errorf("%s: Begin allocates %v times, want 0", name, got)
		}
	}
}

// beginAllocs returns how often a check allocates, which has its call on the stack.
func beginAllocs(t *testing.T, b *adapter.Binding, r source.Request) float64 {
	t.Helper()
	w, c, seam := httptest.NewRecorder(), new(checked), seamOf(b)
	next := func(c *checked) { c.fields.Set(w.Header()) }
	return testing.AllocsPerRun(100, func() {
		clear(w.Header())
		*c = checked{}
		var call adapter.Call
		call.Request = r
		if _ = seam.Check(c, &call, next); c.err != nil {
			t.Fatal(c.err)
		}
	})
}

// sixFields is a catalogue whose v1 has six response fields, at the time of its
// clock: Deprecation, Sunset, Link, both lists and the version served.
func sixFields() verso.Config {
	return verso.Config{
		Clock: versotest.NewClock(date(2026, 11, 21)).Now,
		Catalogue: catalogue.MustNew(catalogue.Config{
			Versions: []catalogue.Entry{
				{
					Version: "v1", Deprecated: date(2026, 1, 1), Sunset: date(2027, 1, 1), Successor: "v2",
					Links: []catalogue.Link{{Rel: "deprecation", Href: "https://example.com/v1"}},
				},
				{Version: "v2"}, {Version: "v3"},
			},
			AfterSunset: catalogue.Gone, Report: true, ServedHeader: "Api-Version",
		}),
	}
}

func date(year int, month time.Month, day int) time.Time {
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

// preflight is what a browser sends before a request of another origin.
func preflight(params map[string]string) ask {
	return ask{method: "OPTIONS", params: params, header: map[string][]string{"Origin": {"https://a.com"}, "Access-Control-Request-Method": {"GET"}}}
}

func TestAllocsOverTime(t *testing.T) {
	b := bound(verso.Must(scheme.NewURLPath("version", sixFields())))
	fields := 0
	count := func(catalogue.Field, adapter.FieldMode) { fields++ }
	counting := func(c *checked) { c.fields.Each(count) }
	pick, option, err := adapter.Picker(verso.Handlers[func(*checked)]{"v1": counting, "v2": func(*checked) { t.Error("the handler of v2") }}, b)
	if err != nil {
		t.Fatal(err)
	}
	c, seam := new(checked), seamOf(b)
	dispatching := register(b, route.Route{Pattern: route.Colons("/:version/a")}, option).Route()
	since := registered(b, verso.Since("v1"), verso.DeprecatedAt(date(2026, 1, 1)))
	for name, matched := range map[string]*route.Route{"no options": nil, "since": since, "dispatching": dispatching} {
		r := ask{params: map[string]string{"version": "v1"}, route: matched}.request()
		if got := testing.AllocsPerRun(100, func() {
			fields = 0
			*c = checked{}
			var call adapter.Call
			call.Request = r
			if matched == dispatching {
				_ = seam.HandleVersions(c, &call, pick)
			} else {
				_ = seam.Check(c, &call, counting)
			}
			if c.err != nil {
				t.Fatal(c.err)
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
	ask    ask
	routes []route.Route // the first is that of the request, the last that of the link
	allocs float64       // that a link may take
}

func successors() map[string]succeeded {
	user := func(name, path string) route.Route {
		return route.Route{Method: "GET", Name: name, Pattern: route.Colons(path)}
	}
	id := map[string]string{"id": "7"}
	return map[string]succeeded{
		"path":      {verso.PathParam("version"), ask{params: map[string]string{"version": "v1", "id": "7"}}, []route.Route{user("", "/:version/users/:id")}, 2},
		"prefix":    {verso.PathPrefix("/{version}"), ask{params: id}, []route.Route{user("", "/v1/users/:id"), user("", "/v2/users/:id")}, 2},
		"namespace": {verso.Namespace(), ask{params: id}, []route.Route{user("v1:user", "/v1/users/:id"), user("v2:user", "/v2/users/:id")}, 2},
		"host":      {verso.HostLabel(""), ask{host: "v1.example.com", params: id}, []route.Route{user("", "/users/:id")}, 4},
		"query":     {verso.QueryParam("version"), ask{query: "version=v1", params: id}, []route.Route{user("", "/users/:id")}, 2},
	}
}

// bind binds a service whose v1 is deprecated.
func (s succeeded) bind(links bool) (*adapter.Binding, ask) {
	b := bound(verso.MustNew(s.source, verso.Config{
		Clock: func() time.Time { return date(2026, 11, 21) },
		Catalogue: catalogue.MustNew(catalogue.Config{
			Versions:       []catalogue.Entry{{Version: "v1", Deprecated: date(2026, 1, 1), Sunset: date(2027, 1, 1), Successor: "v2"}, {Version: "v2"}},
			SuccessorLinks: links,
		}),
	}))
	var first *adapter.Registration
	for _, r := range s.routes {
		if added := register(b, r); first == nil {
			first = added
		}
	}
	s.ask.route = first.Route()
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
		if got := beginAllocs(t, with, linked.request()) - beginAllocs(t, without, plain.request()); got > s.allocs {
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
		ask    ask
		target verso.Target
	}{
		{"header, no parameter", verso.Header("Api-Version"), field("v2"), verso.Target{Name: "list"}},
		{"header, positional", verso.Header("Api-Version"), field("v2"), positional},
		{"header, named", verso.Header("Api-Version"), field("v2"), by},
		{"path, named", verso.PathParam("version"), in("v2"), by},
		{"namespace, positional", verso.Namespace(), named("v2:x"), positional},
		{"namespace, named", verso.Namespace(), named("v2:x"), by},
		{"query, positional", verso.QueryParam("version"), query("version=v2"), positional},
		{"query, named", verso.QueryParam("version"), query("version=v2"), by},
		{"host, named", verso.HostLabel(""), host("v2.example.com"), by},
		{"first of three, named", three(verso.First), inTwo("v2"), by},
	} {
		t.Run(test.name, func(t *testing.T) {
			api := bound(verso.MustNew(test.source, list("v1", "v2")), routes...)
			if test.ask.host == "" {
				test.ask.host = "example.com"
			}
			r := test.ask.request()
			api.Lookup("", "", "") // a request has come, so the routes are kept
			result, call := begin(api, r)
			if call.err != nil {
				t.Fatal(call.err)
			}
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
