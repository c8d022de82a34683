package params

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versogin"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
)

// TestRenamedPath is the recipe for a path that a release renames: two routes of one name.
func TestRenamedPath(t *testing.T) {
	api := verso.MustNew(verso.PathParam("version"), verso.Config{
		AllowedVersions: []string{"v1", "v2", "v3"}, Links: verso.LinkConfig{Relative: true},
	})
	history, err := migrate.New(api, migrate.Release("v3"), migrate.Release("v2"), migrate.Release("v1"))
	require.NoError(t, err)
	r := gin.New()
	v := versogin.New(r, api).Group("/:version")
	list := func(c *gin.Context) {
		link, err := versogin.Link(c, verso.Target{Name: "orders", Params: verso.Params{"id": 7}})
		if err != nil {
			link, err = versogin.Link(c, verso.Target{Name: "orders"})
		}
		c.String(http.StatusOK, "%s %v", link, err)
	}
	v.Name("orders").RemovedIn("v3").GET("/users/:id/orders", list)
	v.Name("orders").Since("v3").GET("/orders", list)

	for target, want := range map[string]string{
		"/v1/users/7/orders": "200 /v1/users/7/orders <nil>",
		"/v2/users/7/orders": "200 /v2/users/7/orders <nil>",
		"/v3/orders":         "200 /v3/orders <nil>",
		"/v3/users/7/orders": "404 not_in_version",
		"/v2/orders":         "404 not_in_version",
	} {
		w := httptest.NewRecorder()
		r.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
		status, text, _ := strings.Cut(want, " ")
		assert.Equal(t, status, strconv.Itoa(w.Code), target)
		assert.Contains(t, w.Body.String(), text, target)
	}
	var changelog strings.Builder
	require.NoError(t, history.Changelog(v.Explain()).Markdown(&changelog))
	assert.Contains(t, changelog.String(), "## v3\n\n- GET /users/{id}/orders is now GET /orders. **Breaking.**\n")
}
