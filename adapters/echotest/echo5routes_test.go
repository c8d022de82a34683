//go:build echo5

package echotest

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/labstack/echo/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versoecho5"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/scheme"
)

func TestRoutesChange(t *testing.T) {
	for name, router := range routers {
		t.Run(name, func(t *testing.T) {
			e := router()
			e.Use(check(e, verso.Must(scheme.NewNamespace(twoVersions))))
			add(t, e, http.MethodGet, "/v1", answerVersion, "v1:root")
			add(t, e, http.MethodGet, "/v2/link", answerLink(verso.Target{Name: "root"}), "v2:link")
			assert.Equal(t, "v1", send(t, e, http.MethodGet, "/v1", nil).Body)
			assert.Contains(t, send(t, e, http.MethodGet, "/v2/link", nil).Body, "error: verso: no reverse match")

			add(t, e, http.MethodGet, "/v2", answerVersion, "v2:root")
			assert.Contains(t, send(t, e, http.MethodGet, "/v2/link", nil).Body, "/v2")
			assert.Equal(t, "v2", send(t, e, http.MethodGet, "/v2", nil).Body)
		})
	}
}

func TestRouteIsAddedInThePlaceOfAnother(t *testing.T) {
	for name, router := range routers {
		if name == "concurrent" { // which here allows no such route
			continue
		}
		t.Run(name, func(t *testing.T) {
			e := router()
			e.Use(check(e, verso.Must(scheme.NewNamespace(twoVersions))))
			add(t, e, http.MethodGet, "/link", answerLink(verso.Target{Name: "v2:users"}), "")
			add(t, e, http.MethodGet, "/users", answerVersion, "v1:users")
			assert.Equal(t, "v1", send(t, e, http.MethodGet, "/users", nil).Body)
			assert.Contains(t, send(t, e, http.MethodGet, "/link", nil).Body, "error: verso: no reverse match")
			add(t, e, http.MethodGet, "/users", answerVersion, "v2:users")
			assert.Equal(t, "v2", send(t, e, http.MethodGet, "/users", nil).Body)
			assert.Contains(t, send(t, e, http.MethodGet, "/link", nil).Body, "/users")
		})
	}
}

// TestRoutesAddedWhileServing adds routes to a router that allows it, beside
// requests, of which the first make Verso look at the routes.
func TestRoutesAddedWhileServing(t *testing.T) {
	const count = 50
	e := routers["concurrent"]()
	e.Use(check(e, verso.Must(scheme.NewNamespace(twoVersions))))
	add(t, e, http.MethodGet, "/v1/here/:name", func(c *echo.Context) error {
		link, err := versoecho5.Link(c, verso.Target{Name: c.Param("name")})
		if err != nil {
			return err
		}
		return c.String(http.StatusOK, link)
	}, "v1:here")
	get := func(target string) *httptest.ResponseRecorder {
		response := httptest.NewRecorder()
		e.ServeHTTP(response, httptest.NewRequestWithContext(t.Context(), http.MethodGet, target, nil))
		return response
	}
	var group sync.WaitGroup
	for worker := range 4 {
		group.Go(func() {
			for i := range count {
				name := fmt.Sprintf("route-%d-%d", worker, i)
				add(t, e, http.MethodGet, "/v1/"+name+"/:id", answerVersion, "v1:"+name)
				add(t, e, http.MethodGet, "/v1/"+name, answerVersion, "v1:"+name)
				assert.Equal(t, "http://example.com/v1/"+name, get("/v1/here/"+name).Body.String())
				assert.Equal(t, "v1", get("/v1/"+name+"/7").Body.String())
			}
		})
	}
	group.Wait()
}

func TestOnAddRouteIsKept(t *testing.T) {
	e := echo.New()
	rejected := errors.New("not this one")
	var added []string
	e.OnAddRoute = func(route echo.Route) error {
		if route.Name == "rejected" {
			return rejected
		}
		added = append(added, route.Path)
		return nil
	}
	e.Use(check(e, verso.Must(scheme.NewQueryParameter("version", verso.Config{}))))
	e.GET("/first", answerVersion)
	send(t, e, http.MethodGet, "/first", nil)
	e.GET("/second", answerVersion)
	assert.Equal(t, []string{"/first", "/second"}, added)
	_, err := e.AddRoute(echo.Route{Method: http.MethodGet, Path: "/third", Name: "rejected", Handler: answerVersion})
	assert.ErrorIs(t, err, rejected)
}

func TestNamesOfEchoAreNoNames(t *testing.T) {
	e := echo.New()
	e.Use(check(e, verso.Must(scheme.NewNamespace(verso.Config{DefaultVersion: verso.V("v0")}))))
	e.GET("/users/:id", answerVersion)
	e.GET("relative", answerVersion)
	e.GET("/link", answerLink(verso.Target{Name: "GET:/link"}))
	assert.Equal(t, "v0", send(t, e, http.MethodGet, "/users/7", nil).Body)
	assert.Equal(t, "v0", send(t, e, http.MethodGet, "/relative", nil).Body)
	assert.Contains(t, send(t, e, http.MethodGet, "/link", nil).Body, "error: verso: no reverse match")
}

func TestVirtualHosts(t *testing.T) {
	api := verso.Must(scheme.NewNamespace(verso.Config{DefaultVersion: verso.V("v0")}))
	hosts := map[string]*echo.Echo{"one.example": echo.New(), "two.example": echo.New()}
	add(t, versoecho5.New(hosts["one.example"], api), http.MethodGet, "/users", answerVersion, "v1:users")
	hosts["two.example"].Use(check(hosts["two.example"], api))
	add(t, hosts["two.example"], http.MethodGet, "/users", answerVersion, "v2:users")
	others := echo.NewVirtualHostHandler(hosts)
	add(t, versoecho5.New(others, api), http.MethodGet, "/users", answerVersion, "users")
	for host, want := range map[string]string{"": "v0", "one.example": "v1", "two.example": "v2", "other.example": "v0"} {
		assert.Equal(t, want, send(t, others, http.MethodGet, "/users", http.Header{"Host": {host}}).Body, host)
	}
}

// TestRoutesMatchOtherwise requests routes that Echo does not know by the method
// of the request.
func TestRoutesMatchOtherwise(t *testing.T) {
	newEcho := func() *echo.Echo {
		e := echo.NewWithConfig(echo.Config{Router: echo.NewRouter(echo.RouterConfig{AutoHandleHEAD: true})})
		e.Use(check(e, verso.Must(scheme.NewNamespace(twoVersions))))
		e.Use(func(next echo.HandlerFunc) echo.HandlerFunc {
			return func(c *echo.Context) error {
				c.Response().Header().Set("X-Version", versoecho5.Version(c).String())
				return next(c)
			}
		})
		add(t, e, echo.RouteAny, "/any/:id", answerVersion, "v1:any")
		add(t, e, http.MethodGet, "/any/:id", answerVersion, "v2:one")
		add(t, e, http.MethodGet, "/users", answerVersion, "v2:users")
		add(t, e, http.MethodGet, "relative", answerVersion, "v2:relative")
		add(t, e, http.MethodGet, "", answerVersion, "v1:root")
		add(t, e, http.MethodGet, `/plain\:colon`, answerVersion, "v2:colon")
		add(t, e, http.MethodGet, "/forbidden", answerVersion, "v9:forbidden")
		return e
	}
	for _, test := range []struct{ method, target, want string }{
		{"BREW", "/any/7", "v1"},
		{http.MethodOptions, "/any/7", "v1"},
		{echo.RouteAny, "/any/7", "v1"},
		{http.MethodGet, "/any/7", "v2"},
		{http.MethodHead, "/any/7", "v2"},
		{http.MethodHead, "/users", "v2"},
		{http.MethodGet, "/relative", "v2"},
		{http.MethodGet, "/", "v1"},
		{http.MethodGet, "/plain:colon", "v2"},
	} {
		t.Run(test.method+" "+test.target, func(t *testing.T) {
			got := send(t, newEcho(), test.method, test.target, nil)
			assert.Equal(t, http.StatusOK, got.Status)
			assert.Equal(t, test.want, got.Header.Get("X-Version"))
		})
	}
	rejected := send(t, newEcho(), http.MethodHead, "/forbidden", nil)
	assert.Equal(t, http.StatusNotFound, rejected.Status)
	assert.Empty(t, rejected.Body)
}

// unlisted is a router that does not list its routes.
type unlisted struct{ echo.Router }

func (unlisted) Routes() echo.Routes { return nil }

func TestRouterThatDoesNotListItsRoutes(t *testing.T) {
	e := echo.NewWithConfig(echo.Config{Router: unlisted{echo.NewRouter(echo.RouterConfig{})}})
	e.Use(check(e, verso.Must(scheme.NewNamespace(twoVersions))))
	add(t, e, http.MethodGet, "/users", answerVersion, "v2:users")
	add(t, e, http.MethodGet, "/forbidden", answerVersion, "v9:forbidden")
	assert.Equal(t, "v2", send(t, e, http.MethodGet, "/users", nil).Body)
	assert.Equal(t, http.StatusNotFound, send(t, e, http.MethodGet, "/forbidden", nil).Status)
}

// nameless is a router that tells of its routes nothing but a name.
type nameless struct{ echo.Router }

func (r nameless) Route(c *echo.Context) echo.HandlerFunc {
	handler, values := r.Router.Route(c), c.PathValues()
	c.InitializeRoute(&echo.RouteInfo{Name: "own"}, &values)
	return handler
}

func TestRouterThatDoesNotTellTheMethod(t *testing.T) {
	e := echo.NewWithConfig(echo.Config{Router: nameless{echo.NewRouter(echo.RouterConfig{})}})
	e.Use(check(e, verso.Must(scheme.NewQueryParameter("version", twoVersions))))
	e.GET("/users", answerVersion)
	assert.Equal(t, "v2", send(t, e, http.MethodGet, "/users?version=v2", nil).Body)
	assert.Equal(t, http.StatusNotFound, send(t, e, http.MethodGet, "/users?version=v9", nil).Status)
}

func TestCentralErrorHandler(t *testing.T) {
	e := echo.New()
	e.HTTPErrorHandler = func(c *echo.Context, err error) {
		var rejected *verso.Error
		var body *versoecho5.HTTPError
		if !assert.ErrorAs(t, err, &rejected) || !assert.ErrorAs(t, err, &body) {
			return
		}
		assert.ErrorIs(t, err, verso.ErrNotFound)
		assert.Equal(t, http.StatusNotFound, echo.StatusCode(err))
		assert.Equal(t, "Invalid version in query parameter.", err.Error())
		_ = c.JSON(rejected.StatusCode(), map[string]any{"error": rejected.MessageID, "text": body.Answer.Problem.Detail})
	}
	e.Use(check(e, verso.Must(scheme.NewQueryParameter("version", twoVersions))))
	e.GET("/", answerVersion)
	got := send(t, e, http.MethodGet, "/?version=v9", nil)
	assert.Equal(t, http.StatusNotFound, got.Status)
	assert.JSONEq(t, `{"error": "invalid_query_parameter_version", "text": "Invalid version in query parameter."}`, got.Body)
}

func TestEachVersionMistakes(t *testing.T) {
	_, v := prefixed(t, verso.Config{DefaultVersion: verso.V("v1")})
	err := panicked(func() { v.In(echo.New().Group("/api")).EachVersion().GET("/x", answerVersion) })
	require.ErrorContains(t, err, "is in a group of another Echo instance")
}

// TestEachVersionInGroups registers routes in groups of any prefix.
func TestEachVersionInGroups(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.txt"), []byte("text"), 0o600))
	e, v := prefixed(t, verso.Config{DefaultVersion: verso.V("v1")})
	v.Group("/api/admin", needs("A")).EachVersion().GET("/x", answerVersion)
	v.In(e.Group("/api/users", needs("A"))).EachVersion().GET("/x", answerVersion)
	v.EachVersion(needs("A")).Group("/api").Static("/files/", dir)
	for target, want := range map[string]string{
		"/api/admin/x": "v1", "/api/v2/admin/x": "v2", "/api/users/x": "v1", "/api/v2/users/x": "v2",
		"/api/files/a.txt": "text", "/api/v1/files/a.txt": "text",
	} {
		assert.Equal(t, http.StatusUnauthorized, send(t, e, "GET", target, nil).Status, target)
		assert.Equal(t, want, send(t, e, "GET", target, http.Header{"A": {"x"}}).Body, target)
	}
}

// TestNameOfTheFirstForm: Echo finds one route by a name.
func TestNameOfTheFirstForm(t *testing.T) {
	e, v := prefixed(t, verso.Config{DefaultVersion: verso.V("v1")})
	v.Name("user").EachVersion().GET("/api/users/:id", answerVersion)
	var named []string
	for _, info := range e.Router().Routes() {
		if info.Name == "user" {
			named = append(named, info.Path)
		}
	}
	assert.Equal(t, []string{"/api/users/:id"}, named)
}

// TestRegisterWithout404: groups of Register and RegisterVersions have no 404 of their own where those of the service
// have none.
func TestRegisterWithout404(t *testing.T) {
	add := func(g *Group) { g.Group("/a", needs("A")).GET("/x", answerVersion) }
	for name, register := range map[string]func(v *Routes){
		"Register":         func(v *Routes) { v.Group("/api").Register(add) },
		"RegisterVersions": func(v *Routes) { v.Group("/api").RegisterVersions(map[string]func(*Group){"v1": add}) },
	} {
		t.Run(name, func(t *testing.T) {
			for without, want := range map[bool]int{true: http.StatusMethodNotAllowed, false: http.StatusUnauthorized} {
				e := echo.NewWithConfig(echo.Config{NoGroupAutoRegister404Routes: without})
				register(New(e, inHeader))
				w := httptest.NewRecorder()
				e.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/api/a/x", nil))
				assert.Equal(t, want, w.Code)
			}
		})
	}
}
