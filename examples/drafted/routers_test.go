package drafted

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// calling is a test in the drafted package, which calls its routes.
const calling = `package small

import (
	"net/http"
	"net/http/httptest"
	"testing"

IMPORT

	"github.com/goverso/verso/adapters/ADAPTER"
	verso "github.com/goverso/verso/core"
)

func TestCalls(t *testing.T) {
	api := verso.MustNew(verso.Header("X-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	history, err := History(api)
	if err != nil {
		t.Fatal(err)
	}
	engine := ENGINE
	Routes(ADAPTER.New(engine, api), history)
	for _, test := range []struct {
		version, target string
		status          int
	}{
		{"v1", "/bookings/7", http.StatusNotImplemented},
		{"v2", "/bookings/7", http.StatusNotImplemented},
		{"v3", "/bookings/7", http.StatusBadRequest},
		{"v1", "/bookings/7/notes", http.StatusNotImplemented},
		{"v1", "/floors/", http.StatusNotImplemented},
		{"v2", "/floors/", http.StatusNotFound},
		{"v1", "/floors/2", http.StatusNotFound},
		{"v1", "/exports/7.csv", EXPORTED},
	} {
		r := httptest.NewRequest(http.MethodGet, test.target, nil)
		r.Header.Set("X-Version", test.version)
		ASK
		if status != test.status {
			t.Errorf("%s in %s: %d, not %d", test.target, test.version, status, test.status)
		}
	}
}
`

func TestRouters(t *testing.T) { testRouters(t, "gin", "echo") }

func TestRoutersLong(t *testing.T) {
	if os.Getenv("VERSO_LONG") == "" {
		t.Skip("VERSO_LONG is not set")
	}
	testRouters(t, "echo5", "chi", "http", "fiber")
}

// The routes are registered in the style of each framework, and serve. A path that a framework has no pattern for is
// refused, and named.
func testRouters(t *testing.T, routers ...string) {
	t.Helper()
	const recorded = "w := httptest.NewRecorder()\nengine.ServeHTTP(w, r)\nstatus := w.Code"
	for _, test := range []struct{ router, imported, adapter, engine, ask, want, csv string }{
		{"gin", `"github.com/gin-gonic/gin"`, "versogin", "gin.New()", recorded, `.GET("/bookings/:booking_id", notImplemented)`, ""},
		{"echo", `"github.com/labstack/echo/v4"`, "versoecho", "echo.New()", recorded, `.GET("/bookings/:booking_id/notes", notImplemented)`, ""},
		{"echo5", `"github.com/labstack/echo/v5"`, "versoecho5", "echo.New()", recorded, `.GET("/bookings/:booking_id/notes", notImplemented)`, ""},
		{"chi", `"github.com/go-chi/chi/v5"`, "versochi", "chi.NewRouter()", recorded, `.Get("/bookings/{booking_id}/notes", notImplemented)`, `.Get("/exports/{id}.csv", notImplemented)`},
		{"http", "", "versohttp", "http.NewServeMux()", recorded, `.HandleFunc("GET /bookings/{booking_id}/notes", notImplemented)`, ""},
		{"fiber", `"github.com/gofiber/fiber/v3"`, "versofiber", "fiber.New(fiber.Config{StrictRouting: true})", "response, err := engine.Test(r)\nif err != nil {\nt.Fatal(err)\n}\nstatus := response.StatusCode", `.Get("/bookings/:booking_id/notes", notImplemented)`, `.Get("/exports/:id.csv", notImplemented)`},
	} {
		if !slices.Contains(routers, test.router) {
			continue
		}
		t.Run(test.router, func(t *testing.T) {
			dir := folder(t)
			out, status := draft(t, "-old", "testdata/small-v1.yaml", "-new", "testdata/small-v2.yaml", "-router", test.router, "-pkg", "small", "-out", dir)
			require.Zero(t, status, out)
			assert.NotContains(t, out, "Not tried")
			routes, err := os.ReadFile(filepath.Join(dir, "routes.go"))
			require.NoError(t, err)
			assert.Contains(t, string(routes), test.want)
			served := 404
			if test.csv == "" {
				assert.Contains(t, string(routes), "TODO: refused: GET /exports/{id}.csv: "+test.router+" has no pattern for this path")
			} else {
				served = 501
				assert.Contains(t, string(routes), test.csv)
			}
			code := strings.NewReplacer("IMPORT", test.imported, "ADAPTER", test.adapter, "ENGINE", test.engine, "EXPORTED", strconv.Itoa(served), "ASK", test.ask).Replace(calling)
			require.NoError(t, os.WriteFile(filepath.Join(dir, "calls_test.go"), []byte(code), 0o600))
			printed, err := exec.CommandContext(t.Context(), "go", "test", "-vet=off", "./"+dir, "-update").CombinedOutput()
			assert.NoError(t, err, "%s", printed)
		})
	}
}
