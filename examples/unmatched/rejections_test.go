package unmatched

import (
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
	verso "github.com/goverso/verso/core"
)

// TestNever200: a rejection is never 200, whatever an ErrorHandler forgets.
func TestNever200(t *testing.T) {
	api := verso.MustNew(verso.Header("Api-Version"), quiet(verso.Config{AllowedVersions: []string{"v1"}}))
	const body = `{"error":"no"}`
	services := map[string]doer{}
	r := gin.New()
	versogin.New(r, api, versogin.Config{ErrorHandler: func(c *gin.Context, _ *verso.Error, _ *verso.Answer) error {
		_, err := io.WriteString(c.Writer, body)
		return err
	}}).GET("/users", func(*gin.Context) {})
	services["gin"] = over(r)
	e := echo.New()
	versoecho.New(e, api, versoecho.Config{ErrorHandler: func(c echo.Context, _ *verso.Error, _ *verso.Answer) error {
		_, err := io.WriteString(c.Response(), body)
		return err
	}}).GET("/users", func(echo.Context) error { return nil })
	services["echo4"] = over(e)
	e5 := echo5.New()
	versoecho5.New(e5, api, versoecho5.Config{ErrorHandler: func(c *echo5.Context, _ *verso.Error, _ *verso.Answer) error {
		_, err := io.WriteString(c.Response(), body)
		return err
	}}).GET("/users", func(*echo5.Context) error { return nil })
	services["echo5"] = over(e5)
	mux := http.NewServeMux()
	versohttp.New(mux, api, versohttp.Config{ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ *verso.Error, _ *verso.Answer) {
		_, _ = io.WriteString(w, body)
	}}).HandleFunc("GET /users", func(http.ResponseWriter, *http.Request) {})
	services["http"] = over(mux)
	app := fiber.New()
	versofiber.New(app, api, versofiber.Config{ErrorHandler: func(c fiber.Ctx, _ *verso.Error, _ *verso.Answer) error {
		return c.SendString(body)
	}}).Get("/users", func(fiber.Ctx) error { return nil })
	services["fiber"] = overFiber(app)
	for name, do := range services {
		request := httptest.NewRequest(http.MethodGet, "/users", nil)
		request.Header.Set("Api-Version", "v9")
		if status, got, _ := do(request); status != 400 || got != body {
			t.Errorf("%s: %d %s", name, status, got)
		}
	}
}

// TestRouteGoneNamesNoVersion: no version would help.
func TestRouteGoneNamesNoVersion(t *testing.T) {
	s := service{source: verso.Header("Api-Version"), routes: []place{{"GET", "/users", false, []verso.RouteOption{verso.SunsetAt(now().AddDate(0, -1, 0))}}}}
	each(t, s, verso.Config{Clock: now, Catalogue: ended(v123...)}, func(framework string, do doer) {
		r := httptest.NewRequest(http.MethodGet, "/users", nil)
		r.Header.Set("Api-Version", "v2")
		if status, body, _ := do(r); status != 410 || !strings.Contains(body, "route_gone") || strings.Contains(body, "allowed_versions") {
			t.Errorf("%s: %d %s", framework, status, body)
		}
	})
}

// TestNeutralDatesFields: the dates are sent to everyone alike, without Vary and lists.
func TestNeutralDatesFields(t *testing.T) {
	each(t, services["header"], verso.Config{Clock: now, Catalogue: ended(v123...)}, func(framework string, do doer) {
		for target, want := range map[string]int{"/ending": 200, "/old": 410} {
			status, _, header := do(httptest.NewRequest(http.MethodGet, target, nil))
			if status != want || header.Get("Sunset") == "" || (header.Get("Deprecation") == "") != (target == "/old") || header.Get("Vary") != "" || header.Get("Api-Supported-Versions") != "" {
				t.Errorf("%s: %s: %d %v", framework, target, status, header)
			}
		}
	})
}
