package params

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/gofiber/fiber/v3"
	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versoecho"
	"github.com/goverso/verso/adapters/versofiber"
	"github.com/goverso/verso/adapters/versogin"
	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/examples/internal/frameworks"
	"github.com/goverso/verso/migrate"
)

// TestLinks: a link has the query of the version that it points to, in the names that its
// client sends back.
func TestLinks(t *testing.T) {
	api := verso.MustNew(verso.PathParam("version"), verso.Config{
		AllowedVersions: []string{"v1", "v2", "v3", "v4"}, Links: verso.LinkConfig{Relative: true},
	})
	history, _ := newHistory(api)
	mux := http.NewServeMux()
	v := versohttp.New(mux, api)
	v.Name("orders").Rewrite(history.Route(migrate.Query[List]())).HandleFunc("GET /{version}/orders", func(w http.ResponseWriter, r *http.Request) {
		next, err := versohttp.Link(r, verso.Target{Name: "orders", Query: url.Values{"order_by": {"name"}, "state": {"paused"}, "page": {"2"}}})
		if err != nil {
			t.Error(err)
		}
		w.Header().Set("Link", next)
	})
	for version, want := range map[string]string{
		"v4": "/v4/orders?order_by=name&page=2&state=paused",
		"v3": "/v3/orders?page=2&sort=name&state=paused",
		"v2": "/v2/orders?page=2&sort=name&state=open",
	} {
		w := frameworks.Ask(mux, http.MethodGet, "/"+version+"/orders", nil)
		assert.Equal(t, want, w.Header().Get("Link"))
	}
	successor, err := v.Link(verso.Target{Name: "orders", Version: verso.V("v2"), Query: url.Values{"order_by": {"name"}}})
	require.NoError(t, err)
	assert.Equal(t, "/v2/orders?sort=name", successor, "of a job, in the version of the target")
}

// TestGinKeepsQueries: what Gin has cached of the query before the rewriting is an error that
// names who did it, and not an answer with the old names.
func TestGinKeepsQueries(t *testing.T) {
	api, routes := newRoutes()
	for name, test := range map[string]struct {
		before gin.HandlerFunc
		status int
	}{
		"c.Query":           {func(c *gin.Context) { c.Query("x") }, http.StatusInternalServerError},
		"Request.URL.Query": {func(c *gin.Context) { c.Request.URL.Query() }, http.StatusOK},
	} {
		t.Run(name, func(t *testing.T) {
			var errs string
			e := gin.New()
			e.Use(func(c *gin.Context) { c.Next(); errs = c.Errors.String() }, test.before)
			versogin.New(e, api).Rewrite(routes.list).GET("/orders", func(c *gin.Context) { c.String(http.StatusOK, c.Query("order_by")) })
			w := frameworks.Ask(e, http.MethodGet, "/orders?sort=name", nil, "Api-Version", "v3")
			assert.Equal(t, test.status, w.Code)
			if test.status == http.StatusOK {
				assert.Equal(t, "name", w.Body.String())
			} else {
				assert.Contains(t, errs, "has called c.Query")
			}
		})
	}
}

// TestFormsThatWereRead: a form that a middleware has read before the rewriting is lifted all the
// same or, where the framework keeps its values, an error that names the cause.
func TestFormsThatWereRead(t *testing.T) {
	const token = "abcdefghijklmnopqrstuvwxyz123456"
	api, r := newRoutes()
	e := echo.New()
	e.Use(middleware.CSRFWithConfig(middleware.CSRFConfig{TokenLookup: "form:_csrf"}))
	versoecho.New(e, api).Rewrite(r.create).POST("/forms", func(c echo.Context) error { return c.String(http.StatusOK, c.FormValue("note")) })
	app := fiber.New()
	app.Use(func(c fiber.Ctx) error { c.FormValue("x"); return c.Next() })
	versofiber.New(app, api).Rewrite(r.create).Post("/forms", func(c fiber.Ctx) error { return c.SendString(c.FormValue("note") + c.FormValue("comment")) })
	g := gin.New()
	g.Use(func(c *gin.Context) { c.PostForm("x") })
	versogin.New(g, api).Rewrite(r.create).POST("/forms", func(c *gin.Context) { c.String(http.StatusOK, c.PostForm("comment")) })
	parsing := gin.New()
	parsing.Use(func(c *gin.Context) { _ = c.Request.ParseForm() })
	versogin.New(parsing, api).Rewrite(r.create).POST("/forms", func(c *gin.Context) { c.String(http.StatusOK, c.PostForm("note")) })
	for _, test := range []struct {
		name    string
		service http.Handler
		status  int
		body    string
	}{
		{"Echo's CSRF middleware", e, http.StatusOK, "hi"}, {"Fiber's FormValue", frameworks.OverFiber(app), http.StatusOK, "hi"},
		{"Gin's PostForm", g, http.StatusInternalServerError, ""}, {"ParseForm in Gin", parsing, http.StatusOK, "hi"},
	} {
		t.Run(test.name, func(t *testing.T) {
			request := httptest.NewRequest(http.MethodPost, "/forms", strings.NewReader("comment=hi&_csrf="+token))
			request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			request.Header.Set("Api-Version", "v3")
			request.AddCookie(&http.Cookie{Name: "_csrf", Value: token})
			w := httptest.NewRecorder()
			test.service.ServeHTTP(w, request)
			assert.Equal(t, test.status, w.Code)
			if test.body != "" {
				assert.Equal(t, test.body, w.Body.String())
			}
		})
	}
}

// TestLinesInFiber: fields that no version changed keep their lines in their order, and fields
// are found by their names in any case.
func TestLinesInFiber(t *testing.T) {
	for _, raw := range []bool{false, true} {
		api, r := newRoutes()
		app := fiber.New(fiber.Config{DisableHeaderNormalizing: raw})
		versofiber.New(app, api).Rewrite(r.list).Get("/orders", func(c fiber.Ctx) error {
			h := &c.Request().Header
			return c.SendString(fmt.Sprintf("%s %s %q", h.PeekAll("X-Forwarded-For"), h.Peek("Idempotency-Key"), h.Peek("x-idempotency-key")))
		})
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		go func() { _ = app.Listener(listener, fiber.ListenConfig{DisableStartupMessage: true}) }()
		c, err := net.Dial("tcp", listener.Addr().String())
		require.NoError(t, err)
		_, err = io.WriteString(c, "GET /orders HTTP/1.1\r\nHost: a\r\nApi-Version: v3\r\nx-idempotency-key: k\r\n"+
			"X-Forwarded-For: 1\r\nX-Forwarded-For: 2\r\nX-Forwarded-For: 3\r\nConnection: close\r\n\r\n")
		require.NoError(t, err)
		answer, err := io.ReadAll(c)
		require.NoError(t, err)
		assert.Contains(t, string(answer), `[1 2 3] k ""`, "DisableHeaderNormalizing %v", raw)
		require.NoError(t, app.Shutdown())
	}
}

// TestLinksToAPathOfSeveralMethods: a client follows a link with GET.
func TestLinksToAPathOfSeveralMethods(t *testing.T) {
	api, r := newRoutes()
	e := gin.New()
	v := versogin.New(e, api).Name("orders")
	v.Rewrite(r.post).POST("/orders", func(*gin.Context) {})
	v.Rewrite(r.list).GET("/orders", func(c *gin.Context) {
		link, err := versogin.Link(c, verso.Target{Name: "orders", Query: url.Values{"order_by": {"name"}}})
		require.NoError(t, err)
		c.String(http.StatusOK, link)
	})
	mux := http.NewServeMux()
	h := versohttp.New(mux, api).Name("orders")
	h.Rewrite(r.post).HandleFunc("POST /orders", func(http.ResponseWriter, *http.Request) {})
	h.Rewrite(r.list).HandleFunc("/orders", func(w http.ResponseWriter, r *http.Request) {
		link, err := versohttp.Link(r, verso.Target{Name: "orders", Query: url.Values{"order_by": {"name"}}})
		assert.NoError(t, err)
		_, _ = io.WriteString(w, link)
	})
	for _, service := range []http.Handler{e, mux} {
		w := frameworks.Ask(service, http.MethodGet, "/orders", nil, "Api-Version", "v3")
		assert.Equal(t, "/orders?sort=name", strings.TrimPrefix(w.Body.String(), "http://example.com"))
	}
}

// TestManyParameters: a query of 64 KB and one of 10,000 parameters are lifted, and a value
// that an edit cannot read is an error without the value.
func TestManyParameters(t *testing.T) {
	service := frameworks.All["http"](service())
	ask := func(query string) *httptest.ResponseRecorder {
		w := frameworks.Ask(service, http.MethodGet, "/orders?"+query, nil, "Api-Version", "v1")
		return w
	}
	many := make([]string, 10_000)
	for i := range many {
		many[i] = fmt.Sprintf("tag=T%d", i)
	}
	assert.Equal(t, http.StatusOK, ask("sort="+strings.Repeat("n", 64<<10)).Code)
	assert.Equal(t, http.StatusOK, ask(strings.Join(many, "&")).Code)

	answer := ask("max=secret")
	assert.Equal(t, http.StatusBadRequest, answer.Code)
	body := answer.Body.String()
	assert.Contains(t, body, `\"max\"`)
	assert.Contains(t, body, `"code":"invalid_value"`)
	assert.NotContains(t, body, "secret")
}

// TestAPanicOfAParameter: a panic of an edit is status 500, and no process ends.
func TestAPanicOfAParameter(t *testing.T) {
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	history := verso.Must(migrate.New(api, migrate.Release("v2", migrate.Changed("x", migrate.For[List](
		migrate.Mapped("limit", func(int) (int, error) { panic("a panic") }, func(n int) (int, error) { return n, nil })))), migrate.Release("v1")))
	mux := http.NewServeMux()
	versohttp.New(mux, api).Rewrite(history.Route(migrate.Query[List]())).HandleFunc("GET /orders", func(http.ResponseWriter, *http.Request) {})
	w := frameworks.Ask(mux, http.MethodGet, "/orders?limit=7", nil, "Api-Version", "v1")
	assert.Equal(t, http.StatusInternalServerError, w.Code)
	assert.NotContains(t, w.Body.String(), "panic")
}

// TestRefused: what could not be followed panics when the route is made.
func TestRefused(t *testing.T) {
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	known := migrate.Behaves("A new order has status 201.")
	history := verso.Must(migrate.New(api, migrate.Release("v2", known), migrate.Release("v1")))
	swapped := map[string][]migrate.Body{
		"statuses": {known.Status(200, 202), known.Status(202, 200)},
		"fields":   {known.ResponseHeader("X-A", "X-B"), known.ResponseHeader("X-B", "X-C")},
		"a status": {known.Status(200, 202), known.Status(201, 202)},
	}
	for name, bodies := range swapped {
		t.Run(name, func(t *testing.T) {
			defer func() { assert.ErrorContains(t, recover().(error), "another change of the same release") }()
			history.Route(bodies...)
		})
	}
	for want, body := range map[string]migrate.Body{
		"is not a struct of parameters": migrate.Query[Order](),
		"is in no release":              migrate.Behaves("x").Status(200, 201),
		"give statuses from 200 to 599": known.Status(100, 201),
		"older clients read a body":     known.Status(200, 204),
		`give its name`:                 known.ResponseHeader("", "X-Total"),
		"not only the handler writes":   known.ResponseHeader("X-Pages", "link"),
		"a text, a number or a bool, or": migrate.Query[struct {
			Filter map[string]string `query:"filter"`
		}](),
	} {
		t.Run(want, func(t *testing.T) {
			defer func() { assert.ErrorContains(t, recover().(error), want) }()
			history.Route(migrate.Returns[Order](), body)
		})
	}
}
