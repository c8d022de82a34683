package versoecho

import (
	"net/url"
	"sync"

	"github.com/labstack/echo/v4"

	verso "github.com/goverso/verso/core"
)

// request presents Echo's context as a [verso.Request].
type request struct {
	c          echo.Context
	versioning *verso.Versioning
	namespace  string
}

var _ verso.Request = (*request)(nil)

// requests saves the allocation of a request for each HTTP request.
var requests = sync.Pool{New: func() any { return new(request) }}

func (r *request) AcceptedMediaType() (string, bool) {
	return r.versioning.AcceptedMediaType(r.c.Request().Header["Accept"])
}

func (r *request) PathParam(name string) (string, bool) {
	values := r.c.ParamValues()
	for i, param := range r.c.ParamNames() {
		if param == name && i < len(values) {
			return r.unescape(values[i]), true
		}
	}
	return "", false
}

// unescape decodes a path argument once. Echo matches, and cuts arguments from,
// the path as it was sent if Go keeps that, else the decoded one.
func (r *request) unescape(value string) string {
	if r.c.Request().URL.RawPath == "" {
		return value
	}
	if plain, err := url.PathUnescape(value); err == nil {
		return plain
	}
	return value
}

func (r *request) QueryParam(name string) (string, bool) {
	return verso.QueryParam(r.c.Request().URL.RawQuery, name)
}

func (r *request) Namespace() string      { return r.namespace }
func (r *request) Host() string           { return r.c.Request().Host }
func (r *request) Version() verso.Version { return Version(r.c) }
