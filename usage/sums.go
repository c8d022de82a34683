package usage

import (
	"cmp"
	"slices"
	"strings"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
)

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
	oldest := now.AddDate(0, 0, 1-KeepDays).Format(time.DateOnly)
	for index := range versions {
		v := &r.Versions[index]
		v.describe(p.Catalogue, index, now)
		v.pins = pins[v.Version]
		if v.moves() {
			v.Left = slices.DeleteFunc(slices.Clone(in.Left), func(l Left) bool { return l.Version != v.Version || l.Day < oldest })
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
			if n.Exception.isForgotten(now) {
				continue
			}
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

// sum is what was counted of one combination.
type sum struct {
	requests    uint64
	first, last int64
	days        [RecentDays]uint64 // today first
}

// isUnion reports whether several regions are read.
func (r *report) isUnion() bool { return len(r.counted) > 0 && r.counted[0].region != "" }

// addCounting adds when each region counted. The last one to begin decides since when all are counted.
func (r *report) addCounting(t *Totals) {
	regions := t.regions
	if regions == nil {
		regions = []regionTotals{{"", t.Counts, firstOf(t.Versions)}}
	}
	for i := range regions {
		c := regions[i].countedUntil(r.Time)
		if r.counted = append(r.counted, c); i == 0 || c.since.After(r.Since) {
			r.Since = c.since
		}
	}
}

// addSums adds the sums, but for those of combinations that are forgotten.
func (r *report) addSums(sums map[of]*sum) {
	versions := r.catalogue.Versions()
	for of, sum := range sums {
		if Forgotten(sum.last, r.Time.Unix()) {
			continue
		}
		r.Versions[of.version].add(&of, sum, r.urlOf(&of, versions))
	}
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

// partOf adds up counts of a version.
func partOf(r *report, v *versionReport, counts []Count) *versionReport {
	some := &report{Time: r.Time, Since: r.Since, Versions: make([]versionReport, len(r.Versions)),
		sent: r.sent, routes: r.routes, catalogue: r.catalogue}
	some.addSums(some.sums(counts))
	at, _ := r.versionOf(v.Version)
	some.Versions[at].sort()
	return &some.Versions[at]
}

// compareClients orders those with the most requests in the last 30 days first.
func compareClients(a, b clientReport) int {
	return cmp.Or(a.byRequests(&b.counts), strings.Compare(a.Client, b.Client), -compareBools(a.Other, b.Other))
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
