// Package service has the services that are measured: a route of a few users, in
// five frameworks, for nine ways to name a version, with Verso, with code by
// hand, and with no version at all.
package service

import (
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/valyala/fasthttp"

	verso "github.com/goverso/verso/core"
)

// Variant is what a service does with the version.
type Variant string

// The variants. What is kept is read by the handler.
const (
	Bare  Variant = "bare"  // there is no middleware
	Store Variant = "store" // the middleware keeps a constant in the framework's own store
	Floor Variant = "floor" // the least code: a switch on two bytes to a constant, a shared Vary
	Lean  Variant = "lean"  // what a careful engineer writes by hand
	Usual Variant = "usual" // what is written by hand otherwise
	Verso Variant = "Verso" // the route carries the check

	// Middleware checks a route that is registered with the framework alone.
	Middleware Variant = "middleware"
)

// Options say which service is made.
type Options struct {
	Scheme  *Scheme
	Variant Variant

	API            *verso.Versioning   // nil: that of the scheme
	Routes         []Route             // nil: those of the scheme
	WriteProblem   bool                // in Echo, answers rejections directly, not by its error handler
	Options        []verso.RouteOption // of the routes
	HandleVersions bool                // the routes have a handler for v1, and one from v2 on
	Client         string              // who sends the requests, for the Observe of API; "": nobody asks
	Fields         [][2]string         // that the code by hand sets in each response

	// Answer is what the handler answers with, as JSON. nil: it writes nothing.
	Answer func(version string) (status int, body any)

	// Inside is called by the handler, in place of answering, with what
	// builds links in the request.
	Inside func(link func(verso.Target) (string, error))
}

// New returns a service.
func (f *Framework) New(o Options) Server {
	if o.API == nil {
		o.API = o.Scheme.API(Config)
	}
	if o.Routes == nil {
		o.Routes = o.Scheme.Routes
	}
	return f.Serve(&o)
}

// client returns the Client callback of an adapter, nil for none.
func client[C any](o *Options) func(C) string {
	if o.Client == "" {
		return nil
	}
	return func(C) string { return o.Client }
}

// SayVersion is an Answer: the version.
func SayVersion(version string) (status int, body any) {
	return http.StatusOK, struct {
		Version string `json:"version"`
	}{version}
}

const key = "version" // of the store

var (
	constant = "v2" // what a service keeps that keeps a constant
	kept     string // what the handlers read, so that the compiler cannot leave it out
)

// Server is a service, in the form that its framework has.
type Server struct {
	handler http.Handler
	fast    fasthttp.RequestHandler
}

// Bind returns a function that serves a request and returns the status, again
// and again. It costs nothing else: no network, no recorder.
func (s Server) Bind(r Request) func() (status int) {
	if s.fast != nil {
		ctx := new(fasthttp.RequestCtx)
		ctx.Request.SetRequestURI(r.Target())
		ctx.Request.Header.SetHost(r.Host)
		for name, value := range r.Fields {
			ctx.Request.Header.Set(name, value)
		}
		return func() int {
			ctx.ResetUserValues()
			ctx.Response.Reset()
			s.fast(ctx)
			return ctx.Response.StatusCode()
		}
	}
	request, w := r.HTTP(r.Host), &discard{header: make(http.Header)}
	return func() int {
		w.status = http.StatusOK
		clear(w.header)
		s.handler.ServeHTTP(w, request)
		return w.status
	}
}

// discard is a response that nobody reads.
type discard struct {
	header http.Header
	status int
}

func (w *discard) Header() http.Header         { return w.header }
func (w *discard) Write(b []byte) (int, error) { return len(b), nil }
func (w *discard) WriteHeader(status int)      { w.status = status }

// Listen serves on a loopback port that the system picks, until stop is called.
func (s Server) Listen() (address string, stop func(), err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	if s.fast != nil {
		server := &fasthttp.Server{Handler: s.fast}
		go func() { _ = server.Serve(listener) }()
		return listener.Addr().String(), func() { _ = server.Shutdown() }, nil
	}
	server := &http.Server{Handler: s.handler, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = server.Serve(listener) }()
	return listener.Addr().String(), func() { _ = server.Close() }, nil
}

// colons returns a pattern as Echo, Gin and Fiber have it.
func colons(pattern string) string { return braces.Replace(pattern) }

var braces = strings.NewReplacer("{", ":", "}", "")

func init() { gin.SetMode(gin.ReleaseMode) } // which does not print the routes
