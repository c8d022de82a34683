package adapter

import (
	"slices"
	"strings"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/internal/sources"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/source"
)

// This file makes the link to the successor, for responses of a version with dates. In come the request, the version and
// the part of the source that it was in; out comes a line of a Link field, or none if no successor has the path. It
// looks up no name, as a link of the service does: it fills the pattern of the same resource with the parameters of the
// request.

// successor returns the Link to the same resource in the successor of a version
// (RFC 5829, section 3.6): the first in the chain of successors that has a route of
// the path, whatever its method, since a resource is a URL.
func (l *links) successor(r *source.Request, moment catalogue.Moment, index, part int) (lines []string) {
	if r.Route() == nil {
		return nil
	}
	var buffer [256]byte
	for successor, ok := moment.Successor(index); ok; successor, ok = moment.Successor(successor) {
		if built, ok := l.appendInVersion(buffer[:0], r, l.api.versions[successor], part); ok {
			return []string{string(append(built, `>; rel="successor-version"`...))}
		}
	}
	return nil
}

// appendInVersion appends "<" and the URL of the same resource in another version. ok is
// false if no URL can carry the version, or the version does not have the path.
func (l *links) appendInVersion(dst []byte, r *source.Request, version verso.Version,
	part int) (built []byte, ok bool) {
	var w source.Written
	if !l.writeVersion(&w, version, part) {
		return nil, false
	}
	found := l.sameResource(r.Route(), r.Host(), version, &w)
	if found == nil {
		return nil, false
	}
	dst = append(dst, '<')
	begin := len(dst)
	built, err := l.appendOrigin(dst, r, r.Host(), found, version, &w)
	if err != nil {
		return nil, false
	}
	path := len(built)
	_, prefixed := w.Prefix()
	param, value := w.Param()
	built, ok = found.AppendPathFunc(built, func(position int, name string) (string, bool) {
		switch {
		case prefixed && found.Resource == r.Route().Resource: // the other route may name the same parameters differently
			name = r.Route().Pattern.ParamAt(position)
		case name == param:
			return value, true
		case slices.Contains(l.api.pathParams, name):
			return "", false
		}
		value, ok := r.PathParam(name)
		isSplit := strings.Contains(value, "/") && strings.Contains(strings.ToLower(r.EscapedPath()), "%2f")
		return value, ok && !isSplit // a%2Fb is not a/b
	})
	if !ok || path == begin && isHost(built[begin:]) {
		return nil, false
	}
	// A ServeMux has all below it here, and an escaped slash where {$} is the end.
	if own := strings.TrimSuffix(r.Route().Path, "{$}"); built[len(built)-1] == '/' && strings.HasSuffix(own, "/") {
		below := r.EscapedPath()
		for range strings.Count(own, "/") {
			_, below, _ = strings.Cut(below, "/")
		}
		built = append(built, below...)
	}
	return appendQuery(built, &w, nil), true
}

// sameResource returns the route of the resource of r in the version that a source has written,
// for requests to a host, or nil.
func (l *links) sameResource(r *route.Route, host string, version verso.Version, w *source.Written) *route.Route {
	namespace, inNamespace := w.Namespace()
	if !inNamespace {
		found := l.resourceAt(r, version, w)
		if param, _ := w.Param(); found == nil && r.HasName() { // it may have another path there
			found = l.routes.current().table.FindRenamed(host, l.prefixVersion(w), r, func(other *route.Route) bool {
				return (param == "" || other.Pattern.HasParam(param)) && l.routes.hasPath(other, version, false)
			})
		}
		return found
	}
	if !r.HasName() {
		return nil
	}
	found := l.routes.current().table.FindInNamespace(host, l.beside(r, namespace), l.prefixVersion(w), r)
	if found == nil || !l.routes.hasPath(found, version, true) {
		return nil
	}
	return found
}

// hasSuccessorLink reports whether responses of a route can have a link to another
// version.
func (l *links) hasSuccessorLink(r *route.Route, version verso.Version) bool {
	var w source.Written
	if !l.writeVersion(&w, version, 0) {
		return false
	}
	found := l.sameResource(r, r.Host, version, &w)
	return found != nil && found.Pattern.Err() == nil
}

// writeVersion writes a version, of a part, into a link. It reports whether a URL can carry it.
func (l *links) writeVersion(w *source.Written, version verso.Version, part int) bool {
	w.SetLink(part, false)
	return sources.WriteInto(l.api.source, w, version) == nil && w.IsInURL()
}

// resourceAt returns the route of the resource of r in the version that a source has
// written: r itself, or a route under the prefix of the version. It returns nil if the
// version has no such route.
func (l *links) resourceAt(r *route.Route, version verso.Version, w *source.Written) *route.Route {
	prefixVersion, prefixed := w.Prefix()
	if !prefixed {
		if param, _ := w.Param(); param != "" && !r.Pattern.HasParam(param) || !l.routes.hasPath(r, version, false) {
			return nil
		}
		return r
	}
	for _, prefix := range []string{l.prefixVersion(w), prefixVersion, ""} {
		if prefix == "" && !l.api.isDefault(prefixVersion) {
			continue
		}
		for _, other := range l.sameResources(r) {
			if other.PrefixVersion == prefix && l.routes.hasPath(other, version, false) {
				return other
			}
		}
	}
	return nil
}

// sameResources returns the routes of the same resource. The route of a [Scope] is not in the
// table, but the framework's route there is.
func (l *links) sameResources(r *route.Route) []*route.Route {
	if same := r.SameResource(); same != nil {
		return same
	}
	if listed := l.routes.ofPath(l.routes.current(), r.Path); listed != nil {
		if known := listed.in(r.Host, r.Method); known != nil {
			return known.SameResource()
		}
	}
	return nil
}

// beside returns the namespace of a route with another version in the place of its own:
// "api:v2" for "api:v1".
func (l *links) beside(r *route.Route, version string) string {
	parts := r.Namespaces()
	if len(parts) < 2 { // the usual case, without an allocation
		return version
	}
	of := max(0, slices.IndexFunc(parts, func(part string) bool { return l.api.Set.Lookup(part) != nil }))
	parts = slices.Clone(parts)
	parts[of] = version
	return strings.Join(parts, ":")
}
