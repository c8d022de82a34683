package usage

import (
	"cmp"
	"context"
	"slices"
	"strings"
)

// Reader reads what was counted until one moment, in parts: a store with many clients
// returns one from [Page.Open], and the page asks for no more than it shows. A client is
// judged by one row for each version, not by its routes.
type Reader interface {
	// Totals returns what needs no clients: in Snapshot, the counts by day of each version
	// (of KindDays: all of them) and the times of counting.
	Totals(ctx context.Context) (Totals, error)

	// Clients calls a function for each client of a version, in any order, with one value that
	// it uses again. Days are of clients that called at a time or later.
	Clients(ctx context.Context, version string, daysSince int64, do func(*ClientTotal)) error

	// Routes returns the counts of some clients, of one version, with routes.
	Routes(ctx context.Context, version string, clients []ClientName) ([]Count, error)

	// Client returns all counts of a client, also those of KindWeeks.
	Client(ctx context.Context, name string) ([]Count, error)

	// RoutesOf returns the counts of a version for each route, of all clients together.
	RoutesOf(ctx context.Context, version string) ([]Count, error)

	// All returns everything: see [Page.Read].
	All(ctx context.Context) (Snapshot, error)

	Close()
}

// Totals are sums over all clients.
type Totals struct {
	Snapshot
	Versions []VersionTotal
}

// VersionTotal is the sum over all clients and routes of a version.
type VersionTotal struct {
	Version            string
	Requests, Rejected uint64
	First, Last        int64
	Named              int  // clients with a name that called it in the last 30 days
	Clients            int  // rows of clients
	Others             bool // there are clients beyond the bound
}

// ClientName is a client, or all clients beyond the bound.
type ClientName struct {
	Client string
	Other  bool
}

// ClientTotal is the sum over all routes of a client of a version.
type ClientTotal struct {
	ClientName
	Requests, Rejected      uint64
	First, Last             int64
	FirstServed, LastServed int64
	Days, RejectedDays      []DayCount // the latter are among the former
	Weeks                   Weeks
	Since                   int64 // as in [Count]
}

const (
	fewClients    = 5000 // up to which JSON has all routes, and the page the clients of a route
	clientsAtOnce = 500  // whose routes are read at once
)

// lean returns a report without routes. Only the clients of the wanted versions are read.
func (p *Page) lean(ctx context.Context, reader Reader, pins map[string]*pins,
	wanted func(*versionReport) bool) (report, error) {
	p.building.Lock()
	defer p.building.Unlock()
	totals, err := reader.Totals(ctx)
	if err != nil {
		return report{}, err
	}
	r := p.newReport(totals.Snapshot, pins)
	r.ctx, r.reader = ctx, reader
	r.sums(p.Catalogue, totals.Counts)
	versions := p.Catalogue.Versions()
	for i := range totals.Versions {
		n := &totals.Versions[i]
		version := len(versions)
		if n.Version != "" {
			index, ok := p.Catalogue.Index(n.Version)
			if !ok {
				continue
			}
			version = index
		}
		v := &r.Versions[version]
		v.totals = n
		v.counts = counts{Requests: n.Requests, Rejected: n.Rejected, FirstSeen: timeOf(n.First),
			LastSeen: timeOf(n.Last)}
		r.named = r.named || n.Named > 0
		if v.FirstSeen.Before(r.first) || r.first.IsZero() {
			r.first = v.FirstSeen
		}
	}
	r.sinceFirst()
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
	for i := range r.Versions {
		if v := &r.Versions[i]; wanted(v) {
			if err := r.readClients(v); err != nil {
				return r, err
			}
		}
	}
	if err := r.findAccounts(); err != nil {
		return r, err
	}
	for i := range r.Versions {
		if v := &r.Versions[i]; wanted(v) {
			v.Moving = r.moving(v)
			if i < len(versions) && (pins == nil || v.pins != nil) {
				v.Ready = r.readiness(v, noExceptions)
			}
		}
	}
	slices.SortStableFunc(r.Versions[:len(versions)], compareUrgency)
	return r, nil
}

// moves reports whether a version is deprecated or has a sunset.
func (v *versionReport) moves() bool { return !v.Deprecated.IsZero() || !v.Sunset.IsZero() }

// readClients reads the clients of a version, and what later versions served to them.
func (r *report) readClients(v *versionReport) error {
	today := dayOf(r.Time.Unix())
	ago := map[string]int{}
	for i := range RecentDays {
		ago[nameOfDay(today-uint64(i))] = i
	}
	agoOf := func(day string) (int, bool) {
		i, ok := ago[day]
		if !ok {
			if at, valid := parseDay(day); valid && at > today {
				return 0, true // from a clock ahead of this one
			}
		}
		return i, ok
	}
	now := r.Time.Unix()
	v.at = make(map[clientKey]int, v.totals.Clients)
	v.Clients = make([]clientReport, 0, v.totals.Clients)
	recent := startOf(r.Time).AddDate(0, 0, 1-RecentDays).Unix()
	err := r.reader.Clients(r.ctx, v.Version, recent, func(n *ClientTotal) {
		if n.Requests == 0 || n.Last > 0 && r.Time.Sub(timeOf(n.Last)) > gone {
			return
		}
		c := clientReport{Client: n.Client, Other: n.Other, weeks: n.Weeks, since: n.Since, counts: counts{
			Requests: n.Requests, Rejected: n.Rejected, FirstSeen: timeOf(min(n.First, now)),
			LastSeen: timeOf(min(n.Last, now)),
		}}
		for i, days := range [][]DayCount{n.Days, n.RejectedDays} {
			for _, d := range days {
				at, ok := agoOf(d.Day)
				switch {
				case !ok:
				case i == 1:
					c.RecentRejected += d.Requests
					if b := v.brownout; b != nil && b.last <= at && at <= b.first {
						c.brownout += d.Requests
					}
				default:
					c.Recent += d.Requests
					c.count(&v.windows, at, d.Requests, false)
				}
			}
		}
		v.at[clientKey{c.Client, c.Other}] = len(v.Clients)
		v.Clients = append(v.Clients, c)
	})
	if err != nil {
		return err
	}
	slices.SortFunc(v.Clients, compareClients)
	for i := range v.Clients {
		v.at[clientKey{v.Clients[i].Client, v.Clients[i].Other}] = i
	}
	laters := make([]laterReport, len(v.Clients)) // one allocation
	begin := startOf(r.Time).AddDate(0, 0, -v.from).Unix()
	for _, later := range r.laterThan(v) {
		err := r.reader.Clients(r.ctx, later.Version, begin, func(n *ClientTotal) {
			at, ok := v.at[clientKey{n.Client, n.Other}]
			if !ok || n.LastServed == 0 {
				return
			}
			l := &laters[at]
			v.Clients[at].later = l
			first, last := timeOf(min(n.FirstServed, now)), timeOf(min(n.LastServed, now))
			l.weeks.Add(n.Weeks.served(first, last))
			if l.first.IsZero() || first.Before(l.first) {
				l.first = first
			}
			if last.After(l.last) {
				l.last = last
			}
			for i, days := range [][]DayCount{n.Days, n.RejectedDays} {
				for _, d := range days {
					at, ok := agoOf(d.Day)
					switch {
					case !ok || at > v.from:
					case i == 1:
						l.served -= d.Requests
					default:
						l.served += d.Requests
					}
				}
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// compareClients orders those with the most requests in the last 30 days first.
func compareClients(a, b clientReport) int {
	return cmp.Or(a.byRequests(&b.counts), strings.Compare(a.Client, b.Client), -compareBools(a.Other, b.Other))
}

// addRoutes reads the routes of some clients of a version, for their reports.
func (r *report) addRoutes(v *versionReport, names []ClientName) (map[clientKey]*clientReport, error) {
	counts, err := r.reader.Routes(r.ctx, v.Version, names)
	if err != nil {
		return nil, err
	}
	all := r.part(v, counts)
	found := make(map[clientKey]*clientReport, len(all.Clients))
	for i := range all.Clients {
		found[clientKey{all.Clients[i].Client, all.Clients[i].Other}] = &all.Clients[i]
	}
	return found, nil
}

// part adds up counts of a version.
func (r *report) part(v *versionReport, counts []Count) *versionReport {
	some := &report{Time: r.Time, Since: r.Since, Versions: make([]versionReport, len(r.Versions)),
		hours: map[int64]bool{}, sent: r.sent, routes: r.routes}
	for i := range some.Versions {
		some.Versions[i].windows, some.Versions[i].weeks, some.Versions[i].since = r.Versions[i].windows,
			map[clientKey]Weeks{}, map[clientKey]int64{}
	}
	versions := r.catalogue.Versions()
	for of, sum := range some.sums(r.catalogue, counts) {
		if sum.last > 0 && r.Time.Sub(timeOf(sum.last)) > gone {
			continue
		}
		some.Versions[of.version].add(&of, sum, int64(dayOf(r.Time.Unix())), some.urlOf(&of, versions))
	}
	at := len(versions)
	if v.Version != "" {
		at = v.index
	}
	some.Versions[at].sort()
	return &some.Versions[at]
}

// nameRoutes fills in the most used routes of clients that are shown.
func (r *report) nameRoutes(v *versionReport, shown []*movingClient) error {
	if r.reader == nil || len(shown) == 0 {
		return nil
	}
	for shown := range slices.Chunk(shown, clientsAtOnce) {
		names := make([]ClientName, len(shown))
		for i, c := range shown {
			names[i] = ClientName{c.Client, c.Other}
		}
		found, err := r.addRoutes(v, names)
		if err != nil {
			return err
		}
		for _, c := range shown {
			if client, ok := found[clientKey{c.Client, c.Other}]; ok {
				c.Route = client.Route()
			}
		}
	}
	return nil
}

// nameFew fills in the most used routes of all clients, if they are few.
func (r *report) nameFew() error {
	for i := range r.Versions {
		v := &r.Versions[i]
		if v.Moving == nil || len(v.Moving.Clients) > fewClients {
			continue
		}
		if err := r.nameRoutes(v, v.Moving.Clients); err != nil {
			return err
		}
	}
	return nil
}

// nameShown fills in what the page shows of clients: 100 of each group.
func (r *report) nameShown() error {
	for i := range r.Versions {
		v := &r.Versions[i]
		if v.Moving == nil || r.reader == nil {
			continue
		}
		var shown []*movingClient
		for _, g := range groups[:3] {
			of := v.Moving.Of(g)
			if g == groupQuiet {
				slices.SortStableFunc(of, compareQuiet)
			}
			shown = append(shown, of[:min(len(of), clientsOnPage)]...)
		}
		if err := r.nameRoutes(v, shown); err != nil {
			return err
		}
		counts, err := r.reader.RoutesOf(r.ctx, v.Version)
		if err != nil {
			return err
		}
		v.called = r.part(v, counts).Routes()
		few := v.totals.Clients <= fewClients
		for j := range v.called {
			v.called[j].Clients = 0
		}
		if few { // else it would read all rows
			var names []ClientName
			for j := range v.Clients {
				if v.Clients[j].Recent > 0 {
					names = append(names, ClientName{v.Clients[j].Client, v.Clients[j].Other})
				}
			}
			for some := range slices.Chunk(names, clientsAtOnce) {
				counts, err := r.reader.Routes(r.ctx, v.Version, some)
				if err != nil {
					return err
				}
				for _, route := range r.part(v, counts).Routes() {
					if at := slices.IndexFunc(v.called,
						func(c routeView) bool { return c.Name == route.Name }); at >= 0 {
						v.called[at].Clients += route.Clients
					}
				}
			}
		}
	}
	return nil
}
