package snippets

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versoecho"
	"github.com/goverso/verso/adapters/versogin"
	verso "github.com/goverso/verso/core"
)

// newMigration returns the versioning of a service whose old clients name the
// version in the path, and whose new ones in a header.
func newMigration() *verso.Versioning {
	return verso.MustNew(
		verso.First(verso.PathParam("version"), verso.Header("Api-Version")),
		verso.Config{AllowedVersions: []string{"v1", "v2"}},
	)
}

func newMigrationInEcho() http.Handler {
	e := echo.New()
	v := versoecho.New(e, newMigration())
	showUser := func(c echo.Context) error {
		self, err := versoecho.Link(c, verso.Target{Name: "user", Params: verso.Params{"id": versoecho.Param(c, "id")}})
		if err != nil {
			return err
		}
		return c.String(http.StatusOK, versoecho.Version(c).String()+" "+self)
	}
	v.GET("/:version/users/:id", showUser).Name = "user" // for two years
	v.GET("/users/:id", showUser).Name = "user"
	return e
}

func newMigrationInGin() http.Handler {
	r := gin.New()
	v := versogin.New(r, newMigration())
	showUser := func(c *gin.Context) {
		self, err := versogin.Link(c, verso.Target{Name: "user", Params: verso.Params{"id": versogin.Param(c, "id")}})
		if err != nil {
			_ = c.AbortWithError(http.StatusInternalServerError, err)
			return
		}
		c.String(http.StatusOK, versogin.Version(c).String()+" "+self)
	}
	v.Name("user").GET("/:version/users/:id", showUser) // for two years
	v.Name("user").GET("/users/:id", showUser)
	return r
}

// TestMigration follows the links of both kinds of clients: each stays in the
// place where it names the version.
func TestMigration(t *testing.T) {
	for name, handler := range map[string]http.Handler{"echo": newMigrationInEcho(), "gin": newMigrationInGin()} {
		server := httptest.NewServer(handler)
		t.Cleanup(server.Close)
		for _, test := range []struct {
			name, path, header string
			status             int
			body, vary         string
		}{
			{"old client", "/v1/users/7", "", 200, "v1 " + server.URL + "/v1/users/7", ""},
			{"old client, other header", "/v1/users/7", "v2", 200, "v1 " + server.URL + "/v1/users/7", ""},
			{"new client", "/users/7", "v2", 200, "v2 " + server.URL + "/users/7", "Api-Version"},
			{"new client, unknown version", "/users/7", "v9", 400, "", "Api-Version"},
			{"no version", "/users/7", "", 400, "", "Api-Version"},
		} {
			t.Run(name+"/"+test.name, func(t *testing.T) {
				request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+test.path, nil)
				require.NoError(t, err)
				if test.header != "" {
					request.Header.Set("Api-Version", test.header)
				}
				response, err := server.Client().Do(request)
				require.NoError(t, err)
				defer response.Body.Close()
				body := make([]byte, 4096)
				n, _ := response.Body.Read(body)
				assert.Equal(t, test.status, response.StatusCode)
				assert.Equal(t, test.vary, response.Header.Get("Vary"))
				if test.body != "" {
					assert.Equal(t, test.body, string(body[:n]))
				}
			})
		}
	}
}

// TestDatesAreVersions counts dates in the order of the list.
func TestDatesAreVersions(t *testing.T) {
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"2025-01-01", "2026-01-01"}})
	e := echo.New()
	versoecho.New(e, api).Since("2026-01-01").GET("/rooms", nothing)
	for version, want := range map[string]int{"2025-01-01": http.StatusNotFound, "2026-01-01": http.StatusNoContent} {
		w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/rooms", nil)
		r.Header.Set("Api-Version", version)
		e.ServeHTTP(w, r)
		assert.Equal(t, want, w.Code)
	}
	assert.False(t, api.IsAllowedVersion(verso.V("2026-1-1")))
}
