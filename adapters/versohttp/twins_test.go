package versohttp_test

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/goverso/verso/adapters/versohttp"
	"github.com/goverso/verso/conformance/twins"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/scheme"
)

// TestTwins compares random programs of net/http with and without Verso.
func TestTwins(t *testing.T) { twins.Run(t, httpTwins) }

var httpTwins = twins.Framework{
	Ways: []twins.Way{
		{Name: "v", Chosen: true},
		{Name: "serve"},
		{Name: "versions", Plain: true, Early: true, Whole: true, Flags: []string{"two", twins.Renamed}},
		{Name: "each", InPath: true, Chosen: true, Flags: []string{"api", "default"}},
		{Name: "param", InPath: true, Param: true, Chosen: true},
		{Name: "middleware", Plain: true, Checks: true, Early: true},
		{Name: "perhandler", Plain: true, Checks: true, Early: true},
		{Name: "middlewarepath", InPath: true, Plain: true, Checks: true, Early: true, Flags: []string{"api"}},
	},
	Generate: generateTwin, Fit: fitTwin, Build: buildTwin,
	Refused: httpRefused, Mistakes: httpMistakes.Texts(), Allowed: httpAllowed, MostAllowed: 10,
}

var twinFiles = fstest.MapFS{
	"a": {Data: []byte("file a")}, "f": {Data: []byte("file f")}, "d/b": {Data: []byte("file b")}, "a b": {}, "index.html": {Data: []byte("index")},
}

// twinIn is where statements are registered.
type twinIn struct {
	e      *twins.Env
	mux    versohttp.Mux
	v      *versohttp.Routes // nil: with a ServeMux alone
	prefix string
	wares  []twins.Ware
	after  []twins.Ware                    // of a ServeMux alone, behind where the check is
	check  func(http.Handler) http.Handler // around each handler
	at     twins.Prefix

	choice *twins.Choice    // of PerRoute, nil: v has the options
	top    *twins.Statement // with the options
}

func (i twinIn) all(body []*twins.Statement) { i.e.Each(body, i.one) }

func (i twinIn) wrap(wares []twins.Ware) (all []func(http.Handler) http.Handler) {
	for _, w := range wares {
		all = append(all, i.e.Around(w))
	}
	return twins.Lend(i.e, all)
}

func (i twinIn) one(s *twins.Statement) {
	if i.at.Version != "" && !i.at.Has(s) {
		return
	}
	switch {
	case s.By == twins.ByFramework:
		i.v, i.after = nil, nil
	case i.v != nil && i.choice != nil:
		i.top = cmp.Or(i.top, s)
		i.choice.Set(s, i.top)
	case i.v != nil:
		i.v = twins.Optioned(i.v, s)
	}
	if s.Op == twins.Mistake {
		if i.v != nil {
			httpMistakes.Make(s, i.v)
		}
		return
	}
	if s.Op == "group" {
		if i.v != nil {
			i.v = i.v.Group(s.Path, i.wrap(s.Wares)...)
		} else {
			i.prefix, i.wares = i.prefix+s.Path, slices.Concat(i.wares, s.Wares)
		}
		i.all(s.Body)
		return
	}
	h, pattern := i.handler(s), s.Path
	if s.ID%4 == 0 { // as a ServeMux takes it, too
		pattern = strings.Replace(pattern, " ", "\t", 1)
	}
	if i.v == nil {
		h = twins.Wrap(h, i.wrap(slices.Concat(i.wares, s.Wares, i.after))...)
		if i.check != nil {
			h = i.check(h)
		}
		i.mux.Handle(i.pattern(pattern), h)
		return
	}
	if s.Opt == "versions" {
		i.v.HandleVersions(pattern, versohttp.Handlers{twins.First: h.ServeHTTP, twins.Last: h.ServeHTTP}, i.wrap(s.Wares)...)
		return
	}
	if len(s.Wares) > 0 {
		i.v = i.v.Group("", i.wrap(s.Wares)...)
	}
	i.v.Handle(pattern, h)
}

// pattern returns the pattern of a ServeMux that a group under the prefix would have.
func (i twinIn) pattern(path string) string {
	before, rest, found := strings.Cut(path, "/")
	if found {
		return before + i.prefix + "/" + rest
	}
	return strings.TrimSpace(path + " " + i.prefix)
}

func (i twinIn) handler(s *twins.Statement) http.Handler {
	h := func(inner http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			twin := r.Header.Get("Twin")
			i.e.Place(twin, cmp.Or(i.at.Version, r.PathValue("version")))
			if i.e.Relay(i.mux, s, w, r) {
				return
			}
			var text strings.Builder
			for _, name := range []string{"id", "x", "y", "rest"} {
				if strings.Contains(r.Pattern, "{"+name) {
					fmt.Fprintf(&text, " %s=%s", name, r.PathValue(s.Named(name)))
				}
			}
			i.e.Note(twin, "H%d %s %s %s%s", s.ID, r.Method, r.URL.EscapedPath(), strings.ReplaceAll(r.Pattern, "\t", " "), text.String())
			inner.ServeHTTP(w, r)
		})
	}
	mux := http.NewServeMux()
	switch s.Opt {
	case "mux":
		twinIn{e: i.e, mux: mux}.all(s.Body)
		return h(mux)
	case "strip":
		twinIn{e: i.e, mux: mux}.all(s.Body)
		_, path, _ := strings.Cut(s.Path, "/")
		return h(strippedThrough(strings.TrimSuffix("/"+path, "/"), mux))
	case "files":
		return h(http.FileServer(http.FS(twinFiles)))
	}
	return h(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.Answer(w, r)
	}))
}

// strippedThrough strips all up to and including a text.
func strippedThrough(text string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if at := strings.Index(r.URL.Path, text); at >= 0 {
			http.StripPrefix(r.URL.Path[:at+len(text)], next).ServeHTTP(w, r)
			return
		}
		http.NotFound(w, r)
	})
}

func buildTwin(p *twins.Program, api *verso.Versioning, e *twins.Env) twins.Server {
	mux := http.NewServeMux()
	var v *versohttp.Routes
	var handler, page http.Handler = mux, http.NotFoundHandler()
	if p.Has("page405") {
		answer := twins.Statement{Status: http.StatusMethodNotAllowed}
		page = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { answer.Answer(w, r) })
	}
	isTimeout := func(w twins.Ware) bool { return w.Kind == "timeout" } // which cannot flush
	if p.Has("flush") && (p.Way == "v" || p.Way == "each") && !slices.ContainsFunc(p.Wares, isTimeout) {
		handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if mux.ServeHTTP(w, r); http.NewResponseController(w).Flush() != nil {
				e.Note(r.Header.Get("Twin"), "unflushed")
			}
		})
	}
	hasPage := p.Has("page") && !strings.HasPrefix(p.Way, "middleware") // which would check it
	if api != nil {
		v = versohttp.New(mux, api, versohttp.Config(p.Config()))
		switch p.Way {
		case "middleware", "middlewarepath":
			handler = v.Middleware()(handler)
		case "serve":
			handler = v
		}
		switch {
		case p.Has("v.NotFound") && hasPage:
			page = v.NotFound()(page)
		case p.Has("v.NotFound"):
			handler = v.NotFound()(handler)
		}
	}
	if hasPage {
		mux.Handle("/", page)
	}
	bare := twinIn{e: e, mux: mux}
	if v != nil && p.Has(twins.Rewritten) {
		handler = v.RewriteErrors()(handler)
		v = v.Rewrite(twins.Same{})
	}
	if v != nil && p.Way == "each" {
		half := len(p.Each) / 2
		v = v.Group("", bare.wrap(p.Each[:half])...).EachVersion(bare.wrap(p.Each[half:])...).Group(p.Base())
	}
	if v != nil && p.Has("checked") && p.Way != "versions" { // the middleware leaves the decision to the routes
		v = v.Group("", v.Middleware())
	}
	if v != nil && p.Way == "param" {
		v = v.Group("/{version}")
	}
	switch {
	case v != nil && p.Has(twins.PerRoute):
		bare.choice = new(twins.Choice)
		v = v.PerRoute(func(v *versohttp.Routes, method, path string) *versohttp.Routes {
			return twins.Optioned(v.AfterCheck(bare.wrap(p.After)...), bare.choice.Of(method, path))
		})
	case v != nil && len(p.After) > 0:
		v = v.AfterCheck(bare.wrap(p.After)...)
	default:
		bare.after = p.After
	}
	if p.Way == "perhandler" && v != nil {
		bare.check = v.Middleware()
	}
	var rest []*twins.Statement
	for i, s := range p.Body {
		if p.IsHalf(i) {
			buildWay(p, v, bare, rest)
			twins.Serve(handler).Send(twins.Early)
			rest = nil
		}
		if s.By == twins.ByFramework && p.Way != "versions" {
			bare.all([]*twins.Statement{s})
		} else {
			rest = append(rest, s)
		}
	}
	buildWay(p, v, bare, rest)
	if v != nil {
		_ = v.Explain()
	}
	return twins.Serve(twins.Wrap(handler, bare.wrap(p.Wares)...)).Linked(v.Link)
}

// buildWay registers the statements in the way of a program.
func buildWay(p *twins.Program, v *versohttp.Routes, bare twinIn, rest []*twins.Statement) {
	switch {
	case p.Way == "param" && v == nil:
		bare.prefix = "/{version}"
		bare.all(rest)
	case p.Way == "middlewarepath", p.Way == "each" && v == nil:
		for _, bare.at = range p.Prefixes() {
			bare.prefix, bare.wares = bare.at.Path, p.Each
			bare.all(rest)
		}
	case p.Way == "each":
		twinIn{e: bare.e, mux: bare.mux, choice: bare.choice, v: v}.all(rest)
	case v == nil, p.Way == "middleware", p.Way == "perhandler":
		bare.all(rest)
	case p.Way == "versions":
		if len(rest) > 0 {
			v.RegisterVersions(twins.VersionsFor(p, rest, func(m versohttp.Mux, body []*twins.Statement) { twinIn{e: bare.e, mux: m}.all(body) }))
		}
	default:
		twinIn{e: bare.e, mux: bare.mux, choice: bare.choice, v: v}.all(rest)
	}
}

func generateTwin(g *twins.Gen) *twins.Program {
	p := &twins.Program{Wares: g.Wares(2, "gzip", "timeout"), Body: twinBody(g, 2, true)}
	if g.OneIn(2) {
		p.Flags = append(p.Flags, "v.NotFound")
	}
	if g.OneIn(4) {
		p.Flags = append(p.Flags, "page")
	}
	for _, flag := range []string{"page405", "flush", "checked", twins.Late} {
		if g.OneIn(2) {
			p.Flags = append(p.Flags, flag)
		}
	}
	return p
}

// fitTwin leaves out what sends a request to the ServeMux, where the check is around that, or a function has another.
func fitTwin(p *twins.Program) {
	twins.Each(p.Body, func(s *twins.Statement) {
		if (strings.HasPrefix(p.Way, "middleware") || p.Way == "versions") && strings.Contains(s.Opt, " ") {
			s.Opt = ""
		}
	})
}

func twinPattern(g *twins.Gen, inGroup bool) string {
	if inGroup && g.OneIn(8) {
		return twins.One(g, "GET", "POST", "")
	}
	return twins.One(g, "", "", "GET ", "GET ", "GET ", "POST ", "PUT ", "DELETE ", "HEAD ", "OPTIONS ", "PATCH ", "PURGE ") +
		twins.One(g, "", "", "", "", "a.example") +
		twins.One(g, "/", "/{$}", "/a", "/b", "/{id}", "/a/{id}", "/{x}/b", "/f/{rest...}", "/a/", "/a/b", "/{id}/{x}", "/b/{$}", "/s/t",
			"/{rest...}", "/{id}/", "/a%2Fb", "/é")
}

func twinBody(g *twins.Gen, depth int, top bool) (all []*twins.Statement) {
	for range 1 + g.IntN(5) {
		s := &twins.Statement{ID: g.Next(), Op: "handle", Path: twinPattern(g, !top), Wares: g.Wares(2, "gzip", "timeout")}
		switch kind := g.IntN(13); {
		case kind > 10:
			s.Opt = twins.One(g, "forward ", "relay ") + twins.One(g, "/a", "/b", "/a/7", "/f/g")
		case kind == 0:
			s.Opt, s.Path = "files", twins.One(g, "/d/", "GET /s/", "/")
		case kind == 1:
			s.Opt, s.Only = "versions", twins.Both
		case kind < 4 && depth > 0:
			s.Opt, s.Path = twins.One(g, "mux", "strip"), twins.One(g, "", "GET ")+twins.One(g, "/a/", "/s/", "/{x}/b/", "/")
			s.Body = plain(twinBody(g, depth-1, true), "")
		case kind < 7 && depth > 0:
			s.Op, s.Path = "group", twins.One(g, "/a", "/b", "/s", "/{x}", "", "/g/h")
			s.Wares, s.Body = g.Wares(2, "gzip", "timeout"), twinBody(g, depth-1, false)
			if s.Path == "" { // as at the top
				s.Body = plain(twinBody(g, depth-1, true), twins.Both)
			}
		}
		if top {
			g.Top(s)
		}
		if top && strings.Contains(s.Opt, " ") && g.OneIn(3) { // which sends whatever version
			s.By, s.Only = twins.ByNeutral, ""
		}
		all = append(all, s)
	}
	return all
}

// plain returns statements that are not at the top. Those for versions stay so if only is [twins.Both].
func plain(body []*twins.Statement, only string) []*twins.Statement {
	for _, s := range body {
		if s.By = twins.ByVerso; s.Opt != "versions" {
			s.Only = ""
		} else {
			s.Only = only
		}
		plain(s.Body, only)
	}
	return body
}

var httpRefused = []twins.Refusal{
	{Text: "the route is registered twice", Page: "routes.go#Routes", Quote: "if the route exists already"},
	{Text: "twice: remove either", Page: "mount.go#Routes.RegisterVersions", Quote: "a route twice"},
	{Text: "registers no route", Page: "mount.go#Routes.RegisterVersions", Quote: "if a function registers nothing"},
	{Text: "so that handler is never called", Page: "routes.go#Routes", Quote: "if an option contradicts another"},
	{Text: "a route is either neutral or in some versions", Page: "routes.go#Routes", Quote: "if an option contradicts another"},
	{Text: "but the route is there", Page: "routes.go#Routes", Quote: "if an option contradicts another"},
	{Text: "routers disagree about which one wins", Page: "../../core/adapter/binding.go#Binding.Forms", Quote: "with a parameter in the place of the version"},
}

var httpMistakes = twins.MistakesOf(mistaken, twins.Mistakes[*versohttp.Routes]{
	"write the prefix like":              func(v *versohttp.Routes) { v.Group("m") },
	"the handler is nil":                 func(v *versohttp.Routes) { v.Handle("TRACE /m", http.HandlerFunc(nil)) },
	"a middleware is nil":                func(v *versohttp.Routes) { mistaken(v.Group("", nil)) },
	"a middleware returns a nil handler": func(v *versohttp.Routes) { mistaken(v.AfterCheck(toNil)) },
	"HTTP methods are in upper case":     func(v *versohttp.Routes) { v.HandleVersions("Get /m", versohttp.Handlers{"v1": nil}) },
	`write the prefix like "/v1"`:        func(v *versohttp.Routes) { v.Group("/m/") },
	`"POST" would be a host`:             func(v *versohttp.Routes) { v.HandleFunc("POST/m", http.NotFound) },
	"needs a name: write v.Name":         func(v *versohttp.Routes) { v.LinkOnly("/m") },
	"Middleware: the handler is nil":     func(v *versohttp.Routes) { v.Middleware()((*http.ServeMux)(nil)) },
	"NotFound: the handler is nil":       func(v *versohttp.Routes) { v.NotFound()(nil) },
	"read from the namespaces of routes": inNamespace,
	"the function has returned: register it": func(*versohttp.Routes) {
		var kept versohttp.Mux
		newRoutes(verso.MustNew(verso.Header("V"), twoVersions)).RegisterVersions(map[string]func(versohttp.Mux){
			"v1": func(m versohttp.Mux) { kept = m; m.HandleFunc("/m", http.NotFound) },
		})
		kept.HandleFunc("/m/m", http.NotFound)
	},
})

func mistaken(v *versohttp.Routes) { v.HandleFunc("TRACE /m", http.NotFound) }

func toNil(http.Handler) http.Handler { return nil }

// inNamespace puts Middleware around a handler whose routes have no namespaces.
func inNamespace(v *versohttp.Routes) {
	api := verso.Must(scheme.NewNamespace(twoVersions))
	versohttp.New(http.NewServeMux(), api).Middleware()(v)
}

var httpAllowed = []twins.Allowance{
	twins.AllowOfVersion,
}
