package usage

import (
	"cmp"
	_ "embed"
	"encoding/csv"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"text/template"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/source"
)

// clientAdvice lists the deprecated and ended versions that a client still calls or may call
// again, and where it may go.
type clientAdvice struct {
	Time     time.Time       `json:"time"`
	Since    time.Time       `json:"since"`
	Client   string          `json:"client"`
	Contact  *contact        `json:"contact,omitempty"`
	Versions []versionAdvice `json:"versions"`
	Unseen   string          `json:"unseen"` // of every client, unlike Unknown

	pins bool // the service reports its pins
}

// mail is the text for a mail: for each version that the client has to leave, when it ends,
// how to move, and the routes.
var mail = template.Must(template.New("mail").Funcs(template.FuncMap{
	"date": date, "minute": minute, "number": number, "printable": printable,
}).Parse(mailText))

//go:embed mail.txt
var mailText string

type versionAdvice struct {
	Version      string        `json:"version"`
	State        string        `json:"state"`
	Deprecated   time.Time     `json:"deprecated,omitzero"`
	Sunset       time.Time     `json:"sunset,omitzero"`
	DaysToSunset *int          `json:"days_to_sunset,omitempty"`
	Successor    string        `json:"successor,omitempty"`
	Group        group         `json:"group"`
	LastSeen     time.Time     `json:"last_seen,omitzero"`
	Every        string        `json:"every,omitempty"`
	Next         time.Time     `json:"next_expected,omitzero"`
	Left         []routeLeft   `json:"routes_left,omitempty"`
	Unknown      string        `json:"unknown,omitempty"` // what only the client knows
	Exceptions   []Exception   `json:"exceptions,omitempty"`
	NoEffect     []string      `json:"no_effect,omitempty"` // exceptions of routes that it did not call
	Guide        string        `json:"guide,omitempty"`     // the link whose relation is "deprecation"
	Routes       []routeAdvice `json:"routes"`
	*pinned

	Asks      bool     `json:"-"` // if the client still needs the version
	Part      bool     `json:"-"` // it has moved but for the routes that are left
	After     string   `json:"-"` // the sunset: "gone", "serve" or "fall_forward"
	Brownouts []string `json:"-"` // to come
	ends      string
}

type routeAdvice struct {
	Method   string    `json:"method"`
	Route    string    `json:"route"`
	Path     string    `json:"path,omitempty"` // as the client sends it, if the routes are known
	Recent   uint64    `json:"requests_30_days"`
	LastSeen time.Time `json:"last_seen"`

	// To is the same route in the successor, as links find it, or "" if it is not known. If its URL is the same,
	// With is where the version belongs: "?version=v2", or "Api-Version: v2".
	To   string `json:"to,omitempty"`
	With string `json:"with,omitempty"`
}

// adviceOf returns the advice for a client. ok reports whether the client is known.
func adviceOf(r *report, name string) (advice clientAdvice, ok bool, err error) {
	advice = clientAdvice{Time: r.Time, Since: r.Since, Client: name, Contact: r.contactOf(name),
		Versions: []versionAdvice{}, pins: r.pinned,
		Unseen: "No count shows a job without a run since counting began on " + date(r.Since) + ": ask before the end"}
	for i := range r.Versions {
		v := &r.Versions[i]
		_, known := v.at[ClientName{name, false}]
		if ok = ok || known; v.Moving == nil {
			continue
		}
		group := slices.IndexFunc(v.Moving.Clients, func(c *movingClient) bool { return c.Client == name && !c.Other })
		if group < 0 {
			continue
		}
		moving := v.Moving.Clients[group]
		recent := v.client(moving).Recent
		if ok = true; !moving.Group.Breaks() && recent == 0 && moving.Exceptions == nil && moving.idle == nil {
			continue
		}
		if err := withRoutes(r, v, []*movingClient{moving}, func(_ *movingClient, n *clientReport) error {
			advice.Versions = append(advice.Versions, advise(r, v, moving, n.Routes, recent))
			return nil
		}); err != nil {
			return advice, ok, err
		}
	}
	return advice, ok, nil
}

// advise returns what a client of a version should know, which calls some routes.
func advise(r *report, v *versionReport, moving *movingClient, routes []routeReport, recent uint64) versionAdvice {
	moment := r.catalogue.At(r.Time)
	to := versionAdvice{
		Version: v.Version, State: v.State, Deprecated: v.Deprecated, Sunset: v.Sunset, DaysToSunset: v.DaysToSunset,
		Group: moving.Group, LastSeen: moving.LastSeen, After: string(v.after), ends: v.ends(r.Time),
		pinned: moving.pinned, Left: moving.Left, Part: moving.rest, Exceptions: moving.Exceptions,
		Asks: moving.asks(r.Time),
	}
	for _, e := range moving.idle {
		to.NoEffect = append(to.NoEffect, v.idleText(e))
	}
	if moving.Group == groupQuiet {
		to.Every, to.Next, to.Unknown = moving.Every, moving.Next, moving.unknown()
	}
	if successor, ok := moment.Successor(v.index); ok {
		to.Successor = r.catalogue.Versions()[successor]
	}
	entry := r.catalogue.Entry(v.index)
	for _, link := range entry.Links {
		if link.Rel == "deprecation" && to.Guide == "" {
			to.Guide = link.Href
		}
	}
	for _, b := range entry.Brownouts {
		if b.From.After(r.Time) {
			to.Brownouts = append(to.Brownouts, days(b))
		}
	}
	left := make(map[uint64]bool, len(moving.Left))
	for _, l := range moving.Left {
		left[l.key] = true
	}
	at := map[string]int{} // of a route in Routes
	for _, route := range routes {
		of := Count{Version: v.Version, Method: route.Method, Route: route.Route, OtherRoute: route.Other}
		if left[keyOf(&of)] || moving.Left == nil && (route.Recent > 0 || recent == 0) {
			to.add(at, route, r.routes, writtenIn(r.source, to.Successor))
		}
	}
	return to
}

// add adds a route that the client called, served or rejected.
func (v *versionAdvice) add(known map[string]int, route routeReport, routes []verso.RouteInfo, with string) {
	name := route.Method + " " + route.name()
	at, ok := known[name]
	if !ok {
		at = len(v.Routes)
		known[name] = at
		v.Routes = append(v.Routes, routeAdvice{Method: route.Method, Route: route.name(), Path: route.sent,
			To: routeIn(routes, route.Method, route.Route, v.Version, v.Successor)})
	}
	advised := &v.Routes[at]
	if advised.To == advised.Path {
		advised.With = with
	}
	advised.Recent += route.Recent
	if route.LastSeen.After(advised.LastSeen) {
		advised.LastSeen = route.LastSeen
	}
}

// writtenIn returns where a source reads a version, unless it is in the path or the host: in a query parameter or a
// header.
func writtenIn(from source.Source, version string) string {
	if from == nil || version == "" {
		return ""
	}
	written, _ := from.Write(source.Written{}, verso.V(version))
	if name, value := written.Query(); name != "" {
		return "?" + name + "=" + value
	}
	if name, value := written.Header(); name != "" {
		return name + ": " + value
	}
	for _, part := range from.Describe().Parts {
		if with := writtenIn(part, version); with != "" {
			return with
		}
	}
	return ""
}

// routeIn returns the route of a later version that links lead to from a route: the
// route itself, one of that name, or the one at that path.
func routeIn(routes []verso.RouteInfo, method, pattern, version, successor string) string {
	if successor == "" {
		return ""
	}
	has := func(r *verso.RouteInfo) bool {
		return r.Method == method || r.Method == asGet(method) || r.Method == ""
	}
	for i := range routes {
		old := &routes[i]
		if !has(old) || old.Pattern != pattern || old.Neutral || old.Unchecked || !old.InVersion(version) {
			continue
		}
		path, isNamed := in(old.Path, version, successor), namedIn(old, version, successor)
		for j := range routes {
			next := &routes[j]
			if !has(next) || next.Neutral || next.Unchecked || !next.InVersion(successor) || next.Host != old.Host {
				continue
			}
			if i == j || in(next.Path, version, successor) == path || isNamed(next) {
				return in(next.Path, version, successor)
			}
		}
	}
	return ""
}

// Verdict returns the heading of the page of the client.
func (a clientAdvice) Verdict() string {
	var parts []string
	for _, does := range []struct {
		text   string
		groups []group
	}{{"has %s pinned", []group{groupPinned}}, {"still calls %s", []group{groupOnly, groupBoth}},
		{"may call %s again", []group{groupQuiet}},
		{"may break when %s ends", []group{groupAccepted}}, {"no longer calls %s", []group{groupMoved, groupTold}}} {
		var versions []string
		for _, v := range a.Versions {
			if slices.Contains(does.groups, v.Group) {
				versions = append(versions, printable(v.Version))
			}
		}
		if versions != nil {
			parts = append(parts, fmt.Sprintf(does.text, strings.Join(versions, ", ")))
		}
	}
	return cmp.Or(strings.Join(parts, "; "), "calls no version that is deprecated or has ended")
}

// Breaks reports whether the client has to move.
func (a clientAdvice) Breaks() bool {
	return slices.ContainsFunc(a.Versions, func(v versionAdvice) bool { return v.Group.Breaks() })
}

// Text returns the advice as text for a mail, or "" if the client need not move.
func (a clientAdvice) Text() string {
	var b strings.Builder
	_ = mail.Execute(&b, a) // a builder does not fail
	return strings.TrimSpace(b.String())
}

// Subject returns the subject of a mail.
func (a clientAdvice) Subject() string {
	for _, v := range a.Versions {
		if v.Group.Breaks() {
			return v.ends
		}
	}
	return ""
}

// maxMailto bounds a link to a mail: some programs cut longer ones.
const maxMailto = 1800

// Mailto returns a link that opens a mail with the text, cut if it is long.
func (a clientAdvice) Mailto() string {
	address := ""
	if a.Contact != nil {
		if to, ok := strings.CutPrefix(a.Contact.Link, "mailto:"); ok {
			address, _, _ = strings.Cut(to, "?")
		}
	}
	escape := func(text string) string { return strings.ReplaceAll(url.QueryEscape(text), "+", "%20") }
	link, body := "mailto:"+address+"?subject="+escape(a.Subject())+"&body=",
		escape(strings.ReplaceAll(a.Text(), "\n", "\r\n"))
	if left := max(0, maxMailto-len(link)-len("%E2%80%A6")); len(body) > left {
		body = body[:strings.LastIndex(body[:left], "%20")+1]
		body = strings.TrimSuffix(body, "%") + "%E2%80%A6" // an ellipsis
	}
	return link + body
}

// Name returns the method and the URL as the client sends it.
func (r routeAdvice) Name() string {
	return strings.TrimSpace(printable(r.Method + " " + cmp.Or(r.Path, r.Route)))
}

// Target returns the method and the URL of the route to use, or "".
func (r routeAdvice) Target() string {
	if r.To == "" || r.To == r.Path && r.With == "" {
		return "" // it does that already
	}
	return strings.TrimSpace(printable(r.Method + " " + r.Now()))
}

// Now returns the URL of the route to use, and the header with the version.
func (r routeAdvice) Now() string {
	if r.With == "" || r.With[0] == '?' {
		return r.To + r.With
	}
	return r.To + " with " + r.With
}

// writeCSV writes a line for each route.
func (a clientAdvice) writeCSV(w io.Writer) error {
	lines := [][]string{{"client", "version", "state", "every", "next_expected", "sunset", "successor", "method",
		"route", "requests_30_days", "last_request", "to"}}
	lines[0] = withPins(lines[0], a.pins, "pinned")
	for _, v := range a.Versions {
		routes := v.Routes
		if routes == nil { // it is only pinned
			routes = []routeAdvice{{}}
		}
		for _, r := range routes {
			lines = append(lines, withPins([]string{
				cellText(a.Client), cellText(v.Version), string(v.Group), v.Every, timeText(v.Next), timeText(v.Sunset),
				cellText(v.Successor), cellText(r.Method), cellText(r.Route),
				strconv.FormatUint(r.Recent, 10), timeText(r.LastSeen), cellText(r.Now()),
			}, a.pins, v.Texts()...))
		}
	}
	return csv.NewWriter(w).WriteAll(lines)
}

// Name returns the name of the client, or a placeholder.
func (a clientAdvice) Name() string { return nameOf(a.Client, false) }

// Link returns the address of this advice in a format.
func (a clientAdvice) Link(format string) string {
	return "?client=" + url.QueryEscape(a.Client) + "&format=" + format
}
