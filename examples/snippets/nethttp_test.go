package snippets

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versoecho"
	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
)

// TestNetHTTP sends requests to the programs of docs/routes.md.
func TestNetHTTP(t *testing.T) {
	api := verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}, Strict: verso.Strict()})
	show := func(w http.ResponseWriter, r *http.Request) { _, _ = fmt.Fprint(w, versohttp.Version(r)) }
	auth := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Who", "shop")
			next.ServeHTTP(w, r)
		})
	}
	health := func(http.ResponseWriter, *http.Request) {}
	documents := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprint(w, "document") })
	allowOrigins := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Access-Control-Allow-Origin", "*")
			next.ServeHTTP(w, r)
		})
	}
	listRooms, listUsers, showUser, showNames := show, show, show, show

	registered := func() http.Handler {
		mux := http.NewServeMux()
		v := versohttp.New(mux, api)
		users := v.Group("/{version}/users", auth)
		users.Name("user").HandleVersions("GET /{id}", versohttp.Handlers{"v1": showNames, "v2": showUser})
		users.HandleFunc("GET", listUsers) // the group's own path
		v.Since("v2").HandleFunc("GET /{version}/rooms", listRooms)
		mux.HandleFunc("GET /health", health) // no version
		outer := http.NewServeMux()
		outer.Handle("GET /openapi/", documents)
		outer.Handle("/", allowOrigins(v.NotFound()(mux)))
		return outer
	}
	left := func() http.Handler {
		mux := http.NewServeMux()
		mux.HandleFunc("GET /{version}/users/{id}", showUser)
		return versohttp.New(mux, api).Middleware()(mux)
	}
	single := func() http.Handler {
		mux := http.NewServeMux()
		versioned := versohttp.New(mux, api).Middleware()
		mux.Handle("GET /{version}/users/{id}", versioned(http.HandlerFunc(showUser)))
		return mux
	}
	ownErrors := func() http.Handler {
		mux := http.NewServeMux()
		v := versohttp.New(mux, api, versohttp.Config{
			ErrorHandler: func(w http.ResponseWriter, r *http.Request, rejected *verso.Error, answer *verso.Answer) {
				slog.InfoContext(r.Context(), "rejected", "err", rejected)
				http.Error(w, answer.Problem.Detail, rejected.StatusCode())
			},
		})
		v.HandleFunc("GET /{version}/users/{id}", showUser)
		return mux
	}
	for _, test := range []struct {
		name   string
		server http.Handler
		path   string
		status int
		body   string
	}{
		{"registered", registered(), "/v2/users/7", 200, "v2"},
		{"registered", registered(), "/v1/users", 200, "v1"},
		{"registered", registered(), "/openapi/v2.json", 200, "document"},
		{"registered", registered(), "/favicon.ico", 404, "404 page not found"},
		{"registered", registered(), "/v9/users/7", 404, "invalid_url_path_version"},
		{"registered", registered(), "/v1/rooms", 404, "not_in_version"},
		{"registered", registered(), "/health", 200, ""},
		{"left", left(), "/v2/users/7", 200, "v2"},
		{"left", left(), "/v9/users/7", 404, "invalid_url_path_version"},
		{"left", left(), "/nowhere", 404, "404 page not found"},
		{"single", single(), "/v9/users/7", 404, "invalid_url_path_version"},
		{"own errors", ownErrors(), "/v9/users/7", 404, "Invalid version in URL path.\n"},
	} {
		t.Run(test.name+" "+test.path, func(t *testing.T) {
			w := httptest.NewRecorder()
			test.server.ServeHTTP(w, httptest.NewRequest(http.MethodGet, test.path, nil))
			assert.Equal(t, test.status, w.Code)
			assert.Contains(t, w.Body.String(), test.body)
		})
	}
}

// TestEchoMessage answers a rejection as Echo answers its own errors.
func TestEchoMessage(t *testing.T) {
	api := verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	e := echo.New()
	v := versoecho.New(e, api, versoecho.Config{
		ErrorHandler: func(_ echo.Context, rejected *verso.Error, answer *verso.Answer) error {
			return echo.NewHTTPError(rejected.StatusCode(), answer.Problem.Detail).SetInternal(rejected)
		},
	})
	v.GET("/:version/users", func(c echo.Context) error { return c.NoContent(http.StatusNoContent) })
	w := httptest.NewRecorder()
	e.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/v9/users", nil))
	assert.Equal(t, http.StatusNotFound, w.Code)
	assert.JSONEq(t, `{"message": "Invalid version in URL path."}`, w.Body.String())
}
