// Command sources shows a request for v2, and the responses of Echo and Gin, for each
// source of the version.
//
//	go run ./sources
package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"

	"github.com/gin-gonic/gin"
	"github.com/labstack/echo/v4"

	"github.com/goverso/verso/adapters/versoecho"
	"github.com/goverso/verso/adapters/versogin"
	verso "github.com/goverso/verso/core"
)

func main() {
	gin.SetMode(gin.ReleaseMode)
	if err := show(os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// requests are a request for v2 for each source.
var requests = []struct {
	title, url, header string
	source             verso.Source
	namespace          string   // of the routes
	paths              []string // of the routes
}{
	{"Path parameter, /:version/users/:id", "/v2/users/7", "", verso.PathParam("version"), "", []string{"/:version/users/:id"}},
	{"Path prefix, /v1/users/:id and /v2/users/:id", "/v2/users/7", "", verso.PathPrefix("/{version}"), "", []string{"/v1/users/:id", "/v2/users/:id"}},
	{"Header", "/users/7", "Api-Version: v2", verso.Header("Api-Version"), "", users},
	{"Vendor media type", "/users/7", "Accept: application/vnd.acme.v2+json", verso.MediaType("application/vnd.acme.{version}+json"), "", users},
	{"Parameter of the media type", "/users/7", "Accept: application/json; version=v2", verso.AcceptParam("version"), "", users},
	{"Query parameter", "/users/7?version=v2", "", verso.QueryParam("version"), "", users},
	{"Host name", "/users/7", "Host: v2.example.com", verso.HostLabel(""), "", users},
	{"Namespace, v2 of the route /second/users/:id", "/second/users/7", "", verso.Namespace(), "v2", []string{"/second/users/:id"}},
	{
		"Path parameter, or else header", "/users/7", "Api-Version: v2",
		verso.First(verso.PathParam("version"), verso.Header("Api-Version")), "", []string{"/:version/users/:id", "/users/:id"},
	},
}

// users is a route without a version.
var users = []string{"/users/:id"}

// show sends each request to both frameworks.
func show(out io.Writer) error {
	_, _ = fmt.Fprintf(out, "A request for v2, for each place that a version can be read from\n\n")
	for _, request := range requests {
		api, err := verso.New(request.source, verso.Config{
			AllowedVersions: []string{"v1", "v2"},
			Links:           verso.LinkConfig{TrustedHosts: []string{"*.example.com"}},
		})
		if err != nil {
			return err
		}
		r := httptest.NewRequest(http.MethodGet, request.url, nil)
		r.Host = "api.example.com"
		if name, value, _ := strings.Cut(request.header, ": "); name == "Host" {
			r.Host = value
		} else if name != "" {
			r.Header.Set(name, value)
		}
		_, _ = fmt.Fprintf(out, "%s\n    %s\n", request.title, strings.TrimSpace("GET "+request.url+"  "+request.header))
		answer := func(service http.Handler) string {
			w := httptest.NewRecorder()
			service.ServeHTTP(w, r)
			return fmt.Sprintf("%d %s", w.Code, strings.TrimSpace(w.Body.String()))
		}
		inEcho, inGin := answer(inEcho(api, request.namespace, request.paths)), answer(inGin(api, request.namespace, request.paths))
		if inEcho == inGin {
			_, _ = fmt.Fprintf(out, "    Echo, Gin  %s\n", inEcho)
		} else {
			_, _ = fmt.Fprintf(out, "    Echo  %s\n    Gin   %s\n", inEcho, inGin)
		}
	}
	return nil
}

func inEcho(api *verso.Versioning, namespace string, paths []string) http.Handler {
	e := echo.New()
	v := versoecho.New(e, api)
	if namespace != "" {
		v = v.Namespace(namespace)
	}
	for _, path := range paths {
		v.GET(path, func(c echo.Context) error {
			self, err := versoecho.Link(c, verso.Target{Name: "user", Params: verso.Params{"id": versoecho.Param(c, "id")}})
			if err != nil {
				return err
			}
			return c.JSON(http.StatusOK, echo.Map{"version": versoecho.Version(c), "self": self})
		}).Name = "user"
	}
	return e
}

func inGin(api *verso.Versioning, namespace string, paths []string) http.Handler {
	r := gin.New()
	v := versogin.New(r, api).Name("user")
	if namespace != "" {
		v = v.Namespace(namespace)
	}
	for _, path := range paths {
		v.GET(path, func(c *gin.Context) {
			self, err := versogin.Link(c, verso.Target{Name: "user", Params: verso.Params{"id": versogin.Param(c, "id")}})
			if err != nil {
				_ = c.AbortWithError(http.StatusInternalServerError, err)
				return
			}
			c.JSON(http.StatusOK, gin.H{"version": versogin.Version(c), "self": self})
		})
	}
	return r
}
