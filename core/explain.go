package verso

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/route"
)

// Explanation lists what is configured, what each kind of request gets, and possible
// mistakes. It prints as text, and encodes as JSON.
type Explanation struct {
	Scheme         string        `json:"scheme"`                    // the name of the scheme or the source
	Sources        []string      `json:"sources"`                   // what the version is read from
	Headers        []string      `json:"headers,omitempty"`         // the request headers that are looked at
	Versions       []string      `json:"versions,omitempty"`        // that are served; none: every version
	DefaultVersion *string       `json:"default_version,omitempty"` // nil: there is none
	Requests       []RequestInfo `json:"requests"`                  // what each kind of request gets
	Timeline       []PeriodInfo  `json:"timeline,omitempty"`        // from today, with a catalogue
	Routes         []RouteInfo   `json:"routes,omitempty"`          // in the order of registration
	Findings       []Finding     `json:"findings,omitempty"`

	// Source reads the version. Time is when the explanation was made. ProblemType
	// is the media type of the answers to rejected requests, whose body is a
	// [Problem]; it is "" if the service has an error handler of its own. All are
	// for programs.
	Source      Source    `json:"-"`
	Time        time.Time `json:"-"`
	ProblemType string    `json:"-"`

	isCurrent func() bool
}

// IsCurrent reports whether Explain would return the same routes and states: since it
// returned e, no route was added, and no date has passed.
func (e *Explanation) IsCurrent() bool { return e.isCurrent != nil && e.isCurrent() }

// RequestInfo is a kind of request in an [Explanation], and what it gets.
type RequestInfo struct {
	Request  string `json:"request"`  // "for a version that is not served"
	Response string `json:"response"` // "404 invalid_url_path_version"
}

// RouteInfo is a route in an [Explanation].
type RouteInfo struct {
	Method  string `json:"method,omitempty"` // "": every method
	Host    string `json:"host,omitempty"`
	Pattern string `json:"pattern"` // in the syntax of the router

	// Path is the pattern as a URI template (RFC 6570), the same for all routers:
	// "/users/{id}/files/{+path}". A route of EachVersion has {version} in the
	// place of the version. It is "" if the pattern is not understood.
	Path string `json:"path,omitempty"`

	// Forms are the patterns under which EachVersion has registered the route, Pattern
	// only if it is one of them. nil: the route is registered as it is.
	Forms []string `json:"forms,omitempty"`

	Name    string `json:"name,omitempty"`
	Neutral bool   `json:"neutral,omitempty"`

	// Rewritten reports whether a [Rewriter] rewrites the bodies of older versions.
	Rewritten bool `json:"rewritten,omitempty"`

	// Unchecked reports whether the route was registered with the framework and
	// no middleware of Verso checks it: its requests have no version.
	Unchecked bool `json:"unchecked,omitempty"`

	// Versions are those that have the route, in order, by its options and by
	// its place, such as the namespace of a version. nil: every version that is
	// served, or the route is neutral. Empty but not nil: no version.
	Versions  []string `json:"versions,omitempty"`
	Since     string   `json:"since,omitempty"`      // by the options: the first of them, unless it is the oldest of all
	RemovedIn string   `json:"removed_in,omitempty"` // by the options: the first version after the last of them

	// The route's own dates. Those of versions are in the timeline.
	Deprecated time.Time `json:"deprecated,omitzero"`
	Sunset     time.Time `json:"sunset,omitzero"`
}

// addRange adds the versions that have a route by its options.
func (r *RouteInfo) addRange(versions []string, table *catalogue.Table) {
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

// InVersion reports whether a configured version has the route. Every version has
// neutral routes.
func (r RouteInfo) InVersion(version string) bool {
	return r.Versions == nil || slices.Contains(r.Versions, version)
}

// String returns the route on one line, without its forms.
func (r RouteInfo) String() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%-7s %-40s %-20s", r.Method, r.Host+r.Pattern, r.Name)
	separator := " "
	say := func(format, value string) {
		fmt.Fprintf(&text, separator+format, value)
		separator = ", "
	}
	if r.Neutral {
		say("%s", "neutral")
	}
	if r.Unchecked {
		say("%s", "not checked")
	}
	switch {
	case r.Versions != nil && len(r.Versions) == 0:
		say("%s", "in no version")
	case len(r.Versions) == 1 && r.Since == "" && r.RemovedIn == "":
		say("in %s", r.Versions[0])
	}
	if r.Since != "" {
		say("since %s", r.Since)
	}
	if r.RemovedIn != "" {
		say("removed in %s", r.RemovedIn)
	}
	if !r.Deprecated.IsZero() {
		say("deprecated %s", r.Deprecated.UTC().Format(time.DateOnly))
	}
	if !r.Sunset.IsZero() {
		say("sunset %s", r.Sunset.UTC().Format(time.DateOnly))
	}
	return strings.TrimRight(text.String(), " ")
}

// Period is a time in which nothing changes, in the timeline of an [Explanation].
type PeriodInfo struct {
	From        time.Time       `json:"from,omitzero"` // the first second; zero: from the beginning
	Versions    []VersionStatus `json:"versions"`      // in order
	Unversioned string          `json:"unversioned"`   // what a request without a version gets
	Removed     []string        `json:"removed,omitempty"`
}

// VersionStatus is the state of a version in an [Period].
type VersionStatus struct {
	Version  string `json:"version"`
	State    string `json:"state"`              // unreleased, supported, deprecated or ended
	Brownout int    `json:"brownout,omitempty"` // the status of rejections; 0: none is in progress

	// Sunset is the first second after the lifetime of the version, zero for none. In
	// the state deprecated, the version is served past it.
	Sunset time.Time `json:"sunset,omitzero"`

	// Answers is the version that answers for one that has ended, "" if its requests
	// are rejected.
	Answers string `json:"answers,omitempty"`
}

// since says what has become of the version in a period that begins at a time.
func (s *VersionStatus) since(from time.Time) string {
	switch {
	case s.Answers != "":
		return "ended, " + s.Answers + " answers"
	case s.State == catalogue.Ended.String():
		return "ended: 410"
	case !s.Sunset.IsZero() && !from.Before(s.Sunset):
		return "past its sunset, still served"
	}
	return s.State
}

// describe says what a request gets.
func describe(version *servedVersion, err error) string {
	var rejected *Error
	switch {
	case errors.As(err, &rejected):
		return fmt.Sprintf("%d %s", rejected.Status, rejected.MessageID)
	case err != nil:
		return "500 " + err.Error()
	case version.version.IsNone():
		return "served without a version"
	}
	return fmt.Sprintf("served as version %q", version.version)
}

// String returns the explanation as text.
func (e *Explanation) String() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s\n  reads    %s\n", e.Scheme, strings.Join(e.Sources, ", "))
	if len(e.Versions) > 0 {
		fmt.Fprintf(&text, "  serves   %s\n", strings.Join(e.Versions, ", "))
	} else {
		text.WriteString("  serves   every version\n")
	}
	if e.DefaultVersion != nil {
		fmt.Fprintf(&text, "  default  %q\n", *e.DefaultVersion)
	}
	text.WriteString("\nA request\n")
	width := 48
	for _, s := range e.Requests {
		width = max(width, utf8.RuneCountInString(s.Request))
	}
	for _, s := range e.Requests {
		fmt.Fprintf(&text, "  %-*s %s\n", width, s.Request, s.Response)
	}
	if len(e.Timeline) > 0 {
		text.WriteString("\nFrom today\n" + e.timeline())
	}
	if len(e.Routes) > 0 {
		text.WriteString("\nRoutes\n")
		for _, r := range e.Routes {
			fmt.Fprintf(&text, "  %s\n", r)
			for _, form := range r.Forms {
				fmt.Fprintf(&text, "  %-7s   %s\n", "", r.Host+form)
			}
		}
	}
	if len(e.Findings) > 0 {
		text.WriteString("\nFindings\n")
		for _, f := range e.Findings {
			level := f.Level.String()
			if f.Acknowledged {
				level = "acknowledged"
			}
			fmt.Fprintf(&text, "  %s %s: %s: %s\n", level, f.Code, f.Field, f.Message)
		}
	}
	return text.String()
}

// timeline returns the timeline as text, a row for each period.
func (e *Explanation) timeline() string {
	var text strings.Builder
	for _, period := range e.Timeline {
		from := "so far"
		if !period.From.IsZero() {
			from = period.From.UTC().Format(time.RFC3339)
		}
		fmt.Fprintf(&text, "  %-21s", from)
		for _, status := range period.Versions {
			fmt.Fprintf(&text, " %s %s", status.Version, status.since(period.From))
			if status.Brownout > 0 {
				fmt.Fprintf(&text, " (brownout %d)", status.Brownout)
			}
			text.WriteByte(';')
		}
		fmt.Fprintf(&text, " without a version: %s\n", period.Unversioned)
	}
	return text.String()
}

// explanations makes an [Explanation].
type explanations struct {
	api       *Versioning
	routes    *routes
	links     *links
	decisions *decisions
	nameless  bool // the adapter tells Observe no client

	problemType string // what the adapter answers rejected requests with
}

func (x *explanations) explain() *Explanation {
	v, changes := x.api, x.routes.changes.Load() // those that come from now on may be missing
	e := &Explanation{
		Scheme: v.name, Sources: v.Sources(), Headers: v.Vary(), Versions: slices.Clone(v.set.known), Requests: x.requests(),
		Findings: x.findings(), Source: v.source, Time: v.config.Clock(), ProblemType: x.problemType,
	}
	if d := v.config.DefaultVersion; !d.IsNone() {
		text := d.String()
		e.DefaultVersion = &text
	}
	if v.dated {
		e.Timeline = x.timeline(e.Time)
	}
	at := make(map[place]int) // of the routes of EachVersion, and of any method
	for r := range x.routes.current().table.Routes() {
		registered := registeredPlace(r)
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
	until := e.nextDate()
	e.isCurrent = func() bool {
		now := v.config.Clock()
		return x.routes.changes.Load() == changes && !now.Before(e.Time) && (until.IsZero() || now.Before(until))
	}
	return e
}

// nextDate returns when a version or a route changes its state next, the zero time for
// never.
func (e *Explanation) nextDate() (next time.Time) {
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

// requests returns what each kind of request gets.
func (x *explanations) requests() []RequestInfo {
	v := x.api
	type kind struct {
		request string
		reading Reading
	}
	unserved := Reading{Outcome: Found, Text: "a version that nobody serves"}
	kinds := []kind{
		{"without a version", Reading{}},
		{"for a version that is not served", unserved},
		{"for the empty version", Reading{Outcome: Found}},
	}
	contradicting := kind{"for several versions at once", Reading{Outcome: Contradicting}}
	if v.combined { // each part has its own rejections
		kinds = []kind{kinds[0], contradicting}
		for i, p := range v.parts[1:] {
			unserved.Part = i + 1
			kinds = append(kinds, kind{"for a version that is not served, in " + p.Name, unserved})
		}
	} else {
		contradicts, lacksPlace := v.possible()
		if contradicts {
			kinds = append(kinds, contradicting)
		}
		if lacksPlace {
			kinds = append(kinds, kind{"without the place that the version is read from", Reading{Outcome: NoPlace}})
		}
	}
	requests := make([]RequestInfo, len(kinds))
	for i, kind := range kinds {
		requests[i] = RequestInfo{kind.request, describe(v.resolve(&kind.reading, v.served))}
		if kind.reading.Outcome == Found && v.parts[kind.reading.Part].PathPrefix != "" {
			requests[i].Response = "404 of the router, unless it has a route there"
		}
	}
	return requests
}

// possible reports whether requests can contradict themselves, and whether they can lack
// the place that the version is read from. Both are possible in a custom source.
func (v *Versioning) possible() (contradicts, lacksPlace bool) {
	d := &v.parts[1]
	switch {
	case d.PathParam != "", d.ContentType != nil: // there is one, or it is negotiated
		return false, false
	case d.Place == InQuery, slices.Contains(d.Headers, "Accept"):
		return v.config.Strict.RefuseContradictions, false
	case len(d.Headers) > 0:
		return true, false
	case d.Place != NotInURL:
		return false, true
	}
	return true, true
}

// timeline returns the periods of the catalogue from a time on.
func (x *explanations) timeline(now time.Time) (periods []PeriodInfo) {
	v := x.api
	var before []VersionStatus
	for _, period := range v.catalogue.Periods(now) {
		row := PeriodInfo{From: period.From(), Unversioned: x.unnamedAt(period.Moment)}
		for index, version := range v.catalogue.Versions() {
			status := VersionStatus{Version: version, State: period.State(index).String(), Sunset: v.catalogue.Entry(index).Sunset}
			status.Brownout, _, _ = period.Brownout(index)
			if d := v.catalogue.Table().Decide(period.Moment, index); d.State == catalogue.Ended && d.Outcome == catalogue.Served {
				status.Answers = v.catalogue.Versions()[d.Version]
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

// unnamedAt returns what a request without a version gets at a moment.
func (x *explanations) unnamedAt(moment catalogue.Moment) string {
	version, err := x.api.resolve(&Reading{}, x.decisions.at(moment))
	if err == nil && version.index >= 0 {
		switch _, d := x.api.decideUnversioned(moment, x.api.catalogue.Table()); d.Outcome {
		case catalogue.VersionGone:
			return "410 version_gone"
		case catalogue.VersionBrownout:
			return fmt.Sprintf("%d version_brownout", d.Status)
		case catalogue.Served:
			version = x.api.set.all[d.Version]
		}
	}
	return describe(version, err)
}

// routeInfo describes a route.
func (x *explanations) routeInfo(r *route.Route) RouteInfo {
	info := RouteInfo{
		Method: r.Method, Host: r.Host, Pattern: cmp.Or(r.RegisteredPath, r.Pattern.String()), Path: x.template(r),
		Name: r.Name, Unchecked: x.routes.isUnchecked(r), Rewritten: r.Rewritten,
	}
	if r.AnyMethod {
		info.Method = ""
	}
	p := planOf(r)
	if p != nil {
		info.Neutral, info.Deprecated, info.Sunset = p.neutral, p.deprecated, p.sunset
	}
	if info.Neutral || info.Unchecked {
		return info
	}
	if p != nil {
		info.addRange(x.api.catalogue.Versions(), p.table)
	}
	if only, fixed := x.api.onlyVersion(r); fixed && r.RegisteredPath == "" { // a route of EachVersion stands for all its forms
		has := !only.IsNone() && (p == nil || slices.Contains(info.Versions, only.String()))
		info.Versions, info.Since, info.RemovedIn = []string{}, "", ""
		if has {
			info.Versions = []string{only.String()}
		}
	}
	if len(info.Versions) > 0 && len(info.Versions) == len(x.api.set.known) {
		info.Versions = nil
	}
	return info
}

// template returns the path of a route as a URI template.
func (x *explanations) template(r *route.Route) string {
	path, p := r.Pattern.Template(), x.api.prefix
	if r.RegisteredPath == "" || p == nil {
		return path
	}
	if _, segment, ok := p.split(&r.Pattern); ok && r.PrefixVersion != "" {
		path = p.fixed + strings.TrimPrefix(path, p.fixed+"/"+segment)
	}
	path, _ = p.in(versionPlaceholder, path)
	return path
}

// versioned yields the routes whose requests have a version.
func (x *explanations) versioned() iter.Seq[*route.Route] {
	return func(yield func(*route.Route) bool) {
		for r := range x.routes.current().table.Routes() {
			if x.routes.isVersioned(r) && !yield(r) {
				return
			}
		}
	}
}
