package versoecho5_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/labstack/echo/v5"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versoecho5"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/scheme"
)

// ownRouter is a router that is not Echo's own.
type ownRouter struct{ *echo.DefaultRouter }

// changing makes routers whose routes change in the tests.
var changing = map[string]func() echo.Router{
	"default":    func() echo.Router { return nil },
	"concurrent": routers["concurrent"],
	"own": func() echo.Router {
		return ownRouter{echo.NewRouter(echo.RouterConfig{AllowOverwritingRoute: true})}
	},
}

func TestRoutesChange(t *testing.T) {
	for name, router := range changing {
		t.Run(name, func(t *testing.T) {
			e := echo.NewWithConfig(echo.Config{Router: router()})
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
	for name, router := range changing {
		if name == "concurrent" { // which here allows no such route
			continue
		}
		t.Run(name, func(t *testing.T) {
			e := echo.NewWithConfig(echo.Config{Router: router()})
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
	e := echo.NewWithConfig(echo.Config{Router: routers["concurrent"]()})
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
