package bench

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/labstack/echo/v4"
	echo5 "github.com/labstack/echo/v5"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versoecho"
	"github.com/goverso/verso/adapters/versoecho5"
	"github.com/goverso/verso/adapters/versogin"
	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/locales"
)

// refusals are what a framework answers with 404, by itself and with Verso.
type refusals struct {
	framework string

	// own returns a service for which the request matches no route: Echo's
	// error handler answers with JSON, Gin and net/http with a line of text.
	own func() http.Handler

	// handler returns a service whose handler answers with the problem, in
	// the way in which the framework's handlers answer errors with JSON.
	handler func(problem verso.Problem) http.Handler

	verso func(verso.Scheme, verso.Translator) http.Handler
}

var refusalCases = []refusals{
	{
		framework: "echo",
		own:       func() http.Handler { return echo.New() },
		handler: func(problem verso.Problem) http.Handler {
			e := echo.New()
			e.GET("/users", func(echo.Context) error { return &echo.HTTPError{Code: problem.Status, Message: problem} })
			return e
		},
		verso: func(scheme verso.Scheme, translator verso.Translator) http.Handler {
			e := echo.New()
			e.Use(versoecho.MiddlewareWithConfig(versoecho.Config{Scheme: scheme, Translator: translator}))
			e.GET("/users", func(echo.Context) error { return nil })
			return e
		},
	},
	{
		framework: "echo5",
		own:       func() http.Handler { return echo5.New() },
		handler: func(problem verso.Problem) http.Handler {
			e := echo5.New()
			e.GET("/users", func(c *echo5.Context) error { return c.JSON(problem.Status, problem) })
			return e
		},
		verso: func(scheme verso.Scheme, translator verso.Translator) http.Handler {
			e := echo5.New()
			e.Use(versoecho5.MiddlewareWithConfig(versoecho5.Config{Scheme: scheme, Translator: translator}))
			e.GET("/users", func(*echo5.Context) error { return nil })
			return e
		},
	},
	{
		framework: "gin",
		own:       func() http.Handler { return gin.New() },
		handler: func(problem verso.Problem) http.Handler {
			r := gin.New()
			r.GET("/users", func(c *gin.Context) { c.AbortWithStatusJSON(problem.Status, problem) })
			return r
		},
		verso: func(scheme verso.Scheme, translator verso.Translator) http.Handler {
			r := gin.New()
			r.Use(versogin.New(scheme, versogin.WithTranslator(translator)))
			r.GET("/users", func(*gin.Context) {})
			return r
		},
	},
	{
		framework: "http",
		own:       func() http.Handler { return http.NewServeMux() },
		handler: func(problem verso.Problem) http.Handler {
			mux := http.NewServeMux()
			mux.HandleFunc("GET /users", func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/problem+json")
				w.WriteHeader(problem.Status)
				_ = json.NewEncoder(w).Encode(problem)
			})
			return mux
		},
		verso: func(scheme verso.Scheme, translator verso.Translator) http.Handler {
			mux, err := versohttp.NewMux(versohttp.Config{Scheme: scheme, Translator: translator})
			if err != nil {
				panic(err)
			}
			mux.HandleFunc("GET /users", func(http.ResponseWriter, *http.Request) {})
			return mux
		},
	},
}

// refusedProblem is the problem that Verso answers a refused request with, for
// handlers that answer the same without Verso.
var refusedProblem = verso.Problem{
	Type:            verso.ProblemInvalidVersion,
	Title:           "Invalid API version",
	Status:          http.StatusNotFound,
	Detail:          "Invalid version in query parameter.",
	Code:            verso.InvalidQueryParameterVersion,
	AllowedVersions: settings.AllowedVersions,
}

// BenchmarkRefusal answers with 404: as the framework does when there is no
// route (own), with the body of a refusal but without Verso (handler), and as
// Verso does when the version is not served, in English and translated. All
// requests have the same query, which Echo parses when it writes JSON.
func BenchmarkRefusal(b *testing.B) {
	translator, err := locales.New()
	if err != nil {
		b.Fatal(err)
	}
	query := verso.Must(verso.NewQueryParameter(settings))
	accept := verso.Must(verso.NewAcceptHeader(settings))
	for _, f := range refusalCases {
		for _, variant := range []struct {
			name     string
			service  http.Handler
			target   string
			language string
		}{
			{"own", f.own(), "/nowhere?version=v9", browserLanguages},
			{"handler", f.handler(refusedProblem), "/users?version=v9", browserLanguages},
			{"query_parameter", f.verso(query, nil), "/users?version=v9", browserLanguages},
			{"accept_header", f.verso(accept, nil), "/users?version=v9", browserLanguages},
			{"translated", f.verso(query, translator), "/users?version=v9", browserLanguages},
			{"translated-64KiB", f.verso(query, translator), "/users?version=v9", strings.Repeat("xx-unknown,", 64<<10/11)},
		} {
			b.Run(f.framework+"/"+variant.name, func(b *testing.B) {
				r := refusedRequest(b, variant.target)
				r.Header.Set("Accept-Language", variant.language)
				serve(b, variant.service, r)
			})
		}
	}
}

const browserLanguages = "de-CH,de;q=0.9,en;q=0.8"

// refusedRequest returns a request that asks for v9 in its Accept header.
func refusedRequest(tb testing.TB, target string) *http.Request {
	tb.Helper()
	r := httptest.NewRequestWithContext(tb.Context(), http.MethodGet, target, nil)
	r.Header.Set("Accept", "application/json; version=v9")
	return r
}

// TestRefusals makes sure that the compared answers are the same.
func TestRefusals(t *testing.T) {
	query := verso.Must(verso.NewQueryParameter(settings))
	for _, f := range refusalCases {
		byHand, refused, own := httptest.NewRecorder(), httptest.NewRecorder(), httptest.NewRecorder()
		f.handler(refusedProblem).ServeHTTP(byHand, refusedRequest(t, "/users"))
		f.verso(query, nil).ServeHTTP(refused, refusedRequest(t, "/users?version=v9"))
		f.own().ServeHTTP(own, refusedRequest(t, "/nowhere"))
		assert.Equal(t, []int{404, 404, 404}, []int{byHand.Code, refused.Code, own.Code}, f.framework)
		assert.JSONEq(t, byHand.Body.String(), refused.Body.String(), f.framework)
	}
}
