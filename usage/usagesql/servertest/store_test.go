package servertest

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/versotest"
	"github.com/goverso/verso/usage"
	"github.com/goverso/verso/usage/usagesql"
)

func parse(tb testing.TB, days string) (parsed map[string]int) {
	tb.Helper()
	require.NoError(tb, json.Unmarshal([]byte(days), &parsed))
	return parsed
}

// news is when a letter changed, for which TestSamePage sets what the database has.
var news = regexp.MustCompile(`"news":"[^"]*",`)

// TestSamePage: three processes show what one table would show that has counted all,
// and the same bytes, merged or not.
func TestSamePage(t *testing.T) {
	onEach(t, func(t *test, d database) {
		now := noon.Truncate(24 * time.Hour)
		clock := versotest.NewClock(now.AddDate(0, 0, -45))
		alone := usage.NewTable(&verso.Config{Catalogue: versions(), Clock: clock.Now})
		processes := []*process{start(t, d, withClock(clock.Now)), start(t, d, withClock(clock.Now)), start(t, d, withClock(clock.Now))}
		for day := range 46 {
			clock.Set(now.AddDate(0, 0, day-45))
			for i, p := range processes {
				for n := range 20 {
					u := call([]string{"v1", "v2", "v1", ""}[n%4], fmt.Sprint("client ", (n+day)%7), fmt.Sprint("/", n%3), clock.Now())
					if n%11 == 0 {
						u.Outcome = "version_gone"
					}
					p.Observe(t.Context(), u)
					alone.Observe(t.Context(), u)
				}
				if day%5 == i {
					p.answer(t, "")
				}
				// at the first second of the last 30 days, of the last full days, and who is rejected now
				for _, of := range map[int][]verso.Observation{16: {call("v1", fmt.Sprint("once ", i), "/", clock.Now())}, 20: {call("v2", "rejected", "/", clock.Now())},
					38: {call("v2", "edge", "/", clock.Now())}, 44: {call("v1", "", "/", clock.Now()), call("v1", "edge", "/", clock.Now()), call("v1", "rejected", "/", clock.Now()), call("v2", "rejected", "/", clock.Now())}}[day] {
					if day == 44 && of.Version == verso.V("v2") {
						of.Outcome = "version_gone"
					}
					p.Observe(t.Context(), of)
					alone.Observe(t.Context(), of)
				}
			}
		}
		db := open(t, d)
		_, err := db.Exec(`UPDATE verso_usage_clients SET since = -7`) // their requests that are not merged are news
		require.NoError(t, err)
		for _, p := range processes[1:] {
			p.end(t)
		}
		today := []usage.DayCount{{Day: now.Format(time.DateOnly), Requests: 1}}
		others := []usage.Count{{Version: "v1", OtherClient: true, Method: "GET", Route: "/of others", Requests: 1, First: now.Unix(), Last: now.Unix(), Days: today},
			{OtherClient: true, Rejected: true, Requests: 1, First: now.Unix(), Last: now.Unix(), Days: today}}
		alone.Add(others)
		text, err := json.Marshal(others)
		require.NoError(t, err)
		_, err = db.Exec(`INSERT INTO verso_usage_batches (id, counts, refused) VALUES ('others', $1, $2)`, string(text), false)
		require.NoError(t, err)
		_, err = db.Exec(`UPDATE verso_usage_batches SET refused = $1`, true) // nobody merges these
		require.NoError(t, err)
		queries := []string{"format=json", "format=csv", "format=html", "level=summary", "client=client+3", "ready=v1", "format=openmetrics", "clients=v1", "letters=v1", "client="}
		unmerged := map[string]string{}
		for _, query := range queries {
			unmerged[query] = processes[0].answer(t, query).Body.String()
		}
		assert.Equal(t, 3, countOf(t, d, `SELECT count(*) FROM verso_usage_batches WHERE refused`))
		_, err = db.Exec(`UPDATE verso_usage_batches SET refused = $1`, false)
		require.NoError(t, err)
		processes[0].merge(t, d)
		for _, query := range queries {
			for _, p := range processes {
				assert.Equal(t, unmerged[query], p.answer(t, query).Body.String(), query)
			}
			if query != "level=summary" && !strings.HasPrefix(query, "format=") || query == "format=csv" {
				response := httptest.NewRecorder()
				alone.Handler(nil).ServeHTTP(response, httptest.NewRequest(http.MethodGet, "/?"+query, nil))
				assert.Equal(t, news.ReplaceAllString(response.Body.String(), ""), news.ReplaceAllString(unmerged[query], ""))
			}
		}
		var report struct {
			Since     time.Time
			Processes []usage.Process
			Versions  []struct{ Days []struct{ Requests int } }
		}
		require.NoError(t, json.Unmarshal(processes[0].get("format=json").Body.Bytes(), &report))
		assert.Equal(t, now.AddDate(0, 0, -45), report.Since)
		assert.Len(t, report.Processes, 3)
		days := 0
		for _, v := range report.Versions {
			for _, d := range v.Days {
				days += d.Requests
			}
		}
		assert.Equal(t, 46*3*20+3*7+2, days, "requests by day, those of 45 days ago too")
	})
}

func TestNewRefuses(t *testing.T) {
	config := &verso.Config{}
	_, err := usagesql.New(config, usagesql.Config{Every: 10, MaxClients: -2, MaxCells: -3})
	require.Error(t, err)
	assert.Empty(t, config.Counters, "nothing counts")
	assert.Equal(t, `usagesql: Config.DB is nil: set it to what sql.Open returns
usagesql: Config.Dialect is unknown: write usagesql.PostgreSQL or usagesql.SQLite
usagesql: Config.Every is 10ns: write a time from 1ms to 5m0s, or 0 for 10s
usagesql: Config.MaxClients is -2: write a positive number, or 0 for 100000
usagesql: Config.MaxCells is -3: write a positive number, or 0 for 20000
usage: the configuration lists no versions: set Catalogue or AllowedVersions`, err.Error())

	config = &verso.Config{AllowedVersions: []string{"v1"}}
	_, err = usagesql.New(config, usagesql.Config{MaxClients: -2})
	require.Error(t, err)
	assert.Empty(t, config.Counters, "a service that goes on must not call a store that does not exist")
}

// TestRestart: a service that starts again goes on.
func TestRestart(t *testing.T) {
	onEach(t, func(t *test, d database) {
		want := sent{}
		for range 3 {
			db := open(t, d)
			db.SetMaxOpenConns(1) // is enough
			p := start(t, d, withDB(db))
			want.observe(p, call("v1", "acme", "/users", noon))
			p.answer(t, "")
			p.end(t)
			require.NoError(t, p.Close(t.Context()), "again")
			require.Equal(t, 200, p.get("").Code, "for as long as requests come")
		}
		assert.EqualValues(t, want, merged(t, d))
	})
}

// TestRollingDeploy: no process loses the counts of versions that it does not know, whoever merges.
func TestRollingDeploy(t *testing.T) {
	onEach(t, func(t *test, d database) {
		older := start(t, d)
		newer := start(t, d, func(c *settings) { c.Catalogue = verso.Must(catalogue.List("v1", "v2", "v3")) })
		for range 3 {
			newer.Observe(t.Context(), call("v3", "acme", "/users", noon))
			older.Observe(t.Context(), call("v1", "acme", "/users", noon))
			newer.end(t)
			assert.NotContains(t, older.get("format=csv").Body.String(), "v3") // and merges
			newer = start(t, d, func(c *settings) { c.Catalogue = verso.Must(catalogue.List("v1", "v2", "v3")) })
		}
		assert.Contains(t, newer.get("format=csv").Body.String(), "v3,acme,GET,/users,served,3,3,")
		assert.Contains(t, newer.get("format=csv").Body.String(), "v1,acme,GET,/users,served,3,3,")
	})
}

// TestClocks: processes whose clocks are wrong, and a day that ends.
func TestClocks(t *testing.T) {
	onEach(t, func(t *test, d database) {
		right := versotest.NewClock(noon.Add(11*time.Hour + 59*time.Minute))
		at := func(offset time.Duration) func() time.Time {
			return func() time.Time { return right.Now().Add(offset) }
		}
		clocks := map[string]func() time.Time{"right": right.Now, "ahead": at(24 * time.Hour), "behind": at(-time.Hour), "years ahead": at(1000 * 24 * time.Hour)}
		processes := map[string]*process{}
		for name, now := range clocks {
			processes[name] = start(t, d, withClock(now))
		}
		for range 2 { // before and after midnight
			for name, p := range processes {
				for range 3 {
					p.Observe(t.Context(), call("v1", name, "/users", clocks[name]()))
				}
			}
			right.Advance(2 * time.Minute)
		}
		for _, name := range []string{"ahead", "behind", "years ahead"} {
			processes[name].answer(t, "")
			processes[name].end(t)
		}
		var report struct {
			Time     time.Time
			Versions []struct {
				Clients []struct {
					Client   string
					Requests int
					Recent   int       `json:"requests_30_days"`
					LastSeen time.Time `json:"last_seen"`
				}
			}
		}
		require.NoError(t, json.Unmarshal(processes["right"].get("format=json").Body.Bytes(), &report))
		require.Len(t, report.Versions[0].Clients, 4)
		for _, c := range report.Versions[0].Clients {
			assert.Equal(t, []int{6, 6}, []int{c.Requests, c.Recent}, c.Client)
			assert.False(t, c.LastSeen.After(report.Time), "%s: %v", c.Client, c.LastSeen)
		}
		sums := merged(t, d)
		assert.Equal(t, 3, sums["right 2026-11-21"])
		assert.Equal(t, 3, sums["right 2026-11-22"])
		assert.Equal(t, 6, sums["behind 2026-11-21"])
	})
}

// TestWrongClocks: without a clock of the service, the clock of the database wins. The
// process is named on the page, in JSON and in its log, and is not taken for a killed one.
func TestWrongClocks(t *testing.T) {
	for _, c := range []struct {
		name  string
		skew  time.Duration // by which the process is ahead
		shown string        // "": it is right
	}{
		{"36 hours behind", -36 * time.Hour, "its clock is 36 hours behind"},
		{"20 minutes ahead", 20 * time.Minute, "its clock is 20 minutes ahead"},
		{"40 days ahead", 40 * 24 * time.Hour, "its clock is 40 days ahead"},
		{"30 seconds behind", -30 * time.Second, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			onEach(t, func(t *test, d database) {
				noClock := withClock(nil)
				wrong, right := new(faults), new(faults) // both processes have the clock of the machine: the server's differs
				wrong.ahead.Store(int64(-c.skew / time.Second))
				right.ahead.Store(int64(-c.skew / time.Second))
				server := func() time.Time { return time.Now().Add(-c.skew) }
				p := start(t, d, withDB(openFaulty(t, d, wrong)), noClock)
				other := start(t, d, withDB(openFaulty(t, d, right)), withClock(server))
				want := sent{} // each request on the day of the database, which may end meanwhile
				for range 2 {  // before the process knows, and then
					at := time.Now()
					p.Observe(t.Context(), call("v1", "acme", "/users", at))
					p.answer(t, "")
					if c.shown != "" {
						at = at.Add(-c.skew)
					}
					want.add("acme", at, 1)
				}
				var report struct {
					Time, Since time.Time
					Processes   []struct {
						LastSeen time.Time `json:"last_seen"`
						Skew     int64     `json:"clock_skew_seconds"`
					}
				}
				response := other.get("")
				require.NoError(t, json.Unmarshal(response.Body.Bytes(), &report))
				require.Len(t, report.Processes, 2, response.Body)
				skewed := 0
				for _, process := range report.Processes {
					if math.Abs(float64(process.Skew)-c.skew.Seconds()) < 5 && process.Skew != 0 {
						skewed++
					}
					assert.False(t, process.LastSeen.After(report.Time))
				}
				if c.shown != "" {
					assert.GreaterOrEqual(t, skewed, 1, response.Body)
					assert.Equal(t, 1, p.log.count("usage_clock"), "once: %s", p.log)
					assert.Contains(t, other.get("format=html").Body.String(), c.shown)
					assert.WithinDuration(t, server(), report.Since, time.Minute, "counted since")
				} else {
					assert.Zero(t, skewed, response.Body)
					assert.Zero(t, p.log.count("usage_clock"))
				}
				assert.NotContains(t, other.get("ready=v1").Body.String(), "killed")

				assert.EqualValues(t, want, merged(t, d))
				assert.InDelta(t, countOf(t, d, `SELECT last_seen FROM verso_usage`), countOf(t, d, `SELECT first_seen FROM verso_usage`), 60*60)

				clocks := countOf(t, d, `SELECT count(*) FROM verso_usage_clocks`)
				wrong.ahead.Store(0)
				p.Observe(t.Context(), call("v1", "acme", "/users", time.Now()))
				p.answer(t, "")
				if c.shown != "" {
					assert.Contains(t, p.log.String(), "is right again")
					assert.Equal(t, clocks-1, countOf(t, d, `SELECT count(*) FROM verso_usage_clocks`), "without this one")
				}
			})
		})
	}
}

// TestMidnights counts while a new table replaces the last one: a request that is under
// way then is counted later, even if the day is over.
func TestMidnights(t *testing.T) {
	d := newSQLite(t)
	clock := versotest.NewClock(noon.AddDate(0, 0, -20))
	p := start(t, d, withClock(clock.Now))
	var counting sync.WaitGroup
	var done atomic.Bool
	var total atomic.Int64
	for range 6 {
		counting.Go(func() {
			for !done.Load() {
				p.Observe(t.Context(), call("v1", "acme", "/users", clock.Now()))
				total.Add(1)
			}
		})
	}
	for range 20 {
		clock.Advance(24 * time.Hour)
		assert.Equal(t, 200, p.get("level=summary").Code)
	}
	done.Store(true)
	counting.Wait()
	p.end(t)
	assert.EqualValues(t, total.Load(), merged(t, d)["acme"])
}

func countOf(tb testing.TB, d database, query string) (n int) {
	tb.Helper()
	db, err := sql.Open(d.driver, d.dsn)
	require.NoError(tb, err)
	defer func() { _ = db.Close() }() // not at the end of the test, which may ask a thousand times
	require.NoError(tb, db.QueryRow(query).Scan(&n))
	return n
}

// TestReady: what ?ready= says as time passes.
func TestReady(t *testing.T) {
	onEach(t, func(t *test, d database) {
		clock := versotest.NewClock(noon.Add(17 * time.Minute))
		p := start(t, d, withClock(clock.Now))
		killed := start(t, d, withClock(clock.Now))
		killed.get("")
		step := func(d time.Duration) {
			clock.Advance(d)
			p.get("level=summary")
		}
		ready := func(status int, reasons ...string) {
			t.Helper()
			response := p.get("ready=v1")
			assert.Equal(t, status, response.Code, response.Body)
			var got struct{ Reasons []string }
			require.NoError(t, json.Unmarshal(response.Body.Bytes(), &got))
			assert.Len(t, got.Reasons, len(reasons))
			for _, reason := range reasons {
				assert.Contains(t, response.Body.String(), reason)
			}
		}
		ready(409, "requests are counted since 21 Nov 2026, 12:17 UTC only")
		step(time.Hour)
		ready(409, "requests are counted since")
		silent := func(hours int) { // by the clock of the database
			_, err := open(t, d).Exec(fmt.Sprintf(`UPDATE verso_usage_clocks SET seen = seen - %d`, hours*60*60))
			require.NoError(t, err)
			p.Observe(t.Context(), call("v2", "acme", "/users", clock.Now())) // this process lives
		}
		silent(1)
		ready(409, "requests are counted since", ": it may have been killed with uncounted requests")
		assert.Contains(t, p.get("format=openmetrics").Body.String(), `verso_usage_processes{state="silent"} 1`)
		silent(24)
		assert.Contains(t, p.get("format=openmetrics").Body.String(), `verso_usage_processes{state="silent"} 0`)
		step(24 * time.Hour)
		ready(409, "requests are counted since")
		step(30 * 24 * time.Hour)
		ready(200)
		p.Observe(t.Context(), call("v1", "", "/users", clock.Now()))
		ready(409, "requests without a name called it in the last 30 days")
		step(29 * 24 * time.Hour)
		ready(409, "requests without a name called it")
		step(3 * 24 * time.Hour)
		ready(200)
		p.end(t)
		silent(1) // but it has ended
		clock.Advance(3 * time.Hour)
		p = start(t, d, withClock(clock.Now))
		ready(409, "no process counted from 23 Jan 2027, 14:00 UTC until 23 Jan 2027, 16:00 UTC")
	})
}

// TestTransactions: a process writes once in an interval, and not at all while it counts
// nothing, except that every five minutes it says that it lives.
func TestTransactions(t *testing.T) {
	onEach(t, func(t *test, d database) {
		f := new(faults)
		clock := versotest.NewClock(noon)
		p := start(t, d, withDB(openFaulty(t, d, f)), withClock(clock.Now), every(20*time.Millisecond))
		heard := func() int { return countOf(t, d, `SELECT max(heard) FROM verso_usage_writers`) }
		require.Eventually(t, func() bool { return f.commits.Load() == 5 && f.begins.Load() == 6 }, time.Minute, time.Millisecond, "the tables, that it lives, a merge, the names after old rows are deleted, and another merge before it reads whether to warn of a sunset")
		time.Sleep(300 * time.Millisecond)
		assert.EqualValues(t, 6, f.begins.Load(), "it counts nothing")
		clock.Advance(5 * time.Minute)
		require.Eventually(t, func() bool { return heard() == int(clock.Now().Unix()) }, time.Minute, 10*time.Millisecond)
		require.Eventually(t, func() bool { return f.commits.Load() == 7 }, time.Minute, time.Millisecond, "that it lives, and a merge")
		begun := time.Now()
		for time.Since(begun) < time.Second {
			p.Observe(t.Context(), call("v1", "acme", "/users", clock.Now()))
			time.Sleep(time.Millisecond)
		}
		p.end(t)
		assert.LessOrEqual(t, f.begins.Load(), 8+int64(time.Since(begun)/(18*time.Millisecond))+2)
	})
}

// TestObserveAllocs: to count a request of a known client allocates nothing.
func TestObserveAllocs(t *testing.T) {
	p := start(t, newSQLite(t))
	u := call("v1", "acme", "/users", noon)
	assert.Zero(t, testing.AllocsPerRun(100, func() { p.Observe(t.Context(), u) }))
}

// TestWarnsOnceADay: of several processes, one logs on each day of the last 30 before a
// sunset that clients are left.
func TestWarnsOnceADay(t *testing.T) {
	onEach(t, func(t *test, d database) {
		yesterday := start(t, d, withClock(versotest.NewClock(noon.AddDate(0, 0, -1)).Now))
		yesterday.Observe(t.Context(), call("v1", "acme", "/users", noon.AddDate(0, 0, -1))) // or the first merge of the day may find no client
		yesterday.end(t)
		clock := versotest.NewClock(noon)
		processes := []*process{start(t, d, withClock(clock.Now), every(20*time.Millisecond)), start(t, d, withClock(clock.Now), every(20*time.Millisecond))}
		warned := func() (n int) {
			for _, p := range processes {
				n += p.log.count("usage_sunset")
			}
			return n
		}
		for day := range 3 {
			processes[0].Observe(t.Context(), call("v1", "acme", "/users", clock.Now()))
			require.Eventually(t, func() bool { return warned() == day+1 }, time.Minute, 10*time.Millisecond)
			clock.Advance(2 * time.Hour)
			for _, p := range processes {
				p.Observe(t.Context(), call("v1", "acme", "/users", clock.Now()))
				p.answer(t, "level=summary")
			}
			time.Sleep(200 * time.Millisecond)
			assert.Equal(t, day+1, warned())
			clock.Advance(22 * time.Hour)
		}
		assert.Contains(t, processes[0].log.String()+processes[1].log.String(), "v1 ends in 9 days. 1 of 1 client has not moved.")
	})
}

// TestStatements has those of docs/usage.md: who calls a version, and what erases a client while a process runs.
func TestStatements(t *testing.T) {
	onEach(t, func(t *test, d database) {
		p := start(t, d)
		p.Observe(t.Context(), call("v1", "acme", "/users", noon.AddDate(0, 0, -20)))
		p.Observe(t.Context(), call("v1", "zoo", "/users", noon))
		require.Contains(t, p.get("format=json").Body.String(), "acme")
		var client string
		var last int64
		require.NoError(t, open(t, d).QueryRow(`SELECT client, max(last_seen) FROM verso_usage WHERE version = 'v1' GROUP BY client ORDER BY client DESC`).Scan(&client, &last))
		assert.Equal(t, "zoo", client)
		assert.Equal(t, noon.Unix(), last)
		for _, statement := range []string{`DELETE FROM verso_usage WHERE client = 'acme'`, `DELETE FROM verso_usage_clients WHERE client = 'acme'`} {
			_, err := open(t, d).Exec(statement)
			require.NoError(t, err)
		}
		p.Observe(t.Context(), call("v1", "zoo", "/users", noon))
		for _, format := range []string{"format=html", "format=json", "format=csv"} {
			page := p.get(format).Body.String()
			assert.NotContains(t, page, "acme")
			assert.Contains(t, page, "zoo")
		}
		p.end(t)
		for _, table := range []string{"verso_usage", "verso_usage_clients"} {
			assert.Zero(t, countOf(t, d, `SELECT count(*) FROM `+table+` WHERE client = 'acme'`), table)
		}
	})
}
