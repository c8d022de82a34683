package nearest

import (
	"io"
	"maps"
	"net/http"
	"net/http/httptest"

	"github.com/gin-gonic/gin"
	"github.com/gofiber/fiber/v3"
	"github.com/labstack/echo/v4"
	echo5 "github.com/labstack/echo/v5"

	"github.com/goverso/verso/adapters/versoecho"
	"github.com/goverso/verso/adapters/versoecho5"
	"github.com/goverso/verso/adapters/versofiber"
	"github.com/goverso/verso/adapters/versogin"
	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
)

// target is the route of links.
var target = verso.Target{Name: "user", Params: verso.Params{"id": 7}}

// A service has three routes below a path, which may have the parameter of the version: a user,
// who answers with the version and a link to itself; a report, with a handler for each of two
// versions; and rooms since the second of them.
func inGin(api *verso.Versioning, below string, first, second string) http.Handler {
	r := gin.New()
	v := versogin.New(r, api)
	v.Name("user").GET(below+"/users/:id", func(c *gin.Context) {
		link, err := versogin.Link(c, target)
		c.String(http.StatusOK, "%s %s %v %v", versogin.Version(c), link, err, versogin.AtLeast(c, second))
	})
	v.HandleVersions(http.MethodGet, below+"/report", versogin.Handlers{
		first: func(c *gin.Context) { c.String(http.StatusOK, first) }, second: func(c *gin.Context) { c.String(http.StatusOK, second) },
	})
	v.Since(second).GET(below+"/rooms", func(c *gin.Context) { c.String(http.StatusOK, "rooms") })
	r.NoRoute(v.NotFound())
	return r
}

func inEcho4(api *verso.Versioning, below string, first, second string) http.Handler {
	e := echo.New()
	v := versoecho.New(e, api)
	v.GET(below+"/users/:id", func(c echo.Context) error {
		link, err := versoecho.Link(c, target)
		return c.String(http.StatusOK, text(versoecho.Version(c), link, err, versoecho.AtLeast(c, second)))
	}).Name = "user"
	v.HandleVersions(http.MethodGet, below+"/report", versoecho.Handlers{
		first: func(c echo.Context) error { return c.String(http.StatusOK, first) }, second: func(c echo.Context) error { return c.String(http.StatusOK, second) },
	})
	v.Since(second).GET(below+"/rooms", func(c echo.Context) error { return c.String(http.StatusOK, "rooms") })
	e.HTTPErrorHandler = v.NotFound()
	return e
}

func inEcho5(api *verso.Versioning, below string, first, second string) http.Handler {
	e := echo5.New()
	v := versoecho5.New(e, api)
	v.Name("user").GET(below+"/users/:id", func(c *echo5.Context) error {
		link, err := versoecho5.Link(c, target)
		return c.String(http.StatusOK, text(versoecho5.Version(c), link, err, versoecho5.AtLeast(c, second)))
	})
	v.HandleVersions(http.MethodGet, below+"/report", versoecho5.Handlers{
		first: func(c *echo5.Context) error { return c.String(http.StatusOK, first) }, second: func(c *echo5.Context) error { return c.String(http.StatusOK, second) },
	})
	v.Since(second).GET(below+"/rooms", func(c *echo5.Context) error { return c.String(http.StatusOK, "rooms") })
	e.HTTPErrorHandler = v.NotFound()
	return e
}

func inHTTP(api *verso.Versioning, below string, first, second string) http.Handler {
	mux := http.NewServeMux()
	v := versohttp.New(mux, api)
	v.Name("user").HandleFunc("GET "+below+"/users/{id}", func(w http.ResponseWriter, r *http.Request) {
		link, err := versohttp.Link(r, target)
		_, _ = io.WriteString(w, text(versohttp.Version(r), link, err, versohttp.AtLeast(r, second)))
	})
	v.HandleVersions("GET "+below+"/report", versohttp.Handlers{
		first: func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, first) }, second: func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, second) },
	})
	v.Since(second).HandleFunc("GET "+below+"/rooms", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "rooms") })
	return v.NotFound()(mux)
}

func inFiber(api *verso.Versioning, below string, first, second string) http.Handler {
	app := fiber.New()
	v := versofiber.New(app, api)
	v.Get(below+"/users/:id", func(c fiber.Ctx) error {
		link, err := versofiber.Link(c, target)
		return c.SendString(text(versofiber.Version(c), link, err, versofiber.AtLeast(c, second)))
	}).Name("user")
	v.HandleVersions(http.MethodGet, below+"/report", versofiber.Handlers{
		first: func(c fiber.Ctx) error { return c.SendString(first) }, second: func(c fiber.Ctx) error { return c.SendString(second) },
	})
	v.Since(second).Get(below+"/rooms", func(c fiber.Ctx) error { return c.SendString("rooms") })
	app.Use(v.NotFound())
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		response, err := app.Test(r, fiber.TestConfig{Timeout: 0})
		if err != nil {
			panic(err)
		}
		defer response.Body.Close()
		maps.Copy(w.Header(), response.Header)
		w.WriteHeader(response.StatusCode)
		_, _ = io.Copy(w, response.Body)
	})
}

var frameworks = map[string]func(api *verso.Versioning, below string, first, second string) http.Handler{
	"gin": inGin, "echo4": inEcho4, "echo5": inEcho5, "http": inHTTP, "fiber": inFiber,
}

// get requests a path with the given headers.
func get(h http.Handler, path string, headers ...string) *httptest.ResponseRecorder {
	r, w := httptest.NewRequest(http.MethodGet, path, nil), httptest.NewRecorder()
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	h.ServeHTTP(w, r)
	return w
}
