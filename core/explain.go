package verso

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/goverso/verso/core/route"
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
	Routes         []RouteInfo `json:"routes,omitempty"`   // those that links can lead to
	Findings       []Finding   `json:"findings,omitempty"`
}

// Situation is a kind of request, and what becomes of it.
type Situation struct {
	Request string `json:"request"` // "for a version that is not served"
	Outcome string `json:"outcome"` // "404 invalid_url_path_version"
}

// RouteInfo is a route in an [Explanation].
type RouteInfo struct {
	Method  string `json:"method,omitempty"`
	Host    string `json:"host,omitempty"`
	Pattern string `json:"pattern"`
	Name    string `json:"name,omitempty"`
}

// Explain returns what is configured, without the routes. The adapters have an
// Explain of their own, which knows them.
func (v *Versioning) Explain() *Explanation {
	return v.explain(Request{})
}

// explain also knows the routes, if r or the zero Request leads to them.
func (v *Versioning) explain(r Request) *Explanation {
	e := &Explanation{
		Scheme:     v.name,
		Sources:    v.sourceNames(),
		Headers:    v.Vary(),
		Versions:   slices.Clone(v.served.Versions()),
		Situations: v.situations(),
		Findings:   slices.Clone(v.findings),
	}
	if d := v.config.DefaultVersion; !d.IsNone() {
		text := d.String()
		e.DefaultVersion = &text
	}
	e.addTimeline(v)
	if v.routes != nil {
		e.addRoutes(v.routes(r), v)
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

// addRoutes adds the routes, and what is wrong with them.
func (e *Explanation) addRoutes(table *route.Table, v *Versioning) {
	names := v.pathParams()
	var without, unnamed []string
	with, named, linkable := 0, 0, 0
	for r := range table.Routes() {
		pattern := r.Pattern.String()
		e.Routes = append(e.Routes, RouteInfo{r.Method, r.Host, pattern, r.Name})
		if slices.ContainsFunc(r.Pattern.Params(), func(param string) bool { return slices.Contains(names, param) }) {
			with++
		} else {
			without = append(without, pattern)
		}
		if r.HasName() {
			linkable++
		}
		if len(r.Namespaces()) > 0 {
			named++
		} else {
			unnamed = append(unnamed, pattern)
		}
	}
	switch {
	case len(e.Routes) == 0:
	case len(names) > 0 && with == 0:
		e.add("param_in_no_route", "the path parameter %s is in no route: name it in the patterns, or correct its name", quotedList(names))
	case len(names) > 0 && len(v.parts) == 1 && len(without) > 0:
		e.add("route_without_param", "the path parameter %s is not in %s: such a route gets the default version", quotedList(names), quotedList(without))
	}
	if linkable > 0 && v.linksUnchecked() {
		e.Findings = append(e.Findings, uncheckedHost)
	}
	if len(e.Routes) > 0 && slices.Contains(e.Sources, namespaceName) {
		switch {
		case named == 0:
			e.add("no_namespaces", "no route is in a namespace, so every request gets the default version: put the routes of a version into a namespace")
		case len(unnamed) > 0 && len(v.parts) == 1:
			e.add("route_without_namespace", "%s is in no namespace: such a route gets the default version", quotedList(unnamed))
		}
	}
}

func (e *Explanation) add(code, format string, args ...any) {
	e.Findings = append(e.Findings, warn(code, "Routes", format, args...))
}

// maxListed bounds how many routes a finding names.
const maxListed = 5

func quotedList(texts []string) string {
	texts = slices.Compact(slices.Clone(texts))
	var quoted []string
	for _, text := range texts[:min(maxListed, len(texts))] {
		quoted = append(quoted, fmt.Sprintf("%q", text))
	}
	if more := len(texts) - maxListed; more > 0 {
		quoted = append(quoted, fmt.Sprintf("%d more", more))
	}
	return strings.Join(quoted, ", ")
}

// sourceNames returns the names of the single sources.
func (v *Versioning) sourceNames() (names []string) {
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
	for _, s := range e.Situations {
		fmt.Fprintf(&text, "  %-48s %s\n", s.Request, s.Outcome)
	}
	if len(e.Timeline) > 0 {
		text.WriteString("\nFrom today\n" + e.timeline())
	}
	if len(e.Routes) > 0 {
		text.WriteString("\nRoutes\n")
		for _, r := range e.Routes {
			text.WriteString(strings.TrimRight(fmt.Sprintf("  %-7s %s%-40s %s", r.Method, r.Host, r.Pattern, r.Name), " ") + "\n")
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
	for _, f := range v.explain(r).Findings {
		if f == uncheckedHost {
			continue // which is said at the first link
		}
		slog.Warn("verso: "+f.Message, "code", f.Code, "field", f.Field)
	}
}
