package usage

import (
	"context"
	"math"
	"slices"
	"time"

	verso "github.com/goverso/verso/core"
)

// This file makes a report. In come the rows of a [Reader]: totals, and for each wanted version its clients, one at a
// time, since a database may have more than fit into memory. Out comes a report whose clients are judged. That comes
// after all of them are read: a pinned account may call in another version.

// report returns a report without routes. Of the wanted versions, it reads all clients, or a single client.
func (p *Page) report(ctx context.Context, reader Reader, pins map[string]*pins, wanted func(*versionReport) bool,
	only ...string) (report, error) {
	r, err := p.begin(ctx, reader, pins, only)
	if err != nil {
		return r, err
	}
	p.building.Lock()
	defer p.building.Unlock()
	for i := range r.Versions {
		if v := &r.Versions[i]; wanted(v) {
			if err := readClients(&r, v); err != nil {
				return r, err
			}
		}
	}
	if err := findAccounts(&r); err != nil {
		return r, err
	}
	for i := range r.Versions {
		if v := &r.Versions[i]; wanted(v) {
			if err := judge(&r, v); err != nil {
				return r, err
			}
		}
	}
	return r, nil
}

// begin returns a report without clients.
func (p *Page) begin(ctx context.Context, reader Reader, pins map[string]*pins, only []string) (report, error) {
	now := p.Clock().UTC().Truncate(time.Second)
	totals, err := reader.Totals(ctx, recentOf(now))
	if err != nil {
		return report{}, err
	}
	r := p.newReport(now, totals.Snapshot, pins)
	r.ctx, r.reader, r.only = ctx, reader, only
	r.sums(totals.Counts)
	for i := range r.Versions {
		for _, all := range r.Versions[i].excepted {
			slices.SortFunc(all, compareExceptions)
		}
	}
	r.addCounting(&totals)
	for i := range totals.Versions {
		n := &totals.Versions[i]
		version, ok := r.versionOf(n.Version)
		if !ok {
			continue
		}
		v := &r.Versions[version]
		v.totals = n
		v.counts = counts{Requests: n.Requests, Rejected: n.Rejected, FirstSeen: timeOf(n.First),
			LastSeen: timeOf(n.Last)}
	}
	for i := range r.Versions {
		v := &r.Versions[i]
		v.windows = r.windowsOf(v)
		if v.totals == nil {
			v.totals = &VersionTotal{Version: v.Version}
		}
		days := v.Sum(RecentDays-1, 0)
		v.Recent, v.RecentRejected = days.Requests, days.Rejected
		v.sort()
	}
	slices.SortStableFunc(r.Versions[:len(r.Versions)-1], compareUrgency)
	return r, nil
}

// readClients reads the clients of a version, and what later versions served to them.
func readClients(r *report, v *versionReport) error {
	each, now := r.eachDay(), r.Time.Unix()
	moves := r.laterThan(v) != nil       // else no later version shows which routes have moved
	most := min(r.Names, fewClients) + 2 // or more
	if r.only != nil {
		most = min(most, len(r.only)+1)
	}
	v.Clients = make([]clientReport, 0, most)
	recent, named := recentOf(r.Time), 0
	wanted := r.wanted(recent)
	switch {
	case moves && v.excepted != nil:
		wanted.RoutesBefore = math.MaxInt64
	case moves: // of those that still call, they do not matter
		wanted.RoutesBefore = v.firstDay(r.Time)
	}
	given, last := 0, ""
	for n, err := range r.reader.Clients(r.ctx, v.Version, wanted) {
		if err != nil {
			return err
		}
		if given++; given == wanted.Limit {
			last = n.Client
		}
		if n.Requests == 0 || Forgotten(n.Last, now) {
			continue
		}
		c := clientReport{Client: n.Client, Other: n.Other, weeks: n.Weeks, since: n.Since, counts: counts{
			Requests: n.Requests, Rejected: n.Rejected, FirstSeen: timeOf(min(n.First, now)),
			LastSeen: timeOf(min(n.Last, now)),
		}, lastServed: timeOf(min(n.LastServed, now))}
		each(n, func(ago int, requests uint64, rejected bool) {
			if !rejected {
				c.recentDays |= 1 << ago
				c.Recent += requests
				c.count(&v.windows, ago, requests, false)
				return
			}
			c.RecentRejected += requests
			if b := v.brownout; b != nil && b.last <= ago && ago <= b.first {
				c.brownout += requests
			}
		})
		if moves && (c.called == 0 || v.excepted[c.Client] != nil) {
			if c.uses, err = usesAt(now, n.Routes, nil); err != nil {
				return err
			}
		}
		if n.Client != "" && n.Last >= recent {
			named++
		}
		if len(v.Clients) == cap(v.Clients) { // once, since they are large
			v.Clients = slices.Grow(v.Clients, max(1, r.Names+1-len(v.Clients)))
		}
		v.Clients = append(v.Clients, c)
	}
	if r.part != nil {
		endPart(r, v, last)
	} else {
		slices.SortFunc(v.Clients, compareClients)
	}
	v.at = make(map[ClientName]int, len(v.Clients))
	for i := range v.Clients {
		v.at[ClientName{v.Clients[i].Client, v.Clients[i].Other}] = i
	}
	r.setNamed(v, named)
	return readLater(r, v)
}

// setNamed records how many clients with a name called a version in the last 30 days, if all were read.
func (r *report) setNamed(v *versionReport, named int) {
	if !r.isPart() {
		v.named, v.knowsNamed = named, true
	}
}

// wanted returns which clients are read, with the days of those that called since a second.
func (r *report) wanted(daysSince int64) Wanted {
	w := Wanted{Names: r.only}
	if r.part != nil {
		w = *r.part
	}
	w.AnyOrder, w.DaysSince = w.Limit == 0, daysSince
	return w
}

// isPart reports whether only some clients are read.
func (r *report) isPart() bool { return r.only != nil || r.part != nil }

// firstDay returns the first second of the days by which clients are judged.
func (w *windows) firstDay(now time.Time) int64 { return startOf(now).AddDate(0, 0, -w.from).Unix() }

// eachDay returns a function that calls another one for each of the last days of a client.
func (r *report) eachDay() func(n *ClientTotal, do func(ago int, requests uint64, rejected bool)) {
	daysAgo := r.daysAgo(RecentDays)
	return func(n *ClientTotal, do func(ago int, requests uint64, rejected bool)) {
		for i, days := range [][]DayCount{n.Days, n.RejectedDays} {
			for _, d := range days {
				if at, ok := daysAgo(d.Day); ok {
					do(at, d.Requests, i == 1)
				}
			}
		}
	}
}

// readLater reads what later versions served to the clients of a version.
func readLater(r *report, v *versionReport) error {
	each, now := r.eachDay(), r.Time.Unix()
	laters := make([]laterReport, len(v.Clients)) // one allocation
	recent := recentOf(r.Time)
	var uses RouteUses
	for _, later := range r.laterThan(v) {
		replaced := v.replacedBy(r.routes, later.Version)
		wanted, named := r.wanted(v.firstDay(r.Time)), 0
		wanted.Served = true
		for i := 0; i < len(v.Clients) && wanted.RoutesBefore == 0; i++ {
			if v.Clients[i].uses.open() {
				wanted.RoutesBefore = math.MaxInt64
			}
		}
		for n, err := range r.reader.Clients(r.ctx, later.Version, wanted) {
			if err != nil {
				return err
			}
			if n.Client != "" && n.Last >= recent {
				named++
			}
			at, ok := v.at[ClientName{n.Client, n.Other}]
			if !ok {
				continue
			}
			l := &laters[at]
			v.Clients[at].later = l
			if v.Clients[at].uses.open() {
				if uses, err = usesAt(now, n.Routes, uses[:0]); err != nil {
					return err
				}
				v.Clients[at].replace(uses, replaced)
			}
			if last := timeOf(min(n.LastServed, now)); last.After(l.last) {
				l.last = last
			}
			l.weeks.Add(n.Served)
			each(n, func(ago int, requests uint64, rejected bool) {
				switch {
				case ago > v.from:
				case rejected:
					l.served -= requests
				default:
					l.served += requests
				}
			})
		}
		r.setNamed(later, named)
	}
	return nil
}

// replacedBy returns what replacements returns, which takes long.
func (v *versionReport) replacedBy(routes []verso.RouteInfo, later string) map[uint64][]uint64 {
	replaced, ok := v.replaced[later]
	if !ok {
		if v.replaced == nil {
			v.replaced = map[string]map[uint64][]uint64{}
		}
		replaced = replacements(routes, v.Version, later)
		v.replaced[later] = replaced
	}
	return replaced
}

// replace records what a later version served to the client. Both are in the order of their keys. Beyond the bound, no
// route is known to be another one.
func (c *clientReport) replace(by RouteUses, replaced map[uint64][]uint64) {
	at := 0
	for i := range by {
		u := &by[i]
		if u.Key == 0 {
			c.beyond = true
			continue
		}
		for at < len(c.uses) && c.uses[at].Key < u.Key {
			at++
		}
		if at < len(c.uses) && c.uses[at].Key == u.Key {
			c.uses[at].replace(u)
		}
		if len(replaced) > 0 {
			for _, key := range replaced[u.Key] {
				c.uses.find(key).replace(u)
			}
		}
	}
}
