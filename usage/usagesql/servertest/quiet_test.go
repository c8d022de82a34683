package servertest

import (
	"database/sql"
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/core/versotest"
)

// months are the first days of months before noon.
func months(n int) (all []time.Time) {
	for i := range n {
		all = append(all, time.Date(2026, time.Month(11-n+1+i), 1, 9, 0, 0, 0, time.UTC))
	}
	return all
}

// quietOf returns what a gate says of the only client that is a reason.
func (p *process) quietOf(t *test) (every, next string) {
	t.Helper()
	response := p.get("ready=v1")
	require.Equal(t, http.StatusConflict, response.Code, response.Body)
	var got struct {
		Clients []struct {
			Every string
			Next  time.Time `json:"next_expected"`
		}
		Unseen string
	}
	require.NoError(t, json.Unmarshal(response.Body.Bytes(), &got))
	require.Len(t, got.Clients, 1, response.Body)
	return got.Clients[0].Every, got.Clients[0].Next.Format(time.DateOnly)
}

// TestQuiet: a monthly job is known after a year, across processes and restarts, and when
// counting began too.
func TestQuiet(t *testing.T) {
	onEach(t, func(t *test, d database) {
		clock := versotest.NewClock(time.Time{})
		for _, at := range months(12) {
			clock.Set(at)
			p := start(t, d, withClock(clock.Now)) // each is a process of its own
			p.Observe(t.Context(), call("v1", "monthly", "/users", at))
			p.answer(t, "level=summary")
			p.end(t)
		}
		clock.Set(noon)
		p := start(t, d, withClock(clock.Now))
		every, next := p.quietOf(t)
		assert.Equal(t, "monthly 2026-12-01", every+" "+next)
		assert.Contains(t, p.get("").Body.String(), `"since":"2025-12-01T09:00:00Z"`)
		assert.Equal(t, 1, countOf(t, d, `SELECT count(*) FROM verso_usage_clients`))
	})
}

// TestForgottenRoute: the route on which a later version served the client before is deleted since. Its
// only call of v1 was not replaced, as all forms of the page say.
func TestForgottenRoute(t *testing.T) {
	onEach(t, func(t *test, d database) {
		clock := versotest.NewClock(noon.AddDate(0, 0, -420))
		p := start(t, d, withClock(clock.Now))
		p.answer(t, "level=summary")
		for i, ago := range []int{410, 100, 50, 33, 20, 0} {
			clock.Set(noon.AddDate(0, 0, -ago))
			if ago > 0 {
				p.Observe(t.Context(), call([]string{"v2", "v1", "v2"}[min(i, 2)], "acme", []string{"/x", "/x", "/y"}[min(i, 2)], clock.Now()))
			}
			p.answer(t, "level=summary")
		}
		for query, want := range map[string]string{"ready=v1": `"why":"quiet"`, "": `"group":"quiet"`, "client=acme": `"group":"quiet"`, "format=csv": ",quiet,"} {
			assert.Contains(t, p.answer(t, query).Body.String(), want, query)
		}
	})
}

// TestTablesOfEarlierRelease: they are refused, with what to do, and the service goes on. Once they
// are dropped, nothing that was counted since the start is lost.
func TestTablesOfEarlierRelease(t *testing.T) {
	for name, made := range map[string]func(t *test, d database) []string{
		"without columns": func(*test, database) []string {
			return []string{
				`CREATE TABLE verso_usage_schema (id integer PRIMARY KEY, version integer NOT NULL, merged bigint NOT NULL)`,
				`INSERT INTO verso_usage_schema VALUES (1, 1, 0)`,
				`CREATE TABLE verso_usage_clients (version text NOT NULL, client text NOT NULL, other_client boolean NOT NULL, week bigint NOT NULL, weeks bigint NOT NULL, PRIMARY KEY (version, client, other_client))`,
			}
		},
		"with another column": func(t *test, d database) []string {
			start(t, d).answer(t, "")
			return []string{`ALTER TABLE verso_usage_clients RENAME COLUMN served TO first_served`}
		},
	} {
		t.Run(name, func(t *testing.T) {
			onEach(t, func(t *test, d database) {
				db := open(t, d)
				for _, statement := range made(t, d) {
					_, err := db.Exec(statement)
					require.NoError(t, err)
				}
				p := start(t, d)
				p.Observe(t.Context(), call("v1", "acme", "/users", noon))
				const want = "the tables are of an earlier release, whose counts this one does not read: drop all tables whose names begin with verso_usage, and they are made again"
				for _, query := range []string{"format=html", "ready=v1", "format=openmetrics", "client=acme", "format=csv"} {
					response := p.get(query)
					assert.Equal(t, http.StatusServiceUnavailable, response.Code, query)
					assert.Equal(t, want+"\n", response.Body.String(), query)
				}
				assert.Equal(t, 1, p.log.count("usage_not_written"), "once: %s", p.log)
				assert.Contains(t, p.log.String(), want)
				dropTables(t, db)
				p.answer(t, "")
				assert.Equal(t, 1, merged(t, d)["acme"])
			})
		})
	}
}

// dropTables drops all tables of a store.
func dropTables(t *test, db *sql.DB) {
	for _, table := range []string{"_schema", "_writers", "_hours", "_batches", "", "_days", "_clients", "_routes", "_left", "_exceptions", "_clocks"} {
		_, err := db.Exec(`DROP TABLE IF EXISTS verso_usage` + table)
		require.NoError(t, err)
	}
}

// TestTablesDropped: tables that are gone under a running process, as after a restore, are made again.
func TestTablesDropped(t *testing.T) {
	onEach(t, func(t *test, d database) {
		db := open(t, d)
		p := start(t, d)
		p.Observe(t.Context(), call("v1", "before", "/users", noon))
		p.answer(t, "")
		dropTables(t, db)
		p.Observe(t.Context(), call("v1", "after", "/users", noon))
		p.answer(t, "")
		p.end(t)
		all := merged(t, d)
		assert.Equal(t, 1, all["after"])
		assert.Zero(t, all["before"])
	})
}

// TestRouteLeft: a store knows in which weeks a client called each route, also if the clock of the service is years
// behind that of the database.
func TestRouteLeft(t *testing.T) {
	onEach(t, func(t *test, d database) {
		clock := versotest.NewClock(noon.AddDate(-2, 0, 0))
		p := start(t, d, withClock(clock.Now))
		for week := range 22 { // a web shop that moves, and a monthly job that does not
			if week%5 == 0 && week <= 10 {
				p.Observe(t.Context(), call("v1", "acme", "/report", clock.Now()))
			}
			p.Observe(t.Context(), call([]string{"v1", "v2"}[week/12], "acme", "/shop", clock.Now()))
			p.merge(t, d)
			clock.Set(clock.Now().AddDate(0, 0, 7))
		}
		assert.Contains(t, p.answer(t, "format=html").Body.String(), "GET /report: last called on 30 Jan 2025, monthly, next expected about 2 Mar 2025, not in v2 since")
		assert.Contains(t, p.answer(t, "ready=v1").Body.String(), "acme (GET /report: not in v2 since 30 Jan 2025)")
		p.end(t)
	})
}
