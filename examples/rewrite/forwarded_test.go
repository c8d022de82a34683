package rewrite_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
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

// TestHandleContext: a route with a check refuses what a rewritten one passes on while it
// rewrites, and a route without one answers as it is. Both are logged.
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
		"observed":  func(v *versogin.Routes) []gin.HandlerFunc { return nil },
	} {
		config := verso.Config{AllowedVersions: []string{"v1", "v2"}}
		if name == "observed" {
			config.Observe = func(context.Context, verso.Observation) {}
		}
		api := verso.MustNew(verso.Header("Api-Version"), config)
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
		on := func(path string) gin.HandlerFunc {
			return func(c *gin.Context) {
				c.Request.URL.Path = path
				r.HandleContext(c)
			}
		}
		rewritten.GET("/new", show)
		v.GET("/plain", show)
		v.RouterGroup("/group").GET("/plain", show)
		r.GET("/foreign", show)
		rewritten.GET("/same/:id", func(c *gin.Context) {
			if c.Param("id") == "me" {
				on("/same/7")(c)
				return
			}
			show(c)
		})
		for _, to := range []string{"/new", "/plain", "/group/plain", "/foreign", "/checked", "/missing"} {
			rewritten.GET("/to"+to, on(to))
			v.GET("/from"+to, on("/to"+to))
			v.GET("/onto"+to, on(to))
		}
		r.GET("/empty", func(*gin.Context) {})
		rewritten.GET("/next", on("/empty"), show) // before the check
		v.AfterCheck(func(c *gin.Context) { c.Keys = nil }).Rewrite(route).GET("/lost", show)
		rewritten.GET("/served", func(c *gin.Context) {
			c.Request.URL.Path = "/plain"
			r.ServeHTTP(c.Writer, c.Request) // in a context of its own
		})
		r.Group("", v.Middleware()).GET("/checked", show)
		server := httptest.NewServer(r)
		t.Cleanup(server.Close)

		const shown, newest, missing = `200 {"title":"shown"}`, `200 {"name":"shown","plan":"gold"}`, "404 404 page not found"
		for path, want := range map[string]string{
			"/to/new": "500 ", "/to/plain": "500 ", "/to/group/plain": "500 ", "/to/checked": "500 ", "/same/me": "500 ",
			"/from/new": "500 ", "/from/plain": "500 ", "/to/foreign": newest, "/to/missing": missing,
			"/onto/new": shown, "/onto/plain": newest, "/same/7": shown, "/served": shown, "/next": "200 ", "/lost": "500 ",
		} {
			t.Run(name+path, func(t *testing.T) {
				got := askForwarded(t, server, path, "v1")
				if path == "/next" { // the middleware has answered, and the handler adds to it
					assert.NotContains(t, got, "gold")
					got = got[:len(want)]
				}
				assert.Equal(t, want, got)
			})
		}
		for _, to := range []string{"/new", "/plain", "/foreign", "/checked"} {
			assert.Equal(t, newest, askForwarded(t, server, "/to"+to, "v2"), "%s, %s", name, to)
		}
	}
}

// TestHandleContextLogged: the newest version shows the mistake too.
func TestHandleContextLogged(t *testing.T) {
	gin.SetMode(gin.TestMode)
	for _, version := range []string{"v1", "v2"} {
		var log bytes.Buffer
		api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}, Logger: slog.New(slog.NewTextHandler(&log, nil))})
		route := verso.Must(migrate.New(api, migrate.Release("v2", migrate.Changed("x",
			migrate.For[forwardedDoc](migrate.Renamed("title", "name")))), migrate.Release("v1"))).Route(migrate.Returns[forwardedDoc]())
		r := gin.New()
		v := versogin.New(r, api)
		v.Rewrite(route).GET("/to", func(c *gin.Context) { c.Request.URL.Path = "/on"; r.HandleContext(c) })
		v.GET("/on", func(c *gin.Context) { c.JSON(http.StatusOK, forwardedDoc{"shown", "gold"}) })
		server := httptest.NewServer(r)
		t.Cleanup(server.Close)
		askForwarded(t, server, "/to", version)
		askForwarded(t, server, "/to", version)
		assert.Equal(t, 1, strings.Count(log.String(), "code=rewritten_passed_on"), log.String())
		assert.Contains(t, log.String(), "call its function, or redirect")
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
