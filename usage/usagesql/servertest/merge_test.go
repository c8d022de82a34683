package servertest

import (
	"encoding/json"
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/core/versotest"
	"github.com/goverso/verso/usage"
)

// TestMerge: what the row of a client has after each of some batches.
func TestMerge(t *testing.T) {
	past := noon.AddDate(-3, 0, 0) // of the server, too
	at := func(ago int) int64 { return past.AddDate(0, 0, -ago).Unix() }
	week := func(ago int) int64 { return usage.WeekOf(at(ago)) }
	count := func(ago ...int) usage.Count { // a request on each day, the latest last
		n := usage.Count{Version: "v1", Client: "acme", Method: "GET", Route: "/users", Requests: uint64(len(ago)), First: at(ago[0]), Last: at(ago[len(ago)-1])}
		for _, ago := range ago {
			n.Days = append(n.Days, usage.DayCount{Day: past.AddDate(0, 0, -ago).Format(time.DateOnly), Requests: 1})
		}
		return n
	}
	rejected := func(n usage.Count) usage.Count { n.Rejected = true; return n }
	timeless := func(n usage.Count) usage.Count { n.First, n.Last = 0, 0; return n }
	days := func(ago ...int) string {
		sums := map[string]int{}
		for _, ago := range ago {
			sums[past.AddDate(0, 0, -ago).Format(time.DateOnly)]++
		}
		text, _ := json.Marshal(sums)
		return string(text)
	}
	type row struct {
		Week, Weeks                int64
		Requests, Rejections       int
		First, Last, Served, Last2 int64
		Days, RejectedDays         string
		Since                      int64
	}
	for _, c := range []struct {
		name    string
		batches [][]usage.Count
		between string // a statement after the first batch, or how many days that comes before the others
		want    row
	}{
		{"a request", [][]usage.Count{{count(0)}}, "", row{week(0), 1, 1, 0, at(0), at(0), 1, at(0), days(0), "{}", at(0)}},
		{"two on a day", [][]usage.Count{{count(0)}, {count(0)}}, "", row{week(0), 1, 2, 0, at(0), at(0), 1, at(0), days(0, 0), "{}", at(0)}},
		{"a week later", [][]usage.Count{{count(14)}, {count(0)}}, "", row{week(0), 5, 2, 0, at(14), at(0), 5, at(0), days(14, 0), "{}", at(14)}},
		{"a week before", [][]usage.Count{{count(0)}, {count(14)}}, "", row{week(0), 5, 2, 0, at(14), at(0), 5, at(0), days(14, 0), "{}", at(14)}},
		{"57 weeks before", [][]usage.Count{{count(210, 0)}, {count(7 * 57)}}, "", row{week(0), 1<<57 + 1<<30 + 1, 3, 0, at(7 * 57), at(0), 1<<57 + 1<<30 + 1, at(0), days(0), "{}", at(7 * 57)}},
		{"57 weeks later", [][]usage.Count{{count(7 * 57)}, {count(210, 0)}}, "", row{week(0), 1<<57 + 1<<30 + 1, 3, 0, at(7 * 57), at(0), 1<<57 + 1<<30 + 1, at(0), days(0), "{}", at(7 * 57)}},
		{"58 weeks later", [][]usage.Count{{count(7*60, 7*58)}, {count(210, 0)}}, "", row{week(0), 1<<30 + 1, 4, 0, at(7 * 60), at(0), 1<<30 + 1, at(0), days(0), "{}", at(7 * 60)}},
		{"58 weeks before", [][]usage.Count{{count(210, 0)}, {count(7 * 58)}}, "", row{week(0), 1<<30 + 1, 3, 0, at(7 * 58), at(0), 1<<30 + 1, at(0), days(0), "{}", at(7 * 58)}},
		{"after 400 days", [][]usage.Count{{count(401, 400)}, {count(0)}}, "", row{week(0), 1 | 1<<(week(0)-week(400)) | 1<<(week(0)-week(401)), 3, 0, at(401), at(0), 1 | 1<<(week(0)-week(400)) | 1<<(week(0)-week(401)), at(0), days(0), "{}", at(401)}},
		{"after 401 days", [][]usage.Count{{count(402, 401)}, {count(0)}}, "", row{week(0), 1 | 1<<(week(0)-week(401)) | 1<<(week(0)-week(402))&(1<<usage.KeepWeeks-1), 1, 0, at(0), at(0), 1 | 1<<(week(0)-week(401)) | 1<<(week(0)-week(402))&(1<<usage.KeepWeeks-1), at(0), days(0), "{}", at(0)}},
		{"after 401 days, rejected", [][]usage.Count{{rejected(count(401))}, {rejected(count(0))}}, "", row{week(0), 1 | 1<<(week(0)-week(401)), 1, 1, at(0), at(0), 0, 0, days(0), days(0), at(0)}},
		{"after 401 days, in the other order", [][]usage.Count{{count(0)}, {count(401)}}, "", row{week(0), 1 | 1<<(week(0)-week(401)), 1, 0, at(0), at(0), 1 | 1<<(week(0)-week(401)), at(0), days(0), "{}", at(0)}},
		{"after 401 days, in one batch", [][]usage.Count{{count(0), count(401)}}, "", row{week(0), 1 | 1<<(week(0)-week(401)), 1, 0, at(0), at(0), 1 | 1<<(week(0)-week(401)), at(0), days(0), "{}", at(0)}},
		{"the last of 30 days", [][]usage.Count{{count(29)}, {count(0)}}, "", row{week(0), 1 | 1<<(week(0)-week(29)), 2, 0, at(29), at(0), 1 | 1<<(week(0)-week(29)), at(0), days(29, 0), "{}", at(29)}},
		{"a day before these", [][]usage.Count{{count(31, 30, 29)}, {count(0)}}, "", row{week(0), 1 | 1<<(week(0)-week(29)) | 1<<(week(0)-week(31)), 4, 0, at(31), at(0), 1 | 1<<(week(0)-week(29)) | 1<<(week(0)-week(31)), at(0), days(29, 0), "{}", at(31)}},
		{"two days at once", [][]usage.Count{{count(2)}, {count(3, 3, 1)}}, "", row{week(1), 1 | 1<<(week(1)-week(3)), 4, 0, at(3), at(1), 1 | 1<<(week(1)-week(3)), at(1), days(3, 3, 2, 1), "{}", at(3)}},
		{"one of three days is too old", [][]usage.Count{{count(30, 29)}, {count(0)}}, "1", row{week(0), 1 | 1<<(week(0)-week(29)) | 1<<(week(0)-week(30)), 3, 0, at(30), at(0), 1 | 1<<(week(0)-week(29)) | 1<<(week(0)-week(30)), at(0), days(29, 0), "{}", at(30)}},
		{"two of four are", [][]usage.Count{{count(31, 30, 29)}, {count(0)}}, "2", row{week(0), 1 | 1<<(week(0)-week(29)) | 1<<(week(0)-week(31)), 4, 0, at(31), at(0), 1 | 1<<(week(0)-week(29)) | 1<<(week(0)-week(31)), at(0), days(29, 0), "{}", at(31)}},
		{"then a number without a time", [][]usage.Count{{count(1)}, {timeless(count(0))}}, "", row{week(0), 1 | 1<<(week(0)-week(1)), 2, 0, at(1), at(1), 1 | 1<<(week(0)-week(1)), at(1), days(1, 0), "{}", at(1)}},
		{"first a number without a time", [][]usage.Count{{timeless(count(1))}, {count(0)}}, `UPDATE verso_usage_clients SET since = 7`, row{week(0), 1 | 1<<(week(0)-week(1)), 2, 0, at(0), at(0), 1 | 1<<(week(0)-week(1)), at(0), days(1, 0), "{}", 7}},
		{"two batches at once", [][]usage.Count{{count(2), count(3, 1)}}, "", row{week(1), 1 | 1<<(week(1)-week(3)), 3, 0, at(3), at(1), 1 | 1<<(week(1)-week(3)), at(1), days(3, 2, 1), "{}", at(3)}},
		{"rejected", [][]usage.Count{{count(1)}, {rejected(count(2, 0))}}, "", row{week(0), 1 | 1<<(week(0)-week(2)), 3, 2, at(2), at(0), 1 << (week(0) - week(1)), at(1), days(2, 1, 0), days(2, 0), at(2)}},
		{"served later", [][]usage.Count{{rejected(count(2))}, {count(0)}}, "", row{week(0), 1 | 1<<(week(0)-week(2)), 2, 1, at(2), at(0), 1, at(0), days(2, 0), days(2), at(2)}},
		{"a time, and no number", [][]usage.Count{{{Version: "v1", Client: "acme", First: at(1), Last: at(0)}}, {count(0)}}, "", row{week(0), 1, 1, 0, at(1), at(0), 1, at(0), days(0), "{}", at(1)}},
		{"safe, and called again", [][]usage.Count{{count(20)}, {count(0)}}, `UPDATE verso_usage_clients SET since = -7`, row{week(0), 1 | 1<<(week(0)-week(20)), 2, 0, at(20), at(0), 1 | 1<<(week(0)-week(20)), at(0), days(20, 0), "{}", at(0)}},
		{"breaks, and called again", [][]usage.Count{{count(20)}, {count(0)}}, `UPDATE verso_usage_clients SET since = 7`, row{week(0), 1 | 1<<(week(0)-week(20)), 2, 0, at(20), at(0), 1 | 1<<(week(0)-week(20)), at(0), days(20, 0), "{}", 7}},
	} {
		t.Run(c.name, func(t *testing.T) {
			onEach(t, func(t *test, d database) {
				before, betweenErr := strconv.Atoi(c.between)
				clock := versotest.NewClock(past.AddDate(0, 0, -before))
				p := start(t, d, withClock(clock.Now))
				p.answer(t, "ready=v1") // makes the tables
				for i, batch := range c.batches {
					text, err := json.Marshal(batch)
					require.NoError(t, err)
					_, err = open(t, d).Exec(`INSERT INTO verso_usage_batches (id, counts, refused) VALUES ($1, $2, $3)`, fmt.Sprint("b", i), string(text), false)
					require.NoError(t, err)
					p.merge(t, d)
					clock.Set(past)
					if i == 0 && c.between != "" && betweenErr != nil {
						_, err = open(t, d).Exec(c.between)
						require.NoError(t, err)
					}
				}
				var got row
				require.NoError(t, open(t, d).QueryRow(`SELECT week, weeks, requests, rejections, first_seen, last_seen, served, last_served, days, rejected_days, since FROM verso_usage_clients`).
					Scan(&got.Week, &got.Weeks, &got.Requests, &got.Rejections, &got.First, &got.Last, &got.Served, &got.Last2, &got.Days, &got.RejectedDays, &got.Since))
				assert.Equal(t, c.want, got)
				for _, table := range []string{"verso_usage", "verso_usage_routes"} {
					assert.Equal(t, got.Requests, countOf(t, d, `SELECT sum(requests) FROM `+table), table)
					assert.EqualValues(t, got.First, countOf(t, d, `SELECT min(first_seen) FROM `+table), table)
					assert.EqualValues(t, got.Last, countOf(t, d, `SELECT max(last_seen) FROM `+table), table)
				}
			})
		})
	}
}

// TestAhead: a day after tomorrow and a time ahead come from a wrong clock, and count as now, by the
// clock of the server.
func TestAhead(t *testing.T) {
	onEach(t, func(t *test, d database) {
		f := new(faults)
		f.ahead.Store(noon.Unix() - time.Now().Unix()) // it is noon, wherever the day of the machine ends
		p := start(t, d, withDB(openFaulty(t, d, f)), withClock(versotest.NewClock(noon.AddDate(0, 0, -2)).Now))
		p.answer(t, "ready=v1")
		for i, days := range []int{0, 1, 3} {
			_, err := open(t, d).Exec(`INSERT INTO verso_usage_batches (id, counts, refused) VALUES ($1, $2, $3)`, fmt.Sprint("b", i),
				fmt.Sprintf(`[{"version":"v1","client":"c%d","requests":1,"days":[{"day":%q,"requests":1}],"first":%[3]d,"last":%[3]d}]`, days, noon.AddDate(0, 0, days).Format(time.DateOnly), noon.AddDate(0, 0, 9).Unix()), false)
			require.NoError(t, err)
		}
		p.merge(t, d)
		for _, seen := range []string{`SELECT max(last_seen) FROM verso_usage_clients`, `SELECT max(first_seen) FROM verso_usage`} {
			assert.InDelta(t, noon.Unix(), countOf(t, d, seen), 60*60, seen)
		}
		assert.Equal(t, 1, countOf(t, d, `SELECT requests FROM verso_usage_days WHERE day = '2026-11-22'`))
		assert.Equal(t, 2, countOf(t, d, `SELECT requests FROM verso_usage_days WHERE day = '2026-11-21'`))
	})
}

// TestKept: which rows the first merge of a day deletes, and what it leaves.
func TestKept(t *testing.T) {
	onEach(t, func(t *test, d database) {
		clock := versotest.NewClock(noon.AddDate(-3, 0, 0)) // the past of the server, too
		p := start(t, d, withClock(clock.Now))
		p.answer(t, "ready=v1")
		at := func(ago int) time.Time { return clock.Now().AddDate(0, 0, -ago) }
		insert := func() {
			_, err := open(t, d).Exec(fmt.Sprintf(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000) INSERT INTO verso_usage
				SELECT 'v1', 'many', '', i || '', false, false, false, 1, 1, %d, '{}' FROM n WHERE true ON CONFLICT DO NOTHING`, at(431).Unix()))
			require.NoError(t, err)
			for _, ago := range []int{89, 90, 91, 429, 430, 431, 438, 836, 837} {
				day, second := at(ago).Format(time.DateOnly), at(ago).Unix()
				for _, statement := range []string{
					fmt.Sprintf(`verso_usage_days VALUES ('%s', 'v1', false, 1)`, day),
					fmt.Sprintf(`verso_usage_left VALUES ('%s', 'v1', 1, 0, 0, 0, 0, 0, 0)`, day),
					fmt.Sprintf(`verso_usage_hours VALUES (%d, %d)`, second/3600, second),
					fmt.Sprintf(`verso_usage_writers VALUES ('right%d', 'a', 1, %d, true)`, ago, second),
					fmt.Sprintf(`verso_usage_writers VALUES ('wrong%d', 'a', 1, %d, true)`, ago, second),
					fmt.Sprintf(`verso_usage_clocks VALUES ('wrong%d', 99, %d)`, ago, at(0).Unix()),
					fmt.Sprintf(`verso_usage_clocks VALUES ('clock%d', 99, %d)`, ago, second),
					fmt.Sprintf(`verso_usage_clients VALUES ('v1', 'c%d', false, %d, 1, 1, 0, %[3]d, %[3]d, %[3]d, %[3]d, '{}', '{}', 1, '')`, ago, usage.WeekOf(second), second),
					fmt.Sprintf(`verso_usage VALUES ('v1', 'c%d', '', '', false, false, false, 1, %d, %d, '{}')`, ago, second, second),
					fmt.Sprintf(`verso_usage_routes VALUES ('v1', '', 'r%d', false, false, 1, %d, %d, '{}')`, ago, second, second),
				} {
					_, err := open(t, d).Exec("INSERT INTO " + statement + " ON CONFLICT DO NOTHING")
					require.NoError(t, err, statement)
				}
			}
			for _, timeless := range []string{`verso_usage VALUES ('v1', 'no time', '', '', false, false, false, 1, 0, 0, '{}')`, `verso_usage_routes VALUES ('v1', '', 'no time', false, false, 1, 0, 0, '{}')`} {
				_, err = open(t, d).Exec(`INSERT INTO ` + timeless + ` ON CONFLICT DO NOTHING`)
				require.NoError(t, err)
			}
		}
		kept := func() (n []int) {
			for _, rows := range []string{
				"verso_usage_days", "verso_usage_hours", "verso_usage_writers WHERE id LIKE 'right%'", "verso_usage_writers WHERE id LIKE 'wrong%'", "verso_usage_clocks WHERE id LIKE 'clock%'",
				"verso_usage_left", "verso_usage_clients", "verso_usage", "verso_usage_routes",
			} {
				n = append(n, countOf(t, d, "SELECT count(*) FROM "+rows))
			}
			return n
		}
		merge := func() {
			p.Observe(t.Context(), call("v2", "", "", clock.Now()))
			require.Eventually(t, func() bool { // on a busy machine, a later merge deletes the rest
				p.merge(t, d)
				return countOf(t, d, "SELECT retained FROM verso_usage_schema") == int(clock.Now().Unix()/86400)
			}, time.Minute, time.Millisecond)
		}
		insert()
		merge() // the same day: only what each merge deletes
		assert.Equal(t, []int{1 + 1, 1 + 2 + 1, 2, 9, 2, 9, 9 + 1, 10 + 6000 + 1, 10 + 1}, kept())
		clock.Advance(24 * time.Hour)
		insert()
		merge()
		// Of the names that are there already, the rows of the day before stay: 89 is 90 now. Clients stay for other regions.
		assert.Equal(t, []int{1 + 2, 2 + 1 + 25, 1, 9, 1, 6, 7 + 1, 5 + 1, 5 + 1}, kept())
		insert()
		merge()
		assert.Equal(t, []int{3, 28, 2, 9, 2, 10, 9 + 1, 10 + 6000 + 1, 10 + 1}, kept(), "once a day")
		slow := start(t, d, withClock(versotest.NewClock(at(1)).Now))
		slow.Observe(t.Context(), call("v2", "", "", at(1)))
		slow.merge(t, d)
		assert.EqualValues(t, at(0).Unix(), countOf(t, d, "SELECT merged FROM verso_usage_schema"), "a slow clock does not begin a day again")
		fast := start(t, d, withClock(versotest.NewClock(at(-9999)).Now))
		fast.merge(t, d)
		p.merge(t, d)
		assert.Less(t, countOf(t, d, "SELECT merged FROM verso_usage_schema"), int(at(-9000).Unix()), "the days of a fast clock do not stay")
	})
}
