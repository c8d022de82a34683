package adapter

import (
	"net/http"
	"slices"
	"strings"

	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/source"
)

// isAnsweredByFramework reports whether frameworks add routes for a method by
// themselves.
func isAnsweredByFramework(method string) bool {
	return method == http.MethodHead || method == http.MethodOptions
}

// methodsIn returns the methods that the path of a request has in a version, except
// those that frameworks add. HEAD is among them where the router serves it with GET. There
// are none if no other route of the pattern is in the version.
func (rs *routes) methodsIn(r *source.Request, index int) (methods []string) {
	matched := r.Route()
	for _, other := range matched.SamePath() {
		isOther := !isAnsweredByFramework(other.Method) && other.Method != matched.Method && other.Method != ""
		if isOther && hasVersion(other, index) {
			methods = append(methods, other.Method)
		}
	}
	if len(methods) == 0 {
		return nil
	}
	if path, ok := pathOf(r); ok { // other patterns may have it too
		more, _ := rs.methodsOf(r, &matched.Host, path, func(r *route.Route) bool { return hasVersion(r, index) })
		methods = append(methods, more...)
	}
	if head, ok := rs.router.(interface{ ServesHead() bool }); ok && head.ServesHead() &&
		slices.Contains(methods, http.MethodGet) {
		methods = append(methods, http.MethodHead)
	}
	slices.Sort(methods)
	return slices.Compact(methods)
}

// pathOf returns the path of a request as its router has matched it, decoded.
func pathOf(r *source.Request) (path string, ok bool) {
	pattern := &r.Route().Pattern
	text, position := strings.Builder{}, 0
	for part := range strings.SplitSeq(pattern.Shape(), "{") {
		kind, fixed, isParam := strings.Cut(part, "}")
		if !isParam {
			text.WriteString(unescaped(part))
			continue
		}
		value, ok := r.PathParam(pattern.ParamAt(position))
		if !ok {
			return "", false
		}
		if kind == "" { // one segment
			value = strings.ReplaceAll(value, "/", "%2F")
		}
		text.WriteString(value + unescaped(fixed))
		position++
	}
	return text.String(), pattern.Err() == nil
}

// methodsOf returns the methods of the routes with a path, on one host if it is not nil: those
// that are served, since the route that a router prefers for them has no version or has reports
// true, and those that it lacks.
func (rs *routes) methodsOf(r *source.Request, host *string, path string,
	has func(r *route.Route) bool) (served, lacks []string) {
	seen := make(map[string]bool)
	rs.having(r, path, func(found []*route.Route) (more bool) {
		here := make(map[string]bool) // of this pattern
		for _, r := range found {
			if !isAnsweredByFramework(r.Method) && (host == nil || *host == r.Host) {
				here[r.Method] = here[r.Method] || !rs.isVersioned(r) || has(r)
			}
		}
		for method, serves := range here {
			switch {
			case seen[method]: // a router prefers another pattern
			case !serves:
				lacks = append(lacks, method)
			case method != "":
				served = append(served, method)
			}
			seen[method] = true
		}
		return !seen[""] // else all methods are known
	})
	if slices.Contains(lacks, http.MethodGet) && !seen[http.MethodHead] {
		lacks = append(lacks, http.MethodHead) // where the router serves it with GET
	}
	return served, lacks
}
