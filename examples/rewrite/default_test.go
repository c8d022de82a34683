package rewrite_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/gofiber/fiber/v3"
	"github.com/labstack/echo/v4"
	echo5 "github.com/labstack/echo/v5"
	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versoecho"
	"github.com/goverso/verso/adapters/versoecho5"
	"github.com/goverso/verso/adapters/versofiber"
	"github.com/goverso/verso/adapters/versogin"
	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
)

// TestDefaultOfAGroup: most routes of a large service are the same in all versions. The group says
// so once, a route with other bodies declares its own, and one with a handler for each version has
// none.
func TestDefaultOfAGroup(t *testing.T) {
	type guest struct {
		Name string `json:"full_name"`
	}
	const newest, own = `{"full_name":"ann"}`, `{"own":1}`
	history := func(api *verso.Versioning) *migrate.History {
		return verso.Must(migrate.New(api,
			migrate.Release("v2", migrate.Changed("A guest's name is full_name.", migrate.For[guest](migrate.Renamed("name", "full_name")))),
			migrate.Release("v1")))
	}
	over := func(h http.Handler) func(string) string {
		return func(path string) string {
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
			return strings.TrimSpace(w.Body.String())
		}
	}
	gin.SetMode(gin.ReleaseMode)
	for name, service := range map[string]func(*verso.Versioning, *migrate.History) func(path string) string{
		"Gin": func(api *verso.Versioning, h *migrate.History) func(string) string {
			r := gin.New()
			send := func(body string) gin.HandlerFunc {
				return func(c *gin.Context) { c.Data(http.StatusOK, "application/json", []byte(body)) }
			}
			v := versogin.New(r, api).Group("/:version").Rewrite(h.Route())
			v.GET("/status", send(own))
			v.Rewrite(h.Route(migrate.Returns[guest]())).GET("/guest", send(newest))
			v.HandleVersions("GET", "/each", versogin.Handlers{"v1": send(`{"v":1}`), "v2": send(newest)})
			return over(r)
		},
		"Echo": func(api *verso.Versioning, h *migrate.History) func(string) string {
			e := echo.New()
			send := func(body string) echo.HandlerFunc {
				return func(c echo.Context) error { return c.JSONBlob(http.StatusOK, []byte(body)) }
			}
			v := versoecho.New(e, api).Group("/:version").Rewrite(h.Route())
			v.GET("/status", send(own))
			v.Rewrite(h.Route(migrate.Returns[guest]())).GET("/guest", send(newest))
			v.HandleVersions("GET", "/each", versoecho.Handlers{"v1": send(`{"v":1}`), "v2": send(newest)})
			return over(e)
		},
		"Echo 5": func(api *verso.Versioning, h *migrate.History) func(string) string {
			e := echo5.New()
			send := func(body string) echo5.HandlerFunc {
				return func(c *echo5.Context) error { return c.JSONBlob(http.StatusOK, []byte(body)) }
			}
			v := versoecho5.New(e, api).Group("/:version").Rewrite(h.Route())
			v.GET("/status", send(own))
			v.Rewrite(h.Route(migrate.Returns[guest]())).GET("/guest", send(newest))
			v.HandleVersions("GET", "/each", versoecho5.Handlers{"v1": send(`{"v":1}`), "v2": send(newest)})
			return over(e)
		},
		"net/http": func(api *verso.Versioning, h *migrate.History) func(string) string {
			mux := http.NewServeMux()
			send := func(body string) http.HandlerFunc {
				return func(w http.ResponseWriter, _ *http.Request) {
					w.Header().Set("Content-Type", "application/json")
					_, _ = fmt.Fprint(w, body)
				}
			}
			v := versohttp.New(mux, api).Group("/{version}").Rewrite(h.Route())
			v.HandleFunc("GET /status", send(own))
			v.Rewrite(h.Route(migrate.Returns[guest]())).HandleFunc("GET /guest", send(newest))
			v.HandleVersions("GET /each", versohttp.Handlers{"v1": send(`{"v":1}`), "v2": send(newest)})
			return over(mux)
		},
		"Fiber": func(api *verso.Versioning, h *migrate.History) func(string) string {
			app := fiber.New()
			send := func(body string) fiber.Handler {
				return func(c fiber.Ctx) error {
					c.Set("Content-Type", "application/json")
					return c.SendString(body)
				}
			}
			v := versofiber.New(app, api).Group("/:version").Rewrite(h.Route())
			v.Get("/status", send(own))
			v.Rewrite(h.Route(migrate.Returns[guest]())).Get("/guest", send(newest))
			v.HandleVersions("GET", "/each", versofiber.Handlers{"v1": send(`{"v":1}`), "v2": send(newest)})
			return func(path string) string {
				response := verso.Must(app.Test(httptest.NewRequest(http.MethodGet, path, nil))) //nolint:bodyclose // it is
				defer response.Body.Close()
				return string(verso.Must(io.ReadAll(response.Body)))
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			api := verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
			ask := service(api, history(api))
			for path, want := range map[string]string{
				"/v1/status": own, "/v2/status": own,
				"/v1/guest": `{"name":"ann"}`, "/v2/guest": newest,
				"/v1/each": `{"v":1}`, "/v2/each": newest,
			} {
				assert.Equal(t, want, ask(path), path)
			}
		})
	}
}
