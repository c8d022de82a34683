package usage

import (
	"encoding/csv"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
)

// clientAdvice is what a client still calls of versions that are deprecated or have
// ended, and where it may go.
type clientAdvice struct {
	Time     time.Time       `json:"time"`
	Since    time.Time       `json:"since"`
	Client   string          `json:"client"`
	Versions []versionAdvice `json:"versions"`
}

type versionAdvice struct {
	Version      string        `json:"version"`
	State        string        `json:"state"`
	Deprecated   time.Time     `json:"deprecated,omitzero"`
	Sunset       time.Time     `json:"sunset,omitzero"`
	DaysToSunset *int          `json:"days_to_sunset,omitempty"`
	Successor    string        `json:"successor,omitempty"`
	Routes       []routeAdvice `json:"routes"`

	report *versionReport
}

type routeAdvice struct {
	Method   string    `json:"method"`
	Route    string    `json:"route"`
	Recent   uint64    `json:"requests_30_days"`
	LastSeen time.Time `json:"last_seen"`

	// To is the same route in the successor, as links find it. "": there is none, or
	// the routes are not known.
	To string `json:"to,omitempty"`
}

// client returns the advice for a client. ok is false if nothing is known of it.
func (p *Page) client(r *report, name string) (advice clientAdvice, ok bool) {
	advice = clientAdvice{Time: r.Time, Since: r.Since, Client: name, Versions: []versionAdvice{}}
	var routes []verso.RouteInfo
	if p.Explain != nil {
		routes = p.Explain().Routes
	}
	moment := p.Catalogue.At(r.Time)
	for i := range r.Versions {
		v := &r.Versions[i]
		at, known := v.at[clientKey{name, false}]
		if !known {
			continue
		}
		ok = true
		if v.Moving == nil || v.Clients[at].Recent == 0 {
			continue
		}
		to := versionAdvice{v.Version, v.State, v.Deprecated, v.Sunset, v.DaysToSunset, "", nil, v}
		if successor, ok := moment.Successor(v.index); ok {
			to.Successor = p.Catalogue.Versions()[successor]
		}
		for _, route := range v.Clients[at].Routes {
			if route.Recent > 0 {
				to.add(route, routes)
			}
		}
		advice.Versions = append(advice.Versions, to)
	}
	return advice, ok
}

// add adds a route that the client called, served or rejected.
func (v *versionAdvice) add(route routeReport, routes []verso.RouteInfo) {
	at := slices.IndexFunc(v.Routes, func(r routeAdvice) bool { return r.Method == route.Method && r.Route == route.name() })
	if at < 0 {
		at = len(v.Routes)
		v.Routes = append(v.Routes, routeAdvice{Method: route.Method, Route: route.name(), To: routeIn(routes, route.Method, route.Route, v.Version, v.Successor)})
	}
	advised := &v.Routes[at]
	advised.Recent += route.Recent
	if route.LastSeen.After(advised.LastSeen) {
		advised.LastSeen = route.LastSeen
	}
}

// routeIn returns the route of a later version that links lead to from a route: the
// route itself, one of that name, or the one at that path.
func routeIn(routes []verso.RouteInfo, method, pattern, version, successor string) string {
	if successor == "" {
		return ""
	}
	has := func(r *verso.RouteInfo) bool { return r.Method == method || r.Method == "" }
	for i := range routes {
		old := &routes[i]
		if !has(old) || old.Pattern != pattern || old.Neutral || old.Unchecked || !old.InVersion(version) {
			continue
		}
		path, name := in(old.Path, version, successor), nameIn(old.Name, successor)
		for j := range routes {
			next := &routes[j]
			if !has(next) || next.Neutral || next.Unchecked || !next.InVersion(successor) || next.Host != old.Host {
				continue
			}
			if i == j || in(next.Path, version, successor) == path || old.Name != "" && next.Name == name {
				return in(next.Path, version, successor)
			}
		}
	}
	return ""
}

// in returns a path with the successor in the place of the version.
func in(path, version, successor string) string {
	segments := strings.Split(path, "/")
	for i, segment := range segments {
		if segment == "{version}" || segment == version {
			segments[i] = successor
		}
	}
	return strings.Join(segments, "/")
}

// nameIn returns the name that a route of a namespace has in another one.
func nameIn(name, successor string) string {
	return verso.VersionedName(verso.V(successor), name[strings.LastIndexByte(name, ':')+1:])
}

// Text returns the advice as text for a mail.
func (a clientAdvice) Text() string {
	var b strings.Builder
	for _, v := range a.Versions {
		b.WriteString(sentence(v.report) + "\n\n")
		for _, route := range v.Routes {
			b.WriteString("  " + route.Line(v.Successor) + "\n")
		}
		b.WriteString("\n")
	}
	return strings.TrimSpace(b.String())
}

// Line returns the route and where to go, on one line.
func (r routeAdvice) Line(successor string) string {
	line := strings.TrimSpace(printable(r.Method+" "+r.Route)) + " (" + number(r.Recent) + " in 30 days, the last on " + date(r.LastSeen) + ")"
	switch {
	case r.To != "":
		return line + ": use " + strings.TrimSpace(printable(r.Method+" "+r.To)) + " of " + printable(successor)
	case successor != "":
		return line + ": no such route in " + printable(successor) + " is known"
	}
	return line
}

// sentence says when a version was deprecated and ends.
func sentence(v *versionReport) string {
	text := printable(v.Version)
	switch {
	case v.State == catalogue.Ended.String():
		text += " ended on " + date(v.Sunset)
	case !v.Sunset.IsZero() && v.after == catalogue.Serve:
		text += " is deprecated, and is not supported from " + date(v.Sunset) + " on"
	case !v.Sunset.IsZero():
		text += " ends on " + minute(v.Sunset)
	default:
		text += " is deprecated since " + date(v.Deprecated)
	}
	if v.Successor != "" {
		text += "; its successor is " + printable(v.Successor)
	}
	return text + ". You still call:"
}

// writeCSV writes a line for each route.
func (a clientAdvice) writeCSV(w io.Writer) error {
	lines := csv.NewWriter(w)
	_ = lines.Write([]string{"client", "version", "sunset", "successor", "method", "route", "requests_30_days", "last_request", "to"})
	for _, v := range a.Versions {
		for _, r := range v.Routes {
			sunset := ""
			if !v.Sunset.IsZero() {
				sunset = v.Sunset.UTC().Format(time.RFC3339)
			}
			_ = lines.Write([]string{
				cellText(a.Client), cellText(v.Version), sunset, cellText(v.Successor), cellText(r.Method), cellText(r.Route),
				strconv.FormatUint(r.Recent, 10), r.LastSeen.Format(time.RFC3339), cellText(r.To),
			})
		}
	}
	lines.Flush()
	return lines.Error()
}

// Name returns the name of the client, or a placeholder.
func (a clientAdvice) Name() string { return nameOf(a.Client, false) }

// Link returns the address of this advice in a format.
func (a clientAdvice) Link(format string) string {
	return "?client=" + url.QueryEscape(a.Client) + "&format=" + format
}

// Name returns the route with its method.
func (r routeAdvice) Name() string { return strings.TrimSpace(printable(r.Method) + " " + r.Route) }
