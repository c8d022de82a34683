package conformance_test

import (
	"cmp"
	"context"
	"encoding/json"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/goverso/verso/conformance"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/source"
)

// mountReference is the reference adapter: the application on plain net/http.
func mountReference(tb testing.TB, app conformance.App) *conformance.Server {
	tb.Helper()
	return mounting(mutation{})(tb, app)
}

// mutation breaks the reference adapter on purpose, to show that the suite fails. Each
// field changes one thing; a zero field changes nothing.
type mutation struct {
	untracked bool                                             // With tells nobody of options that no route has
	when      func(*verso.Versioning) bool                     // whether the other fields apply
	reader    reader                                           // what the source reads
	route     func(route.Route) route.Route                    // the route that a request claims to have matched
	options   func(conformance.Route) []verso.RouteOption      // the options of a route that are passed on
	lax       bool                                             // invalid routes are registered
	alone     bool                                             // routes without options are the framework's, behind middleware
	exempt    func(*matched) bool                              // whether a request is passed on without a check
	fields    func(http.Header, adapter.Fields)                // how the fields of a decision join the response
	version   func(verso.Version) verso.Version                // what the handler sees
	problem   func(*verso.Problem)                             // the problem details of a rejection
	content   string                                           // the Content-Type of a rejection
	continues bool                                             // a request without a version reaches the handler
	header    func(header http.Header, rejected bool)          // the fields of the response
	missing   func(w http.ResponseWriter, serve func())        // the answer to an unmatched request
	notFound  bool                                             // 405 is answered as 404
	link      func(*matched, verso.Target) (string, error)     // how a handler builds links
	context   func(*matched) context.Context                   // what a handler has of its request
	failure   func(w http.ResponseWriter, err error)           // what the client sees of an error of the source
	around    func(r *http.Request, serve func(*http.Request)) // the layer around the framework
	forms     func([]string) []string                          // the paths of a route in each version
	eager     bool                                             // a route has a path also for versions before it
	greedy    bool                                             // the routes of others are checked
	ends      bool                                             // a kept request is ended
	writer    func(http.ResponseWriter) http.ResponseWriter    // what the handler writes to
	panics    func(http.Header)                                // a change of the fields when the handler panics
	early     func(r *matched, next func())                    // what is in front of the middleware of a route
	alike     bool                                             // the SetTestVersion of the other API is that of the first one
	quiet     bool                                             // the middleware of the suite is not called
	trusts    bool                                             // the handler of several is picked by the result in the store
	group     func(method string, outer, made *scope)          // a change of a group that a method makes
	versions  func(*recorder)                                  // a change of what a version of Mount registers
	rename    bool                                             // the path parameters of versions keep the names of the first
	unstopped bool                                             // what middleware returns is ignored
	server    func(*reference, *conformance.Server)            // a change of the server
	called    func(*conformance.Call)                          // a change of what a handler may ask for
	cleared   bool                                             // the fields of a response to the error of a handler
	dropped   bool                                             // the error of a handler
	unset     bool                                             // SetTestVersion does nothing
	stale     bool                                             // a rejection leaves a version that was kept before it
	lost      bool                                             // the path parameters have the names of a version for good
	unsaid    bool                                             // the binding does not know of the middleware
	anyHost   bool                                             // the hosts of routes are ignored
	nameless  func(*matched) bool                              // whether the client of a request has no name
	unmatched func(*matched) (path string, asked bool)         // the path of an unmatched request, and whether it is checked
	left      func(h http.Header, list string) string          // the fields and the Allow of the framework's 404 and 405
	conn      func(net.Conn) net.Conn                          // what the server reads
	ahead     bool                                             // the handler of a version runs when the check has returned
	step      func(*conformance.Step)                          // a change of what middleware may do
	forgets   bool                                             // a route that passes a request on keeps its own result
	frameless bool                                             // In forgets the prefix of the framework's group
	rootless  bool                                             // In forgets the middleware of the group around
	rewriting rewritingMutation
}

type handler = func(conformance.Call) conformance.Response

// responder answers a request with a handler.
type responder = func(*matched)

// registered is a route of the reference adapter.
type registered struct {
	conformance.Route

	in    *scope                        // nil: only the framework has the route
	as    string                        // the path that all its forms share, "" for a single form
	check *adapter.Registration         // nil: only the framework has the route
	pick  func(*verso.Result) responder // nil: the route has one handler
}

// matched is a request that matched a route.
type matched struct {
	*http.Request

	of      *reference
	w       http.ResponseWriter
	route   *registered
	params  map[string]string
	request source.Request
	result  *verso.Result // in the store of the framework
	read    readBefore    // what middleware has read
	outer   *matched      // the request that a handler has passed on as this one, or nil
}

// store keeps a result where the framework has it for the request, however it is routed.
func (r *matched) store(result *verso.Result) {
	for at := r; at != nil; at = at.outer {
		at.result = result
		if r.of.forgets {
			return
		}
	}
}

// reader is what an adapter knows about requests and its router.
type reader interface {
	source.RequestReader
	adapter.Router
}

// facts read a matched request.
type facts struct{}

var referenceFacts facts

func (facts) Secure(request any) bool             { return request.(*matched).TLS != nil }
func (facts) Host(request any) string             { return request.(*matched).Host }
func (facts) RawQuery(request any) string         { return request.(*matched).URL.RawQuery }
func (facts) Context(request any) context.Context { return request.(*matched).Context() }

func (facts) Header(request any, name string) (value string, ok bool) {
	lines, ok := request.(*matched).Header[name]
	separator := ", "
	if name == "Cookie" {
		separator = "; "
	}
	return strings.Join(lines, separator), ok
}

func (facts) PathParam(request any, name string) (string, bool) {
	value, ok := request.(*matched).params[name]
	return value, ok
}

func (facts) Routes() []adapter.Listed { return nil }

// mounting mounts the reference adapter with a mutation.
func mounting(m mutation) conformance.Mount {
	return func(tb testing.TB, app conformance.App) *conformance.Server {
		tb.Helper()
		own := m
		if m.when != nil && !m.when(app.API) {
			own = mutation{}
		}
		if own.reader == nil {
			own.reader = referenceFacts
		}
		a := &reference{mutation: own, app: app}
		a.seam = a.newSeam(adapter.Bind(app.API, listed{own.reader, a}))
		if app.Other != nil {
			a.other = a.newSeam(adapter.Bind(app.Other, own.reader))
		}
		if (app.RewriteErrors || app.RewriteErrorsUnused) && !a.rewriting.unsaid {
			a.seam.NoteRewriteErrors()
		}
		if (a.alone || app.Middleware > 0) && !a.unsaid {
			a.seam.NoteMiddleware(referenceMiddleware)
		}
		in := conformance.Groups(&scope{of: a}, func(m conformance.Middleware) conformance.Middleware { return m }, func(s *scope, prefix string, middleware ...conformance.Middleware) *scope {
			if a.frameless {
				prefix = ""
			}
			if a.rootless {
				s = &scope{of: a}
			}
			return s.Group(prefix, middleware...)
		})
		add := func(r conformance.Route) {
			if r.Methods == nil {
				in(r.Group).add(r)
			}
			for _, r.Method = range r.Methods {
				in(r.Group).add(r)
			}
		}
		for _, r := range app.Routes {
			add(r)
		}
		for _, m := range app.Mounts {
			in(m.Group).mount(m)
		}
		if own.conn == nil {
			server := conformance.Serve(tb, app, a)
			server.Add, server.Link, server.Explain = add, a.seam.Link, a.seam.Explain
			if own.server != nil {
				own.server(a, server)
			}
			return server
		}
		listener := conformance.Listen(tb, app)
		server := &http.Server{Handler: a}
		go func() { _ = server.Serve(wrapping{listener, own.conn}) }()
		return &conformance.Server{Address: listener.Addr().String(), Close: server.Close}
	}
}

// listed reads requests, and lists the routes of an adapter.
type listed struct {
	reader
	of *reference
}

// referenceMiddleware identifies the middleware of the reference adapter.
const referenceMiddleware = "check"

func (l listed) Routes() (routes []adapter.Listed) {
	for _, r := range l.of.routes {
		at := adapter.Listed{Route: r.describe()}
		if len(r.Methods) > 1 {
			at.Handler = r.Pattern
		}
		if !r.Outside {
			at.Middleware = []any{referenceMiddleware}
		}
		routes = append(routes, at)
	}
	return routes
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

// adapter is the reference adapter and its framework.
type reference struct {
	mutation

	app    conformance.App
	seam   *seam
	other  *seam // nil: there is no other API
	routes []*registered
}

// seam checks requests. What comes after a check is a function.
type seam = adapter.Seam[*matched, func()]

func (a *reference) newSeam(b *adapter.Binding) *seam {
	return adapter.NewSeam(seam{
		Binder:  a.rewriting.binder(),
		Binding: b,
		Load:    func(r *matched) *verso.Result { return r.result },
		Store: func(r *matched, result *verso.Result) {
			if !a.stale || r.result == nil || !result.Version().IsNone() {
				r.store(result)
			}
		},
		Write: func(r *matched, fields adapter.Fields) {
			if a.fields != nil {
				a.fields(r.w.Header(), fields)
				return
			}
			fields.Set(r.w.Header())
		},
		Next: func(r *matched, next func()) error {
			if a.header != nil {
				a.header(r.w.Header(), false)
			}
			next()
			return nil
		},
		NoContent:   func(r *matched) error { r.w.WriteHeader(http.StatusNoContent); return nil },
		Reject:      a.reject,
		OwnAnswers:  a.app.ErrorHandler != nil,
		ProblemType: a.rewriting.media,
		Fail:        a.fail,
		Client:      a.client(),
		Skipper:     func(r *matched) bool { return a.app.Skipper != "" && r.Header.Get(a.app.Skipper) != "" },
		ExemptFromSunset: func(r *matched) bool {
			return a.app.ExemptFromSunset != "" && r.Header.Get(a.app.ExemptFromSunset) != "" && !a.ends
		},
	})
}

// client returns what names clients, nil for nothing.
func (a *reference) client() func(*matched) string {
	if a.app.Client == nil {
		return nil
	}
	return func(r *matched) string {
		if a.nameless != nil && a.nameless(r) {
			return ""
		}
		return a.app.Client(conformance.Step{Version: r.result.Version(), Header: r.Header.Get, Param: func(name string) string { return r.params[name] }})
	}
}

// refuse panics with the mistake in a route.
func (m *mutation) refuse(err error) {
	if err != nil && !m.lax {
		panic(err)
	}
}

// isBare reports whether the route has no options.
func (r *registered) isBare() bool {
	return r.FullName() == "" && len(r.Options) == 0 && r.Handlers == nil && !r.EachVersion
}

func (r *registered) describe() route.Route {
	at := route.Route{Method: r.Method, Host: r.Host, Path: r.Pattern, RegisteredPath: r.as, Name: r.FullName(), Pattern: route.Braces(r.Pattern), SharesHandler: len(r.Methods) > 1}
	if r.in != nil {
		at.Name = route.Join(r.in.namespace, at.Name)
		if !r.in.of.rewriting.unsaid {
			at.Rewriter = r.in.rewriter
		}
	}
	return at
}

// ServeHTTP is the framework: it finds the route of a request.
func (a *reference) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	find := func(r *http.Request) { a.rewriteErrors(w, r) }
	if a.around == nil {
		find(r)
		return
	}
	a.around(r, find)
}

// find finds the route of a request, which a handler of another one has passed on unless
// outer is nil.
func (a *reference) find(w http.ResponseWriter, r *http.Request, outer *matched) {
	status, allow := http.StatusNotFound, []string(nil)
	for _, to := range a.routes {
		params, ok := match(to.Pattern, r.URL)
		ok = ok && (to.Host == "" || to.Host == r.Host || a.anyHost)
		if ok && (to.Method == "" || to.Method == r.Method) {
			at := &matched{Request: r, of: a, w: w, route: to, params: params, outer: outer}
			if outer != nil {
				at.result = outer.result
			}
			a.serve(at)
			return
		}
		if ok && !a.notFound {
			status, allow = http.StatusMethodNotAllowed, append(allow, to.Method)
		}
	}
	request := &matched{Request: r, of: a, w: w}
	if a.missing != nil {
		request.route = a.routes[len(a.routes)-1]
		a.missing(w, func() { a.serve(request) })
		return
	}
	path, asked := r.URL.EscapedPath(), a.app.NotFound
	if a.unmatched != nil {
		path, asked = a.unmatched(request)
	}
	if asked {
		call := a.callOf(request, nil)
		if rejected, _ := a.seam.CheckUnmatched(request, call, path); rejected {
			return
		}
		list := strings.Join(allow, ", ")
		if allow = []string{call.Allow(list)}; a.left != nil {
			allow[0] = a.left(w.Header(), list)
		}
	}
	if status == http.StatusMethodNotAllowed {
		w.Header().Set("Allow", strings.Join(allow, ", "))
	}
	w.WriteHeader(status)
}

// serve passes a request through the middleware and the check of its route.
func (a *reference) serve(r *matched) {
	a.callOf(r, nil)
	a.run(a.app.Before, r, a.seam, func() {
		if a.early == nil {
			a.decide(r)
			return
		}
		a.early(r, func() { a.decide(r) })
	})
}

// decide checks a request: in front of its handler or, if others have registered its route,
// in front of the middleware of the route.
func (a *reference) decide(r *matched) {
	between := func(next func()) {
		a.run(a.app.Between, r, a.seam, func() { a.run(r.route.Middleware, r, a.seam, next) })
	}
	switch {
	case r.route.check == nil && r.Header.Get(a.app.Skipper) != "":
		a.seam.NoteSkipped(&route.Route{Path: r.route.Pattern, Pattern: route.Braces(r.route.Pattern), Foreign: true})
		fallthrough
	case a.exempt != nil && a.exempt(r), r.route.check == nil && (r.route.Outside || !a.alone && a.app.Middleware == 0):
		between(func() { r.stored()(r) })
	case r.route.check == nil:
		a.checkForeign(r, max(1, a.app.Middleware), func() {
			between(func() { a.call(r, r.route.Handle) })
		})
	case r.route.pick == nil || a.trusts:
		between(func() {
			a.check(r, a.routeOf(r), func() { a.after(r, func(r *matched) { r.stored()(r) }) })
		})
	default:
		between(func() {
			late := func() {}
			_ = a.seam.HandleVersions(r, a.callOf(r, a.routeOf(r)), func(result *verso.Result) func() {
				picked := r.route.pick(result)
				run := func() { a.after(r, picked) }
				if a.ahead {
					late, run = run, late
				}
				return run
			})
			late()
		})
	}
}

// checkForeign is the middleware, installed as often.
func (a *reference) checkForeign(r *matched, times int, next func()) {
	if times == 0 {
		next()
		return
	}
	_ = a.seam.CheckForeign(r, a.callOf(r, a.routeOf(r)), func() { a.checkForeign(r, times-1, next) })
}

// stored returns the handler of a route, which has one handler, or that of the version in
// the store.
func (r *matched) stored() responder {
	if r.route.pick == nil || r.result == nil {
		return func(r *matched) { r.of.call(r, r.route.Handle) }
	}
	return r.route.pick(r.result)
}

// check decides on a request by a route. There are no errors: the seam answers them.
func (a *reference) check(r *matched, at *route.Route, next func()) {
	_ = a.seam.Check(r, a.callOf(r, at), next)
}

// callOf makes the request one to a route.
func (a *reference) callOf(r *matched, at *route.Route) *adapter.Call {
	r.request.Set(a.reader, r.Method, r, at)
	return &adapter.Call{Request: r.request}
}

// routeOf returns the route by which a request is decided on.
func (a *reference) routeOf(r *matched) *route.Route {
	if r.route.check == nil {
		return a.seam.Matched(r.route.describe())
	}
	at := r.route.check.Route()
	if a.route != nil {
		at = a.route(*at).Prepare()
	}
	return at
}

// run runs middleware of the suite, and what comes next.
func (a *reference) run(middleware []conformance.Middleware, r *matched, of *seam, next func()) {
	if len(middleware) == 0 || a.quiet {
		next()
		return
	}
	step := conformance.Step{
		Version:   r.result.Version(),
		Header:    r.Header.Get,
		AddField:  r.w.Header().Add,
		SetHeader: r.Header.Set,
		Keep: func(key, value string) {
			r.Request = r.WithContext(context.WithValue(r.Context(), key, value)) //nolint:staticcheck // frameworks have keys that are texts
		},
		SetMethod: func(method string) { r.Method = method },
		Query: func(name string) string {
			r.read.query = r.URL.Query()
			return r.FormValue(name)
		},
		Form: func(name string) string {
			text := r.PostFormValue(name)
			r.read.form = r.PostForm
			return text
		},
		SetTestVersion: func(version verso.Version) error {
			if a.unset {
				return nil
			}
			return of.SetTestVersion(r, version)
		},
		Wrap: func(with func(http.ResponseWriter) (http.ResponseWriter, func())) {
			outside := r.w
			inside, ended := with(outside)
			r.w, next = inside, endingWith(next, func() { ended(); r.w = outside })
		},
	}
	if a.step != nil {
		a.step(&step)
	}
	status := middleware[0](step)
	if status != 0 && !a.unstopped {
		r.w.WriteHeader(status)
		return
	}
	a.run(middleware[1:], r, of, next)
}

// endingWith returns what calls next, and then ended, also after a panic.
func endingWith(next, ended func()) func() {
	return func() {
		defer ended()
		next()
	}
}

// after is what runs between the check and the handler of a route.
func (a *reference) after(r *matched, handle responder) {
	of := a.seam
	if a.other != nil && !a.alike {
		of = a.other
	}
	next := func() {
		a.run(a.app.After, r, of, func() {
			a.behindCheck(r, func() {
				if r.route.in.after != nil {
					verso.AddVary(r.w.Header())
				}
				handle(r)
			})
		})
	}
	if a.other == nil || a.app.Middleware == 0 {
		next()
		return
	}
	_ = a.other.Check(r, a.callOf(r, nil), next)
}

// call lets the handler answer.
func (a *reference) call(r *matched, handle handler) {
	call := conformance.Call{
		Context: r.Context(),
		Version: r.result.Version(),
		Param:   func(name string) string { return r.params[name] },
		Link:    func(target verso.Target) (string, error) { return adapter.LinkFor(r.result, r.request, target) },

		Query:       r.URL.Query().Get,
		Form:        r.PostFormValue,
		Bind:        map[string]func(any) error{"query": r.bind("query"), "form": r.bind("form"), "header": r.bind("header")},
		AtLeast:     r.result.AtLeast,
		ContentType: r.result.ContentType,
	}
	if a.rewriting.keeps != nil {
		a.rewriting.keeps(&call, r.read)
	}
	if a.app.InContext {
		call.Context = adapter.NewContext(r.result, r.request)
	}
	if a.context != nil {
		call.Context = a.context(r)
	}
	if a.called != nil {
		a.called(&call)
	}
	if a.version != nil {
		call.Version = a.version(call.Version)
	}
	if a.link != nil {
		call.Link = func(target verso.Target) (string, error) { return a.link(r, target) }
	}
	if a.panics != nil {
		defer func() {
			if p := recover(); p != nil {
				a.panics(r.w.Header())
				panic(p)
			}
		}()
	}
	response, w := handle(call), r.w
	if response.PassOn != "" {
		next := r.Clone(r.Context())
		next.URL.Path = response.PassOn
		a.find(w, next, r)
		return
	}
	r.fail(response.Err)
	if response.Err != nil && a.cleared {
		clear(w.Header())
	}
	if a.dropped {
		response.Err = nil
	}
	if a.writer != nil {
		w = a.writer(w)
	}
	response.Write(w)
}

// reject answers a rejected request.
func (a *reference) reject(r *matched, rejected *verso.Error, shared *verso.Answer) error {
	if a.app.ErrorHandler != nil && !a.rewriting.unhandled {
		shared.SetFields(r.w.Header())
		response := a.app.ErrorHandler(rejected, shared)
		if response.Write(r.w); !response.Silent || a.rewriting.silent {
			return nil
		}
	}
	answer := *shared
	if a.problem != nil {
		a.problem(&answer.Problem)
		answer.Body, _ = json.Marshal(answer.Problem)
	}
	if a.header == nil && a.content == "" {
		answer.ServeHTTP(r.w, r.Request)
	} else {
		answer.SetFields(r.w.Header())
		r.w.Header().Set("Content-Type", cmp.Or(a.content, verso.ProblemType))
		if a.header != nil {
			a.header(r.w.Header(), true)
		}
		r.w.WriteHeader(answer.Problem.Status)
		_, _ = r.w.Write(answer.Body)
	}
	if a.continues {
		a.call(r, r.route.Handle)
	}
	return nil
}

// fail answers a request whose version could not be determined. The client does not see
// the error.
func (a *reference) fail(r *matched, err error) error {
	switch {
	case a.failure != nil:
		a.failure(r.w, err)
	case a.continues:
		a.call(r, r.route.Handle)
	default:
		http.Error(r.w, "internal server error", http.StatusInternalServerError)
	}
	return nil
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
