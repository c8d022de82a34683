package source

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/goverso/verso/core/route"
)

// Request is what a source may read of a request, independent of any framework. It is a
// small value. The zero Request represents no request. An adapter sets it where it stays,
// in a [github.com/goverso/verso/core/adapter.Call], because copying it right after writing is slow.
//
// A Request and the strings that it returns are valid while the request is handled,
// for one goroutine at a time, since frameworks reuse their contexts. To keep a string
// longer, clone it ([strings.Clone]).
type Request struct {
	method string
	http   *http.Request // nil: not of net/http
	facts  RequestReader // nil: of net/http
	params PathParams    // nil: no binding decides
	of     any           // the framework's own request
	route  *route.Route  // the matched route, nil when it is not known

	second   int64 // in which the request is decided, 0: it is not known
	noValues bool  // [Request.Value] returns nil
}

// SetHTTP makes r the request of a framework over net/http. of is the framework's own
// request, which the [github.com/goverso/verso/core/adapter.Router] gets. matched is the
// matched route, or nil if it is unknown. The time, and that values are hidden, stay: r is the
// zero Request, or the same request before a middleware has replaced it.
func (r *Request) SetHTTP(request *http.Request, of any, matched *route.Route) {
	r.method, r.http, r.facts, r.params, r.of, r.route = request.Method, request, nil, nil, of, matched
}

// Set makes r the request of a framework that is not based on net/http: see
// [Request.SetHTTP].
func (r *Request) Set(facts RequestReader, method string, of any, matched *route.Route) {
	r.method, r.http, r.facts, r.params, r.of, r.route = method, nil, facts, nil, of, matched
}

// IsNone reports whether r is the zero Request, for example when a link is built without
// a request.
func (r *Request) IsNone() bool { return r.http == nil && r.facts == nil }

// SetParams sets what reads the path parameters of the request, where it is not the
// router of a [github.com/goverso/verso/core/adapter.Binding]: for its DetermineVersion, and for
// tests of a source.
func (r *Request) SetParams(params PathParams) { r.params = params }

// HasParams reports whether something reads the path parameters.
func (r *Request) HasParams() bool { return r.params != nil }

// SetRoute sets the matched route, or nil.
func (r *Request) SetRoute(matched *route.Route) { r.route = matched }

// Unwrap returns the framework's own request.
func (r *Request) Unwrap() any { return r.of }

// Method returns the method of the request, "GET".
func (r *Request) Method() string { return r.method }

// Secure reports whether the connection is encrypted: see [RequestReader].
func (r *Request) Secure() bool {
	if r.http != nil {
		return r.http.TLS != nil
	}
	return r.facts.Secure(r.of)
}

// Host returns the Host header as it was sent, "" if there is no request: see
// [RequestReader].
func (r *Request) Host() string {
	switch {
	case r.http != nil:
		return r.http.Host
	case r.facts != nil:
		return r.facts.Host(r.of)
	}
	return ""
}

// RawQuery returns the encoded query string: see [RequestReader].
func (r *Request) RawQuery() string {
	if r.http != nil {
		return r.http.URL.RawQuery
	}
	return r.facts.RawQuery(r.of)
}

// EscapedPath returns the path as the client sent it, "" if it is not known: see
// [RequestReader].
func (r *Request) EscapedPath() string {
	if r.http != nil {
		return r.http.URL.EscapedPath()
	}
	if facts, ok := r.facts.(interface{ EscapedPath(request any) string }); ok {
		return facts.EscapedPath(r.of)
	}
	return ""
}

// Header returns the header with the given canonical name, its lines joined: see
// [RequestReader].
func (r *Request) Header(name string) (value string, ok bool) {
	if r.http != nil {
		return fieldOf(r.http.Header, name)
	}
	return r.facts.Header(r.of, name)
}

// Context returns the context of the request.
func (r *Request) Context() context.Context {
	if r.http != nil {
		return r.http.Context()
	}
	return r.facts.Context(r.of)
}

// Time returns the second in which the request is decided, by the clock of the versioning,
// so that a source agrees with the rest of the decision. It is 1970 where nothing has a date.
func (r *Request) Time() time.Time { return time.Unix(r.second, 0) }

// SetTime sets the time in which the request is decided, in seconds.
func (r *Request) SetTime(second int64) { r.second = second }

// HideValues hides what is stored for the request from [Request.Value]: a CORS preflight is
// of no caller.
func (r *Request) HideValues() { r.noValues = true }

// Value returns the value that a middleware has stored for the request under a key, or nil:
// with c.Set in Gin and Echo, with c.Locals in Fiber, or in the context of the request, the
// only place in net/http. Requests of other frameworks have a method Value(any) any or
// Get(string) any. In a CORS preflight, which is of no caller, there are no values.
func (r *Request) Value(key any) (value any) {
	if r.noValues {
		return nil
	}
	switch own := r.of.(type) {
	case interface{ Get(key string) any }:
		if name, ok := key.(string); ok {
			value = own.Get(name)
		}
	case interface{ Get(key any) (any, bool) }: // Gin from 1.11 on, whose Value has texts alone
		if value, _ = own.Get(key); value != nil {
			return value
		}
	case interface{ Value(key any) any }:
		value = own.Value(key)
	}
	if value == nil {
		value = r.Context().Value(key)
	}
	return value
}

// PathParam returns a path parameter: see [github.com/goverso/verso/core/adapter.Router].
func (r *Request) PathParam(name string) (value string, ok bool) {
	if r.params == nil {
		return "", false
	}
	return r.params.PathParam(r.of, name)
}

// Route returns the matched route, nil if it is not known.
func (r *Request) Route() *route.Route { return r.route }

// fieldOf returns a header with its lines joined. A single line, the usual case, is
// returned as it is.
func fieldOf(header http.Header, name string) (value string, ok bool) {
	lines := header[name]
	if len(lines) == 1 {
		return lines[0], true
	}
	separator := ", "
	if name == "Cookie" { // not a list (RFC 9113, section 8.2.3)
		separator = "; "
	}
	return strings.Join(lines, separator), len(lines) > 0
}

// PathParams is the part of a [github.com/goverso/verso/core/adapter.Router] that a request needs.
type PathParams interface {
	// PathParam returns the path parameter of the given name: see the Router.
	PathParam(request any, name string) (value string, ok bool)
}

// RequestReader reads the requests of a framework that is not based on net/http. An
// adapter has one RequestReader for all requests. Its methods get the framework's own
// request, so that nothing is allocated for a request. They do not fail: what is
// malformed is reported as absent.
type RequestReader interface {
	// Secure reports whether the connection to this server is encrypted. It
	// must ignore headers such as X-Forwarded-Proto, which a client can send.
	Secure(request any) bool

	// Host returns the Host header (HTTP/2: the authority) as it was sent, port
	// included. It must ignore X-Forwarded-Host.
	Host(request any) string

	// RawQuery returns the encoded query string, without the "?".
	RawQuery(request any) string

	// Header returns a header, given its name in canonical form ("Accept"). Its
	// lines are joined by ", ", in their order (RFC 9110, section 5.3), and those of
	// Cookie by "; " (RFC 9113, section 8.2.3). ok is false if there is no such line;
	// an empty line is a value.
	Header(request any, name string) (value string, ok bool)

	// Context returns the context of the request, for [github.com/goverso/verso/core.Config.Observe].
	Context(request any) context.Context

	// A RequestReader may also have a method EscapedPath(request any) string, which returns
	// the path as it was sent. Then a link to a successor keeps "a%2Fb" and "a/b" apart.
}
