package versochi_test

import (
	"cmp"
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"github.com/goverso/verso/adapters/versochi"
	"github.com/goverso/verso/conformance/twins"
	verso "github.com/goverso/verso/core"
)

// TestTwins compares random programs of chi with and without Verso.
func TestTwins(t *testing.T) { twins.Run(t, chiTwins) }

var chiTwins = twins.Framework{
	Ways: []twins.Way{
		{Name: "v", Chosen: true},
		{Name: "router", Chosen: true},
		{Name: "in"},
		{Name: "mount", Below: "/p", Plain: true},
		{Name: "mountlate", Below: "/p", Plain: true, Early: true},
		{Name: "versions", Plain: true, Early: true, Flags: []string{"two", twins.Renamed}},
		{Name: "each", InPath: true, Chosen: true, Flags: []string{"api", "default"}},
		{Name: "eachrouter", InPath: true, Flags: []string{"api", "default"}},
		{Name: "param", InPath: true, Param: true, Chosen: true},
		{Name: "middleware", Plain: true, Checks: true, Early: true},
		{Name: "around", Plain: true, Checks: true, Early: true},
		{Name: "middlewarepath", InPath: true, Plain: true, Checks: true, Early: true, Flags: []string{"api"}},
		{Name: "middlewareparam", InPath: true, Param: true, Plain: true, Checks: true, Early: true, Whole: true},
		{Name: "aroundpath", InPath: true, Plain: true, Checks: true, Early: true, Flags: []string{"api"}},
	},
	Generate: generateTwin, Fit: fitTwin, Build: buildTwin,
	Refused: chiRefused, Mistakes: chiMistakes.Texts(), Allowed: chiAllowed, MostAllowed: 25,
}

// twinIn is where statements of chi are registered.
type twinIn struct {
	e      *twins.Env
	r      chi.Router
	v      *versochi.Routes // nil: with chi alone
	inner  bool             // v registers with r, by In
	sub    bool             // r is the router of v
	own    bool             // r is what Router returns
	inline bool             // in a group, whose 404 would be that of the router around it

	after []func(http.Handler) http.Handler // of chi alone, behind where the check is

	prefix string // of the paths of chi alone
	mount  string // of r
	at     twins.Prefix

	choice *twins.Choice    // of PerRoute, nil: v has the options
	top    *twins.Statement // with the options
}

func (c twinIn) all(body []*twins.Statement) { c.e.Each(body, c.one) }

func (c twinIn) one(s *twins.Statement) {
	if c.at.Version != "" && !c.at.Has(s) {
		c.r.With(c.wares(s.Wares)...) // or a router without routes has no 405
		return
	}
	switch {
	case s.By == twins.ByFramework:
		c.v = nil
	case c.choice != nil:
		c.top = cmp.Or(c.top, s)
		c.choice.Set(s, c.top)
	case c.v != nil:
		c.v = twins.Optioned(c.v, s)
	case c.own:
		c.r = twins.Optioned(versochi.On(c.r), s).Router()
	}
	switch s.Op {
	case twins.Mistake:
		switch {
		case c.v == nil:
		case c.inner: // the function of a Group or Route may be running
			chiMistakes.Make(s, c.v.In(c.mount, c.r))
		default:
			chiMistakes.Make(s, c.v)
		}
	case "method", "any":
		c.route(s)
	case "versions":
		c.versions(s)
	case "group":
		c.group(s)
	case "route":
		c.subrouter(s)
	case "mount":
		c.mounted(s)
	case "notfound", "notallowed":
		c.unmatched(s)
	}
}

func (c twinIn) isFlat() bool { return c.v != nil && !c.inner }

func (c twinIn) wares(wares []twins.Ware) (all []func(http.Handler) http.Handler) {
	for _, w := range wares {
		all = append(all, twinWare(c.e, w))
	}
	return twins.Lend(c.e, all)
}

func (c twinIn) handler(s *twins.Statement) http.HandlerFunc {
	return twins.Wrap(twinHandler(c.e, s, c.at.Version), c.after...).ServeHTTP
}

// twinValue is a handler that Go cannot compare.
type twinValue struct{ serve http.HandlerFunc }

func (v twinValue) ServeHTTP(w http.ResponseWriter, r *http.Request) { v.serve(w, r) }

func (c twinIn) route(s *twins.Statement) {
	h := http.Handler(c.handler(s))
	if s.Op == "any" && s.ID%2 == 0 {
		h = twinValue{h.ServeHTTP}
	}
	switch {
	case c.isFlat():
		registerTwin(c.v.Group("", c.wares(s.Wares)...), s, s.Path, h)
	case c.v != nil:
		registerTwin(c.v.In(c.mount, c.r.With(c.wares(s.Wares)...)), s, s.Path, h)
	default:
		registerTwin(c.r.With(c.wares(s.Wares)...), s, c.prefix+s.Path, h)
	}
}

// registerTwin registers a handler in one of the ways of chi, such as Get, Method and MethodFunc.
func registerTwin(on interface {
	Handle(path string, h http.Handler)
	Method(method, path string, h http.Handler)
	MethodFunc(method, path string, h http.HandlerFunc)
}, s *twins.Statement, path string, h http.Handler,
) {
	verb, ok := twins.Verb[func(string, http.HandlerFunc)](on, s)
	switch {
	case s.Op == "any":
		on.Handle(path, h)
	case ok:
		verb(path, h.ServeHTTP)
	case s.ID%3 == 0:
		on.MethodFunc(s.Methods[0], path, h.ServeHTTP)
	default:
		on.Method(s.Methods[0], path, h)
	}
}

// versions registers a route with a handler for each version.
func (c twinIn) versions(s *twins.Statement) {
	h := c.handler(s)
	switch {
	case c.isFlat():
		c.v.HandleVersions(s.Methods[0], s.Path, versochi.Handlers{twins.First: h, twins.Last: h}, c.wares(s.Wares)...)
	case c.v != nil:
		c.v.In(c.mount, c.r).HandleVersions(s.Methods[0], s.Path, versochi.Handlers{twins.First: h, twins.Last: h}, c.wares(s.Wares)...)
	case c.own:
		versochi.On(c.r).HandleVersions(s.Methods[0], s.Path, versochi.Handlers{twins.First: h, twins.Last: h}, c.wares(s.Wares)...)
	default:
		c.r.With(c.wares(s.Wares)...).Method(s.Methods[0], c.prefix+s.Path, h)
	}
}

func (c twinIn) group(s *twins.Statement) {
	c.inline = true
	switch {
	case c.isFlat():
		c.v = c.v.Group("", c.wares(s.Wares)...)
		c.all(s.Body)
	case s.Opt == "with":
		c.r = c.r.With(c.wares(s.Wares)...)
		c.all(s.Body)
	default:
		c.r.Group(func(r chi.Router) {
			r.Use(c.wares(s.Wares)...)
			c.r = r
			c.all(s.Body)
		})
	}
}

func (c twinIn) subrouter(s *twins.Statement) {
	if c.isFlat() {
		c.v.Route(s.Path, func(v *versochi.Routes) {
			v.With().Use(c.wares(s.Wares)...)
			c.v, c.r, c.inline, c.sub = v, v.Router(), false, true
			c.all(s.Body)
		})
		return
	}
	c.r.Route(c.prefix+s.Path, func(r chi.Router) {
		r.Use(c.wares(s.Wares)...)
		c.r, c.prefix, c.mount, c.inline = r, "", c.mount+s.Path, false
		c.all(s.Body)
	})
}

// twinType is a router with a ServeHTTP of its own.
type twinType struct {
	*chi.Mux
	handler http.Handler
}

func (t twinType) ServeHTTP(w http.ResponseWriter, r *http.Request) { t.handler.ServeHTTP(w, r) }

// twinRoot is a service's own type around the root, which also has a function.
type twinRoot struct {
	chi.Router
	handler http.Handler
}

func (t twinRoot) ServeHTTP(w http.ResponseWriter, r *http.Request) { t.handler.ServeHTTP(w, r) }

func (c twinIn) mounted(s *twins.Statement) {
	h, wares := twinHandler(c.e, s, c.at.Version), c.wares(s.Wares)
	var mounted http.Handler
	switch s.Opt {
	case "opaque":
		mounted = twins.Wrap(h, wares...)
	case "mux":
		mux := http.NewServeMux()
		mux.Handle("/", h)
		mounted = twins.Wrap(mux, wares...)
	default:
		sub := chi.NewRouter()
		in := twinIn{e: c.e, r: sub, at: c.at}
		if s.Opt == "" || s.Opt == "late" {
			in.after = c.after
		}
		if c.v != nil && c.inner && (s.Opt == "" || s.Opt == "late") { // its routes are registered with v, too
			in.v, in.inner, in.mount = c.v, true, c.mount+s.Path
		}
		switch mounted = sub; s.Opt {
		case "wrapped":
			in.all(s.Body)
			mounted = http.HandlerFunc(twins.Wrap(sub, wares...).ServeHTTP)
		case "typed":
			in.all(s.Body)
			mounted = twinType{sub, twins.Wrap(sub, wares...)}
		case "late": // gets its routes when it is mounted already
			sub.Use(wares...)
			defer func() { in.all(s.Body) }()
		default:
			sub.Use(wares...)
			in.all(s.Body)
		}
	}
	if _, isRouter := mounted.(*chi.Mux); !isRouter { // a handler as any other, with one check
		mounted = twins.Wrap(entered(c.e, s, c.at.Version, mounted), c.after...)
	} else if c.v != nil && c.inner {
		c.r.Mount(c.prefix+s.Path, mounted)
		return
	}
	switch {
	case c.isFlat():
		c.v.Mount(s.Path, mounted)
	case c.v != nil:
		c.v.In(c.mount, c.r).Mount(s.Path, mounted)
	default:
		c.r.Mount(c.prefix+s.Path, mounted)
	}
}

// placeOf returns the version in the path of a handler. An empty segment names none that is served.
func placeOf(r *http.Request) string {
	if at := chi.RouteContext(r.Context()); at != nil && slices.Contains(at.URLParams.Keys, "version") {
		return cmp.Or(at.URLParam("version"), twins.Unknown)
	}
	return ""
}

// entered notes a handler of its own that is mounted.
func entered(e *twins.Env, s *twins.Statement, version string, h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		e.Place(r.Header.Get("Twin"), cmp.Or(version, placeOf(r)))
		e.Note(r.Header.Get("Twin"), "H%d mounted", s.ID)
		h.ServeHTTP(w, r)
	})
}

func (c twinIn) unmatched(s *twins.Statement) {
	if c.inline || c.isFlat() && !c.sub {
		return
	}
	handler, status := twinHandler(c.e, s, c.at.Version), http.StatusNotFound
	if s.Op == "notallowed" {
		status = http.StatusMethodNotAllowed
	}
	answer := withStatus(handler, status)
	if s.Opt == "default" {
		answer = http.NotFound
	}
	if s.Op == "notallowed" {
		c.r.MethodNotAllowed(answer)
	} else {
		c.r.NotFound(answer)
	}
}

func withStatus(h http.HandlerFunc, code int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain") // net/http takes none after the status
		w.WriteHeader(code)
		h(w, r)
	}
}

// withAllow sets the Allow field of chi's own answer, which the NotFound of Verso sends in front of any other.
func withAllow(h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		field := reflect.ValueOf(chi.RouteContext(r.Context())).Elem().FieldByName("methodsAllowed")
		methods := reflect.NewAt(field.Type(), field.Addr().UnsafePointer()).Elem()
		handler := reflect.ValueOf(chi.NewRouter().MethodNotAllowedHandler).CallSlice([]reflect.Value{methods})[0]
		answer := httptest.NewRecorder()
		handler.Interface().(http.HandlerFunc)(answer, r)
		for _, method := range answer.Header()["Allow"] {
			w.Header().Add("Allow", method)
		}
		h(w, r)
	}
}

func twinWare(e *twins.Env, w twins.Ware) func(http.Handler) http.Handler {
	switch w.Kind {
	case "stripslashes":
		return middleware.StripSlashes
	case "gethead":
		return middleware.GetHead
	case "cleanpath":
		return middleware.CleanPath
	case "redirectslashes":
		return middleware.RedirectSlashes
	case "urlformat":
		return middleware.URLFormat
	case "compress":
		return middleware.Compress(5, "text/plain")
	}
	return e.Around(w)
}

// twinHandler notes what it sees: the parameters that its pattern names.
func twinHandler(e *twins.Env, s *twins.Statement, version string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		twin, text := r.Header.Get("Twin"), ""
		w.Header().Set("Content-Type", "text/plain")
		if s.Op == "notfound" || s.Op == "notallowed" {
			e.Note(twin, "N%d", s.ID)
			_, _ = fmt.Fprintf(w, "N%d", s.ID)
			return
		}
		e.Place(twin, cmp.Or(version, placeOf(r)))
		if at := chi.RouteContext(r.Context()); at != nil {
			text = strings.ReplaceAll(at.RoutePattern(), "//", "/") // chi's, where the path has a slash more
			for _, name := range []string{"id", "x", "y", "*"} {
				if strings.Contains(text, "{"+name) || name == "*" && strings.HasSuffix(text, "*") {
					own := s.Named(name)
					isThere := slices.Contains(at.URLParams.Keys, own)
					text += fmt.Sprintf(" %s=%t/%q/%q", name, isThere, chi.URLParam(r, own), r.PathValue(own))
				}
			}
		}
		for _, name := range []string{"id", "x", "y", "*"} {
			e.Value(twin, versochi.Param(r, name))
		}
		e.Note(twin, "H%d %s %s %s", s.ID, r.Method, r.URL.Path, text)
		s.Answer(w, r)
	}
}

func buildTwin(p *twins.Program, api *verso.Versioning, e *twins.Env) twins.Server {
	r := chi.NewRouter()
	bare := twinIn{e: e, r: r}
	wares := slices.Clip(bare.wares(p.Wares))
	var v *versochi.Routes
	if p.Has("typed") {
		bare.r = twinRoot{r, twins.Wrap(r, e.Around(twins.Ware{ID: 998, Kind: "a"}))}
	}
	handler := http.Handler(bare.r)
	if api != nil {
		v = versochi.New(bare.r, api, versochi.Config(p.Config()))
		switch p.Way {
		case "middleware", "middlewarepath", "middlewareparam":
			wares = append(wares, v.Middleware())
		case "around", "aroundpath":
			handler = v.Middleware()(handler)
		}
	}
	if v != nil && p.Has(twins.Rewritten) {
		wares = append(wares, v.RewriteErrors())
		v = v.Rewrite(twins.Same{})
	}
	r.Use(wares...)
	rest := buildTop(p, v, bare)
	var choice *twins.Choice
	if v != nil && strings.HasPrefix(p.Way, "each") {
		half := len(p.Each) / 2
		v = v.Group("", bare.wares(p.Each[:half])...).EachVersion(bare.wares(p.Each[half:])...).Group(p.Base())
	}
	if v != nil && p.Way == "param" {
		v = v.Group("/{version}")
	}
	switch {
	case v != nil && p.Has(twins.PerRoute):
		choice = new(twins.Choice)
		v = v.PerRoute(func(v *versochi.Routes, method, pattern string) *versochi.Routes {
			return twins.Optioned(v.AfterCheck(bare.wares(p.After)...), choice.Of(method, pattern))
		})
	case v != nil && len(p.After) > 0:
		v = v.AfterCheck(bare.wares(p.After)...)
	default:
		bare.after = bare.wares(p.After)
	}
	half := len(rest)
	if p.Has(twins.Late) && slices.Contains([]string{"v", "in", "middleware", "around"}, p.Way) {
		half = (len(rest) + 1) / 2
	}
	if strings.HasPrefix(p.Way, "mount") {
		buildMount(p, v, api, bare, handler, rest)
		rest, half = nil, 0
	}
	buildWay(p, v, choice, bare, rest[:half])
	if half < len(rest) {
		twins.Serve(handler).Send(twins.Early)
		buildWay(p, v, choice, bare, rest[half:])
	}
	if v != nil && p.Way != "mountlate" { // which finds what has changed by itself
		_ = v.Explain()
	}
	return twins.Serve(handler).Linked(v.Link)
}

// buildTop registers what is chi's own, and returns the rest.
func buildTop(p *twins.Program, v *versochi.Routes, bare twinIn) (rest []*twins.Statement) {
	var notFound, notAllowed http.HandlerFunc
	for _, s := range p.Body {
		switch {
		case s.Op == "notfound":
			if notFound = withStatus(twinHandler(bare.e, s, ""), http.StatusNotFound); s.Opt == "default" {
				notFound = http.NotFound
			}
		case s.Op == "notallowed":
			notAllowed = withStatus(twinHandler(bare.e, s, ""), http.StatusMethodNotAllowed)
		case s.By == twins.ByFramework:
			bare.all([]*twins.Statement{s})
		default:
			rest = append(rest, s)
		}
	}
	switch isAsked := p.Has("v.NotFound"); {
	case isAsked && v != nil:
		bare.r.NotFound(v.NotFound(notFound))
		bare.r.MethodNotAllowed(v.NotFound(notAllowed))
		return rest
	case isAsked && notAllowed != nil:
		notAllowed = withAllow(notAllowed)
	}
	if notFound != nil {
		bare.r.NotFound(notFound)
	}
	if notAllowed != nil {
		bare.r.MethodNotAllowed(notAllowed)
	}
	return rest
}

// buildWay registers the statements in the way of a program.
func buildWay(p *twins.Program, v *versochi.Routes, choice *twins.Choice, bare twinIn, rest []*twins.Statement) {
	switch {
	case len(rest) == 0 && len(p.Each) > 0:
		bare.r.With() // as EachVersion does: a router without routes runs its middleware then
	case len(rest) == 0:
	case strings.HasSuffix(p.Way, "path"), v == nil && strings.HasPrefix(p.Way, "each"):
		bare.r = bare.r.With(bare.wares(p.Each)...)
		for _, bare.at = range p.Prefixes() {
			bare.prefix = bare.at.Path
			bare.all(rest)
		}
	case p.Way == "each":
		twinIn{e: bare.e, r: bare.r, choice: choice, v: v}.all(rest)
	case p.Way == "eachrouter":
		bare.r.With() // as in the program without Verso: without any route, a router runs its middleware then
		twinIn{e: bare.e, r: v.Router(), own: true}.all(rest)
	case p.Way == "middlewareparam", p.Way == "param" && v == nil:
		bare.prefix = "/{version}"
		bare.all(rest)
	case v == nil, p.Way == "middleware", p.Way == "around":
		bare.all(rest)
	case p.Way == "router":
		twinIn{e: bare.e, r: v.Router(), own: true, choice: choice}.all(rest)
	case p.Way == "versions":
		if len(rest) > 0 {
			v.RegisterVersions(twins.VersionsFor(p, rest, func(r chi.Router, body []*twins.Statement) { twinIn{e: bare.e, r: r}.all(body) }))
		}
	default:
		twinIn{e: bare.e, r: bare.r, v: v, choice: choice, inner: p.Way == "in"}.all(rest)
	}
}

// buildMount mounts a router. That of "mountlate" gets most of its routes when it has served a request.
func buildMount(p *twins.Program, v *versochi.Routes, api *verso.Versioning, bare twinIn, root http.Handler, rest []*twins.Statement) {
	sub, half := chi.NewRouter(), len(rest)
	if p.Way == "mountlate" {
		half /= 2
	}
	in := twinIn{e: bare.e, r: sub}
	if half < len(rest) && v != nil { // what Mount refuses is refused, and what Explain does
		whole, late, told := chi.NewRouter(), chi.NewRouter(), versochi.New(chi.NewRouter(), api)
		twinIn{e: bare.e, r: whole}.all(rest)
		versochi.New(chi.NewRouter(), api).Mount("/p", whole)
		twinIn{e: bare.e, r: late}.all(rest[:half])
		told.Mount("/p", late)
		_ = told.Explain()
		twinIn{e: bare.e, r: late}.all(rest[half:])
		_ = told.Explain()
	}
	in.all(rest[:half])
	if v != nil {
		v.Mount("/p", sub)
	} else {
		bare.r.Mount("/p", sub)
	}
	if half < len(rest) {
		early := twins.Early
		early.Target, early.Twin = "/p/early", "early ab"
		twins.Serve(root).Send(early)
		in.all(rest[half:])
	}
}

func generateTwin(g *twins.Gen) *twins.Program {
	p := &twins.Program{Wares: g.Wares(4, "stripslashes", "urlformat", "gethead", "cleanpath", "redirectslashes", "compress", "timeout"), Body: twinBody(g, 2, true)}
	if g.OneIn(2) {
		p.Flags = append(p.Flags, "v.NotFound")
	}
	for _, flag := range []string{twins.Late, "typed"} {
		if g.OneIn(6) {
			p.Flags = append(p.Flags, flag)
		}
	}
	return p
}

// fitTwin leaves out handlers for versions in routers that Verso has not made.
func fitTwin(p *twins.Program) {
	var fit func(body []*twins.Statement, isMounted bool)
	fit = func(body []*twins.Statement, isMounted bool) {
		for _, s := range body {
			if s.Op == "versions" && isMounted {
				s.Op, s.Only = "method", ""
			}
			if strings.HasSuffix(p.Way, "param") && s.Path == "/" && (s.Op == "route" || s.Op == "mount") { // see Routes.Route
				s.Path = "/s"
			}
			fit(s.Body, isMounted || s.Op == "mount" && p.Way != "in" || s.Op == "mount" && s.Opt != "" && s.Opt != "late")
		}
	}
	fit(p.Body, false)
	if p.Way == "in" && hasRootWithin(p.Body) { // In is told a path with slashes that chi leaves out
		twins.Each(p.Body, func(s *twins.Statement) { s.Name = "" })
	}
	if isLate(p.Body) || p.Way == "each" && hasRouter(p.Body, "/") { // asks when another statement is registered, or in Explain
		p.Flags = slices.DeleteFunc(p.Flags, func(flag string) bool { return flag == twins.PerRoute })
	}
	isPage := func(s *twins.Statement) bool { return s.Op == "notfound" || s.Op == "notallowed" }
	if p.Way == "eachrouter" && slices.ContainsFunc(p.Body, isPage) { // chi has one page around its groups
		p.Each = nil
	}
	if p.Way != "each" || !p.Has(twins.PerRoute) {
		return
	}
	for _, s := range p.Body {
		if hasRouter([]*twins.Statement{s}, "") { // which each version has: see Routes.PerRoute
			s.Only = ""
		}
	}
}

// isLate reports whether a router gets routes when it is mounted.
func isLate(body []*twins.Statement) bool {
	return slices.ContainsFunc(body, func(s *twins.Statement) bool { return s.Op == "mount" && s.Opt == "late" || isLate(s.Body) })
}

func twinBody(g *twins.Gen, depth int, top bool) (all []*twins.Statement) {
	path := func() string {
		return twins.One(g, "/", "/", "/a", "/b", "/{id}", "/{id:[0-9]+}", "/a/{id}", "/{x}/b", "/f/*", "/*", "/a-{id}", "/a/", "/a/b",
			"/{id}/{x}", "/{y}")
	}
	sub := func() string { return twins.One(g, "/a", "/b", "/s", "/{x}", "/s/t", "/{y}/s", "/s/", "/") }
	for range 1 + g.IntN(4) {
		s := &twins.Statement{ID: g.Next()}
		kind := g.IntN(13)
		if depth == 0 && kind >= 7 {
			kind = g.IntN(7)
		}
		switch {
		case kind < 5:
			s.Op, s.Path, s.Wares = "method", path(), g.Wares(2, "compress", "timeout")
			s.Methods = []string{twins.One(g, "GET", "GET", "GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "TRACE", "CONNECT")}
			if g.OneIn(2) { // another method of the same path
				other := *s
				other.ID, other.Methods, other.Wares = g.Next(), []string{twins.One(g, "GET", "POST", "DELETE", "PUT")}, g.Wares(2)
				all = append(all, &other)
			}
		case kind == 5:
			s.Op, s.Path, s.Wares = "any", path(), g.Wares(1)
		case kind == 6:
			s.Op, s.Path, s.Wares, s.Methods = "versions", path(), g.Wares(2), []string{twins.One(g, "GET", "POST")}
			s.Only = twins.Both
		case kind < 9:
			s.Op, s.Wares, s.Body, s.Opt = "group", append(g.Wares(2), twins.Ware{ID: g.Next()}), twinBody(g, depth-1, false), twins.One(g, "", "with")
		case kind < 11:
			s.Op, s.Path, s.Wares, s.Body = "route", sub(), g.Many("stripslashes", "gethead"), twinBody(g, depth-1, false)
		default:
			s.Op, s.Path, s.Wares, s.Body = "mount", sub(), g.Many("stripslashes", "gethead"), twinBody(g, depth-1, false)
			if s.Opt = twins.One(g, "", "", "", "late", "typed", "wrapped", "opaque", "mux"); s.Opt == "opaque" || s.Opt == "mux" {
				s.Body = nil
			}
		}
		if top {
			g.Top(s)
		}
		all = append(all, s)
	}
	if g.OneIn(8) {
		own := &twins.Statement{Op: twins.One(g, "notfound", "notallowed"), ID: g.Next(), Opt: twins.One(g, "", "", "default")}
		all = slices.Insert(all, 0, own)
	}
	return all
}

var chiRefused = []twins.Refusal{
	{Text: "the route is registered twice", Page: "routes.go#Routes",
		Quote: "panic if the pattern is invalid, if an option contradicts another or names an unknown version, if the route exists already"},
	{Text: "attempting to Mount() a handler on an existing path", Page: "versions.go#Routes.RegisterVersions",
		Quote: "As in chi, it panics if a router is mounted at the path of a subrouter."},
	{Text: "whose place the mount would take", Page: "routes.go#Routes.Route", Quote: "It panics if the group has a route at \"/\" already."},
	{Text: "the group has a subrouter or a mount at /, which keeps", Page: "routes.go#Routes.Route",
		Quote: "A later route at \"/*\" of the group panics."},
	{Text: "contains duplicate param key", Page: "versions.go#Routes.RegisterVersions",
		Quote: "and if a path has two parameters of one name."},
	{Text: "twice: remove either", Page: "versions.go#Routes.RegisterVersions", Quote: "registers nothing with its router or a route twice"},
	{Text: "registers no route", Page: "versions.go#Routes.RegisterVersions", Quote: "if a function registers nothing with its router"},
	{Text: "routers disagree about which one wins", Page: "../../core/adapter/binding.go#Binding.Forms",
		Quote: "with a parameter in the place of the version"},
	{Text: "so that handler is never called", Page: "routes.go#Routes", Quote: "if an option contradicts another"},
	{Text: "registers GET", Page: "versions.go#Routes.RegisterVersions",
		Quote: "It panics as HandleVersions does"},
	{Text: "a route is either neutral or in some versions", Page: "routes.go#Routes",
		Quote: "if an option contradicts another"},
	{Text: "but the route is there", Page: "routes.go#Routes",
		Quote: "if an option contradicts another"},
	{Text: "was for OPTIONS alone and is for more methods, or the other way round", Page: "routes.go#Routes.Mount",
		Quote: "replaces a handler for OPTIONS alone with one for more methods, or the other way round"},
}

var chiMistakes = twins.MistakesOf(mistaken, twins.Mistakes[*versochi.Routes]{
	"the handler is nil":       func(v *versochi.Routes) { v.Get("/m", nil) },
	"a middleware is nil":      func(v *versochi.Routes) { mistaken(v.Group("", nil)) },
	"the function is nil":      func(v *versochi.Routes) { v.Route("/m", nil) },
	"Mount /m: the handler is": func(v *versochi.Routes) { v.Mount("/m", nil) },
	"In /m: the handler is":    func(v *versochi.Routes) { v.In("/m", nil) },
	"use On":                   func(v *versochi.Routes) { v.In("", v.Router()) },
	"the routes would lose the middleware": func(v *versochi.Routes) {
		v.Group("", middleware.NoCache).In("", chi.NewRouter())
	},
	"which keeps /": func(v *versochi.Routes) {
		v = v.Group("/m")
		v.Route("/", func(v *versochi.Routes) { mistaken(v) })
		v.HandleVersions("TRACE", "/*", versochi.Handlers{twins.Last: http.NotFound})
	},
	"keeps /": func(v *versochi.Routes) {
		v = v.Group("/m")
		v.Route("/", func(v *versochi.Routes) { mistaken(v) })
		v.Method("TRACE", "/*", http.NotFoundHandler())
	},
	"whose place the mount would take": func(v *versochi.Routes) {
		v.Group("/m").Method("TRACE", "/", http.NotFoundHandler())
		v.Group("/m").Route("/", func(v *versochi.Routes) { mistaken(v) })
	},
})

func mistaken(v *versochi.Routes) { v.MethodFunc("TRACE", "/m", http.NotFound) }

var chiAllowed = []twins.Allowance{
	twins.VaryBehindTimeout,
	{Name: "405 has an Allow field", Page: "middleware.go#Routes.NotFound",
		Quote: "The Allow field of a 405 has the methods of the version: chi gives those of a path to its own handler alone.",
		Matches: func(p *twins.Program, _ twins.Request, bare, own twins.Outcome, kind string) bool {
			return p.Has("v.NotFound") && kind == twins.OtherField+"Allow" && bare.IsUnmatched() && own.IsUnmatched()
		}},
	{Name: "/ of a group", Page: "routes.go#Routes.Route",
		Quote: "\"/\" of a group is the prefix of the group, with and without a slash.",
		Matches: func(p *twins.Program, r twins.Request, bare, own twins.Outcome, kind string) bool {
			return strings.HasPrefix(p.Way, "each") && (kind != twins.LostGuard || !isBehind([]*twins.Statement{{Wares: p.Wares, Body: p.Body}}, bare.Lost(own), own.Handlers())) &&
				slices.ContainsFunc(p.Prefixes(), func(at twins.Prefix) bool {
					return strings.Trim(at.Path, "/") == strings.Trim(strings.TrimSuffix(r.Target, ".x"), "/") // behind URLFormat
				}) && hasRouter(p.Body, "/")
		}},
}

// hasRootWithin reports whether a router is mounted at "/" of any router, or at a parameter.
func hasRootWithin(body []*twins.Statement) bool {
	return hasRouter(body, "/") || slices.ContainsFunc(body, func(s *twins.Statement) bool {
		return (s.Op == "route" || s.Op == "mount") && strings.Contains(s.Path, "{") || hasRootWithin(s.Body)
	})
}

// isBehind reports whether one of the handlers is within a router whose middleware is in the trace.
func isBehind(body []*twins.Statement, trace, handlers []string) bool {
	return slices.ContainsFunc(body, func(s *twins.Statement) bool {
		isThere := func(w twins.Ware) bool {
			return slices.ContainsFunc(trace, func(note string) bool { return strings.HasPrefix(note, fmt.Sprintf("A%d:", w.ID)) })
		}
		return slices.ContainsFunc(s.Wares, isThere) && has(s, handlers) || isBehind(s.Body, trace, handlers)
	})
}

// has reports whether a statement registers one of the handlers.
func has(s *twins.Statement, handlers []string) bool {
	return slices.Contains(handlers, fmt.Sprint("H", s.ID)) ||
		slices.ContainsFunc(s.Body, func(inner *twins.Statement) bool { return has(inner, handlers) })
}

// hasRouter reports whether a router is mounted at a path of the group, "" for any.
func hasRouter(body []*twins.Statement, path string) bool {
	return slices.ContainsFunc(body, func(s *twins.Statement) bool {
		isAt := (s.Op == "route" || s.Op == "mount") && (path == "" || s.Path == path)
		return isAt || s.Op == "group" && hasRouter(s.Body, path)
	})
}
