package adapter

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/internal/sources"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/source"
)

// Here a link gets its version and its route. In comes a target: the name of a route, its parameters and perhaps a version.
// The source writes the version of the request or of the target, the tables of routes find the route, and linkurl.go
// makes the URL. A link keeps the version of its request, so that clients which follow links stay in their version.
// Only if the target names no version and that version lacks the route is it tried once more without a version.

// LinkTo builds a link for the result of a request.
func (l *links) LinkTo(r source.Request, version verso.Version, part int, target verso.Target) (string, error) {
	return l.link(&r, version, part, &target)
}

// link builds the URL of a target for a request in a version, which it had in a part
// of the source: see [verso.Result.Link].
func (l *links) link(r *source.Request, version verso.Version, part int, t *verso.Target) (string, error) {
	if !t.Version.IsNone() && !l.api.IsAllowedVersion(t.Version) {
		return "", fmt.Errorf("verso: %w: %q: link to one of the versions that the service serves",
			verso.ErrUnknownVersion, t.Version)
	}
	if l.api.config.Links.OriginFunc != nil && !r.HasParams() {
		r.SetParams(l.routes.router)
	}
	built, err := l.linkIn(r, version, part, t)
	if err == nil || !errors.Is(err, verso.ErrNoReverseMatch) || !t.Version.IsNone() {
		return built, err
	}
	var written source.Written
	written.SetLink(0, false)
	built, unversioned := l.linkWritten(r, version, t, &written)
	if unversioned == nil {
		return built, nil
	}
	var isUnfit *unfit // the names are right, so the second error would be wrong
	if unversioned.Error() != err.Error() && !errors.As(err, &isUnfit) {
		err = fmt.Errorf("%w (and without the version: %w)", err, unversioned)
	}
	return "", err
}

// linkIn builds the URL of a target in a version, or in the target's version.
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
func (l *links) linkWritten(r *source.Request, version verso.Version, t *verso.Target,
	w *source.Written) (string, error) {
	host, name := r.Host(), t.Name
	namespace, inNamespace := w.Namespace()
	params := route.Params{Namespace: namespace, PrefixVersion: l.prefixVersion(w), Positional: t.Args, Named: t.Params}
	params.Default.Name, params.Default.Value = w.Param() // which a parameter of the target replaces
	if inNamespace && namespace == "" {                   // which Params ignores
		name = w.Name(name)
	}
	if t.Format != "" {
		params.Named = make(verso.Params, len(t.Params)+1)
		maps.Copy(params.Named, t.Params)
		params.Named["format"] = t.Format
	}
	found, err := l.find(host, name, &params, version, w)
	if err != nil {
		return "", fmt.Errorf("verso: %w", err)
	}
	if !version.IsNone() && !l.routes.hasPath(found, version, true) {
		return "", fmt.Errorf("verso: %w: version %q does not have %q: link to it in a version that has it",
			verso.ErrNotInVersion, version, found.Pattern)
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
	return l.linkTo(r, host, found, &params, t, w)
}

// find returns the route of a name on a host. If the version of the link does not have the
// name under its prefix, it is a route under another prefix, such as a neutral one. A request
// that named no version may lead to a route registered under the prefix alone.
func (l *links) find(host, name string, params *route.Params, version verso.Version,
	w *source.Written) (*route.Route, error) {
	table := l.routes.current().table
	found, err := table.Find(host, name, params)
	if err != nil && !version.IsNone() { // the name may mean another path in each version
		own := *params
		own.Has = func(r *route.Route) bool { return l.routes.serves(r, version) }
		if again, ownErr := table.Find(host, name, &own); ownErr == nil {
			return again, nil
		}
	}
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
	own, other := version.String(), *params
	ofDefault := l.api.isDefault(own) // which is registered with its prefix, or without
	for _, other.PrefixVersion = range slices.Concat([]string{""}, l.api.Set.Known) {
		again, otherErr := table.Find(host, name, &other)
		isOwn := ofDefault && other.PrefixVersion == "" ||
			(ofDefault || w.Part() == 0) && other.PrefixVersion == own
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
	known := rs.api.Set.Lookup(version.String())
	return isInEveryVersion(r) || known != nil && hasVersion(r, known.Index)
}
