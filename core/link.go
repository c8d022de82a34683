package verso

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/url"

	"github.com/goverso/verso/core/route"
)

// Link builds the URL of the target in the version of the request, or in that of
// the target. r is the request that the result is of. When there is no such
// route in the version of the request ([ErrNoReverseMatch]), the same target is
// tried once more without it.
//
// The version is taken as it is: it is not checked again whether it is served.
// Link fails with [ErrNoReverseMatch] when no route fits the target, with
// [ErrMixedParams] when it has parameters by position and by name, with
// [ErrUnknownVersion] when it asks for a version that the service does not
// serve, and with another error when the URL would have a host that is not
// trusted.
func (res *Result) Link(r Request, target Target) (string, error) {
	return res.api.link(r, res, &target)
}

// Link builds the URL of the target outside of a request, in the version of the
// target: see [Result.Link]. It is relative unless [Links] has an Origin.
func (v *Versioning) Link(target Target) (string, error) {
	return v.link(Request{}, &v.none[0], &target)
}

// Reverse builds the URL of the target once, in the given version, none for a
// URL without one; without a second try. Specification: "Links".
func (v *Versioning) Reverse(r Request, version Version, target Target) (string, error) {
	return v.reverse(r, version, &target)
}

// reverse is Reverse of a target that is large to copy.
func (v *Versioning) reverse(r Request, version Version, target *Target) (string, error) {
	if !target.Version.IsNone() {
		version = target.Version
	}
	if v.source == nil || version.IsNone() {
		return v.build(r, version, target)
	}
	target.isLink = true
	written, err := v.source.Write(*target, version)
	if err != nil {
		return "", err
	}
	return v.build(r, version, &written)
}

// build builds the URL of a target into which a source has written.
func (v *Versioning) build(r Request, version Version, target *Target) (string, error) {
	table := v.table(r)
	return v.config.Links.build(r, table, target, func(found *route.Route) error {
		if v.hasRoute(table, found, version) {
			return nil
		}
		return fmt.Errorf("verso: %w: version %q does not have %q: link to it in a version that has it", ErrNotInVersion, version, found.Pattern)
	})
}

func (v *Versioning) link(r Request, result *Result, target *Target) (string, error) {
	if !v.mayLinkTo(target.Version) {
		return "", fmt.Errorf("verso: %w: %q: link to one of the versions that the service serves", ErrUnknownVersion, target.Version)
	}
	if !v.saidHost.Load() {
		v.sayHostOnce(r)
	}
	target.part = result.part
	built, err := v.reverse(r, result.Version, target)
	if err == nil || !errors.Is(err, ErrNoReverseMatch) || !target.Version.IsNone() {
		return built, err
	}
	built, unversioned := v.build(r, result.Version, target)
	if unversioned != nil {
		return "", fmt.Errorf("%w (and without the version: %w)", err, unversioned)
	}
	return built, nil
}

// uncheckedHost is what is said, at the first link, of links whose host is the
// client's word.
var uncheckedHost = warn("host_unchecked", "Links",
	"links begin with the Host header that a client sends, and nothing checks it: set Links.Origin or Links.TrustedHosts")

// linksUnchecked reports whether links begin with any host that a client sends.
func (v *Versioning) linksUnchecked() bool {
	return v.config.Links.uncheckedHost() && len(v.config.Strict.AllowedHosts) == 0
}

// sayHostOnce logs, at the first link in a request, that its host is the client's
// word.
func (v *Versioning) sayHostOnce(r Request) {
	if r.IsNone() || v.saidHost.Swap(true) || !v.linksUnchecked() {
		return
	}
	slog.Warn("verso: "+uncheckedHost.Message, "code", uncheckedHost.Code, "field", uncheckedHost.Field)
}

func (v *Versioning) mayLinkTo(version Version) bool {
	return version.IsNone() || v.IsAllowedVersion(version)
}

// table returns the routes that links are built from.
func (v *Versioning) table(r Request) *route.Table {
	if v.routes == nil {
		return noRoutes
	}
	return v.routes(r)
}

var noRoutes = route.NewTable()

// build builds the URL of a target to a route that is not refused.
func (l *Links) build(r Request, table *route.Table, t *Target, refuse func(*route.Route) error) (string, error) {
	params := route.Params{Namespace: t.namespace, Positional: t.Args, Named: t.Params, Default: route.Default{Name: t.param, Value: t.value}}
	if t.Format != "" {
		params.Named = make(Params, len(t.Params)+1)
		maps.Copy(params.Named, t.Params)
		params.Named["format"] = t.Format
	}
	requestHost := ""
	if !r.IsNone() {
		requestHost = r.Host()
	}
	found, err := table.Find(requestHost, t.Name, &params)
	if err != nil {
		return "", fmt.Errorf("verso: %w", err)
	}
	if err := refuse(found); err != nil {
		return "", err
	}
	origin := l.origin(r, hostOf(found, requestHost))
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
	if built, err = found.AppendPath(built, &params); err != nil {
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
