package echotest

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/goverso/verso/conformance/twins"
	verso "github.com/goverso/verso/core"
)

// TestTwins compares random programs of Echo with and without Verso.
func TestTwins(t *testing.T) { twins.Run(t, echoTwins) }

var echoTwins = twins.Framework{
	Ways: []twins.Way{
		{Name: "v", Chosen: true},
		{Name: "in", Chosen: true},
		{Name: "echogroup", Below: "/p", Plain: true, Early: true, Scope: true},
		{Name: "versions", Below: "/p", Plain: true, Early: true, Whole: true, Flags: []string{"two", twins.Renamed}},
		{Name: "register", Below: "/p", Plain: true, Whole: true},
		{Name: "each", InPath: true, Chosen: true, Flags: []string{"api", "default"}},
		{Name: "param", InPath: true, Param: true, Chosen: true},
		{Name: "middleware", Plain: true, Checks: true, Early: true},
		{Name: "middlewarepath", InPath: true, Plain: true, Checks: true, Early: true, Flags: []string{"api"}},
	},
	Generate: generateTwin, Fit: fitTwin, Build: buildTwin,
	Refused: slices.Concat(echoRefused, ownRefused), Mistakes: echoMistakes.Texts(), Allowed: slices.Concat(echoAllowed, ownAllowed), MostAllowed: mostAllowed,
}

var twinFiles = fstest.MapFS{
	"a": {Data: []byte("file a")}, "f": {Data: []byte("file f")}, "d/b": {Data: []byte("file b")}, "a b": {}, "index.html": {Data: []byte("index")},
}

func twinOf(c Context) string { return c.Request().Header.Get("Twin") }

func twinWares(e *twins.Env, wares []twins.Ware) (all []MiddlewareFunc) {
	for _, w := range wares {
		switch w.Kind {
		case "gzip":
			all = append(all, gzipped())
			continue
		case "timeout":
			all = append(all, timedOut())
			continue
		case "deadline":
			all = append(all, contextTimeout(time.Minute))
			continue
		}
		all = append(all, func(next HandlerFunc) HandlerFunc {
			return func(c Context) error {
				switch passes := e.Enter(twinOf(c), w); {
				case !passes && w.Kind == "ab":
					return NewHTTPError(http.StatusTeapot, "no")
				case !passes:
					return c.NoContent(w.Denial())
				}
				if w.Kind != twins.Behind {
					e.Note(twinOf(c), "saw %s", c.Path())
				}
				err := next(c)
				if w.Kind == "next" {
					seen, trace := "", fmt.Sprint(e.Trace(twinOf(c)))
					isAnswered := strings.Contains(trace, "H") || strings.Contains(trace, "deny") ||
						err == nil && c.Request().Method == http.MethodOptions // with 204 by Echo, which gzip may hold
					switch {
					case errors.As(err, new(*verso.Error)):
						seen = " of verso"
					case !isAnswered && !isCommitted(c):
						seen = " unwritten"
					}
					e.Note(twinOf(c), "after M%d %v%s", w.ID, err, seen)
				}
				return err
			}
		})
	}
	return twins.Lend(e, all)
}

// twinIn is where statements of Echo are registered.
type twinIn struct {
	e     *twins.Env
	echo  *Echo
	g     *Group       // nil: the instance
	v     *Routes      // nil: with Echo alone
	inner bool         // v registers with groups of Echo, by In
	apart *Group       // of Echo at the path of v, without the middleware of its groups; nil: v needs no In
	after []twins.Ware // of Echo alone, behind where the check is
	at    twins.Prefix

	named map[int]bool      // statements whose first route has the name
	hosts map[string]*Group // of Echo alone, as used
	used  *[]MiddlewareFunc // by what EachVersion returns, which its hosts and their groups have, too
	host  *Group            // of Echo alone behind EachVersion, around g
	path  string            // of g in host

	choice *twins.Choice    // of PerRoute, nil: v has the options
	top    *twins.Statement // with the options
}

// twinRegistrar is what registers routes: Echo, its groups, and the adapter's routes.
type twinRegistrar interface {
	Add(method, path string, handler HandlerFunc, middleware ...MiddlewareFunc) RouteInfo
	Match(methods []string, path string, handler HandlerFunc, middleware ...MiddlewareFunc) MatchInfo
	Any(path string, handler HandlerFunc, middleware ...MiddlewareFunc) AnyInfo
	FileFS(path, file string, files fs.FS, middleware ...MiddlewareFunc) RouteInfo
	Use(middleware ...MiddlewareFunc)
}

func (i twinIn) all(body []*twins.Statement) { i.e.Each(body, i.one) }

func (i twinIn) handler(s *twins.Statement) HandlerFunc {
	return func(c Context) error {
		i.e.Place(twinOf(c), cmp.Or(i.at.Version, placeOf(c)))
		for _, name := range []string{"id", "x", "y", "*"} {
			i.e.Value(twinOf(c), Param(c, name))
		}
		i.e.Note(twinOf(c), "H%d %s %s %s%s", s.ID, c.Request().Method, c.Request().URL.Path, c.Path(), twinParams(c, s.Named))
		switch s.Opt {
		case "error":
			return ErrNotFound
		case "named":
			i.e.Note(twinOf(c), "is at %s", reversed(i.echo, nameOf(s)))
		}
		s.Fields(c.Response().Header().Set)
		c.Request().Header.Set(twins.VersionField, twins.Unknown)
		return c.String(s.StatusCode(), fmt.Sprint("H", s.ID))
	}
}

func (i twinIn) one(s *twins.Statement) {
	if i.at.Version != "" && !i.at.Has(s) {
		return
	}
	switch {
	case s.By == twins.ByFramework:
		i.v, i.g, i.after = nil, nil, nil
	case i.v != nil && i.choice != nil:
		i.top = cmp.Or(i.top, s)
		if i.choice.Set(s, i.top); s.Op == "group" || s.Op == "host" { // whose middleware also runs where no route is
			i.v = twins.Optioned(i.v, s)
		}
	case i.v != nil:
		i.v = twins.Optioned(i.v, s)
	}
	v := i.v
	if v != nil && i.inner && i.g != nil {
		v = v.In(i.g)
	}
	var on twinRegistrar = i.echo
	switch {
	case v != nil:
		on = v.With() // Use is of the group, whatever the options
	case i.g != nil:
		on = i.g
	}
	wares, h := twinWares(i.e, s.Wares), i.handler(s)
	if v == nil && s.Op != "use" && s.Op != "group" && s.Op != "host" {
		wares = slices.Concat(wares, twinWares(i.e, i.after))
	}
	switch s.Op {
	case twins.Mistake:
		if v != nil {
			echoMistakes.Make(s, v)
		}
	case "add":
		if name := nameOf(s); s.Opt == "named" && !i.named[s.ID] {
			i.named[s.ID] = true
			addNamed(on, s.Methods[0], s.Path, h, name, wares)
		} else if add, ok := twins.Verb[func(string, HandlerFunc, ...MiddlewareFunc) RouteInfo](on, s); ok {
			add(s.Path, h, wares...)
		} else {
			on.Add(s.Methods[0], s.Path, h, wares...)
		}
	case "versions":
		if v != nil {
			v.HandleVersions(s.Methods[0], s.Path, Handlers{twins.First: h, twins.Last: h}, wares...)
		} else {
			on.Add(s.Methods[0], s.Path, h, wares...)
		}
	case "any":
		on.Any(s.Path, h, wares...)
	case "match":
		on.Match(s.Methods, s.Path, h, wares...)
	case "use":
		if on.Use(wares...); i.used != nil {
			*i.used = append(*i.used, wares...)
		}
	case "static":
		i.static(s, on, v, twinWares(i.e, s.Wares))
	case "routenotfound":
		i.routeNotFound(s)
	case "group", "host":
		i.group(s, v, wares)
	}
}

// placeOf returns the version in the path of a handler. An empty segment names none that is served.
func placeOf(c Context) string {
	if strings.Contains(c.Path(), "/:version") {
		return cmp.Or(c.Param("version"), twins.Unknown)
	}
	return ""
}

// noted notes that Echo's own handler runs.
func (i twinIn) noted(s *twins.Statement) MiddlewareFunc {
	return func(next HandlerFunc) HandlerFunc {
		return func(c Context) error {
			i.e.Place(twinOf(c), cmp.Or(i.at.Version, placeOf(c)))
			i.e.Note(twinOf(c), "H%d files %s%s", s.ID, c.Path(), twinParams(c, s.Named))
			return next(c)
		}
	}
}

func (i twinIn) static(s *twins.Statement, on twinRegistrar, v *Routes, wares []MiddlewareFunc) {
	behind := append(slices.Clip(twinWares(i.e, i.after)), i.noted(s)) // i.after is empty where v has it
	around := slices.Concat(wares, behind)
	switch {
	case v != nil && s.Opt == "file" && s.ID%2 == 0:
		v.AfterCheck(behind...).File(s.Path, "testdata/files/a", wares...)
	case s.Opt == "file" && s.ID%2 == 0:
		on.FileFS(s.Path, "testdata/files/a", os.DirFS("."), around...) // File of a group has no middleware in Echo v4
	case v != nil && s.Opt == "file":
		v.AfterCheck(behind...).FileFS(s.Path, "a", twinFiles, wares...)
	case s.Opt == "file":
		on.FileFS(s.Path, "a", twinFiles, around...)
	case v != nil && s.Opt == "folder":
		static(v.AfterCheck(behind...), s.Path, "testdata/files", wares...)
	case v != nil:
		staticFS(v.AfterCheck(behind...), s.Path, twinFiles, wares...)
	case s.Opt == "folder" && i.g != nil:
		static(i.g, s.Path, "testdata/files", around...)
	case s.Opt == "folder":
		static(i.echo, s.Path, "testdata/files", around...)
	case i.g != nil:
		staticFS(i.g, s.Path, twinFiles, around...)
	default:
		staticFS(i.echo, s.Path, twinFiles, around...)
	}
}

// nameOf is the name of a route in Echo.
func nameOf(s *twins.Statement) string { return fmt.Sprint("route", s.ID) }

// routeNotFound is Echo's own.
func (i twinIn) routeNotFound(s *twins.Statement) {
	own := func(c Context) error {
		i.e.Note(twinOf(c), "N%d", s.ID)
		return c.String(http.StatusNotFound, "none")
	}
	if i.g != nil {
		i.g.RouteNotFound(s.Path, own)
	} else {
		i.echo.RouteNotFound(s.Path, own)
	}
}

func (i twinIn) group(s *twins.Statement, v *Routes, wares []MiddlewareFunc) {
	switch {
	case s.Op == "host" && v != nil && !i.inner:
		i.v, i.apart = onHost(v, s.Path), nil
		i.v.Use(wares...)
	case s.Op == "host" && i.used != nil: // as EachVersion has it
		if i.hosts[s.Path] == nil {
			i.hosts[s.Path] = hostOf(i.echo, s.Path)
		}
		i.host, i.path = i.hosts[s.Path], i.at.Path
		i.inHost(wares)
	case s.Op == "host":
		i.g = hostOf(i.echo, s.Path, wares...)
	case v != nil && !i.inner && s.Opt == "register" && i.choice == nil:
		v.Group(s.Path, wares...).Register(func(g *Group) { twinIn{e: i.e, echo: i.echo, g: g, named: i.named}.all(s.Body) })
		return
	case v != nil && i.apart != nil && s.Opt == "in":
		i.v, i.apart = v.In(i.apart.Group(s.Path, wares...)), nil
	case v != nil && !i.inner:
		if i.v = v.Group(s.Path, wares...); i.apart != nil {
			i.apart = i.apart.Group(s.Path)
		}
	case i.host != nil:
		i.path += s.Path
		i.inHost(wares)
	case i.g != nil:
		i.g = i.g.Group(s.Path, wares...)
	default:
		i.g = i.echo.Group(s.Path, wares...)
	}
	if i.host == nil {
		i.used = nil
	}
	i.all(s.Body)
}

func twinConfig(p *twins.Program) (config Config) {
	if p.Has(twins.Skips) {
		config.Skipper = func(c Context) bool { return c.Request().Header.Get(twins.SkipField) != "" }
	}
	if p.Has(twins.Answers) {
		config.ErrorHandler = func(c Context, _ *verso.Error, _ *verso.Answer) (err error) {
			if text := twins.Answer(twinOf(c)); text != "" {
				_, err = io.WriteString(c.Response(), text)
			}
			return err
		}
	}
	return config
}

// inHost makes a group of the host. With its middleware, Group would answer on all hosts.
func (i *twinIn) inHost(wares []MiddlewareFunc) {
	used := slices.Concat(*i.used, wares)
	i.used, i.g = &used, i.host.Group(i.path)
	i.g.Use(used...)
}

func buildTwin(p *twins.Program, api *verso.Versioning, e *twins.Env) twins.Server {
	r := quietEcho(p.Flags...)
	slashes(r, p.Flags)
	var v *Routes
	if api != nil {
		v = New(r, api, twinConfig(p))
		if p.Has("v.NotFound") {
			r.HTTPErrorHandler = v.NotFound()
		}
	}
	r.Use(twinWares(e, p.Wares)...)
	bare := twinIn{e: e, echo: r, named: make(map[int]bool), hosts: make(map[string]*Group)}
	if v != nil && p.Has(twins.Rewritten) {
		r.Use(v.RewriteErrors())
		v = v.Rewrite(twins.Same{})
	}
	if v != nil && p.Way == "each" {
		v = v.EachVersion(twinWares(e, p.Each)...).Group(p.Base())
	}
	if v != nil && p.Way == "param" {
		v = v.Group("/:version")
	}
	switch {
	case v != nil && p.Has(twins.PerRoute):
		bare.choice, bare.after = new(twins.Choice), p.After
		v = v.PerRoute(func(v *Routes, method, path string) *Routes {
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
	if p.Has(twins.Late) { // or Echo panics for routes with more parameters
		r.Add("PURGE", "/zz/:a/:b/:c/:d/:e/:f", func(c Context) error { return c.NoContent(http.StatusOK) })
	}
	register := registrarOf(p, v, bare)
	var rest []*twins.Statement
	flush := func() { register(rest); rest = nil }
	for i, s := range p.Body {
		if p.IsHalf(i) {
			flush()
			twins.Serve(r).Send(twins.Early)
		}
		if s.By == twins.ByFramework {
			flush()
			bare.all([]*twins.Statement{s})
			continue
		}
		rest = append(rest, s)
	}
	flush()
	if v != nil {
		_ = v.Explain()
	}
	return twins.Serve(r)
}

// registrarOf returns what registers statements in the way of a program.
func registrarOf(p *twins.Program, v *Routes, bare twinIn) func([]*twins.Statement) {
	in := bare
	switch {
	case p.Way == "middlewarepath", p.Way == "each" && v == nil:
		var groups []twinIn
		for _, in.at = range p.Prefixes() {
			wares := slices.Clip(twinWares(bare.e, p.Each))
			if in.g = bare.echo.Group(in.at.Path, wares...); p.Way == "each" {
				in.used = &wares
			}
			groups = append(groups, in)
		}
		return func(body []*twins.Statement) {
			for _, in := range groups {
				in.all(body)
			}
		}
	case p.Way == "each":
		in.v = v
	case p.Way == "echogroup":
		var wares []twins.Ware
		if p.Has("group") {
			wares = []twins.Ware{{ID: twins.InFront}}
		}
		if v == nil {
			in.g = bare.echo.Group("/p", twinWares(bare.e, wares)...)
		} else {
			in.g = v.EchoGroup("/p", twinWares(bare.e, wares)...)
		}
	case v == nil && p.Way == "param":
		in.g = bare.echo.Group("/:version")
	case v == nil && (p.Way == "versions" || p.Way == "register"):
		in.g = bare.echo.Group("/p")
	case p.Way == "versions":
		return func(body []*twins.Statement) {
			if len(body) > 0 {
				v.Group("/p").RegisterVersions(twins.VersionsFor(p, body, func(g *Group, body []*twins.Statement) { in.g = g; in.all(body) }))
			}
		}
	case p.Way == "register":
		return func(body []*twins.Statement) {
			if len(body) > 0 {
				v.Group("/p").Register(func(g *Group) { in.g = g; in.all(body) })
			}
		}
	case v == nil, p.Way == "middleware":
	default:
		if in.v, in.inner = v, p.Way == "in"; !in.inner {
			in.apart = bare.echo.Group(map[string]string{"param": "/:version"}[p.Way])
		}
	}
	return in.all
}

func generateTwin(g *twins.Gen) *twins.Program {
	p := &twins.Program{Wares: g.Wares(3, "next", "ab", "gzip", "timeout", "deadline"), Body: twinBody(g, 2, true)}
	if !g.OneIn(3) {
		p.Flags = append(p.Flags, "group")
	}
	for _, flag := range []string{"remove", "add", "redirect"} {
		if g.OneIn(8) {
			p.Flags = append(p.Flags, flag)
		}
	}
	if g.OneIn(2) {
		p.Flags = append(p.Flags, "v.NotFound")
	}
	for _, flag := range []string{twins.Late, "unescape", "escaped", "no 404"} { // by Echo v5
		if g.OneIn(6) {
			p.Flags = append(p.Flags, flag)
		}
	}
	return p
}

// fitTwin leaves out hosts where a group of Echo has a path, and what only Echo itself registers, not below a prefix.
func fitTwin(p *twins.Program) {
	twins.WithoutFiles(p)
	twins.Each(p.Body, func(s *twins.Statement) { s.Name = "" }) // Echo's own names are drawn
	p.Body = slices.DeleteFunc(p.Body, func(s *twins.Statement) bool {
		return s.Op == "host" && !slices.Contains([]string{"v", "in", "middleware", "each"}, p.Way) || s.Op == "routenotfound" && (p.Way == "each" || p.Way == "param")
	})
}

func twinMethod(g *twins.Gen) string {
	return twins.One(g, "GET", "GET", "GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "OPTIONS", "OPTIONS", "PATCH", "TRACE", "PURGE")
}

func twinBody(g *twins.Gen, depth int, top bool) (all []*twins.Statement) {
	path := func() string {
		return twins.One(g, "/", "", "/a", "/b", "/:id", "/a/:id", "/:x/b", "/f/*", "/a/", "/a/b", "/:id/:x", "/b/*", "/s/t", "/*", "/a-:id",
			"/:y", `/a\:b/:id`)
	}
	for range 1 + g.IntN(5) {
		s := &twins.Statement{ID: g.Next()}
		kind := g.IntN(16)
		if depth == 0 && kind >= 12 {
			kind = g.IntN(12)
		}
		if !top && len(all) == 0 && g.OneIn(4) { // of a group
			kind = 10
		}
		switch {
		case kind < 5:
			s.Op, s.Path, s.Methods = "add", path(), []string{twinMethod(g)}
			s.Wares, s.Opt = g.Wares(2, "next", "ab", "gzip", "timeout", "deadline"), twins.One(g, "", "", "", "", "error", "named")
		case kind == 5:
			s.Op, s.Path, s.Wares = "any", path(), g.Wares(1)
		case kind == 6:
			s.Op, s.Path, s.Wares, s.Methods = "match", path(), g.Wares(1), slices.Compact([]string{twinMethod(g), twinMethod(g)})
		case kind == 7:
			s.Op, s.Path, s.Opt = "static", twins.One(g, "/s", "/d", "/a/s", "/"), twins.One(g, "", "folder", "file")
			if !hasHosts || s.Opt == "file" { // a folder has no middleware in Echo v4
				s.Wares = g.Wares(1)
			}
		case kind == 8:
			s.Op, s.Path, s.Wares, s.Methods, s.Only = "versions", path(), g.Wares(1), []string{twinMethod(g)}, twins.Both
		case kind < 11:
			if s.Op, s.Wares = "use", g.Wares(2, "next", "ab"); len(s.Wares) == 0 {
				continue
			}
		case kind == 11:
			if s.Op, s.Path = "routenotfound", twins.One(g, "/*", "/a/*", "/s"); !top {
				continue
			}
		case kind == 12 && hasHosts && top:
			s.Op, s.Path, s.Wares, s.Body = "host", twins.One(g, "a.example", "other.example"), g.Wares(2, "next"), twinBody(g, depth-1, false)
		default:
			s.Op, s.Path = "group", twins.One(g, "/a", "/b", "/s", "/:x", "", "/", "/a/", "/g/h")
			s.Wares, s.Body = g.Wares(2, "next", "gzip"), twinBody(g, depth-1, false)
			if s.Opt = twins.One(g, "", "", "in"); g.OneIn(2) && isPlain(s.Body) {
				s.Opt = "register"
			}
		}
		if top && s.Op != "use" && s.Op != "routenotfound" {
			g.Top(s)
		}
		all = append(all, s)
	}
	return slices.Clip(all)
}

// isPlain reports whether statements are the same with a group of Echo's own.
func isPlain(body []*twins.Statement) bool {
	return !slices.ContainsFunc(body, func(s *twins.Statement) bool {
		return s.Op == "static" || s.Op == "versions" || !isPlain(s.Body)
	})
}

var echoRefused = []twins.Refusal{
	{Text: "the routes would lose the middleware of their group", Page: routesPage + ".In",
		Quote: "It panics if r is a group with middleware that the other does not begin with"},
	{Text: "is registered twice: for a handler per version", Page: routesPage, Quote: "if the route exists already"},
	{Text: "is registered twice, and Echo forgets", Page: routesPage, Quote: "if the route exists already"},
	{Text: "so that handler is never called", Page: routesPage, Quote: "if an option contradicts another"},
	{Text: "registers no route", Page: mountPage, Quote: "if a function registers nothing with its group"},
	{Text: "twice: remove either", Page: mountPage, Quote: "a route twice"},
	{Text: "the route is registered twice", Page: routesPage, Quote: "if the route exists already"},
	{Text: "is registered twice, or without a handler", Page: mountPage, Quote: "if a function registers nothing with its group, a route twice, or one with Echo itself"},
	{Text: "a route is either neutral or in some versions", Page: routesPage, Quote: "if an option contradicts another"},
	{Text: "but the route is there", Page: routesPage, Quote: "if an option contradicts another"},
	{Text: "routers disagree about which one wins", Page: "../../core/adapter/binding.go#Binding.Forms", Quote: "with a parameter in the place of the version"},
}

var echoMistakes = twins.MistakesOf(mistaken, twins.Mistakes[*Routes]{
	"Group /m: a middleware is nil":           func(v *Routes) { v.Group("/m", nil) },
	"EchoGroup /m: a middleware is nil":       func(*Routes) { newPrefixed().EchoGroup("/m", nil) },
	"a group of Echo's own has one path":      func(*Routes) { newPrefixed().EachVersion().EchoGroup("/m") },
	"a group of Echo's own are not rewritten": func(*Routes) { newPrefixed().Rewrite(twins.Same{}).EchoGroup("/m") },
	"a group of Echo's own have the same": func(*Routes) {
		newPrefixed().PerRoute(func(v *Routes, _, _ string) *Routes { return v }).EchoGroup("/m")
	},
	"Use: a middleware is nil":          func(v *Routes) { v.Group("/m").Use(nil) },
	"AfterCheck: a middleware is nil":   func(v *Routes) { v.AfterCheck(nil) },
	"In: the group is nil":              func(v *Routes) { v.In(nil) },
	"Register: the function is nil":     func(v *Routes) { v.Register(nil) },
	"registers no route with its group": func(v *Routes) { v.Register(func(*Group) {}) },
	"the handler is nil":                func(v *Routes) { v.GET("/m", nil) },
	"a middleware returns a nil handler": func(v *Routes) {
		mistaken(v.AfterCheck(func(HandlerFunc) HandlerFunc { return nil }))
	},
	"/m: a middleware is nil": func(v *Routes) { v.Add(http.MethodTrace, "/m", answerVersion, nil) },
	"the routes would lose the middleware": func(*Routes) {
		e := quietEcho()
		v := New(e, verso.MustNew(verso.Header("V"), twoVersions))
		v.Group("/m", func(next HandlerFunc) HandlerFunc { return next }).In(e.Group("/m"))
	},
})

func newPrefixed() *Routes {
	return New(quietEcho(), verso.MustNew(verso.PathPrefix("/{version}"), twoVersions))
}

func mistaken(v *Routes) { v.Add(http.MethodTrace, "/m", answerVersion) }

var echoAllowed = []twins.Allowance{
	{Name: "an error is answered where it is rewritten", Page: strings.Replace(routesPage, "routes.go#Routes", "rewrite.go#Routes.Rewrite", 1),
		Quote: "handler's error goes to Echo#HTTPErrorHandler at once, so that what that writes is rewritten",
		Matches: func(p *twins.Program, r twins.Request, bare, own twins.Outcome, kind string) bool {
			return p.MayRewrite(r, bare) && kind == twins.OtherField+"Content-Encoding" && r.Gzip && len(own.Handlers()) > 0 &&
				bare.Status == http.StatusNotFound && bare.Header.Get("Content-Encoding") == "" && own.Header.Get("Content-Encoding") == "gzip"
		}},
	twins.AllowOfVersion,
	{Name: "404 of EchoGroup", Page: routesPage + ".EchoGroup",
		Quote: "Echo gives a group with middleware a 404 of its own for all paths under the prefix: it takes the place of 405, of Echo's OPTIONS, and of routes outside the group, behind the check.",
		Matches: func(p *twins.Program, r twins.Request, bare, own twins.Outcome, kind string) bool {
			isBelow := strings.HasPrefix(strings.TrimLeft(r.Target, "/")+"/", "p/")
			answers := []int{http.StatusNotFound, http.StatusOK, http.StatusForbidden, http.StatusTeapot} // of Echo, and of guards of the group
			if r.Version != twins.First && r.Version != twins.Last {
				answers = append(answers, http.StatusBadRequest, http.StatusGone) // of the check
			}
			return p.Way == "echogroup" && !p.Has("group") && isBelow && slices.Contains(answers, own.Status) && own.Handlers() == nil && kind != twins.LostGuard
		}},
}
