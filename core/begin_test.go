package verso_test

import (
	"context"
	"net/http/httptest"
	"slices"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/route"
)

// chain is a request that several checks decide on, as in an adapter: each finds in
// the store what the one before has kept.
type chain struct {
	t     *testing.T
	b     *verso.Binding
	kept  *verso.Result
	calls []*verso.Call
}

// early is the middleware, check that of a route.
func (c *chain) early(r verso.Request) *verso.Result { return c.next(c.b.BeginEarly, r) }
func (c *chain) check(r verso.Request) *verso.Result { return c.next(c.b.Begin, r) }

func (c *chain) next(begin func(*verso.Call, *verso.Result) *verso.Result, r verso.Request) *verso.Result {
	c.t.Helper()
	call := &verso.Call{Request: r}
	result := begin(call, c.kept)
	if (result == nil) != (call.Err != nil) {
		c.t.Errorf("result %v, error %v", result, call.Err)
	}
	c.kept, c.calls = result, append(c.calls, call)
	return result
}

// end ends the calls, the innermost first.
func (c *chain) end() {
	for _, call := range slices.Backward(c.calls) {
		call.End(c.kept, nil)
	}
}

// observing returns a binding and what it is told, as "v1 served /users".
func observing(t *testing.T, source verso.Source, config verso.Config) (b *verso.Binding, told *[]string) {
	t.Helper()
	told = new([]string)
	config.Observe = func(_ context.Context, u verso.Usage) {
		*told = append(*told, u.Version.String()+" "+u.Outcome+" "+u.Route)
	}
	return bound(verso.Must(verso.New(source, config))), told
}

// told checks what was observed.
func (c *chain) told(told *[]string, want string) {
	c.t.Helper()
	c.end()
	if len(*told) != 1 || (*told)[0] != want {
		c.t.Errorf("observed %q, want once %q", *told, want)
	}
}

// Where a middleware and a route decide on a request, it is observed once, and the
// decision is that of the route.
func TestBeginAfterMiddleware(t *testing.T) {
	type routes = map[string]*route.Route
	header, path := verso.Header("Api-Version"), verso.PathParam("version")
	unversioned := with(list("v1", "v2"), func(c *verso.Config) { c.AllowUnversioned = true })
	for _, test := range []struct {
		name       string
		source     verso.Source
		config     verso.Config
		ask        ask
		assumed    string // what the middleware takes the request for
		runs       string // the route that runs
		sameResult bool
		want       string // what the route decides
		told       string // "": nothing
	}{
		{"the same route", header, list("v1", "v2"), field("v2"), "plain", "plain", true, "= v2", "v2 served /plain"},
		{"the same route with an option", header, list("v1", "v2"), field("v2"), "since", "since", true, "= v2", "v2 served /since"},
		{"the same path route", path, list("v1", "v2"), in("v2"), "plain", "plain", true, "= v2", "v2 served /plain"},
		{"another plain one", header, list("v1", "v2"), field("v2"), "other", "plain", true, "= v2", "v2 served /other"},
		{"an option instead of none", header, list("v1", "v2"), field("v1"), "plain", "since", false, "404 not_in_version", "v1 not_in_version /since"},
		{"an option instead of none, served", header, list("v1", "v2"), field("v2"), "plain", "since", false, "= v2", "v2 served /since"},
		{"none instead of an option", header, list("v1", "v2"), field("v2"), "since", "plain", false, "= v2", "v2 served /plain"},
		{"one option instead of another", header, list("v1", "v2"), field("v2"), "since", "removed", false, "404 not_in_version", "v2 not_in_version /removed"},
		{"neutral instead of plain", header, list("v1", "v2"), field("v2"), "plain", "neutral", false, "none", ""},
		{"plain instead of neutral", header, list("v1", "v2"), field("v2"), "neutral", "plain", false, "= v2", "v2 served /plain"},
		{"plain instead of neutral, rejected", header, list("v1", "v2"), field("v9"), "neutral", "plain", false, "400 invalid_header_version", " invalid_header_version /plain"},
		{"neutral instead of unversioned", header, unversioned, ask{}, "plain", "neutral", false, "none", ""},
		{"unversioned instead of neutral", header, unversioned, ask{}, "neutral", "plain", false, "none", " served /plain"},
		{"unversioned on another route", header, unversioned, ask{}, "other", "plain", false, "none", " served /plain"},
		{"unlisted versions", header, verso.Config{AnyVersion: true}, field("x"), "plain", "plain", true, "= x", " served /plain"},
	} {
		t.Run(test.name, func(t *testing.T) {
			b, told := observing(t, test.source, test.config)
			all := routes{"plain": nil, "other": nil, "neutral": nil, "since": nil, "removed": nil}
			options := map[string][]verso.RouteOption{"neutral": {verso.Neutral()}}
			if len(test.config.AllowedVersions) > 0 {
				options["since"], options["removed"] = []verso.RouteOption{verso.Since("v2")}, []verso.RouteOption{verso.RemovedIn("v2")}
			}
			registrations := make(map[string]*verso.Registration)
			for name := range all {
				registrations[name] = register(b, route.Route{Method: "GET", Pattern: route.Colons("/" + name)}, options[name]...)
			}
			for name, r := range registrations {
				all[name] = r.Route()
			}
			c := &chain{t: t, b: b}
			test.ask.route = all[test.assumed]
			early := c.early(test.ask.request())
			test.ask.route = all[test.runs]
			late := c.check(test.ask.request())
			if (early == late) != test.sameResult {
				t.Errorf("the same result: %v", early == late)
			}
			got := "none"
			if late == nil {
				rejected, _, _ := c.calls[1].Rejected()
				got = outcome(b, test.ask.request())
				if rejected == nil {
					t.Error(c.calls[1].Err)
				}
			} else if version := late.Version(); !version.IsNone() {
				got = "= " + version.String()
			}
			if got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
			if test.told != "" {
				c.told(told, test.told)
			} else if c.end(); len(*told) > 0 {
				t.Errorf("observed %q", *told)
			}
		})
	}
}

// A route that lets the framework go on to another one, whose path has the version
// elsewhere, hands no version on.
func TestBeginAfterAnotherRoute(t *testing.T) {
	for name, test := range map[string]struct {
		source   verso.Source
		name     [2]string
		versions [2]string // that each request has in its path
		want     string
	}{
		"path":                 {verso.PathParam("version"), [2]string{}, [2]string{"v1", "v2"}, "v2"},
		"path, the same":       {verso.PathParam("version"), [2]string{}, [2]string{"v2", "v2"}, "v2"},
		"path or header":       {verso.First(verso.PathParam("version"), verso.Header("Api-Version")), [2]string{}, [2]string{"v1", "v2"}, "v2"},
		"namespace":            {verso.Namespace(), [2]string{"v1:a", "v2:b"}, [2]string{}, "v2"},
		"namespace, then none": {verso.Namespace(), [2]string{"v2:a", "b"}, [2]string{}, "v1"},
	} {
		t.Run(name, func(t *testing.T) {
			b, told := observing(t, test.source, withDefault("v1", "v2"))
			first := register(b, route.Route{Name: test.name[0], Pattern: route.Colons("/:any/a")})
			second := register(b, route.Route{Name: test.name[1], Pattern: route.Colons("/:version/a")})
			c := &chain{t: t, b: b}
			a := in(test.versions[0])
			a.route = first.Route()
			c.check(a.request())
			a = in(test.versions[1])
			a.route = second.Route()
			if got := c.check(a.request()).Version().String(); got != test.want {
				t.Errorf("the second route is called in %q, want %q", got, test.want)
			}
			c.end()
			if len(*told) != 1 {
				t.Errorf("observed %q", *told)
			}
		})
	}
}

// A middleware decides once, however often it is installed.
func TestBeginEarlyTwice(t *testing.T) {
	b, told := observing(t, verso.Header("Api-Version"), list("v1", "v2"))
	a := field("v2")
	a.route = registered(b, verso.Since("v2"))
	c := &chain{t: t, b: b}
	first := c.early(a.request())
	if c.early(a.request()) != first || c.check(a.request()) != first {
		t.Error("decided again")
	}
	c.told(told, "v2 served /:version/users")
}

// Two APIs in one service: each route is decided by its own.
func TestTwoAPIs(t *testing.T) {
	public, _ := observing(t, verso.Header("Api-Version"), list("v1", "v2"))
	admin, told := observing(t, verso.Header("Admin-Version"), list("a1", "a2"))
	pick, option, err := verso.Handlers[string]{"a2": "admin"}.Bind(admin)
	if err != nil {
		t.Fatal(err)
	}
	a := ask{header: map[string][]string{"Api-Version": {"v2"}, "Admin-Version": {"a2"}}}
	early, _ := begin(public, a.request())
	a.route = registered(admin, option)
	c := &chain{t: t, b: admin, kept: early}
	late := c.check(a.request())
	if early.Version() != verso.V("v2") || late.Version() != verso.V("a2") {
		t.Errorf("decided %q, then %q", early.Version(), late.Version())
	}
	if _, ok := pick(early); ok {
		t.Error("a handler is chosen by the version of another API")
	}
	if handler, ok := pick(late); handler != "admin" || !ok {
		t.Errorf("%q, %v", handler, ok)
	}
	c.told(told, "a2 served /:version/users")
	a.route = register(admin, route.Route{Pattern: route.Colons("/plain")}).Route()
	if late := (&chain{t: t, b: admin, kept: early}).check(a.request()); late.Version() != verso.V("a2") {
		t.Errorf("a plain route is in %q", late.Version())
	}
	if late := (&chain{t: t, b: admin, kept: early}).early(a.request()); late.Version() != verso.V("a2") {
		t.Errorf("a middleware decided on %q", late.Version())
	}
}

// The router of the binding reads the path parameters, unless the request has one of
// its own.
func TestBeginWithTheRouter(t *testing.T) {
	b := verso.Must(verso.NewURLPath(list("v1", "v2"))).Bind(always("v2"))
	raw := httptest.NewRequestWithContext(t.Context(), "GET", "/", nil)
	var r verso.Request
	r.SetHTTP(raw, raw, nil)
	if got := outcome(b, r); got != "= v2" {
		t.Error(got)
	}
	if got := outcome(b, in("v1").request()); got != "= v1" {
		t.Error(got)
	}
}

// always is a router whose path parameters all have one value.
type always string

func (a always) PathParam(any, string) (string, bool) { return string(a), true }
func (always) Routes() []route.Route                  { return nil }

// An adapter looks into its store where a middleware checks too, or Observe is told.
func TestRemembers(t *testing.T) {
	observed := withDefault("v1", "v2")
	observed.Observe = func(context.Context, verso.Usage) {}
	alone := bound(verso.Must(verso.NewURLPath(withDefault("v1", "v2"))))
	told := bound(verso.Must(verso.NewURLPath(observed)))
	if alone.Remembers() || !told.Remembers() {
		t.Errorf("Remembers is %t without Observe, %t with it", alone.Remembers(), told.Remembers())
	}
	if alone.CheckOthers(); !alone.Remembers() {
		t.Error("Remembers is false behind a middleware")
	}
}
