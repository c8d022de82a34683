package twins

import (
	"io"
	"net/http"
	"slices"
	"strings"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter/overhttp"
)

// Config returns the configuration of a program in an adapter over net/http.
func (p *Program) Config() (config overhttp.Config) {
	if p.Has(Skips) {
		config.Skipper = func(r *http.Request) bool { return r.Header.Get(SkipField) != "" }
	}
	if p.Has(Answers) {
		config.ErrorHandler = func(w http.ResponseWriter, r *http.Request, _ *verso.Error, _ *verso.Answer) {
			if text := Answer(r.Header.Get("Twin")); text != "" {
				_, _ = io.WriteString(w, text)
			}
		}
	}
	return config
}

// Handle registers a handler with a router.
type Handle func(method, path string, handler http.Handler)

// Routes has the methods of an adapter over net/http.
type Routes[R any] interface {
	Group(prefix string, middleware ...func(http.Handler) http.Handler) R
	EachVersion(middleware ...func(http.Handler) http.Handler) R
	Neutral() R
	Since(version string) R
	RemovedIn(version string) R
	AfterCheck(middleware ...func(http.Handler) http.Handler) R
	Rewrite(rewriter verso.Rewriter) R
	RewriteErrors() func(http.Handler) http.Handler
	Middleware() func(http.Handler) http.Handler
	Handle(method, path string, handler http.Handler)
	HandleVersions(method, path string, handlers verso.Handlers[http.HandlerFunc])
	Link(target verso.Target) (string, error)
}

// OverHTTP returns a vocabulary of routes, groups and middleware. param writes a parameter of a path, rest one for the
// rest of the path. build makes a router, how the router alone registers a route, and the routes of the adapter, which
// are not used where api is nil.
//
//	twins.Run(t, twins.OverHTTP(param, func(api *verso.Versioning, config overhttp.Config) (
//		http.Handler, twins.Handle, *versogorilla.Routes,
//	) {
//		r := mux.NewRouter()
//		handle := func(method, path string, h http.Handler) { r.Path(path).Methods(method).Handler(h) }
//		if api == nil {
//			return r, handle, nil
//		}
//		return r, handle, versogorilla.New(r, api, versogorilla.Config(config))
//	}))
func OverHTTP[R Routes[R]](param func(name string, rest bool) string,
	build func(api *verso.Versioning, config overhttp.Config) (http.Handler, Handle, R)) Framework {
	return Framework{
		Ways: []Way{{Name: "v"}, {Name: "each", InPath: true, Flags: []string{"api", "default"}},
			{Name: "perhandler", Plain: true, Checks: true, Early: true}},
		Generate: func(g *Gen) *Program {
			return &Program{Wares: g.Wares(2, "ab", "gzip"), Body: plainBody(g, param, 2, true)}
		},
		Build: func(p *Program, api *verso.Versioning, e *Env) Server {
			handler, handle, v := build(api, p.Config())
			in := overHTTP[R]{e: e, root: handler, handle: handle, v: v, isOwn: api != nil, after: p.After}
			around := slices.Clip(in.middleware(p.Wares))
			if api != nil && p.Has(Rewritten) {
				around = append(around, v.RewriteErrors())
				in.v = in.v.Rewrite(Same{})
			}
			if api != nil {
				in.v = in.v.AfterCheck(in.middleware(p.After)...)
			}
			switch {
			case p.Way == "perhandler":
				if in.isOwn {
					in.check = v.Middleware()
				}
				in.isOwn = false
				in.all(p.Body)
			case p.Way == "v":
				in.all(p.Body)
			case api != nil:
				in.v = in.v.EachVersion(in.middleware(p.Each)...).Group(p.Base())
				in.all(p.Body)
			default:
				var places []overHTTP[R]
				for _, in.at = range p.Prefixes() {
					in.prefix, in.wares = in.at.Path, p.Each
					places = append(places, in)
				}
				allIn(p.Body, places...)
			}
			server := Serve(Wrap(handler, around...))
			if api != nil {
				server = server.Linked(v.Link)
			}
			return server
		},
	}
}

func plainBody(g *Gen, param func(name string, rest bool) string, depth int, isTop bool) (body []*Statement) {
	id, x, rest := param("id", false), param("x", false), param("rest", true)
	for range 1 + g.IntN(5) {
		s := &Statement{ID: g.Next(), Op: "handle", Wares: g.Wares(2, "gzip", "timeout")}
		s.Methods = []string{One(g, "GET", "GET", "GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS")}
		switch g.IntN(8) {
		case 0:
			s.Opt = One(g, "forward ", "relay ") + One(g, "/a", "/b", "/a/7", "/f/g")
		case 1:
			s.Opt = "mux"
		}
		s.Path = One(g, "/a", "/b", "/a/"+id, "/"+x+"/b", "/f/"+rest, "/a/b", "/s/"+id+"/"+x, "/s/t")
		if depth > 0 && g.OneIn(3) {
			s.Op, s.Opt, s.Methods, s.Path = "group", "", nil, One(g, "/a", "/b", "/g/h", "/s/"+x)
			s.Body = plainBody(g, param, depth-1, false)
		}
		if isTop && s.Op == "handle" && g.OneIn(6) {
			s.Op, s.Only = "versions", Both
		} else if isTop {
			g.Top(s)
		}
		body = append(body, s)
	}
	return body
}

// overHTTP is where statements are registered.
type overHTTP[R Routes[R]] struct {
	e      *Env
	root   http.Handler
	check  func(http.Handler) http.Handler // around each handler
	handle Handle
	v      R
	isOwn  bool // v registers
	prefix string
	wares  []Ware
	after  []Ware // behind the check
	at     Prefix
}

func (in overHTTP[R]) all(body []*Statement) { allIn(body, in) }

// allIn registers statements in several places, one after another as EachVersion does, since some routers prefer the
// first route.
func allIn[R Routes[R]](body []*Statement, places ...overHTTP[R]) {
	places[0].e.Each(body, func(s *Statement) {
		var groups []overHTTP[R]
		for _, in := range places {
			if group, ok := in.one(s); ok {
				groups = append(groups, group)
			}
		}
		if len(groups) > 0 {
			allIn(s.Body, groups...)
		}
	})
}

func (in overHTTP[R]) middleware(wares []Ware) (middleware []func(http.Handler) http.Handler) {
	for _, w := range wares {
		if w.Kind == "gzip" {
			middleware = append(middleware, Gzip)
		} else {
			middleware = append(middleware, in.e.Around(w))
		}
	}
	return Lend(in.e, middleware)
}

// one registers a statement. For a group, it returns where the statements of the group are registered.
func (in overHTTP[R]) one(s *Statement) (group overHTTP[R], ok bool) {
	isAgain := s.By == ByFramework && in.at.Version != "" && in.at.Version != Ended
	if in.at.Version != "" && !in.at.Has(s) || isAgain {
		return in, false
	}
	switch {
	case s.By == ByFramework:
		in.isOwn, in.prefix, in.wares, in.after = false, "", nil, nil
		in.at.Version = ""
	case in.isOwn:
		in.v = Optioned(in.v, s)
	}
	if s.Op == "group" {
		in.prefix += s.Path
		if in.isOwn {
			in.v = in.v.Group(s.Path, in.middleware(s.Wares)...)
		} else {
			in.wares = slices.Concat(in.wares, s.Wares)
		}
		return in, true
	}
	path := strings.TrimPrefix(in.prefix, in.at.Path) + s.Path // the same in each version
	answer := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		in.e.Place(r.Header.Get("Twin"), in.at.Version)
		if in.e.Relay(in.root, s, w, r) {
			return
		}
		in.e.Note(r.Header.Get("Twin"), "H%d %s %s %s", s.ID, r.Method, r.URL.EscapedPath(), path)
		s.Answer(w, r)
	})
	handler := http.Handler(answer)
	if s.Opt == "mux" {
		inner := http.NewServeMux()
		inner.Handle("/", answer)
		handler = inner
	}
	if in.isOwn {
		v := in.v.Group("", in.middleware(s.Wares)...)
		if s.Op == "versions" {
			v.HandleVersions(s.Methods[0], s.Path, verso.Handlers[http.HandlerFunc]{
				First: handler.ServeHTTP, Last: handler.ServeHTTP,
			})
		} else {
			v.Handle(s.Methods[0], s.Path, handler)
		}
		return in, false
	}
	around := in.middleware(slices.Concat(in.wares, s.Wares, in.after))
	if handler = Wrap(handler, around...); in.check != nil {
		handler = in.check(handler)
	}
	in.handle(s.Methods[0], in.prefix+s.Path, handler)
	return in, false
}
