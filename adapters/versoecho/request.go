package versoecho

import (
	"net/url"
	"sync"

	"github.com/labstack/echo/v4"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/route"
)

// request presents Echo's context as a [verso.Request].
type request struct {
	c          echo.Context
	versioning *verso.Versioning
	route      *route.Route // nil: not looked up yet
}

var _ verso.Request = (*request)(nil)

// requests saves the allocation of a request for each HTTP request.
var requests = sync.Pool{New: func() any { return new(request) }}

// acquire takes a request from the pool. The caller releases it.
func acquire(c echo.Context, versioning *verso.Versioning, matched *route.Route) *request {
	r := requests.Get().(*request)
	*r = request{c, versioning, matched}
	return r
}

// release gives r back to the pool.
func (r *request) release() {
	*r = request{}
	requests.Put(r)
}

func (r *request) AcceptedMediaType() (string, bool) {
	return r.versioning.AcceptedMediaType(r.c.Request().Header["Accept"])
}

func (r *request) PathParam(name string) (string, bool) {
	return pathParam(r.c, name)
}

func (r *request) QueryParam(name string) (string, bool) {
	return verso.QueryParam(r.c.Request().URL.RawQuery, name)
}

func (r *request) Namespace() string {
	if r.route == nil {
		matched, ok := findIn(r.versioning.Table(r), r.c)
		if !ok {
			return ""
		}
		r.route = matched
	}
	return r.route.Namespace()
}

func (r *request) Host() string           { return r.c.Request().Host }
func (r *request) Version() verso.Version { return Version(r.c) }

// Param returns the named argument of the path, percent-decoded once, and ""
// when there is none. Echo's own Context#Param leaves an argument encoded when
// the path was sent with escapes that Go would not write: of "a%2Bb", which a
// URL built by [Reverse] holds for "a+b". Give Reverse what Param returns.
func Param(c echo.Context, name string) string {
	value, _ := pathParam(c, name)
	return value
}

// pathParam decodes what Echo cuts from the path: from the path as it was sent,
// if Go keeps that, else from the decoded one.
func pathParam(c echo.Context, name string) (value string, ok bool) {
	values := c.ParamValues()
	for i, param := range c.ParamNames() {
		if param != name || i >= len(values) {
			continue
		}
		if c.Request().URL.RawPath == "" {
			return values[i], true
		}
		if plain, err := url.PathUnescape(values[i]); err == nil {
			return plain, true
		}
		return values[i], true
	}
	return "", false
}
