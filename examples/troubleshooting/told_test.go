package troubleshooting

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/go-chi/chi/v5"
	echo4 "github.com/labstack/echo/v4"
	"github.com/labstack/echo/v5"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versochi"
	"github.com/goverso/verso/adapters/versoecho"
	"github.com/goverso/verso/adapters/versoecho5"
	"github.com/goverso/verso/adapters/versogin"
	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/source"
	"github.com/goverso/verso/examples/internal/frameworks"
	"github.com/goverso/verso/migrate"
	"github.com/goverso/verso/usage"
)

// told is what a mistake is told by: the codes of findings, or the text of a panic.
func told(mistake func() *verso.Explanation) (by string) {
	defer func() {
		if reason := recover(); reason != nil {
			by = fmt.Sprint(reason)
		}
	}()
	var codes []string
	for _, f := range mistake().Findings {
		if !f.Acknowledged {
			codes = append(codes, f.Code)
		}
	}
	return strings.Join(codes, " ")
}

func listed(from source.Source, config verso.Config) *verso.Versioning {
	if config.Catalogue == nil {
		config.AllowedVersions = []string{"v1", "v2"}
	}
	config.Links.Relative = true
	return verso.MustNew(from, config)
}

func inGin(c *gin.Context)                          { c.String(http.StatusOK, versogin.Version(c).String()) }
func inEcho(c *echo.Context) error                  { return c.String(http.StatusOK, versoecho5.Version(c).String()) }
func inHTTP(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) }

// TestMiddlewareForNoRoute installs Middleware where it runs for none of the routes: Explain names the
// line, and shows the routes as not checked. The message goes where it runs.
func TestMiddlewareForNoRoute(t *testing.T) {
	gin.SetMode(gin.TestMode)
	header := func() *verso.Versioning { return listed(verso.Header("Api-Version"), verso.Config{}) }
	for name, test := range map[string]struct {
		serve func() (http.Handler, func() *verso.Explanation)
		told  bool
	}{
		"Gin, after the routes": {func() (http.Handler, func() *verso.Explanation) {
			r := gin.New()
			v := versogin.New(r, header())
			r.GET("/users", inGin)
			r.Use(v.Middleware())
			return r, v.Explain
		}, true},
		"Gin, in a group after its routes": {func() (http.Handler, func() *verso.Explanation) {
			r := gin.New()
			v, g := versogin.New(r, header()), r.Group("")
			g.GET("/users", inGin)
			g.Use(v.Middleware())
			return r, v.Explain
		}, true},
		"Gin": {func() (http.Handler, func() *verso.Explanation) {
			r := gin.New()
			v := versogin.New(r, header())
			r.Use(v.Middleware())
			r.GET("/users", inGin)
			return r, v.Explain
		}, false},
		"Gin, a route without a handler": {func() (http.Handler, func() *verso.Explanation) {
			r := gin.New()
			v := versogin.New(r, header())
			r.Use(v.Middleware())
			r.GET("/users", inGin)
			r.OPTIONS("/*any")
			return r, v.Explain
		}, false},
		"Echo 4, in a group after its routes": {func() (http.Handler, func() *verso.Explanation) {
			e := echo4.New()
			v, g := versoecho.New(e, header()), e.Group("")
			g.GET("/users", runInEcho)
			g.Use(v.Middleware())
			return e, v.Explain
		}, true},
		"Echo 4, before the router": {func() (http.Handler, func() *verso.Explanation) {
			e := echo4.New()
			v := versoecho.New(e, header())
			e.Pre(v.Middleware())
			e.GET("/users", runInEcho)
			return e, v.Explain
		}, true},
		"Echo 4, after the routes": {func() (http.Handler, func() *verso.Explanation) {
			e := echo4.New()
			v := versoecho.New(e, header())
			e.GET("/users", runInEcho)
			e.Use(v.Middleware())
			return e, v.Explain
		}, false},
		"Echo 5, in a group after its routes": {func() (http.Handler, func() *verso.Explanation) {
			e := echo.New()
			v, g := versoecho5.New(e, header()), e.Group("/users")
			g.GET("", inEcho)
			g.Use(v.Middleware())
			return e, v.Explain
		}, true},
		"Echo 5, after the routes": {func() (http.Handler, func() *verso.Explanation) {
			e := echo.New()
			v := versoecho5.New(e, header())
			e.GET("/users", inEcho)
			e.Use(v.Middleware())
			return e, v.Explain
		}, false},
		"chi, thrown away": {func() (http.Handler, func() *verso.Explanation) {
			r := chi.NewRouter()
			v := versochi.New(r, header())
			v.Middleware()
			r.Get("/users", inHTTP)
			return r, v.Explain
		}, true},
		"chi, around the router": {func() (http.Handler, func() *verso.Explanation) {
			r := chi.NewRouter()
			v := versochi.New(r, header())
			r.Get("/users", inHTTP)
			return v.Middleware()(r), v.Explain
		}, false},
		"net/http, thrown away": {func() (http.Handler, func() *verso.Explanation) {
			mux := http.NewServeMux()
			v := versohttp.New(mux, header())
			v.Middleware()
			mux.HandleFunc("GET /users", inHTTP)
			return mux, v.Explain
		}, true},
		"net/http": {func() (http.Handler, func() *verso.Explanation) {
			mux := http.NewServeMux()
			v := versohttp.New(mux, header())
			mux.HandleFunc("GET /users", inHTTP)
			return v.Middleware()(mux), v.Explain
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			handler, explain := test.serve()
			assert.Equal(t, test.told, strings.Contains(told(explain), "middleware_unused"))
			explained := explain()
			for _, f := range explained.Findings {
				if f.Code == "middleware_unused" {
					assert.Contains(t, f.Message, "told_test.go:")
				}
			}
			for _, r := range explained.Routes { // a ServeMux lists none
				assert.Equal(t, test.told, r.Unchecked)
			}
			s := new(scene)
			s.get(handler, "/users", "Api-Version: v9")
			assert.Equal(t, test.told, strings.HasPrefix(s.seen.String(), "200"), "%s", s.seen.String())
		})
	}
}

// TestNotFoundElsewhere gives NotFound to another Echo, whose first unmatched request is logged.
func TestNotFoundElsewhere(t *testing.T) {
	s := new(scene)
	e, other := echo.New(), echo.New()
	e4, other4 := echo4.New(), echo4.New()
	config := verso.Config{Logger: slog.New(s)}
	other.HTTPErrorHandler = versoecho5.New(e, listed(verso.Header("Api-Version"), config)).NotFound()
	other4.HTTPErrorHandler = versoecho.New(e4, listed(verso.Header("Api-Version"), config)).NotFound()
	for _, handler := range []http.Handler{other, other4} {
		s.seen.Reset()
		s.get(handler, "/gone")
		assert.Contains(t, s.seen.String(), "NotFound answers for an Echo whose routes it does not know")
	}
}

// TestRejectedAsSuccess has error handlers of a service, in each framework: the log names a status of success for a
// rejection.
func TestRejectedAsSuccess(t *testing.T) {
	for name, serve := range frameworks.All {
		for _, status := range []int{http.StatusOK, http.StatusNoContent, http.StatusBadRequest, http.StatusTeapot, 0} {
			t.Run(fmt.Sprint(name, " ", status), func(t *testing.T) {
				s := new(scene)
				service := serve(listed(verso.Header("Api-Version"), verso.Config{Logger: slog.New(s)}), frameworks.App{
					Routes: []frameworks.Route{{Method: http.MethodGet, Path: "/users", Handle: inHTTP}},
					ErrorHandler: func(w http.ResponseWriter, _ *verso.Error) {
						if status != 0 {
							w.WriteHeader(status)
						}
					},
				})
				want := cmp.Or(status, http.StatusBadRequest)
				assert.Equal(t, want, frameworks.Ask(service, http.MethodGet, "/users", nil, "Api-Version", "v9").Code)
				assert.Equal(t, want < 300, strings.Contains(s.seen.String(), "which clients take for success"), s.seen.String())
			})
		}
	}
}

// TestRejectionSwallowed has a middleware of Echo that answers when a rejection comes back, as those for single-page
// applications do.
func TestRejectionSwallowed(t *testing.T) {
	s := new(scene)
	config := verso.Config{Logger: slog.New(s)}
	e, e4 := echo.New(), echo4.New()
	e.Use(func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c *echo.Context) error { _ = next(c); return c.String(http.StatusOK, "page") }
	})
	e4.Use(func(next echo4.HandlerFunc) echo4.HandlerFunc {
		return func(c echo4.Context) error { _ = next(c); return c.String(http.StatusOK, "page") }
	})
	versoecho5.New(e, listed(verso.Header("Api-Version"), config)).GET("/users", inEcho)
	versoecho.New(e4, listed(verso.Header("Api-Version"), config)).GET("/users", runInEcho)
	for _, handler := range []http.Handler{e, e4} {
		for version, told := range map[string]bool{"v1": false, "v9": true} {
			s.seen.Reset()
			s.get(handler, "/users", "Api-Version: "+version)
			assert.Equal(t, told, strings.Contains(s.seen.String(), "which clients take for success"), s.seen.String())
		}
	}
}

// TestUndeclaredRequest has a route that rewrites responses, in each framework, and requests with a JSON body.
func TestUndeclaredRequest(t *testing.T) {
	for name, serve := range frameworks.All {
		for declares, told := range map[string]bool{"nothing": true, "Accepts": false, "Passes": false} {
			t.Run(name+" "+declares, func(t *testing.T) {
				got := seen(func(s *scene) {
					api := listed(verso.Header("Api-Version"), verso.Config{})
					change := migrate.Changed("A guest has a name.", migrate.For[guest](migrate.Renamed("title", "name")))
					h := verso.Must(migrate.New(api, migrate.Release("v2", change), migrate.Release("v1")))
					bodies := []migrate.Body{migrate.Returns[guest](), migrate.Fails[guest]("application/json")}
					switch declares {
					case "Accepts":
						bodies = append(bodies, migrate.Accepts[room]())
					case "Passes":
						bodies = append(bodies, migrate.Passes("application/json"))
					}
					service := serve(api, frameworks.App{Rewriter: h.Route(bodies...), Routes: []frameworks.Route{{
						Method: http.MethodPost, Path: "/guests",
						Handle: func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) },
					}}})
					for _, version := range []string{"v2", "v1", "v1"} {
						frameworks.Ask(service, http.MethodPost, "/guests", nil, "Api-Version", version, "Content-Type", "application/json")
						s.see("with a body")
						frameworks.Ask(service, http.MethodPost, "/guests", strings.NewReader(`{"name":"Ada"}`), "Api-Version", version, "Content-Type", "application/json")
					}
				})
				const line = "has a JSON body that its route does not declare"
				assert.Equal(t, told, strings.Count(got, line) == 1, got)
				before, _, _ := strings.Cut(got, "with a body")
				assert.NotContains(t, before, line)
			})
		}
	}
}

// TestClientSecret has a Client that returns a field of a request as it is.
func TestClientSecret(t *testing.T) {
	gin.SetMode(gin.TestMode)
	s := new(scene)
	r := gin.New()
	config := verso.Config{Logger: slog.New(s), Observe: func(_ context.Context, o verso.Observation) { s.see("client " + o.Client) }}
	versogin.New(r, listed(verso.Header("Api-Version"), config), versogin.Config{
		Client: func(c *gin.Context) string { return c.GetHeader("Authorization") },
	}).GET("/users", inGin)
	s.get(r, "/users", "Api-Version: v1", "Authorization: Bearer abc")
	assert.Contains(t, s.seen.String(), "Client returned a bearer token")
	assert.NotContains(t, s.seen.String(), "abc")
	s.get(r, "/users", "Api-Version: v1", "Authorization: Bearers")
	assert.Contains(t, s.seen.String(), "client Bearers")
}

// TestMiddlewareCalledByAnother has code of the service call the middleware: a request shows that it runs.
func TestMiddlewareCalledByAnother(t *testing.T) {
	gin.SetMode(gin.TestMode)
	r := gin.New()
	v := versogin.New(r, newHeader())
	check := v.Middleware()
	r.Use(func(c *gin.Context) { check(c) })
	r.GET("/users", inGin)
	assert.Equal(t, "middleware_unused", told(v.Explain))
	new(scene).get(r, "/users", "Api-Version: v1")
	assert.Empty(t, told(v.Explain))
	assert.False(t, v.Explain().Routes[0].Unchecked)
}

type guest struct {
	Name string `json:"name"`
}

type room struct {
	Name string `json:"name"`
}

type lodging struct{ room }

// TestTold makes mistakes that a finding or a refusal tells of, and beside each what is no mistake.
func TestTold(t *testing.T) {
	gin.SetMode(gin.TestMode)
	in := func(from source.Source, config verso.Config, register func(v *versogin.Routes), own ...versogin.Config) func() *verso.Explanation {
		return func() *verso.Explanation {
			v := versogin.New(gin.New(), listed(from, config), own...)
			register(v)
			return v.Explain()
		}
	}
	users := func(v *versogin.Routes) { v.GET("/users", inGin) }
	header, past := verso.Header("Api-Version"), catalogue.MustDate("2020-01-01")
	dated := func(after catalogue.Action) *catalogue.Catalogue {
		return catalogue.MustNew(catalogue.Config{AfterSunset: after, Versions: []catalogue.Entry{{Version: "v1"}, {Version: "v2"}}})
	}
	names := func() (named versogin.Config) {
		named.Client = func(*gin.Context) string { return "acme" }
		return named
	}
	rewriting := func(change *migrate.Change, bodies ...migrate.Body) func() *verso.Explanation {
		return func() *verso.Explanation {
			api := verso.MustNew(header, verso.Config{AllowedVersions: []string{"v1", "v2"}, Acknowledged: []string{"errors_not_rewritten"}})
			h := verso.Must(migrate.New(api, migrate.Release("v2", change), migrate.Release("v1")))
			v := versogin.New(gin.New(), api)
			v.Rewrite(h.Route(append(bodies, migrate.Returns[guest](), migrate.Fails[guest]("application/json"))...)).GET("/guest", inGin)
			return v.Explain()
		}
	}
	origin := func(at string, from source.Source, path string) func() *verso.Explanation {
		return func() *verso.Explanation {
			v := versogin.New(gin.New(), verso.MustNew(from, verso.Config{AllowedVersions: []string{"v1", "v2"}, Links: verso.LinkConfig{Origin: at}}))
			v.GET(path, inGin)
			return v.Explain()
		}
	}
	inChi := func(paths ...string) func() *verso.Explanation {
		return func() *verso.Explanation {
			v := versochi.New(chi.NewRouter(), newPath())
			for _, path := range paths {
				v.Get(path, inHTTP)
			}
			return v.Explain()
		}
	}
	for name, test := range map[string]struct {
		mistake func() *verso.Explanation
		want    string
	}{
		"New twice": {func() *verso.Explanation {
			r, api := gin.New(), newHeader()
			versogin.New(r, api).GET("/rooms", inGin)
			v := versogin.New(r, api)
			users(v)
			return v.Explain()
		}, "bound_twice"},
		"two APIs": {func() *verso.Explanation {
			r := gin.New()
			versogin.New(r, newHeader()).GET("/rooms", inGin)
			v := versogin.New(r, newHeader())
			users(v)
			return v.Explain()
		}, ""},
		"two APIs with the version in the path": {func() *verso.Explanation {
			r := gin.New()
			versogin.New(r, newPath()).GET("/:version/rooms", inGin)
			v := versogin.New(r, newPath())
			v.GET("/:version/users", inGin)
			return v.Explain()
		}, ""},
		"New twice, in net/http": {func() *verso.Explanation {
			mux, api := http.NewServeMux(), newHeader()
			versohttp.New(mux, api).HandleFunc("GET /rooms", inHTTP)
			v := versohttp.New(mux, api)
			v.HandleFunc("GET /users", inHTTP)
			return v.Explain()
		}, "bound_twice"},

		"a table after New, and Client": {func() *verso.Explanation {
			config := verso.Config{AllowedVersions: []string{"v1", "v2"}}
			api := verso.MustNew(header, config)
			usage.NewTable(&config)
			return versogin.New(gin.New(), api, names()).Explain()
		}, "nothing calls Client, since Config.Observe and Config.Counters are nil: give the configuration to the store of counts before verso.New"},
		"a table, and Client": {func() *verso.Explanation {
			config := verso.Config{AllowedVersions: []string{"v1", "v2"}}
			usage.NewTable(&config)
			return versogin.New(gin.New(), verso.MustNew(header, config), names()).Explain()
		}, ""},
		"a table without Client": {func() *verso.Explanation {
			config := verso.Config{AllowedVersions: []string{"v1", "v2"}}
			usage.NewTable(&config)
			return versogin.New(gin.New(), verso.MustNew(header, config)).Explain()
		}, "client_not_set"},

		"versions that are one in a host": {func() *verso.Explanation {
			verso.MustNew(verso.HostLabel(""), verso.Config{AllowedVersions: []string{"v1", "V1"}})
			return nil
		}, `the versions "v1" and "V1" are one in a host, where case does not count`},
		"versions that are one in a host of a pattern": {func() *verso.Explanation {
			verso.MustNew(verso.HostLabel(`(\w+)\.example\.com`), verso.Config{AllowedVersions: []string{"v1", "V1"}})
			return nil
		}, `the versions "v1" and "V1" are one in a host`},
		"an exact pattern": {in(verso.HostLabel(`(?-i)(\w+)\.example\.com`), verso.Config{}, users), ""},

		"a default that Strict refuses, of a host": {in(verso.HostLabel(""), verso.Config{DefaultVersion: verso.V("v1"), Strict: verso.Strict()}, users), "default_refused"},
		"a default that Strict refuses, of a namespace": {in(verso.Namespace(), verso.Config{DefaultVersion: verso.V("v1"), Strict: verso.Strict()},
			func(v *versogin.Routes) { users(v.Namespace("v1")) }), "default_refused"},
		"Produces without Accept": {in(header, verso.Config{Produces: []string{"application/json"}}, users), "produces_unused"},
		"Produces":                {in(verso.First(header, verso.AcceptParam("version")), verso.Config{Produces: []string{"application/json"}}, users), ""},

		"a default that Strict leaves":           {in(header, verso.Config{DefaultVersion: verso.V("v1"), Strict: verso.Strict()}, users), ""},
		"a default of a host that is not strict": {in(verso.HostLabel(""), verso.Config{DefaultVersion: verso.V("v1")}, users), ""},

		"a sunset that has passed":      {in(header, verso.Config{}, func(v *versogin.Routes) { users(v.With(verso.SunsetAt(past))) }), "sunset_passed"},
		"a sunset that ended the route": {in(header, verso.Config{Catalogue: dated(catalogue.Gone)}, func(v *versogin.Routes) { users(v.With(verso.SunsetAt(past))) }), ""},
		"a sunset that is served past":  {in(header, verso.Config{Catalogue: dated(catalogue.Serve)}, func(v *versogin.Routes) { users(v.With(verso.SunsetAt(past))) }), "sunset_passed"},
		"a sunset to come":              {in(header, verso.Config{}, func(v *versogin.Routes) { users(v.With(verso.SunsetAt(past.AddDate(100, 0, 0)))) }), ""},
		"a neutral route past its sunset": {func() *verso.Explanation {
			v := versogin.New(gin.New(), verso.MustNew(header, verso.Config{AnyVersion: true}))
			v.Neutral().With(verso.SunsetAt(past)).GET("/login", inGin)
			return v.Explain()
		}, "sunset_passed"},

		"no link":                               {in(header, verso.Config{}, func(v *versogin.Routes) { users(v.With(verso.Related())) }), "Related has no link: give it one"},
		"a name of no text":                     {in(header, verso.Config{}, func(v *versogin.Routes) { users(v.With(verso.Names(map[string]string{"/users": ""}))) }), "Names gives a path the empty name"},
		"a name":                                {in(header, verso.Config{}, func(v *versogin.Routes) { users(v.With(verso.Names(map[string]string{"/users": "users"}))) }), ""},
		"Use behind the routes of a group":      {in(header, verso.Config{}, func(v *versogin.Routes) { g := v.Group("/api"); users(g); g.Use(inGin) }), "option_unused"},
		"Use behind a group within a group":     {in(header, verso.Config{}, func(v *versogin.Routes) { g := v.Group("/api"); within := g.Group("/a"); g.Use(inGin); users(within) }), "option_unused"},
		"Use in front of the routes of a group": {in(header, verso.Config{}, func(v *versogin.Routes) { g := v.Group("/api"); g.Use(inGin); users(g.Group("/a")) }), ""},
		"Use behind all routes":                 {in(header, verso.Config{}, func(v *versogin.Routes) { users(v); v.Use(inGin) }), ""},
		"PerRoute thrown away": {in(header, verso.Config{}, func(v *versogin.Routes) {
			v.PerRoute(func(v *versogin.Routes, _, _ string) *versogin.Routes { return v.Since("v2") })
			users(v)
		}), "option_unused"},
		"PerRoute of no path that there is": {in(header, verso.Config{}, func(v *versogin.Routes) {
			users(v.PerRoute(func(v *versogin.Routes, _, path string) *versogin.Routes {
				if path == "/v1/users" {
					return v.Since("v2")
				}
				return v
			}))
		}), "option_unused"},
		"PerRoute": {in(header, verso.Config{}, func(v *versogin.Routes) {
			users(v.PerRoute(func(v *versogin.Routes, _, _ string) *versogin.Routes { return v.Name("users") }))
		}), ""},
		"a clock that is not set": {in(header, verso.Config{Clock: func() (unset time.Time) { return unset }}, users), "clock_zero"},
		"an empty version": {func() *verso.Explanation {
			v := versogin.New(gin.New(), verso.MustNew(verso.QueryParam("version"), verso.Config{AllowedVersions: []string{"", "v1"}, Links: verso.LinkConfig{Relative: true}}))
			users(v)
			return v.Explain()
		}, ""},
		"a clock in another unit": {in(header, verso.Config{Clock: func() time.Time { return time.UnixMilli(time.Now().Unix()) }}, users), "clock_zero"},
		"an empty bound":          {in(header, verso.Config{}, func(v *versogin.Routes) { users(v.Since("")) }), "Since or RemovedIn has the empty version"},
		"Middleware behind the handler": {func() *verso.Explanation {
			r := gin.New()
			v := versogin.New(r, newHeader())
			r.GET("/users", inGin, v.Middleware())
			new(scene).get(r, "/users")
			return v.Explain()
		}, "middleware_unused"},
		"a host pattern with a scheme": {in(verso.HostLabel(`https://(v\d+)\.example\.com`), verso.Config{}, users), "has a scheme or a port"},
		"a host pattern with a port":   {in(verso.HostLabel(`(v\d+)\.example\.com:8080`), verso.Config{}, users), "has a scheme or a port"},
		"a host pattern with a group":  {in(verso.HostLabel(`(?:api-)?(v\d+)\.example\.com`), verso.Config{}, users), ""},
		"two types of a body":          {rewriting(migrate.Behaves("x"), migrate.Returns[string]()), "Returns[string] is declared, and Returns[guest] too"},
		"no media type":                {rewriting(migrate.Behaves("x"), migrate.Passes("csv")), `Passes("csv") is not a media type`},
		"a change in two releases": {func() *verso.Explanation {
			change := migrate.Behaves("Sorted.")
			verso.Must(migrate.New(newHeader(), migrate.Release("v2", change, change), migrate.Release("v1")))
			return nil
		}, `"Sorted." is given to two releases, or twice to one`},

		"a change without edits":         {rewriting(migrate.Changed("Nothing.")), "change_without_edits"},
		"a change of behaviour":          {rewriting(migrate.Behaves("Sorted.")), ""},
		"a type that no route has":       {rewriting(migrate.Changed("A room has a name.", migrate.For[room](migrate.Added("name")))), "edits_unused"},
		"an open type that no route has": {rewriting(migrate.Behaves("x"), migrate.Open[room]()), ""},
		"open members that no route has": {rewriting(migrate.Behaves("x"), migrate.Open[room]("name")), "edits_unused"},
		"open members":                   {rewriting(migrate.Behaves("x"), migrate.Open[guest]("name")), ""},
		"an empty rewriter":              {in(header, verso.Config{}, func(v *versogin.Routes) { users(v.Rewrite(new(migrate.Route))) }), "the Route is empty"},
		"a history that no route has": {func() *verso.Explanation {
			api := newHeader()
			verso.Must(migrate.New(api, migrate.Release("v2", migrate.Changed("A guest has a name.", migrate.For[guest](migrate.Added("name")))), migrate.Release("v1")))
			v := versogin.New(gin.New(), api)
			users(v)
			return v.Explain()
		}, "edits_unused"},
		"a neutral route with the version's parameter": {in(verso.PathParam("version"), verso.Config{}, func(v *versogin.Routes) {
			v.GET("/:version/guests", inGin)
			v.Neutral().GET("/:version/status", inGin)
		}), "neutral_in_version"},
		"no route with a version": {in(header, verso.Config{}, func(v *versogin.Routes) { users(v.Neutral()) }), "all_neutral"},
		"a route with a version": {in(header, verso.Config{}, func(v *versogin.Routes) {
			v.GET("/guests", inGin)
			users(v.Neutral())
		}), ""},
		"an expression that no version fits":  {inChi("/{version:[0-9]+}/users"), "param_without_version"},
		"an expression that one version fits": {inChi("/{version:v1}/users"), "param_without_version"},
		"an expression for each version":      {inChi("/{version:v1}/users", "/{version:v2}/users"), ""},

		"an origin with the version":     {origin("/v1", verso.PathParam("version"), "/:version/users"), "origin_version"},
		"a host like a version":          {origin("https://v1", verso.PathParam("version"), "/:version/users"), ""},
		"an origin in front of a header": {origin("/v1", header, "/users"), ""},
		"a type below that of a route":   {rewriting(migrate.Changed("A room has a name.", migrate.For[room](migrate.Added("name"))), migrate.Fails[[]lodging]("text/json")), ""},
		"no keywords":                    {rewriting(migrate.Changed("A name is short.", migrate.For[guest](migrate.Documented("name", "{}")))), "there are no keywords"},
		"a change with an edit":          {rewriting(migrate.Changed("A guest has a name.", migrate.For[guest](migrate.Added("name")))), ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := told(test.mistake)
			assert.Contains(t, got, test.want)
			assert.Equal(t, test.want == "", got == "", got)
		})
	}
	change := migrate.Changed("A new status.")
	assert.Empty(t, told(rewriting(change, change.Status(200, 201))), "a change of a status")
}

// TestTableAfterNew attaches a table to a configuration that New has copied: the page and the gate tell of it.
func TestTableAfterNew(t *testing.T) {
	for name, late := range map[string]bool{"before New": false, "after New": true} {
		t.Run(name, func(t *testing.T) {
			config := verso.Config{Acknowledged: []string{"client_not_set"}, Catalogue: catalogue.MustNew(catalogue.Config{
				AfterSunset: catalogue.Gone, Versions: []catalogue.Entry{
					{Version: "v1", Deprecated: catalogue.MustDate("2020-01-01"), Sunset: catalogue.MustDate("2099-01-01"), Successor: "v2"}, {Version: "v2"},
				}})}
			var calls *usage.Table
			if !late {
				calls = usage.NewTable(&config)
			}
			api := verso.MustNew(verso.Header("Api-Version"), config)
			if late {
				calls = usage.NewTable(&config)
			}
			page := calls.Handler(versohttp.New(http.NewServeMux(), api).Explain)
			s := new(scene)
			s.get(page, "/usage", "Accept: text/html")
			s.get(page, "/usage?ready=v1")
			assert.Equal(t, late, strings.Contains(s.seen.String(), "No request is counted: give the configuration to the store before verso.New."))
			assert.Equal(t, late, strings.Contains(s.seen.String(), "no request is counted: give the configuration to NewTable"))
			assert.Contains(t, s.seen.String(), "409 ")
		})
	}
}
