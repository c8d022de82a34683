package verso

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/goverso/verso/core/route"
)

// Link builds the URL of the target in the version of the request, or in that of the
// target. r is the request of the result. If the version of the request has no such
// route ([ErrNoReverseMatch]), Link tries again without the version.
//
// Link fails with [ErrNotChecked] if res is nil, with [ErrNoReverseMatch] if no route
// has the name and the parameters, with [ErrMixedParams] if the target has parameters
// by position and by name, with [ErrNotInVersion] if the version does not have the
// route, with [ErrUnknownVersion] if the service does not serve the version of the
// target, and with another error if the URL would have a host that is not trusted.
func (res *Result) Link(r Request, target Target) (string, error) {
	if res == nil {
		return "", ErrNotChecked
	}
	return res.binding.link(&r, res, &target)
}

// Link builds the URL of the target outside of a request, in the version of the
// target: see [Result.Link]. It is relative unless [Links] has an Origin.
func (b *Binding) Link(target Target) (string, error) {
	return b.link(&Request{}, &b.none[0], &target)
}

// Reverse builds the URL of the target in the given version, without a second try. The
// zero Version means a URL without a version. Specification: "Links".
func (b *Binding) Reverse(r Request, version Version, target Target) (string, error) {
	return b.reverse(&r, version, &target)
}

func (b *Binding) link(r *Request, result *Result, target *Target) (string, error) {
	if !target.Version.IsNone() && !b.api.IsAllowedVersion(target.Version) {
		return "", fmt.Errorf("verso: %w: %q: link to one of the versions that the service serves", ErrUnknownVersion, target.Version)
	}
	if !b.linked.Load() && !r.IsNone() && !b.linked.Swap(true) && b.api.linksUnchecked() {
		b.say(uncheckedHost)
	}
	if r.router == nil {
		r.router = b.router // for Links.OriginFunc
	}
	target.part = result.part
	built, err := b.reverse(r, result.version, target)
	if err == nil || !errors.Is(err, ErrNoReverseMatch) || !target.Version.IsNone() {
		return built, err
	}
	built, unversioned := b.build(r, result.version, target)
	if unversioned != nil {
		return "", fmt.Errorf("%w (and without the version: %w)", err, unversioned)
	}
	return built, nil
}

func (b *Binding) reverse(r *Request, version Version, target *Target) (string, error) {
	if !target.Version.IsNone() {
		version = target.Version
	}
	if b.api.source == nil || version.IsNone() {
		return b.build(r, version, target)
	}
	written := *target // which a second try needs
	written.isLink = true
	if err := write(b.api.source, &written, version); err != nil {
		return "", err
	}
	return b.build(r, version, &written)
}

// build builds the URL of a target into which a source has written.
func (b *Binding) build(r *Request, version Version, t *Target) (string, error) {
	params := route.Params{Namespace: t.namespace, Space: b.space(t), Positional: t.Args, Named: t.Params, Default: route.Default{Name: t.param, Value: t.value}}
	if t.Format != "" {
		params.Named = make(Params, len(t.Params)+1)
		maps.Copy(params.Named, t.Params)
		params.Named["format"] = t.Format
	}
	table := b.current().table
	found, err := table.Find(r.hostOrNone(), t.Name, &params)
	if err != nil && t.prefix != nil && b.isDefault(t.space) { // which is registered with its prefix, or without
		other := params
		if other.Space = ""; params.Space == "" {
			other.Space = t.space
		}
		if again, otherErr := table.Find(r.hostOrNone(), t.Name, &other); otherErr == nil {
			found, err = again, nil
		}
	}
	if err != nil {
		return "", fmt.Errorf("verso: %w", err)
	}
	if !version.IsNone() && !b.hasPath(found, version, true) {
		return "", fmt.Errorf("verso: %w: version %q does not have %q: link to it in a version that has it", ErrNotInVersion, version, found.Pattern)
	}
	return b.api.config.Links.write(r, found, t, &params)
}

// space returns the prefix that the route of a link has. That of the default version
// has one if the request has one.
func (b *Binding) space(t *Target) string {
	if t.part == 0 && b.isDefault(t.space) {
		return ""
	}
	return t.space
}

func (b *Binding) isDefault(version string) bool { return b.api.config.DefaultVersion.Is(version) }

// linkToTwin returns the URL of the same resource in another version. ok is false
// when no URL can carry the version, or the version does not have the path.
func (b *Binding) linkToTwin(r *Request, version Version, part int) (built string, ok bool) {
	params := make(Params)
	for _, name := range r.route.Pattern.Params() {
		if value, ok := r.PathParam(name); ok && !slices.Contains(b.api.pathParams(), name) {
			params[name] = value
		}
	}
	written, ok := b.writtenFor(r.route, Target{Version: version, part: part, Params: params})
	if !ok {
		return "", false
	}
	if written.namespace != "" {
		if !r.route.HasName() {
			return "", false
		}
		built, err := b.build(r, version, &written)
		return built, err == nil
	}
	twin := b.twinAt(r.route, &written)
	if twin == nil {
		return "", false
	}
	given := route.Params{Named: written.Params, Default: route.Default{Name: written.param, Value: written.value}}
	if written.prefix != nil { // the twin may have other names for the same places
		given = route.Params{}
		for _, name := range r.route.Pattern.Params() {
			value, _ := r.PathParam(name)
			given.Positional = append(given.Positional, value)
		}
	}
	built, err := b.api.config.Links.write(r, twin, &written, &given)
	return built, err == nil
}

// hasTwin reports whether responses of a route can have a link to another version.
func (b *Binding) hasTwin(r *route.Route, version Version) bool {
	written, ok := b.writtenFor(r, Target{Version: version})
	if ok && written.namespace != "" {
		return r.HasName() && b.current().table.HasName(written.FullName())
	}
	return ok && b.twinAt(r, &written) != nil
}

// writtenFor writes the version of a target to the resource of a route. ok is false
// when no URL can carry the version.
func (b *Binding) writtenFor(r *route.Route, t Target) (written Target, ok bool) {
	t.isLink, t.Name = true, r.Name
	if b.api.byNamespace {
		t.Name = t.Name[strings.LastIndexByte(t.Name, ':')+1:]
	}
	written, err := b.api.source.Write(t, t.Version)
	return written, err == nil && written.carries
}

// twinAt returns the route of the resource of r in the version that a source has
// written, nil if there is none: r itself, or one under the prefix of the version.
func (b *Binding) twinAt(r *route.Route, t *Target) *route.Route {
	if t.prefix == nil {
		if t.param != "" && !r.Pattern.HasParam(t.param) || !b.hasPath(r, t.Version, false) {
			return nil
		}
		return r
	}
	for _, space := range []string{b.space(t), t.space, ""} {
		if space == "" && !b.isDefault(t.space) {
			continue
		}
		for _, twin := range r.Twins() {
			if twin.Space == space && b.hasPath(twin, t.Version, false) {
				return twin
			}
		}
	}
	return nil
}

// uncheckedHost is the finding about links whose host is chosen by the client. The
// first link logs it.
var uncheckedHost = warn("host_unchecked", "Links",
	"links begin with the Host header that a client sends, and nothing checks it: set Links.Origin or Links.TrustedHosts")

// linksUnchecked reports whether links begin with whatever host a client sends.
func (v *Versioning) linksUnchecked() bool {
	return v.config.Links.uncheckedHost() && len(v.config.Strict.AllowedHosts) == 0
}

// write writes the URL of a target to a route.
func (l *Links) write(r *Request, found *route.Route, t *Target, params *route.Params) (_ string, err error) {
	origin := l.origin(r, hostOf(found, r.hostOrNone()))
	if t.moveHost != nil {
		if origin.host, err = t.moveHost(origin.host); err != nil {
			return "", fmt.Errorf("verso: %w", err)
		}
		if !l.trusts(origin.host) {
			return "", fmt.Errorf("verso: host %q of the URL in version %q is not among the TrustedHosts: add it", origin.host, t.Version)
		}
	}
	var buffer [256]byte
	built := append(append(append(buffer[:0], origin.before...), origin.host...), origin.behind...)
	if built, err = found.AppendPath(built, params); err != nil {
		return "", fmt.Errorf("verso: %w", err)
	}
	if origin.host == "" && bytes.HasPrefix(built, []byte("//")) {
		return "", fmt.Errorf("verso: %w: the path %q begins with two slashes, which clients read as a host: set an origin, or correct the pattern", ErrPattern, string(built))
	}
	built = t.appendQuery(built)
	if t.Fragment != "" {
		fragment := url.URL{Fragment: t.Fragment}
		built = append(append(built, '#'), fragment.EscapedFragment()...)
	}
	return string(built), nil
}

// hostOf returns the host for the URL of a route: that of the request, unless
// the route is for another one.
func hostOf(r *route.Route, requestHost string) string {
	if r.Host == "" || r.Host == withoutPort(requestHost) {
		return requestHost
	}
	return r.Host
}
