package adapter

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/internal/codes"
	"github.com/goverso/verso/core/internal/finding"
	"github.com/goverso/verso/core/internal/prefix"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/source"
)

// placeRoute sets the prefix that a route is under. A route registered under one keeps it where its
// application is mounted outside.
func (v *engine) placeRoute(r *route.Route) {
	if v.prefix == nil {
		return
	}
	version, segment := v.prefix.Place(&r.Pattern, v.Set)
	if version != "" || r.Resource == "" {
		r.PrefixVersion, r.Resource = version, v.prefix.Resource(&r.Pattern, segment)
	}
}

// hasPlainForm reports whether EachVersion registers a route at its own path, too: for
// requests without a version, or with a version elsewhere.
func (v *engine) hasPlainForm(p *plan) bool {
	d := v.config.DefaultVersion
	return v.combined || !d.IsNone() && !v.isTooEarly(p, d.String())
}

// registeredPath returns the path that represents all forms of a route: its own, or if it
// has none there, the one with the version as "{version}".
func (v *engine) registeredPath(path string, p *plan) string {
	if path != "" && v.prefix != nil && !v.hasPlainForm(p) {
		path, _ = v.prefix.In(prefix.Placeholder, path) // under it: see Forms
	}
	return path
}

// isTooEarly reports whether a version precedes all that have a route, and nothing can give
// a request under its prefix another version.
func (v *engine) isTooEarly(p *plan, version string) bool {
	if p == nil || p.Neutral || v.combined && !v.Described.PrefixDecides || v.config.AfterDefaultSunset == verso.MoveUnversioned {
		return false
	}
	index, _ := v.Catalogue.Index(version)
	for i := range index + 1 {
		if p.table.Has(i) {
			return false
		}
	}
	return !v.Catalogue.FallsForward(index)
}

// onlyVersion returns the version that all requests to a route have because of where
// the route is: under a prefix, in a namespace, on a host, or without a place for a
// version, so that the default applies. The zero Version: they are rejected. fixed is
// false if requests choose the version.
func (v *engine) onlyVersion(r *route.Route) (version verso.Version, fixed bool) {
	switch {
	case r.PrefixVersion != "":
		return v.known(r.PrefixVersion), true
	case v.byNamespace && len(r.Namespaces()) > 0:
		var named source.Request
		named.SetHTTP(new(http.Request), nil, r)
		reading := verso.Namespace().Read(named, (*source.ServedVersions)(v.Served))
		return v.known(reading.Text), true
	}
	if version, fixed = v.hostVersion(r.Host); fixed {
		return version, true
	}
	outcome, lacks := v.lacksPlace(r)
	if !lacks {
		return verso.Version{}, false
	}
	found, err := v.versionFor(&source.Reading{Outcome: outcome}, v.Served)
	switch {
	case err != nil:
		return verso.Version{}, true
	case v.Dated && found.Index >= 0: // the default may have moved
		found, _ = v.unversionedAt(v.Catalogue.At(v.config.Clock()), v.Catalogue.Table())
	}
	return v.versions[found.Slot], true
}

// checkReached returns an error if a route has a handler for a version that its
// requests cannot have.
func (v *engine) checkReached(r *route.Route, p *plan) error {
	if !p.Dispatches || r.RegisteredPath != "" || v.combined || v.config.AfterDefaultSunset == verso.MoveUnversioned {
		return nil
	}
	only, fixed := v.onlyVersion(r)
	if !fixed {
		return nil
	}
	versions := v.Catalogue.Versions()
	reached := -1
	if index := slices.Index(versions, only.String()); index >= 0 {
		reached = p.table.Choice(index)
	}
	for index, version := range versions {
		if choice := p.table.Choice(index); choice >= 0 && choice != reached {
			return finding.Mistake(codes.RouteOneVersion, version)
		}
	}
	return nil
}

// known returns the version of a text, none when it is not served.
func (v *engine) known(text string) verso.Version {
	if v.Set.Lookup(text) == nil && !v.Set.Any {
		return verso.Version{}
	}
	return verso.V(text)
}

// hostVersion returns the version that a host of routes has.
func (v *engine) hostVersion(host string) (version verso.Version, ok bool) {
	first := &v.parts[v.linked]
	if host == "" || first.Place != source.InHost {
		return verso.Version{}, false
	}
	var r source.Request
	r.SetHTTP(&http.Request{Host: host, URL: new(url.URL)}, nil, nil)
	reading := first.source.Read(r, (*source.ServedVersions)(v.Served))
	if reading.Outcome != source.Found {
		return verso.Version{}, false
	}
	return v.known(reading.Text), true
}

// lacksPlace reports whether the only source can never find a version on a route, and
// what it reads instead.
func (v *engine) lacksPlace(r *route.Route) (outcome source.ReadingOutcome, lacks bool) {
	if v.combined || r.Pattern.Err() != nil {
		return source.Absent, false
	}
	only := &v.parts[1]
	if only.PathParam != "" {
		return source.Absent, !r.Pattern.HasParam(only.PathParam)
	}
	return source.NoPlace, v.prefix != nil || only.Namespace
}

// hasPlaceInPath reports whether the version is read from the path of a route.
func (v *engine) hasPlaceInPath(r *route.Route) bool {
	return r.PrefixVersion != "" || slices.ContainsFunc(v.pathParams, r.Pattern.HasParam)
}

// isDefault reports whether a text is that of the default version.
func (v *engine) isDefault(text string) bool { return v.config.DefaultVersion.Is(text) }

// takesFiles reports whether a route of other code has all paths below one, as files do, and
// no place for a version. A ServeMux, which does not list its routes, writes it as "/static/".
func (v *engine) takesFiles(r *route.Route) bool {
	return r != nil && r.Foreign && !v.hasPlaceInPath(r) &&
		(strings.HasSuffix(r.Pattern.Shape(), "/{*}") || !r.Checked && strings.HasSuffix(r.Path, "/"))
}
