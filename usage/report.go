package usage

import (
	"cmp"
	"context"
	"strings"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/source"
)

// report is what was counted until a time, as JSON has it. All days are in UTC.
type report struct {
	Time time.Time `json:"time"`
	// Since is when all regions counted: the first request or process of which anything is known.
	Since     time.Time       `json:"since"`
	Processes []Process       `json:"processes"`
	Versions  []versionReport `json:"versions"` // those whose clients must move first are first

	counted    []counting // of each region
	routes     []verso.RouteInfo
	source     source.Source     // or nil
	sent       map[string]string // the paths of the routes, by method and pattern
	unset      bool              // the adapter has no Client
	unobserved bool              // no request of the service gets into these counts
	named      bool              // a client has a name
	contact    func(client string) (text, link string)
	pinned     bool // the service reports its pins, to some versions

	catalogue *catalogue.Catalogue
	Bound     int             `json:"-"` // of clients with a name
	Names     int             `json:"-"`
	elsewhere map[string]bool // the clients of accounts, and whether an unread version has counted them
	ctx       context.Context // of reader
	reader    Reader
	only      []string // the clients that are read; nil: all of them
	part      *Wanted  // those of a part: see inParts
}

// versionReport has the counts for a version. Requests for no listed version have the
// version "".
type versionReport struct {
	Version      string               `json:"version,omitempty"`
	State        string               `json:"state,omitempty"`
	Deprecated   time.Time            `json:"deprecated,omitzero"`
	Sunset       time.Time            `json:"sunset,omitzero"`
	DaysToSunset *int                 `json:"days_to_sunset,omitempty"` // calendar days; negative after the sunset
	Successor    string               `json:"successor,omitempty"`
	Brownouts    []catalogue.Brownout `json:"brownouts,omitempty"`
	Ready        *readiness           `json:"-"`              // see writeMoving; likewise the next
	Moving       *moving              `json:"-"`              // of a deprecated version, or of one with a sunset
	Left         []Left               `json:"left,omitempty"` // on earlier days, as recorded
	counts                            // of all clients
	// those with the most requests in the last 30 days first
	Clients []clientReport `json:"-"`
	Days    []dayReport    `json:"days,omitempty"` // those of the last 90 with requests, in order

	index    int              // in the catalogue
	after    catalogue.Action // what happens after the sunset
	daily    [Days]dayReport  // today first
	at       map[ClientName]int
	excepted map[string][]Exception            // by client
	routes   map[string]map[uint64]calledRoute // of clients with exceptions
	judged   []movingClient                    // the same as Clients, and then those that are only pinned
	pins     *pins                             // nil: the service does not report pins
	windows
	names    map[uint64]string              // of the routes that are left, by key
	replaced map[string]map[uint64][]uint64 // see replacements, by later version

	called []routeView   // if the page shows them
	totals *VersionTotal // Clients has only clients that were asked for
	named  int           // clients with a name that called it in the last 30 days: see countNamed
	others bool          // there are clients beyond the bound, in no listed version
	many   bool          // there are more than fewClients: see inParts

	knowsNamed bool
}

type clientReport struct {
	Client string        `json:"client"`          // "": not known
	Other  bool          `json:"other,omitempty"` // all clients beyond the bound
	counts               // on all routes
	Routes []routeReport `json:"routes"` // those with the most requests in the last 30 days first

	tally      // its requests in the days that matter
	lastServed time.Time
	weeks      Weeks
	recentDays uint32 // bit i: it called i days ago
	uses       RouteUses
	beyond     bool         // later versions served routes beyond the bound
	since      int64        // as in ClientTotal
	later      *laterReport // what later versions served
}

// tally has the requests of a client in the days by which it is judged.
type tally struct {
	week, before, called uint64 // see windows
	served               uint64 // in the days of called
	brownout             uint64 // rejected on the days of the last brownout
}

// windows are these days, in days ago: from the first to the last of the week, and today.
type windows struct {
	from, to int
	full     bool
	compared bool // whether the week before was counted
	brownout *brownoutDays
}

// laterReport is what later versions served to a client.
type laterReport struct {
	last   time.Time
	served uint64 // in the days of called
	weeks  Weeks  // with a served request of any of them
}

// routeReport has the counts for a route, separately for served and for rejected
// requests.
type routeReport struct {
	Method string `json:"method"` // "": not known
	Route  string `json:"route"`
	Other  bool   `json:"other,omitempty"` // all routes beyond the bound
	counts
	Days []uint64 `json:"days,omitempty"` // requests on each of the last days, today last

	sent string // the URL as clients send it, or ""
}

type counts struct {
	Requests       uint64    `json:"requests"`
	Rejected       uint64    `json:"rejected"` // among the requests
	Recent         uint64    `json:"requests_30_days"`
	RecentRejected uint64    `json:"rejected_30_days"`
	FirstSeen      time.Time `json:"first_seen,omitzero"`
	LastSeen       time.Time `json:"last_seen,omitzero"`
}

type dayReport struct {
	Day      string `json:"day"` // "2026-11-21"
	Requests uint64 `json:"requests"`
	Rejected uint64 `json:"rejected,omitempty"` // among the requests
}

// routeView is a route of several clients in the last 30 days.
type routeView struct {
	Name    string
	Recent  uint64
	Clients int
	latest  int // index of the client counted last
}

// calledRoute is when a client called a route, in seconds since 1970.
type calledRoute struct {
	name        string
	first, last int64
}

// contact is what [Page.Contact] returned.
type contact struct {
	Text string `json:"text"`
	Link string `json:"link,omitempty"`
}

const fullWeek = 7 // days

// count counts the requests of a day.
func (n *tally) count(w *windows, ago int, requests uint64, rejected bool) {
	if w.to <= ago && ago <= w.from {
		n.week += requests
	}
	if fullWeek < ago && ago <= 2*fullWeek {
		n.before += requests
	}
	if ago <= w.from {
		n.called += requests
		if !rejected {
			n.served += requests
		}
	}
	if b := w.brownout; b != nil && rejected && b.last <= ago && ago <= b.first {
		n.brownout += requests
	}
}

// add adds other counts.
func (c *counts) add(other counts) {
	c.Requests += other.Requests
	c.Rejected += other.Rejected
	c.Recent += other.Recent
	c.RecentRejected += other.RecentRejected
	widen(&c.FirstSeen, &c.LastSeen, other.FirstSeen, other.LastSeen)
}

// widen makes the time between a first and a last request include another such time. Zero times are not known.
func widen(first, last *time.Time, from, until time.Time) {
	if first.IsZero() || !from.IsZero() && from.Before(*first) {
		*first = from
	}
	if until.After(*last) {
		*last = until
	}
}

// add adds requests that were served or rejected.
func (d *dayReport) add(requests uint64, rejected bool) {
	d.Requests += requests
	if rejected {
		d.Rejected += requests
	}
}

// byRequests orders by requests in the last 30 days, most first, and then by the last request: each of [Regions] knows it.
func (c *counts) byRequests(other *counts) int {
	return cmp.Or(cmp.Compare(other.Recent, c.Recent), other.LastSeen.Compare(c.LastSeen))
}

// versionOf returns the place of a version before they are sorted, the last one for "".
func (r *report) versionOf(name string) (index int, ok bool) {
	if name == "" {
		return len(r.Versions) - 1, true
	}
	return r.catalogue.Index(name)
}

// daysAgo returns a function that returns how many days ago a day was, of the last ones: parsing
// each of them takes long. A day ahead comes from another clock, and is today.
func (r *report) daysAgo(last int) func(day string) (ago int, ok bool) {
	today, days := dayOf(r.Time.Unix()), map[string]int{}
	for i := range last {
		days[nameOfDay(today-uint64(i))] = i
	}
	return func(day string) (int, bool) {
		ago, ok := days[day]
		if !ok {
			at, valid := parseDay(day)
			return 0, valid && at > today
		}
		return ago, true
	}
}

// contactOf returns whom to write to about a client, or nil.
func (r *report) contactOf(client string) *contact {
	if r.contact == nil || client == "" {
		return nil
	}
	text, link := r.contact(client)
	if text == "" && link == "" {
		return nil
	}
	return &contact{cmp.Or(text, strings.TrimPrefix(link, "mailto:")), link}
}

// client returns the counts of a judged client, none if nothing was counted.
func (v *versionReport) client(c *movingClient) *clientReport {
	if at, ok := v.at[ClientName{c.Client, c.Other}]; ok {
		return &v.Clients[at]
	}
	return &clientReport{Client: c.Client}
}

// moves reports whether a version is deprecated or has a sunset.
func (v *versionReport) moves() bool { return !v.Deprecated.IsZero() || !v.Sunset.IsZero() }

// all returns all versions.
func (r *report) all() (all []*versionReport) {
	for i := range r.Versions {
		all = append(all, &r.Versions[i])
	}
	return all
}

// knowsPins reports whether the pins of a version were asked for, if the service reports any.
func (r *report) knowsPins(v *versionReport) bool { return !r.pinned || v.pins != nil }

// unread returns why not all pins are known, or "".
func (v *versionReport) unread() string {
	if v.pins == nil || v.pins.err == nil {
		return ""
	}
	return "Not all that is pinned to it is known: " + printable(bounded(v.pins.err.Error(), maxForBytes))
}

// HasPins reports whether the pins of the version were asked for.
func (v *versionReport) HasPins() bool { return v.pins != nil }

// fallsForward reports whether the version has ended and a later one answers for it.
func (v *versionReport) fallsForward() bool {
	return v.State == catalogue.Ended.String() && v.after == catalogue.FallForward
}

// Sum returns the requests in a range of days, each given in days ago.
func (v versionReport) Sum(from, to int) (sum dayReport) {
	for _, day := range v.daily[to : from+1] {
		sum.Requests += day.Requests
		sum.Rejected += day.Rejected
	}
	return sum
}

// Name returns the name of the client, or a placeholder.
func (c clientReport) Name() string { return nameOf(c.Client, c.Other) }

// name returns the route pattern, or a placeholder.
func (r *routeReport) name() string {
	if r.Other {
		return "(other routes)"
	}
	return printable(cmp.Or(r.Route, "(not known)"))
}

// Sent returns the method and the URL as clients send it, or a placeholder.
func (r *routeReport) Sent() string {
	if r.sent == "" {
		return strings.TrimSpace(printable(r.Method) + " " + r.name())
	}
	return strings.TrimSpace(printable(r.Method + " " + r.sent))
}

// Window returns a range of days, each given in days ago: "23 Oct–21 Nov".
func (r report) Window(from, to int) string {
	first, last := r.Time.AddDate(0, 0, -from), r.Time.AddDate(0, 0, -to)
	if first.Month() == last.Month() {
		return first.Format("2–") + last.Format("2 Jan")
	}
	return first.Format("2 Jan–") + last.Format("2 Jan")
}

// recentOf returns the first second of the last 30 days.
func recentOf(now time.Time) int64 { return startOf(now).AddDate(0, 0, 1-RecentDays).Unix() }
