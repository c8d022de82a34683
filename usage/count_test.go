package usage_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/versotest"
	"github.com/goverso/verso/usage"
)

// TestTake takes and reads again and again while others count over three midnights: no request is
// lost or taken twice, neither of a client nor of a day.
func TestTake(t *testing.T) {
	const goroutines, each, days = 4, 100_000, 4
	table := newTable(versions(t), noon)
	var counting sync.WaitGroup
	var done atomic.Bool
	for range goroutines {
		counting.Go(func() {
			for i := range each {
				table.Observe(t.Context(), call("v1", fmt.Sprint("client ", i%50), fmt.Sprint("/", i%2), noon.AddDate(0, 0, i*days/each)))
			}
		})
	}
	go func() { counting.Wait(); done.Store(true) }()
	clients, byDay, total := map[string]uint64{}, map[string]uint64{}, uint64(0)
	for last := false; !last; {
		last = done.Load()
		_ = read(t, table)
		for _, n := range table.Take() {
			clients[n.Client] += n.Requests
			total += n.Requests
			for _, d := range n.Days {
				byDay[d.Day] += d.Requests
			}
			if n.First > n.Last {
				t.Fatalf("%+v", n)
			}
		}
	}
	delete(clients, "") // the count that says since when
	if len(clients) != 50 || total != goroutines*each {
		t.Errorf("%d requests of %d clients", total, len(clients))
	}
	for client, n := range clients {
		if n != goroutines*each/50 {
			t.Errorf("%s has %d", client, n)
		}
	}
	sum := uint64(0)
	for _, n := range byDay { // a goroutine may count for the day of another
		sum += n
	}
	if got := slices.Sorted(maps.Keys(byDay)); sum != goroutines*each || len(got) != days {
		t.Errorf("%d on %v", sum, got)
	}
}

// TestAdd moves counts to another table, through JSON lines: the same page.
func TestAdd(t *testing.T) {
	clock := versotest.NewClock(noon.AddDate(0, 0, -100))
	table := usage.NewTable(&verso.Config{Catalogue: versions(t), Clock: clock.Now})
	for day := range 100 {
		clock.Set(noon.AddDate(0, 0, day-99))
		table.Observe(t.Context(), call("v1", "acme", "/users", clock.Now()))
		table.Observe(t.Context(), call("", "", "/users", clock.Now()))
		table.Observe(t.Context(), rejected(call("v3", fmt.Sprint("client ", day), "/rooms", clock.Now())))
	}
	for i := range 1200 {
		table.Observe(t.Context(), call("v3", fmt.Sprint("many ", i), "/rooms", noon))
	}
	want := get(table, "json")
	var lines bytes.Buffer
	for _, n := range table.Take() {
		if err := json.NewEncoder(&lines).Encode(n); err != nil {
			t.Fatal(err)
		}
	}
	if left := table.Take(); len(left) != 1 || left[0].Kind != usage.KindCounting || read(t, table).text() != "" {
		t.Errorf("left: %+v", left)
	}
	fresh := usage.NewTable(&verso.Config{Catalogue: versions(t), Clock: clock.Now})
	for decoder := json.NewDecoder(&lines); decoder.More(); {
		var n usage.Count
		if err := decoder.Decode(&n); err != nil {
			t.Fatal(err)
		}
		fresh.Add([]usage.Count{n})
	}
	if got := get(fresh, "json"); got != want {
		t.Errorf("got\n%.3000s\nwant\n%.3000s", got, want)
	}
	fresh.Add([]usage.Count{{Version: "v1", Client: "acme", Method: "GET", Route: "/users", Requests: 3, Days: []usage.DayCount{{Day: "2026-11-20", Requests: 2}}}})
	if v1 := read(t, fresh).Versions[1]; v1.Requests != 103 || v1.Recent != 32 || v1.Days[len(v1.Days)-2].Requests != 3 {
		t.Errorf("added up to %d, %d in 30 days, %+v", v1.Requests, v1.Recent, v1.Days)
	}
}

// TestAddOdd adds what no table returns: nothing breaks, and what is beyond a bound is
// cut.
func TestAddOdd(t *testing.T) {
	table := newTable(versions(t), noon)
	table.Add([]usage.Count{
		{Version: "v1", Client: strings.Repeat("x", verso.MaxClientBytes+1), Requests: 1 << 60, First: 9, Last: 3},
		{Version: "v1", Client: "a", Requests: 1, Days: []usage.DayCount{{Day: "today", Requests: 1}, {Day: "0001-01-01", Requests: 1}}},
		{Version: "v1", Client: "b", Requests: 1, Days: []usage.DayCount{{Day: "2026-12-30", Requests: 1}}, First: -7, Last: 1 << 60},
		{Kind: usage.KindCounting, First: -1 << 60, Last: 1 << 60},
		{Kind: usage.KindDays, Version: "v1", Days: []usage.DayCount{{Day: "2026-11-19", Requests: 1 << 60}}},
	})
	got := read(t, table)
	v1 := got.Versions[1]
	if len(v1.Clients) != 3 || len(v1.Clients[2].Client) != verso.MaxClientBytes || v1.Requests != 1<<40-1+2 {
		t.Errorf("%+v", v1)
	}
	if days := fmt.Sprint(v1.Days); days != "[{2026-11-19 1099511627775} {2026-11-21 1}]" {
		t.Errorf("days %s", days)
	}
}

// TestAddOtherVersions leaves out versions that the catalogue no longer has.
func TestAddOtherVersions(t *testing.T) {
	var log bytes.Buffer
	before := slog.Default()
	defer slog.SetDefault(before)
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	table := newTable(versions(t), noon)
	table.Observe(t.Context(), call("v1", "acme", "/users", noon))
	fresh := newTable(verso.Must(catalogue.List("v2", "v3")), noon)
	fresh.Add(table.Take())
	if read(t, fresh).text() != "" || strings.Count(log.String(), "counts_version requests=1\n") != 1 {
		t.Errorf("%s\nlogged %s", read(t, fresh).text(), log.String())
	}
}

func FuzzAdd(f *testing.F) {
	f.Add([]byte(`[{"version":"v1","client":"a","requests":1,"days":[{"day":"2026-11-21","requests":1}],"first":1,"last":2}]`))
	f.Add([]byte(`[{"kind":"days","days":[{"day":"0001-01-01","requests":18446744073709551615}]},{"kind":"counting","first":-9,"last":9}]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var counts []usage.Count
		if json.Unmarshal(data, &counts) != nil {
			return
		}
		table := newTable(versions(t), noon)
		table.Add(counts)
		for _, v := range read(t, table).Versions {
			if v.FirstSeen.After(v.LastSeen) {
				t.Errorf("%+v", v)
			}
		}
		if page := get(table, "html"); !strings.HasSuffix(page, "</html>\n") {
			t.Errorf("the page ends with %q", page[max(0, len(page)-100):])
		}
	})
}

// fill counts a request of each combination that a table has room for.
func fill(tb testing.TB, table *usage.Table, at time.Time) {
	tb.Helper()
	for client := range usage.MaxClients {
		for route := range usage.MaxCells / usage.MaxClients {
			table.Observe(tb.Context(), call("v1", "client "+strconv.Itoa(client), "/users/{id}/things/"+strconv.Itoa(route), at))
		}
	}
}

func BenchmarkTake(b *testing.B) {
	table := newTable(versions(b), noon)
	b.Run("full", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			fill(b, table, noon)
			b.StartTimer()
			if n := len(table.Take()); n != usage.MaxCells+1 {
				b.Fatal(n)
			}
		}
	})
	b.Run("idle", func(b *testing.B) {
		for b.Loop() {
			table.Take()
		}
	})
}

func BenchmarkObserve(b *testing.B) {
	table := newTable(versions(b), noon)
	fill(b, table, noon)
	u := call("v1", "client 7", "/users/{id}/things/3", noon)
	b.ReportAllocs()
	for b.Loop() {
		table.Observe(b.Context(), u)
	}
}

// TestForgotten: a client that calls after more than 400 days is new, on the same route and on another one.
func TestForgotten(t *testing.T) {
	clock := versotest.NewClock(noon.AddDate(0, 0, -usage.KeepDays-20))
	table := usage.NewTable(&verso.Config{Catalogue: versions(t), Clock: clock.Now})
	table.Observe(t.Context(), call("v1", "same", "/users", clock.Now()))
	table.Observe(t.Context(), call("v1", "other", "/users", clock.Now()))
	clock.Set(noon.AddDate(0, 0, -10))
	table.Observe(t.Context(), call("v1", "same", "/users", clock.Now()))
	table.Observe(t.Context(), call("v1", "other", "/rooms", clock.Now()))
	clock.Set(noon)
	for client, route := range map[string]string{"same": "/users", "other": "/rooms"} {
		want := "v1," + client + ",GET," + route + ",served,1,1,2026-11-11T12:00:00Z,2026-11-11T12:00:00Z,quiet,,,,\n"
		if got := ask(table.Handler(nil), "GET", "/?clients=v1&format=csv").Body.String(); !strings.Contains(got, want) {
			t.Errorf("%s: %s", client, got)
		}
	}
}

// TestForgottenRoute: a route that a client calls more than 57 weeks later begins again, also if it called another one meanwhile.
func TestForgottenRoute(t *testing.T) {
	for days, known := range map[int]bool{usage.KeepDays: true, usage.KeepDays + 7: false} {
		clock := versotest.NewClock(noon.AddDate(0, 0, -days-60))
		table := usage.NewTable(&verso.Config{Catalogue: versions(t), Clock: clock.Now})
		for day := range days + 61 {
			clock.Set(noon.AddDate(0, 0, day-days-60))
			if day == 0 || day == days {
				table.Observe(t.Context(), call("v1", "acme", "/report", clock.Now()))
			}
			if day < 200 {
				table.Observe(t.Context(), call("v1", "acme", "/users", clock.Now()))
			}
			table.Observe(t.Context(), call("v3", "acme", "/users", clock.Now()))
			if day == 70 { // a process starts again
				next := usage.NewTable(&verso.Config{Catalogue: versions(t), Clock: clock.Now})
				next.Add(table.Take())
				table = next
			}
		}
		if got := ask(table.Handler(nil), "GET", "/?clients=v1&format=json").Body.String(); strings.Contains(got, `"every":"every 57 weeks"`) != known {
			t.Errorf("after %d days: %s", days, got)
		}
	}
}
