// Package guards_test puts guards that go by the path in front of services whose routes
// have a path for each version.
package guards_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/casbin/casbin/v3"
	"github.com/casbin/casbin/v3/model"
	"github.com/gin-gonic/gin"
	"github.com/golang-jwt/jwt/v5"
	echojwt "github.com/labstack/echo-jwt/v4"
	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versoecho"
	"github.com/goverso/verso/adapters/versogin"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/examples/internal/proxytest"
)

func prefixed() *verso.Versioning {
	return verso.MustNew(verso.PathPrefix("/api/{version}"), verso.Config{AllowedVersions: []string{"v1", "v2"}, DefaultVersion: verso.V("v1")})
}

// exports are the paths of the route for exports.
var exports = []string{"/api/admin/exports/7", "/api/v1/admin/exports/7", "/api/v2/admin/exports/7"}

// adminForms returns the patterns that a guard of /api/admin must know.
func adminForms(explanation *verso.Explanation) (forms []string) {
	for _, route := range explanation.Routes {
		if strings.HasPrefix(route.Pattern, "/api/admin/") {
			forms = append(forms, route.Forms...)
		}
	}
	return forms
}

func status(t *testing.T, handler http.Handler, path string, header http.Header) int {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
	r.Header = header
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	return w.Code
}

// TestCasbin has a policy that denies the paths of administration to all but admins, in
// front of Gin's routes.
func TestCasbin(t *testing.T) {
	gin.SetMode(gin.TestMode)
	for name, test := range map[string]struct {
		forms func(*versogin.Routes) []string
		want  []int // for somebody who is no admin
	}{
		"the path of the service before": {func(*versogin.Routes) []string { return []string{"/api/admin/exports/:id"} }, []int{403, 200, 200}},
		"all paths of Explain":           {func(v *versogin.Routes) []string { return adminForms(v.Explain()) }, []int{403, 403, 403}},
	} {
		t.Run(name, func(t *testing.T) {
			rules, err := model.NewModelFromString(`
[request_definition]
r = sub, obj
[policy_definition]
p = sub, obj, eft
[policy_effect]
e = !some(where (p.eft == deny))
[matchers]
m = r.sub != "admin" && keyMatch2(r.obj, p.obj)
`)
			require.NoError(t, err)
			enforcer, err := casbin.NewEnforcer(rules)
			require.NoError(t, err)
			r := gin.New()
			r.Use(func(c *gin.Context) {
				if allowed, err := enforcer.Enforce(c.GetHeader("User"), c.Request.URL.Path); err != nil || !allowed {
					c.AbortWithStatus(http.StatusForbidden)
				}
			})
			v := versogin.New(r, prefixed())
			v.EachVersion().GET("/api/admin/exports/:id", func(c *gin.Context) { c.Status(http.StatusOK) })
			for _, form := range test.forms(v) {
				_, err := enforcer.AddPolicy("*", form, "deny")
				require.NoError(t, err)
			}
			for i, path := range exports {
				assert.Equal(t, test.want[i], status(t, r, path, http.Header{"User": {"guest"}}), path)
				assert.Equal(t, http.StatusOK, status(t, r, path, http.Header{"User": {"admin"}}), path)
			}
		})
	}
}

// TestJWT asks for a token in the middleware of a group, which is in front of each path.
func TestJWT(t *testing.T) {
	e := echo.New()
	secret := []byte("a secret of the test, and of no service")
	versoecho.New(e, prefixed()).EachVersion().Group("/api/admin", echojwt.JWT(secret)).
		GET("/exports/:id", func(c echo.Context) error { return c.NoContent(http.StatusOK) })
	token, err := jwt.New(jwt.SigningMethodHS256).SignedString(secret)
	require.NoError(t, err)
	for _, path := range exports {
		assert.Equal(t, http.StatusUnauthorized, status(t, e, path, http.Header{"Authorization": {"Bearer none"}}), path)
		assert.Equal(t, http.StatusOK, status(t, e, path, http.Header{"Authorization": {"Bearer " + token}}), path)
	}
}

// TestNginx has a location for each path that the explanation lists.
func TestNginx(t *testing.T) {
	e := echo.New()
	v := versoecho.New(e, prefixed())
	answer := func(c echo.Context) error { return c.String(http.StatusOK, versoecho.Version(c).String()) }
	v.EachVersion().GET("/api/admin/exports/:id", answer)
	v.EachVersion().GET("/api/lists", answer)
	service := httptest.NewServer(e)
	defer service.Close()

	locations := []string{"location / { proxy_pass http://127.0.0.1:%[2]s; }"}
	for _, form := range adminForms(v.Explain()) {
		prefix, _, _ := strings.Cut(form, ":")
		locations = append(locations, "location "+prefix+" { return 403; }")
	}
	address := proxytest.Start(t, proxytest.Nginx("", strings.Join(locations, "\n\t\t")), service.Listener.Addr().String())
	for _, path := range exports {
		response, err := http.Get("http://" + address + path) //nolint:noctx // ends with the test
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		assert.Equal(t, http.StatusForbidden, response.StatusCode, path)
	}
	response, err := http.Get("http://" + address + "/api/v2/lists") //nolint:noctx // as above
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	assert.Equal(t, http.StatusOK, response.StatusCode)
}
