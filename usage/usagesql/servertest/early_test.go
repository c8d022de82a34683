package servertest

import (
	"cmp"
	"fmt"
	"math/bits"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/source"
	"github.com/goverso/verso/core/versotest"
)

// TestEarlier: a process that sees more combinations than its memory has room for writes
// earlier, and calls none of them "all others". Nothing is lost, and nothing counted twice.
func TestEarlier(t *testing.T) {
	onEach(t, func(t *test, d database) {
		p := start(t, d, every(time.Minute), func(c *settings) { c.MaxCells = 6000 })
		p.answer(t, "level=summary")
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

// TestBound: who has a name where there are three, over all processes. Those that never called a version
// with an end give up theirs first, the longest silent before the others, and no sum changes.
func TestBound(t *testing.T) {
	versions := catalogue.MustNew(catalogue.Config{AfterSunset: catalogue.Gone, Versions: []catalogue.Entry{
		{Version: "v1", Sunset: noon.AddDate(0, 0, 9), Successor: "v2"}, {Version: "v2"}, {Version: "v3"},
	}})
	for _, c := range []struct {
		name  string
		calls []string // those before each merge: a version, "?" for none or "!", which is rejected, a client, and days ago
		want  string   // the requests of each, of all others "+" with in how many weeks
	}{
		{"one for all processes", []string{"v1 a 0, v1 b 0", "v1 c 0", "v1 d 0, v1 a 0", "v1 a 0"}, "v1 +1/1 v1 a3 v1 b1 v1 c1"},
		{"no name takes none", []string{"v1 a 0, v1 b 0, v1 c 0", "v1 - 0", "v1 - 0"}, "v1 -2 v1 a1 v1 b1 v1 c1"},
		{"the longest silent", []string{"v2 a 9, v2 b 5, v2 c 4, v3 a 1", "v1 d 0"}, "v1 d1 v2 +1/1 v2 a1 v2 c1 v3 a1"},
		{"no more than needed", []string{"v2 a 5, v2 b 4", "v1 c 0, v1 d 0"}, "v1 c1 v1 d1 v2 +1/1 v2 b1"},
		{"callers keep it", []string{"v1 a 9, v2 b 1, v2 c 2", "v1 d 0", "v2 c 0"}, "v1 a1 v1 d1 v2 +2/1 v2 b1"},
		{"callers get it first", []string{"v1 a 0, v1 b 0", "v2 c 0, v1 d 0"}, "v1 a1 v1 b1 v1 d1 v2 +1/1"},
		{"callers of others, too", []string{"v2 a 5, v2 b 4, v2 c 3", "v1 d 0, v2 d 0"}, "v1 d1 v2 +1/1 v2 b1 v2 c1 v2 d1"},
		{"their weeks", []string{"v2 a 40, v2 a 55, v2 a 70, v2 b 4, v2 c 3", "v1 d 0"}, "v1 d1 v2 +3/3 v2 b1 v2 c1"},
		{"only rejected", []string{"! x 0, ! y 0, ! z 0", "v2 a 0, v2 b 0, v2 c 0", "v1 d 1"}, "! x1 ! y1 ! z1 v1 d1 v2 +1/1 v2 b1 v2 c1"},
		{"without a version", []string{"? a 1, ? b 0, ? c 0", "v2 d 0", "v1 e 0"}, "! +1/1 ! b1 ! c1 v1 e1 v2 +1/1"},
		{"rejected, and beyond", []string{"! d 0", "v1 a 0, v1 b 0, v1 c 0", "! d 0, v1 d 0"}, "! d2 v1 +1/1 v1 a1 v1 b1 v1 c1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			onEach(t, func(t *test, d database) {
				with := func(c *settings) { c.MaxClients, c.Catalogue = 3, versions }
				processes, sum := []*process{start(t, d, with), start(t, d, with)}, 0
				for i, calls := range c.calls {
					for text := range strings.SplitSeq(calls, ", ") {
						of := strings.Fields(text)
						ago, err := strconv.Atoi(of[2])
						require.NoError(t, err)
						o := call(strings.Trim(of[0], "!?"), strings.Trim(of[1], "-"), "/users", noon.AddDate(0, 0, -ago))
						if of[0] == "!" {
							o.Outcome = string(source.InvalidHeaderVersion)
						}
						processes[i%2].Observe(t.Context(), o)
						sum++
					}
					processes[i%2].merge(t, d)
				}
				rows, err := open(t, d).Query(`SELECT version, client, other_client, requests, weeks FROM verso_usage_clients ORDER BY version, other_client DESC, client`)
				require.NoError(t, err)
				defer rows.Close()
				var got []string
				for rows.Next() {
					var version, client string
					var other bool
					var requests, weeks int
					require.NoError(t, rows.Scan(&version, &client, &other, &requests, &weeks))
					text := fmt.Sprint(cmp.Or(version, "!"), " ", cmp.Or(client, "-"), requests)
					if other {
						text = fmt.Sprint(cmp.Or(version, "!"), " +", requests, "/", bits.OnesCount(uint(weeks)))
					}
					got = append(got, text)
				}
				require.NoError(t, rows.Err())
				assert.Equal(t, c.want, strings.Join(got, " "))
				for _, table := range []string{"verso_usage", "verso_usage_clients", "verso_usage_routes", "verso_usage_days"} {
					assert.Equal(t, sum, countOf(t, d, `SELECT sum(requests) FROM `+table), table)
				}
				assert.Contains(t, processes[0].get("format=openmetrics").Body.String(), "verso_usage_names 3\n")
			})
		})
	}
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
					p.answer(t, "level=summary")
					p.Observe(t.Context(), call("v2", "stays", "/users", at))
				}
				require.Eventually(t, func() bool {
					var n int
					err := db.QueryRow(`SELECT count(*) FROM verso_usage_left WHERE day = $1`, at.Format(time.DateOnly)).Scan(&n)
					return err == nil && n == 1
				}, time.Minute, 10*time.Millisecond)
				assert.Zero(t, countOf(t, d, `SELECT count(*) FROM verso_usage_clients WHERE version = 'v2' AND since < 0`), "v2 has no end")
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
