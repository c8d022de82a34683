package versoecho5_test

import (
	"net/http"
	"testing"

	"github.com/labstack/echo/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versoecho5"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/scheme"
)

func TestNamespace(t *testing.T) {
	users := func(v *versoecho5.Routes) {
		add(t, v, http.MethodGet, "/users", answerVersion, "users")
		v.GET("/unnamed", answerVersion)
		v.GET("/link", answerLink(verso.Target{Name: "users"}))
	}
	e := echo.New()
	v := versoecho5.New(e, verso.Must(scheme.NewNamespace(verso.Config{AllowedVersions: []string{"v1", "api"}})))
	v.Name("users").GET("/users", answerVersion)
	users(v.Group("/v1").Namespace("v1"))
	users(v.Namespace("api").Group("/v2").Namespace("v2"))
	for target, want := range map[string]string{
		"/users": "", "/v1/users": "v1", "/v1/unnamed": "v1", "/v2/users": "api", "/v2/unnamed": "api",
	} {
		assert.Equal(t, want, send(t, e, http.MethodGet, target, nil).body, target)
	}
	link := send(t, e, http.MethodGet, "/v1/link", http.Header{"Host": {"api.example.com"}}).body
	assert.Equal(t, "http://api.example.com/v1/users", link)

	nested, err := e.Router().Routes().FindByMethodPath(http.MethodGet, "/v2/users")
	require.NoError(t, err)
	assert.Equal(t, "api:v2:users", nested.Name)
	assert.PanicsWithError(t, `versoecho5: Namespace needs a name, such as "v1"`, func() { v.Namespace("") })
}
