package params

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"mime/multipart"
	"net/http"
	"strings"

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

// service answers with what a handler reads by its framework.
func service() (*verso.Versioning, frameworks.App) {
	api, r := newRoutes()
	send := func(w http.ResponseWriter, status int, body any) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(body)
	}
	list := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Total-Count", "7")
		send(w, http.StatusOK, seen{Query: frameworks.Of(r).Query(), Key: r.Header.Get("Idempotency-Key"), Zone: r.Header.Get("X-Zone")})
	}
	create := func(w http.ResponseWriter, r *http.Request) {
		form, with := frameworks.Of(r).Form()
		s := seen{Form: map[string][]string{}, Files: files(with), Key: r.Header.Get("Idempotency-Key")}
		for _, f := range fields {
			if got, ok := form[f]; ok {
				s.Form[f] = got
			}
		}
		send(w, http.StatusCreated, s)
	}
	post := func(w http.ResponseWriter, r *http.Request) {
		var o Order
		_ = json.NewDecoder(r.Body).Decode(&o)
		send(w, orderStatus(o), o)
	}
	remove := func(w http.ResponseWriter, _ *http.Request) { send(w, http.StatusOK, Order{7, "done"}) }
	return api, frameworks.App{ReadsQuery: true, Routes: []frameworks.Route{
		{Method: http.MethodGet, Path: "/orders", Rewriter: r.list, Handle: list},
		{Method: http.MethodPost, Path: "/forms", Rewriter: r.create, Handle: create},
		{Method: http.MethodPost, Path: "/orders", Rewriter: r.post, Handle: post},
		{Method: http.MethodDelete, Path: "/orders", Rewriter: r.remove, Handle: remove},
	}}
}
