package conformance

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/source"
)

// This file makes the requests of Source, and has them decided as an adapter does. The source
// writes the version into a request, or SourceOptions does.

// sourceRequest is a request to the service, and its facts.
type sourceRequest struct {
	http  *http.Request
	route *route.Route
	asked map[string]bool // the headers that were read
}

// sourceRouter is the router of the service: its routes.
type sourceRouter []route.Route

// Routes has no registrations, since a source asks for patterns only.
func (s sourceRouter) Routes() (all []adapter.Listed) {
	for _, r := range s {
		all = append(all, adapter.Listed{Route: r})
	}
	return all
}

// PathParam reports parameters that are empty as present, as routers do.
func (sourceRouter) PathParam(request any, name string) (string, bool) {
	r := request.(*http.Request)
	return r.PathValue(name), strings.Contains(r.Pattern, "{"+name+"}")
}

// It notes each name, since a header that Vary does not name makes a cache answer
// one version with another (RFC 9110, section 12.5.5).
func (r *sourceRequest) Header(_ any, name string) (string, bool) {
	r.asked[name] = true
	lines, ok := r.http.Header[name]
	return joined(name, lines), ok
}

// joined joins the lines of a field. Cookie is not a list (RFC 9113, section 8.2.3).
func joined(name string, lines []string) string {
	if name == "Cookie" {
		return strings.Join(lines, "; ")
	}
	return strings.Join(lines, ", ")
}

// What a source learns from these is not part of Vary: a cache key has the host, the path and
// the query already.
func (r *sourceRequest) Secure(any) bool     { return r.http.TLS != nil }
func (r *sourceRequest) Host(any) string     { return r.http.Host }
func (r *sourceRequest) RawQuery(any) string { return r.http.URL.RawQuery }
func (r *sourceRequest) Context(any) context.Context {
	r.asked[contextAsked] = true
	return r.http.Context()
}

// verso is a new request each time, so nothing is left of an earlier decision.
func (r *sourceRequest) verso() (request source.Request) {
	request.Set(r, r.http.Method, r.http, r.route)
	return request
}

// String describes the request.
func (r *sourceRequest) String() string {
	return fmt.Sprintf("host %.200q, URL %.200q, header %.300q", r.http.Host, r.http.URL, r.http.Header)
}

// changed returns a copy of the request with a change. The copy has read nothing yet.
func (r *sourceRequest) changed(change func(*sourceRequest)) *sourceRequest {
	changed := &sourceRequest{r.http.Clone(r.http.Context()), r.route, make(map[string]bool)}
	change(changed)
	return changed
}

// visit returns the request for a URL, which may lack a host. A link may be relative, and then
// has the host of its request.
func (s *sourceSuite) visit(rawURL string, header http.Header) *sourceRequest {
	r := verso.Must(http.NewRequest(http.MethodGet, rawURL, nil))
	r.Host = cmp.Or(r.Host, s.Host)
	maps.Copy(r.Header, header)
	return s.routed(r)
}

// routed returns a request with the route that matches it. A real ServeMux finds the route, so
// that path values are escaped and decoded as they are in a service.
func (s *sourceSuite) routed(r *http.Request) *sourceRequest {
	s.router.ServeHTTP(httptest.NewRecorder(), r)
	return &sourceRequest{r, &route.Route{Name: s.names[r.Pattern], Pattern: route.Braces(r.Pattern)},
		make(map[string]bool)}
}

// target returns the target of the links, in a version or, for "", in that of the
// request.
func target(version string) verso.Target {
	t := verso.Target{Name: "target", Params: verso.Params{"id": 7}, Query: url.Values{"page": {"2"}}}
	if version != "" {
		t.Version = verso.V(version)
	}
	return t
}

// written returns a request for a version. A source that writes into the URL is asked for a
// link, a source that writes a header for the header: clients use both.
func (s *sourceSuite) written(version string) (r *sourceRequest, err error) {
	if s.Request != nil {
		return s.routed(s.Request(version)), nil
	}
	defer func() {
		if panicked := recover(); panicked != nil {
			err = fmt.Errorf("Write panics: %v", panicked)
		}
	}()
	written, err := s.source.Write(source.Written{}, verso.V(version))
	link, linkErr := s.api.Reverse(s.without.verso(), verso.V(version), target(version))
	if err = errors.Join(err, linkErr); err != nil {
		return nil, fmt.Errorf("writing version %q: %w", version, err)
	}
	header := make(http.Header)
	if name, value := written.Header(); name != "" {
		header.Set(name, value)
	}
	return s.visit(link, header), nil
}

// read determines the version of a request, and returns the body of a rejection and Vary. It
// fails with any error that is not a rejection. A panic in Read would end a request in
// production, so here it is an error with the request that caused it.
func read(api *decider, r *sourceRequest) (version verso.Version, rejection string, vary []string, err error) {
	defer func() {
		if panicked := recover(); panicked != nil {
			err = fmt.Errorf("Read panics: %v\nrequest: %s", panicked, r)
		}
	}()
	c := decide(api, r.verso())
	switch {
	case c.answer != nil:
		return version, string(c.answer.Body), c.vary, nil
	case c.err != nil:
		return version, "", nil, fmt.Errorf("%w\nrequest: %s", c.err, r)
	}
	return c.result.Version(), "", c.vary, nil
}

// checked is what a check makes of a request.
type checked struct {
	result *verso.Result
	vary   []string      // the lines of the response field
	answer *verso.Answer // nil: the request is not rejected
	err    error
}

// decider decides on requests as the checks of an adapter do. It is the seam of an adapter
// without a framework, so a source meets the same code as in a service.
type decider = adapter.Seam[*checked, struct{}]

// newDecider has no error handlers, which belong to frameworks.
func newDecider(b *adapter.Binding) *decider {
	return adapter.NewSeam(decider{
		Binding: b,
		Load:    func(c *checked) *verso.Result { return c.result },
		Store:   func(c *checked, result *verso.Result) { c.result = result },
		Write: func(c *checked, fields adapter.Fields) {
			header := make(http.Header)
			fields.Set(header)
			c.vary = header["Vary"]
		},
		Next:      func(*checked, struct{}) error { return nil },
		NoContent: func(*checked) error { return nil },
		Reject: func(c *checked, rejected *verso.Error, answer *verso.Answer) error {
			c.answer = answer
			return rejected
		},
		Fail: func(_ *checked, err error) error { return err },
	})
}

// decide returns the result, the answer or the error, whichever there is.
func decide(d *decider, r source.Request) *checked {
	c := new(checked)
	c.err = d.Check(c, &adapter.Call{Request: r}, struct{}{})
	return c
}

// contextAsked is the context of a request, among the names of headers.
const contextAsked = ""
