package servertest

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/core/versotest"
)

// TestEarlier: a process that sees more combinations than its memory has room for writes
// earlier, and calls none of them "all others". Nothing is lost, and nothing counted twice.
func TestEarlier(t *testing.T) {
	onEach(t, func(t *test, d database) {
		p := start(t, d, every(time.Minute), func(c *settings) { c.MaxCells = 6000 })
		require.Equal(t, 200, p.get("level=summary").Code)
		written := func() (n int) { // combinations, merged or not
			rows, err := open(t, d).Query(`SELECT counts FROM verso_usage_batches`)
			require.NoError(t, err)
			defer rows.Close()
			for rows.Next() {
				var text string
				require.NoError(t, rows.Scan(&text))
				n += strings.Count(text, `"client":`)
			}
			return n + countOf(t, d, `SELECT count(*) FROM verso_usage`)
		}
		const rounds, workers, routes = 10, 4, 1000
		for round := range rounds {
			var group sync.WaitGroup
			for w := range workers {
				group.Go(func() {
					for i := range routes {
						p.Observe(t.Context(), call("v1", fmt.Sprint("client ", round*routes+i), fmt.Sprint("/", w), noon))
					}
				})
			}
			group.Wait()
			// The bound of four tables is real: no more come before the full ones are written.
			observed := (round + 1) * workers * routes
			require.Eventually(t, func() bool { return written() > observed-6000 }, 3*time.Minute, 20*time.Millisecond)
		}
		p.end(t)
		assert.EqualValues(t, 40_000, merged(t, d)["2026-11-21"])
		assert.Equal(t, 10_000, countOf(t, d, `SELECT count(DISTINCT client) FROM verso_usage`))
		assert.Equal(t, 40_000, countOf(t, d, `SELECT count(*) FROM verso_usage`))
		assert.Zero(t, countOf(t, d, `SELECT count(*) FROM verso_usage WHERE other_client OR other_route`))
	})
}

// TestNamesOfProcesses: the bound of names is one for all processes, whoever merges.
func TestNamesOfProcesses(t *testing.T) {
	onEach(t, func(t *test, d database) {
		ten := func(c *settings) { c.MaxClients = 10 }
		a, b := start(t, d, ten), start(t, d, ten)
		for i, p := range []*process{a, b, a} {
			for n := range 6 - i {
				p.Observe(t.Context(), call("v1", fmt.Sprint("client ", i, n), "/users", noon))
			}
			require.Equal(t, 200, p.get("level=summary").Code)
		}
		assert.Equal(t, 10, countOf(t, d, `SELECT count(DISTINCT client) FROM verso_usage WHERE client <> ''`))
		assert.Equal(t, 5, countOf(t, d, `SELECT sum(requests) FROM verso_usage WHERE other_client`))
	})
}

// TestCallerKeepsName: at the bound, the clients that never called a version with an end give up
// their names first. Their requests are among the others', and no sum changes.
func TestCallerKeepsName(t *testing.T) {
	onEach(t, func(t *test, d database) {
		p := start(t, d, func(c *settings) { c.MaxClients = 10 })
		want := sent{}
		for i := range 10 {
			at := noon.AddDate(0, 0, -10-i)
			want.observe(p, call("v2", fmt.Sprint("new ", i), "/users", at))
			want.observe(p, call("v2", fmt.Sprint("new ", i), "/users", at.AddDate(0, 0, -14)))
		}
		require.Equal(t, 200, p.get("level=summary").Code)
		for range 2 {
			want.observe(p, call("v1", "billing", "/users", noon))
			want.observe(p, call("v2", "one more", "/users", noon))
			require.Equal(t, 200, p.get("level=summary").Code)
		}
		names := func(n string) int {
			return countOf(t, d, `SELECT count(DISTINCT client) FROM verso_usage WHERE client = '`+n+`'`)
		}
		assert.Equal(t, []int{1, 0, 0, 1}, []int{names("billing"), names("one more"), names("new 9"), names("new 8")})
		for _, sum := range []string{`SELECT sum(requests) FROM verso_usage`, `SELECT sum(requests) FROM verso_usage_clients`, `SELECT sum(requests) FROM verso_usage_routes`, `SELECT sum(requests) FROM verso_usage_days`} {
			assert.Equal(t, 24, countOf(t, d, sum), sum)
		}
		assert.Equal(t, 4, countOf(t, d, `SELECT sum(requests) FROM verso_usage_clients WHERE other_client`))
		assert.NotZero(t, countOf(t, d, `SELECT weeks & 32 FROM verso_usage_clients WHERE other_client`), "five weeks before, when one of them called")
		page := p.get("format=html").Body.String()
		assert.Contains(t, page, "1 of 1 client has not moved.")
		assert.Contains(t, page, "billing")
		assert.Contains(t, p.get("format=openmetrics").Body.String(), "verso_usage_names 10\n")
	})
}

// TestLeftAndNew: one process a day records how many clients are left, and a client that is new or
// back is news on its day only, whichever process is asked.
func TestLeftAndNew(t *testing.T) {
	onEach(t, func(t *test, d database) {
		clock := versotest.NewClock(noon.AddDate(0, 0, -60))
		often := every(20 * time.Millisecond)
		processes := []*process{start(t, d, withClock(clock.Now), often), start(t, d, withClock(clock.Now), often)}
		db := open(t, d)
		news := func() (days []int) {
			for day := range 61 {
				at := clock.Now()
				observe := func(version, client string) {
					processes[day%2].Observe(t.Context(), call(version, client, "/users", at))
				}
				observe("v1", "stays")
				switch { // new on day 10, moved 8 days after day 20, and back on day 50
				case day == 50, 10 <= day && day <= 20:
					observe("v1", "moves")
				case day > 20:
					observe("v2", "moves")
				}
				for _, p := range processes { // each writes, and has a background that runs
					require.Equal(t, 200, p.get("level=summary").Code)
					p.Observe(t.Context(), call("v2", "stays", "/users", at))
				}
				require.Eventually(t, func() bool {
					var n int
					err := db.QueryRow(`SELECT count(*) FROM verso_usage_left WHERE day = $1`, at.Format(time.DateOnly)).Scan(&n)
					return err == nil && n == 1
				}, time.Minute, 10*time.Millisecond)
				if !strings.Contains(processes[1].get("format=openmetrics").Body.String(), `verso_usage_new_clients{version="v1"} 0`) {
					days = append(days, day)
				}
				if day < 60 {
					clock.Advance(24 * time.Hour)
				}
			}
			return days
		}
		assert.Equal(t, []int{10, 50}, news())
		assert.Equal(t, 61, countOf(t, d, `SELECT count(*) FROM verso_usage_left`))
		response := processes[1].get("at=" + noon.AddDate(0, 0, -1).Format(time.DateOnly))
		assert.Equal(t, `{"day":"2026-11-20","versions":[{"day":"2026-11-20","version":"v1","only":0,"both":1,"quiet":1,"told":0,"moved":0}]}`+"\n", response.Body.String())
		page := processes[1].get("format=html").Body.String()
		assert.Regexp(t, "clients left: [01] on 22 Sep, 2 on 21 Nov", page) // the first merge may come before the first request
	})
}
