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

// Mount builds app with a framework and its adapter, and starts a server for it on a
// loopback port that the system picks. The suite calls it for each case. It installs
// app.API, registers all routes before it returns, and fails the test if it cannot.
// It does not recover panics, unless a panic would end the process: then it uses the
// framework's own middleware, which answers with status 500. For a framework over
// net/http it returns [Serve] of its handler.
type Mount func(tb testing.TB, app App) *Server

// Server is a running server under test.
type Server struct {
	Address string       // "127.0.0.1:41234"
	Close   func() error // stops the server, with all its connections

	// Handler is the handler that net/http serves. [Serve] sets it; it is nil for
	// any other server.
	Handler http.Handler

	// Link and Explain are those of the adapter's routes, outside a request.
	Link    func(verso.Target) (string, error)
	Explain func() *verso.Explanation

	// Add registers one more route of [App.Routes].
	Add func(Route)
}

// Serve serves the handler of an application with net/http, over TLS if app.TLS is
// set.
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

// around wraps a handler in the outer layers of the application.
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

// Listen listens on a loopback port for an application, for servers other than
// net/http. If app.TLS is set, the connections use TLS.
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

// App is an application of the suite. A [Mount] builds it with a framework.
type App struct {
	API    *verso.Versioning // to install with the adapter
	Routes []Route           // to register
	Mounts []Mounted         // to register by the adapter's RegisterVersions
	TLS    *tls.Config       // nil: plain HTTP

	// With RewriteErrors the mount puts the adapter's RewriteErrors in front of everything,
	// also of what recovers panics and answers errors. An adapter that has no Rewrite
	// leaves out the group rewrite: see [Without].
	RewriteErrors bool

	// With RewriteErrorsUnused the mount calls RewriteErrors, and installs it nowhere.
	RewriteErrorsUnused bool

	// Around is middleware behind RewriteErrors and in front of everything else. The mount
	// passes it two functions, and returns its error, if handlers of the framework return
	// errors. The first function calls what comes next, and returns its error. The second
	// writes a status, none for 0, and a text: see [WriteTo].
	Around func(next func() error, write func(status int, text string)) error

	// ErrorHandler is for the ErrorHandler of the adapter's configuration, which writes the
	// Response, or returns its Err if it can.
	ErrorHandler func(*verso.Error, *verso.Answer) Response

	// Outer are response fields that middleware outside the adapter sets first.
	// [Serve] sets them; a mount of another server installs such middleware.
	Outer http.Header

	// With NotFound the mount answers requests that match no route with the
	// adapter's NotFound.
	NotFound bool

	// ExemptFromSunset is the name of a request header, or "": the ExemptFromSunset of the
	// adapter's configuration returns true for requests with this header.
	ExemptFromSunset string

	// Skipper is the name of another such header, or "": the Skipper of the configuration returns
	// true for requests with it, which the adapter's Middleware leaves alone.
	Skipper string

	// Client is for the Client of the adapter's configuration, which passes it the
	// Version, the Header and the Param of a Step, and returns the name.
	Client func(Step) string

	// Middleware is how often the mount installs the adapter's Middleware in front of
	// all routes but those Outside. An adapter that has none leaves out the group
	// middleware: see [Without].
	Middleware int

	// Before, Between and After are middleware that the mount installs: Before in front
	// of everything, also of the adapter's Middleware, Between behind that and in front
	// of the routes, and After in the AfterCheck of all routes of the adapter.
	Before, Between, After []Middleware

	// With InContext the mount puts the adapter's InContext into the AfterCheck of all
	// routes of the adapter.
	InContext bool

	// Other is another API, or nil, whose SetTestVersion After calls. With Middleware,
	// the mount also puts that of the other API into the AfterCheck of all routes.
	Other *verso.Versioning

	// service is equal in applications that differ only in what their handlers do, ""
	// in an application that shares its server with no other.
	service string

	// alone is true if no option of a run installs Middleware.
	alone bool

	// recovers makes [Serve] recover panics and answer with status 500, as middleware
	// outside the adapter may do.
	recovers bool
}

// Route is a route of an [App].
type Route struct {
	Method    string   // "": any method
	Methods   []string // several, instead of Method: for the adapter's Match, if it has one
	Host      string   // "": any host. No two routes of an App have the same one
	Namespace string   // "api:v1", or ""
	Name      string   // within the namespace
	Pattern   string   // within the group: "/users/{id}/files/{path*}": see [Route.Path]

	// Group is the group that registers the route, or nil: see [Groups].
	Group *Group

	// Middleware is that of the route, in front of its check.
	Middleware []Middleware

	// Outside is true if the route is not registered through the adapter: a [Mount]
	// registers it with the framework itself. The handler still asks the adapter
	// for the version, and receives no version.
	Outside bool

	// Foreign is true if such a route is registered behind the adapter's
	// Middleware, which checks it.
	Foreign bool

	// EachVersion is true if the route is registered through the adapter's
	// EachVersion: Pattern is the path without a version.
	EachVersion bool

	// Options are the options of the route, which may be empty.
	Options []verso.RouteOption

	// Handlers are the handlers of the route by version, instead of Handle: see
	// [verso.Handlers]. nil: the route has one handler.
	Handlers map[string]func(Call) Response

	// Handle answers a request to the route. The handler that a [Mount]
	// registers passes it a Call from the adapter, and sends the Response.
	Handle func(Call) Response

	checked bool // ForeignRoutes does not make it Foreign
}

// Step is a request on its way through a [Middleware].
type Step struct {
	Version        verso.Version             // what the adapter returns
	Header         func(name string) string  // of the request, its first line
	AddField       func(name, value string)  // adds a field line to the response
	SetTestVersion func(verso.Version) error // the adapter's
	SetHeader      func(name, value string)  // replaces a field of the request
	SetMethod      func(string)              // replaces the method of the request; not called without Middleware
	Keep           func(key, value string)   // stores a value for the request where [source.Request.Value] looks for it
	Param          func(name string) string  // a path parameter, for App.Client

	// Wrap gives what comes next the writer inside, as middleware for compression does; ended is called
	// afterwards, also for a panic. Without a writer, the framework passes the whole response through it afterwards.
	Wrap func(with func(outside http.ResponseWriter) (inside http.ResponseWriter, ended func()))

	// Around puts middleware of net/http around what comes next: see [Wrappings].
	Around func(func(http.Handler) http.Handler)

	// Query and Form return a parameter of the query and of a form, as the framework's own
	// methods read them: a framework may keep the values. nil: they are not read.
	Query, Form func(name string) string
}

// Call is what a handler of the framework asks the adapter for. If the framework has
// a fixed name for the rest of a path, Param and Link translate "rest" to it.
type Call struct {
	Context context.Context                    // of the request: done when the client has disconnected, if the server reports that
	Own     context.Context                    // the framework's own, with the values of the request; nil: it has none
	Version verso.Version                      // of the request
	Param   func(name string) string           // a path parameter, decoded once
	Link    func(verso.Target) (string, error) // a URL in the version of the request

	Query       func(name string) string              // a query parameter, as handlers read it
	Form        func(name string) string              // a parameter of a form, likewise; nil: it is not read
	Bind        map[string]func(into any) error       // the framework's, of "query", "form" and "header", or nil
	AtLeast     func(version string) bool             // the adapter's, as ContentType is
	ContentType func(resource string) (string, error) // of a response
}

// Response is what a handler of the framework sends.
type Response struct {
	Status int         // 0: 200
	Set    http.Header // fields that the handler sets, replacing existing ones
	Add    http.Header // fields that the handler adds
	Body   string

	// Stream, if not nil, writes the body instead. flush sends what was written
	// so far, if the framework supports this.
	Stream func(w io.Writer, flush func() error) error

	// Err is the error that the handler returns instead of all that. Where handlers
	// return none, status 500 is sent.
	Err error

	// Silent is true if an error handler writes nothing, and returns no error.
	Silent bool

	// PassOn is the path of another route, with the same method, to which the handler passes
	// the request on instead of all that, as the framework does it: with HandleContext of Gin,
	// or ServeHTTP of a router. If it cannot, leave out the group pass-on: see [Without].
	PassOn string
}

// Write sends the response with net/http.
func (r Response) Write(w http.ResponseWriter) {
	switch {
	case r.Silent:
		return
	case r.Err != nil:
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
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
	if r.Body != "" { // else a framework may delay the header
		_, _ = io.WriteString(w, r.Body)
	}
}

// WriteTo returns the second function of [App.Around] for net/http.
func WriteTo(w http.ResponseWriter) func(status int, text string) {
	return func(status int, text string) {
		if status != 0 {
			w.WriteHeader(status)
		}
		_, _ = io.WriteString(w, text)
	}
}

// StatusCode returns the status to send.
func (r Response) StatusCode() int {
	if r.Status == 0 {
		return http.StatusOK
	}
	return r.Status
}

// Handlers returns the handlers of a route for an adapter. handler converts each to a
// handler of the framework.
func Handlers[H any](r Route, handler func(func(Call) Response) H) verso.Handlers[H] {
	handlers := make(verso.Handlers[H], len(r.Handlers))
	for version, handle := range r.Handlers {
		if handlers[version] = *new(H); handle != nil {
			handlers[version] = handler(handle)
		}
	}
	return handlers
}

// newRoute is for the many routes of checks that differ in these four things only.
func newRoute(namespace, name, pattern string, handle func(Call) Response) Route {
	return Route{Method: http.MethodGet, Namespace: namespace, Name: name, Pattern: pattern, Handle: handle}
}

// FullName returns the name of the route with its namespace: "api:v1:users".
func (r Route) FullName() string {
	return route.Join(r.Namespace, r.Name)
}

// Path returns the pattern of the route in a framework's own syntax. It calls param
// for each path parameter, with its name and whether it takes the rest of the path
// instead of one segment; param returns its replacement:
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

// secret is in all errors and panics: clients must not see it. It also must not be in headers,
// which faults that break lines try.
const secret = "the secret of the application"
