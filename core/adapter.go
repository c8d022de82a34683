package verso

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/route"
)

// ContextKey is the key of the [*Result] in a context that [NewContext] returns. A
// framework whose own context is a [context.Context] keeps the result under it too. It
// is a string, since the context of Gin finds no other key.
const ContextKey = "github.com/goverso/verso/core.Result"

// NewContext returns a copy of the context of r in which [FromContext] finds the result
// of r. If r was not checked, or was rejected, it returns that context. It is for the
// InContext of adapters.
func NewContext(result *Result, r Request) context.Context {
	if result.isUnchecked() {
		return r.Context()
	}
	c := &contextOf{r.Context(), r, *result}
	c.result.request = &c.request
	return c
}

// Call is a request, and what was decided on it. An adapter has one on the stack of the
// function that handles the request: see [Seam.Check].
type Call struct {
	// Request is the request. An adapter sets it.
	Request Request

	// Route is the matched route for [Observation], if an adapter learns it only
	// after the handler has returned. nil: that of the request.
	Route *route.Route

	exemptFromSunset bool    // no sunset and no brownout applies
	result           *Result // nil: the request is rejected
	err              error   // why there is no result: an [*Error], or a programming error
	fields           Fields
	exempt           bool // there is nothing to decide
	unanswered       bool // a CORS preflight, whose handler is not called
	outcome          ReadingOutcome

	// For Observe.
	second int64           // in which the catalogue was asked, 0: it was not
	asked  int             // index of the version that the request is for, from 1; 0: that of result
	state  catalogue.State // of that version, zero: it is supported
}

// Fail makes the decision a programming error, such as one of the adapter's own.
func (c *Call) Fail(err error) { c.err, c.result = err, nil }

// namesVersion reports whether the request names a version, a wrong one or several
// included.
func (c *Call) namesVersion() bool {
	return c.outcome != Absent && c.outcome != NoPlace && c.outcome != Unversioned
}

// rejectEnded rejects a request because a version or a route has ended.
func (c *Call) rejectEnded(rejected *Error, sunset, successor string) {
	rejected.Sunset, rejected.Successor = sunset, successor
	c.reject(rejected)
}

// reject rejects a request with the versions that are served at the moment.
func (c *Call) reject(err error) {
	if rejected, ok := err.(*Error); ok { //nolint:errorlint // as in preflight
		rejected.lists = c.fields.lists
	}
	c.err = err
}

// FieldMode says how a [catalogue.Field] is added to those that a response has.
type FieldMode uint8

// The modes.
const (
	SetField  FieldMode = iota // replaces a field of that name
	AddField                   // adds the lines that are not there yet
	KeepField                  // unless there is a field of that name
	JoinField                  // joins the list of that name, in one line, as [AddVary] does
)

// Join returns the lines that a response has, joined with those of a [catalogue.Field] of the
// same name.
func (m FieldMode) Join(lines, field []string) []string {
	switch {
	case len(lines) == 0 || m == SetField:
		return field
	case m == JoinField:
		return joinVary(lines, strings.Split(field[0], ", ")...)
	case m == AddField:
		for _, line := range field {
			if !slices.Contains(lines, line) {
				lines = append(slices.Clip(lines), line)
			}
		}
	}
	return lines
}

// RequestReader reads the requests of a framework that is not based on net/http. An adapter
// has one RequestReader for all requests, whose methods get the framework's own request, so
// that nothing is allocated. The methods do not fail: they report what is malformed as
// absent.
type RequestReader interface {
	// Secure reports whether the connection to this server is encrypted. It
	// must ignore headers such as X-Forwarded-Proto.
	Secure(request any) bool

	// Host returns the Host header (HTTP/2: the authority) as it was sent, port
	// included. It must ignore X-Forwarded-Host.
	Host(request any) string

	// RawQuery returns the encoded query string, without the "?".
	RawQuery(request any) string

	// Header returns a header, given its name in canonical form ("Accept"). Its
	// lines are joined by ", ", in their order (RFC 9110, section 5.3). ok is
	// false if there is no such line; an empty line is a value.
	Header(request any, name string) (value string, ok bool)

	// Context returns the context of the request.
	Context(request any) context.Context
}

// Rewriter rewrites the bodies of a route in versions that are not the newest one, such
// as that of module migrate. An adapter calls it when the version of a request is
// known, before the handler runs.
type Rewriter interface {
	// Begin rewrites the request, and returns what the response is written to, nil
	// if there is nothing to rewrite. An error refuses the request; the answer to
	// it, that of [AnswerFor], is written to the Rewriting too. Fields of the request that
	// it changes have their values again after Finish or Recover.
	Begin(v Version, w http.ResponseWriter, r *http.Request) (Rewriting, error)

	// BeginBuffered is Begin for a framework whose bodies are buffers. lower, nil
	// if there is nothing to rewrite, rewrites the response. If it fails, it
	// changes no body: the adapter answers with status 500, and calls it again.
	BeginBuffered(v Version, method string, request Message) (lower func(status int, response Message) error, err error)
}

// Rewriting is the writer of a response that is rewritten. It has a method Unwrap, for
// [http.ResponseController].
type Rewriting interface {
	http.ResponseWriter

	// Finish sends what is held. An error says that nothing was sent: the adapter
	// writes its answer, with status 500, to the Rewriting, and calls Finish again. If
	// part of the response was sent, Finish panics with [http.ErrAbortHandler].
	Finish() error

	// Recover is deferred around the handler. After a panic it forgets what is held,
	// calls restart if nothing was sent, so that another response can be written,
	// and panics again.
	Recover(restart func())
}

// Message is a request or a response whose body is a buffer. Its methods are those of
// fasthttp's.
type Message interface {
	Peek(field string) []byte // its first line, empty for none
	Set(field, value string)
	Del(field string)
	Body() []byte // valid until SetBody
	SetBody(body []byte)
}

// AnswerFor returns the answer to a request that a [Rewriter] refuses, or whose response
// it cannot rewrite: what err's method Problem() Problem returns, otherwise status 500,
// which does not say why.
func AnswerFor(err error) *Answer {
	p := Problem{Type: "about:blank", Title: "Internal Server Error", Status: http.StatusInternalServerError, Detail: "Internal Server Error", Code: "internal_server_error"}
	if refused := (interface{ Problem() Problem })(nil); errors.As(err, &refused) {
		p = refused.Problem()
	}
	body, _ := json.Marshal(p) // which cannot fail
	return &Answer{Problem: p, Body: body}
}

// Router is the router of a framework. Its methods do not fail and are safe for
// concurrent use.
type Router interface {
	// PathParam returns the path parameter of the given name, percent-decoded
	// once. Names are case-sensitive. request is the framework's own request,
	// as given to [Request.SetHTTP] or [Request.Set]. ok is false if the route
	// has no such parameter; an empty string is a value. A parameter for the
	// rest of a path begins after the slash.
	PathParam(request any, name string) (value string, ok bool)

	// Routes returns the routes that the router can list, including those that
	// were registered with the framework, with their names in the framework.
	// Host, Method and Path are those of [Binding.Add].
	Routes() []Listed
}

// Listed is a route in the list of a [Router].
type Listed struct {
	route.Route

	// Registration is the registration of the route, if the framework lists the route
	// at another path than it was registered at, because its application is mounted
	// in another one.
	// Optional. Default value: nil, Host, Method and Path identify the route.
	Registration *Registration

	// Handler identifies the handler of a route, by a comparable value: a route for
	// OPTIONS whose handler has other methods of the path as well is not only for
	// preflights.
	// Optional. Default value: nil, it is not known.
	Handler any
}

// noRouter is the router of a [Binding] without one.
type noRouter struct{}

func (noRouter) PathParam(any, string) (string, bool) { return "", false }

func (noRouter) Routes() []Listed { return nil }

// Registration is a route that has its check before its handler.
type Registration struct {
	routes *routes
	given  route.Route
	placed atomic.Pointer[route.Route] // as requests see it; nil: not made yet
}

// Route returns the route as requests to it have it.
func (r *Registration) Route() *route.Route {
	if placed := r.placed.Load(); placed != nil {
		return placed
	}
	return r.placeFirst()
}

// placeFirst is apart, so that Route is inlined.
func (r *Registration) placeFirst() *route.Route {
	r.routes.serving.Store(true)
	r.routes.current()
	return r.placed.Load()
}

// Scope is the options of all routes in a group of the framework that has a check as
// middleware, and whose routes are not registered with a [Binding].
type Scope struct {
	routes  *routes
	prefix  string
	name    string // "v1:" in a namespace
	options routeOptions
	plan    *plan
	known   sync.Map // routes by method and pattern
}

// Route returns the route of a request in the scope, by the host, the method and the
// pattern that the framework has matched: see [Binding.Lookup].
func (s *Scope) Route(host, method, pattern string) *route.Route {
	p := s.routes.find(pattern)
	at := route.Route{Method: notOptions, Path: pattern}
	if r := p.in(host, method); r != nil {
		at.Method, at.Pattern, at.AnyMethod, at.SharesHandler = r.Method, r.Pattern, r.AnyMethod || isOfAny(r), r.SharesHandler
	} else if p.foreign != nil {
		at.Pattern = p.foreign.Pattern
	}
	if known, ok := s.known.Load(placeOf(&at)); ok {
		return known.(*route.Route)
	}
	s.describe(&at)
	known, _ := s.known.LoadOrStore(placeOf(&at), at.Prepare())
	return known.(*route.Route)
}

func (s *Scope) describe(r *route.Route) {
	r.Name = s.name + cmp.Or(r.Name, s.options.nameOf(r))
	if s.plan != nil {
		r.Plan = s.plan
	}
}

// has reports whether a route that is not registered with the binding is in the scope.
func (s *Scope) has(r *route.Route) bool {
	rest, ok := strings.CutPrefix(r.Path, strings.TrimSuffix(s.prefix, "/"))
	return ok && (rest == "" || rest[0] == '/')
}
