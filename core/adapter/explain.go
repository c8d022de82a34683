package adapter

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/internal/prefix"
	"github.com/goverso/verso/core/internal/roster"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/source"
)

// This file explains an API. In come its configuration and routes; out come the outcome of each kind of request, the
// routes, and the dates to come. An outcome is found by the functions that decide requests, so an Explanation cannot
// contradict them. Findings are added by review.go.

// explanations makes an [verso.Explanation].
type explanations struct {
	*links
	nameless    bool   // Observe gets no client from the adapter
	problemType string // what the adapter answers rejected requests with
}

func (x *explanations) explain() *verso.Explanation {
	v, changes := x.api, x.routes.changes.Load() // those that come from now on may be missing
	e := &verso.Explanation{
		Scheme: v.Name(), Sources: v.Sources(), Headers: v.Vary(), Versions: slices.Clone(v.Set.Known),
		Requests: x.requests(),
		Source:   v.source, Time: v.config.Clock(), ProblemType: x.problemType, Catalogue: v.Catalogue,
		Counters: v.config.Counters, Unobserved: v.config.Counters == nil,
	}
	if d := v.config.DefaultVersion; !d.IsNone() {
		text := d.String()
		e.DefaultVersion = &text
	}
	if v.Dated {
		e.Timeline = x.timeline(e.Time)
	}
	type group struct {
		place
		isForeign bool
	}
	at := make(map[group]int) // of the routes of EachVersion, and of any method
	for r := range x.routes.current().table.Routes() {
		registered := group{registeredPlace(r), r.Foreign}
		if r.AnyMethod {
			registered.method = ""
		}
		i, again := at[registered]
		if !again {
			i, e.Routes = len(e.Routes), append(e.Routes, x.routeInfo(r))
			at[registered] = i
		}
		if forms := &e.Routes[i].Forms; r.RegisteredPath != "" && !slices.Contains(*forms, r.Pattern.String()) {
			*forms = append(*forms, r.Pattern.String())
		}
	}
	until := nextDate(e)
	e.Current = func() bool {
		now := v.config.Clock()
		return x.routes.changes.Load() == changes && !now.Before(e.Time) && (until.IsZero() || now.Before(until))
	}
	return e
}

// requests returns the outcome of each kind of request.
func (x *explanations) requests() (requests []verso.RequestInfo) {
	v := x.api
	add := func(request string, reading source.Reading) {
		response := describe(v.versionFor(&reading, v.Served))
		if len(requests) == 0 && v.isVersionless() || reading.Outcome == source.Found &&
			v.parts[reading.Part].PathPrefix != "" {
			response = ofRouter
		}
		requests = append(requests, verso.RequestInfo{Request: request, Response: response})
	}
	unserved := source.Reading{Outcome: source.Found, Text: "a version that is not served"}
	var without source.Reading
	if v.prefix != nil && !v.combined {
		without.Outcome = source.NoPlace
	}
	add("without a version", without)
	if !v.combined { // else each part has its own rejections
		add("for "+unserved.Text, unserved)
		add("for the empty version", source.Reading{Outcome: source.Found})
	}
	contradicts, lacksPlace := v.possible()
	if contradicts {
		add("for several versions at once", source.Reading{Outcome: source.Contradicting})
	}
	if lacksPlace {
		add("without the place that the version is read from", source.Reading{Outcome: source.NoPlace})
	}
	for unserved.Part = 1; v.combined && unserved.Part < len(v.parts); unserved.Part++ {
		add("for "+unserved.Text+", in "+v.parts[unserved.Part].Name, unserved)
	}
	return requests
}

const ofRouter = "404 of the router, unless it has a route there"

// isVersionless reports whether no route is registered for requests without a version.
func (v *engine) isVersionless() bool {
	return v.prefix != nil && !v.combined && v.config.DefaultVersion.IsNone()
}

// possible reports whether requests can contradict themselves, and whether they can lack
// the place that the version is read from. Both are possible in a custom source.
func (v *engine) possible() (contradicts, lacksPlace bool) {
	d := &v.parts[1]
	switch {
	case v.combined:
		return true, false
	case d.PathParam != "", d.ContentType != nil: // there is one, or it is negotiated
		return false, false
	case d.Place == source.InQuery, slices.Contains(d.Headers, "Accept"):
		return v.config.Strict.RefuseContradictions, false
	case len(d.Headers) > 0:
		return true, false
	case d.Place != source.NotInURL:
		return false, true
	}
	return true, true
}

// timeline returns the periods of the catalogue from a time on.
func (x *explanations) timeline(now time.Time) (periods []verso.PeriodInfo) {
	v := x.api
	var before []verso.VersionStatus
	for _, period := range v.Catalogue.Periods(now) {
		row := verso.PeriodInfo{From: period.From(), Unversioned: x.unnamedAt(period.Moment)}
		for index, version := range v.Catalogue.Versions() {
			status := verso.VersionStatus{Version: version, State: period.State(index).String(),
				Sunset: v.Catalogue.Entry(index).Sunset}
			status.Brownout, _, _ = period.Brownout(index)
			if d := v.Catalogue.Table().Decide(period.Moment, index); d.State == catalogue.Ended &&
				d.Outcome == catalogue.Served {
				status.Answers = v.Catalogue.Versions()[d.Version]
			}
			row.Versions = append(row.Versions, status)
			if before != nil && status.State == catalogue.Ended.String() && before[index].State != status.State {
				row.Removed = append(row.Removed, version)
			}
		}
		before = row.Versions
		periods = append(periods, row)
	}
	return periods
}

// unnamedAt returns the outcome of a request without a version at a moment.
func (x *explanations) unnamedAt(moment catalogue.Moment) string {
	if x.api.isVersionless() {
		return ofRouter
	}
	version, err := x.api.versionFor(&source.Reading{}, x.api.at(moment))
	if err == nil && version.Index >= 0 {
		switch _, d := x.api.unversionedAt(moment, x.api.Catalogue.Table()); d.Outcome {
		case catalogue.VersionGone:
			return "410 version_gone"
		case catalogue.VersionBrownout:
			return fmt.Sprintf("%d version_brownout", d.Status)
		case catalogue.Served:
			version = x.api.Set.All[d.Version]
		}
	}
	return describe(version, err)
}

// routeInfo describes a route.
func (x *explanations) routeInfo(r *route.Route) verso.RouteInfo {
	info := verso.RouteInfo{
		Method: r.Method, Host: r.Host,
		Pattern: cmp.Or(r.RegisteredPath, r.Pattern.String()), Path: r.Pattern.Template(),
		Name: r.Name, Unchecked: x.routes.isUnchecked(r), Rewritten: r.Rewriter != nil, Rewriter: rewriterOf(r),
	}
	if r.AnyMethod {
		info.Method = ""
	}
	if r.RegisteredPath != "" {
		info.Path = x.templateOfVersions(r)
	}
	p := planOf(r)
	if p != nil {
		info.Neutral, info.Deprecated, info.Sunset = p.Neutral, p.Config.Deprecated, p.Config.Sunset
	}
	if info.Neutral || info.Unchecked {
		return info
	}
	if p != nil {
		addRange(&info, x.api.Catalogue.Versions(), p.table)
	}
	// a route of EachVersion represents all its forms
	if only, fixed := x.api.onlyVersion(r); fixed && r.RegisteredPath == "" {
		has := !only.IsNone() && (p == nil || slices.Contains(info.Versions, only.String()))
		info.Versions, info.Since, info.RemovedIn = []string{}, "", ""
		if has {
			info.Versions = []string{only.String()}
		}
	}
	if len(info.Versions) > 0 && len(info.Versions) == len(x.api.Set.Known) {
		info.Versions = nil
	}
	return info
}

// templateOfVersions returns the URI template of a route, with a placeholder where a
// version is, or would be, in the path.
func (x *explanations) templateOfVersions(r *route.Route) string {
	path, p := r.Pattern.Template(), x.api.prefix
	if p == nil || r.RegisteredPath == "" && r.PrefixVersion == "" {
		return path
	}
	if _, segment, ok := p.Split(&r.Pattern); ok && r.PrefixVersion != "" {
		path = p.Fixed + strings.TrimPrefix(path, p.Fixed+"/"+segment)
	}
	path, _ = p.In(prefix.Placeholder, path)
	return path
}

// addRange adds the versions that have a route by its options.
func addRange(r *verso.RouteInfo, versions []string, table *catalogue.Table) {
	for index, version := range versions {
		if !table.Has(index) {
			continue
		}
		if len(r.Versions) == 0 && index > 0 {
			r.Since = version
		}
		r.Versions = append(r.Versions, version)
		r.RemovedIn = ""
		if index+1 < len(versions) {
			r.RemovedIn = versions[index+1]
		}
	}
}

// nextDate returns when a version or a route changes its state next, the zero time for
// never.
func nextDate(e *verso.Explanation) (next time.Time) {
	sooner := func(date time.Time) {
		if date.After(e.Time) && (next.IsZero() || date.Before(next)) {
			next = date
		}
	}
	for _, period := range e.Timeline[:min(2, len(e.Timeline))] {
		sooner(period.From)
	}
	for _, r := range e.Routes {
		sooner(r.Deprecated)
		sooner(r.Sunset)
	}
	return next
}

// describe returns the response to a request.
func describe(version *roster.Version, err error) string {
	var rejected *verso.Error
	switch {
	case errors.As(err, &rejected):
		return fmt.Sprintf("%d %s", rejected.Status, rejected.MessageID)
	case err != nil:
		return "500 " + err.Error()
	case version.None:
		return "served without a version"
	}
	return fmt.Sprintf("served as version %q", version.Text)
}
