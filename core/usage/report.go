package usage

import (
	"cmp"
	"slices"
	"time"

	"github.com/goverso/verso/core/catalogue"
)

// report is what a table has counted until a time. It is what [Table.Handler]
// serves as JSON and what [Table.Snapshot] writes.
type report struct {
	Time     time.Time       `json:"time"`
	Versions []versionReport `json:"versions"` // those whose clients must move first come first
}

// versionReport is what was counted for a version. The requests for none that is
// listed have no version.
type versionReport struct {
	Version      string         `json:"version,omitempty"`
	State        string         `json:"state,omitempty"`
	Deprecated   time.Time      `json:"deprecated,omitzero"`
	Sunset       time.Time      `json:"sunset,omitzero"`
	DaysToSunset *int           `json:"days_to_sunset,omitempty"` // whole days; less than 0: it is past
	Successor    string         `json:"successor,omitempty"`
	counts                      // of all clients
	Clients      []clientReport `json:"clients,omitempty"` // those with most requests first
	Days         []dayReport    `json:"days,omitempty"`    // that have requests, in order
}

type clientReport struct {
	Client string        `json:"client"`          // "": nobody knows
	Other  bool          `json:"other,omitempty"` // all clients beyond the bound
	counts               // on all routes
	Routes []routeReport `json:"routes"` // those with most requests first
}

type routeReport struct {
	Route string `json:"route"`           // "": it is not known
	Other bool   `json:"other,omitempty"` // all routes beyond the bound
	counts
}

type counts struct {
	Requests  uint64    `json:"requests"`
	Rejected  uint64    `json:"rejected"` // among the requests
	FirstSeen time.Time `json:"first_seen,omitzero"`
	LastSeen  time.Time `json:"last_seen,omitzero"`
}

type dayReport struct {
	Day      string `json:"day"` // "2026-11-21", in UTC
	Requests uint64 `json:"requests"`
}

// add adds other counts.
func (c *counts) add(other counts) {
	c.Requests += other.Requests
	c.Rejected += other.Rejected
	if c.FirstSeen.IsZero() || !other.FirstSeen.IsZero() && other.FirstSeen.Before(c.FirstSeen) {
		c.FirstSeen = other.FirstSeen
	}
	if other.LastSeen.After(c.LastSeen) {
		c.LastSeen = other.LastSeen
	}
}

// report returns what was counted until now.
func (t *Table) report() report {
	now := t.clock().UTC().Truncate(time.Second)
	r := report{Time: now, Versions: make([]versionReport, len(t.rows))}
	moment := t.catalogue.At(now)
	for index := range t.catalogue.Versions() {
		r.Versions[index].describe(t.catalogue.Entry(index), moment.State(index), now)
	}
	today := uint64(max(0, now.Unix()) / secondsPerDay)
	t.mu.Lock()
	var days [Days]uint64 // of a version, today last
	cells := slices.Concat(t.cells, t.rest)
	slices.SortFunc(cells, func(a, b *cell) int {
		return cmp.Or(cmp.Compare(a.version, b.version), cmp.Compare(a.client, b.client), compareBools(a.otherClient, b.otherClient))
	})
	for index := range t.rows {
		for i := range days {
			days[i] = t.rows[index].on(today - uint64(Days-1-i))
		}
		v := &r.Versions[index]
		for len(cells) > 0 && cells[0].version == index {
			c := cells[0]
			cells = cells[1:]
			if counted := c.today.Load(); today-counted>>dayShift < Days {
				days[Days-1-(today-counted>>dayShift)] += counted & countMask
			}
			v.count(c)
		}
		v.addDays(days[:], today)
	}
	t.mu.Unlock()
	for i := range r.Versions {
		r.Versions[i].sort()
	}
	slices.SortStableFunc(r.Versions[:len(t.rows)-1], compareUrgency)
	return r
}

// describe says what the catalogue knows of the version.
func (v *versionReport) describe(e catalogue.Entry, state catalogue.State, now time.Time) {
	v.Version, v.State, v.Deprecated, v.Sunset, v.Successor = e.Version, state.String(), e.Deprecated, e.Sunset, e.Successor
	if !e.Sunset.IsZero() {
		seconds := e.Sunset.Unix() - now.Unix()
		days := int(seconds / secondsPerDay)
		if seconds%secondsPerDay < 0 {
			days--
		}
		v.DaysToSunset = &days
	}
}

// count adds what a cell has counted, the cells of a client one after the other.
func (v *versionReport) count(c *cell) {
	n := counts{Requests: c.requests(), Rejected: c.rejected.Load(), FirstSeen: timeOf(c.first.Load()), LastSeen: timeOf(c.last.Load())}
	if n.Requests == 0 {
		return
	}
	if last := len(v.Clients) - 1; last < 0 || v.Clients[last].Client != c.client || v.Clients[last].Other != c.otherClient {
		v.Clients = append(v.Clients, clientReport{Client: c.client, Other: c.otherClient})
	}
	client := &v.Clients[len(v.Clients)-1]
	client.Routes = append(client.Routes, routeReport{c.route, c.otherRoute, n})
	client.add(n)
	v.add(n)
}

func (v *versionReport) addDays(days []uint64, today uint64) {
	for i, requests := range days {
		if requests > 0 {
			day := int64(today) - int64(len(days)-1-i)
			v.Days = append(v.Days, dayReport{timeOf(max(1, day*secondsPerDay)).Format(time.DateOnly), requests})
		}
	}
}

func (v *versionReport) sort() {
	slices.SortStableFunc(v.Clients, func(a, b clientReport) int { return cmp.Compare(b.Requests, a.Requests) })
	for _, client := range v.Clients {
		slices.SortStableFunc(client.Routes, func(a, b routeReport) int {
			return cmp.Or(cmp.Compare(b.Requests, a.Requests), cmp.Compare(a.Route, b.Route))
		})
	}
}

// compareUrgency orders versions by who must move first: by their sunset, then
// those that are deprecated without one, then the others.
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

func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}
