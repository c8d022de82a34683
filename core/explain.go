package verso

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"unicode/utf8"
)

// Explanation says what is configured, what each kind of request gets, and what
// may be a mistake. It prints as text, and encodes as JSON.
type Explanation struct {
	Scheme         string      `json:"scheme"`                    // the name of the scheme or the source
	Sources        []string    `json:"sources"`                   // what the version is read from
	Headers        []string    `json:"headers,omitempty"`         // the request headers that are looked at
	Versions       []string    `json:"versions,omitempty"`        // that are served; none: every version
	DefaultVersion *string     `json:"default_version,omitempty"` // nil: there is none
	Situations     []Situation `json:"situations"`
	Timeline       []Epoch     `json:"timeline,omitempty"` // from today, with a catalogue
	Routes         []RouteInfo `json:"routes,omitempty"`   // what is registered, in order
	Findings       []Finding   `json:"findings,omitempty"`
}

// Situation is a kind of request, and what becomes of it.
type Situation struct {
	Request string `json:"request"` // "for a version that is not served"
	Outcome string `json:"outcome"` // "404 invalid_url_path_version"
}

// Explain returns what is configured, with the routes if [Versioning.WithRoutes]
// gave some. The adapters have an Explain of their own, which knows them.
func (v *Versioning) Explain() *Explanation {
	return v.explain(Request{})
}

// explain also knows the routes, if r or the zero Request leads to them.
func (v *Versioning) explain(r Request) *Explanation {
	e := v.review(r)
	e.Scheme, e.Headers, e.Versions, e.Situations = v.name, v.Vary(), slices.Clone(v.served.Versions()), v.situations()
	if d := v.config.DefaultVersion; !d.IsNone() {
		text := d.String()
		e.DefaultVersion = &text
	}
	e.addTimeline(v)
	if v.routes != nil {
		for route := range v.routes(r).Routes() {
			e.Routes = append(e.Routes, v.routeInfo(route))
		}
	}
	return e
}

// review returns the findings, and what they are about.
func (v *Versioning) review(r Request) *Explanation {
	e := &Explanation{Sources: v.Sources(), Findings: slices.Clone(v.findings)}
	e.addWarnings(v)
	if v.routes != nil {
		e.addRouteFindings(v.routes(r), v)
	}
	return e
}

// situations returns what becomes of each kind of request.
func (v *Versioning) situations() []Situation {
	if v.source == nil {
		return nil
	}
	type kind struct {
		request string
		reading Reading
	}
	unserved := Reading{Outcome: Found, Text: "a version that nobody serves"}
	kinds := []kind{
		{"without a version", Reading{}},
		{"for a version that is not served", unserved},
		{"for the empty version", Reading{Outcome: Found}},
		{"for several versions at once", Reading{Outcome: Contradicting}},
		{"without the place that the version is read from", Reading{Outcome: Nowhere}},
	}
	if len(v.parts) > 1 { // each part rejects in its own way, and there is no place that all of them lack
		kinds = []kind{kinds[0], kinds[3]}
		for i, p := range v.parts[1:] {
			unserved.Part = i + 1
			kinds = append(kinds, kind{"for a version that is not served, in " + p.name, unserved})
		}
	}
	situations := make([]Situation, len(kinds))
	for i, kind := range kinds {
		result, err := v.decide(&kind.reading, v.served)
		situations[i] = Situation{kind.request, describe(result, err)}
	}
	return situations
}

func describe(result *Result, err error) string {
	var rejected *Error
	switch {
	case errors.As(err, &rejected):
		return fmt.Sprintf("%d %s", rejected.Status, rejected.MessageID)
	case err != nil:
		return "500 " + err.Error()
	case result.Version.IsNone():
		return "served without a version"
	}
	return fmt.Sprintf("served as version %q", result.Version)
}

// Sources returns the names of the single sources that versions are read from: see
// [Description].
func (v *Versioning) Sources() (names []string) {
	parts := v.parts[1:]
	if len(parts) == 0 {
		parts = v.parts
	}
	for _, p := range parts {
		names = append(names, p.name)
	}
	return names
}

// pathParams returns the path parameters that the sources read.
func (v *Versioning) pathParams() (names []string) {
	for _, p := range v.parts {
		if p.pathParam != "" {
			names = append(names, p.pathParam)
		}
	}
	return names
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
	for _, s := range e.Situations {
		width = max(width, utf8.RuneCountInString(s.Request))
	}
	for _, s := range e.Situations {
		fmt.Fprintf(&text, "  %-*s %s\n", width, s.Request, s.Outcome)
	}
	if len(e.Timeline) > 0 {
		text.WriteString("\nFrom today\n" + e.timeline())
	}
	if len(e.Routes) > 0 {
		text.WriteString("\nRoutes\n")
		for _, r := range e.Routes {
			fmt.Fprintf(&text, "  %s\n", r)
		}
	}
	if len(e.Findings) > 0 {
		text.WriteString("\nFindings\n")
		for _, f := range e.Findings {
			fmt.Fprintf(&text, "  %s %s: %s: %s\n", f.Level, f.Code, f.Field, f.Message)
		}
	}
	return text.String()
}

// sayOnce logs the warnings at the first request: the routes are known then.
func (v *Versioning) sayOnce(r Request) {
	if !v.said.CompareAndSwap(false, true) {
		return
	}
	for _, f := range v.review(r).Findings {
		if f == uncheckedHost {
			continue // which is said at the first link
		}
		slog.Warn("verso: "+f.Message, "code", f.Code, "field", f.Field)
	}
}

// sayNowhereOnce logs that a request without a place for a version is served. Of
// routes without a namespace it is known before: see [Explanation.addRoutes].
func (v *Versioning) sayNowhereOnce(reading *Reading) {
	if reading.Outcome != Nowhere || v.saidNowhere.Load() {
		return
	}
	name := v.parts[reading.Part].name
	if name == namespaceName || v.saidNowhere.Swap(true) {
		return
	}
	if result, err := v.decide(reading, v.served); err == nil {
		slog.Warn(fmt.Sprintf("verso: a request has no place for a version (%s) and is %s: correct the pattern or the host, or reject such requests with Strict.RefuseUnversioned",
			name, describe(result, nil)), "code", "no_place_for_version", "field", "HostPattern")
	}
}
