package usage

import (
	"cmp"
	"context"
	"iter"
	"maps"
	"math"
	"slices"
)

// Open returns a reader of the counts, for [Page.Open].
func (s Snapshot) Open(context.Context) (Reader, error) {
	return &memory{Snapshot: s, clients: map[string][]*ClientTotal{}}, nil
}

// memory reads counts as a database reads its rows.
type memory struct {
	Snapshot
	clients map[string][]*ClientTotal // of a version, in their order
	kept    int64                     // the first second of requests that are not forgotten
	begins  map[routeKey]int64        // of routes: their requests before this second are forgotten
}

// routeKey is a route of a version, of all clients together.
type routeKey struct {
	version, method, route string
	rejected, other        bool
}

func routeOf(n *Count) routeKey {
	return routeKey{n.Version, n.Method, n.Route, n.Rejected, n.OtherRoute}
}

// beginsOf returns when the routes began again that were forgotten: other clients may call them still.
func beginsOf(all []Count, kept int64) map[routeKey]int64 {
	begins := map[routeKey]int64{}
	if !slices.ContainsFunc(all, func(n Count) bool { return n.Kind == KindRequests && isOld(n.Last, kept) }) {
		return begins
	}
	var counts []*Count
	for i := range all {
		if all[i].Kind == KindRequests {
			counts = append(counts, &all[i])
		}
	}
	slices.SortFunc(counts, func(a, b *Count) int { return cmp.Compare(a.First, b.First) })
	last := map[routeKey]int64{}
	for _, n := range counts {
		route := routeOf(n)
		if Forgotten(last[route], n.First) {
			begins[route] = n.First
		}
		last[route] = max(last[route], n.Last)
	}
	for route, at := range last {
		if isOld(at, kept) {
			begins[route] = math.MaxInt64
		}
	}
	return begins
}

// counts reports whether the route of a count was not forgotten since.
func (m *memory) counts(n *Count) bool { return n.First == 0 || n.First >= m.begins[routeOf(n)] }

func isOld(last, kept int64) bool { return 0 < last && last < kept }

func (m *memory) Close() {}

func (m *memory) Totals(_ context.Context, recent int64) (t Totals, err error) {
	t.Snapshot, t.Counts = m.Snapshot, nil
	type dayKey struct {
		version, day string
		rejected     bool
	}
	days, named := map[dayKey]uint64{}, map[string]bool{}
	versions := map[string]*VersionTotal{}
	m.kept = KeptFrom(recent)
	m.begins = beginsOf(m.Counts, m.kept)
	for i := range m.Counts {
		n := &m.Counts[i]
		if n.Kind == KindCounting || n.Kind == KindException {
			t.Counts = append(t.Counts, *n)
			continue
		}
		for _, d := range n.Days {
			days[dayKey{n.Version, d.Day, n.Rejected}] += d.Requests
		}
		if n.Kind != KindRequests || !m.counts(n) {
			continue
		}
		if n.Client != "" && (!n.Rejected || n.Version != "") {
			named[n.Client] = true
		}
		v := versions[n.Version]
		if v == nil {
			v = &VersionTotal{Version: n.Version}
			versions[n.Version] = v
		}
		v.Requests += n.Requests
		if n.Rejected {
			v.Rejected += n.Requests
		}
		v.First, v.Last = earlier(v.First, n.First), max(v.Last, n.Last)
	}
	for k, requests := range days {
		t.Counts = append(t.Counts, Count{Kind: KindDays, Version: k.version, Rejected: k.rejected,
			Days: []DayCount{{k.day, requests}}})
	}
	for _, v := range versions {
		t.Versions = append(t.Versions, *v)
	}
	t.Names = cmp.Or(t.Names, len(named))
	return t, nil
}

// clientsOf returns the clients of a version, which it adds up once.
func (m *memory) clientsOf(version string) []*ClientTotal {
	if all, ok := m.clients[version]; ok {
		return all
	}
	type total struct {
		name   ClientName
		counts []*Count
	}
	totals := map[ClientName]*total{}
	for i := range m.Counts {
		n := &m.Counts[i]
		if n.Version != version || n.Kind != KindRequests {
			continue
		}
		name := ClientName{n.Client, n.OtherClient}
		c := totals[name]
		if c == nil {
			c = &total{name: name}
			totals[name] = c
		}
		c.counts = append(c.counts, n)
	}
	all := make([]*ClientTotal, 0, len(totals))
	for _, c := range slices.SortedFunc(maps.Values(totals), func(a, b *total) int { return a.name.Compare(b.name) }) {
		sum := totalOf(c.name, c.counts)
		if m.since != nil {
			if since := m.since(version, c.name); max(since, -since) >= sum.First { // else it was forgotten since
				sum.Since = since
			}
		}
		all = append(all, sum)
	}
	m.clients[version] = all
	return all
}

// totalOf adds up the counts of a client.
func totalOf(name ClientName, counts []*Count) *ClientTotal {
	slices.SortFunc(counts, func(a, b *Count) int { return cmp.Compare(a.First, b.First) })
	c := &ClientTotal{ClientName: name}
	uses := make(RouteUses, 0, len(counts))
	for _, n := range counts {
		uses.AddCount(n, c.AddCount(n))
	}
	uses.compact()
	c.Routes = uses.String()
	return c
}

func (m *memory) Clients(_ context.Context, version string, wanted Wanted) iter.Seq2[*ClientTotal, error] {
	return func(yield func(*ClientTotal, error) bool) {
		n := 0
		for _, c := range m.clientsOf(version) {
			if !wanted.Has(c.Client) || isOld(c.Last, m.kept) && !wanted.Forgotten {
				continue
			}
			if n++; !yield(c, nil) || n == wanted.Limit {
				return
			}
		}
	}
}

func (m *memory) Routes(_ context.Context, version string, clients []ClientName) ([]Count, error) {
	wanted := make(map[ClientName]bool, len(clients))
	for _, c := range clients {
		wanted[c] = true
	}
	return countsOf(m.Counts, version, func(n *Count) bool {
		return !isOld(n.Last, m.kept) && wanted[ClientName{n.Client, n.OtherClient}]
	}), nil
}

func (m *memory) RoutesOf(_ context.Context, version string) ([]Count, error) {
	counts := countsOf(m.Counts, version, m.counts)
	for i := range counts {
		counts[i].Client, counts[i].OtherClient = "", false
	}
	return counts, nil
}

// countsOf returns the counts of the requests for a version that are wanted.
func countsOf(all []Count, version string, wanted func(*Count) bool) (counts []Count) {
	for i := range all {
		if n := &all[i]; n.Version == version && n.Kind == KindRequests && wanted(n) {
			counts = append(counts, *n)
		}
	}
	return counts
}
