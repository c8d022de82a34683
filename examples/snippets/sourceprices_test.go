package snippets

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versoecho"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/source"
)

// TestPricesOfSources holds docs/sources.md to its table: what a response says
// to caches, what a link carries, what an unknown version gets, and whether a
// version is still there when a client has followed a redirect whose Location
// does not have it.
func TestPricesOfSources(t *testing.T) {
	for _, test := range []struct {
		name             string
		source           source.Source
		path, vary, link string
		unknown          int
		redirected       string // the version behind the redirect
	}{
		{"path", verso.PathParam("version"), "/:version/users", "", "/v2/users", 404, "none"},
		{"query", verso.QueryParam("version"), "/users", "", "/users?version=v2", 404, "none"},
		{"host", verso.HostLabel(""), "/users", "", "/users", 404, "v2"},
		{"header", verso.Header("Api-Version"), "/users", "Api-Version", "/users", 400, "v2"},
		{"media type", verso.MediaType("application/vnd.acme.{version}+json"), "/users", "Accept", "/users", 406, "v2"},
		{"parameter of Accept", verso.AcceptParam("version"), "/users", "Accept", "/users", 406, "v2"},
	} {
		t.Run(test.name, func(t *testing.T) {
			api := verso.MustNew(test.source, verso.Config{
				AllowedVersions: []string{"v1", "v2", "none"},
				DefaultVersion:  verso.V("none"),
				Links:           verso.LinkConfig{Relative: true},
			})
			naming := func(version string, r *http.Request) *http.Request {
				switch test.name {
				case "path":
					r.URL.Path = strings.Replace(r.URL.Path, ":version", version, 1)
				case "query":
					r.URL.RawQuery = "version=" + version
				case "host":
					r.Host = version + ".example.com"
				case "header":
					r.Header.Set("Api-Version", version)
				case "media type":
					r.Header.Set("Accept", "application/vnd.acme."+version+"+json")
				default:
					r.Header.Set("Accept", "*/*;version="+version)
				}
				return r
			}
			e := echo.New()
			v := versoecho.New(e, api)
			v.GET(test.path, func(c echo.Context) error {
				self, err := versoecho.Link(c, verso.Target{Name: "users"})
				c.Response().Header().Set("Self", self)
				return err
			}).Name = "users"
			v.GET("/new", func(c echo.Context) error { return c.String(http.StatusOK, versoecho.Version(c).String()) })
			old := strings.Replace(test.path, "users", "old", 1)
			v.GET(old, func(c echo.Context) error { return c.Redirect(http.StatusPermanentRedirect, "/new") })

			w := httptest.NewRecorder()
			e.ServeHTTP(w, naming("v2", httptest.NewRequest(http.MethodGet, "http://v1.example.com"+test.path, nil)))
			assert.Equal(t, test.vary, w.Header().Get("Vary"))
			assert.Equal(t, test.link, w.Header().Get("Self"))

			w = httptest.NewRecorder()
			e.ServeHTTP(w, naming("v9", httptest.NewRequest(http.MethodGet, "http://v1.example.com"+test.path, nil)))
			assert.Equal(t, test.unknown, w.Code)

			server := httptest.NewServer(e)
			defer server.Close()
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+old, nil)
			require.NoError(t, err)
			r.Host = "v1.example.com"
			response, err := server.Client().Do(naming("v2", r))
			require.NoError(t, err)
			defer response.Body.Close()
			body, err := io.ReadAll(response.Body)
			require.NoError(t, err)
			assert.Equal(t, test.redirected, string(body))
		})
	}
}
