package usage

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"github.com/goverso/verso/core/catalogue"
)

// report is what a table has counted until a time. [Table.Handler] serves it as JSON
// and [Table.Snapshot] writes it. All days are in UTC.
type report struct {
	Time     time.Time       `json:"time"`
	Versions []versionReport `json:"versions"` // those whose clients must move first are first
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
	counts                            // of all clients
	Clients      []clientReport       `json:"clients,omitempty"` // those with the most requests in the last 30 days first
	Days         []dayReport          `json:"days,omitempty"`    // those of the last 90 with requests, in order

	daily [Days]dayReport // today first
}

type clientReport struct {
	Client string        `json:"client"`          // "": not known
	Other  bool          `json:"other,omitempty"` // all clients beyond the bound
	counts               // on all routes
	Routes []routeReport `json:"routes"` // those with the most requests in the last 30 days first
}

// routeReport has the counts for a route, separately for served and for rejected
// requests.
type routeReport struct {
	Method string `json:"method"` // "": not known
	Route  string `json:"route"`
	Other  bool   `json:"other,omitempty"` // all routes beyond the bound
	counts
	Days []uint64 `json:"days,omitempty"` // requests on each of the last days, today last
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
	if c.FirstSeen.IsZero() || !other.FirstSeen.IsZero() && other.FirstSeen.Before(c.FirstSeen) {
		c.FirstSeen = other.FirstSeen
	}
	if other.LastSeen.After(c.LastSeen) {
		c.LastSeen = other.LastSeen
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

// report returns what was counted until now.
func (t *Table) report() report {
	now := t.clock().UTC().Truncate(time.Second)
	r := report{Time: now, Versions: make([]versionReport, t.unlisted()+1)}
	moment := t.catalogue.At(now)
	for index := range t.catalogue.Versions() {
		r.Versions[index].describe(t.catalogue.Entry(index), moment.State(index), now)
	}
	today := dayOf(now.Unix())
	t.mu.Lock()
	for index := range r.Versions {
		r.Versions[index].countDays(&t.rows[2*index], &t.rows[2*index+1], today)
	}
	cells := slices.Concat(t.cells, t.rest)
	slices.SortFunc(cells, func(a, b *cell) int {
		return cmp.Or(cmp.Compare(a.version, b.version), cmp.Compare(a.client, b.client), cmp.Compare(strconv.FormatBool(a.otherClient), strconv.FormatBool(b.otherClient)))
	})
	for _, c := range cells {
		r.Versions[c.version].count(c, today)
	}
	t.mu.Unlock()
	for i := range r.Versions {
		r.Versions[i].sort()
	}
	slices.SortStableFunc(r.Versions[:t.unlisted()], compareUrgency)
	return r
}

// describe adds the lifecycle of the version from the catalogue.
func (v *versionReport) describe(e catalogue.Entry, state catalogue.State, now time.Time) {
	v.Version, v.State, v.Deprecated, v.Sunset, v.Successor, v.Brownouts = e.Version, state.String(), e.Deprecated, e.Sunset, e.Successor, e.Brownouts
	if !e.Sunset.IsZero() {
		days := int((startOf(e.Sunset).Unix() - startOf(now).Unix()) / secondsPerDay)
		v.DaysToSunset = &days
	}
}

// countDays sets the requests by day of the version, without the requests of today
// that are still in cells.
func (v *versionReport) countDays(served, rejected *[Days]packed, today uint64) {
	for i := range v.daily {
		day := today - uint64(i)
		n := on(rejected[:], day)
		v.daily[i] = dayReport{time.Unix(int64(day*secondsPerDay), 0).UTC().Format(time.DateOnly), on(served[:], day) + n, n}
	}
}

// count adds the counts of a cell. The cells of a client must follow each other.
func (v *versionReport) count(c *cell, today uint64) {
	n := counts{Requests: c.requests(), FirstSeen: timeOf(c.first.Load()), LastSeen: timeOf(c.last.Load())}
	if n.Requests == 0 {
		return
	}
	route := routeReport{Method: c.method, Route: c.route, Other: c.otherRoute}
	for i := range RecentDays {
		if requests := c.on(today + 1 + uint64(i) - RecentDays); requests > 0 || route.Days != nil {
			route.Days = append(route.Days, requests)
			n.Recent += requests
		}
	}
	if c.rejected {
		n.Rejected, n.RecentRejected = n.Requests, n.Recent
	}
	if latest := c.today.Load(); today-latest>>dayShift < Days {
		v.daily[today-latest>>dayShift].add(latest&countMask, c.rejected)
	}
	route.counts = n
	if last := len(v.Clients) - 1; last < 0 || v.Clients[last].Client != c.client || v.Clients[last].Other != c.otherClient {
		v.Clients = append(v.Clients, clientReport{Client: c.client, Other: c.otherClient})
	}
	client := &v.Clients[len(v.Clients)-1]
	client.Routes = append(client.Routes, route)
	client.add(n)
	v.add(n)
}

func (v *versionReport) sort() {
	for i := range v.daily {
		if day := v.daily[Days-1-i]; day.Requests > 0 {
			v.Days = append(v.Days, day)
		}
	}
	slices.SortStableFunc(v.Clients, func(a, b clientReport) int { return a.byRequests(&b.counts) })
	for _, client := range v.Clients {
		slices.SortStableFunc(client.Routes, func(a, b routeReport) int {
			return cmp.Or(a.byRequests(&b.counts), cmp.Compare(a.Route, b.Route), cmp.Compare(a.Method, b.Method), cmp.Compare(a.Rejected, b.Rejected))
		})
	}
}

// compareUrgency orders versions by how soon their clients must move: by their
// sunset, then deprecated versions without one, then the others.
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

// timeOf returns a second since 1970 as a time, the zero time for 0.
func timeOf(second int64) time.Time {
	if second == 0 {
		return time.Time{}
	}
	return time.Unix(second, 0).UTC()
}

// startOf returns the start of the day of a time.
func startOf(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) }
