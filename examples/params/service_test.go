package params

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"strings"

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
	"github.com/goverso/verso/examples/internal/frameworks"
	"github.com/goverso/verso/migrate"
)

// List are the parameters of GET /orders.
type List struct {
	OrderBy  string   `query:"order_by"`
	State    string   `query:"state"`
	Limit    int      `query:"limit"`
	Tags     []string `query:"tag"`
	From     string   `query:"from"`
	To       string   `query:"to"`
	Archived bool     `query:"archived"`
	MaxCents int64    `query:"max_cents"`
}

// Head are header fields.
type Head struct {
	Key  string `header:"Idempotency-Key"`
	Zone string `header:"X-Zone"`
}

// OrderForm is a form.
type OrderForm struct {
	Note     string                `form:"note"`
	Priority string                `form:"priority"`
	Gift     bool                  `form:"gift"`
	File     *multipart.FileHeader `form:"file"`
}

// Order is a body.
type Order struct {
	ID    int    `json:"id"`
	State string `json:"state"`
}

type change struct{ created, deleted, invalid, total *migrate.Change }

func newHistory(api *verso.Versioning) (*migrate.History, change) {
	c := change{
		created: migrate.Behaves("A new order has status 201."),
		deleted: migrate.Behaves("DELETE returns the order that was deleted."),
		invalid: migrate.Behaves("An order that cannot be has status 422."),
		total:   migrate.Behaves("The number of orders is in X-Total-Count."),
	}
	return verso.Must(migrate.New(api,
		migrate.Release("v4",
			migrate.Changed("Lists are sorted by order_by.", migrate.For[List](migrate.Renamed("sort", "order_by"))),
			migrate.Changed("Idempotency-Key has no prefix.", migrate.For[Head](migrate.Renamed("X-Idempotency-Key", "Idempotency-Key"))),
			migrate.Changed("A comment is a note.", migrate.For[OrderForm](migrate.Renamed("comment", "note"), migrate.Renamed("attachment", "file"))),
			c.created),
		migrate.Release("v3",
			migrate.Changed("Orders are active or done.",
				migrate.For[List](migrate.Values("state", map[string]string{"open": "active", "closed": "done"}, migrate.NewValue("paused", "open")), migrate.Default("limit", 100)),
				migrate.For[Order](migrate.Values("state", map[string]string{"open": "active", "closed": "done"}, migrate.NewValue("paused", "open"))),
				migrate.For[OrderForm](migrate.Values("priority", map[string]string{"1": "high", "2": "low"}), migrate.Added("gift", false))),
			migrate.Changed("A range is from and to.", migrate.For[List](migrate.Split("range", "from", "to", cut, join))),
			migrate.Changed("Tags are in lower case.", migrate.For[List](migrate.Mapped("tag", lower, same))),
			c.invalid, c.total),
		migrate.Release("v2",
			migrate.Changed("Prices are in cents.", migrate.For[List](migrate.Renamed("max", "max_cents"), migrate.Mapped("max_cents", cents, euros))),
			migrate.Changed("Archived orders can be listed.", migrate.For[List](migrate.Added("archived", true), migrate.Removed("debug", ""))),
			migrate.Changed("A zone is a name.", migrate.For[Head](migrate.Mapped("X-Zone", zone, number))),
			c.deleted),
		migrate.Release("v1"))), c
}

func cut(text string) (a, b string, err error) {
	a, b, ok := strings.Cut(text, "..")
	if !ok {
		return "", "", errors.New("no range")
	}
	return a, b, nil
}
func join(a, b string) (string, error)      { return a + ".." + b, nil }
func lower(text string) (string, error)     { return strings.ToLower(text), nil }
func same(text string) (string, error)      { return text, nil }
func cents(e float64) (int64, error)        { return int64(math.Round(e * 100)), nil }
func euros(c int64) (float64, error)        { return float64(c) / 100, nil }
func zone(n int) (string, error)            { return fmt.Sprintf("zone-%d", n), nil }
func number(text string) (n int, err error) { _, err = fmt.Sscanf(text, "zone-%d", &n); return n, err }

// seen is what a handler reads with its framework.
type seen struct {
	Query map[string][]string `json:"query,omitempty"`
	Form  map[string][]string `json:"form,omitempty"`
	Files map[string]string   `json:"files,omitempty"`
	Key   string              `json:"key,omitempty"`
	Zone  string              `json:"zone,omitempty"`
}

var names = []string{"order_by", "sort", "state", "limit", "tag", "from", "to", "range", "archived", "max_cents", "max", "debug", "x", "version"}

var fields = []string{"note", "comment", "priority", "gift", "x"}

type routes struct{ list, create, post, remove *migrate.Route }

func newRoutes() (*verso.Versioning, routes) {
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2", "v3", "v4"}})
	h, c := newHistory(api)
	return api, routes{
		list:   h.Route(migrate.Query[List](), migrate.Headers[Head](), c.total.ResponseHeader("X-Total", "X-Total-Count")),
		create: h.Route(migrate.Form[OrderForm](), migrate.Headers[Head](), c.created.Status(200, 201), c.invalid.Status(400, 422)),
		post:   h.Route(migrate.Accepts[Order](), migrate.Returns[Order](), c.created.Status(200, 201), c.invalid.Status(400, 422)),
		remove: h.Route(migrate.Returns[Order](), c.deleted.Status(204, 200)),
	}
}

func body(s seen) []byte { text, _ := json.Marshal(s); return append(text, '\n') }

func orderStatus(o Order) int {
	if o.State == "bad" {
		return 422
	}
	return 201
}

func files(m *multipart.Form) map[string]string {
	if m == nil {
		return nil
	}
	found := map[string]string{}
	for name, list := range m.File {
		for _, f := range list {
			in, _ := f.Open()
			data, _ := io.ReadAll(in)
			_ = in.Close()
			found[name] = fmt.Sprintf("%s:%d:%s", f.Filename, len(data), data[:min(len(data), 8)])
		}
	}
	return found
}

type mount struct {
	name string
	do   func(*http.Request) *httptest.ResponseRecorder
}

func serve(h http.Handler) func(*http.Request) *httptest.ResponseRecorder {
	return func(r *http.Request) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w
	}
}

func mounts() []mount {
	return []mount{{"net/http", serve(onHTTP())}, {"gin", serve(onGin())}, {"echo4", serve(onEcho())}, {"echo5", serve(onEcho5())}, {"fiber", serve(onFiber())}}
}

func onHTTP() http.Handler {
	api, r := newRoutes()
	mux := http.NewServeMux()
	v := versohttp.New(mux, api)
	v.Rewrite(r.list).HandleFunc("GET /orders", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Total-Count", "7")
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(body(seen{Query: r.URL.Query(), Key: r.Header.Get("Idempotency-Key"), Zone: r.Header.Get("X-Zone")}))
	})
	v.Rewrite(r.create).HandleFunc("POST /forms", func(w http.ResponseWriter, r *http.Request) {
		_ = r.ParseMultipartForm(1 << 20)
		w.Header().Set("Content-Type", "application/json")
		s := seen{Form: map[string][]string{}, Files: files(r.MultipartForm), Key: r.Header.Get("Idempotency-Key")}
		for _, f := range fields {
			if got, ok := r.PostForm[f]; ok {
				s.Form[f] = got
			}
		}
		w.WriteHeader(http.StatusCreated)
		_, _ = w.Write(body(s))
	})
	v.Rewrite(r.post).HandleFunc("POST /orders", func(w http.ResponseWriter, r *http.Request) {
		var o Order
		_ = json.NewDecoder(r.Body).Decode(&o)
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(orderStatus(o))
		_ = json.NewEncoder(w).Encode(o)
	})
	v.Rewrite(r.remove).HandleFunc("DELETE /orders", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(Order{7, "done"})
	})
	return mux
}

func onGin() http.Handler {
	gin.SetMode(gin.ReleaseMode)
	api, r := newRoutes()
	e := gin.New()
	v := versogin.New(e, api)
	v.Rewrite(r.list).GET("/orders", func(c *gin.Context) {
		s := seen{Query: map[string][]string{}, Key: c.GetHeader("Idempotency-Key"), Zone: c.GetHeader("X-Zone")}
		for _, n := range names {
			if got, ok := c.GetQueryArray(n); ok {
				s.Query[n] = got
			}
		}
		c.Header("X-Total-Count", "7")
		c.JSON(200, s)
	})
	v.Rewrite(r.create).POST("/forms", func(c *gin.Context) {
		s := seen{Form: map[string][]string{}, Key: c.GetHeader("Idempotency-Key")}
		for _, n := range fields {
			if got, ok := c.GetPostFormArray(n); ok {
				s.Form[n] = got
			}
		}
		s.Files = files(c.Request.MultipartForm)
		c.JSON(201, s)
	})
	v.Rewrite(r.post).POST("/orders", func(c *gin.Context) {
		var o Order
		if c.ShouldBindJSON(&o) == nil {
			c.JSON(orderStatus(o), o)
		}
	})
	v.Rewrite(r.remove).DELETE("/orders", func(c *gin.Context) { c.JSON(200, Order{7, "done"}) })
	return e
}

func onEcho() http.Handler {
	api, r := newRoutes()
	e := echo.New()
	e.Use(func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error { _ = c.QueryParam("x"); return next(c) } // Echo keeps the values
	})
	v := versoecho.New(e, api)
	v.Rewrite(r.list).GET("/orders", func(c echo.Context) error {
		c.Response().Header().Set("X-Total-Count", "7")
		return c.JSON(200, seen{Query: c.QueryParams(), Key: c.Request().Header.Get("Idempotency-Key"), Zone: c.Request().Header.Get("X-Zone")})
	})
	v.Rewrite(r.create).POST("/forms", func(c echo.Context) error {
		s := seen{Form: map[string][]string{}, Key: c.Request().Header.Get("Idempotency-Key")}
		form, err := c.FormParams()
		if err != nil {
			return err
		}
		for _, n := range fields {
			if got, ok := form[n]; ok {
				s.Form[n] = got
			}
		}
		m, _ := c.MultipartForm()
		s.Files = files(m)
		return c.JSON(201, s)
	})
	v.Rewrite(r.post).POST("/orders", func(c echo.Context) error {
		var o Order
		if err := c.Bind(&o); err != nil {
			return err
		}
		return c.JSON(orderStatus(o), o)
	})
	v.Rewrite(r.remove).DELETE("/orders", func(c echo.Context) error { return c.JSON(200, Order{7, "done"}) })
	return e
}

func onEcho5() http.Handler {
	api, r := newRoutes()
	e := echo5.New()
	e.Use(func(next echo5.HandlerFunc) echo5.HandlerFunc {
		return func(c *echo5.Context) error { _ = c.QueryParam("x"); return next(c) }
	})
	v := versoecho5.New(e, api)
	v.Rewrite(r.list).GET("/orders", func(c *echo5.Context) error {
		c.Response().Header().Set("X-Total-Count", "7")
		return c.JSON(200, seen{Query: c.QueryParams(), Key: c.Request().Header.Get("Idempotency-Key"), Zone: c.Request().Header.Get("X-Zone")})
	})
	v.Rewrite(r.create).POST("/forms", func(c *echo5.Context) error {
		s := seen{Form: map[string][]string{}, Key: c.Request().Header.Get("Idempotency-Key")}
		m, _ := c.MultipartForm()
		form, err := c.FormValues()
		if err != nil {
			return err
		}
		for _, n := range fields {
			if got, ok := form[n]; ok {
				s.Form[n] = got
			}
		}
		s.Files = files(m)
		return c.JSON(201, s)
	})
	v.Rewrite(r.post).POST("/orders", func(c *echo5.Context) error {
		var o Order
		if err := c.Bind(&o); err != nil {
			return err
		}
		return c.JSON(orderStatus(o), o)
	})
	v.Rewrite(r.remove).DELETE("/orders", func(c *echo5.Context) error { return c.JSON(200, Order{7, "done"}) })
	return e
}

func onFiber() http.Handler {
	api, r := newRoutes()
	app := fiber.New()
	app.Use(func(c fiber.Ctx) error { _ = c.Query("x"); return c.Next() })
	v := versofiber.New(app, api)
	v.Rewrite(r.list).Get("/orders", func(c fiber.Ctx) error {
		s := seen{Query: map[string][]string{}, Key: c.Get("Idempotency-Key"), Zone: c.Get("X-Zone")}
		for name, value := range c.RequestCtx().QueryArgs().All() {
			s.Query[string(name)] = append(s.Query[string(name)], string(value))
		}
		c.Set("X-Total-Count", "7")
		return c.JSON(s)
	})
	v.Rewrite(r.create).Post("/forms", func(c fiber.Ctx) error {
		s := seen{Form: map[string][]string{}, Key: c.Get("Idempotency-Key")}
		if m, err := c.MultipartForm(); err == nil {
			s.Files = files(m)
			for _, n := range fields {
				if got, ok := m.Value[n]; ok {
					s.Form[n] = got
				}
			}
		} else {
			for name, value := range c.RequestCtx().PostArgs().All() {
				s.Form[string(name)] = append(s.Form[string(name)], string(value))
			}
		}
		return c.Status(201).JSON(s)
	})
	v.Rewrite(r.post).Post("/orders", func(c fiber.Ctx) error {
		var o Order
		if err := c.Bind().JSON(&o); err != nil {
			return err
		}
		return c.Status(orderStatus(o)).JSON(o)
	})
	v.Rewrite(r.remove).Delete("/orders", func(c fiber.Ctx) error { return c.JSON(Order{7, "done"}) })
	return frameworks.OverFiber(app)
}
