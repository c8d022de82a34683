package versogin_test

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/gin-gonic/gin"

	"github.com/goverso/verso/adapters/versogin"
	"github.com/goverso/verso/conformance/twins"
	verso "github.com/goverso/verso/core"
)

// TestTwins compares random programs of Gin with and without Verso.
func TestTwins(t *testing.T) { twins.Run(t, ginTwins) }

var ginTwins = twins.Framework{
	Ways: []twins.Way{
		{Name: "v", Chosen: true},
		{Name: "in", Chosen: true},
		{Name: "routergroup", Below: "/p", Plain: true, Early: true},
		{Name: "versions", Below: "/p", Plain: true, Early: true, Whole: true, Flags: []string{"two", twins.Renamed}},
		{Name: "register", Below: "/p", Plain: true, Whole: true},
		{Name: "each", InPath: true, Chosen: true, Flags: []string{"api", "default"}},
		{Name: "middleware", Plain: true, Checks: true, Early: true},
		{Name: "middlewarepath", InPath: true, Plain: true, Checks: true, Early: true, Flags: []string{"api"}},
		{Name: "param", InPath: true, Param: true, Chosen: true},
	},
	Generate: generateTwin, Fit: twins.WithoutFiles, Build: buildTwin,
	Refused: ginRefused, Mistakes: ginMistakes.Texts(), Allowed: ginAllowed, MostAllowed: 10,
}

var twinFiles = fstest.MapFS{
	"a": {Data: []byte("file a")}, "f": {Data: []byte("file f")}, "d/b": {Data: []byte("file b")}, "a b": {}, "index.html": {Data: []byte("index")},
}

func twinParams(c *gin.Context, named func(string) string) string {
	var text strings.Builder
	for _, p := range c.Params {
		fmt.Fprintf(&text, " %s=%s", named(p.Key), p.Value)
	}
	return text.String()
}

func twinWares(e *twins.Env, wares []twins.Ware) (all []gin.HandlerFunc) {
	for _, w := range wares {
		switch w.Kind {
		case "gzip":
			all = append(all, twinGzip)
			continue
		case "timeout":
			all = append(all, twinTimeout)
			continue
		}
		all = append(all, func(c *gin.Context) {
			twin := c.GetHeader("Twin")
			switch passes := e.Enter(twin, w); {
			case !passes && w.Kind == "ab":
				_ = c.AbortWithError(http.StatusTeapot, http.ErrAbortHandler)
			case !passes:
				c.AbortWithStatus(w.Denial())
			}
			if w.Kind != twins.Behind {
				e.Note(twin, "saw %s%s", c.FullPath(), twinParams(c, w.Named))
			}
			if w.Kind == "next" {
				c.Next()
				written := "written"
				if !c.Writer.Written() {
					written = "unwritten"
				}
				e.Note(twin, "after M%d %d %s", w.ID, c.Writer.Status(), written)
			}
		})
	}
	return twins.Lend(e, all)
}

// twinGzip compresses as a middleware of Gin does.
func twinGzip(c *gin.Context) {
	if c.GetHeader("Accept-Encoding") != "gzip" {
		return
	}
	w := &twinPacked{ResponseWriter: c.Writer, to: gzip.NewWriter(c.Writer)}
	c.Writer = w
	c.Next()
	if w.isBegun {
		_ = w.to.Close()
	}
	c.Writer = w.ResponseWriter
}

type twinPacked struct {
	gin.ResponseWriter
	to      *gzip.Writer
	isBegun bool
}

func (w *twinPacked) Write(body []byte) (int, error) {
	w.isBegun = true
	w.Header().Set("Content-Encoding", "gzip")
	w.Header().Del("Content-Length")
	return w.to.Write(body)
}

func (w *twinPacked) WriteString(body string) (int, error) { return w.Write([]byte(body)) }

// twinTimeout runs the rest in another goroutine and holds what it writes, as a timeout for Gin does.
func twinTimeout(c *gin.Context) {
	w := &twinHeld{ResponseWriter: c.Writer, header: c.Writer.Header().Clone(), status: c.Writer.Status()}
	c.Writer = w
	ended := make(chan any, 1)
	go func() {
		defer func() { ended <- recover() }()
		c.Next()
	}()
	cause := <-ended
	if c.Writer = w.ResponseWriter; cause != nil {
		panic(cause)
	}
	clear(c.Writer.Header())
	maps.Copy(c.Writer.Header(), w.header)
	c.Writer.WriteHeader(w.status)
	if w.body.Len() > 0 { // else compression outside sets its field too late
		_, _ = c.Writer.Write(w.body.Bytes())
	} else if w.Written() {
		c.Writer.WriteHeaderNow()
	}
}

type twinHeld struct {
	gin.ResponseWriter
	header  http.Header
	status  int
	body    bytes.Buffer
	isBegun bool
}

func (w *twinHeld) Header() http.Header    { return w.header }
func (w *twinHeld) WriteHeader(status int) { w.status = status }
func (w *twinHeld) WriteHeaderNow()        { w.isBegun = true }
func (w *twinHeld) Status() int            { return w.status }
func (w *twinHeld) Written() bool          { return w.isBegun }

func (w *twinHeld) Size() int {
	if !w.isBegun {
		return -1
	}
	return w.body.Len()
}

func (w *twinHeld) Write(body []byte) (int, error) {
	w.isBegun = true
	return w.body.Write(body)
}

func (w *twinHeld) WriteString(body string) (int, error) { return w.Write([]byte(body)) }

// twinIn is where statements of Gin are registered.
type twinIn struct {
	e      *twins.Env
	engine *gin.Engine
	g      *gin.RouterGroup
	v      *versogin.Routes // nil: with Gin alone
	inner  bool             // v registers with groups of Gin, by In
	beside *gin.RouterGroup // of Gin at the path of v, without the middleware of its groups
	after  []twins.Ware     // of Gin alone, behind where the check is
	at     twins.Prefix

	choice *twins.Choice    // of PerRoute, nil: v has the options
	top    *twins.Statement // with the options
}

func (i twinIn) all(body []*twins.Statement) { allIn(body, i) }

// allIn registers statements in several places, one after another as EachVersion does. The order decides what Gin
// lists in Allow: beside a parameter, it finds some paths in the tree of a method that does not have them.
func allIn(body []*twins.Statement, places ...twinIn) {
	places[0].e.Each(body, func(s *twins.Statement) {
		var groups []twinIn
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

// restoresHandlers reports whether HandleContext gives a request its own handlers back. Older versions of Gin go on in
// those of the other route, at the place in the first ones: the numbers of handlers decide what runs twice, with Gin
// alone as well.
var restoresHandlers = sync.OnceValue(func() bool {
	r, runs := gin.New(), 0
	next := func(*gin.Context) {}
	r.GET("/b", next, next, func(*gin.Context) { runs++ })
	r.GET("/a", func(c *gin.Context) {
		c.Request.URL.Path = "/b"
		r.HandleContext(c)
	})
	r.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/a", nil))
	return runs == 1
})

func (i twinIn) handler(s *twins.Statement) gin.HandlerFunc {
	return func(c *gin.Context) {
		twin := c.GetHeader("Twin")
		i.e.Place(twin, cmp.Or(i.at.Version, placeOf(c)))
		to, forwards := strings.CutPrefix(s.Opt, "forward ")
		isFirst := !strings.Contains(strings.Join(i.e.Trace(twin), " "), "forwards")
		if forwards && isFirst {
			i.e.Note(twin, "H%d forwards", s.ID)
			parts := strings.SplitN("/"+strings.TrimLeft(c.Request.URL.Path, "/"), "/", 4)
			if len(parts) > 1 && len(parts[1]) == 2 && parts[1][0] == 'v' {
				to = "/" + parts[1] + to
			} else if len(parts) > 2 && parts[1] == "api" {
				to = "/api/" + parts[2] + to
			}
			c.Request.URL.Path, c.Request.URL.RawPath = to, ""
			i.engine.HandleContext(c)
			return
		}
		for _, param := range c.Params {
			i.e.Value(twin, versogin.Param(c, param.Key))
		}
		i.e.Note(twin, "H%d %s %s %s%s aborted=%v", s.ID, c.Request.Method, c.Request.URL.Path, c.FullPath(), twinParams(c, s.Named), c.IsAborted())
		s.Fields(c.Header)
		c.Request.Header.Set(twins.VersionField, twins.Unknown)
		c.String(s.StatusCode(), "H%d", s.ID)
	}
}

// one registers a statement. For a group, it returns where the statements of the group are registered.
func (i twinIn) one(s *twins.Statement) (group twinIn, ok bool) {
	if i.at.Version != "" && !i.at.Has(s) {
		return i, false
	}
	switch {
	case s.By == twins.ByFramework:
		i.v, i.g, i.after = nil, &i.engine.RouterGroup, nil
	case i.v != nil && i.choice != nil:
		i.top = cmp.Or(i.top, s)
		i.choice.Set(s, i.top)
	case i.v != nil:
		i.v = twins.Optioned(i.v, s)
	}
	v := i.v
	if v != nil && i.inner {
		v = v.In(i.g)
	}
	var routes gin.IRoutes = i.g
	if v != nil {
		routes = v
	}
	wares := twinWares(i.e, s.Wares)
	isFiles := s.Op == "static" || s.Op == "file"
	var behind []gin.HandlerFunc
	if v == nil || isFiles {
		behind = twinWares(i.e, i.after)
	}
	handlers := append(slices.Concat(wares, behind), i.handler(s))
	switch s.Op {
	case twins.Mistake:
		if i.v != nil {
			ginMistakes.Make(s, i.v)
		}
	case "handle":
		if add, ok := twins.Verb[func(string, ...gin.HandlerFunc) gin.IRoutes](routes, s); ok {
			add(s.Path, handlers...)
		} else {
			routes.Handle(s.Methods[0], s.Path, handlers...)
		}
	case "versions":
		if v != nil {
			v.HandleVersions(s.Methods[0], s.Path, versogin.Handlers{twins.First: i.handler(s), twins.Last: i.handler(s)}, wares...)
		} else {
			routes.Handle(s.Methods[0], s.Path, handlers...)
		}
	case "any":
		routes.Any(s.Path, handlers...)
	case "match":
		routes.Match(s.Methods, s.Path, handlers...)
	case "static", "file":
		if behind = append(slices.Clip(behind), i.noted(s)); v != nil {
			routes = v.AfterCheck(behind...)
		} else {
			routes = i.g.Group("", behind...)
		}
		if s.Op == "static" {
			routes.StaticFS(s.Path, http.FS(twinFiles))
		} else if s.ID%2 == 0 {
			routes.StaticFile(s.Path, "router.go")
		} else {
			routes.StaticFileFS(s.Path, "a", http.FS(twinFiles))
		}
	case "use":
		i.use(wares)
	case "group":
		switch {
		case v == nil || i.inner:
			i.g = i.g.Group(s.Path, wares...)
		case s.Opt == "in":
			i.beside = i.beside.Group(s.Path, wares...)
			i.v = v.In(i.beside)
		default:
			i.v, i.beside = v.Group(s.Path, wares...), i.beside.Group(s.Path)
		}
		return i, true
	}
	return i, false
}

// placeOf returns the version in the path of a handler. An empty segment names none that is served.
func placeOf(c *gin.Context) string {
	if version, ok := c.Params.Get("version"); ok {
		return cmp.Or(version, twins.Unknown)
	}
	return ""
}

// noted notes that Gin's own handler runs.
func (i twinIn) noted(s *twins.Statement) gin.HandlerFunc {
	return func(c *gin.Context) {
		i.e.Place(c.GetHeader("Twin"), cmp.Or(i.at.Version, placeOf(c)))
		i.e.Note(c.GetHeader("Twin"), "H%d files %s%s", s.ID, c.FullPath(), twinParams(c, s.Named))
	}
}

func (i twinIn) use(wares []gin.HandlerFunc) {
	switch {
	case i.v != nil && !i.inner:
		i.v.With().Use(wares...)
	case i.g == &i.engine.RouterGroup:
		i.engine.Use(wares...)
	default:
		i.g.Use(wares...)
	}
}

func twinConfig(p *twins.Program) (config versogin.Config) {
	if p.Has(twins.Skips) {
		config.Skipper = func(c *gin.Context) bool { return c.GetHeader(twins.SkipField) != "" }
	}
	if p.Has(twins.Answers) {
		config.ErrorHandler = func(c *gin.Context, _ *verso.Error, _ *verso.Answer) (err error) {
			if text := twins.Answer(c.GetHeader("Twin")); text != "" {
				_, err = c.Writer.WriteString(text)
			}
			return err
		}
	}
	return config
}

func buildTwin(p *twins.Program, api *verso.Versioning, e *twins.Env) twins.Server {
	r := gin.New()
	r.HandleMethodNotAllowed, r.RedirectTrailingSlash, r.RedirectFixedPath = p.Has("405"), !p.Has("noredirect"), p.Has("fixed")
	r.RemoveExtraSlash, r.UseRawPath, r.UnescapePathValues = p.Has("extra"), p.Has("raw"), !p.Has("nounescape")
	if escaped := useEscapedPath(r); escaped.IsValid() {
		escaped.SetBool(p.Has("escaped"))
	}
	var v *versogin.Routes
	if api != nil {
		v = versogin.New(r, api, twinConfig(p))
	}
	r.Use(twinWares(e, p.Wares)...)
	bare := twinIn{e: e, engine: r, g: &r.RouterGroup, beside: &r.RouterGroup}
	if v != nil && p.Has(twins.Rewritten) {
		r.Use(v.RewriteErrors())
		v = v.Rewrite(twins.Same{})
	}
	if v != nil && p.Way == "each" {
		half := len(p.Each) / 2
		v = v.Group("", twinWares(e, p.Each[:half])...).EachVersion(twinWares(e, p.Each[half:])...).Group(p.Base())
		bare.beside = r.Group(p.Base())
	}
	if v != nil && p.Way == "param" {
		v, bare.beside = v.Group("/:version"), r.Group("/:version")
	}
	switch {
	case v != nil && p.Has(twins.PerRoute):
		bare.choice, bare.after = new(twins.Choice), p.After
		v = v.PerRoute(func(v *versogin.Routes, method, path string) *versogin.Routes {
			s := bare.choice.Of(method, path)
			if !bare.choice.IsFiles() {
				v = v.AfterCheck(twinWares(e, p.After)...)
			}
			return twins.Optioned(v, s)
		})
	case v != nil && len(p.After) > 0:
		v = v.AfterCheck(twinWares(e, p.After)...)
	default:
		bare.after = p.After
	}
	if v != nil && strings.HasPrefix(p.Way, "middleware") {
		r.Use(v.Middleware())
	}
	if p.Has(twins.Late) { // or Gin panics, in a context older than a route with more segments
		r.Handle("PURGE", "/zz/:a/:b/:c/:d/:e/:f/:g/:h/:i", func(*gin.Context) {})
	}
	var noRoute, noMethod []gin.HandlerFunc
	if v != nil && p.Has("v.NotFound") {
		noRoute, noMethod = append(noRoute, v.NotFound()), append(noMethod, v.NotFound())
	}
	register := registrar(p, v, bare)
	var rest []*twins.Statement
	flush := func() { register(rest); rest = nil }
	for i, s := range p.Body {
		if p.IsHalf(i) {
			flush()
			twins.Serve(r).Send(twins.Early)
		}
		own := func(c *gin.Context) {
			e.Note(c.GetHeader("Twin"), "N%d", s.ID)
			c.String(c.Writer.Status(), "N%d", s.ID)
		}
		switch {
		case s.Op == "noroute":
			noRoute = append(noRoute, own)
		case s.Op == "nomethod":
			noMethod = append(noMethod, own)
		case s.By == twins.ByFramework:
			flush()
			bare.all([]*twins.Statement{s})
		default:
			rest = append(rest, s)
		}
	}
	flush()
	if len(noRoute) > 0 {
		r.NoRoute(noRoute...)
	}
	if len(noMethod) > 0 {
		r.NoMethod(noMethod...)
	}
	if v != nil {
		_ = v.Explain()
	}
	return twins.Serve(r).Linked(v.Link)
}

// registrar returns what registers statements in the way of a program.
func registrar(p *twins.Program, v *versogin.Routes, bare twinIn) func([]*twins.Statement) {
	in := bare
	switch {
	case p.Way == "middlewarepath", p.Way == "each" && v == nil:
		var groups []twinIn
		for _, in.at = range p.Prefixes() {
			in.g = bare.g.Group(in.at.Path, twinWares(bare.e, p.Each)...)
			groups = append(groups, in)
		}
		return func(body []*twins.Statement) { allIn(body, groups...) }
	case p.Way == "each":
		in.v = v
	case v == nil && p.Way == "param":
		in.g = bare.g.Group("/:version")
	case v == nil && (p.Way == "routergroup" || p.Way == "versions" || p.Way == "register"):
		in.g = bare.g.Group("/p")
	case p.Way == "routergroup":
		in.g = v.Group("/p").RouterGroup("")
	case p.Way == "versions":
		return func(body []*twins.Statement) {
			if len(body) > 0 {
				v.Group("/p").RegisterVersions(twins.VersionsFor(p, body, func(r gin.IRouter, body []*twins.Statement) { in.g = r.Group(""); in.all(body) }))
			}
		}
	case p.Way == "register":
		return func(body []*twins.Statement) {
			if len(body) > 0 {
				v.Group("/p").Register(func(g *gin.RouterGroup) { in.g = g; in.all(body) })
			}
		}
	case v == nil, p.Way == "middleware":
	default:
		in.v, in.inner = v, p.Way == "in"
	}
	return in.all
}

func generateTwin(g *twins.Gen) *twins.Program {
	p := &twins.Program{Wares: g.Wares(3, "next", "ab", "gzip", "timeout"), Body: twinBody(g, 2, true)}
	for _, flag := range []string{"405", "noredirect", "fixed", "extra", "raw", "escaped", "nounescape", "v.NotFound"} {
		if g.OneIn(2) {
			p.Flags = append(p.Flags, flag)
		}
	}
	if g.OneIn(6) {
		p.Flags = append(p.Flags, twins.Late)
	}
	for _, op := range []string{"noroute", "nomethod"} {
		if g.OneIn(4) {
			p.Body = append(p.Body, &twins.Statement{Op: op, ID: g.Next()})
		}
	}
	return p
}

func twinMethod(g *twins.Gen) string {
	return twins.One(g, "GET", "GET", "GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "OPTIONS", "OPTIONS", "PATCH", "TRACE", "PURGE")
}

func twinBody(g *twins.Gen, depth int, top bool) (all []*twins.Statement) {
	path := func() string {
		return twins.One(g, "/", "", "/a", "/b", "/:id", "/a/:id", "/:x/b", "/f/*y", "/a/", "/a/b", "/:id/:x", "a", "/b/*y", "/s/t")
	}
	for range 1 + g.IntN(5) {
		s := &twins.Statement{ID: g.Next()}
		kind := g.IntN(15)
		if depth == 0 && kind >= 11 {
			kind = g.IntN(11)
		}
		if !top && len(all) == 0 && g.OneIn(4) { // of a group
			kind = 10
		}
		switch {
		case kind < 5:
			s.Op, s.Path, s.Wares, s.Methods = "handle", path(), g.Wares(2, "next", "ab", "gzip", "timeout"), []string{twinMethod(g)}
			if g.OneIn(8) && restoresHandlers() {
				s.Opt = "forward " + twins.One(g, "/a", "/b", "/a/7", "/f/g")
			}
		case kind == 5:
			s.Op, s.Path, s.Wares = "any", path(), g.Wares(1)
		case kind == 6:
			s.Op, s.Path, s.Wares, s.Methods = "match", path(), g.Wares(1), slices.Compact([]string{twinMethod(g), twinMethod(g)})
		case kind == 7:
			s.Op, s.Path = twins.One(g, "static", "file"), twins.One(g, "/s", "/d", "/a/s", "/s")
		case kind == 8:
			s.Op, s.Path, s.Wares, s.Methods, s.Only = "versions", path(), g.Wares(1), []string{twinMethod(g)}, twins.Both
		case kind < 11:
			if s.Op, s.Wares = "use", g.Wares(2, "next", "ab"); len(s.Wares) == 0 {
				continue
			}
		default:
			s.Op, s.Path = "group", twins.One(g, "/a", "/b", "/s", "/:x", "", "/", "/a/", "/g/h")
			s.Wares, s.Body, s.Opt = g.Wares(2, "next"), twinBody(g, depth-1, false), twins.One(g, "", "", "in")
			if s.Path == "/" { // Gin's group is as its root: In cannot know that it has a slash
				s.Opt = ""
			}
		}
		if top && s.Op != "use" {
			g.Top(s)
		}
		if top && s.Op == "static" && g.OneIn(2) { // Gin asks NotFound for files that are not there
			s.By, s.Only = twins.ByFramework, ""
		}
		all = append(all, s)
	}
	return all
}

var ginRefused = []twins.Refusal{
	{Text: "the routes would lose the middleware of their group", Page: "routes.go#Routes.In",
		Quote: "It panics if r is a group with middleware that the other does not begin with"},
	{Text: "registers no route", Page: "mount.go#Routes.RegisterVersions", Quote: "if a function registers nothing"},
	{Text: "so that handler is never called", Page: "routes.go#Routes", Quote: "if an option contradicts another"},
	{Text: "twice: remove either", Page: "mount.go#Routes.RegisterVersions", Quote: "a route twice"},
	{Text: "a route is either neutral or in some versions", Page: "routes.go#Routes", Quote: "if an option contradicts another"},
	{Text: "but the route is there", Page: "routes.go#Routes", Quote: "if an option contradicts another"},
	{Text: "a folder is served by its path", Page: "mount.go#Routes.RegisterVersions", Quote: "a folder"},
	{Text: "routers disagree about which one wins", Page: "../../core/adapter/binding.go#Binding.Forms", Quote: "with a parameter in the place of the version"},
}

var ginMistakes = twins.MistakesOf(mistaken, twins.Mistakes[*versogin.Routes]{
	"a handler is nil or missing":       func(v *versogin.Routes) { v.GET("/m") },
	"Group /m: a middleware is nil":     func(v *versogin.Routes) { v.Group("/m", nil) },
	"Use: a middleware is nil":          func(v *versogin.Routes) { v.Group("/m").Use(nil) },
	"AfterCheck: a middleware is nil":   func(v *versogin.Routes) { v.AfterCheck(nil) },
	"In: the group is nil":              func(v *versogin.Routes) { v.In(nil) },
	"is of another engine":              func(v *versogin.Routes) { v.In(&gin.New().RouterGroup) },
	"Register: the function is nil":     func(v *versogin.Routes) { v.Register(nil) },
	"registers no route with its group": func(v *versogin.Routes) { v.Register(func(*gin.RouterGroup) {}) },
	"a group of Gin's own has one path": func(*versogin.Routes) { newPrefixed().EachVersion().RouterGroup("/m") },
	"are not rewritten":                 func(*versogin.Routes) { newPrefixed().Rewrite(twins.Same{}).RouterGroup("/m") },
	"have the same options": func(*versogin.Routes) {
		newPrefixed().PerRoute(func(v *versogin.Routes, _, _ string) *versogin.Routes { return v }).RouterGroup("/m")
	},
})

func newPrefixed() *versogin.Routes {
	_, v := newRoutes(false, verso.MustNew(verso.PathPrefix("/{version}"), twoVersions))
	return v
}

func mistaken(v *versogin.Routes) { v.Handle(http.MethodTrace, "/m", func(*gin.Context) {}) }

var ginAllowed = []twins.Allowance{
	{Name: "HandleContext of a rewritten route", Page: "rewrite.go#Routes.Rewrite",
		Quote: "While an older version is served, a route with a check answers such a request with status 500",
		Matches: func(p *twins.Program, r twins.Request, bare, own twins.Outcome, kind string) bool {
			isForward := func(note string) bool { return strings.HasSuffix(note, " forwards") }
			ran := len(own.Handlers()) // up to the one that forwards
			return p.MayRewrite(r, bare) && kind != twins.LostGuard && own.Status == http.StatusInternalServerError &&
				slices.ContainsFunc(own.Trace, isForward) && ran > 0 && ran < len(bare.Handlers()) && slices.Equal(own.Handlers(), bare.Handlers()[:ran])
		}},
	twins.AllowOfVersion,
}
