package conformance

import (
	"context"
	"crypto/tls"
	"io"
	"maps"
	"net"
	"net/http"
	"regexp"
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/route"
)

// Mount builds app on a framework, behind its adapter, and starts a server for
// the whole, on a loopback port that the system picks. It is called for each
// case. It installs app.API, registers all routes before it returns, and fails
// the test if it cannot. Nothing around it recovers panics, unless one would end
// the process: then the framework's own means answers them with status 500. A
// framework over net/http returns [Serve] of its handler.
type Mount func(tb testing.TB, app App) *Server

// Server is a running server under test.
type Server struct {
	Address string       // "127.0.0.1:41234"
	Close   func() error // stops the server, with all its connections

	// Handler is what net/http serves, set by [Serve]; nil for a server of
	// another kind.
	Handler http.Handler
}

// Serve serves the handler of an application with net/http, over TLS when the
// application asks for it.
func Serve(tb testing.TB, app App, handler http.Handler) *Server {
	tb.Helper()
	listener := Listen(tb, app)
	if app.Outer != nil || app.recovers {
		handler = app.around(handler)
	}
	server := &http.Server{Handler: handler, ErrorLog: silent} // it logs panics
	go func() { _ = server.Serve(listener) }()
	return &Server{Address: listener.Addr().String(), Close: server.Close, Handler: handler}
}

// around returns what is around the adapter.
func (a App) around(inner http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		maps.Copy(w.Header(), a.Outer.Clone())
		defer func() {
			if a.recovers && recover() != nil {
				w.WriteHeader(http.StatusInternalServerError)
			}
		}()
		inner.ServeHTTP(w, r)
	})
}

// Listen listens on a loopback port for an application: for servers that are not
// of net/http. Over TLS the listener speaks it.
func Listen(tb testing.TB, app App) net.Listener {
	tb.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	if app.TLS != nil {
		return tls.NewListener(listener, app.TLS)
	}
	return listener
}

// App is an application of the suite, which a [Mount] builds on a framework.
type App struct {
	API    *verso.Versioning // what the adapter installs
	Routes []Route           // to register
	TLS    *tls.Config       // nil: plain HTTP

	// Outer are response fields that something around the adapter sets before
	// it. [Serve] sets them; a mount of another server installs what does.
	Outer http.Header

	// NotFound asks the mount to install the adapter's NotFound as what answers
	// requests that match no route.
	NotFound bool

	// KeepServed names a request header, "" for none: the KeepServed of the
	// adapter's configuration is true for requests that have it.
	KeepServed string

	// recovers lets [Serve] answer what panics with status 500, as middleware around
	// the adapter does that recovers panics.
	recovers bool
}

// Route is a route of an [App].
type Route struct {
	Method    string
	Namespace string // "api:v1", or "" for none
	Name      string // within the namespace
	Pattern   string // "/users/{id}/files/{path*}": see [Route.Path]

	// Outside says that others register the route: a [Mount] registers it with
	// the framework itself. The handler asks the adapter for the version all the
	// same, and gets none.
	Outside bool

	// EachVersion says that the route is registered through the adapter's
	// EachVersion: Pattern is the path without a version.
	EachVersion bool

	// Options are what the route's registration says of it, empty for nothing.
	Options []verso.RouteOption

	// Handlers are the handlers of the route by version, in place of Handle: see
	// [verso.Handlers]. nil: the route has one handler.
	Handlers map[string]func(Call) Response

	// Handle answers a request to the route. The handler that a [Mount]
	// registers passes it what it asks the adapter for, and sends what it
	// returns.
	Handle func(Call) Response
}

// Call is what a handler of the framework asks the adapter for. A framework that
// has a name of its own for the rest of a path takes it for "rest" in Param and
// Link.
type Call struct {
	Context context.Context                    // of the request: done when the client has gone, where the server tells
	Version verso.Version                      // of the request
	Param   func(name string) string           // a path parameter, decoded once
	Link    func(verso.Target) (string, error) // a URL in the version of the request
}

// Response is what a handler of the framework sends.
type Response struct {
	Status int         // 0: 200
	Set    http.Header // fields that the handler sets, in place of those that are there
	Add    http.Header // fields that the handler adds
	Body   string

	// Stream, if it is not nil, writes the body instead. flush sends what was
	// written so far, where the framework can.
	Stream func(w io.Writer, flush func() error) error
}

// Write sends the response with net/http.
func (r Response) Write(w http.ResponseWriter) {
	maps.Copy(w.Header(), r.Set)
	for name, lines := range r.Add {
		for _, line := range lines {
			w.Header().Add(name, line)
		}
	}
	w.WriteHeader(r.StatusCode())
	if r.Stream != nil {
		_ = r.Stream(w, http.NewResponseController(w).Flush)
		return
	}
	_, _ = io.WriteString(w, r.Body)
}

// StatusCode returns the status to send.
func (r Response) StatusCode() int {
	if r.Status == 0 {
		return http.StatusOK
	}
	return r.Status
}

// Handlers returns the handlers of a route for an adapter, each made by handler into
// one of the framework.
func Handlers[H any](r Route, handler func(func(Call) Response) H) verso.Handlers[H] {
	handlers := make(verso.Handlers[H], len(r.Handlers))
	for version, handle := range r.Handlers {
		if handlers[version] = *new(H); handle != nil {
			handlers[version] = handler(handle)
		}
	}
	return handlers
}

func newRoute(namespace, name, pattern string, handle func(Call) Response) Route {
	return Route{Method: http.MethodGet, Namespace: namespace, Name: name, Pattern: pattern, Handle: handle}
}

// FullName returns the name of the route with its namespace: "api:v1:users".
func (r Route) FullName() string {
	return route.Join(r.Namespace, r.Name)
}

// Path returns the pattern of the route in a framework's own syntax. The
// function is given each parameter: its name, and whether it takes the rest of
// the path instead of one segment; it returns what is in its place:
//
//	route.Path(func(name string, rest bool) string {
//		if rest {
//			return "*" + name
//		}
//		return ":" + name
//	})
func (r Route) Path(param func(name string, rest bool) string) string {
	return placeholder.ReplaceAllStringFunc(r.Pattern, func(text string) string {
		name := strings.Trim(text, "{}")
		plain, rest := strings.CutSuffix(name, "*")
		return param(plain, rest)
	})
}

var placeholder = regexp.MustCompile(`\{[^}]*\}`)
