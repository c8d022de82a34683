package rewrite_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versogin"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
)

type forwardedDoc struct {
	Name string `json:"name"`
	Plan string `json:"plan"`
}

// buffered is a writer of middleware that sends what it holds at the end, as compression does.
type buffered struct {
	gin.ResponseWriter
	held bytes.Buffer
}

func (b *buffered) Write(data []byte) (int, error) { return b.held.Write(data) }

func buffering(c *gin.Context) {
	b := &buffered{ResponseWriter: c.Writer}
	c.Writer = b
	c.Next()
	_, _ = io.Copy(b.ResponseWriter, &b.held)
}

// wrapping gives handlers a writer of a middleware's own.
func wrapping(c *gin.Context) {
	c.Writer = struct{ gin.ResponseWriter }{c.Writer}
	c.Next()
}

// TestHandleContext: what a rewritten route passes on, and what its handler writes afterwards, is
// in the version of the client, or is refused.
func TestHandleContext(t *testing.T) {
	gin.SetMode(gin.TestMode)
	for name, before := range map[string]func(v *versogin.Routes) []gin.HandlerFunc{
		"bare": func(*versogin.Routes) []gin.HandlerFunc { return nil },
		"RewriteErrors": func(v *versogin.Routes) []gin.HandlerFunc {
			return []gin.HandlerFunc{v.RewriteErrors(), gin.RecoveryWithWriter(io.Discard)}
		},
		"wrapping":  func(v *versogin.Routes) []gin.HandlerFunc { return []gin.HandlerFunc{wrapping, v.RewriteErrors()} },
		"wrapped":   func(v *versogin.Routes) []gin.HandlerFunc { return []gin.HandlerFunc{v.RewriteErrors(), wrapping} },
		"buffering": func(*versogin.Routes) []gin.HandlerFunc { return []gin.HandlerFunc{buffering} },
		"buffered":  func(v *versogin.Routes) []gin.HandlerFunc { return []gin.HandlerFunc{buffering, v.RewriteErrors()} },
	} {
		api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
		route := verso.Must(migrate.New(api, migrate.Release("v2", migrate.Changed("x",
			migrate.For[forwardedDoc](migrate.Renamed("title", "name"), migrate.Added("plan", migrate.Absent)))), migrate.Release("v1"))).
			Route(migrate.Returns[forwardedDoc]())
		r := gin.New()
		v := versogin.New(r, api)
		r.Use(gin.RecoveryWithWriter(io.Discard))
		r.NoRoute(func(c *gin.Context) { c.String(http.StatusNotFound, "404 page not found") })
		r.Use(before(v)...)
		rewritten := v.Rewrite(route)
		show := func(c *gin.Context) { c.JSON(http.StatusOK, forwardedDoc{"shown", "gold"}) }
		on := func(path string, then ...gin.HandlerFunc) gin.HandlerFunc {
			return func(c *gin.Context) {
				c.Request.URL.Path = path
				r.HandleContext(c)
				for _, then := range then {
					then(c)
				}
			}
		}
		after := func(c *gin.Context) { c.JSON(http.StatusOK, forwardedDoc{"after", "gold"}) }
		rewritten.GET("/new", show)
		v.GET("/plain", show)
		r.GET("/foreign", show)
		r.GET("/text", func(c *gin.Context) { c.String(http.StatusOK, `{"name":"text","plan":"gold"}`) })
		r.GET("/page", func(c *gin.Context) { c.Data(http.StatusOK, "text/html", []byte("gold")) })
		r.GET("/nothing", func(c *gin.Context) { c.Status(http.StatusNoContent) })
		r.GET("/broken", func(c *gin.Context) { c.Data(http.StatusOK, "application/json", []byte(`{"name":"gold`)) })
		r.GET("/flushes", func(c *gin.Context) { show(c); c.Writer.Flush() })
		rewritten.GET("/same/:id", func(c *gin.Context) {
			if c.Param("id") == "me" {
				on("/same/7")(c)
				return
			}
			show(c)
		})
		for _, to := range []string{"/new", "/plain", "/foreign", "/text", "/page", "/nothing", "/broken", "/flushes", "/missing"} {
			rewritten.GET("/to"+to, on(to))
			rewritten.GET("/again"+to, on("/to"+to))
			v.GET("/from"+to, on("/to"+to))
		}
		rewritten.GET("/then", on("/missing-but-for-this", after))
		rewritten.GET("/then-abort", on("/nowhere", func(c *gin.Context) { c.AbortWithStatusJSON(http.StatusOK, forwardedDoc{"after", "gold"}) }))
		rewritten.GET("/twice", on("/new", after))
		rewritten.GET("/twice-abort", on("/new", func(c *gin.Context) { c.Abort(); after(c) }))
		rewritten.GET("/plain-then-new", on("/plain", on("/new")))
		r.GET("/empty", func(*gin.Context) {})
		rewritten.GET("/next", on("/empty"), show) // before the check
		v.AfterCheck(func(c *gin.Context) { c.Keys = nil }).Rewrite(route).GET("/lost", show)
		rewritten.GET("/panics", on("/foreign", func(*gin.Context) { panic("late") }))
		server := httptest.NewServer(r)
		t.Cleanup(server.Close)

		const shown, newest = `{"title":"shown"}`, `{"name":"shown","plan":"gold"}`
		for path, want := range map[string]string{
			"/to/new": "200 " + shown, "/to/plain": "200 " + shown, "/to/foreign": "200 " + shown, "/to/flushes": "200 " + shown,
			"/to/nothing": "204 ", "/to/missing": "404 404 page not found", "/to/page": "500 ", "/to/text": "500 ", "/to/broken": "500 ",
			"/again/new": "200 " + shown, "/again/foreign": "200 " + shown, "/from/foreign": "200 " + shown, "/again/broken": "500 ",
			"/same/me": "200 " + shown, "/same/7": "200 " + shown, "/panics": "200 " + shown,
			"/twice": "200 " + shown, "/twice-abort": "200 " + shown, "/plain-then-new": "200 " + shown,
			"/next": "200 ", "/lost": "500 ",
			"/then": "404 404 page not found", "/then-abort": "404 404 page not found",
		} {
			t.Run(name+path, func(t *testing.T) {
				got := askForwarded(t, server, path, "v1")
				assert.True(t, strings.HasPrefix(got, want), "%q instead of %q…", got, want)
				assert.NotContains(t, got, "gold")
				assert.NotContains(t, got, `"name"`)
			})
		}
		assert.Equal(t, "200 "+newest, askForwarded(t, server, "/to/foreign", "v2"))
		if name == "buffering" || name == "buffered" {
			continue // the middleware of the other route holds what is written late
		}
		assert.Equal(t, "200 "+newest+`{"name":"after","plan":"gold"}`, askForwarded(t, server, "/twice", "v2"))
	}
}

func askForwarded(t *testing.T, server *httptest.Server, path, version string) string {
	t.Helper()
	q, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+path, nil)
	require.NoError(t, err)
	q.Header.Set("Api-Version", version)
	q.Close = true
	response, err := server.Client().Do(q)
	require.NoError(t, err)
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	return fmt.Sprint(response.StatusCode, " ", string(body))
}
