package verso

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/source"
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
	// [Problem]; it is "" if the service has an error handler of its own. Catalogue
	// has the dates of the versions, and is nil if every version is served. Counters
	// come from the configuration; Unobserved reports that there are none, so that no store counts requests. All
	// are for programs.
	Source      source.Source        `json:"-"`
	Time        time.Time            `json:"-"`
	ProblemType string               `json:"-"`
	Catalogue   *catalogue.Catalogue `json:"-"`
	Counters    []Counter            `json:"-"`
	Unobserved  bool                 `json:"-"`

	// Current is what IsCurrent calls. nil: it reports false.
	Current func() bool `json:"-"`
}

// IsCurrent reports whether Explain would return the same routes and states: since it
// returned e, no route was added, and no date has passed.
func (e *Explanation) IsCurrent() bool { return e.Current != nil && e.Current() }

// RequestInfo is a kind of request in an [Explanation], and what it gets.
type RequestInfo struct {
	Request  string `json:"request"`  // "for a version that is not served"
	Response string `json:"response"` // "404 invalid_url_path_version"
}

// RouteInfo is a route in an [Explanation].
type RouteInfo struct {
	Method string `json:"method,omitempty"` // "": every method
	Host   string `json:"host,omitempty"`

	// Pattern is in the syntax of the router. A route of EachVersion has the path that was
	// registered, with {version} in it if no request without a version reaches the route.
	Pattern string `json:"pattern"`

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

	// Rewriter is that Rewriter, or nil.
	Rewriter Rewriter `json:"-"`

	// Unchecked reports whether the route was registered with the framework and
	// no middleware of Verso checks it: its requests have no version.
	Unchecked bool `json:"unchecked,omitempty"`

	// Versions are those that have the route, in order, by its options and by
	// its place, such as the namespace of a version. nil: every version that is
	// served, or the route is neutral. Empty but not nil: no version.
	Versions []string `json:"versions,omitempty"`
	// by the options: the first of them, unless it is the oldest of all
	Since     string `json:"since,omitempty"`
	RemovedIn string `json:"removed_in,omitempty"` // by the options: the first version after the last of them

	// The route's own dates. Those of versions are in the timeline.
	Deprecated time.Time `json:"deprecated,omitzero"`
	Sunset     time.Time `json:"sunset,omitzero"`
}

// InVersion reports whether a configured version has the route. Every version has
// neutral routes.
func (r RouteInfo) InVersion(version string) bool {
	return r.Versions == nil || slices.Contains(r.Versions, version)
}

// String returns the route on one line, without its forms.
func (r RouteInfo) String() string {
	var notes []string
	for _, note := range []struct {
		applies bool
		text    string
	}{
		{r.Neutral, "neutral"},
		{r.Unchecked, "not checked"},
		{r.Versions != nil && len(r.Versions) == 0, "in no version"},
		{len(r.Versions) == 1 && r.Since == "" && r.RemovedIn == "", "in " + strings.Join(r.Versions, "")},
		{r.Since != "", "since " + r.Since},
		{r.RemovedIn != "", "removed in " + r.RemovedIn},
		{!r.Deprecated.IsZero(), "deprecated " + r.Deprecated.UTC().Format(time.DateOnly)},
		{!r.Sunset.IsZero(), "sunset " + r.Sunset.UTC().Format(time.DateOnly)},
	} {
		if note.applies {
			notes = append(notes, note.text)
		}
	}
	return strings.TrimRight(fmt.Sprintf("%-7s %-40s %-20s %s", r.Method, r.Host+r.Pattern, r.Name,
		strings.Join(notes, ", ")), " ")
}

// PeriodInfo is a time in which nothing changes, in the timeline of an [Explanation].
type PeriodInfo struct {
	From        time.Time       `json:"from,omitzero"` // the first second; zero: from the beginning
	Versions    []VersionStatus `json:"versions"`      // in order
	Unversioned string          `json:"unversioned"`   // what a request without a version gets
	Removed     []string        `json:"removed,omitempty"`
}

// VersionStatus is the state of a version in a [PeriodInfo].
type VersionStatus struct {
	Version  string `json:"version"`
	State    string `json:"state"`              // unreleased, supported, deprecated or ended
	Brownout int    `json:"brownout,omitempty"` // the status of rejections; 0: none is in progress

	// Sunset is the first second after the lifetime of the version, or zero. In the state
	// deprecated, the version is served past it.
	Sunset time.Time `json:"sunset,omitzero"`

	// Answers is the version that answers for one that has ended, "" if its requests
	// are rejected.
	Answers string `json:"answers,omitempty"`
}

// since describes the state of the version in a period that begins at a time.
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

// String returns the explanation as text.
func (e *Explanation) String() string {
	var text strings.Builder
	serves := "every version"
	if len(e.Versions) > 0 {
		serves = strings.Join(e.Versions, ", ")
	}
	fmt.Fprintf(&text, "%s\n  reads    %s\n  serves   %s\n", e.Scheme, strings.Join(e.Sources, ", "), serves)
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
		text.WriteString("\nFindings (" + findingsPage + " has each code)\n")
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

const findingsPage = "https://github.com/goverso/verso/blob/main/docs/findings.md"

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
