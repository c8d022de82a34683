package around

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
)

func newVersioning(now *time.Time) *verso.Versioning {
	return verso.MustNew(verso.PathPrefix("/api/{version}"), verso.Config{
		Catalogue: catalogue.MustNew(catalogue.Config{
			Versions: []catalogue.Entry{
				{Version: "v1", Deprecated: catalogue.MustDate("2026-12-01"), Sunset: catalogue.MustDate("2027-12-01"), Successor: "v2"},
				{Version: "v2"},
			},
			AfterSunset: catalogue.Gone, SuccessorLinks: true,
		}),
		Clock:              func() time.Time { return *now },
		DefaultVersion:     verso.V("v1"),
		AfterDefaultSunset: verso.RejectUnversioned,
		Links:              verso.LinkConfig{Relative: true},
	})
}

func show(w http.ResponseWriter, r *http.Request) {
	if versohttp.AtLeast(r, "v2") {
		_, _ = fmt.Fprintf(w, "new %s", r.URL.EscapedPath())
		return
	}
	_, _ = fmt.Fprintf(w, "old %s", r.URL.EscapedPath())
}

// routers are an old service, of a router with an adapter and of one without.
var routers = map[string]func() http.Handler{
	"chi": func() http.Handler {
		r := chi.NewRouter()
		r.Get("/api/users/{id}", show)
		r.Put("/api/users/{id}", show)
		r.Get("/health", show)
		return r
	},
	"by hand": func() http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/api/users/7", "/api/users/a/b", "/health":
				show(w, r)
			default:
				http.NotFound(w, r)
			}
		})
	},
}

func ask(h http.Handler, method, path string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(method, path, nil))
	return w
}

// TestOldRequests: what the service answered before, it answers as v1.
func TestOldRequests(t *testing.T) {
	for name, newRouter := range routers {
		now := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
		before, after := newRouter(), Around(newVersioning(&now), newRouter())
		for _, request := range [][2]string{
			{"GET", "/api/users/7"}, {"PUT", "/api/users/7"}, {"DELETE", "/api/users/7"}, {"HEAD", "/api/users/7"},
			{"OPTIONS", "/api/users/7"}, {"GET", "/api/nope"}, {"GET", "/api/users/a%2Fb"}, {"GET", "/health"}, {"GET", "/nope"},
		} {
			old, now := ask(before, request[0], request[1]), ask(after, request[0], request[1])
			assert.Equal(t, old.Code, now.Code, "%s: %s", name, request)
			assert.Equal(t, old.Body.String(), now.Body.String(), "%s: %s", name, request)
		}
	}
}

func TestVersions(t *testing.T) {
	for name, newRouter := range routers {
		for _, test := range []struct {
			year       int
			path       string
			status     int
			body, next string
		}{
			{2027, "/api/users/7", http.StatusOK, "old /api/users/7", "/api/v2/users/7"},
			{2027, "/api/v1/users/7", http.StatusOK, "old /api/users/7", "/api/v2/users/7"},
			{2027, "/api/v2/users/7", http.StatusOK, "new /api/users/7", ""},
			{2027, "/api/v2/users/a%2Fb", http.StatusOK, "new /api/users/a%2Fb", ""},
			{2027, "/api/v2/nope", http.StatusNotFound, "", ""},
			{2027, "/health", http.StatusOK, "old /health", ""},
			{2028, "/api/users/7", http.StatusGone, "", "/api/v2/users/7"},
			{2028, "/api/v1/users/7", http.StatusGone, "", "/api/v2/users/7"},
			{2028, "/api/v2/users/7", http.StatusOK, "new /api/users/7", ""},
			{2028, "/health", http.StatusOK, "old /health", ""},
		} {
			now := time.Date(test.year, 1, 1, 0, 0, 0, 0, time.UTC)
			got := ask(Around(newVersioning(&now), newRouter()), http.MethodGet, test.path)
			about := fmt.Sprintf("%s: %d %s", name, test.year, test.path)
			assert.Equal(t, test.status, got.Code, about)
			if test.body != "" {
				assert.Equal(t, test.body, got.Body.String(), about)
			}
			link := ""
			if test.next != "" {
				link = "<" + test.next + `>; rel="successor-version"`
			}
			assert.Equal(t, link, got.Header().Get("Link"), about)
			assert.Equal(t, test.next != "", got.Header().Get("Sunset") != "", about)
		}
	}
}

// TestLost: what the page says is lost.
func TestLost(t *testing.T) {
	now := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
	after := Around(newVersioning(&now), routers["chi"]())
	assert.Equal(t, http.StatusTemporaryRedirect, ask(after, http.MethodGet, "/api").Code, "the ServeMux redirects to /api/")
	assert.Equal(t, http.StatusTemporaryRedirect, ask(after, http.MethodGet, "/api//users/7").Code, "the ServeMux cleans paths")
}
