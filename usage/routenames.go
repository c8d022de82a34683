package usage

import (
	"cmp"
	"slices"
)

const (
	// fewClients are held at once, and are an answer of the export: up to so many, JSON has the most used route of each, and the
	// page the clients of a route.
	fewClients    = 5000
	clientsAtOnce = 500 // whose routes are read at once
)

const clientsOnPage = 100

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

// nameShown fills in what the page shows of clients: 100 of each group.
func nameShown(r *report) error {
	for i := range r.Versions {
		v := &r.Versions[i]
		if err := countNamed(r, v); err != nil {
			return err
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
		if len(v.Clients) > fewClients { // it would read all rows
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

// countNamed counts the clients with a name that called the version in the last 30 days, unless they were read.
func countNamed(r *report, v *versionReport) error {
	recent := recentOf(r.Time)
	if v.knowsNamed || v.totals.Last < recent && v.Version != "" {
		return nil
	}
	for n, err := range r.reader.Clients(r.ctx, v.Version, Wanted{AnyOrder: true, NamesOnly: true}) {
		if err != nil {
			return err
		}
		v.others = v.others || n.Other
		if n.Client != "" && n.Last >= recent {
			v.named++
		}
	}
	return nil
}

// nameLeft gives the routes that are left their names.
func nameLeft(r *report, v *versionReport) error {
	if !slices.ContainsFunc(v.judged, func(c movingClient) bool { return c.Left != nil }) {
		return nil
	}
	if v.names == nil { // else another part of the clients was read
		names, err := routeNames(r, v)
		if err != nil {
			return err
		}
		v.names = names
	}
	for _, c := range v.judged {
		for i := range c.Left {
			c.Left[i].Route, c.Left[i].successor = v.names[c.Left[i].key], v.Successor
		}
	}
	return nil
}

// routeNames returns the names of the routes that clients called, by key.
func routeNames(r *report, v *versionReport) (map[uint64]string, error) {
	counts, err := r.reader.RoutesOf(r.ctx, v.Version)
	if err != nil {
		return nil, err
	}
	names := map[uint64]string{}
	for _, c := range partOf(r, v, counts).Clients {
		for _, n := range c.Routes {
			of := Count{Version: v.Version, Method: n.Method, Route: n.Route, OtherRoute: n.Other}
			n.Method = asGet(n.Method)
			names[keyOf(&of)] = n.Sent()
		}
	}
	return names, nil
}

// Routes returns the routes that clients called in the last 30 days, those with
// most requests first.
func (v versionReport) Routes() []routeView {
	if v.called != nil {
		return v.called
	}
	var routes []routeView
	index := map[string]int{}
	for i, c := range v.Clients {
		for _, route := range c.Routes {
			name := route.Sent()
			if route.Recent == 0 {
				continue
			}
			if _, ok := index[name]; !ok {
				index[name] = len(routes)
				routes = append(routes, routeView{Name: name, latest: -1})
			}
			r := &routes[index[name]]
			r.Recent += route.Recent
			if r.latest != i {
				r.latest = i
				r.Clients++
			}
		}
	}
	slices.SortFunc(routes, func(a, b routeView) int {
		return cmp.Or(cmp.Compare(b.Recent, a.Recent), cmp.Compare(a.Name, b.Name))
	})
	return routes
}

// mostUsed returns the route that the client used most in the last 30 days, or before.
func mostUsed(c clientReport) string {
	if c.Recent == 0 {
		return c.Routes[0].Sent()
	}
	return versionReport{Clients: []clientReport{c}}.Routes()[0].Name
}
