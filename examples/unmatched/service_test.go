package unmatched

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/go-chi/chi/v5"
	"github.com/gofiber/fiber/v3"
	"github.com/labstack/echo/v4"
	echo5 "github.com/labstack/echo/v5"

	"github.com/goverso/verso/adapters/versochi"
	"github.com/goverso/verso/adapters/versoecho"
	"github.com/goverso/verso/adapters/versoecho5"
	"github.com/goverso/verso/adapters/versofiber"
	"github.com/goverso/verso/adapters/versogin"
	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/source"
)

func init() { gin.SetMode(gin.ReleaseMode) }

var frameworks = []string{"gin", "echo4", "echo5", "http", "chi", "fiber"}

// place is a route of a service: its path in the syntax of net/http, whether v registers it, and options.
type place struct {
	method, path string
	foreign      bool
	options      []verso.RouteOption
}

func now() time.Time { return time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC) }

func ended(names ...string) *catalogue.Catalogue {
	entries := []catalogue.Entry{{Version: names[0], Sunset: now().AddDate(0, -5, 0), Successor: names[1]}}
	for _, name := range names[1:] {
		entries = append(entries, catalogue.Entry{Version: name})
	}
	return catalogue.MustNew(catalogue.Config{AfterSunset: catalogue.Gone, Versions: entries})
}

type service struct {
	source  source.Source
	names   []string
	routes  []place
	without []string // frameworks that cannot have its patterns
}

var (
	since   = []verso.RouteOption{verso.Since("v3")}
	neutral = []verso.RouteOption{verso.Neutral()}
	dated   = []verso.RouteOption{verso.Neutral(), verso.SunsetAt(now().AddDate(0, -1, 0))}
	ending  = []verso.RouteOption{verso.Neutral(), verso.DeprecatedAt(now().AddDate(0, -1, 0)), verso.SunsetAt(now().AddDate(0, 1, 0))}
	v123    = []string{"v1", "v2", "v3"}
)

var services = map[string]service{
	"path": {verso.PathParam("version"), v123, []place{
		{"GET", "/{version}/users", false, nil}, {"POST", "/{version}/users", false, since}, {"POST", "/{version}/late", false, since},
		{"GET", "/health", false, neutral}, {"POST", "/login", false, neutral}, {"GET", "/metrics", true, nil}, {"GET", "/users", false, nil},
	}, nil},
	"header": {verso.Header("Api-Version"), v123, []place{
		{"GET", "/users", false, nil}, {"POST", "/users", false, since},
		{"GET", "/health", false, neutral}, {"GET", "/metrics", true, nil}, {"GET", "/static/{rest...}", true, nil},
		{"GET", "/old", false, dated}, {"GET", "/ending", false, ending},
	}, nil},
	"neighbour": {verso.Header("Api-Version"), v123, []place{{"GET", "/metrics", true, nil}, {"GET", "/logs/{rest...}", true, nil}, {"PUT", "/{id}", false, since}, {"PUT", "/{id}/{rest...}", false, nil}}, nil},
	"tenant":    {verso.PathParam("version"), v123, []place{{"GET", "/{tenant}/{version}/users", false, nil}, {"GET", "/health", false, neutral}}, nil},
	"text":      {verso.PathParam("version"), []string{"1", "2", "3"}, []place{{"GET", "/v{version}/users", false, nil}, {"GET", "/health", false, neutral}}, []string{"http"}},
	"literal": {verso.Header("Api-Version"), v123, []place{
		{"GET", "/users/search", false, since}, {"GET", "/users/{id}", false, nil},
	}, nil},
	"several": {verso.Header("Api-Version"), v123, []place{
		{"GET", "/search", false, nil}, {"DELETE", "/search", false, []verso.RouteOption{verso.RemovedIn("v3")}}, {"POST", "/{id}", false, nil}, {"PUT", "/{id}", false, since}, {"DELETE", "/{id}", true, nil},
	}, nil},
}

type row struct {
	ID       string            `json:"id"`
	Service  string            `json:"service"`
	Method   string            `json:"method"`
	Target   string            `json:"target"`
	Version  string            `json:"version,omitempty"` // of the header
	CORS     bool              `json:"cors,omitempty"`
	Want     string            `json:"want"`              // with NotFound
	Except   map[string]string `json:"except,omitempty"`  // by framework
	Without  string            `json:"without,omitempty"` // without NotFound, "": as with it
	Excepted map[string]string `json:"except_without,omitempty"`
	Why      string            `json:"why"`
	Suite    bool              `json:"suite"` // should be a check of the suite
}

func colons(path, rest string) string {
	path = strings.ReplaceAll(path, "{rest...}", rest)
	return strings.NewReplacer("{", ":", "}", "").Replace(path)
}

// ask returns the answer of a service: status, code, Vary, Allow, and what is observed.
func ask(t *testing.T, framework string, s service, r row, notFound bool) string {
	t.Helper()
	seen := "-"
	config := verso.Config{Clock: now, Catalogue: ended(s.names...), Logger: slog.New(slog.NewTextHandler(io.Discard, nil)), Observe: func(_ context.Context, o verso.Observation) {
		seen = fmt.Sprintf("%s/%s", cmp.Or(string(o.Requested), "?"), o.Outcome)
	}}
	if r.Service == "path" {
		config.DefaultVersion = verso.V("v2")
	}
	request := httptest.NewRequest(r.Method, r.Target, nil)
	if r.Version != "" {
		request.Header.Set("Api-Version", r.Version)
	}
	if r.CORS {
		request.Header.Set("Origin", "https://example.com")
		request.Header.Set("Access-Control-Request-Method", "PUT")
	}
	api := verso.MustNew(s.source, config)
	var do doer
	if framework == "fiber" {
		do = overFiber(fiberApp(api, s, notFound))
	} else {
		do = over(handlers[framework](api, s, notFound))
	}
	status, body, header := do(request)
	var problem struct{ Code string }
	_ = json.Unmarshal([]byte(body), &problem)
	allow := strings.Split(strings.ReplaceAll(strings.Join(header["Allow"], ","), " ", ""), ",")
	slices.Sort(allow)
	return fmt.Sprintf("%d %s vary=%s allow=%s seen=%s", status, cmp.Or(problem.Code, "-"), strings.Join(header["Vary"], ","), strings.Join(allow, ","), seen)
}

var handlers = map[string]func(*verso.Versioning, service, bool) http.Handler{
	"gin": func(api *verso.Versioning, s service, notFound bool) http.Handler {
		r := gin.New()
		r.HandleMethodNotAllowed = true
		v := versogin.New(r, api)
		ok := func(c *gin.Context) { c.String(200, "ok") }
		for _, p := range s.routes {
			if path := colons(p.path, "*rest"); p.foreign {
				r.Handle(p.method, path, ok)
			} else {
				v.With(p.options...).Handle(p.method, path, ok)
			}
		}
		if notFound {
			r.NoRoute(v.NotFound())
			r.NoMethod(v.NotFound())
		}
		return r
	},
	"echo4": func(api *verso.Versioning, s service, notFound bool) http.Handler {
		e := echo.New()
		v := versoecho.New(e, api)
		ok := func(c echo.Context) error { return c.String(200, "ok") }
		for _, p := range s.routes {
			if path := colons(p.path, "*"); p.foreign {
				e.Add(p.method, path, ok)
			} else {
				v.With(p.options...).Add(p.method, path, ok)
			}
		}
		if notFound {
			e.HTTPErrorHandler = v.NotFound()
		}
		return e
	},
	"echo5": func(api *verso.Versioning, s service, notFound bool) http.Handler {
		e := echo5.New()
		v := versoecho5.New(e, api)
		ok := func(c *echo5.Context) error { return c.String(200, "ok") }
		for _, p := range s.routes {
			if path := colons(p.path, "*"); p.foreign {
				e.Add(p.method, path, ok)
			} else {
				v.With(p.options...).Add(p.method, path, ok)
			}
		}
		if notFound {
			e.HTTPErrorHandler = v.NotFound()
		}
		return e
	},
	"http": func(api *verso.Versioning, s service, notFound bool) http.Handler {
		mux := http.NewServeMux()
		v := versohttp.New(mux, api)
		ok := func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "ok") }
		for _, p := range s.routes {
			if p.foreign {
				mux.HandleFunc(p.method+" "+p.path, ok)
			} else {
				v.With(p.options...).HandleFunc(p.method+" "+p.path, ok)
			}
		}
		if notFound {
			return v.NotFound()(mux)
		}
		return mux
	},
	"chi": func(api *verso.Versioning, s service, notFound bool) http.Handler {
		r := chi.NewRouter()
		v := versochi.New(r, api)
		ok := func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "ok") }
		for _, p := range s.routes {
			if path := strings.ReplaceAll(p.path, "{rest...}", "*"); p.foreign {
				r.MethodFunc(p.method, path, ok)
			} else {
				v.With(p.options...).MethodFunc(p.method, path, ok)
			}
		}
		if notFound {
			r.NotFound(v.NotFound(nil))
			r.MethodNotAllowed(v.NotFound(nil))
		}
		return r
	},
}

func fiberApp(api *verso.Versioning, s service, notFound bool) *fiber.App {
	app := fiber.New()
	v := versofiber.New(app, api)
	ok := func(c fiber.Ctx) error { return c.SendString("ok") }
	for _, p := range s.routes {
		if path := colons(p.path, "*"); p.foreign {
			app.Add([]string{p.method}, path, ok)
		} else {
			v.With(p.options...).Add([]string{p.method}, path, ok)
		}
	}
	if notFound {
		app.Use(v.NotFound())
	}
	return app
}

// doer sends a request to a service.
type doer func(r *http.Request) (status int, body string, header http.Header)

func over(h http.Handler) doer {
	return func(r *http.Request) (int, string, http.Header) {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w.Code, w.Body.String(), w.Header()
	}
}

func overFiber(app *fiber.App) doer {
	return func(r *http.Request) (int, string, http.Header) {
		response, err := app.Test(r, fiber.TestConfig{Timeout: 0})
		if err != nil {
			return 0, err.Error(), nil
		}
		defer response.Body.Close()
		body, _ := io.ReadAll(response.Body)
		return response.StatusCode, string(body), response.Header
	}
}

func quiet(c verso.Config) verso.Config {
	c.Logger = slog.New(slog.NewTextHandler(io.Discard, nil))
	return c
}

func codes(x *verso.Explanation) (codes []string) {
	for _, f := range x.Findings {
		codes = append(codes, f.Code)
	}
	return codes
}

// each asks a service in all frameworks.
func each(t *testing.T, s service, config verso.Config, check func(framework string, do doer)) {
	t.Helper()
	for _, framework := range frameworks {
		api := verso.MustNew(s.source, quiet(config))
		if framework == "fiber" {
			check(framework, overFiber(fiberApp(api, s, true)))
		} else {
			check(framework, over(handlers[framework](api, s, true)))
		}
	}
}
