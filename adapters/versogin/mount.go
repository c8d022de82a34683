package versogin

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/route"
)

// RegisterVersions registers the routes of several versions on the same paths, such as the
// generated servers of v1 and v2 behind a header. Each function gets a router that only
// records routes. Each method and path among them becomes a route with a handler for each
// version, registered as [Routes.HandleVersions] does, whatever the names of its path
// parameters. A version without a function has the routes of the one before it; after nil
// it has none. Middleware that a function adds with Use runs for its version only, after
// the check.
//
//	v.RegisterVersions(map[string]func(gin.IRouter){
//		"v1": func(r gin.IRouter) { apiv1.RegisterHandlers(r, serverV1) },
//		"v2": func(r gin.IRouter) { apiv2.RegisterHandlers(r, serverV2) },
//	})
//
// It panics as HandleVersions does, and if a function registers nothing with its router, a
// route twice, or one with Gin itself. Groups of the router are Gin's own, whose
// middleware RegisterVersions cannot read: it panics if they have any besides that of the router.
func (r *Routes) RegisterVersions(versions map[string]func(gin.IRouter)) {
	err := adapter.RouteJoiner[gin.IRouter, []gin.HandlerFunc]{Record: r.record, Rename: rename,
		Add: func(first route.Route, chains map[string][]gin.HandlerFunc) {
			r.handleVersions(first, first.Path, chains, nil)
		}}.Join(r.seam.Binding, versions)
	r.of.Must("RegisterVersions", err)
}

// rename gives path parameters their names in a version while its handlers run.
func rename(chain []gin.HandlerFunc, from, to []string) []gin.HandlerFunc {
	change := func(c *gin.Context, from, to []string) {
		for i := range c.Params {
			if at := slices.Index(from, c.Params[i].Key); at >= 0 {
				c.Params[i].Key = to[at]
			}
		}
	}
	return slices.Concat([]gin.HandlerFunc{func(c *gin.Context) {
		change(c, from, to)
		c.Next()
		change(c, to, from)
	}}, chain)
}

// recorder is a router that takes note of routes.
type recorder struct {
	note func(r route.Route, chain []gin.HandlerFunc)

	engine *gin.Engine       // of the groups that are Gin's own; nil: there are none
	chain  []gin.HandlerFunc // in front of the group whose route it was asked for last
	count  int               // of the handlers of that route in the engine
}

func (r *Routes) record(register func(gin.IRouter), note func(route.Route, []gin.HandlerFunc)) {
	recorder := &recorder{note: note}
	register((&Routes{of: r.of, group: new(gin.RouterGroup).Group(base), recorder: recorder}).Router())
	if recorder.engine == nil {
		return
	}
	for _, info := range recorder.engine.Routes() {
		path := strings.TrimPrefix(info.Path, base)
		recorder.count = 0
		recorder.engine.ServeHTTP(nowhere{}, &http.Request{Method: info.Method,
			URL: &url.URL{Path: params.ReplaceAllString(info.Path, "\x00")}})
		switch {
		case strings.Contains(info.Handler, ".createStaticHandler."):
			r.of.Fail("RegisterVersions: route %s %s: a folder is served by its path, which is not known in RegisterVersions: register it with v", info.Method, path)
		case recorder.count != 2:
			r.of.Fail("RegisterVersions: route %s %s: the middleware of a group of Gin's own is not known: add it to the router that RegisterVersions gives, before its Group", info.Method, path)
		}
		recorder.take(route.Route{Method: info.Method}, info.Path,
			slices.Concat(recorder.chain, []gin.HandlerFunc{info.HandlerFunc}))
	}
}

// base is the prefix of what takes note of routes: without one, Gin changes "" to "/".
const base = "/mount"

// take notes a route, by its path behind the base.
func (r *recorder) take(described route.Route, full string, chain []gin.HandlerFunc) {
	described.Path = strings.TrimPrefix(full, base)
	described.Pattern = route.Colons(described.Path)
	r.note(described, chain)
}

var params = regexp.MustCompile(`[:*][^/]*`)

// group returns a group of Gin's own.
func (r *recorder) group(of *gin.RouterGroup, relativePath string, handlers []gin.HandlerFunc) *gin.RouterGroup {
	if r.engine == nil {
		r.engine = gin.New()
	}
	chain := slices.Concat(of.Handlers, handlers)
	return r.engine.Group(of.Group(relativePath).BasePath(), func(c *gin.Context) {
		r.chain, r.count = chain, len(c.HandlerNames())
		c.Abort()
	})
}

// nowhere discards the responses to the requests of record.
type nowhere struct{}

func (nowhere) Header() http.Header            { return http.Header{} }
func (nowhere) Write(data []byte) (int, error) { return len(data), nil }
func (nowhere) WriteHeader(int)                {}
