package snippets

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versoecho"
	"github.com/goverso/verso/adapters/versogin"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/versotest"
)

// newService is the service under test.
func newService(clock func() time.Time) (*echo.Echo, *versoecho.Routes) {
	api := verso.MustNew(verso.PathParam("version"), verso.Config{
		Clock: clock,
		Links: verso.LinkConfig{Origin: "https://api.example.com"},
		Catalogue: catalogue.MustNew(catalogue.Config{
			Versions:    []catalogue.Entry{{Version: "v1", Deprecated: deprecated, Sunset: sunset, Successor: "v2"}, {Version: "v2"}},
			AfterSunset: catalogue.Gone,
		}),
	})
	e := echo.New()
	v := versoecho.New(e, api)
	v.Neutral().GET("/health", nothing)
	v.GET("/:version/users/:id", showUser).Name = "user"
	v.Since("v2").GET("/:version/rooms", nothing).Name = "rooms"
	return e, v
}

func showUser(c echo.Context) error {
	self, err := versoecho.Link(c, verso.Target{Name: "user", Params: verso.Params{"id": versoecho.Param(c, "id")}})
	if err != nil {
		return err
	}
	return c.String(http.StatusOK, versoecho.Version(c).String()+" "+self)
}

func TestUser(t *testing.T) {
	e, _ := newService(versotest.NewClock(sunset.AddDate(-1, 0, 0)).Now)
	for _, version := range []string{"v1", "v2"} {
		w := httptest.NewRecorder()
		e.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/"+version+"/users/7", nil))
		assert.Equal(t, version+" https://api.example.com/"+version+"/users/7", w.Body.String())
	}
}

func TestShowUser(t *testing.T) {
	e, v := newService(time.Now)
	w := httptest.NewRecorder()
	c := e.NewContext(httptest.NewRequest(http.MethodGet, "/", nil), w)
	c.SetParamNames("id")
	c.SetParamValues("7")
	require.NoError(t, v.SetTestVersion(c, verso.V("v2")))
	require.NoError(t, showUser(c))
	assert.Equal(t, "v2 https://api.example.com/v2/users/7", w.Body.String())
}

func TestShowUserInGin(t *testing.T) {
	r := gin.New()
	v := versogin.New(r, verso.MustNew(verso.PathParam("version"), verso.Config{
		AllowedVersions: []string{"v1", "v2"},
		Links:           verso.LinkConfig{Origin: "https://api.example.com"},
	}))
	showUser := func(c *gin.Context) {
		self, err := versogin.Link(c, verso.Target{Name: "user", Params: verso.Params{"id": versogin.Param(c, "id")}})
		assert.NoError(t, err)
		c.String(http.StatusOK, versogin.Version(c).String()+" "+self)
	}
	v.Name("user").GET("/:version/users/:id", showUser)

	w := httptest.NewRecorder()
	c := gin.CreateTestContextOnly(w, r)
	c.Request = httptest.NewRequest(http.MethodGet, "/", nil)
	c.Params = gin.Params{{Key: "id", Value: "7"}}
	require.NoError(t, v.SetTestVersion(c, verso.V("v2")))
	showUser(c)
	assert.Equal(t, "v2 https://api.example.com/v2/users/7", w.Body.String())

	versogin.InContext(c)
	for _, ctx := range []context.Context{c, c.Request.Context()} { // a handler that gets nothing else
		result, _ := verso.FromContext(ctx)
		self, err := result.Link(verso.Target{Name: "user", Params: verso.Params{"id": 7}})
		assert.NoError(t, err)
		assert.Equal(t, w.Body.String(), result.Version().String()+" "+self)
	}
}

func TestEndOfV1(t *testing.T) {
	clock := versotest.NewClock(sunset.Add(-time.Second))
	e, _ := newService(clock.Now)
	for _, want := range []int{http.StatusOK, http.StatusGone} {
		w := httptest.NewRecorder()
		e.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/v1/users/7", nil))
		assert.Equal(t, want, w.Code)
		clock.Advance(time.Second)
	}
}

func TestPlan(t *testing.T) {
	_, v := newService(versotest.NewClock(sunset.AddDate(-1, 0, 0)).Now)
	versotest.Golden(t, v.Explain(), "testdata/versions.txt")
}

// A route that answers a version that is not served has no version.
func TestEveryRouteHasAVersion(t *testing.T) {
	e, v := newService(time.Now)
	for _, route := range v.Explain().Routes {
		if route.Neutral {
			continue
		}
		path := strings.NewReplacer(":version", "nobody", ":id", "7").Replace(route.Pattern)
		w := httptest.NewRecorder()
		e.ServeHTTP(w, httptest.NewRequest(route.Method, path, nil))
		assert.Equal(t, http.StatusNotFound, w.Code, path)
		assert.Contains(t, w.Body.String(), `"code":"invalid_url_path_version"`, path)
	}
}
