package usage_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/usage"
	"github.com/goverso/verso/core/versotest"
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
	response := httptest.NewRecorder()
	table.Handler().ServeHTTP(response, httptest.NewRequest(http.MethodGet, "/usage", nil))
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
	table := usage.NewTable(versions(t), clock.Now)
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
	table := usage.NewTable(versions(t), clock.Now)
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

// TestClockRunsBack checks that no request is lost, that the last time is never
// before the first, and that future days are overwritten.
func TestClockRunsBack(t *testing.T) {
	clock := versotest.NewClock(noon)
	table := usage.NewTable(versions(t), clock.Now)
	for _, days := range []int{0, -1, 400, 2, 0, -400, 0, 1} {
		table.Observe(t.Context(), call("v2", "acme", "/users", noon.AddDate(0, 0, days)))
	}
	table.Observe(t.Context(), call("v2", "acme", "/users", time.Unix(-5, 0)))
	table.Observe(t.Context(), call("v2", "acme", "/users", noon))
	v2 := read(t, table).Versions[2]
	if v2.Requests != 10 || v2.FirstSeen.After(v2.LastSeen) {
		t.Errorf("%+v", v2)
	}
	for _, d := range v2.Days {
		if d.Day > "2026-11-21" {
			t.Errorf("a future day: %+v", d)
		}
	}
	if today := v2.Days[len(v2.Days)-1]; today.Day != "2026-11-21" || today.Requests != 4 {
		t.Errorf("today: %+v", today)
	}
}

func TestBounds(t *testing.T) {
	t.Run("clients", func(t *testing.T) {
		table := usage.NewTable(versions(t), versotest.NewClock(noon).Now)
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
		table := usage.NewTable(versions(t), versotest.NewClock(noon).Now)
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
		table := usage.NewTable(versions(t), versotest.NewClock(noon).Now)
		for i := range usage.MaxCells + 500 {
			table.Observe(t.Context(), call("v3", "acme", fmt.Sprintf("/%d", i), noon))
		}
		v3 := read(t, table).Versions[3]
		other := v3.Clients[1]
		if v3.Requests != usage.MaxCells+500 || len(v3.Clients) != 2 || !other.Other || other.Requests != 500 || !other.Routes[0].Other {
			t.Errorf("%d requests, %d clients, the second %+v", v3.Requests, len(v3.Clients), other)
		}
	})
}

// TestMillionClients checks that memory is bounded.
func TestMillionClients(t *testing.T) {
	const most = 10 << 20
	heap := func() int64 {
		var stats runtime.MemStats
		runtime.GC()
		runtime.GC() // the second run empties the pools
		runtime.ReadMemStats(&stats)
		return int64(stats.HeapAlloc)
	}
	before := heap()
	table := usage.NewTable(versions(t), versotest.NewClock(noon).Now)
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

// TestConcurrent counts in many goroutines while others read and days pass.
func TestConcurrent(t *testing.T) {
	table := usage.NewTable(versions(t), versotest.NewClock(noon).Now)
	var group sync.WaitGroup
	for i := range 16 {
		group.Go(func() {
			for n := range 2000 {
				client := strconv.Itoa((i + n) % 1100)
				table.Observe(t.Context(), call("v3", client, fmt.Sprint("/", n%7), noon.AddDate(0, 0, n/100-19)))
			}
		})
	}
	for range 2 {
		group.Go(func() {
			for range 5 {
				read(t, table)
				_ = table.Snapshot(new(bytes.Buffer))
			}
		})
	}
	group.Wait()
	v3 := read(t, table).Versions[3]
	days := uint64(0)
	for _, d := range v3.Days {
		days += d.Requests
	}
	if v3.Requests != 32_000 || days != 32_000 {
		t.Errorf("counted %d, %d by day", v3.Requests, days)
	}
}

func TestObserveAllocs(t *testing.T) {
	table := usage.NewTable(versions(t), nil)
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

func TestRestore(t *testing.T) {
	clock := versotest.NewClock(noon)
	table := usage.NewTable(versions(t), clock.Now)
	for day := range 100 {
		at := noon.AddDate(0, 0, day-99)
		table.Observe(t.Context(), call("v1", "acme", "/users", at))
		table.Observe(t.Context(), call("", "", "/users", at))
		table.Observe(t.Context(), rejected(call("v3", fmt.Sprint("client ", day), "/rooms", at)))
	}
	for i := range 1200 {
		table.Observe(t.Context(), call("v3", fmt.Sprint("many ", i), "/rooms", noon))
	}
	var snapshot bytes.Buffer
	if err := table.Snapshot(&snapshot); err != nil {
		t.Fatal(err)
	}
	text := snapshot.String()
	fresh := usage.NewTable(versions(t), clock.Now)
	if err := fresh.Restore(strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	var again bytes.Buffer
	if err := fresh.Snapshot(&again); err != nil || again.String() != text {
		t.Errorf("%v: restored\n%.2000s\nwant\n%.2000s", err, again.String(), text)
	}
	table.Observe(t.Context(), call("v1", "acme", "/users", noon))
	if err := table.Restore(strings.NewReader(text)); err != nil { // adds to existing counts
		t.Fatal(err)
	}
	if got := read(t, table).Versions[1].Requests; got != 201 {
		t.Errorf("added up to %d", got)
	}
}

// maxSnapshotBytes is how much Restore reads.
const maxSnapshotBytes = 64 << 20

func TestRestoreRefuses(t *testing.T) {
	broken := errors.New("broken")
	for _, test := range []struct{ name, snapshot, want string }{
		{"nothing", "", "this is not a snapshot: "},
		{"no JSON", "{", "this is not a snapshot: "},
		{"another JSON", "{}", "this is not a snapshot: the time is missing"},
		{"a negative", `{"time":"2026-11-21T12:00:00Z","versions":[{"version":"v1","clients":[{"client":"a","routes":[{"route":"/","requests":-1}]}]}]}`, "this is not a snapshot: "},
		{"no day", `{"time":"2026-11-21T12:00:00Z","versions":[{"version":"v1","days":[{"day":"today","requests":1}]}]}`, "this is not a snapshot: "},
		{"a day with too many", `{"time":"2026-11-21T12:00:00Z","versions":[{"version":"v1","days":[{"day":"2026-11-21","requests":1099511627776}]}]}`, "this is not a snapshot: "},
		{"more rejected than all", `{"time":"2026-11-21T12:00:00Z","versions":[{"version":"v1","days":[{"day":"2026-11-21","requests":1,"rejected":2}]}]}`, "this is not a snapshot: "},
		{"more than 30 days of a route", routeOf(strings.Repeat("1,", 30) + "1"), "this is not a snapshot: "},
		{"a route with too many on a day", routeOf("1099511627776"), "this is not a snapshot: "},
		{"a long client", clientOf(verso.MaxClientBytes + 1), "the name of a client has 129 bytes"},
		{"too much", strings.Repeat(" ", maxSnapshotBytes+1), "the snapshot is larger than 67108864 bytes"},
	} {
		t.Run(test.name, func(t *testing.T) {
			table := usage.NewTable(versions(t), nil)
			if err := table.Restore(strings.NewReader(test.snapshot)); err == nil || !strings.HasPrefix(err.Error(), "usage: ") || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q in it", err, test.want)
			}
			if got := read(t, table).text(); got != "" {
				t.Errorf("added %s", got)
			}
		})
	}
	if err := usage.NewTable(versions(t), nil).Restore(iotest.ErrReader(broken)); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
	if err := usage.NewTable(versions(t), nil).Snapshot(failingWriter{broken}); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}

// clientOf is a snapshot with a client whose name has so many bytes.
func clientOf(bytes int) string {
	return `{"time":"2026-11-21T12:00:00Z","versions":[{"version":"v1","clients":[{"client":"` + strings.Repeat("x", bytes) +
		`","routes":[{"route":"/","requests":1}]}]}]}`
}

// routeOf is a snapshot with a route that has requests on days.
func routeOf(days string) string {
	return `{"time":"2026-11-21T12:00:00Z","versions":[{"version":"v1","clients":[{"client":"a","routes":[{"route":"/","requests":1,"days":[` + days + `]}]}]}]}`
}

// TestRestoreLarge restores the longest name and the largest snapshot.
func TestRestoreLarge(t *testing.T) {
	table := usage.NewTable(versions(t), versotest.NewClock(noon).Now)
	snapshot := clientOf(verso.MaxClientBytes)
	spaces := strings.Repeat(" ", maxSnapshotBytes-len(snapshot))
	if err := table.Restore(io.MultiReader(strings.NewReader(snapshot), strings.NewReader(spaces))); err != nil {
		t.Fatal(err)
	}
	if got := read(t, table).Versions[1].Requests; got != 1 {
		t.Errorf("counted %d", got)
	}
}

// TestRestoreDays restores future days: tomorrow, which a clock that is slightly
// ahead may have written, and a day that is too far ahead to keep.
func TestRestoreDays(t *testing.T) {
	clock := versotest.NewClock(noon)
	table := usage.NewTable(versions(t), clock.Now)
	if err := table.Restore(strings.NewReader(`{"time":"2026-11-21T12:00:00Z","versions":[{"version":"v0","days":[
		{"day":"2026-11-20","requests":3},
		{"day":"2027-02-19","requests":9},
		{"day":"2026-11-21","requests":4},
		{"day":"2026-11-22","requests":5},
		{"day":"2026-08-24","requests":7}
	]}]}`)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"[{2026-11-20 3} {2026-11-21 4}]", "[{2026-11-20 3} {2026-11-21 4} {2026-11-22 5}]"} {
		if got := fmt.Sprint(read(t, table).Versions[0].Days); got != want {
			t.Errorf("at %v: %s, want %s", clock.Now(), got, want)
		}
		clock.Advance(24 * time.Hour)
	}
}

type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }

// TestRestoreOtherVersions skips versions that the catalogue no longer has.
func TestRestoreOtherVersions(t *testing.T) {
	var log bytes.Buffer
	before := slog.Default()
	defer slog.SetDefault(before)
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	table := usage.NewTable(versions(t), versotest.NewClock(noon).Now)
	table.Observe(t.Context(), call("v1", "acme", "/users", noon))
	var snapshot bytes.Buffer
	if err := table.Snapshot(&snapshot); err != nil {
		t.Fatal(err)
	}
	later, err := catalogue.List("v2", "v3")
	if err != nil {
		t.Fatal(err)
	}
	fresh := usage.NewTable(later, nil)
	if err := fresh.Restore(&snapshot); err != nil || read(t, fresh).text() != "" || strings.Count(log.String(), "snapshot_version requests=1\n") != 1 ||
		strings.Count(log.String(), "snapshot_version") != 1 {
		t.Errorf("%v: %s\nlogged %s", err, read(t, fresh).text(), log.String())
	}
}

func TestNewTablePanics(t *testing.T) {
	defer func() {
		if err, _ := recover().(error); err == nil || !strings.Contains(err.Error(), "catalogue.List") {
			t.Errorf("panics with %v", err)
		}
	}()
	usage.NewTable(nil, nil)
}

func FuzzRestore(f *testing.F) {
	table := usage.NewTable(versions(f), versotest.NewClock(noon).Now)
	table.Observe(f.Context(), call("v1", "acme", "/users", noon))
	var snapshot bytes.Buffer
	if err := table.Snapshot(&snapshot); err != nil {
		f.Fatal(err)
	}
	f.Add(snapshot.Bytes())
	f.Add([]byte(`{"time":"2026-11-21T12:00:00Z","versions":[{"days":[{"day":"0001-01-01","requests":18446744073709551615}]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		table := usage.NewTable(versions(t), versotest.NewClock(noon).Now)
		if table.Restore(bytes.NewReader(data)) != nil {
			return
		}
		got := read(t, table)
		for _, v := range got.Versions {
			if v.FirstSeen.After(v.LastSeen) {
				t.Errorf("%+v", v)
			}
		}
		response := httptest.NewRecorder()
		table.Handler().ServeHTTP(response, httptest.NewRequest(http.MethodGet, "/usage?format=html", nil))
		if !strings.HasSuffix(response.Body.String(), "</html>\n") {
			t.Errorf("the page ends with %q", response.Body.String()[max(0, response.Body.Len()-100):])
		}
	})
}
