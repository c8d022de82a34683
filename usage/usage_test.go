package usage_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/source"
	"github.com/goverso/verso/core/versotest"
	"github.com/goverso/verso/usage"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// versions are v0, which has ended, v1 with a sunset, v2, deprecated without one,
// and v3.
func versions(tb testing.TB) *catalogue.Catalogue {
	tb.Helper()
	c, err := catalogue.New(catalogue.Config{Versions: []catalogue.Entry{
		{Version: "v0", Sunset: noon.AddDate(0, -2, 0), AfterSunset: catalogue.Gone, Successor: "v3"},
		{Version: "v1", Deprecated: noon.AddDate(0, -1, 0), Sunset: noon.Add(36 * time.Hour), Successor: "v3"},
		{Version: "v2", Deprecated: noon.AddDate(0, -1, 0)},
		{Version: "v3"},
	}})
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

// newTable returns a table that has counted for a hundred days at a time.
func newTable(versions *catalogue.Catalogue, now time.Time) *usage.Table {
	clock := versotest.NewClock(now.AddDate(0, 0, -100))
	table := usage.NewTable(&verso.Config{Catalogue: versions, Clock: clock.Now})
	clock.Set(now)
	return table
}

// call is a request of a client.
func call(version, client, route string, at time.Time) verso.Observation {
	o := verso.Observation{Time: at, Client: client, Method: "GET", Route: route, Outcome: verso.OutcomeServed}
	if version != "" {
		o.Version = verso.V(version)
	}
	return o
}

// rejected returns the request as a rejected one.
func rejected(o verso.Observation) verso.Observation {
	o.Outcome = "version_gone"
	return o
}

// counted is the JSON of a table.
type counted struct {
	Time     time.Time
	Versions []countedVersion
}

type countedVersion struct {
	Version, State string
	DaysToSunset   *int `json:"days_to_sunset"`
	counts
	Clients []struct {
		Client string
		Other  bool
		counts
		Routes []struct {
			Route string
			Other bool
			counts
		}
	}
	Days []struct {
		Day      string
		Requests uint64
	}
}

type counts struct {
	Requests, Rejected uint64
	Recent             uint64    `json:"requests_30_days"`
	RecentRejected     uint64    `json:"rejected_30_days"`
	FirstSeen          time.Time `json:"first_seen"`
	LastSeen           time.Time `json:"last_seen"`
}

// read returns the JSON that the handler serves.
func read(tb testing.TB, table *usage.Table) (c counted) {
	tb.Helper()
	response := ask(table.Handler(nil), "GET", "/usage")
	if err := json.Unmarshal(response.Body.Bytes(), &c); err != nil || response.Header().Get("Content-Type") != "application/json" {
		tb.Fatalf("%v: %s", err, response.Body)
	}
	return c
}

// text returns the counts as lines, without the times.
func (c counted) text() string {
	var b strings.Builder
	for _, v := range c.Versions {
		if v.Requests == 0 {
			continue
		}
		fmt.Fprintf(&b, "%q %d/%d", v.Version, v.Requests, v.Rejected)
		for _, client := range v.Clients {
			fmt.Fprintf(&b, " %q", client.Client)
			if client.Other {
				b.WriteString("+")
			}
			for _, r := range client.Routes {
				fmt.Fprintf(&b, " %s=%d", r.Route, r.Requests)
			}
		}
		for _, d := range v.Days {
			fmt.Fprintf(&b, " %s:%d", d.Day, d.Requests)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestTable(t *testing.T) {
	clock := versotest.NewClock(noon)
	table := usage.NewTable(&verso.Config{Catalogue: versions(t), Clock: clock.Now})
	observe := func(times int, o verso.Observation) {
		for range times {
			table.Observe(t.Context(), o)
		}
	}
	observe(2, call("v3", "acme", "/users", noon))
	observe(3, call("v3", "acme", "/rooms", noon.Add(-24*time.Hour)))
	observe(9, call("v3", "zoo", "/rooms", noon.Add(-90*24*time.Hour))) // a day too early
	observe(1, call("v3", "zoo", "/rooms", noon.Add(-89*24*time.Hour)))
	observe(1, call("v1", "", "", noon))
	observe(4, call("", "acme", "/users", noon))
	observe(2, rejected(call("v0", "acme", "/users", noon)))
	observe(1, call("v0", "acme", "/users", noon.Add(-time.Hour)))

	got := read(t, table)
	want := `"v0" 3/2 "acme" /users=2 /users=1 2026-11-21:3
"v1" 1/0 "" =1 2026-11-21:1
"v3" 15/0 "acme" /rooms=3 /users=2 "zoo" /rooms=10 2026-08-24:1 2026-11-20:3 2026-11-21:2
"" 4/0 "acme" /users=4 2026-11-21:4
`
	if got.text() != want {
		t.Errorf("counted\n%s, want\n%s", got.text(), want)
	}
	if !got.Time.Equal(noon) {
		t.Errorf("at %v", got.Time)
	}
	for i, want := range []string{"v0 ended -61", "v1 deprecated 2", "v2 deprecated", "v3 supported", ""} {
		v := got.Versions[i]
		is := v.Version + " " + v.State
		if v.DaysToSunset != nil {
			is = fmt.Sprint(is, " ", *v.DaysToSunset)
		}
		if strings.TrimSpace(is) != want {
			t.Errorf("version %d is %q, want %q", i, is, want)
		}
	}
	if v0 := got.Versions[0].Clients[0]; !v0.FirstSeen.Equal(noon.Add(-time.Hour)) || !v0.LastSeen.Equal(noon) {
		t.Errorf("seen from %v to %v", v0.FirstSeen, v0.LastSeen)
	}
}

// TestDays simulates half a year: the days before the last 90 are dropped, but their
// requests stay in the totals.
func TestDays(t *testing.T) {
	clock := versotest.NewClock(noon)
	table := usage.NewTable(&verso.Config{Catalogue: versions(t), Clock: clock.Now})
	for day := range 180 {
		for range day + 1 {
			table.Observe(t.Context(), call("v2", "acme", "/users", clock.Now()))
		}
		clock.Advance(24 * time.Hour)
	}
	v2 := read(t, table).Versions[2]
	if v2.Requests != 180*181/2 || len(v2.Days) != 89 || v2.Days[0].Requests != 92 || v2.Days[88].Requests != 180 {
		t.Errorf("%d requests, %d days, %+v", v2.Requests, len(v2.Days), v2.Days)
	}
	clock.Advance(200 * 24 * time.Hour)
	if v2 = read(t, table).Versions[2]; v2.Requests != 180*181/2 || len(v2.Days) != 0 {
		t.Errorf("later: %d requests, %+v", v2.Requests, v2.Days)
	}
}

func TestBounds(t *testing.T) {
	t.Run("clients", func(t *testing.T) {
		table := newTable(versions(t), noon)
		for i := range usage.MaxClients + 500 {
			for range 2 {
				table.Observe(t.Context(), call("v3", fmt.Sprintf("client %d", i), "/users", noon))
			}
		}
		clients := read(t, table).Versions[3].Clients
		if len(clients) != usage.MaxClients+1 || !clients[0].Other || clients[0].Client != "" || clients[0].Requests != 1000 || clients[1].Requests != 2 {
			t.Errorf("%d clients, first %+v", len(clients), clients[0])
		}
	})
	t.Run("unknown clients beside all others", func(t *testing.T) {
		table := newTable(versions(t), noon)
		table.Observe(t.Context(), call("v3", "", "/", noon))
		for i := range usage.MaxClients {
			table.Observe(t.Context(), call("v2", strconv.Itoa(i), "/", noon))
		}
		for i := range 20 {
			route := fmt.Sprint("/", i)
			table.Observe(t.Context(), call("v3", "", route, noon))
			table.Observe(t.Context(), call("v3", "another", route, noon))
			table.Observe(t.Context(), call("v3", "yet another", route, noon))
		}
		clients := read(t, table).Versions[3].Clients
		if len(clients) != 2 || !clients[0].Other || clients[0].Requests != 40 || clients[1].Other || clients[1].Requests != 21 {
			t.Errorf("%+v", clients)
		}
	})
	t.Run("cells", func(t *testing.T) {
		table := newTable(versions(t), noon)
		for i := range usage.MaxCells + 500 {
			table.Observe(t.Context(), call("v3", "acme", fmt.Sprintf("/%d", i), noon))
		}
		v3 := read(t, table).Versions[3]
		acme := v3.Clients[0]
		others := -1
		for i, r := range acme.Routes {
			if r.Other {
				others = i
			}
		}
		if v3.Requests != usage.MaxCells+500 || len(v3.Clients) != 1 || acme.Requests != usage.MaxCells+500 || others < 0 || acme.Routes[others].Requests != 500 {
			t.Errorf("%d requests, %d clients, others in %d", v3.Requests, len(v3.Clients), others)
		}
	})
}

// TestMillionClients checks that memory is bounded.
func TestMillionClients(t *testing.T) {
	const most = 50 << 20
	heap := func() int64 {
		var stats runtime.MemStats
		runtime.GC()
		runtime.GC() // the second run empties the pools
		runtime.ReadMemStats(&stats)
		return int64(stats.HeapAlloc)
	}
	before := heap()
	table := newTable(versions(t), noon)
	long := strings.Repeat("x", verso.MaxClientBytes-10)
	use := func(from, to int) {
		for i := from; i < to; i++ {
			table.Observe(t.Context(), call("v3", fmt.Sprintf("%s%d", long, i), "/users", noon))
		}
	}
	use(0, 10_000)
	for i := range usage.MaxCells { // fills the table
		table.Observe(t.Context(), call("v2", long+"1", fmt.Sprintf("/%d", i), noon))
	}
	full := heap()
	use(10_000, 1_000_000)
	after := heap()
	if full-before > most || after > full+256<<10 {
		t.Errorf("%d KiB when full (at most %d), %d KiB more after a million clients", (full-before)>>10, most>>10, (after-full)>>10)
	}
	t.Logf("%d KiB when full, %d KiB more after a million clients", (full-before)>>10, (after-full)>>10)
	if v3 := read(t, table).Versions[3]; v3.Requests != 1_000_000 {
		t.Errorf("counted %d", v3.Requests)
	}
}

// TestRejectedRequestsTakeNoNames: of 40,000 made-up names, 100 have a name, and evict no
// client that was served, whichever comes first.
func TestRejectedRequestsTakeNoNames(t *testing.T) {
	const made = 40_000
	for _, first := range []string{"made up", "served"} {
		t.Run(first+" first", func(t *testing.T) {
			table := usage.NewTable(&verso.Config{Catalogue: verso.Must(catalogue.List("v1"))})
			observe := func(client, outcome string, version verso.Version) {
				table.Observe(t.Context(), verso.Observation{Time: time.Unix(0, 0), Client: client, Method: "GET", Route: "/users", Outcome: outcome, Version: version})
			}
			serve := func() {
				for i := range usage.MaxClients {
					observe(fmt.Sprint("honest-", i), verso.OutcomeServed, verso.V("v1"))
				}
			}
			if first == "served" {
				serve()
			}
			observe("only v9", string(source.InvalidHeaderVersion), verso.Version{})
			for i := range made {
				observe(fmt.Sprint("anybody-", i), string(source.InvalidHeaderVersion), verso.Version{})
			}
			observe("", string(source.MissingVersion), verso.Version{})
			serve()
			observe("honest-7", string(source.InvalidHeaderVersion), verso.Version{})
			observe("anybody-3", verso.OutcomeServed, verso.V("v1")) // would be regular now, but all names are taken

			counted, names := map[string]uint64{}, map[string]bool{}
			next := usage.NewTable(&verso.Config{Catalogue: verso.Must(catalogue.List("v1"))})
			next.Add(table.Take())
			for _, n := range next.Take() {
				if n.Kind != usage.KindRequests {
					continue
				}
				names[n.Client] = true
				switch {
				case strings.HasPrefix(n.Client, "honest-") && n.Version == "v1":
					counted["honest"]++
				case strings.HasPrefix(n.Client, "anybody-"):
					counted["anybody "+n.Version+n.Route] += n.Requests
				default:
					counted[fmt.Sprint(n.Client, "/", n.Version, n.Route, n.OtherClient)] += n.Requests
				}
			}
			want := map[string]uint64{
				"honest": usage.MaxClients, "only v9/false": 1, "anybody ": usage.MaxRejected - 1, "/true": made - usage.MaxRejected + 1,
				"//usersfalse": 1, "honest-7//usersfalse": 1, "/v1/userstrue": 1,
			}
			if !maps.Equal(counted, want) {
				t.Errorf("counted %v, want %v", counted, want)
			}
			if want := usage.MaxClients + usage.MaxRejected + 1; len(names) != want {
				t.Errorf("%d names, want %d", len(names), want)
			}
		})
	}
	table := newTable(verso.Must(catalogue.List("v1")), noon)
	for i := range usage.MaxRejected + 1 {
		o := rejected(call("", fmt.Sprint("anybody-", i), "/users", noon))
		table.Observe(t.Context(), o)
		if text := textOf(table); strings.Contains(text, "More clients than have a name here") != (i == usage.MaxRejected) {
			t.Errorf("%d clients:\n%s", i+1, text)
		}
	}
	table.Observe(t.Context(), call("v1", "anybody-3", "/users", noon))
	table.Observe(t.Context(), rejected(call("", "anybody-3", "/users", noon)))
	contains(t, get(table, "csv"), "v1,anybody-3,GET,/users,served,1,1,", ",anybody-3,,(not known),rejected,1,1,", ",anybody-3,GET,/users,rejected,1,1,")
}

// TestNewAtOnce: combinations that are new at the same time are not taken for one another.
func TestNewAtOnce(t *testing.T) {
	for range 60 {
		table := newTable(versions(t), noon)
		var group sync.WaitGroup
		for route := range 8 {
			group.Go(func() {
				for client := range 900 {
					table.Observe(t.Context(), call("v3", strconv.Itoa(client), strconv.Itoa(route), noon))
				}
			})
		}
		group.Wait()
		for _, n := range table.Take() {
			if n.Kind == usage.KindRequests && n.Requests != 1 {
				t.Fatalf("counted %+v", n)
			}
		}
	}
}

func TestObserveAllocs(t *testing.T) {
	table := usage.NewTable(&verso.Config{Catalogue: versions(t)})
	for i := range usage.MaxClients {
		table.Observe(t.Context(), call("v3", strconv.Itoa(i), "/users", noon))
	}
	for name, o := range map[string]verso.Observation{
		"a known client":          call("v3", "17", "/users", noon),
		"a client beyond the end": call("v3", "another", "/users", noon),
		"the next day":            call("v3", "18", "/users", noon.AddDate(0, 0, 1)),
		"a rejected request":      rejected(call("v3", "19", "/users", noon)),
	} {
		if allocs := testing.AllocsPerRun(100, func() { table.Observe(t.Context(), o) }); allocs != 0 {
			t.Errorf("%s: %v allocations", name, allocs)
		}
	}
}
