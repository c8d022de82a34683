package bench

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/gofiber/fiber/v2"
	"github.com/gorilla/mux"
	"github.com/labstack/echo/v4"
	echo5 "github.com/labstack/echo/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/valyala/fasthttp"

	"github.com/goverso/verso/adapters/versoecho"
	"github.com/goverso/verso/adapters/versoecho5"
	"github.com/goverso/verso/adapters/versogin"
	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/route"
)

// routeCounts are the sizes of the tables that URLs are built from.
var routeCounts = []int{10, 200, 1000, 10_000}

// wantPath is what all of the reversals build, but for what comes before it.
const wantPath = "/users/alice/orders/42"

// builder builds the same URL each time that it is called.
type builder func() (string, error)

// reversals makes builders on a framework with the given number of routes, and
// calls use with each while the request lasts that they belong to.
type reversals struct {
	name string
	each func(tb testing.TB, routes int, use func(what string, build builder))
}

var reversalCases = []reversals{
	{"core", reversalsInCore},
	{"versoecho", reversalsInEcho},
	{"versoecho5", reversalsInEcho5},
	{"versogin", reversalsInGin},
	{"versohttp", reversalsInHTTP},
	{"peer", reversalsInPeers},
}

// BenchmarkReverse builds the URL of a route with two arguments. Adapters make
// it absolute and make the arguments too, as a handler does; core and the
// peers build the path only, core from arguments made before.
func BenchmarkReverse(b *testing.B) {
	for _, count := range routeCounts {
		for _, c := range reversalCases {
			c.each(b, count, func(what string, build builder) {
				b.Run(fmt.Sprintf("%s/%s/%d", c.name, what, count), func(b *testing.B) {
					if _, err := build(); err != nil { // some make their table at the first call
						b.Fatal(err)
					}
					quiet(b)
					b.ReportAllocs()
					for b.Loop() {
						if _, err := build(); err != nil {
							b.Fatal(err)
						}
					}
				})
			})
		}
	}
}

// TestReversals makes sure that all build the same path.
func TestReversals(t *testing.T) {
	want := map[string]string{
		"core/append":                      "",
		"versoecho/url_path-named":         "http://v2.example.com/v2" + wantPath,
		"versogin/namespace-named":         "http://v2.example.com/v2" + wantPath,
		"versohttp/accept_header-named":    "http://v2.example.com" + wantPath,
		"versoecho5/query_parameter-named": "http://v2.example.com" + wantPath + "?version=v2",
	}
	seen := 0
	for _, c := range reversalCases {
		c.each(t, 10, func(what string, build builder) {
			built, err := build()
			require.NoError(t, err, what)
			exact, ok := want[c.name+"/"+what]
			if ok {
				seen++
				assert.Equal(t, exact, built)
			} else {
				assert.Contains(t, built, wantPath, what)
			}
		})
	}
	assert.Equal(t, len(want), seen)
}

// fillerRoutes yields the names and patterns of all routes but the one that is
// built, in the syntax of net/http.
func fillerRoutes(count int, add func(name, pattern string)) {
	for i := range count - 1 {
		add(fmt.Sprintf("route-%d", i), fmt.Sprintf("/r%d/{user}/orders/{order}", i))
	}
}

// orderRoutes are the routes that are built, by the name and the pattern.
var orderRoutes = []struct{ namespace, pattern string }{
	{"", "/users/{user}/orders/{order}"},
	{"", "/{version}/users/{user}/orders/{order}"},
	{"v2", "/v2/users/{user}/orders/{order}"},
}

func reversalsInCore(_ testing.TB, count int, use func(string, builder)) {
	var routes []route.Route
	fillerRoutes(count, func(name, pattern string) {
		routes = append(routes, route.Route{Name: name, Pattern: route.Braces(pattern)})
	})
	table := route.NewTable(append(routes, route.Route{Name: "order", Pattern: route.Braces(orderRoutes[0].pattern)})...)
	named := map[string]any{"user": "alice", "order": 42}
	arguments := route.Arguments{Named: named}
	buffer := make([]byte, 0, 128)
	use("append", func() (string, error) {
		found, err := table.Find("", "order", &arguments)
		if err != nil {
			return "", err
		}
		buffer, err = found.AppendPath(buffer[:0], &arguments)
		return "", err
	})
	use("path", func() (string, error) { return table.Path("order", named) })
	use("path-arguments", func() (string, error) {
		return table.Path("order", map[string]any{"user": "alice", "order": 42})
	})
}

// versionedRequest is a request for v2 in all schemes, to a route of the scheme.
func versionedRequest(tb testing.TB, s *schemeCase) *http.Request {
	tb.Helper()
	r := httptest.NewRequestWithContext(tb.Context(), http.MethodGet, "http://v2.example.com/v2/here/"+s.name+"?version=v2", nil)
	r.Header.Set("Accept", "application/json; version=v2")
	return r
}

func reversalsInEcho(tb testing.TB, count int, use func(string, builder)) {
	tb.Helper()
	e := echo.New()
	nothing := func(echo.Context) error { return nil }
	fillerRoutes(count, func(name, pattern string) { e.GET(colons(pattern), nothing).Name = name })
	for _, r := range orderRoutes {
		e.GET(colons(r.pattern), nothing).Name = fullName(r.namespace, "order")
	}
	for _, s := range schemeCases {
		e.GET("/:version/here/"+s.name, func(c echo.Context) error {
			use(s.name+"-named", func() (string, error) {
				return versoecho.Reverse(c, verso.Target{Name: "order", Kwargs: verso.Kwargs{"user": "alice", "order": 42}})
			})
			if s.name == "accept_header" {
				use(s.name+"-positional", func() (string, error) {
					return versoecho.Reverse(c, verso.Target{Name: "order", Args: []any{"alice", 42}})
				})
			}
			return nil
		}, versoecho.Middleware(s.scheme)).Name = "v2:here"
	}
	for _, s := range schemeCases {
		e.ServeHTTP(newDiscard(), versionedRequest(tb, s))
	}
}

func reversalsInEcho5(tb testing.TB, count int, use func(string, builder)) {
	tb.Helper()
	e := echo5.New()
	add := func(name, pattern string, handler echo5.HandlerFunc, middleware ...echo5.MiddlewareFunc) {
		_, err := e.AddRoute(echo5.Route{Method: http.MethodGet, Path: colons(pattern), Name: name, Handler: handler, Middlewares: middleware})
		require.NoError(tb, err)
	}
	nothing := func(*echo5.Context) error { return nil }
	fillerRoutes(count, func(name, pattern string) { add(name, pattern, nothing) })
	for _, r := range orderRoutes {
		add(fullName(r.namespace, "order"), r.pattern, nothing)
	}
	for _, s := range schemeCases {
		add("v2:here-"+s.name, "/{version}/here/"+s.name, func(c *echo5.Context) error {
			use(s.name+"-named", func() (string, error) {
				return versoecho5.Reverse(c, verso.Target{Name: "order", Kwargs: verso.Kwargs{"user": "alice", "order": 42}})
			})
			if s.name == "accept_header" {
				use(s.name+"-positional", func() (string, error) {
					return versoecho5.Reverse(c, verso.Target{Name: "order", Args: []any{"alice", 42}})
				})
			}
			return nil
		}, versoecho5.Middleware(s.scheme))
	}
	for _, s := range schemeCases {
		e.ServeHTTP(newDiscard(), versionedRequest(tb, s))
	}
}

func reversalsInGin(tb testing.TB, count int, use func(string, builder)) {
	tb.Helper()
	engine := gin.New()
	routes := versogin.NewRoutes(engine)
	nothing := func(*gin.Context) {}
	fillerRoutes(count, func(name, pattern string) { routes.Name(name).GET(colons(pattern), nothing) })
	for _, r := range orderRoutes {
		ginNamespace(routes, r.namespace).Name("order").GET(colons(r.pattern), nothing)
	}
	for _, s := range schemeCases {
		ginNamespace(routes, "v2").GET("/:version/here/"+s.name, versogin.New(s.scheme, versogin.WithRoutes(routes)), func(c *gin.Context) {
			use(s.name+"-named", func() (string, error) {
				return versogin.Reverse(c, verso.Target{Name: "order", Kwargs: verso.Kwargs{"user": "alice", "order": 42}})
			})
			if s.name == "accept_header" {
				use(s.name+"-positional", func() (string, error) {
					return versogin.Reverse(c, verso.Target{Name: "order", Args: []any{"alice", 42}})
				})
			}
		})
	}
	for _, s := range schemeCases {
		engine.ServeHTTP(newDiscard(), versionedRequest(tb, s))
	}
}

func reversalsInHTTP(tb testing.TB, count int, use func(string, builder)) {
	tb.Helper()
	for _, s := range schemeCases {
		m, err := versohttp.NewMux(versohttp.Config{Scheme: s.scheme})
		require.NoError(tb, err)
		fillerRoutes(count, func(name, pattern string) { m.Name(name).BuildOnly(pattern) })
		for _, r := range orderRoutes {
			routes := m
			if r.namespace != "" {
				routes = m.Namespace(r.namespace)
			}
			routes.Name("order").BuildOnly(r.pattern)
		}
		m.Namespace("v2").HandleFunc("GET /{version}/here/"+s.name, func(_ http.ResponseWriter, r *http.Request) {
			use(s.name+"-named", func() (string, error) {
				return versohttp.Reverse(r, verso.Target{Name: "order", Kwargs: verso.Kwargs{"user": "alice", "order": 42}})
			})
			if s.name == "accept_header" {
				use(s.name+"-positional", func() (string, error) {
					return versohttp.Reverse(r, verso.Target{Name: "order", Args: []any{"alice", 42}})
				})
			}
		})
		m.ServeHTTP(newDiscard(), versionedRequest(tb, s))
	}
}

// reversalsInPeers builds with Echo, with gorilla/mux and with Fiber.
func reversalsInPeers(tb testing.TB, count int, use func(string, builder)) {
	tb.Helper()
	e, e5, gorilla, app := echo.New(), echo5.New(), mux.NewRouter(), fiber.New()
	add := func(name, pattern string) {
		e.GET(colons(pattern), func(echo.Context) error { return nil }).Name = name
		_, err := e5.AddRoute(echo5.Route{
			Method: http.MethodGet, Path: colons(pattern), Name: name,
			Handler: func(*echo5.Context) error { return nil },
		})
		require.NoError(tb, err)
		gorilla.NewRoute().Path(pattern).Name(name)
		app.Get(colons(pattern), func(*fiber.Ctx) error { return nil }).Name(name)
	}
	// The route that is built stands in the middle, where those that search
	// find it after half of the routes.
	half := (count - 1) / 2
	added := 0
	fillerRoutes(count, func(name, pattern string) {
		if added == half {
			add("order", orderRoutes[0].pattern)
		}
		add(name, pattern)
		added++
	})
	use("echo", func() (string, error) { return e.Reverse("order", "alice", 42), nil })
	use("echo5", func() (string, error) { return e5.Router().Routes().Reverse("order", "alice", 42) })
	use("gorilla", func() (string, error) {
		u, err := gorilla.Get("order").URLPath("user", "alice", "order", "42")
		if err != nil {
			return "", err
		}
		return u.String(), nil
	})
	c := app.AcquireCtx(new(fasthttp.RequestCtx))
	defer app.ReleaseCtx(c)
	use("fiber", func() (string, error) {
		return c.GetRouteURL("order", fiber.Map{"user": "alice", "order": 42})
	})
}

func ginNamespace(routes *versogin.Routes, namespace string) *versogin.Routes {
	if namespace == "" {
		return routes
	}
	return routes.Namespace(namespace)
}

func fullName(namespace, name string) string {
	if namespace == "" {
		return name
	}
	return namespace + ":" + name
}
