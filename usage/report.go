package usage

import (
	"cmp"
	"context"
	"slices"
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
	Ready        *readiness           `json:"ready,omitempty"`
	Moving       *moving              `json:"moving,omitempty"` // of a version that is deprecated or has a sunset
	Left         []Left               `json:"left,omitempty"`   // on earlier days, as recorded
	counts                            // of all clients
	// those with the most requests in the last 30 days first
	Clients []clientReport `json:"clients,omitempty"`
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

	called []routeView   // if the page shows them
	totals *VersionTotal // Clients has only clients that were asked for
}

type clientReport struct {
	Client string        `json:"client"`          // "": not known
	Other  bool          `json:"other,omitempty"` // all clients beyond the bound
	counts               // on all routes
	Routes []routeReport `json:"routes"` // those with the most requests in the last 30 days first

	tally      // its requests in the days that matter
	lastServed time.Time
	weeks      Weeks
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

// laterReport is what later versions served to a client.
type laterReport struct {
	first, last time.Time
	served      uint64 // in the days of called
	weeks       Weeks  // with a call of any of them
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

// byRequests orders by requests in the last 30 days, most first.
func (c *counts) byRequests(other *counts) int {
	return cmp.Or(cmp.Compare(other.Recent, c.Recent), cmp.Compare(other.Requests, c.Requests))
}

// sum is what was counted of one combination.
type sum struct {
	requests    uint64
	first, last int64
	days        [RecentDays]uint64 // today first
}

// newReport returns a report without counts.
func (p *Page) newReport(now time.Time, in Snapshot, pins map[string]*pins) report {
	versions := p.Catalogue.Versions()
	r := report{
		Time: now, Since: now, Processes: in.Processes, Versions: make([]versionReport, len(versions)+1),
		contact: p.Contact, pinned: pins != nil, sent: map[string]string{}, catalogue: p.Catalogue,
		Bound: cmp.Or(in.MaxClients, MaxClients), Names: in.Names, named: in.Names > 0,
	}
	p.explain(&r)
	for i, process := range r.Processes {
		if process.Silent == 0 && process.Skew == 0 { // the store has no clock
			r.Processes[i].Silent = now.Sub(process.LastSeen)
		}
		if process.LastSeen.After(now) {
			r.Processes[i].LastSeen = now // its clock is ahead
		}
	}
	for index := range versions {
		v := &r.Versions[index]
		v.describe(p.Catalogue, index, now)
		v.pins = pins[v.Version]
		if v.moves() {
			v.Left = slices.DeleteFunc(slices.Clone(in.Left), func(l Left) bool { return l.Version != v.Version })
		}
	}
	today := dayOf(now.Unix())
	for index := range r.Versions {
		for i := range Days {
			r.Versions[index].daily[i].Day = nameOfDay(today - uint64(i))
		}
	}
	return r
}

// addSums adds the sums, but for those of combinations that are gone.
func (r *report) addSums(sums map[of]*sum) {
	versions := r.catalogue.Versions()
	for of, sum := range sums {
		if sum.last > 0 && r.Time.Sub(timeOf(sum.last)) > gone {
			continue
		}
		r.Versions[of.version].add(&of, sum, r.urlOf(&of, versions))
	}
}

// sums adds up the counts of each combination. Days and times ahead of now come from
// another clock and count as now.
func (r *report) sums(counts []Count) map[of]*sum {
	now := r.Time.Unix()
	daysAgo := r.daysAgo(Days)
	sums := make(map[of]*sum, len(counts))
	for i := range counts {
		n := &counts[i]
		version, ok := r.versionOf(n.Version)
		if !ok {
			continue
		}
		if n.Kind == KindException && n.Exception != nil {
			v := &r.Versions[version]
			if v.excepted == nil {
				v.excepted = map[string][]Exception{}
			}
			v.excepted[n.Exception.Client] = append(v.excepted[n.Exception.Client], *n.Exception)
			continue
		}
		var s *sum
		if n.Kind == KindRequests {
			of := of{
				version: version, client: n.Client, method: n.Method, route: n.Route, rejected: n.Rejected,
				otherClient: n.OtherClient, otherRoute: n.OtherRoute,
			}
			if s = sums[of]; s == nil {
				s = new(sum)
				sums[of] = s
			}
			s.requests += n.Requests
			if first := min(n.First, now); first > 0 && (s.first == 0 || first < s.first) {
				s.first = first
			}
			s.last = max(s.last, min(n.Last, now))
		}
		for _, d := range n.Days {
			i, ok := daysAgo(d.Day)
			if !ok {
				continue // too old
			}
			r.Versions[version].daily[i].add(d.Requests, n.Rejected)
			if s != nil && i < RecentDays {
				s.days[i] += d.Requests
			}
		}
	}
	return sums
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

// describe adds the lifecycle of the version from the catalogue.
func (v *versionReport) describe(versions *catalogue.Catalogue, index int, now time.Time) {
	e, moment := versions.Entry(index), versions.At(now)
	v.index, v.Version, v.State, v.Deprecated, v.Sunset, v.Brownouts = index, e.Version, moment.State(index).String(),
		e.Deprecated, e.Sunset, e.Brownouts
	v.Successor = e.Successor
	if e.Sunset.IsZero() {
		return
	}
	days := int((startOf(e.Sunset).Unix() - startOf(now).Unix()) / secondsPerDay)
	v.DaysToSunset = &days
	switch then := versions.Table().Decide(versions.At(e.Sunset), index); {
	case then.Version < 0:
		v.after = catalogue.Gone
	case then.Version == index:
		v.after = catalogue.Serve
	default:
		v.after = catalogue.FallForward
	}
}

// explain adds what the adapter knows.
func (p *Page) explain(r *report) {
	if p.Explain == nil {
		return
	}
	explanation := p.Explain()
	r.routes, r.unobserved, r.source = explanation.Routes, explanation.Unobserved, explanation.Source
	if p.Counter != nil && explanation.Counters != nil && !slices.Contains(explanation.Counters, p.Counter) {
		r.unobserved = true
	}
	for i := range r.routes {
		r.sent[r.routes[i].Method+" "+r.routes[i].Pattern] = r.routes[i].Path
	}
	r.unset = slices.ContainsFunc(explanation.Findings,
		func(f verso.Finding) bool { return f.Code == "client_not_set" && !f.Acknowledged })
}

// urlOf returns the URL that clients send for a route, or "" if it is not known.
func (r *report) urlOf(of *of, versions []string) string {
	path := cmp.Or(r.sent[of.method+" "+of.route], r.sent[asGet(of.method)+" "+of.route], r.sent[" "+of.route])
	if of.version < len(versions) {
		path = strings.ReplaceAll(path, "{version}", versions[of.version])
	}
	return path
}

// add adds the sum of a combination, whose URL is sent.
func (v *versionReport) add(of *of, s *sum, sent string) {
	n := counts{Requests: s.requests, FirstSeen: timeOf(s.first), LastSeen: timeOf(s.last)}
	if n.Requests == 0 {
		return
	}
	key := ClientName{of.client, of.otherClient}
	at, ok := v.at[key]
	if !ok {
		if v.at == nil {
			v.at = map[ClientName]int{}
		}
		at = len(v.Clients)
		v.at[key] = at
		v.Clients = append(v.Clients, clientReport{Client: of.client, Other: of.otherClient})
	}
	client := &v.Clients[at]
	route := routeReport{Method: of.method, Route: of.route, Other: of.otherRoute, sent: sent}
	for i := range s.days {
		requests := s.days[RecentDays-1-i]
		n.Recent += requests
		if requests > 0 || route.Days != nil {
			route.Days = append(slices.Grow(route.Days, RecentDays-i), requests) // allocates once
		}
	}
	if of.rejected {
		n.Rejected, n.RecentRejected = n.Requests, n.Recent
	}
	route.counts = n
	client.Routes = append(client.Routes, route)
	client.add(n)
	v.counts.add(n)
}

// sort puts what was added in any order into the order of the report.
func (v *versionReport) sort() {
	for i := range v.daily {
		if day := v.daily[Days-1-i]; day.Requests > 0 {
			v.Days = append(v.Days, day)
		}
	}
	slices.SortFunc(v.Clients, compareClients)
	for i, client := range v.Clients {
		v.at[ClientName{client.Client, client.Other}] = i
		slices.SortFunc(client.Routes, func(a, b routeReport) int {
			return cmp.Or(a.byRequests(&b.counts), cmp.Compare(a.Route, b.Route), cmp.Compare(a.Method, b.Method),
				cmp.Compare(a.Rejected, b.Rejected), compareBools(a.Other, b.Other))
		})
	}
}

// compareUrgency orders versions by how soon their clients must move: by their
// sunset, then deprecated versions without one, then the rest.
func compareUrgency(a, b versionReport) int {
	rank := func(v versionReport) int {
		switch {
		case !v.Sunset.IsZero():
			return 0
		case v.State == catalogue.Deprecated.String():
			return 1
		}
		return 2
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), a.Sunset.Compare(b.Sunset))
}
