package servertest

import (
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
			require.Equal(t, 200, p.get("level=summary").Code)
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

// TestTablesOfEarlierRelease: tables without the calendar get it, with what the rows
// know. A monthly job that only the earlier release has seen is quiet, and its rhythm is
// known after two more months. A process of that release may run at the same time.
func TestTablesOfEarlierRelease(t *testing.T) {
	onEach(t, func(t *test, d database) {
		clock := versotest.NewClock(time.Time{})
		play := func(all []time.Time) {
			for _, at := range all {
				clock.Set(at)
				p := start(t, d, withClock(clock.Now))
				p.Observe(t.Context(), call("v1", "monthly", "/users", at))
				require.Equal(t, 200, p.get("level=summary").Code)
				p.end(t)
			}
		}
		calendar := func(expected ...string) {
			t.Helper()
			clock.Set(noon)
			p := start(t, d, withClock(clock.Now))
			every, next := p.quietOf(t)
			assert.Equal(t, expected, []string{every, next})
			page := p.get("format=html").Body.String()
			assert.Contains(t, page, "1 of 1 client may call it again.")
			assert.Equal(t, http.StatusConflict, p.get("ready=v1").Code)
			assert.NotContains(t, page, "tables are of an earlier release")
			p.end(t)
		}
		play(months(12)[:10]) // the earlier release keeps the first and the last request, and 30 days
		for _, table := range []string{"verso_usage_clients", "verso_usage_clocks"} {
			_, err := open(t, d).Exec(`DROP TABLE ` + table)
			require.NoError(t, err)
		}
		assert.Equal(t, 0, countOf(t, d, `SELECT count(*) FROM verso_usage WHERE days LIKE '%2025%'`))
		calendar("every 39 weeks", "2027-06-01")
		play(months(2))
		calendar("monthly", "2026-12-01")
		// As if the earlier release had merged all of it.
		_, err := open(t, d).Exec(`DELETE FROM verso_usage_clients`)
		require.NoError(t, err)
		calendar("every 48 weeks", "2027-10-03")
	})
}

// TestReaderOfEarlierTables: a role that may not create tables gets the page, with a note.
func TestReaderOfEarlierTables(t *testing.T) {
	d := newPostgreSQL(t)
	p := start(t, d)
	p.Observe(t.Context(), call("v1", "acme", "/users", noon.AddDate(0, 0, -20)))
	p.end(t)
	for _, table := range []string{"verso_usage_clients", "verso_usage_clocks"} {
		_, err := open(t, d).Exec(`DROP TABLE ` + table)
		require.NoError(t, err)
	}
	reader := start(t, d, withDB(open(t, database{driver: "pgx", dsn: d.dsn + "&default_transaction_read_only=on"})))
	response := reader.get("format=html")
	require.Equal(t, 200, response.Code)
	assert.Contains(t, response.Body.String(), "How often quiet clients call is not known: the tables are of an earlier release, and this process may not create tables.")
	assert.Contains(t, response.Body.String(), "1 of 1 client may call it again.")
	assert.Contains(t, reader.get("").Body.String(), `"note":"How often`)
}
