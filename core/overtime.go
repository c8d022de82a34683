package verso

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/route"
)

// overTime decides on a request by the catalogue: its clock is read once.
func (v *Versioning) overTime(r Request, plan *Plan) (Decision, error) {
	moment := v.catalogue.At(v.config.Clock())
	served := v.at(moment)
	reading := v.source.Read(r, served)
	if !v.isSound(&reading) {
		return Decision{}, v.misread(&reading)
	}
	v.sayNowhereOnce(&reading)
	table := v.tableOf(plan)
	decision := Decision{Vary: v.vary[reading.Looked], lists: table.Lists(moment), second: moment.Second(), named: reading.Outcome == Found}
	if v.rejectsHost(r) {
		return decision, v.reject(&unknownHost, &Reading{})
	}
	result, err := v.decide(&reading, served)
	if err != nil {
		return decision, decision.rejected(err)
	}
	switch {
	case result.index >= 0:
		err = v.overTimeIn(r, &decision, moment, table, result)
	case result.Version.IsNone() && plan != nil && plan.dispatches:
		err = decision.rejected(v.reject(&notInVersion, &reading))
	default:
		decision.Result, decision.fields = result, table.RouteFields()
		if table.Gone(moment) {
			err = decision.ended(v.reject(&routeGone, &reading), table.RouteSunset(), "")
		}
	}
	decision.expose = v.expose
	return decision, err
}

// overTimeIn decides on a request for a version of the catalogue.
func (v *Versioning) overTimeIn(r Request, decision *Decision, moment catalogue.Moment, table *catalogue.Table, asked *Result) error {
	d := table.Decide(moment, asked.index)
	decision.fields, decision.asked, decision.state = d.Fields, int32(asked.index)+1, d.State
	if successor, ok := table.SuccessorLink(moment, asked.index); ok {
		decision.extra = v.successorLink(r, asked, successor)
	}
	reading := Reading{Outcome: Found, Text: asked.Version.String(), Part: asked.part}
	switch d.Outcome {
	case catalogue.Served:
		decision.Result = &v.served.set.byIndex[d.Version].results[asked.part]
		if v.servedFields != nil {
			decision.served = &v.servedFields[d.Version]
		}
		return nil
	case catalogue.VersionGone:
		return decision.ended(v.reject(&versionGone, &reading), table.Sunset(asked.index), v.successor(moment, asked.index))
	case catalogue.VersionBrownout:
		decision.extra = append(decision.extra, catalogue.Field{Name: "Cache-Control", Lines: []string{"no-store"}})
		if d.RetryAfter > 0 {
			decision.extra = append(decision.extra, catalogue.Field{Name: "Retry-After", Lines: []string{strconv.FormatInt(d.RetryAfter, 10)}})
		}
		rejected := v.reject(&versionBrownout, &reading)
		rejected.Status = d.Status
		return decision.ended(rejected, table.Sunset(asked.index), v.successor(moment, asked.index))
	case catalogue.RouteGone:
		return decision.ended(v.reject(&routeGone, &reading), table.RouteSunset(), "")
	case catalogue.NotInVersion:
		if allow := v.methodsIn(r, d.Version); len(allow) > 0 {
			decision.extra = append(decision.extra, catalogue.Field{Name: "Allow", Lines: []string{strings.Join(allow, ", ")}})
			return decision.rejected(v.reject(&methodNotInVersion, &reading))
		}
		return decision.rejected(v.reject(&notInVersion, &reading))
	}
	return decision.rejected(v.reject(v.parts[asked.part].invalid, &reading))
}

// successor returns the version that a client of one that ends should move to,
// "" for none.
func (v *Versioning) successor(moment catalogue.Moment, index int) string {
	if successor, ok := moment.Successor(index); ok {
		return v.catalogue.Versions()[successor]
	}
	return ""
}

// successorLink returns the Link to the same resource in the successor of the
// version asked for (RFC 5829, section 3.6), nil when there is none.
func (v *Versioning) successorLink(r Request, asked *Result, successor int) []catalogue.Field {
	matched := r.Route()
	if matched == nil || !matched.HasName() {
		return nil
	}
	version := V(v.catalogue.Versions()[successor])
	target := Target{Name: matched.Name[strings.LastIndexByte(matched.Name, ':')+1:], Version: version, part: asked.part}
	if !slices.Contains(v.Sources(), namespaceName) {
		target.Name = matched.Name
	}
	target.Params = make(Params)
	for _, name := range matched.Pattern.Params() {
		if value, ok := r.PathParam(name); ok && !slices.Contains(v.pathParams(), name) {
			target.Params[name] = value
		}
	}
	written, err := v.source.Write(target, version)
	if err != nil || !written.carries {
		return nil
	}
	built, err := v.build(r, version, &written)
	if err != nil {
		return nil
	}
	return []catalogue.Field{{Name: catalogue.LinkField, Lines: []string{"<" + built + `>; rel="successor-version"`}}}
}

// methodsIn returns the methods that the path of the request has in a version,
// without those that a framework answers by itself.
func (v *Versioning) methodsIn(r Request, index int) (methods []string) {
	matched := r.Route()
	if matched == nil {
		return nil
	}
	for _, other := range v.table(r).SamePath(matched) {
		if isAnsweredByFramework(other.Method) || other.Method == matched.Method {
			continue
		}
		if plan := planOf(other); plan == nil || plan.neutral || plan.table.Has(index) {
			methods = append(methods, other.Method)
		}
	}
	slices.Sort(methods)
	return slices.Compact(methods)
}

// isAnsweredByFramework reports whether frameworks add routes for a method beside
// those that were registered.
func isAnsweredByFramework(method string) bool {
	return method == http.MethodHead || method == http.MethodOptions
}

// hasRoute reports whether the version of a link has the route that it leads to,
// or one of the same name and path, for another method.
func (v *Versioning) hasRoute(table *route.Table, found *route.Route, version Version) bool {
	if planOf(found) == nil || version.IsNone() {
		return true
	}
	index, known := v.catalogue.Index(version.String())
	has := func(r *route.Route) bool {
		plan := planOf(r)
		return plan == nil || plan.table == nil || known && plan.table.Has(index)
	}
	return has(found) || slices.ContainsFunc(table.SamePath(found), func(r *route.Route) bool {
		return r.Name == found.Name && !isAnsweredByFramework(r.Method) && has(r)
	})
}

// ended adds what a problem says of a version or a route that ended.
func (d *Decision) ended(rejected *Error, sunset, successor string) error {
	rejected.Sunset, rejected.Successor = sunset, successor
	return d.rejected(rejected)
}

// rejected adds the versions that a problem names.
func (d *Decision) rejected(err error) error {
	d.Result = nil
	if rejected, ok := errors.AsType[*Error](err); ok {
		rejected.lists = d.lists
	}
	return err
}
