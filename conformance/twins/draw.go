package twins

import (
	"math/rand/v2"
	"net/http"
	"regexp"
	"strings"
)

// The versions of each program. Requests also have [Unknown], and none.
const (
	Ended   = "v0"
	First   = "v1"
	Last    = "v2"
	Unknown = "v9"
)

// VersionField is the field with the version of a request. Where it is in the path, nothing reads it.
const VersionField = "Api-Version"

// Both are the versions of a route with a handler for each served version.
const Both = First + " " + Last

// Gen draws programs.
type Gen struct {
	*rand.Rand
	id int
}

// Next returns an ID for a handler or a middleware.
func (g *Gen) Next() int { g.id++; return g.id }

// OneIn reports true once in n calls.
func (g *Gen) OneIn(n int) bool { return g.IntN(n) == 0 }

// One draws a value.
func One[T any](g *Gen, of ...T) T { return of[g.IntN(len(of))] }

// Wares draws up to n middlewares, now and then of other kinds.
func (g *Gen) Wares(n int, kinds ...string) (drawn []Ware) {
	for range g.IntN(n + 1) {
		kind := One(g, "", "", "a", "b")
		if g.OneIn(12) {
			kind = preflights
		}
		if len(kinds) > 0 && g.OneIn(6) {
			kind = One(g, kinds...)
		}
		drawn = append(drawn, Ware{ID: g.Next(), Kind: kind})
	}
	return drawn
}

// Many is Wares, sometimes as much as a generated server has.
func (g *Gen) Many(kinds ...string) []Ware {
	if !g.OneIn(4) {
		return g.Wares(3, kinds...)
	}
	drawn := make([]Ware, 5+g.IntN(5))
	for i := range drawn {
		drawn[i] = Ware{ID: g.Next()}
	}
	return drawn
}

// Top draws who registers a statement at the top of a program, and its version.
func (g *Gen) Top(s *Statement) *Statement {
	if s.By = One(g, ByVerso, ByVerso, ByVerso, ByVerso, ByNeutral, ByFramework); s.By == ByVerso && s.Only == "" && g.OneIn(5) {
		s.Only = One(g, First, Last)
	}
	return s
}

// parameter is a parameter of a pattern, in the syntaxes of all frameworks.
var parameter = regexp.MustCompile(`\{[^}]*\}|:[a-z]+(<[^>]*>)?\??|\*[a-z]*|\+`)

// sent draws a path that a pattern may match.
func (g *Gen) sent(pattern string) string {
	const colon = "\x00" // which is text
	path := parameter.ReplaceAllStringFunc(strings.ReplaceAll(pattern, `\:`, colon), func(s string) string {
		switch {
		case s == "{$}":
			return ""
		case strings.HasPrefix(s, "*"), strings.HasSuffix(s, "...}"), strings.HasSuffix(s, ":.*}"), s == "+":
			return One(g, "", "f", "f/g", "a%20b", "a", "x%2Fy", "f/", "x%2Fy/")
		}
		return One(g, "7", "a", "b", "7", "x%2Fy", "a%20b", "s", "x%3Ay", "é", "a%2Bb", "a%2525b", "x%2Fy%2541")
	})
	return strings.ReplaceAll(path, colon, ":")
}

// spot is a pattern of a program, and a method and a host that it has.
type spot struct{ path, method, host string }

// spots lists the patterns of a program.
func spots(prefix, host string, body []*Statement) (found []spot) {
	for _, s := range body {
		method, path, here := "", s.Path, host
		if len(s.Methods) > 0 {
			method = s.Methods[0]
		}
		if before, after, ok := strings.Cut(path, " "); ok {
			method, path = before, after
		}
		if path != "" && path[0] != '/' { // a host, or a method of the group itself
			slash := strings.IndexByte(path+"/", '/')
			if here = path[:slash]; path == strings.ToUpper(path) {
				method, here = path, host
			}
			path = path[slash:]
		}
		full := strings.TrimSuffix(prefix, "/") + path
		if s.Op == "static" && s.Opt != "file" {
			folder := strings.TrimRight(full, "/*") + "/"
			full, found = folder+"*", append(found, spot{folder + "a%2520b", method, here})
		}
		found = append(append(found, spot{full, method, here}), spots(full, here, s.Body)...)
	}
	return found
}

// request draws a request for a pattern of a program.
func (g *Gen) request(way Way, p *Program, patterns []spot, role *string) Request {
	r := Request{
		Method: One(g, "GET", "GET", "GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "PURGE", "TRACE", "GET", "POST"),
		Host:   One(g, "example.com", "example.com", "example.com", "other.example", "a.example"),
		Gzip:   g.OneIn(4),
	}
	*role = One(g, "ab", "ab", "ab", "ab", "a", "b", "")
	r.Version = One(g, First, Last, First, Last, First, Last, First, Last, Ended, Unknown, "")
	at := spot{path: "/"}
	if len(patterns) > 0 {
		at = One(g, patterns...)
	}
	if at.method != "" && at.method != "GET HEAD" && g.IntN(3) > 0 {
		r.Method = at.method
	}
	if len(at.method) == 0 && g.OneIn(8) {
		r.Method = "OPTIONS"
	}
	r.Skipped = p.Has(Skips) && g.OneIn(4)
	if r.Preflight = r.Method == http.MethodOptions && g.OneIn(2); r.Preflight && g.OneIn(3) {
		r.Version = One(g, Ended, Unknown) // which a handler for OPTIONS alone does not get to know
	}
	if at.host != "" && g.IntN(4) > 0 {
		r.Host = at.host
	}
	path := g.bent(g.sent(at.path))
	if g.OneIn(6) {
		path = g.bent(path)
	}
	if way.Below != "" && !g.OneIn(15) {
		path = way.Below + path
	}
	if way.InPath && !g.OneIn(15) {
		if path = g.versioned(p, &r, path); g.OneIn(20) {
			path = "/" + path
		}
	}
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	r.Target = path
	if way.Param {
		r.Version, _, _ = strings.Cut(path[1:], "/")
		if !isServed(r.Version) && r.Version != Ended {
			r.Version = Unknown
		}
	}
	return r
}

// bent draws the given path, or one like it.
func (g *Gen) bent(path string) string {
	switch g.IntN(16) {
	case 0:
		return strings.TrimSuffix(path, "/")
	case 1:
		return path + "/"
	case 2:
		return path + One(g, "/zz", "/a", "/b", "z", "/7", ".x")
	case 3:
		return strings.Replace(path, "/", "//", 1+g.IntN(2))
	case 4:
		return path[:strings.LastIndex(path+"/", "/")]
	case 5:
		return strings.ToUpper(path)
	case 6:
		return "/" + One(g, "a", "b", "zz", "a/b", "7") + path
	}
	return path
}

// versioned puts the version of a request into its path.
func (g *Gen) versioned(p *Program, r *Request, path string) string {
	prefix := p.Base()
	if r.Version != "" && (!p.Has("default") || !g.OneIn(3)) {
		prefix += "/" + r.Version
	}
	if path == "/" && g.OneIn(2) {
		return prefix
	}
	return prefix + "/" + strings.TrimPrefix(path, "/")
}

// Late is a flag of programs that serve a request when half of their statements are registered: see [Program.IsHalf].
const Late = "late"

// IsHalf reports whether a program serves a request in front of its statement i. A function registers all at once.
func (p *Program) IsHalf(i int) bool {
	return p.Has(Late) && p.Way != "versions" && p.Way != "register" && i > 0 && i == (len(p.Body)+1)/2
}

// WithoutFiles is a Fit which makes routes of the files that a function registers: their note is middleware, and in
// front of the check there.
func WithoutFiles(p *Program) {
	var fit func(body []*Statement)
	fit = func(body []*Statement) {
		for _, s := range body {
			if s.Op == "static" || s.Op == "file" {
				s.Op, s.Opt, s.Methods = "match", "", []string{http.MethodGet, http.MethodOptions}
			}
			fit(s.Body)
		}
	}
	if p.Way == "register" {
		fit(p.Body)
	}
}

// Early is the request between the statements of a program.
var Early = Request{Method: "GET", Target: "/early", Host: "example.com"}

// Base is what precedes the version in the path.
func (p *Program) Base() string {
	if p.Has("api") {
		return "/api"
	}
	return ""
}

// Prefix is a path that the framework alone registers a program under, where the version is in the path.
type Prefix struct {
	Path    string
	Version string // "-" for the default, which is [First]
}

// Has reports whether a statement is registered there: routes are in no version before their first.
func (f Prefix) Has(s *Statement) bool {
	switch s.Only {
	case Last:
		return f.Version == Last
	case Both:
		return f.Version != Ended
	}
	return true
}

// Prefixes are the paths of each version. The default version has one without it.
func (p *Program) Prefixes() (prefixes []Prefix) {
	if p.Has("default") {
		prefixes = append(prefixes, Prefix{p.Base(), "-"})
	}
	for _, version := range []string{Ended, First, Last} {
		prefixes = append(prefixes, Prefix{p.Base() + "/" + version, version})
	}
	return prefixes
}
