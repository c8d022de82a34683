package adapter

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/internal/finding"
	"github.com/goverso/verso/core/internal/hostname"
	"github.com/goverso/verso/core/internal/origin"
	"github.com/goverso/verso/core/internal/sources"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/source"
)

// links builds the URLs of the routes of a router.
type links struct {
	api     *engine
	routes  *routes
	journal *onceLogger
	host    atomic.Pointer[string] // of the first link with the host of a request
}

// LinkFor is [verso.Result.Link] for an adapter. r is the request of the result.
func LinkFor(result *verso.Result, r source.Request, target verso.Target) (string, error) {
	if isUnchecked(result) {
		return "", verso.ErrNotChecked
	}
	of := in(result)
	return of.Links.(*links).link(&r, of.Version, of.Part, &target)
}

// link builds the URL of a target for a request in a version, which it had in a part
// of the source: see [verso.Result.Link].
func (l *links) link(r *source.Request, version verso.Version, part int, t *verso.Target) (string, error) {
	if !t.Version.IsNone() && !l.api.IsAllowedVersion(t.Version) {
		return "", fmt.Errorf("verso: %w: %q: link to one of the versions that the service serves", verso.ErrUnknownVersion, t.Version)
	}
	if !r.HasParams() {
		r.SetParams(l.routes.router) // for OriginFunc
	}
	built, err := l.linkIn(r, version, part, t)
	if err == nil || !errors.Is(err, verso.ErrNoReverseMatch) || !t.Version.IsNone() {
		return built, err
	}
	var written source.Written
	written.SetLink(0, false)
	built, unversioned := l.linkWritten(r, version, t, &written)
	if unversioned != nil && unversioned.Error() != err.Error() {
		err = fmt.Errorf("%w (and without the version: %w)", err, unversioned)
	}
	if unversioned != nil {
		return "", err
	}
	return built, nil
}

// linkIn builds the URL of a target in a version, or in that of the target.
func (l *links) linkIn(r *source.Request, version verso.Version, part int, t *verso.Target) (string, error) {
	var written source.Written
	written.SetLink(part, t.Version.IsNone())
	if !written.Stays() {
		version = t.Version
	}
	if !version.IsNone() {
		if err := sources.WriteInto(l.api.source, &written, version); err != nil {
			return "", err
		}
	}
	return l.linkWritten(r, version, t, &written)
}

// linkWritten finds the route of a target, given the version that a source wrote.
func (l *links) linkWritten(r *source.Request, version verso.Version, t *verso.Target, w *source.Written) (string, error) {
	name := t.Name
	namespace, inNamespace := w.Namespace()
	params := route.Params{Namespace: namespace, PrefixVersion: l.prefixVersion(w), Positional: t.Args, Named: t.Params, Default: paramOf(w)}
	if inNamespace && namespace == "" { // which Params ignores
		name = w.Name(name)
	}
	if t.Format != "" {
		params.Named = make(verso.Params, len(t.Params)+1)
		maps.Copy(params.Named, t.Params)
		params.Named["format"] = t.Format
	}
	found, err := l.find(hostOrNone(r), name, &params, version, w)
	if err != nil {
		return "", fmt.Errorf("verso: %w", err)
	}
	if !version.IsNone() && !l.routes.hasPath(found, version, true) {
		return "", fmt.Errorf("verso: %w: version %q does not have %q: link to it in a version that has it", verso.ErrNotInVersion, version, found.Pattern)
	}
	if len(t.Query) > 0 {
		followed := found // by a GET, whatever was registered first
		for _, other := range found.SamePath() {
			isGet := other.Method == http.MethodGet || other.Method == "" && followed.Method != http.MethodGet
			if isGet && other.Name == found.Name && (version.IsNone() || l.routes.serves(other, version)) {
				followed = other
			}
		}
		if rewriter := rewriterOf(followed); rewriter != nil {
			lowered := *t
			lowered.Query = rewriter.LowerQuery(version, t.Query)
			t = &lowered
		}
	}
	return l.linkTo(r, found, &params, t, w)
}

// linkTo builds the URL of a route, given the version that a source wrote.
func (l *links) linkTo(r *source.Request, found *route.Route, params *route.Params, t *verso.Target, w *source.Written) (string, error) {
	var buffer [256]byte
	built, err := l.appendOrigin(buffer[:0], r, found, t.Version, w)
	if err != nil {
		return "", err
	}
	before := len(built)
	if built, err = found.AppendPath(built, params); err != nil {
		return "", fmt.Errorf("verso: %w", err)
	}
	if before == 0 && isHost(built) {
		return "", fmt.Errorf("verso: %w: the path %q begins with two slashes, which clients read as a host: set an origin, or correct the pattern", verso.ErrPattern, string(built))
	}
	built = appendQuery(built, w, t.Query)
	if t.Fragment != "" {
		fragment := url.URL{Fragment: t.Fragment}
		built = append(append(built, '#'), fragment.EscapedFragment()...)
	}
	return string(built), nil
}

// origin returns the configured origin, or that of the request with the given host.
// checked is a host known to be valid and trusted, or nil.
func (v *engine) origin(r *source.Request, host string, checked *string) origin.Origin {
	l := &v.config.Links
	if l.Relative {
		return origin.Origin{}
	}
	if l.OriginFunc != nil && !r.IsNone() {
		if text := l.OriginFunc(*r); text != "" {
			own, _ := origin.Split(text, l.TrustedHosts) // a proxy may pass on text chosen by a client
			return own
		}
	}
	if l.Origin != "" {
		return v.fixed
	}
	if isChecked := checked != nil && host == *checked; r.IsNone() || !isChecked && (!hostname.IsValid(host) || !origin.Trusts(l.TrustedHosts, host)) {
		return origin.Origin{}
	}
	if r.Secure() {
		return origin.Origin{Before: "https://", Host: host}
	}
	return origin.Origin{Before: "http://", Host: host}
}

// isHost reports whether clients read the path of a URL without an origin as a host.
func isHost(path []byte) bool { return bytes.HasPrefix(path, []byte("//")) }

// appendOrigin appends what the URL of a route in a version begins with.
func (l *links) appendOrigin(dst []byte, r *source.Request, found *route.Route, version verso.Version, w *source.Written) ([]byte, error) {
	config := &l.api.config.Links
	checked := l.host.Load()
	begin := l.api.origin(r, hostOf(found, hostOrNone(r)), checked)
	if begin.Host != "" && checked == nil {
		l.noteHost(strings.Clone(begin.Host))
	}
	moved, err := w.Host(begin.Host)
	if err != nil {
		return nil, fmt.Errorf("verso: %w", err)
	}
	if moved != "" {
		begin.Host = moved
		if !origin.Trusts(config.TrustedHosts, begin.Host) {
			return nil, fmt.Errorf("verso: host %q of the URL in version %q is not among the TrustedHosts: add it", begin.Host, version)
		}
	}
	return append(append(append(dst, begin.Before...), begin.Host...), begin.Behind...), nil
}

// find returns the route of a name on a host. If the version of the link does not have the
// name under its prefix, it is a route under another prefix, such as a neutral one.
func (l *links) find(host, name string, params *route.Params, version verso.Version, w *source.Written) (*route.Route, error) {
	table := l.routes.current().table
	found, err := table.Find(host, name, params)
	if err != nil && params.Namespace != "" {
		within := *params
		within.Namespace = ""
		for i := range len(name) { // "api:v1:user" is api:user in v1
			if name[i] != ':' {
				continue
			}
			if nested, nestedErr := table.Find(host, name[:i+1]+params.Namespace+name[i:], &within); nestedErr == nil {
				return nested, nil
			}
		}
	}
	if err == nil || l.api.prefix == nil {
		return found, err
	}
	prefixVersion, prefixed := w.Prefix()
	ofDefault := prefixed && l.api.isDefault(prefixVersion) // which is registered with its prefix, or without
	other := *params
	for _, other.PrefixVersion = range slices.Concat([]string{""}, l.api.set.Known) {
		again, otherErr := table.Find(host, name, &other)
		isOwn := ofDefault && (other.PrefixVersion == "" || other.PrefixVersion == prefixVersion)
		if otherErr == nil && (isOwn || !l.routes.hasPath(again, version, true)) {
			return again, nil
		}
	}
	return nil, err
}

// prefixVersion returns the version in the prefix of a link's route. A link in the
// default version has the prefix only if the request had it.
func (l *links) prefixVersion(w *source.Written) string {
	version, _ := w.Prefix()
	if w.Part() == 0 && l.api.isDefault(version) {
		return ""
	}
	return version
}

// successor returns the Link to the same resource in the successor of a version
// (RFC 5829, section 3.6): the first in the chain of successors that has a route of
// the path, whatever its method, since a resource is a URL.
func (l *links) successor(r *source.Request, moment catalogue.Moment, index, part int) (link string, ok bool) {
	if r.Route() == nil {
		return "", false
	}
	var buffer [256]byte
	for successor, ok := moment.Successor(index); ok; successor, ok = moment.Successor(successor) {
		if built, ok := l.appendInVersion(buffer[:0], r, l.api.versions[successor], part); ok {
			return string(append(built, `>; rel="successor-version"`...)), true
		}
	}
	return "", false
}

// appendInVersion appends "<" and the URL of the same resource in another version. ok is
// false if no URL can carry the version, or the version does not have the path.
func (l *links) appendInVersion(dst []byte, r *source.Request, version verso.Version, part int) (built []byte, ok bool) {
	var w source.Written
	w.SetLink(part, false)
	if !l.writeVersion(&w, version) {
		return nil, false
	}
	found := l.sameResource(r, version, &w)
	if found == nil {
		return nil, false
	}
	dst = append(dst, '<')
	begin := len(dst)
	built, err := l.appendOrigin(dst, r, found, version, &w)
	if err != nil {
		return nil, false
	}
	path := len(built)
	_, prefixed := w.Prefix()
	param, value := w.Param()
	built, ok = found.AppendPathFunc(built, func(position int, name string) (string, bool) {
		switch {
		case prefixed: // the other route may name the same parameters differently
			name = r.Route().Pattern.ParamAt(position)
		case name == param:
			return value, true
		case slices.Contains(l.api.pathParams, name):
			return "", false
		}
		value, ok := r.PathParam(name)
		return value, ok && !(strings.Contains(value, "/") && hasEscapedSlash(r.EscapedPath())) // a%2Fb is not a/b
	})
	if !ok || path == begin && isHost(built[begin:]) {
		return nil, false
	}
	return appendQuery(built, &w, nil), true
}

// hasEscapedSlash reports whether a path has a slash that separates no segments.
func hasEscapedSlash(path string) bool {
	return strings.Contains(path, "%2F") || strings.Contains(path, "%2f")
}

// sameResource returns the route of the resource of a request in the version that a source
// has written, or nil.
func (l *links) sameResource(r *source.Request, version verso.Version, w *source.Written) *route.Route {
	namespace, inNamespace := w.Namespace()
	if !inNamespace {
		return l.resourceAt(r.Route(), version, w)
	}
	if !r.Route().HasName() {
		return nil
	}
	found := l.routes.current().table.FindInNamespace(hostOrNone(r), l.beside(r.Route(), namespace), l.prefixVersion(w), r.Route())
	if found == nil || !l.routes.hasPath(found, version, true) {
		return nil
	}
	return found
}

// beside returns the namespace of a route with another version in the place of its own:
// "api:v2" for "api:v1".
func (l *links) beside(r *route.Route, version string) string {
	parts := r.Namespaces()
	if len(parts) < 2 { // the usual case, without an allocation
		return version
	}
	of := max(0, slices.IndexFunc(parts, func(part string) bool { return l.api.set.Lookup(part) != nil }))
	parts = slices.Clone(parts)
	parts[of] = version
	return strings.Join(parts, ":")
}

// hasSuccessorLink reports whether responses of a route can have a link to another
// version.
func (l *links) hasSuccessorLink(r *route.Route, version verso.Version) bool {
	var w source.Written
	w.SetLink(0, false)
	ok := l.writeVersion(&w, version)
	if namespace, inNamespace := w.Namespace(); ok && inNamespace {
		return r.HasName() && l.routes.current().table.HasName(l.beside(r, namespace)+r.Name[strings.LastIndexByte(r.Name, ':'):])
	}
	return ok && l.resourceAt(r, version, &w) != nil
}

// writeVersion writes a version into a link. It reports whether a URL can carry it.
func (l *links) writeVersion(w *source.Written, version verso.Version) bool {
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
		for _, other := range r.SameResource() {
			if other.PrefixVersion == prefix && l.routes.hasPath(other, version, false) {
				return other
			}
		}
	}
	return nil
}

// noteHost keeps the host of the first link with one: links need not check it again.
func (l *links) noteHost(host string) {
	if l.host.CompareAndSwap(nil, &host) && l.api.linksUnchecked() {
		l.journal.log(uncheckedHost)
	}
}

// linksUnchecked reports whether links begin with whatever host a client sends.
func (v *engine) linksUnchecked() bool {
	l := &v.config.Links
	return !l.Relative && l.Origin == "" && l.OriginFunc == nil && len(l.TrustedHosts) == 0 && len(v.config.Strict.AllowedHosts) == 0
}

// hostOf returns the host for the URL of a route: that of the request, unless
// the route is for another one.
func hostOf(r *route.Route, requestHost string) string {
	if r.Host == "" || r.Host == hostname.WithoutPort(requestHost) {
		return requestHost
	}
	return r.Host
}

// paramOf returns the path parameter for a route, which one of the target replaces.
func paramOf(w *source.Written) route.Default {
	name, value := w.Param()
	return route.Default{Name: name, Value: value}
}

// appendQuery appends the query string of a target with the "?", nothing when it is
// empty.
func appendQuery(dst []byte, w *source.Written, query url.Values) []byte {
	name, value := w.Query()
	switch {
	case name == "" && len(query) == 0:
		return dst
	case name == "":
		return append(append(dst, '?'), query.Encode()...)
	case len(query) > 0:
		with := make(url.Values, len(query)+1)
		maps.Copy(with, query)
		with[name] = []string{value}
		return append(append(dst, '?'), with.Encode()...)
	}
	dst = append(append(dst, '?'), url.QueryEscape(name)...)
	return append(append(dst, '='), url.QueryEscape(value)...)
}

// LinkTo builds a link for the result of a request.
func (l *links) LinkTo(r source.Request, version verso.Version, part int, target verso.Target) (string, error) {
	return l.link(&r, version, part, &target)
}

// AtLeast reports whether a version is the given one or a later one.
func (l *links) AtLeast(requested verso.Version, version string) bool {
	order := l.api.listed
	index := slices.Index(order, version)
	if index < 0 && l.journal.once("at_least_unknown "+version) {
		l.journal.log(finding.Warn("at_least_unknown", "Versions", "AtLeast(%q): not one of the versions %q: correct it", version, order))
	}
	return index >= 0 && index <= slices.Index(order, requested.String())
}

// ContentType returns the media type of a response.
func (l *links) ContentType(resource string, version verso.Version) (string, error) {
	switch {
	case l.api.contentType == nil:
		return "", errors.New("verso: no source is a MediaType, so Verso has no template")
	case version.IsNone():
		return "", errors.New("verso: the request has no version to put into the media type")
	}
	return l.api.contentType(resource, version)
}

// hostOrNone returns the Host header, or "" if there is no request.
func hostOrNone(r *source.Request) string {
	if r.IsNone() {
		return ""
	}
	return r.Host()
}

// hasPath reports whether a version has a route of the path of r, whatever its
// method; named: of its name as well.
func (rs *routes) hasPath(r *route.Route, version verso.Version, named bool) bool {
	if isInEveryVersion(r) { // the usual case, without a look-up
		return true
	}
	return rs.serves(r, version) || slices.ContainsFunc(r.SamePath(), func(other *route.Route) bool {
		return !isAnsweredByFramework(other.Method) && (!named || other.Name == r.Name) && rs.serves(other, version)
	})
}

// serves reports whether a route is in a version.
func (rs *routes) serves(r *route.Route, version verso.Version) bool {
	index := -1
	if known := rs.api.set.Lookup(version.String()); known != nil {
		index = known.Index
	}
	return hasVersion(r, index)
}
