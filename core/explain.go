package verso

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Explanation lists what is configured, what each kind of request gets, and possible
// mistakes. It prints as text, and encodes as JSON.
type Explanation struct {
	Scheme         string      `json:"scheme"`                    // the name of the scheme or the source
	Sources        []string    `json:"sources"`                   // what the version is read from
	Headers        []string    `json:"headers,omitempty"`         // the request headers that are looked at
	Versions       []string    `json:"versions,omitempty"`        // that are served; none: every version
	DefaultVersion *string     `json:"default_version,omitempty"` // nil: there is none
	Situations     []Situation `json:"situations"`
	Timeline       []Epoch     `json:"timeline,omitempty"` // from today, with a catalogue
	Routes         []RouteInfo `json:"routes,omitempty"`   // in the order of registration
	Findings       []Finding   `json:"findings,omitempty"`

	// Source reads the version, and is nil for the base scheme. Time is when the
	// explanation was made. Both are for programs.
	Source Source    `json:"-"`
	Time   time.Time `json:"-"`
}

// Situation is a kind of request, and the outcome for it.
type Situation struct {
	Request string `json:"request"` // "for a version that is not served"
	Outcome string `json:"outcome"` // "404 invalid_url_path_version"
}

// Explain returns the configuration, what each kind of request gets, the routes, and
// possible mistakes. It logs those that were not logged before.
func (b *Binding) Explain() *Explanation {
	v, e := b.api, b.review()
	b.sayAll(e.Findings)
	e.Scheme, e.Headers, e.Versions, e.Situations = v.name, v.Vary(), slices.Clone(v.set.known), b.situations()
	e.Source, e.Time = v.source, v.config.Clock()
	if d := v.config.DefaultVersion; !d.IsNone() {
		text := d.String()
		e.DefaultVersion = &text
	}
	e.addTimeline(b)
	seen := make(map[place]bool) // of EachVersion, and of any method
	for r := range b.current().table.Routes() {
		as := asOf(r)
		if r.AnyMethod {
			as.method = ""
		}
		if !seen[as] {
			e.Routes = append(e.Routes, b.routeInfo(r))
		}
		seen[as] = true
	}
	return e
}

// review returns an explanation with the findings only.
func (b *Binding) review() *Explanation {
	e := &Explanation{Sources: b.api.Sources(), Findings: slices.Clone(b.api.findings)}
	e.addWarnings(b)
	e.addRouteFindings(b)
	e.addPrefixFindings(b)
	e.addUnlinked(b)
	e.acknowledge(b)
	return e
}

// acknowledge marks the findings that are acknowledged. Once the routes are known, it
// adds a finding for each acknowledged code that no finding has.
func (e *Explanation) acknowledge(b *Binding) {
	for _, code := range b.api.config.Acknowledged {
		known := b == b.api.unbound || slices.Contains(saidOfRequests, code)
		for i := range e.Findings {
			if e.Findings[i].Code == code {
				e.Findings[i].Acknowledged, known = true, true
			}
		}
		if !known {
			e.Findings = append(e.Findings, warn("accepted_unknown", "Acknowledged", "no finding has the code %q: remove it, or correct it", code))
		}
	}
}

// saidOfRequests are the codes of findings that only a request causes.
var saidOfRequests = []string{"no_place_for_version", "at_least_unknown", "before_router"}

// situations returns the outcome for each kind of request.
func (b *Binding) situations() []Situation {
	v := b.api
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
	}
	contradicting := kind{"for several versions at once", Reading{Outcome: Contradicting}}
	if v.combined { // each part has its own rejections
		kinds = []kind{kinds[0], contradicting}
		for i, p := range v.parts[1:] {
			unserved.Part = i + 1
			kinds = append(kinds, kind{"for a version that is not served, in " + p.name, unserved})
		}
	} else {
		contradicts, lacksPlace := v.possible()
		if contradicts {
			kinds = append(kinds, contradicting)
		}
		if lacksPlace {
			kinds = append(kinds, kind{"without the place that the version is read from", Reading{Outcome: Nowhere}})
		}
	}
	situations := make([]Situation, len(kinds))
	for i, kind := range kinds {
		result, err := b.resolve(&kind.reading, b.served)
		situations[i] = Situation{kind.request, describe(result, err)}
	}
	return situations
}

// possible reports whether requests can contradict themselves, and whether they can lack
// the place that the version is read from. Both are possible in a custom source.
func (v *Versioning) possible() (contradicts, lacksPlace bool) {
	written, _ := v.source.Write(Target{Version: V("v")}, V("v"))
	d := v.source.Describe()
	switch {
	case d.PathParam != "", d.ContentType != nil: // there is one, or it is negotiated
		return false, false
	case written.query != "", slices.Contains(d.Headers, "Accept"):
		return v.config.Strict.RefuseContradictions, false
	case len(d.Headers) > 0:
		return true, false
	case d.PathPrefix != "", d.Namespace, written.moveHost != nil:
		return false, true
	}
	return true, true
}

func describe(result *Result, err error) string {
	var rejected *Error
	switch {
	case errors.As(err, &rejected):
		return fmt.Sprintf("%d %s", rejected.Status, rejected.MessageID)
	case err != nil:
		return "500 " + err.Error()
	case result.version.IsNone():
		return "served without a version"
	}
	return fmt.Sprintf("served as version %q", result.version)
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
			level := f.Level.String()
			if f.Acknowledged {
				level = "acknowledged"
			}
			fmt.Fprintf(&text, "  %s %s: %s: %s\n", level, f.Code, f.Field, f.Message)
		}
	}
	return text.String()
}

// sayOnce logs the warnings at the first request, when the routes are known.
func (b *Binding) sayOnce() {
	if b.begun.Swap(true) {
		return
	}
	b.sayAll(b.review().Findings)
}

// sayAll logs the findings that were not logged before.
func (b *Binding) sayAll(findings []Finding) {
	for _, f := range findings {
		if f.Code != uncheckedHost.Code && b.once(f.Code+" "+f.Message) { // which the first link logs
			b.say(f)
		}
	}
}

// Warn logs a mistake that only a request reveals, once for each code, unless
// [Config.Acknowledged] has the code. It is for adapters.
func (b *Binding) Warn(code, field, format string, args ...any) {
	if b.once(code) {
		b.say(warn(code, field, format, args...))
	}
}

// once reports whether this is the first call for the code.
func (b *Binding) once(code string) bool {
	if _, said := b.said.Load(code); said {
		return false
	}
	_, said := b.said.LoadOrStore(code, true)
	return !said
}

// say logs a finding, unless it is acknowledged.
func (b *Binding) say(f Finding) {
	if f.Level == Warning && slices.Contains(b.api.config.Acknowledged, f.Code) {
		return
	}
	level := slog.LevelWarn
	if f.Level == Refused {
		level = slog.LevelError
	}
	b.api.logger().Log(context.Background(), level, "verso: "+f.Message, "code", f.Code, "field", f.Field)
}

func (v *Versioning) logger() *slog.Logger {
	if v.config.Logger != nil {
		return v.config.Logger
	}
	return slog.Default()
}

// sayNowhereOnce logs that a request without a place for a version is served. Routes
// without a namespace are found earlier: see [Explanation.addRouteFindings].
func (b *Binding) sayNowhereOnce(reading *Reading) {
	if reading.Outcome != Nowhere || b.api.parts[reading.Part].namespace || b.api.prefix != nil {
		return
	}
	result, err := b.resolve(reading, b.served)
	if err != nil {
		return
	}
	b.Warn("no_place_for_version", "HostPattern",
		"a request has no place for a version (%s) and is %s: correct the pattern or the host, or reject such requests with Strict.RefuseUnversioned",
		b.api.parts[reading.Part].name, describe(result, nil))
}
