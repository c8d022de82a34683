package pins

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/gofiber/fiber/v3"
	"github.com/labstack/echo/v4"
	echo5 "github.com/labstack/echo/v5"

	"github.com/goverso/verso/adapters/versoecho"
	"github.com/goverso/verso/adapters/versoecho5"
	"github.com/goverso/verso/adapters/versofiber"
	"github.com/goverso/verso/adapters/versogin"
	"github.com/goverso/verso/adapters/versohttp"
	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/source"
	"github.com/goverso/verso/examples/internal/frameworks"
)

var (
	today = time.Date(2026, 3, 31, 0, 0, 0, 0, time.UTC)

	// known are the callers of an authentication, by the Authorization header.
	known = map[string]any{
		"Bearer old": "v1", "Bearer typed": verso.V("v1"), "Bearer new": "", "Bearer gone": "v0", "Bearer wrong": "v9", "Bearer early": "v3", "Bearer number": 7,
	}
)

// versions are one that has ended, two that are served, and one that is not released.
func versions(j *journal, observe func(context.Context, verso.Observation)) verso.Config {
	return verso.Config{
		Clock: func() time.Time { return today }, DefaultVersion: verso.V("v2"), Logger: slog.New(j), Observe: observe,
		Catalogue: catalogue.MustNew(catalogue.Config{AfterSunset: catalogue.Gone, Versions: []catalogue.Entry{
			{Version: "v0", Deprecated: today.AddDate(-1, 0, 0), Sunset: today.AddDate(0, -1, 0), Successor: "v1"}, {Version: "v1"}, {Version: "v2"}, {Version: "v3", Released: today.AddDate(0, 1, 0)},
		}}),
	}
}

// TestPins asks as each kind of caller, twice, since a mistake is logged once.
func TestPins(t *testing.T) {
	const both = "Api-Version, Authorization"
	for _, test := range []struct {
		name, authorization, header, method, path, want, vary string
		logged                                                []string
	}{
		{name: "pinned", authorization: "Bearer old", want: "200 v1", vary: both},
		{name: "pinned by a Version", authorization: "Bearer typed", want: "200 v1", vary: both},
		{name: "a header overrides", authorization: "Bearer old", header: "v2", want: "200 v2", vary: "Api-Version"},
		{name: "an empty pin", authorization: "Bearer new", want: "200 v2", vary: both},
		{name: "not pinned", authorization: "Bearer other", want: "200 v2", vary: both},
		{name: "no caller", want: "200 v2", vary: both},
		{name: "a route of the framework", authorization: "Bearer old", path: "/other", want: "200 v1", vary: both},
		{name: "unlisted", authorization: "Bearer wrong", want: "400 invalid_version", vary: both, logged: []string{"stored_unknown"}},
		{name: "unlisted, overridden", authorization: "Bearer wrong", header: "v1", want: "200 v1", vary: "Api-Version"},
		{name: "not released", authorization: "Bearer early", want: "400 invalid_version", vary: both, logged: []string{"stored_unknown"}},
		{name: "an unlisted header", authorization: "Bearer old", header: "v9", want: "400 invalid_header_version", vary: "Api-Version"},
		{name: "ended", authorization: "Bearer gone", want: "410 version_gone", vary: both},
		{name: "ended, overridden", authorization: "Bearer gone", header: "v1", want: "200 v1", vary: "Api-Version"},
		{name: "ended, deleted route", authorization: "Bearer gone", path: "/rooms", want: "410 version_gone", vary: both},
		{name: "ended, other method", authorization: "Bearer gone", method: http.MethodDelete, path: "/users", want: "410 version_gone", vary: both},
		{name: "another type", authorization: "Bearer number", want: "500", logged: []string{"stored_type"}},
		{name: "neutral", authorization: "Bearer wrong", path: "/health", want: "200 "},
		{name: "preflight", authorization: "Bearer wrong", method: http.MethodOptions, want: "200 "},
	} {
		for framework, serve := range frameworks.All {
			t.Run(test.name+" "+framework, func(t *testing.T) {
				j := &journal{}
				var observed []string
				config := versions(j, func(_ context.Context, o verso.Observation) { observed = append(observed, o.Source) })
				h := serve(verso.MustNew(verso.First(verso.Header("Api-Version"), verso.Stored("pin", "Authorization")), config), service(false))
				var headers []string
				for name, value := range map[string]string{"Authorization": test.authorization, "Api-Version": test.header} {
					if value != "" {
						headers = append(headers, name, value)
					}
				}
				if test.method == http.MethodOptions {
					headers = append(headers, "Origin", "https://example.com", "Access-Control-Request-Method", http.MethodGet)
				}
				for range 2 {
					w := frameworks.Ask(h, cmp.Or(test.method, http.MethodGet), cmp.Or(test.path, "/users"), nil, headers...)
					var problem struct{ Code, Sunset, Successor string }
					got := fmt.Sprint(w.Code, " ", w.Body)
					if w.Code >= 400 {
						got = strconv.Itoa(w.Code)
						if _ = json.Unmarshal(w.Body.Bytes(), &problem); problem.Code != "" {
							got = fmt.Sprint(w.Code, " ", problem.Code)
						}
					}
					if vary := strings.Join(w.Header()["Vary"], ", "); got != test.want || test.method != http.MethodOptions && vary != test.vary {
						t.Errorf("%s, Vary: %s", got, vary)
					}
					if w.Code == http.StatusGone && (w.Header().Get("Sunset") == "" || problem.Sunset == "" || problem.Successor != "v1") {
						t.Errorf("%v %s", w.Header(), w.Body)
					}
				}
				if !slices.Equal(j.errors, test.logged) {
					t.Errorf("logged %q, want %q", j.errors, test.logged)
				}
				if test.vary == both && strings.HasPrefix(test.want, "4") && !slices.Equal(observed, []string{`stored value "pin"`, `stored value "pin"`}) {
					t.Errorf("observed %q", observed)
				}
			})
		}
	}
}

// TestPinsAgree: a header that differs is a mistake of the caller.
func TestPinsAgree(t *testing.T) {
	for framework, serve := range frameworks.All {
		h := serve(verso.MustNew(verso.Agree(verso.Header("Api-Version"), verso.Stored("pin", "Authorization")), versions(&journal{}, nil)), service(false))
		for _, test := range []struct {
			authorization, header string
			status                int
		}{{"Bearer old", "v1", 200}, {"Bearer old", "v2", 400}, {"Bearer new", "v1", 200}, {"Bearer gone", "v2", 400}, {"Bearer old", "", 200}} {
			headers := []string{"Authorization", test.authorization}
			if test.header != "" {
				headers = append(headers, "Api-Version", test.header)
			}
			if w := frameworks.Ask(h, http.MethodGet, "/users", nil, headers...); w.Code != test.status || w.Header().Get("Vary") != "Api-Version, Authorization" {
				t.Errorf("%s: %v: %d %s", framework, test, w.Code, w.Header())
			}
		}
	}
}

// TestPinsWithoutHeaders: what a client certificate decides is in no header, so no shared cache
// may keep a response, whatever it is.
func TestPinsWithoutHeaders(t *testing.T) {
	for framework, serve := range frameworks.All {
		h := serve(verso.MustNew(verso.First(verso.Header("Api-Version"), verso.Stored("pin")), versions(&journal{}, nil)), service(false))
		if codes := codesOf(h.Explain()); !slices.Contains(codes, "stored_without_headers") {
			t.Errorf("%s: findings %q", framework, codes)
		}
		for _, test := range []struct {
			authorization, header, path string
			status                      int
			control                     string
		}{
			{"Bearer old", "", "/users", 200, "private"}, {"", "", "/users", 200, "private"}, {"Bearer wrong", "", "/users", 400, "private"}, {"Bearer gone", "", "/users", 410, "private"},
			{"Bearer old", "v2", "/users", 200, ""}, {"Bearer old", "", "/health", 200, ""},
		} {
			headers := []string{"Authorization", test.authorization}
			if test.header != "" {
				headers = append(headers, "Api-Version", test.header)
			}
			if w := frameworks.Ask(h, http.MethodGet, test.path, nil, headers...); w.Code != test.status || w.Header().Get("Cache-Control") != test.control {
				t.Errorf("%s: %v: %d %s", framework, test, w.Code, w.Header())
			}
		}
	}
}

func codesOf(x *verso.Explanation) (codes []string) {
	for _, f := range x.Findings {
		codes = append(codes, f.Code)
	}
	return codes
}

// TestPinsTooLate installs the authentication behind the middleware. Routes of the framework get
// the default then, which is told when Explain is called and when it happens.
func TestPinsTooLate(t *testing.T) {
	for framework, serve := range frameworks.All {
		j := &journal{}
		h := serve(verso.MustNew(verso.First(verso.Header("Api-Version"), verso.Stored("pin", "Authorization")), versions(j, nil)), service(true))
		if codes := codesOf(h.Explain()); framework != "fiber" && !slices.Contains(codes, "stored_behind_middleware") {
			t.Errorf("%s: findings %q", framework, codes)
		}
		if frameworks.Ask(h, http.MethodGet, "/other", nil, "Authorization", "Bearer new"); len(j.errors) > 0 {
			t.Errorf("%s: without a pin: %q", framework, j.errors)
		}
		for range 2 {
			if w := frameworks.Ask(h, http.MethodGet, "/other", nil, "Authorization", "Bearer old"); w.Body.String() != "v2" {
				t.Errorf("%s: %d %s", framework, w.Code, w.Body)
			}
		}
		if !slices.Equal(j.errors, []string{"stored_late"}) {
			t.Errorf("%s: logged %q", framework, j.errors)
		}
		if w := frameworks.Ask(h, http.MethodGet, "/users", nil, "Authorization", "Bearer old"); framework != "fiber" && w.Body.String() != "v1" {
			t.Errorf("%s: a route of v: %d %s", framework, w.Code, w.Body)
		}
	}
}

type pinKey struct{}

func TestPinsConform(t *testing.T) {
	for name, from := range map[any]source.Source{
		"pin": verso.Stored("pin", "Authorization"), pinKey{}: verso.Stored(pinKey{}, "X-Api-Key", "Cookie"),
	} {
		t.Run(from.Describe().Name, func(t *testing.T) {
			conformance.Source(t, from, conformance.SourceOptions{Request: func(version string) *http.Request {
				r, _ := http.NewRequestWithContext(context.WithValue(t.Context(), name, version), http.MethodGet, "/", nil)
				return r
			}})
		})
	}
}

// TestPinsTooLateInContext: the authentication replaces the request by one with another context.
func TestPinsTooLateInContext(t *testing.T) {
	pinned := func(r *http.Request) *http.Request {
		return r.WithContext(context.WithValue(r.Context(), pinKey{}, "v1"))
	}
	for framework, serve := range map[string]func(api *verso.Versioning) http.Handler{
		"gin": func(api *verso.Versioning) http.Handler {
			r := gin.New()
			r.Use(versogin.New(r, api).Middleware(), func(c *gin.Context) { c.Request = pinned(c.Request) })
			r.GET("/other", func(c *gin.Context) { c.String(http.StatusOK, versogin.Version(c).String()) })
			return r
		},
		"echo4": func(api *verso.Versioning) http.Handler {
			e := echo.New()
			e.Use(versoecho.New(e, api).Middleware(), func(next echo.HandlerFunc) echo.HandlerFunc {
				return func(c echo.Context) error { c.SetRequest(pinned(c.Request())); return next(c) }
			})
			e.GET("/other", func(c echo.Context) error { return c.String(http.StatusOK, versoecho.Version(c).String()) })
			return e
		},
		"echo5": func(api *verso.Versioning) http.Handler {
			e := echo5.New()
			e.Use(versoecho5.New(e, api).Middleware(), func(next echo5.HandlerFunc) echo5.HandlerFunc {
				return func(c *echo5.Context) error { c.SetRequest(pinned(c.Request())); return next(c) }
			})
			e.GET("/other", func(c *echo5.Context) error { return c.String(http.StatusOK, versoecho5.Version(c).String()) })
			return e
		},
		"http, behind the check": func(api *verso.Versioning) http.Handler {
			mux := http.NewServeMux()
			v := versohttp.New(mux, api).AfterCheck(func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { next.ServeHTTP(w, pinned(r)) })
			})
			v.HandleFunc("GET /other", func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, versohttp.Version(r).String()) })
			return mux
		},
		"http, for a handler with a context": func(api *verso.Versioning) http.Handler {
			mux := http.NewServeMux()
			v := versohttp.New(mux, api).AfterCheck(func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { next.ServeHTTP(w, pinned(r)) })
			}, versohttp.InContext)
			v.HandleFunc("GET /other", func(w http.ResponseWriter, r *http.Request) {
				result, _ := verso.FromContext(r.Context())
				_, _ = io.WriteString(w, result.Version().String())
			})
			return mux
		},
		"fiber": func(api *verso.Versioning) http.Handler {
			app := fiber.New()
			v := versofiber.New(app, api).AfterCheck(func(c fiber.Ctx) error {
				c.SetContext(context.WithValue(c.Context(), pinKey{}, "v1"))
				return c.Next()
			})
			v.Get("/other", func(c fiber.Ctx) error { return c.SendString(versofiber.Version(c).String()) })
			return frameworks.OverFiber(app)
		},
	} {
		j := &journal{}
		h := serve(verso.MustNew(verso.Stored(pinKey{}, "Authorization"), versions(j, nil)))
		for range 2 {
			if w := frameworks.Ask(h, http.MethodGet, "/other", nil); w.Body.String() != "v2" {
				t.Errorf("%s: %d %s", framework, w.Code, w.Body)
			}
		}
		if !slices.Equal(j.errors, []string{"stored_late"}) {
			t.Errorf("%s: logged %q", framework, j.errors)
		}
	}
}
