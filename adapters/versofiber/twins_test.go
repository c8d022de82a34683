package versofiber_test

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"log"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/gofiber/fiber/v3"
	"github.com/gofiber/fiber/v3/middleware/compress"
	"github.com/gofiber/fiber/v3/middleware/static"
	"github.com/gofiber/fiber/v3/middleware/timeout"
	"github.com/valyala/fasthttp"

	"github.com/goverso/verso/adapters/versofiber"
	"github.com/goverso/verso/conformance/twins"
	verso "github.com/goverso/verso/core"
)

// TestTwins compares random programs of Fiber with and without Verso.
func TestTwins(t *testing.T) { twins.Run(t, fiberTwins) }

var fiberTwins = twins.Framework{
	Ways: []twins.Way{
		{Name: "v", Chosen: true},
		{Name: "in", Chosen: true},
		{Name: "routergroup", Below: "/p", Plain: true},
		{Name: "versions", Below: "/p", Plain: true, Early: true, Whole: true, Flags: []string{"two"}},
		{Name: "each", InPath: true, Chosen: true, Flags: []string{"api", "default"}},
		{Name: "param", InPath: true, Param: true, Chosen: true, Flags: []string{"optional", "default"}},
		{Name: "mounted", Below: "/p"},
	},
	Generate: generateTwin, Fit: fitTwin, Build: buildTwin,
	ChecksAnswers: true, Refused: fiberRefused, Mistakes: fiberMistakes.Texts(), Allowed: fiberAllowed, MostAllowed: 40,
}

func twinParams(c fiber.Ctx) string {
	var text strings.Builder
	for _, name := range c.Route().Params {
		fmt.Fprintf(&text, " %s=%s", name, c.Params(name))
	}
	return text.String()
}

func twinWares(e *twins.Env, wares []twins.Ware) (all []any) {
	for _, w := range wares {
		switch w.Kind {
		case "gzip":
			all = append(all, compress.New())
			continue
		case "timeout":
			all = append(all, timeout.New(func(c fiber.Ctx) error { return c.Next() }, timeout.Config{Timeout: time.Minute}))
			continue
		}
		all = append(all, func(c fiber.Ctx) error {
			twin := strings.Clone(c.Get("Twin"))
			switch passes := e.Enter(twin, w); {
			case !passes && w.Kind == "ab":
				return fiber.NewError(http.StatusTeapot)
			case !passes:
				return c.SendStatus(w.Denial())
			}
			if w.Kind != twins.Behind {
				e.Note(twin, "saw %s", c.Path())
			}
			err := c.Next()
			if w.Kind == "next" {
				e.Note(twin, "after M%d %v %d", w.ID, err, c.Response().StatusCode())
			}
			return err
		})
	}
	return twins.Lend(e, all)
}

var twinFiles = fstest.MapFS{
	"a": {Data: []byte("file a")}, "f": {Data: []byte("file f")}, "d/b": {Data: []byte("file b")}, "a b": {}, "index.html": {Data: []byte("index")},
}

// twinIn is where statements of Fiber are registered.
type twinIn struct {
	e     *twins.Env
	app   *fiber.App
	on    fiber.Router
	v     *versofiber.Routes // nil: with Fiber alone
	inner bool               // v registers with groups of Fiber, by In
	after []twins.Ware       // of Fiber alone, behind where the check is
	at    twins.Prefix

	flat   bool // Fiber alone, with the middleware of groups at each route, as EachVersion has it
	prefix string
	before *[]any

	choice *twins.Choice    // of PerRoute, nil: v has the options
	top    *twins.Statement // with the options
}

func (i twinIn) all(body []*twins.Statement) { i.e.Each(body, i.one) }

func (i twinIn) handler(s *twins.Statement) fiber.Handler {
	return func(c fiber.Ctx) error {
		twin := strings.Clone(c.Get("Twin"))
		i.e.Place(twin, cmp.Or(i.at.Version, placeOf(c)))
		for _, name := range []string{"id", "x", "y", "*", "+"} {
			i.e.Value(twin, strings.Clone(versofiber.Param(c, name)))
		}
		isOneURL := strings.HasSuffix(c.OriginalURL(), string(c.Request().URI().QueryString()))
		i.e.Note(twin, "H%d %s %s %s%s %v", s.ID, c.Method(), c.Path(), c.FullPath(), twinParams(c), isOneURL)
		switch s.Opt {
		case "next":
			return c.Next()
		case "error":
			return fiber.ErrNotFound
		}
		s.Fields(c.Set)
		c.Request().Header.Set(twins.VersionField, twins.Unknown)
		return c.Status(s.StatusCode()).SendString(fmt.Sprint("H", s.ID))
	}
}

// noted notes that Fiber's own handler runs.
func (i twinIn) noted(s *twins.Statement) fiber.Handler {
	return func(c fiber.Ctx) error {
		i.note(s, c)
		return c.Next()
	}
}

func (i twinIn) note(s *twins.Statement, c fiber.Ctx) {
	twin := strings.Clone(c.Get("Twin"))
	i.e.Place(twin, cmp.Or(i.at.Version, placeOf(c)))
	i.e.Note(twin, "H%d files %s%s", s.ID, c.FullPath(), twinParams(c))
}

// joined joins paths as Fiber joins those of groups.
func joined(prefix, path string) string {
	if path == "" {
		return prefix
	}
	return strings.TrimRight(prefix, "/") + "/" + strings.TrimPrefix(path, "/")
}

func (i twinIn) one(s *twins.Statement) {
	if i.at.Version != "" && !i.at.Has(s) {
		return
	}
	if s.By == twins.ByFramework {
		i.v, i.on, i.flat, i.after = nil, i.app, false, nil
	}
	if i.v != nil {
		if i.choice == nil {
			i.v = twins.Optioned(i.v, s)
		} else {
			i.top = cmp.Or(i.top, s)
			i.choice.Set(s, i.top)
		}
		if i.inner {
			if i.on == nil {
				i.on = i.app
			}
			i.v = i.v.In(i.on)
		}
	}
	if s.Op == twins.Mistake {
		if i.v != nil {
			fiberMistakes.Make(s, i.v)
		}
		return
	}
	if i.v != nil && s.Op == "static" {
		i.v = i.v.AfterCheck(append(slices.Clip(twinWares(i.e, i.after)), i.noted(s))...) // i.after is empty where v has it
	}
	on, wares := i.on, twinWares(i.e, s.Wares)
	if i.v != nil {
		on = i.v.Router()
	}
	var behind []any
	if i.v == nil {
		behind = twinWares(i.e, i.after)
	}
	handlers := append(slices.Concat(wares, behind), i.handler(s))
	if s.Op == "static" {
		files := static.New("", static.Config{FS: twinFiles, Browse: s.Opt == "browse"})
		if handlers[len(handlers)-1] = files; i.v == nil {
			handlers[len(handlers)-1] = func(c fiber.Ctx) error { i.note(s, c); return files(c) }
		}
	}
	before, after := "", s.Path // of a chain in a chain
	if at := strings.LastIndexByte(s.Path, '/'); at > 0 {
		before, after = s.Path[:at], s.Path[at:]
	}
	switch {
	case i.flat:
		i.flattened(s, wares, handlers)
	case s.Op == "add":
		if add, ok := twins.Verb[func(string, any, ...any) fiber.Router](on, s); ok {
			add(s.Path, handlers[0], handlers[1:]...)
		} else {
			on.Add(s.Methods, s.Path, handlers[0], handlers[1:]...)
		}
	case s.Op == "versions" && i.v != nil:
		i.v.HandleVersions("GET", s.Path, versofiber.Handlers{twins.First: i.handler(s), twins.Last: i.handler(s)}, wares...)
	case s.Op == "get", s.Op == "versions", s.Op == "static":
		on.Get(s.Path, handlers[0], handlers[1:]...)
	case s.Op == "all":
		on.All(s.Path, handlers[0], handlers[1:]...)
	case s.Op == "chain":
		chain := on.RouteChain(before).RouteChain(after)
		if s.Opt == "all" && len(wares) > 0 {
			chain, handlers = chain.All(wares[0], wares[1:]...), handlers[len(wares):]
		}
		chain.Get(handlers[0], handlers[1:]...).Post(handlers[0], handlers[1:]...)
	case s.Op == "use" && s.Path == "":
		on.Use(wares...)
	case s.Op == "use":
		on.Use(append([]any{s.Path}, wares...)...)
	case s.Op == "group":
		i.group(s, on, wares)
	case s.Op == "mount":
		on.Use(s.Path, i.mounted(s, wares))
	}
	if i.v != nil && s.Name != "" {
		i.v.Name(s.Name)
	}
}

// flattened registers with Fiber alone, with the middleware of groups at each route.
func (i twinIn) flattened(s *twins.Statement, wares, handlers []any) {
	add := func(methods []string) {
		handlers := slices.Concat(*i.before, handlers)
		i.on.Add(methods, joined(i.prefix, s.Path), handlers[0], handlers[1:]...)
	}
	switch {
	case s.Op == "add":
		add(s.Methods)
	case s.Op == "get", s.Op == "versions", s.Op == "static":
		add([]string{"GET"})
	case s.Op == "all":
		add(i.app.Config().RequestMethods)
	case s.Op == "chain":
		add([]string{"GET"})
		add([]string{"POST"})
	case s.Op == "use" && s.Path == "":
		*i.before = append(*i.before, wares...)
	case s.Op == "group":
		before := slices.Concat(*i.before, wares)
		i.prefix, i.before = joined(i.prefix, s.Path), &before
		i.all(s.Body)
	case s.Op == "mount":
		i.on.Use(joined(i.prefix, s.Path), i.mounted(s, wares))
	}
}

func (i twinIn) group(s *twins.Statement, on fiber.Router, wares []any) {
	switch {
	case i.inner:
		i.on = i.on.Group(s.Path, wares...)
		i.all(s.Body)
	case i.v != nil:
		i.v = i.v.Group(s.Path, wares...)
		i.all(s.Body)
	case s.Opt == "route" && len(wares) == 0:
		on.Route(s.Path, func(r fiber.Router) { i.on = r; i.all(s.Body) })
	default:
		i.on = on.Group(s.Path, wares...)
		i.all(s.Body)
	}
}

// mounted returns an app of its own, which Verso does not know.
func (i twinIn) mounted(s *twins.Statement, wares []any) *fiber.App {
	sub := fiber.New(i.app.Config())
	sub.Use(append(slices.Clip(wares), func(c fiber.Ctx) error { return c.Next() })...)
	twinIn{e: i.e, app: sub, on: sub}.all(s.Body)
	return sub
}

func twinConfig(p *twins.Program) (config versofiber.Config) {
	if p.Has(twins.Answers) {
		config.ErrorHandler = func(c fiber.Ctx, _ *verso.Error, _ *verso.Answer) error {
			if text := twins.Answer(strings.Clone(c.Get("Twin"))); text != "" {
				return c.SendString(text)
			}
			return nil
		}
	}
	return config
}

func buildTwin(p *twins.Program, api *verso.Versioning, e *twins.Env) twins.Server {
	app := fiber.New(fiber.Config{CaseSensitive: p.Has("case"), StrictRouting: p.Has("strict"), UnescapePath: p.Has("unescape"),
		DisableHeadAutoRegister: p.Has("nohead")})
	var v *versofiber.Routes
	if api != nil {
		v = versofiber.New(app, api, twinConfig(p))
	}
	if len(p.Wares) > 0 {
		app.Use(twinWares(e, p.Wares)...)
	}
	bare := twinIn{e: e, app: app, on: app}
	if v != nil && p.Has(twins.Rewritten) {
		app.Use(v.RewriteErrors())
		v = v.Rewrite(twins.Same{})
	}
	if v != nil && p.Way == "each" {
		v = v.EachVersion(twinWares(e, p.Each)...).Group(p.Base())
	}
	if v != nil && p.Way == "param" {
		v = v.Group(twinVersion(p))
	}
	switch {
	case v != nil && p.Has(twins.PerRoute):
		bare.choice, bare.after = new(twins.Choice), p.After
		v = v.PerRoute(func(v *versofiber.Routes, method, path string) *versofiber.Routes {
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
	register := registrar(p, v, bare)
	var rest []*twins.Statement
	flush := func() { register(rest); rest = nil }
	for _, s := range p.Body {
		if s.By == twins.ByFramework {
			flush()
			bare.all([]*twins.Statement{s})
			continue
		}
		rest = append(rest, s)
	}
	flush()
	if v != nil && p.Has("v.NotFound") {
		app.Use(v.NotFound())
	}
	outer := app
	if p.Way == "mounted" {
		outer = fiber.New(app.Config())
		outer.Use("/p", app)
	}
	h := outer.Handler()
	if v != nil {
		_ = v.Explain()
	}
	quiet := log.New(io.Discard, "", 0) // of files that are not there
	server := &fasthttp.Server{Handler: h, NoDefaultServerHeader: true, Logger: quiet}
	return twins.Server{Listen: server.Serve, Send: func(r twins.Request) twins.Outcome {
		var sent fasthttp.Request
		if err := sent.Read(bufio.NewReader(strings.NewReader(r.Text()))); err != nil {
			return twins.Outcome{Status: twins.Unsent}
		}
		var c fasthttp.RequestCtx
		c.Init(&sent, nil, quiet)
		h(&c)
		header := http.Header{"Target": {string(c.Request.Header.RequestURI())}} // as what is around sees it
		for key, value := range c.Response.Header.All() {
			header.Add(string(key), string(value))
		}
		return twins.Outcome{Status: c.Response.StatusCode(), Header: header, Body: string(c.Response.Body())}.Plain()
	}}.Linked(v.Link)
}

// twinVersion is the path of a group whose paths have the version in a parameter.
func twinVersion(p *twins.Program) string {
	if p.Has("optional") {
		return "/:version?"
	}
	return "/:version"
}

// placeOf returns the version in the path of a handler.
func placeOf(c fiber.Ctx) string {
	if slices.Contains(c.Route().Params, "version") {
		return strings.Clone(c.Params("version", twins.Missing))
	}
	return ""
}

// registrar returns what registers statements in the way of a program.
func registrar(p *twins.Program, v *versofiber.Routes, bare twinIn) func([]*twins.Statement) {
	in := bare
	switch {
	case p.Way == "each" && v == nil:
		var groups []twinIn
		in.flat = true
		for _, in.at = range p.Prefixes() {
			before := slices.Clip(twinWares(bare.e, p.Each))
			in.prefix, in.before = in.at.Path, &before
			groups = append(groups, in)
		}
		return func(body []*twins.Statement) {
			for _, in := range groups {
				in.all(body)
			}
		}
	case p.Way == "each":
		in.on, in.v = nil, v
	case v == nil && p.Way == "param":
		in.on = bare.app.Group(twinVersion(p))
	case v == nil && (p.Way == "versions" || p.Way == "routergroup"):
		in.on = bare.app.Group("/p")
	case p.Way == "versions":
		return func(body []*twins.Statement) {
			if len(body) > 0 {
				v.Group("/p").RegisterVersions(twins.VersionsFor(p, body, func(r fiber.Router, body []*twins.Statement) { in.on = r; in.all(body) }))
			}
		}
	case p.Way == "routergroup":
		in.on = v.Group("/p").Router()
	case v != nil:
		in.v, in.inner = v, p.Way == "in"
	}
	return in.all
}

func generateTwin(g *twins.Gen) *twins.Program {
	p := &twins.Program{Wares: g.Wares(3, "next", "gzip", "timeout"), Body: twinBody(g, 2, true)}
	for _, flag := range []string{"case", "strict", "unescape", "nohead", "v.NotFound"} {
		if g.OneIn(3) {
			p.Flags = append(p.Flags, flag)
		}
	}
	return p
}

// fitTwin marks apps of their own, which Verso does not know.
func fitTwin(p *twins.Program) {
	if p.Way == "mounted" { // no link before a request has shown where
		twins.Each(p.Body, func(s *twins.Statement) { s.Name = "" })
	}
	var mark func(body []*twins.Statement)
	mark = func(body []*twins.Statement) {
		for _, s := range body {
			if s.Op == "mount" {
				plain(s.Body, twins.ByFramework)
			}
			mark(s.Body)
		}
	}
	mark(p.Body)
}

func plain(body []*twins.Statement, by twins.By) {
	for _, s := range body {
		s.By, s.Only = by, ""
		plain(s.Body, by)
	}
}

func twinMethod(g *twins.Gen) string {
	return twins.One(g, "GET", "GET", "GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "TRACE")
}

func twinBody(g *twins.Gen, depth int, top bool) (all []*twins.Statement) {
	path := func() string {
		return twins.One(g, "/", "", "/a", "/b", "/:id", "/a/:id", "/:x/b", "/f/*", "/a/", "/a/b", "/:id/:x", "/b/+", "/s/t", "/*", "/a-:id",
			"/:y?", "/:id<int>", "/a/:x?", "/:id-:x")
	}
	for range 1 + g.IntN(5) {
		s := &twins.Statement{ID: g.Next()}
		kind := g.IntN(17)
		if depth == 0 && kind >= 12 {
			kind = g.IntN(12)
		}
		switch {
		case kind < 4:
			s.Op, s.Path, s.Wares, s.Methods = "add", path(), g.Wares(2, "next", "ab", "gzip", "timeout"), []string{twinMethod(g)}
			if s.Opt = twins.One(g, "", "", "", "", "error", "next"); g.OneIn(4) {
				s.Methods = slices.Compact(append(s.Methods, twinMethod(g)))
			}
		case kind == 4 && g.OneIn(2):
			s.Op, s.Path, s.Wares, s.Opt = "static", twins.One(g, "/s/*", "/d/*", "/s*", "/*", "/a"), g.Wares(1), twins.One(g, "", "browse")
		case kind == 4, kind == 5:
			s.Op, s.Path, s.Wares = "get", path(), g.Wares(1)
		case kind == 6:
			s.Op, s.Path, s.Wares = "all", path(), g.Wares(1)
		case kind == 7:
			if s.Op, s.Path, s.Wares = "chain", path(), g.Wares(1); g.OneIn(2) { // guards by path answer early
				s.Wares, s.Opt = []twins.Ware{{ID: g.Next()}}, "all"
			}
		case kind == 8:
			s.Op, s.Path, s.Wares, s.Only = "versions", path(), g.Wares(1), twins.Both
		case kind < 12:
			if s.Op, s.Wares, s.Path = "use", g.Wares(2, "next", "ab"), twins.One(g, "", "", "/a", "/:x", "/s"); len(s.Wares) == 0 {
				continue
			}
		case kind == 12:
			s.Op, s.Path, s.Wares, s.Body = "mount", twins.One(g, "/a", "/s", "/m"), g.Wares(2), twinBody(g, depth-1, false)
		default:
			s.Op, s.Path, s.Opt = "group", twins.One(g, "/a", "/b", "/s", "/:x", "", "/", "/a/", "/g/h"), twins.One(g, "", "route")
			s.Wares, s.Body = g.Wares(2, "next"), twinBody(g, depth-1, false)
		}
		if top && s.Op != "use" && s.Op != "mount" {
			g.Top(s)
		}
		all = append(all, s)
	}
	return all
}

var fiberRefused = []twins.Refusal{
	{Text: "the route is registered twice", Page: "routes.go#Routes", Quote: "when v has registered the route already"},
	{Text: "is registered twice: remove one of them", Page: "mount.go#Routes.RegisterVersions", Quote: "if a function registers nothing with its router, a route twice"},
	{Text: "twice: remove either", Page: "mount.go#Routes.RegisterVersions", Quote: "a route twice"},
	{Text: "so that handler is never called", Page: "routes.go#Routes", Quote: "when an option contradicts another"},
	{Text: "registers no route", Page: "mount.go#Routes.RegisterVersions", Quote: "if a function registers nothing with its router"},
	{Text: "a route is either neutral or in some versions", Page: "routes.go#Routes", Quote: "when an option contradicts another"},
	{Text: "but the route is there", Page: "routes.go#Routes", Quote: "when an option contradicts another"},
	{Text: "routers disagree about which one wins", Page: "../../core/adapter/binding.go#Binding.Forms", Quote: "with a parameter in the place of the version"},
	{Text: "Use: Fiber installs it by path", Page: "methods.go#Routes.Use", Quote: "It panics behind EachVersion"},
	{Text: "register one for each version instead", Page: "routes.go#Routes.EachVersion", Quote: "and if static.New serves a route whose paths differ in their lengths"},
	{Text: "pass it to EachVersion or Group", Page: "routes.go#Routes.EachVersion", Quote: "It panics if App.Use, App.Group or App.All has installed middleware by path that runs for one of the paths of a route and not for all"},
}

var fiberMistakes = twins.MistakesOf(mistaken, twins.Mistakes[*versofiber.Routes]{
	"a handler is nil":                     func(v *versofiber.Routes) { v.Add([]string{"TRACE"}, "/m", nil, pass) },
	"In: the group is nil":                 func(v *versofiber.Routes) { v.In(nil) },
	"the routes would lose the middleware": func(v *versofiber.Routes) { v.Group("/m", pass).In(fiber.New()) },
	"is of another app": func(v *versofiber.Routes) {
		mistaken(versofiber.New(fiber.New(), verso.MustNew(verso.Header("V"), twoVersions)).In(fiber.New().Group("/m")))
	},
	"Fiber reads {id} as text": func(v *versofiber.Routes) { v.Get("/m/{id}", pass) },
	"is for all hosts": func(v *versofiber.Routes) {
		v.Router().(interface {
			Domain(host string) fiber.Router
		}).Domain("a.example") // Fiber 3.0 does not ask for it
	},
	"does not run for": func(*versofiber.Routes) {
		app := fiber.New()
		app.Use("/v1", pass)
		mistaken(versofiber.New(app, verso.MustNew(verso.PathPrefix("/{version}"), twoVersions)).EachVersion())
	},
	"Name in front of it":       func(*versofiber.Routes) { newPrefixed().Name("m").Get("/v1/m", pass) },
	"Fiber installs it by path": func(*versofiber.Routes) { newPrefixed().EachVersion().Use(pass) },
	"is registered twice":       func(v *versofiber.Routes) { mistaken(v); mistaken(v) },
	"the function has returned: register it": func(v *versofiber.Routes) {
		var kept fiber.Router
		v.RegisterVersions(map[string]func(fiber.Router){twins.First: func(r fiber.Router) { kept = r; r.Add([]string{"TRACE"}, "/m", pass) }})
		kept.Get("/m/m", pass)
	},
})

func newPrefixed() *versofiber.Routes {
	return versofiber.New(fiber.New(), verso.MustNew(verso.PathPrefix("/{version}"), twoVersions))
}

func mistaken(v *versofiber.Routes) { v.Add([]string{"TRACE"}, "/m", pass) }

func pass(c fiber.Ctx) error { return c.Next() }

var fiberAllowed = []twins.Allowance{
	twins.AllowOfVersion,
	{Name: "middleware behind Next", Page: "mount.go#Routes.RegisterVersions",
		Quote: "for its version only, after the check, and again where a handler calls Next.",
		Matches: func(p *twins.Program, _ twins.Request, bare, own twins.Outcome, kind string) bool {
			return p.Way == "versions" && kind == twins.OtherOrder && slices.Equal(bare.Handlers(), own.Handlers()) &&
				len(own.Trace) > len(bare.Trace) && callsNext(p.Body, own.Handlers())
		}},
	{Name: "middleware of the first version for HEAD", Page: "mount.go#Routes.RegisterVersions",
		Quote: "and so does HEAD of a route for GET, before its own.",
		Matches: func(p *twins.Program, r twins.Request, bare, own twins.Outcome, kind string) bool {
			isTwice := kind == twins.OtherMatching || kind == twins.OtherOrder && r.Version == twins.Last && slices.Equal(bare.Handlers(), own.Handlers())
			return p.Way == "versions" && p.Has("two") && r.Method == http.MethodHead && isTwice && len(own.Trace) > len(bare.Trace)
		}},
	{Name: "an error is answered where it is rewritten", Page: "rewrite.go#Routes.Rewrite",
		Quote: "and so does that of the handler, so that what that writes is rewritten.",
		Matches: func(p *twins.Program, r twins.Request, bare, own twins.Outcome, kind string) bool {
			answered := func(before, now string) bool { // an error behind the middleware is an answer there
				ware, _, _ := strings.Cut(strings.TrimPrefix(before, "after "), " ")
				return before == now || now == fmt.Sprintf("after %s <nil> %d", ware, own.Status) && strings.HasSuffix(before, " 200") && !strings.Contains(before, "<nil>")
			}
			return p.MayRewrite(r, bare) && kind == twins.OtherOrder && own.Status >= http.StatusBadRequest && len(own.Handlers()) > 0 &&
				slices.EqualFunc(bare.Trace, own.Trace, answered)
		}},
}

// callsNext reports whether one of the handlers calls Next, as one for files does that has none.
func callsNext(body []*twins.Statement, handlers []string) bool {
	return slices.ContainsFunc(body, func(s *twins.Statement) bool {
		return (s.Opt == "next" || s.Op == "static") && slices.Contains(handlers, fmt.Sprint("H", s.ID)) || callsNext(s.Body, handlers)
	})
}
