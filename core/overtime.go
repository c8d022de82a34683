package verso

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/route"
)

// overTime determines a version with the catalogue. It reads the clock once, or not at
// all if nothing has a date.
func (b *Binding) overTime(c *Call, p *plan) {
	v := b.api
	now := time.Unix(0, 0)
	if v.dated || !p.deprecated.IsZero() || !p.sunset.IsZero() {
		now = v.config.Clock()
	}
	moment := v.catalogue.At(now)
	served := b.at(moment)
	var reading Reading
	read(v.source, &c.Request, served, &reading)
	if !v.isSound(&reading) {
		c.Err = v.misread(&reading)
		return
	}
	b.sayNowhereOnce(&reading)
	table := v.tableOf(p)
	c.vary, c.named = v.vary[reading.Looked], reading.Outcome == Found
	c.lists, c.second, c.expose = table.Lists(moment), moment.Second(), v.expose
	if c.rejectsHost() {
		c.rejectOverTime(v.reject(&unknownHost, &Reading{}))
		return
	}
	result, err := b.resolve(&reading, served)
	if err != nil {
		c.rejectOverTime(err)
		return
	}
	switch {
	case result.index >= 0:
		c.overTimeIn(moment, table, result)
	case p != nil && p.dispatches && !p.unversioned:
		c.rejectOverTime(v.reject(&notInVersion, &reading))
	case table.Gone(moment) && !c.Kept:
		c.fields = table.RouteFields()
		c.rejectEnded(v.reject(&routeGone, &reading), table.RouteSunset(), "")
	default:
		c.result, c.fields = result, table.RouteFields()
	}
}

// overTimeIn decides on a request for a version of the catalogue.
func (c *Call) overTimeIn(moment catalogue.Moment, table *catalogue.Table, asked *Result) {
	b, v := c.binding, c.binding.api
	c.asked, c.state = int32(asked.index)+1, moment.State(asked.index)
	reading := Reading{Part: asked.part}
	if c.named {
		reading.Outcome, reading.Text = Found, asked.version.String()
	}
	var d catalogue.Decision
	switch {
	case c.Kept:
		d = table.Keep(moment, asked.index)
	case c.named:
		d = table.Decide(moment, asked.index)
	default:
		asked, d = b.decideUnversioned(moment, table, asked)
	}
	c.fields = d.Fields
	if table.NamesSuccessor(moment, asked.index) {
		c.extra = b.successorLink(&c.Request, moment, asked)
	}
	reject := func(rejection *Rejection) *Error { return v.reject(rejection, &reading) }
	switch d.Outcome {
	case catalogue.Served:
		c.result = &b.served.set.byIndex[d.Version].results[asked.part]
		if v.servedFields != nil {
			c.served = &v.servedFields[d.Version]
		}
	case catalogue.VersionGone:
		c.rejectEnded(reject(&versionGone), table.Sunset(asked.index), v.successor(moment, asked.index))
	case catalogue.VersionBrownout:
		c.extra = append(c.extra, Field{Name: "Cache-Control", Lines: []string{"no-store"}})
		if d.RetryAfter > 0 {
			c.extra = append(c.extra, Field{Name: "Retry-After", Lines: []string{strconv.FormatInt(d.RetryAfter, 10)}})
		}
		rejected := reject(&versionBrownout)
		rejected.Status = d.Status
		c.rejectEnded(rejected, table.Sunset(asked.index), v.successor(moment, asked.index))
	case catalogue.RouteGone:
		c.rejectEnded(reject(&routeGone), table.RouteSunset(), "")
	case catalogue.NotInVersion:
		if allow := b.methodsIn(c.Request.route, d.Version); len(allow) > 0 {
			c.extra = append(c.extra, Field{Name: "Allow", Lines: []string{strings.Join(allow, ", ")}})
			c.rejectOverTime(reject(&methodNotInVersion))
			return
		}
		c.rejectOverTime(reject(&notInVersion))
	default:
		c.rejectOverTime(reject(v.parts[asked.part].invalid))
	}
}

// rejectEnded rejects a request because a version or a route has ended.
func (c *Call) rejectEnded(rejected *Error, sunset, successor string) {
	rejected.Sunset, rejected.Successor = sunset, successor
	c.rejectOverTime(rejected)
}

// rejectOverTime rejects a request with the versions that are served at the moment.
func (c *Call) rejectOverTime(err error) {
	if rejected, ok := err.(*Error); ok { //nolint:errorlint // as in Rejected
		rejected.lists = c.lists
	}
	c.Err = err
}

// successor returns the version that clients of an ending one should move to, "" for
// none.
func (v *Versioning) successor(moment catalogue.Moment, index int) string {
	if successor, ok := moment.Successor(index); ok {
		return v.catalogue.Versions()[successor]
	}
	return ""
}

// successorLink returns the Link to the same resource in the successor of a version
// (RFC 5829, section 3.6): the first in the chain of successors that has a route of
// the path, whatever its method, since a resource is a URL. It returns nil if there is
// none.
func (b *Binding) successorLink(r *Request, moment catalogue.Moment, asked *Result) []Field {
	if r.route == nil {
		return nil
	}
	for successor, ok := moment.Successor(asked.index); ok; successor, ok = moment.Successor(successor) {
		version := b.served.set.byIndex[successor].results[asked.part].version
		if built, ok := b.linkToTwin(r, version, asked.part); ok {
			return []Field{{Name: catalogue.LinkField, Lines: []string{"<" + built + `>; rel="successor-version"`}}}
		}
	}
	return nil
}

// methodsIn returns the methods that the path of a route has in a version, except
// those that frameworks add.
func (b *Binding) methodsIn(matched *route.Route, index int) (methods []string) {
	if matched == nil {
		return nil
	}
	for _, other := range matched.SamePath() {
		if isAnsweredByFramework(other.Method) || other.Method == matched.Method || other.Method == "" {
			continue
		}
		if hasVersion(other, index) {
			methods = append(methods, other.Method)
		}
	}
	slices.Sort(methods)
	return slices.Compact(methods)
}

// isAnsweredByFramework reports whether frameworks add routes for a method by
// themselves.
func isAnsweredByFramework(method string) bool {
	return method == http.MethodHead || method == http.MethodOptions
}

// hasVersion reports whether a version has a route.
func hasVersion(r *route.Route, index int) bool {
	p := planOf(r)
	return p == nil || p.neutral || index >= 0 && p.table.Has(index)
}

// hasPath reports whether a version has a route of the path of r, whatever its
// method; named: of its name as well.
func (b *Binding) hasPath(r *route.Route, version Version, named bool) bool {
	index := -1
	if known := b.served.set.lookup(version.String()); known != nil {
		index = known.results[0].index
	}
	return hasVersion(r, index) || slices.ContainsFunc(r.SamePath(), func(other *route.Route) bool {
		return !isAnsweredByFramework(other.Method) && (!named || other.Name == r.Name) && hasVersion(other, index)
	})
}
