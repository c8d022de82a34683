package adapter

import (
	"net/http"
	"slices"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/source"
)

// unmatched decides on a request that matches no route: see [Seam.CheckUnmatched].
func (d *decisions) unmatched(c *Call, path string, skipped bool) (rejected bool) {
	r, rs := &c.Request, d.links.routes
	rs.serving.Store(true)
	pattern, _ := route.NewPattern(path, route.Literal(path))
	r.SetParams(paramsOfPath{rs, path})
	r.SetRoute(&route.Route{Method: r.Method(), Pattern: pattern})
	versioned, isUnversioned := rs.at(r, path, skipped)
	if r.Method() == http.MethodOptions && isPreflight(r) || isUnversioned && !versioned {
		*c = Call{}
		return false
	}
	d.decide(c)
	if (c.namesWrongly() || c.rejection == &contradicting) && d.isOrdinary(r, path) {
		*c = Call{Request: c.Request} // decide as for a path without the parameter
		r.SetParams(noRouter{})
		d.decide(c)
	}
	isOfVersion := c.namesWrongly()
	if isOfVersion && !isUnversioned {
		r.SetRoute(nil) // whose pattern is unknown
		if !versioned {
			c.fields.link = nil // no version has the path
		}
		return true
	}
	left := Call{fields: Fields{constant: c.fields.constant}} // another version may be rejected here
	switch {
	case isOfVersion:
		_, left.lacks = rs.methodsOf(r, nil, path, func(*route.Route) bool { return false })
	case c.result != nil && in(c.result).Index >= 0:
		index := in(c.result).Index
		_, left.lacks = rs.methodsOf(r, nil, path, func(r *route.Route) bool { return hasVersion(r, index) })
	}
	*c = left
	return false
}

// namesWrongly reports whether a request is rejected since it names an unknown or ended version.
func (c *Call) namesWrongly() bool {
	_, ok := c.err.(*verso.Error) //nolint:errorlint // as in preflight
	return ok && c.outcome == source.Found && c.rejection != &emptyVersion && c.rejection != &unknownHost &&
		c.rejection != &versionBrownout
}

// isOrdinary reports whether a path parameter has read the text of an ordinary path, such
// as /favicon.ico, as a version: no version has it as its text, and no route with the
// parameter has the path.
func (d *decisions) isOrdinary(r *source.Request, path string) bool {
	served := d.api.Served
	if d.api.Dated {
		served = d.api.at(d.api.Catalogue.At(d.api.config.Clock()))
	}
	return slices.ContainsFunc(d.api.parts, func(p part) bool {
		if p.PathParam == "" {
			return false
		}
		reading := p.source.Read(*r, (*source.ServedVersions)(served))
		if reading.Outcome != source.Found || d.api.Set.Lookup(reading.Text) != nil {
			return false
		}
		has := false
		d.links.routes.having(r, path, func(routes []*route.Route) (more bool) {
			has = slices.ContainsFunc(routes, func(r *route.Route) bool {
				return r.Pattern.HasParam(p.PathParam) && d.links.routes.isVersioned(r)
			})
			return len(routes) == 0
		})
		return !has
	})
}

// paramsOfPath reads a path that no route has. A path parameter has its value where routes
// have it: a version if there is one, else what is behind the longest fixed text. That takes as
// long for many routes as for few.
type paramsOfPath struct {
	*routes
	path string
}

func (u paramsOfPath) PathParam(_ any, name string) (value string, ok bool) {
	u.routes.paths().values(u.path, name, func(text string) (more bool) {
		isVersion := u.api.Set.Lookup(text) != nil
		if !ok || isVersion {
			value, ok = text, true
		}
		return !isVersion
	})
	return value, ok
}

// at reports whether a route with the path has a version, and whether the routes of the
// most specific pattern have none: then no version is the reason for a missing method.
// If a middleware skips the request, routes of other code have none.
func (rs *routes) at(r *source.Request, path string, skipped bool) (versioned, isUnversioned bool) {
	rs.having(r, path, func(routes []*route.Route) (more bool) {
		versioned = slices.ContainsFunc(routes, func(r *route.Route) bool {
			return rs.isVersioned(r) && (!skipped || !r.Foreign)
		})
		isUnversioned = isUnversioned || !versioned && len(routes) > 0
		return !versioned
	})
	return versioned, isUnversioned
}
