package conformance_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/route"
)

// mountReference is the reference adapter: the application on plain net/http.
func mountReference(tb testing.TB, app conformance.App) *conformance.Server {
	tb.Helper()
	return mounting(mutation{})(tb, app)
}

// mutation breaks the reference adapter on purpose, so that the suite can be
// seen to notice. Each field changes one thing; a zero one changes nothing.
type mutation struct {
	when      func(*verso.Versioning) bool                     // whether all that follows counts
	facts     verso.Facts                                      // what the source reads
	method    string                                           // the method of all requests
	vary      func(*verso.Versioning) []string                 // what a decision depends on
	options   func(conformance.Route) []verso.RouteOption      // what is handed on of a route's options
	lax       bool                                             // routes that cannot be meant are registered
	exempt    func(*matched) bool                              // whether a request is handed on without a version
	fields    func(http.Header, *verso.Decision)               // how the fields of a decision join the response
	version   func(verso.Version) verso.Version                // what the handler sees
	problem   func(*verso.Problem)                             // what a rejection says
	content   string                                           // the Content-Type of a rejection
	continues bool                                             // a request without a version reaches the handler
	header    func(header http.Header, rejected bool)          // the fields of the response
	missing   func(w http.ResponseWriter, serve func())        // what an unmatched request gets
	notFound  bool                                             // 405 is answered as 404
	link      func(*matched, verso.Target) (string, error)     // how a handler links
	failure   func(w http.ResponseWriter, err error)           // what the client sees of an error of the source
	around    func(r *http.Request, serve func(*http.Request)) // what is around the framework
	observe   func(r *matched, observe func(), err error)      // when a request is observed, in place of after it
	writer    func(http.ResponseWriter) http.ResponseWriter    // what the handler writes to
	panics    func(http.Header)                                // what becomes of the fields when the handler panics
	conn      func(net.Conn) net.Conn                          // what the server reads
}

// matched is a request of the reference adapter that matched a route.
type matched struct {
	*http.Request
	route    conformance.Route
	handlers *verso.Choices[handler] // nil: the route has one
	known    *route.Route
	params   map[string]string
	result   *verso.Result
	request  verso.Request
}

// facts are the facts of such a request, all of them: mutations change single ones.
type facts struct{}

var referenceFacts facts

func (facts) Secure(request any) bool             { return request.(*matched).TLS != nil }
func (facts) Host(request any) string             { return request.(*matched).Host }
func (facts) RawQuery(request any) string         { return request.(*matched).URL.RawQuery }
func (facts) Context(request any) context.Context { return request.(*matched).Context() }

func (facts) Header(request any, name string) (value string, ok bool) {
	lines, ok := request.(*matched).Header[name]
	return strings.Join(lines, ", "), ok
}

func (facts) PathParam(request any, name string) (string, bool) {
	value, ok := request.(*matched).params[name]
	return value, ok
}

func (facts) Route(request any) *route.Route { return request.(*matched).known }

// mounting mounts the reference adapter with a mutation.
func mounting(m mutation) conformance.Mount {
	return func(tb testing.TB, app conformance.App) *conformance.Server {
		tb.Helper()
		own := m
		if m.when != nil && !m.when(app.API) {
			own = mutation{}
		}
		if own.facts == nil {
			own.facts = referenceFacts
		}
		if own.conn == nil {
			return conformance.Serve(tb, app, own.handler(app))
		}
		listener := conformance.Listen(tb, app)
		server := &http.Server{Handler: own.handler(app)}
		go func() { _ = server.Serve(wrapping{listener, own.conn}) }()
		return &conformance.Server{Address: listener.Addr().String(), Close: server.Close}
	}
}

// wrapping is a listener that wraps its connections.
type wrapping struct {
	net.Listener
	wrap func(net.Conn) net.Conn
}

func (l wrapping) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return l.wrap(conn), nil
}

type handler = func(conformance.Call) conformance.Response

// handler is the framework: it finds the route of a request.
func (m *mutation) handler(app conformance.App) http.Handler {
	var registry route.Registry
	api := app.API.WithRoutes(func(verso.Request) *route.Table { return registry.Table() })
	handlers := make(map[string]*verso.Choices[handler])
	for _, r := range app.Routes {
		added := route.Route{Name: r.FullName(), Pattern: route.Braces(r.Pattern), Method: r.Method, Path: r.Pattern}
		if r.Choices != nil {
			chosen, err := verso.NewChoices(api, conformance.Choices(r, func(handle handler) handler { return handle })...)
			m.refuse(err)
			handlers[r.Method+r.Pattern], r.Options = chosen, append(r.Options, chosen.Option())
		}
		if m.options != nil {
			r.Options = m.options(r)
		}
		if len(r.Options) > 0 {
			plan, err := api.Plan(r.Options...)
			m.refuse(err)
			added.Plan = plan
		}
		if !r.Outside {
			_ = registry.Add(added)
		}
	}
	table := registry.Table()
	find := func(w http.ResponseWriter, r *http.Request) {
		serve := func(of conformance.Route, params map[string]string) {
			known, _ := table.Lookup("", of.Method, of.Pattern)
			m.serve(w, api, &matched{Request: r, route: of, handlers: handlers[of.Method+of.Pattern], known: known, params: params})
		}
		status := http.StatusNotFound
		for _, of := range app.Routes {
			params, ok := match(of.Pattern, r.URL)
			if ok && of.Method == r.Method {
				serve(of, params)
				return
			}
			if ok && !m.notFound {
				status = http.StatusMethodNotAllowed
			}
		}
		if m.missing != nil {
			m.missing(w, func() { serve(app.Routes[len(app.Routes)-1], nil) })
			return
		}
		w.WriteHeader(status)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if m.around == nil {
			find(w, r)
			return
		}
		m.around(r, func(r *http.Request) { find(w, r) })
	})
}

// refuse panics with what is wrong with a route.
func (m *mutation) refuse(err error) {
	if err != nil && !m.lax {
		panic(err)
	}
}

// serve is the adapter.
func (m *mutation) serve(w http.ResponseWriter, api *verso.Versioning, r *matched) {
	if m.exempt != nil && m.exempt(r) {
		r.result = new(verso.Result)
		m.call(w, r)
		return
	}
	r.request = verso.NewRequest(m.facts, cmp.Or(m.method, r.Method), r, nil)
	decision, err := api.Determine(r.request)
	if m.vary != nil {
		decision.Vary = m.vary(api)
	}
	observe := func() { api.Observe(r.request, &decision, err, r.route.Pattern, nil) }
	if m.observe != nil {
		m.observe(r, observe, err)
	} else {
		defer observe()
	}
	if m.fields != nil {
		m.fields(w.Header(), &decision)
	} else {
		verso.SetFields(w.Header(), &decision)
	}
	r.result = decision.Result
	var rejected *verso.Error
	switch {
	case errors.As(err, &rejected):
		m.reject(w, r, api.Answer(r.request, rejected))
		if m.continues {
			r.result = new(verso.Result)
			m.call(w, r)
		}
	case err != nil && m.failure != nil:
		m.failure(w, err)
	case err != nil && m.continues:
		r.result = new(verso.Result)
		m.call(w, r)
	case err != nil:
		http.Error(w, "internal server error", http.StatusInternalServerError)
	default:
		if m.header != nil {
			m.header(w.Header(), false)
		}
		m.call(w, r)
	}
}

// call lets the handler answer.
func (m *mutation) call(w http.ResponseWriter, r *matched) {
	call := conformance.Call{
		Context: r.Context(),
		Version: r.result.Version,
		Param:   func(name string) string { return r.params[name] },
		Link:    func(target verso.Target) (string, error) { return r.result.Link(r.request, target) },
	}
	if m.version != nil {
		call.Version = m.version(call.Version)
	}
	if m.link != nil {
		call.Link = func(target verso.Target) (string, error) { return m.link(r, target) }
	}
	handle := r.route.Handle
	if r.handlers != nil {
		handle, _ = r.handlers.For(r.result)
	}
	if m.panics != nil {
		defer func() {
			if p := recover(); p != nil {
				m.panics(w.Header())
				panic(p)
			}
		}()
	}
	response := handle(call)
	if m.writer != nil {
		w = m.writer(w)
	}
	response.Write(w)
}

// reject answers a rejected request.
func (m *mutation) reject(w http.ResponseWriter, r *matched, answer *verso.Answer) {
	own := *answer
	if m.problem != nil {
		m.problem(&own.Problem)
		own.Body, _ = json.Marshal(own.Problem)
	}
	if m.header == nil && m.content == "" {
		verso.WriteAnswer(w, r.Request, &own)
		return
	}
	own.SetFields(w.Header())
	w.Header().Set("Content-Type", verso.ProblemType)
	if m.content != "" {
		w.Header().Set("Content-Type", m.content)
	}
	if m.header != nil {
		m.header(w.Header(), true)
	}
	w.WriteHeader(own.Problem.Status)
	_, _ = w.Write(own.Body)
}

// match matches the path of a URL with a pattern of the suite, segment by
// segment.
func match(pattern string, u *url.URL) (params map[string]string, ok bool) {
	want, got := strings.Split(pattern, "/"), strings.Split(u.EscapedPath(), "/")
	if rest := len(want) - 1; strings.HasSuffix(pattern, "*}") && len(got) > rest {
		want[rest] = strings.Replace(want[rest], "*", "", 1)
		got = append(got[:rest:rest], strings.Join(got[rest:], "/"))
	}
	if len(want) != len(got) {
		return nil, false
	}
	params = make(map[string]string)
	for i, segment := range want {
		text, err := url.PathUnescape(got[i])
		if err != nil {
			return nil, false
		}
		if name, ok := strings.CutPrefix(segment, "{"); ok {
			params[strings.TrimSuffix(name, "}")] = text
		} else if segment != text {
			return nil, false
		}
	}
	return params, true
}
