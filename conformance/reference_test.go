package conformance_test

import (
	"cmp"
	"context"
	"encoding/json"
	"net"
	"net/http"
	"net/url"
	"slices"
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

// mutation breaks the reference adapter on purpose, to show that the suite fails. Each
// field changes one thing; a zero field changes nothing.
type mutation struct {
	when      func(*verso.Versioning) bool                       // whether the other fields apply
	reader    reader                                             // what the source reads
	route     func(route.Route) route.Route                      // the route that a request claims to have matched
	vary      func(*verso.Versioning) []string                   // what else a decision depends on
	options   func(conformance.Route) []verso.RouteOption        // the options of a route that are passed on
	lax       bool                                               // invalid routes are registered
	alone     bool                                               // routes without options are the framework's, behind middleware
	exempt    func(*matched) bool                                // whether a request is passed on without a version
	fields    func(http.Header, *verso.Call)                     // how the fields of a decision join the response
	version   func(verso.Version) verso.Version                  // what the handler sees
	problem   func(*verso.Problem)                               // the problem details of a rejection
	content   string                                             // the Content-Type of a rejection
	continues bool                                               // a request without a version reaches the handler
	header    func(header http.Header, rejected bool)            // the fields of the response
	missing   func(w http.ResponseWriter, serve func())          // the answer to an unmatched request
	notFound  bool                                               // 405 is answered as 404
	link      func(*matched, verso.Target) (string, error)       // how a handler builds links
	failure   func(w http.ResponseWriter, err error)             // what the client sees of an error of the source
	around    func(r *http.Request, serve func(*http.Request))   // the layer around the framework
	end       func(r *matched, end func(), err error)            // when a request is observed, instead of after it
	forms     func([]string) []string                            // the paths of a route in each version
	greedy    bool                                               // the routes of others are checked
	ends      bool                                               // a kept request is ended
	writer    func(http.ResponseWriter) http.ResponseWriter      // what the handler writes to
	panics    func(http.Header)                                  // a change of the fields when the handler panics
	early     func(*adapter, http.ResponseWriter, *matched) bool // decides in front of the middleware of a route; false: the request is rejected
	trusts    func(*matched) bool                                // whether the check of a route trusts the result in the store
	twice     bool                                               // the middleware that checks the routes of others is installed twice, and does not notice
	alike     bool                                               // the SetVersion of the other API is that of the first one
	quiet     bool                                               // the middleware of the suite is not called
	tells     func(*matched) bool                                // whether a request is observed
	pick      func(*matched) (handler, bool)                     // picks a handler of several
	conn      func(net.Conn) net.Conn                            // what the server reads
}

type handler = func(conformance.Call) conformance.Response

// registered is a route of the reference adapter.
type registered struct {
	conformance.Route

	as    string                              // the path that all its forms share, "" for a single form
	check *verso.Registration                 // nil: only the framework has the route
	pick  func(*verso.Result) (handler, bool) // nil: the route has one handler
}

// matched is a request that matched a route.
type matched struct {
	*http.Request

	route   *registered
	params  map[string]string
	app     conformance.App
	binding *verso.Binding
	request verso.Request
	result  *verso.Result // in the store of the framework
	decided *verso.Result // of the check of the route
}

// reader is what an adapter knows about requests and its router.
type reader interface {
	verso.Facts
	verso.Router
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
	return strings.Join(lines, ", "), ok
}

func (facts) PathParam(request any, name string) (string, bool) {
	value, ok := request.(*matched).params[name]
	return value, ok
}

func (facts) Routes() []route.Route { return nil }

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
		a := &adapter{mutation: own, app: app}
		a.binding = app.API.Bind(listed{own.reader, a})
		if app.Other != nil {
			a.other = app.Other.Bind(own.reader)
		}
		if a.alone || app.Middleware {
			a.binding.CheckOthers()
		}
		for _, r := range app.Routes {
			a.add(r)
		}
		if own.conn == nil {
			return conformance.Serve(tb, app, a)
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
	of *adapter
}

func (l listed) Routes() (routes []route.Route) {
	for _, r := range l.of.routes {
		routes = append(routes, r.describe())
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
type adapter struct {
	mutation

	app     conformance.App
	binding *verso.Binding
	other   *verso.Binding // nil: there is no other API
	routes  []*registered
}

// add registers a route, with its check.
func (a *adapter) add(r conformance.Route) {
	own := &registered{Route: r}
	if r.Outside && !a.greedy || r.Foreign || a.alone && own.isBare() {
		a.routes = append(a.routes, own)
		return
	}
	if r.Handlers != nil {
		pick, option, err := conformance.Handlers(r, func(handle handler) handler { return handle }).Bind(a.binding)
		a.refuse(err)
		if own.pick = pick; pick != nil {
			r.Options = append(slices.Clone(r.Options), option)
		}
	}
	if a.options != nil {
		r.Options = a.options(r)
	}
	forms, as := []string{r.Pattern}, ""
	if r.EachVersion {
		forms, as = verso.Must(a.binding.Forms(r.Pattern)), r.Pattern
		if a.forms != nil {
			forms = a.forms(forms)
		}
	}
	for _, form := range forms {
		at := *own
		at.Pattern, at.as = form, as
		a.check(&at, r.Options)
		a.routes = append(a.routes, &at)
	}
}

// check adds the check to a route.
func (a *adapter) check(r *registered, options []verso.RouteOption) {
	var err error
	if r.check, err = a.binding.Add(r.describe(), options...); err != nil {
		a.refuse(err)
		r.check = verso.Must(a.binding.Add(r.describe()))
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
	return route.Route{Method: r.Method, Path: r.Pattern, As: r.as, Name: r.FullName(), Pattern: route.Braces(r.Pattern)}
}

// ServeHTTP is the framework: it finds the route of a request.
func (a *adapter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if a.around == nil {
		a.find(w, r)
		return
	}
	a.around(r, func(r *http.Request) { a.find(w, r) })
}

func (a *adapter) find(w http.ResponseWriter, r *http.Request) {
	status := http.StatusNotFound
	for _, to := range a.routes {
		params, ok := match(to.Pattern, r.URL)
		if ok && (to.Method == "" || to.Method == r.Method) {
			a.serve(w, &matched{Request: r, route: to, params: params})
			return
		}
		if ok && !a.notFound {
			status = http.StatusMethodNotAllowed
		}
	}
	if a.missing != nil {
		a.missing(w, func() { a.serve(w, &matched{Request: r, route: a.routes[len(a.routes)-1]}) })
		return
	}
	var call verso.Call
	request := &matched{Request: r}
	call.Request.Set(a.reader, r.Method, request, nil)
	if !a.app.NotFound || !a.binding.BeginUnmatched(&call, r.URL.EscapedPath()) {
		w.WriteHeader(status)
		return
	}
	call.SetFields(w.Header())
	a.reject(w, request, &call)
}

// serve checks a request, and calls its handler. Middleware checks the routes of others
// before the route, which checks its own.
func (a *adapter) serve(w http.ResponseWriter, r *matched) {
	r.binding, r.app = a.binding, a.app
	r.request.Set(a.reader, r.Method, r, nil)
	own := r.route.check != nil
	a.step(a.app.Before, r, a.binding)
	if r.route.Outside && !own || !own && !a.alone && !a.app.Middleware || a.exempt != nil && a.exempt(r) {
		a.step(a.app.Between, r, a.binding)
		a.call(w, r)
		return
	}
	if own {
		if a.early != nil && !a.early(a, w, r) {
			return
		}
		a.step(a.app.Between, r, a.binding)
	}
	if a.twice && !own {
		var first verso.Call
		a.begin(&first, r)
		first.End(r.result, nil)
	}
	call := verso.Call{Kept: own && a.isKept(r)}
	if a.trusts == nil || !a.trusts(r) {
		a.begin(&call, r)
	}
	a.proceed(w, r, &call, func() {
		if !own {
			a.step(a.app.Between, r, a.binding)
		} else if !a.after(w, r) {
			return
		}
		a.call(w, r)
	})
}

func (a *adapter) isKept(r *matched) bool {
	return a.app.KeepServed != "" && r.Header.Get(a.app.KeepServed) != "" && !a.ends
}

// step runs middleware of the suite.
func (a *adapter) step(step func(conformance.Step), r *matched, of *verso.Binding) {
	if step == nil || a.quiet {
		return
	}
	step(conformance.Step{SetHeader: r.Header.Set, SetMethod: func(method string) { r.Method = method }, SetVersion: func(version verso.Version) error {
		result, err := of.Result(version)
		if err == nil {
			r.result = result
		}
		return err
	}})
}

// after is what runs between the check and the handler of a route. It returns false if it
// rejects the request.
func (a *adapter) after(w http.ResponseWriter, r *matched) bool {
	of := a.binding
	if a.other != nil && !a.alike {
		of = a.other
	}
	if a.other != nil && a.app.Middleware {
		var call verso.Call
		call.Request.Set(a.reader, r.Method, r, nil)
		if r.result = a.other.Begin(&call, nil); r.result == nil {
			a.reject(w, r, &call)
			return false
		}
	}
	a.step(a.app.After, r, of)
	return true
}

// proceed writes the fields of a decision, and calls next unless the request is
// rejected.
func (a *adapter) proceed(w http.ResponseWriter, r *matched, call *verso.Call, next func()) {
	if a.fields != nil {
		a.fields(w.Header(), call)
	} else {
		call.SetFields(w.Header())
	}
	if a.vary != nil {
		verso.AddVary(w.Header(), a.vary(a.app.API)...)
	}
	r.decided = r.result
	end := func() {
		if a.tells == nil || a.tells(r) {
			call.End(r.decided, nil)
		}
	}
	if a.end != nil {
		a.end(r, end, call.Err)
	} else {
		defer end()
	}
	if r.result == nil {
		a.reject(w, r, call)
		return
	}
	if a.header != nil {
		a.header(w.Header(), false)
	}
	next()
}

// begin decides on a request, in the check of its route or in middleware.
func (a *adapter) begin(call *verso.Call, r *matched) {
	if r.route.check == nil {
		at, _ := a.binding.Lookup("", r.Method, r.route.Pattern)
		r.request.Set(a.reader, r.Method, r, at)
		call.Request = r.request
		r.result = a.binding.BeginEarly(call, nil)
		return
	}
	at := r.route.check.Route()
	if a.route != nil {
		at = a.route(*at).Prepare()
	}
	r.request.Set(a.reader, r.Method, r, at)
	call.Request = r.request
	r.result = a.binding.Begin(call, nil)
}

// call lets the handler answer.
func (a *adapter) call(w http.ResponseWriter, r *matched) {
	call := conformance.Call{
		Context: r.Context(),
		Version: r.result.Version(),
		Param:   func(name string) string { return r.params[name] },
		Link:    func(target verso.Target) (string, error) { return r.result.Link(r.request, target) },
	}
	if a.version != nil {
		call.Version = a.version(call.Version)
	}
	if a.link != nil {
		call.Link = func(target verso.Target) (string, error) { return a.link(r, target) }
	}
	handle, ok := r.route.Handle, true
	if r.route.pick != nil {
		handle, ok = r.route.pick(r.decided)
		if a.pick != nil {
			handle, ok = a.pick(r)
		}
	}
	if !ok {
		w.WriteHeader(http.StatusNoContent) // a CORS preflight
		return
	}
	if a.panics != nil {
		defer func() {
			if p := recover(); p != nil {
				a.panics(w.Header())
				panic(p)
			}
		}()
	}
	response := handle(call)
	if a.writer != nil {
		w = a.writer(w)
	}
	response.Write(w)
}

// reject answers a rejected request, or one whose version could not be determined. The
// client does not see the error of the latter.
func (a *adapter) reject(w http.ResponseWriter, r *matched, call *verso.Call) {
	_, answer, ok := call.Rejected()
	switch {
	case ok:
		a.answer(w, r, *answer)
		if a.continues {
			a.call(w, r)
		}
	case a.failure != nil:
		a.failure(w, call.Err)
	case a.continues:
		a.call(w, r)
	default:
		http.Error(w, "internal server error", http.StatusInternalServerError)
	}
}

func (a *adapter) answer(w http.ResponseWriter, r *matched, answer verso.Answer) {
	if a.problem != nil {
		a.problem(&answer.Problem)
		answer.Body, _ = json.Marshal(answer.Problem)
	}
	if a.header == nil && a.content == "" {
		verso.WriteAnswer(w, r.Request, &answer)
		return
	}
	answer.SetFields(w.Header())
	w.Header().Set("Content-Type", cmp.Or(a.content, verso.ProblemType))
	if a.header != nil {
		a.header(w.Header(), true)
	}
	w.WriteHeader(answer.Problem.Status)
	_, _ = w.Write(answer.Body)
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
