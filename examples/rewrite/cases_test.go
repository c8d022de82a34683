package rewrite_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
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
	"github.com/goverso/verso/migrate"
	"github.com/goverso/verso/migrate/testdata/casetest"
)

// echoing are services with one route for each method, whose handler answers with what it has read, or with the text
// that it was given.
var echoing = map[string]func(api *verso.Versioning, route *migrate.Route, text string) func(*http.Request) *http.Response{
	"net/http": func(api *verso.Versioning, route *migrate.Route, text string) func(*http.Request) *http.Response {
		mux := http.NewServeMux()
		v := versohttp.New(mux, api).Rewrite(route)
		for _, method := range methods {
			v.HandleFunc(method+" /{$}", func(w http.ResponseWriter, r *http.Request) { answerWith(w, r.Body, text) })
		}
		return recorded(mux)
	},
	"Echo": func(api *verso.Versioning, route *migrate.Route, text string) func(*http.Request) *http.Response {
		e := echo.New()
		versoecho.New(e, api).Rewrite(route).Match(methods, "/", func(c echo.Context) error {
			answerWith(c.Response(), c.Request().Body, text)
			return nil
		})
		return recorded(e)
	},
	"Echo v5": func(api *verso.Versioning, route *migrate.Route, text string) func(*http.Request) *http.Response {
		e := echo5.New()
		versoecho5.New(e, api).Rewrite(route).Match(methods, "/", func(c *echo5.Context) error {
			answerWith(c.Response(), c.Request().Body, text)
			return nil
		})
		return recorded(e)
	},
	"Gin": func(api *verso.Versioning, route *migrate.Route, text string) func(*http.Request) *http.Response {
		gin.SetMode(gin.ReleaseMode)
		r := gin.New()
		versogin.New(r, api).Rewrite(route).Match(methods, "/", func(c *gin.Context) { answerWith(c.Writer, c.Request.Body, text) })
		return recorded(r)
	},
	"Fiber": func(api *verso.Versioning, route *migrate.Route, text string) func(*http.Request) *http.Response {
		app := fiber.New()
		v := versofiber.New(app, api).Rewrite(route)
		for _, method := range methods {
			v.Add([]string{method}, "/", func(c fiber.Ctx) error {
				c.Set("Content-Type", "application/json")
				if text != "" {
					return c.SendString(text)
				}
				return c.Send(c.Body())
			})
		}
		return func(r *http.Request) *http.Response { return verso.Must(app.Test(r)) }
	},
}

var methods = []string{"GET", "POST", "PUT", "PATCH"}

func answerWith(w http.ResponseWriter, body io.Reader, text string) {
	w.Header().Set("Content-Type", "application/json")
	if text == "" {
		raw, _ := io.ReadAll(body)
		text = string(raw)
	}
	_, _ = io.WriteString(w, text)
}

func recorded(handler http.Handler) func(*http.Request) *http.Response {
	return func(r *http.Request) *http.Response {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		return w.Result()
	}
}

// TestCasesInFrameworks runs the cases of the kinds in each framework: requests by the method of the case, and responses.
func TestCasesInFrameworks(t *testing.T) {
	data, err := os.ReadFile("../../migrate/testdata/cases/kinds.jsonl")
	require.NoError(t, err)
	for name, serve := range echoing {
		t.Run(name, func(t *testing.T) {
			counts := map[string]int{}
			lines := bufio.NewScanner(bytes.NewReader(data))
			for lines.Scan() {
				var c casetest.Case
				require.NoError(t, json.Unmarshal(lines.Bytes(), &c))
				t.Run(c.ID, func(t *testing.T) { counts[checkInFramework(t, &c, serve)]++ })
			}
			t.Log(counts)
			require.NoError(t, lines.Err())
			for _, what := range []string{"GET", "POST", "PUT", "PATCH"} {
				assert.Greater(t, counts[what], 10, what)
			}
		})
	}
}

func checkInFramework(t *testing.T, c *casetest.Case, serve func(*verso.Versioning, *migrate.Route, string) func(*http.Request) *http.Response) (what string) {
	t.Helper()
	h, _, err := c.History()
	if c.Error == "build" {
		require.Error(t, err)
		return c.Error
	}
	require.NoError(t, err)
	if c.Error == "failed" && strings.HasPrefix(c.ID, "embedded") { // a route finds it
		require.Panics(t, func() { h.Route(c.Bodies()...) })
		return c.Error
	}
	r, text := httptest.NewRequest(c.Method(), "/", strings.NewReader(c.In)), ""
	if what = c.Method(); c.Direction == "down" {
		what, text = "GET", c.In
		r = httptest.NewRequest(what, "/", http.NoBody)
	}
	// A request in the newest form is answered in it: only the request is under test.
	bodies := c.Bodies()[:1]
	if c.Direction == "down" {
		bodies = c.Bodies()[1:]
	}
	r.Header.Set("Api-Version", c.Version)
	r.Header.Set("Content-Type", "application/json")
	response := serve(c.API, h.Route(bodies...), text)(r)
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	switch c.Error {
	case "":
		require.Equal(t, 200, response.StatusCode, "%s", raw)
		assert.JSONEq(t, c.Want, string(raw))
	case migrate.InvalidBody, migrate.InvalidValue:
		require.Equal(t, 400, response.StatusCode, "%s", raw)
		assert.Contains(t, string(raw), map[string]string{migrate.InvalidBody: "not one valid JSON value", migrate.InvalidValue: "a value that this version does not have"}[c.Error])
	default:
		assert.Equal(t, 500, response.StatusCode, "%s", raw)
	}
	return what
}
