package usagesql

import "github.com/goverso/verso/usage"

// sums are what some counts add.
type sums struct {
	rows    map[key]*row
	clients map[weeksKey]*clientRow
	routes  map[key]*row // without clients
	days    map[dayKey]uint64
}

func newSums() sums {
	return sums{map[key]*row{}, map[weeksKey]*clientRow{}, map[key]*row{}, map[dayKey]uint64{}}
}

// weeksKey is a client of a version.
type weeksKey struct {
	version, client string
	other           bool
}

type dayKey struct {
	day, version string
	rejected     bool
}

// add adds a count.
func (s *sums) add(k key, n *usage.Count) {
	if n.Kind == usage.KindRequests {
		include(s.rows, k, n)
		ofRoute := k
		ofRoute.Client, ofRoute.OtherClient = "", false
		include(s.routes, ofRoute, n)
		c := s.clients[weeksKey{k.Version, k.Client, k.OtherClient}]
		if c == nil {
			c = &clientRow{Version: k.Version, Client: k.Client, Other: k.OtherClient}
			s.clients[weeksKey{k.Version, k.Client, k.OtherClient}] = c
		}
		c.include(n)
	}
	for _, d := range n.Days {
		s.days[dayKey{d.Day, n.Version, n.Rejected}] += d.Requests
	}
}
