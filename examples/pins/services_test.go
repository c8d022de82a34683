package pins

import (
	"context"
	"io"
	"log/slog"
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

// accounts are what an authentication knows of a caller, by the Authorization header.
type accounts map[string]any

// inGin returns a service. Each has the authentication in front of what Verso checks; in one
// that isLate, the authentication is behind the middleware.
func inGin(api *verso.Versioning, known accounts, isLate bool) (http.Handler, *verso.Explanation) {
	r := gin.New()
	v := versogin.New(r, api)
	authenticate := func(c *gin.Context) { c.Set("pin", known[c.GetHeader("Authorization")]) }
	if isLate {
		r.Use(v.Middleware(), authenticate)
	} else {
		r.Use(authenticate, v.Middleware())
	}
	show := func(c *gin.Context) { c.String(http.StatusOK, versogin.Version(c).String()) }
	v.GET("/users", show)
	v.OPTIONS("/users", show)
	v.Neutral().GET("/health", show)
	r.GET("/other", show)
	r.NoRoute(v.NotFound())
	return r, v.Explain()
}

func inEcho4(api *verso.Versioning, known accounts, isLate bool) (http.Handler, *verso.Explanation) {
	e := echo.New()
	v := versoecho.New(e, api)
	authenticate := func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			c.Set("pin", known[c.Request().Header.Get("Authorization")])
			return next(c)
		}
	}
	if isLate {
		e.Use(v.Middleware(), authenticate)
	} else {
		e.Use(authenticate, v.Middleware())
	}
	show := func(c echo.Context) error { return c.String(http.StatusOK, versoecho.Version(c).String()) }
	v.GET("/users", show)
	v.OPTIONS("/users", show)
	v.Neutral().GET("/health", show)
	e.GET("/other", show)
	e.HTTPErrorHandler = v.NotFound()
	return e, v.Explain()
}

func inEcho5(api *verso.Versioning, known accounts, isLate bool) (http.Handler, *verso.Explanation) {
	e := echo5.New()
	v := versoecho5.New(e, api)
	authenticate := func(next echo5.HandlerFunc) echo5.HandlerFunc {
		return func(c *echo5.Context) error {
			c.Set("pin", known[c.Request().Header.Get("Authorization")])
			return next(c)
		}
	}
	if isLate {
		e.Use(v.Middleware(), authenticate)
	} else {
		e.Use(authenticate, v.Middleware())
	}
	show := func(c *echo5.Context) error { return c.String(http.StatusOK, versoecho5.Version(c).String()) }
	v.GET("/users", show)
	v.OPTIONS("/users", show)
	v.Neutral().GET("/health", show)
	e.GET("/other", show)
	e.HTTPErrorHandler = v.NotFound()
	return e, v.Explain()
}

func inHTTP(api *verso.Versioning, known accounts, isLate bool) (http.Handler, *verso.Explanation) {
	mux := http.NewServeMux()
	v := versohttp.New(mux, api)
	authenticate := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			ctx := context.WithValue(r.Context(), "pin", known[r.Header.Get("Authorization")]) //nolint:staticcheck // as in the other frameworks
			next.ServeHTTP(w, r.WithContext(ctx))
		})
	}
	show := func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, versohttp.Version(r).String()) }
	v.HandleFunc("GET /users", show)
	v.HandleFunc("OPTIONS /users", show)
	v.Neutral().HandleFunc("GET /health", show)
	mux.HandleFunc("GET /other", show)
	if isLate {
		return v.Middleware()(authenticate(v.NotFound()(mux))), v.Explain()
	}
	return authenticate(v.NotFound()(v.Middleware()(mux))), v.Explain()
}

func inFiber(api *verso.Versioning, known accounts, isLate bool) (http.Handler, *verso.Explanation) {
	app := fiber.New()
	v := versofiber.New(app, api)
	authenticate := func(c fiber.Ctx) error {
		c.Locals("pin", known[c.Get("Authorization")])
		return c.Next()
	}
	if !isLate {
		app.Use(authenticate)
	}
	show := func(c fiber.Ctx) error { return c.SendString(versofiber.Version(c).String()) }
	v.Get("/users", show)
	v.Options("/users", show)
	v.Neutral().Get("/health", show)
	if isLate {
		v.AfterCheck(authenticate).Get("/other", show) // Fiber has no Middleware
	} else {
		v.Get("/other", show)
	}
	app.Use(v.NotFound())
	return overFiber(app), v.Explain()
}

func overFiber(app *fiber.App) http.Handler {
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

var frameworks = map[string]func(api *verso.Versioning, known accounts, isLate bool) (http.Handler, *verso.Explanation){
	"gin": inGin, "echo4": inEcho4, "echo5": inEcho5, "http": inHTTP, "fiber": inFiber,
}

// journal notes the errors that are logged.
type journal struct {
	slog.Handler
	errors []string
}

func (j *journal) Enabled(context.Context, slog.Level) bool { return true }

func (j *journal) Handle(_ context.Context, r slog.Record) error {
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == "code" && r.Level == slog.LevelError {
			j.errors = append(j.errors, a.Value.String())
		}
		return true
	})
	return nil
}

// ask sends a request with the given headers: "Authorization", "Bearer old".
func ask(h http.Handler, method, path string, headers ...string) *httptest.ResponseRecorder {
	r, w := httptest.NewRequest(method, path, nil), httptest.NewRecorder()
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	h.ServeHTTP(w, r)
	return w
}
