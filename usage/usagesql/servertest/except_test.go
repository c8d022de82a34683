package servertest

import (
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/core/versotest"
	"github.com/goverso/verso/usage"
)

// TestExceptions: all processes know an exception, until the client calls again or it is taken back. It needs no counts, and no
// tables from before.
func TestExceptions(t *testing.T) {
	onEach(t, func(t *test, d database) {
		clock := versotest.NewClock(noon.AddDate(0, 0, -40))
		first, second := start(t, d, withClock(clock.Now)), start(t, d, withClock(clock.Now))
		e := usage.Exception{Version: "v1", Client: "acme", By: "Ann", Note: "shut down\x00"}
		require.NoError(t, first.Except(t.Context(), e), "the tables are made")
		first.Observe(t.Context(), call("v1", "acme", "/users", clock.Now()))
		clock.Set(noon)
		ready := func(want int, text string) {
			t.Helper()
			for _, p := range []*process{first, second} {
				got := p.get("ready=v1")
				assert.Equal(t, want, got.Code)
				assert.Contains(t, got.Body.String(), text)
			}
		}
		const quiet = `1 quiet client has not moved, and may call it again: acme`
		ready(409, quiet)
		_, err := open(t, d).Exec(`DROP TABLE verso_usage_exceptions`)
		require.NoError(t, err)
		require.NoError(t, second.Except(t.Context(), e), "it is made")
		got := second.get("ready=v1").Body.String()
		assert.Contains(t, got, `"why":"exception","exceptions":[{"version":"v1","client":"acme","kind":"moved","by":"Ann","note":"shut down`+"\uFFFD"+`","time":"2026-11-21T12:00:00Z"}]`)
		assert.NotContains(t, got, quiet)
		assert.Contains(t, first.get("format=openmetrics").Body.String(), `verso_usage_clients{version="v1",state="moved"} 1`)
		require.NoError(t, first.TakeBack(t.Context(), e))
		ready(409, quiet)
		require.ErrorIs(t, first.TakeBack(t.Context(), e), usage.ErrNoException)
		require.ErrorContains(t, first.Except(t.Context(), usage.Exception{Version: "v1", Client: "acme"}), "By")
		require.NoError(t, first.Except(t.Context(), e))
		require.NoError(t, second.Except(t.Context(), usage.Exception{Version: "v1", Client: "acme", By: "Bob"}), "in its place")
		assert.Contains(t, first.get("ready=v1").Body.String(), `"by":"Bob"`)
		clock.Advance(time.Minute)
		first.Observe(t.Context(), call("v1", "acme", "/users", clock.Now()))
		ready(409, `1 client has called it in the last 30 days: acme`)
	})
}

// TestAcceptedIsRecorded: each day has how many clients may break.
func TestAcceptedIsRecorded(t *testing.T) {
	onEach(t, func(t *test, d database) {
		clock := versotest.NewClock(noon.AddDate(0, 0, -3))
		p := start(t, d, withClock(clock.Now))
		p.Observe(t.Context(), call("v1", "monitor", "/health", clock.Now()))
		clock.Set(noon)
		require.NoError(t, p.Except(t.Context(), usage.Exception{Version: "v1", Client: "monitor", Kind: usage.MayBreak, Until: noon.AddDate(0, 1, 0), By: "Ann"}))
		judged, err := p.Handler(nil).Judge(t.Context(), slog.New(slog.DiscardHandler))
		require.NoError(t, err)
		require.Len(t, judged, 1)
		assert.Equal(t, usage.Left{Day: "2026-11-21", Version: "v1", Accepted: 1}, judged[0].Left)
		_, err = open(t, d).Exec(`INSERT INTO verso_usage_left VALUES ('2026-11-20', 'v1', 0, 0, 0, 0, 0, 0, 7)`)
		require.NoError(t, err)
		assert.Contains(t, p.get("at=2026-11-20").Body.String(), `"accepted":7`)
	})
}
