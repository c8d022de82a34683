package params

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
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versoecho"
	"github.com/goverso/verso/adapters/versoecho5"
	"github.com/goverso/verso/adapters/versofiber"
	"github.com/goverso/verso/adapters/versogin"
	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/examples/internal/frameworks"
	"github.com/goverso/verso/migrate"
)

// TestAnswersAfterAPanic: what a middleware outside answers has its own status.
func TestAnswersAfterAPanic(t *testing.T) {
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	change := migrate.Behaves("x")
	history := verso.Must(migrate.New(api, migrate.Release("v2", change), migrate.Release("v1")))
	mux := http.NewServeMux()
	versohttp.New(mux, api).Rewrite(history.Route(change.Status(204, 200))).HandleFunc("GET /", func(http.ResponseWriter, *http.Request) { panic("boom") })
	r, w := httptest.NewRequest(http.MethodGet, "/", nil), httptest.NewRecorder()
	r.Header.Set("Api-Version", "v1")
	func() {
		defer func() { http.Error(w, "recovered: "+recover().(string), http.StatusInternalServerError) }()
		mux.ServeHTTP(w, r)
	}()
	assert.Equal(t, http.StatusInternalServerError, w.Code)
	assert.Equal(t, "recovered: boom\n", w.Body.String())
}

// TestAnswers: a handler that sets no status answers with 200, so its status and its header
// fields have older forms; a field keeps its lines; a stream that no edit reads stays one.
func TestAnswers(t *testing.T) {
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	change := migrate.Behaves("Lists have their total in X-Total-Count.")
	history := verso.Must(migrate.New(api, migrate.Release("v2", change), migrate.Release("v1")))
	bare := history.Route(change.Status(204, 200), change.ResponseHeader("X-Total", "X-Total-Count"))
	stream := history.Route(change.ResponseHeader("X-Total", "X-Total-Count"))

	onBare := func(w http.ResponseWriter, _ *http.Request) {
		w.Header()["X-Total-Count"] = []string{"7", "", "8"}
	}
	onStream := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Total-Count", "7")
		_, _ = io.WriteString(w, "one")
		w.(http.Flusher).Flush()
		_, _ = io.WriteString(w, "two")
	}
	services := map[string]http.Handler{}
	mux := http.NewServeMux()
	h := versohttp.New(mux, api)
	h.Rewrite(bare).HandleFunc("GET /bare", onBare)
	h.Rewrite(stream).HandleFunc("GET /stream", onStream)
	services["net/http"] = mux

	g := gin.New()
	vg := versogin.New(g, api)
	vg.Rewrite(bare).GET("/bare", gin.WrapF(onBare))
	vg.Rewrite(stream).GET("/stream", gin.WrapF(onStream))
	services["Gin"] = g

	e := echo.New()
	ve := versoecho.New(e, api)
	ve.Rewrite(bare).GET("/bare", echo.WrapHandler(http.HandlerFunc(onBare)))
	ve.Rewrite(stream).GET("/stream", echo.WrapHandler(http.HandlerFunc(onStream)))
	services["Echo 4"] = e

	e5 := echo5.New()
	v5 := versoecho5.New(e5, api)
	v5.Rewrite(bare).GET("/bare", echo5.WrapHandler(http.HandlerFunc(onBare)))
	v5.Rewrite(stream).GET("/stream", echo5.WrapHandler(http.HandlerFunc(onStream)))
	services["Echo 5"] = e5

	app := fiber.New()
	vf := versofiber.New(app, api)
	vf.Rewrite(bare).Get("/bare", func(c fiber.Ctx) error {
		for _, line := range []string{"7", "", "8"} {
			c.Response().Header.Add("X-Total-Count", line)
		}
		return nil
	})
	vf.Rewrite(stream).Get("/stream", func(c fiber.Ctx) error {
		c.Set("X-Total-Count", "7")
		return c.SendStream(strings.NewReader("onetwo"))
	})
	services["Fiber"] = frameworks.OverFiber(app)

	for name, service := range services {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(service)
			defer server.Close()
			ask := func(path, version string) (status int, header http.Header, body string) {
				r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+path, http.NoBody)
				require.NoError(t, err)
				r.Header.Set("Api-Version", version)
				response, err := http.DefaultClient.Do(r)
				require.NoError(t, err)
				defer response.Body.Close()
				text, err := io.ReadAll(response.Body)
				require.NoError(t, err)
				return response.StatusCode, response.Header, string(text)
			}
			status, header, _ := ask("/bare", "v2")
			assert.Equal(t, http.StatusOK, status)
			assert.Equal(t, []string{"7", "", "8"}, header["X-Total-Count"])
			status, header, _ = ask("/bare", "v1")
			assert.Equal(t, http.StatusNoContent, status)
			assert.Equal(t, []string{"7", "", "8"}, header["X-Total"])
			assert.NotContains(t, header, "X-Total-Count")

			status, header, body := ask("/stream", "v1")
			assert.Equal(t, http.StatusOK, status)
			assert.Equal(t, "onetwo", body)
			assert.Equal(t, "7", header.Get("X-Total"))
		})
	}
}
