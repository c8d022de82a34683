package frameworks

import (
	"context"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/gofiber/fiber/v3"

	verso "github.com/goverso/verso/core"
)

// App is what a service has.
type App struct {
	Routes []Route

	// Below is the path of a group of all routes of the adapter, and Rewriter its rewriter.
	Below    string
	Rewriter verso.Rewriter

	// With Middleware that of the adapter checks the foreign routes. Fiber has none, and
	// they are routes of the adapter there.
	Middleware bool

	// Pins are what an authentication stores as "pin", by the Authorization field. It is in
	// front of Middleware, or behind it.
	Pins    map[string]any
	PinLate bool

	NotFound      bool // the adapter's
	RewriteErrors bool // likewise

	// With ReadsQuery a middleware in front of the checks reads the query by a method of the
	// framework that may keep it. Gin refuses such requests, and net/http has no such method.
	ReadsQuery bool

	Fiber fiber.Config

	// ErrorHandler is for the configuration of the adapter. With Problem it is the adapter's
	// WriteProblem, where problem details are not what the adapter writes anyway.
	ErrorHandler func(w http.ResponseWriter, err *verso.Error)
	Problem      bool
}

// Route is a route of a service.
type Route struct {
	Method   string
	Path     string // in the syntax of net/http: "/users/{id}", "/files/{rest...}"
	Name     string
	Foreign  bool // registered with the framework, and not with the adapter
	Options  []verso.RouteOption
	Rewriter verso.Rewriter
	Handle   http.HandlerFunc
	Versions map[string]http.HandlerFunc // instead of Handle
}

// Service is a service in a framework.
type Service struct {
	http.Handler

	Explain func() *verso.Explanation
	Link    func(verso.Target) (string, error)
}

// Call has the answers of an adapter about a request.
type Call struct {
	Version verso.Version
	Link    func(verso.Target) (string, error)
	AtLeast func(version string) bool

	// These are the framework's own: Query and Form return the parameters, Form the files too;
	// FormValue reads both places. Bind are the binders of "query", "form" and "header", nil without.
	Query     func() map[string][]string
	Form      func() (map[string][]string, *multipart.Form)
	FormValue func(name string) string
	Bind      map[string]func(into any) error
}

type key struct{}

// Of returns the Call of a request.
func Of(r *http.Request) Call { return r.Context().Value(key{}).(Call) }

func (c Call) in(r *http.Request) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), key{}, c))
}

// Ask sends a request with fields, by turns names and values, and returns the response.
func Ask(h http.Handler, method, target string, body io.Reader, fields ...string) *httptest.ResponseRecorder {
	r, w := httptest.NewRequest(method, target, body), httptest.NewRecorder()
	for i := 0; i < len(fields); i += 2 {
		r.Header.Set(fields[i], fields[i+1])
	}
	h.ServeHTTP(w, r)
	return w
}

type group[R any] interface {
	With(options ...verso.RouteOption) R
	Rewrite(rewriter verso.Rewriter) R
}

// with returns the group with what a route has.
func with[R group[R]](v R, options []verso.RouteOption, rewriter verso.Rewriter) R {
	v = v.With(options...)
	if rewriter != nil {
		v = v.Rewrite(rewriter)
	}
	return v
}

func choices[H any](route Route, handler func(http.HandlerFunc) H) verso.Handlers[H] {
	all := make(verso.Handlers[H], len(route.Versions))
	for version, handle := range route.Versions {
		all[version] = handler(handle)
	}
	return all
}

// values returns the values of names, as the framework reads them.
func values(names map[string][]string, read func(name string) []string) map[string][]string {
	all := make(map[string][]string)
	for name := range names {
		all[name] = read(name)
	}
	return all
}

// colons returns a path in the syntax of other frameworks.
func colons(path, rest string) string {
	return strings.NewReplacer("{$}", "", "{rest...}", rest, "{", ":", "}", "").Replace(path)
}
