package usage

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strings"
	"time"
)

// Reader reads what was counted until one moment, in parts: a store
// returns one from [Page.Open], and the page asks for no more than it shows. A client is
// judged by one row for each version, not by its routes. Totals is called first.
type Reader interface {
	// Totals returns what needs no clients: in Snapshot, the counts by day of each version
	// (of KindDays: all of them), the times of counting, and the exceptions. Recent is a second since 1970.
	Totals(ctx context.Context, recent int64) (Totals, error)

	// Clients yields the clients of a version that are wanted, in the order of [ClientName.Compare], or an error as the
	// last. It may use the value again.
	Clients(ctx context.Context, version string, wanted Wanted) iter.Seq2[*ClientTotal, error]

	// Routes returns the counts of some clients, of one version, with routes.
	Routes(ctx context.Context, version string, clients []ClientName) ([]Count, error)

	// RoutesOf returns the counts of a version for each route, of all clients together.
	RoutesOf(ctx context.Context, version string) ([]Count, error)

	Close()
}

// Wanted are the clients that a page asks for.
type Wanted struct {
	Names     []string // nil: all of them
	DaysSince int64    // a reader may leave out the days of those whose last request is before this second
}

// Has reports whether a client is wanted.
func (w *Wanted) Has(client string) bool { return w.Names == nil || slices.Contains(w.Names, client) }

// Totals are sums over all clients.
type Totals struct {
	Snapshot
	Versions []VersionTotal

	regions []regionTotals // of [Regions], whose Counts have no KindCounting
}

// counter counts the clients with a name that called a version at a second or later, whose sum Totals does not know.
type counter interface {
	named(ctx context.Context, version string, recent int64) (n int, err error)
}

// VersionTotal is the sum over all clients and routes of a version.
type VersionTotal struct {
	Version            string
	Requests, Rejected uint64
	First, Last        int64
	Named              int  // clients with a name that called it at the recent time or later
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
	// Since is the second from which on the end of the version would break the client; negative: from which on it would
	// not. 0: not known.
	Since  int64
	Routes string // of [RouteUses]
}

const (
	fewClients    = 5000 // up to which JSON has the most used route of each, and the page the clients of a route
	clientsAtOnce = 500  // whose routes are read at once
)

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

// first returns the second of the first request, or 0.
func (t *Totals) first() (first int64) {
	for i := range t.Versions {
		first = earlier(first, t.Versions[i].First)
	}
	return first
}

// addCounting adds when each region counted. The last one to begin decides since when all are counted.
func (r *report) addCounting(t *Totals) {
	regions := t.regions
	if regions == nil {
		regions = []regionTotals{{"", t.Counts, t.first()}}
	}
	for i := range regions {
		c := regions[i].countedUntil(r.Time)
		if r.counted = append(r.counted, c); i == 0 || c.since.After(r.Since) {
			r.Since = c.since
		}
	}
}

// judge judges the clients of a version, which were read.
func judge(r *report, v *versionReport) error {
	if err := readExcepted(r, v); err != nil {
		return err
	}
	v.Moving = judgeClients(r, v)
	if err := nameLeft(r, v); err != nil {
		return err
	}
	if v.Version != "" && (!r.pinned || v.pins != nil) {
		v.Ready = readinessOf(r, v, noExceptions)
	}
	if counted, ok := r.reader.(*memory); ok && counted.judged != nil && r.only == nil && v.Moving != nil {
		counted.judged(r, v)
	}
	return nil
}

// allVersions yields each version with its clients, and forgets these: to hold all of them takes much memory.
func allVersions(r *report) iter.Seq2[*versionReport, error] {
	return func(yield func(*versionReport, error) bool) {
		if err := findAccounts(r); err != nil {
			yield(nil, err)
			return
		}
		for i := range r.Versions {
			v := &r.Versions[i]
			err := readClients(r, v)
			if err == nil {
				err = judge(r, v)
			}
			if !yield(v, err) {
				return
			}
			v.Clients, v.judged, v.at, v.Moving = nil, nil, nil, nil
		}
	}
}

// recentOf returns the first second of the last 30 days.
func recentOf(now time.Time) int64 { return startOf(now).AddDate(0, 0, 1-RecentDays).Unix() }

// moves reports whether a version is deprecated or has a sunset.
func (v *versionReport) moves() bool { return !v.Deprecated.IsZero() || !v.Sunset.IsZero() }

// readClients reads the clients of a version, and what later versions served to them.
func readClients(r *report, v *versionReport) error {
	each, now := r.eachDay(), r.Time.Unix()
	v.at = make(map[ClientName]int, v.totals.Clients)
	v.Clients = make([]clientReport, 0, v.totals.Clients)
	for n, err := range r.reader.Clients(r.ctx, v.Version, Wanted{r.only, recentOf(r.Time)}) {
		if err != nil {
			return err
		}
		if n.Requests == 0 || n.Last > 0 && r.Time.Sub(timeOf(n.Last)) > gone {
			continue
		}
		c := clientReport{Client: n.Client, Other: n.Other, weeks: n.Weeks, since: n.Since, counts: counts{
			Requests: n.Requests, Rejected: n.Rejected, FirstSeen: timeOf(min(n.First, now)),
			LastSeen: timeOf(min(n.Last, now)),
		}, lastServed: timeOf(min(n.LastServed, now))}
		each(n, func(ago int, requests uint64, rejected bool) {
			if !rejected {
				c.Recent += requests
				c.count(&v.windows, ago, requests, false)
				return
			}
			c.RecentRejected += requests
			if b := v.brownout; b != nil && b.last <= ago && ago <= b.first {
				c.brownout += requests
			}
		})
		if c.called == 0 || v.excepted[c.Client] != nil {
			if c.uses, err = ParseRouteUses(n.Routes, nil); err != nil {
				return err
			}
		}
		v.Clients = append(v.Clients, c)
	}
	slices.SortFunc(v.Clients, compareClients)
	for i := range v.Clients {
		v.at[ClientName{v.Clients[i].Client, v.Clients[i].Other}] = i
	}
	return readLater(r, v)
}

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
	begin := startOf(r.Time).AddDate(0, 0, -v.from).Unix()
	var uses RouteUses
	for _, later := range r.laterThan(v) {
		replaced := replacements(r.routes, v.Version, later.Version)
		for n, err := range r.reader.Clients(r.ctx, later.Version, Wanted{r.only, begin}) {
			if err != nil {
				return err
			}
			at, ok := v.at[ClientName{n.Client, n.Other}]
			if !ok {
				continue
			}
			l := &laters[at]
			v.Clients[at].later = l
			if slices.ContainsFunc(v.Clients[at].uses, func(u RouteUse) bool { return u.open() }) {
				if uses, err = ParseRouteUses(n.Routes, uses[:0]); err != nil {
					return err
				}
				for i := range uses {
					v.Clients[at].replace(&uses[i], replaced)
				}
			}
			first, last := timeOf(min(n.FirstServed, now)), timeOf(min(n.LastServed, now))
			l.add(first, last, n.Weeks)
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
	}
	return nil
}

// compareClients orders those with the most requests in the last 30 days first.
func compareClients(a, b clientReport) int {
	return cmp.Or(a.byRequests(&b.counts), strings.Compare(a.Client, b.Client), -compareBools(a.Other, b.Other))
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

// withRoutes calls a function for some clients of a version, with their counts by route. It reads those of some
// clients at once.
func withRoutes(r *report, v *versionReport, clients []*movingClient,
	do func(c *movingClient, n *clientReport) error) error {
	for some := range slices.Chunk(clients, clientsAtOnce) {
		var names []ClientName
		for _, c := range some {
			if c.counted != "" {
				names = append(names, ClientName{c.Client, c.Other})
			}
		}
		read := &versionReport{}
		if names != nil {
			counts, err := r.reader.Routes(r.ctx, v.Version, names)
			if err != nil {
				return err
			}
			read = partOf(r, v, counts)
		}
		for _, c := range some {
			n := v.client(c)
			if at, ok := read.at[ClientName{c.Client, c.Other}]; ok {
				n = &read.Clients[at]
			}
			if err := do(c, n); err != nil {
				return err
			}
		}
	}
	return nil
}

// nameRoutes fills in the most used routes of clients that are shown.
func nameRoutes(r *report, v *versionReport, shown []*movingClient) error {
	return withRoutes(r, v, shown, func(c *movingClient, n *clientReport) error {
		if len(n.Routes) > 0 {
			c.Route = mostUsed(*n)
		}
		return nil
	})
}

// nameCalled fills in the most used routes of clients that called the version.
func nameCalled(r *report, v *versionReport, clients []readyClient) error {
	var called []*movingClient
	for _, c := range clients {
		if c.Why == "called" {
			called = append(called, c.of)
		}
	}
	err := nameRoutes(r, v, called)
	for i := range clients {
		if c := &clients[i]; c.Why == "called" {
			c.Route = c.of.Route
		}
	}
	return err
}

// nameFew fills in the most used routes of all clients, if they are few.
func nameFew(r *report, v *versionReport) error {
	if v.Moving == nil || len(v.Moving.Clients) > fewClients {
		return nil
	}
	return nameRoutes(r, v, v.Moving.Clients)
}

// nameShown fills in what the page shows of clients: 100 of each group.
func nameShown(r *report) error {
	for i := range r.Versions {
		v := &r.Versions[i]
		if j, ok := r.reader.(counter); ok && v.totals.Named > 0 {
			named, err := j.named(r.ctx, v.Version, recentOf(r.Time))
			if err != nil {
				return err
			}
			v.totals.Named = named
		}
		if v.Moving == nil {
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
		if err := nameRoutes(r, v, shown); err != nil {
			return err
		}
		counts, err := r.reader.RoutesOf(r.ctx, v.Version)
		if err != nil {
			return err
		}
		v.called = partOf(r, v, counts).Routes()
		for j := range v.called {
			v.called[j].Clients = 0
		}
		if v.totals.Clients > fewClients { // it would read all rows
			continue
		}
		var called []*movingClient
		for j := range v.judged {
			if c := &v.judged[j]; v.client(c).Recent > 0 {
				called = append(called, c)
			}
		}
		if err := withRoutes(r, v, called, func(_ *movingClient, n *clientReport) error {
			for _, route := range (versionReport{Clients: []clientReport{*n}}).Routes() {
				at := slices.IndexFunc(v.called, func(c routeView) bool { return c.Name == route.Name })
				if at >= 0 {
					v.called[at].Clients++
				}
			}
			return nil
		}); err != nil {
			return err
		}
	}
	return nil
}
