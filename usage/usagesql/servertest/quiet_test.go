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
// know; a process of that release, which does not write it, may run beside.
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
		play(months(3)[:2]) // 1 Sep, 1 Oct
		_, err := open(t, d).Exec(`DROP TABLE verso_usage_clients`)
		require.NoError(t, err)
		play(months(1)) // 1 Nov
		clock.Set(noon)
		p := start(t, d, withClock(clock.Now))
		every, next := p.quietOf(t) // the first and the last request, and 30 days: 1 Sep, 1 Oct, 1 Nov
		assert.Equal(t, "monthly 2026-12-01", every+" "+next)
		_, err = open(t, d).Exec(`DELETE FROM verso_usage_clients`) // as if the earlier release had merged all of it
		require.NoError(t, err)
		every, _ = p.quietOf(t)
		assert.NotEmpty(t, every)
	})
}
