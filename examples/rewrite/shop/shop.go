// Package shop is a service with four versions, whose bodies are rewritten: see
// TestCarelessEditsLong.
package shop

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
)

// Address is an address of a customer.
type Address struct {
	Street string `json:"street"`
	City   string `json:"city"`
	Zip    string `json:"zip,omitempty"`
}

// Customer is a customer, as v4 has it.
type Customer struct {
	ID      int64          `json:"id"`
	Email   string         `json:"email"`
	First   string         `json:"first_name"`
	Last    string         `json:"last_name"`
	Status  string         `json:"status"`
	Address *Address       `json:"address,omitempty"`
	Meta    map[string]any `json:"meta,omitempty"`
	Created time.Time      `json:"created"`
}

// Line is a line of an order.
type Line struct {
	SKU      string `json:"sku"`
	Quantity int    `json:"quantity"`
	Price    int64  `json:"price"`
}

// Order is an order, as v4 has it.
type Order struct {
	ID       string          `json:"id"`
	Currency string          `json:"currency"`
	Total    int64           `json:"total"`
	Lines    []Line          `json:"lines"`
	ByShop   map[string]Line `json:"by_shop,omitempty"`
	Customer Customer        `json:"customer"`
}

// Page is a page of a list.
type Page[T any] struct {
	Data []T    `json:"data"`
	Next string `json:"next,omitempty"`
}

// OldError is the body of an error before v4.
type OldError struct {
	Error string `json:"error"`
}

func split(name string) (string, string, error) {
	f, l, _ := strings.Cut(name, " ")
	return f, l, nil
}
func join(f, l string) (string, error) { return strings.TrimSpace(f + " " + l), nil }
func toCents(s string) (int64, error) {
	f, err := strconv.ParseFloat(s, 64)
	return int64(math.Round(f * 100)), err
}
func toText(c int64) (string, error)      { return fmt.Sprintf("%d.%02d", c/100, c%100), nil }
func fromUnix(u int64) (time.Time, error) { return time.Unix(u, 0).UTC(), nil }
func toUnix(t time.Time) (int64, error)   { return t.Unix(), nil }

// created is a change of a status.
var created = migrate.Behaves("POST /orders answers 201; it was 200.")

// History returns what changed.
func History(api *verso.Versioning) (*migrate.History, error) {
	return migrate.New(api,
		migrate.Release("v4",
			migrate.Changed("Lists are pages.", migrate.For[Page[Order]](migrate.Reshaped(
				nil, func(p Page[Order]) ([]Order, error) { return p.Data, nil }, ""))),
			migrate.Changed("An order says its currency.", migrate.For[Order](migrate.Added("currency", "EUR"))),
			migrate.Changed("Errors are problem details.", migrate.For[verso.Problem](migrate.Reshaped(nil, func(p verso.Problem) (OldError, error) { return OldError{p.Detail}, nil }, "application/json"))),
			created),
		migrate.Release("v3",
			migrate.Changed("Money is cents.",
				migrate.For[Order](migrate.Mapped("total", toCents, toText)),
				migrate.For[Line](migrate.Mapped("price", toCents, toText))),
			migrate.Changed("qty is quantity.", migrate.For[Line](migrate.Renamed("qty", "quantity"))),
			migrate.Changed("An address is an object.", migrate.For[Customer](migrate.Nested("address", map[string]string{"street": "street", "city": "city"}))),
			migrate.Changed("Times are RFC 3339.", migrate.For[Customer](migrate.Mapped("created", fromUnix, toUnix))),
			migrate.Changed("No fax.", migrate.For[Customer](migrate.Removed("fax", "")))),
		migrate.Release("v2",
			migrate.Changed("mail is email.", migrate.For[Customer](migrate.Renamed("mail", "email"))),
			migrate.Changed("Two names.", migrate.For[Customer](migrate.Split("name", "first_name", "last_name", split, join))),
			migrate.Changed("Statuses.", migrate.For[Customer](migrate.Values("status", map[string]string{"on": "active", "off": "disabled"}, migrate.NewValue("pending", "off"))))),
		migrate.Release("v1"))
}

// API returns the versions.
func API() *verso.Versioning {
	return verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2", "v3", "v4"}, DefaultVersion: verso.V("v4")})
}

func sample() Order {
	return Order{ID: "o1", Currency: "USD", Total: 1230, Lines: []Line{{"a", 2, 615}}, ByShop: map[string]Line{"x": {"b", 1, 5}},
		Customer: Customer{ID: 1, Email: "a@b", First: "Ada", Last: "L", Status: "pending", Address: &Address{"S", "C", "1"}, Meta: map[string]any{"mail": "keep"}, Created: time.Unix(1700000000, 0).UTC()}}
}

func fail(w http.ResponseWriter, err error) {
	p := verso.Problem{Title: "Error", Status: 422, Detail: err.Error()}
	if m, ok := errors.AsType[*migrate.Error](err); ok {
		p.Status = m.Status
	}
	w.Header().Set("Content-Type", verso.ProblemType)
	w.WriteHeader(p.Status)
	_ = json.NewEncoder(w).Encode(p) // the client may have disconnected
}

func reply(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

// New returns the service.
func New() (http.Handler, *versohttp.Routes, *migrate.History) {
	api := API()
	h := verso.Must(History(api))
	mux := http.NewServeMux()
	v := versohttp.New(mux, api)
	with := func(b ...migrate.Body) *versohttp.Routes {
		return v.Rewrite(h.Route(append(b, migrate.Fails[verso.Problem](verso.ProblemType), migrate.Open[Customer]("meta"))...))
	}
	with(migrate.Returns[Order]()).HandleFunc("GET /orders/{id}", func(w http.ResponseWriter, r *http.Request) {
		if r.PathValue("id") == "none" {
			fail(w, errors.New("no such order"))
			return
		}
		reply(w, 200, sample())
	})
	with(migrate.Returns[Page[Order]]()).HandleFunc("GET /orders", func(w http.ResponseWriter, _ *http.Request) {
		reply(w, 200, Page[Order]{[]Order{sample()}, "n"})
	})
	with(migrate.Accepts[Order](), migrate.Returns[Order](), created.Status(200, 201)).HandleFunc("POST /orders", func(w http.ResponseWriter, r *http.Request) {
		var o Order
		if err := json.NewDecoder(r.Body).Decode(&o); err != nil {
			fail(w, err)
			return
		}
		w.Header().Set("Got", fmt.Sprintf("%+v", o))
		reply(w, 201, o)
	})
	with(migrate.Returns[Order]()).HandleFunc("GET /stream", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", r.URL.Query().Get("type"))
		for range 2 {
			if strings.Contains(r.URL.Query().Get("type"), "event-stream") {
				_, _ = fmt.Fprint(w, "data: ") // the client may have disconnected
			}
			_ = json.NewEncoder(w).Encode(sample())
			_, _ = fmt.Fprintln(w)
			w.(http.Flusher).Flush()
		}
	})
	with(migrate.Accepts[Customer](), migrate.Returns[Customer]()).HandleFunc("POST /upload", func(w http.ResponseWriter, r *http.Request) {
		err := r.ParseMultipartForm(1 << 20)
		reply(w, 200, Customer{First: fmt.Sprint(err), Email: r.FormValue("email"), Last: r.FormValue("mail")})
	})
	return v.RewriteErrors()(mux), v, h
}
