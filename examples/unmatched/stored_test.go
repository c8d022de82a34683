package unmatched

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/gofiber/fiber/v3"
	"github.com/labstack/echo/v4"
	echo5 "github.com/labstack/echo/v5"

	"github.com/goverso/verso/adapters/versoecho"
	"github.com/goverso/verso/adapters/versoecho5"
	"github.com/goverso/verso/adapters/versofiber"
	"github.com/goverso/verso/adapters/versogin"
	"github.com/goverso/verso/adapters/versohttp"
	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
)

var pins = map[string]string{"Bearer old": "v1", "Bearer gone": "v0"}

func pinned() map[string]func(*verso.Versioning) doer {
	return map[string]func(*verso.Versioning) doer{
		"gin": func(api *verso.Versioning) doer {
			r := gin.New()
			r.Use(func(c *gin.Context) { c.Set("pin", pins[c.GetHeader("Authorization")]) })
			versogin.New(r, api).GET("/users", func(c *gin.Context) { c.String(200, versogin.Version(c).String()) })
			return over(r)
		},
		"gin, in the context": func(api *verso.Versioning) doer {
			r := gin.New()
			r.Use(func(c *gin.Context) {
				c.Request = c.Request.WithContext(context.WithValue(c.Request.Context(), "pin", pins[c.GetHeader("Authorization")])) //nolint:staticcheck // the key is a text
			})
			versogin.New(r, api).GET("/users", func(c *gin.Context) { c.String(200, versogin.Version(c).String()) })
			return over(r)
		},
		"echo4": func(api *verso.Versioning) doer {
			e := echo.New()
			e.Use(func(next echo.HandlerFunc) echo.HandlerFunc {
				return func(c echo.Context) error {
					c.Set("pin", pins[c.Request().Header.Get("Authorization")])
					return next(c)
				}
			})
			versoecho.New(e, api).GET("/users", func(c echo.Context) error { return c.String(200, versoecho.Version(c).String()) })
			return over(e)
		},
		"echo5": func(api *verso.Versioning) doer {
			e := echo5.New()
			e.Use(func(next echo5.HandlerFunc) echo5.HandlerFunc {
				return func(c *echo5.Context) error {
					c.Set("pin", verso.V(pins[c.Request().Header.Get("Authorization")]))
					return next(c)
				}
			})
			versoecho5.New(e, api).GET("/users", func(c *echo5.Context) error { return c.String(200, versoecho5.Version(c).String()) })
			return over(e)
		},
		"http": func(api *verso.Versioning) doer {
			mux := http.NewServeMux()
			versohttp.New(mux, api).HandleFunc("GET /users", func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, versohttp.Version(r).String()) })
			return over(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				mux.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), "pin", pins[r.Header.Get("Authorization")]))) //nolint:staticcheck // the key is a text
			}))
		},
		"fiber": func(api *verso.Versioning) doer {
			app := fiber.New()
			app.Use(func(c fiber.Ctx) error {
				c.Locals("pin", pins[c.Get("Authorization")])
				return c.Next()
			})
			versofiber.New(app, api).Get("/users", func(c fiber.Ctx) error { return c.SendString(versofiber.Version(c).String()) })
			return overFiber(app)
		},
	}
}

func TestStored(t *testing.T) {
	for name, serve := range pinned() {
		do := serve(verso.MustNew(verso.First(verso.Header("Api-Version"), verso.Stored("pin", "Authorization")), quiet(verso.Config{AllowedVersions: []string{"v1", "v2"}, DefaultVersion: verso.V("v2")})))
		for _, test := range []struct{ authorization, header, want, vary string }{
			{"Bearer old", "", "200 v1", "Api-Version, Authorization"},
			{"Bearer old", "v2", "200 v2", "Api-Version"},
			{"Bearer new", "", "200 v2", "Api-Version, Authorization"},
			{"", "", "200 v2", "Api-Version, Authorization"},
			{"Bearer gone", "", "400 invalid_version", "Api-Version, Authorization"},
		} {
			r := httptest.NewRequest(http.MethodGet, "/users", nil)
			r.Header.Set("Authorization", test.authorization)
			if test.header != "" {
				r.Header.Set("Api-Version", test.header)
			}
			status, body, header := do(r)
			var problem struct{ Code string }
			if json.Unmarshal([]byte(body), &problem) == nil {
				body = problem.Code
			}
			if got := strings.TrimSpace(http.StatusText(status)); got == "" || (map[int]string{200: "200 ", 400: "400 "}[status])+body != test.want || strings.Join(header["Vary"], ", ") != test.vary {
				t.Errorf("%s: %q %q: %d %s %q", name, test.authorization, test.header, status, body, header["Vary"])
			}
		}
	}
}

func TestStoredConforms(t *testing.T) {
	conformance.Source(t, verso.Stored("pin", "Authorization"), conformance.SourceOptions{Request: func(version string) *http.Request {
		r, _ := http.NewRequestWithContext(context.WithValue(t.Context(), "pin", version), http.MethodGet, "/", nil) //nolint:staticcheck // the key is a text
		return r
	}})
}
