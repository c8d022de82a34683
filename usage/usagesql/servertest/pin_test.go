package servertest

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"iter"
	"math/rand/v2"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/core/versotest"
	"github.com/goverso/verso/usage"
)

// somePins pins each version for a third of the clients, and for some that were never counted.
func somePins(seed uint64, clients int) func(context.Context, string) iter.Seq2[usage.Pin, error] {
	return func(_ context.Context, version string) iter.Seq2[usage.Pin, error] {
		r := rand.New(rand.NewPCG(seed, uint64(version[1])))
		return func(yield func(usage.Pin, error) bool) {
			for i := range clients + 10 {
				if r.IntN(3) == 0 && !yield(usage.Pin{Client: fmt.Sprint("client ", i), For: fmt.Sprint("receiver ", i), Since: noon.AddDate(0, 0, -r.IntN(3)), Account: r.IntN(3) == 0}, nil) {
					return
				}
			}
		}
	}
}

// withPins lets the store read pins of v1 from a table of the same database.
func withPins(db *sql.DB) configure {
	return func(c *settings) {
		c.DB = db
		c.Pinned = func(ctx context.Context, version string) iter.Seq2[usage.Pin, error] {
			return func(yield func(usage.Pin, error) bool) {
				rows, err := db.QueryContext(ctx, "SELECT client, url FROM receivers WHERE version = $1 ORDER BY client", version)
				if err != nil {
					yield(usage.Pin{}, err)
					return
				}
				defer rows.Close()
				for rows.Next() {
					var pin usage.Pin
					if err := rows.Scan(&pin.Client, &pin.For); !yield(pin, err) {
						return
					}
				}
				if err := rows.Err(); err != nil {
					yield(usage.Pin{}, err)
				}
			}
		}
	}
}

// The receivers may be in the same database, with one connection. Of what is pinned, only the
// number is stored, and the warning of the background knows it.
func TestPins(t *testing.T) {
	onEach(t, func(t *test, d database) {
		db := open(t, d)
		db.SetMaxOpenConns(1)
		_, err := db.Exec("CREATE TABLE receivers (client text, url text, version text)")
		require.NoError(t, err)
		_, err = db.Exec("INSERT INTO receivers VALUES ('moved', 'https://a', 'v1'), ('never', 'https://b', 'v1'), ('never', 'https://c', 'v2')")
		require.NoError(t, err)
		clock := versotest.NewClock(noon.AddDate(0, 0, -60))
		p := start(t, d, withClock(clock.Now), withPins(db))
		for day := range 61 {
			clock.Set(noon.AddDate(0, 0, day-60))
			version := "v1"
			if day > 20 {
				version = "v2"
			}
			p.Observe(t.Context(), call(version, "moved", "/users", clock.Now()))
			p.get("level=summary")
		}
		response := p.get("ready=v1")
		require.Equal(t, http.StatusConflict, response.Code, response.Body)
		var got struct{ Reasons []string }
		require.NoError(t, json.Unmarshal(response.Body.Bytes(), &got))
		assert.Equal(t, []string{"2 clients have it pinned: moved (https://a), never (https://b)"}, got.Reasons)
		assert.Equal(t, http.StatusOK, p.get("ready=v1&except=moved&except=never").Code)
		response = p.get("client=never&format=json")
		assert.Equal(t, http.StatusOK, response.Code, response.Body)
		assert.Contains(t, response.Body.String(), `"pins":[{"for":"https://b"}]`)
		assert.Contains(t, p.get("clients=v1&format=csv").Body.String(), "v1,never,,,,0,0,,,pinned,,,,,https://b\n")

		clock.Advance(24 * time.Hour)
		background := start(t, d, withClock(clock.Now), withPins(db), every(20*time.Millisecond))
		background.Observe(t.Context(), call("v2", "moved", "/users", clock.Now()))
		require.Eventually(t, func() bool {
			return countOf(t, d, "SELECT count(*) FROM verso_usage_left") > 0
		}, time.Minute, 20*time.Millisecond)
		assert.Contains(t, background.log.String(), "2 of 2 clients have it pinned.")
		background.end(t)
		assert.Equal(t, 2, countOf(t, d, "SELECT max(pinned) FROM verso_usage_left"))
		for _, table := range []string{"verso_usage", "verso_usage_clients"} {
			assert.Zero(t, countOf(t, d, "SELECT count(*) FROM "+table+" WHERE client = 'never'"), table)
		}
		_, err = db.Exec("DROP TABLE receivers")
		require.NoError(t, err)
		response = p.get("ready=v1")
		assert.Equal(t, http.StatusConflict, response.Code, response.Body)
		assert.Contains(t, response.Body.String(), "not all that is pinned to it is known")
	})
}

// TestPinsAtTheBound has 100,000 pins: of accounts, only what was never counted is a reason.
func TestPinsAtTheBound(t *testing.T) {
	onEach(t, func(t *test, d database) {
		const pins, counted = 100_000, 200
		pinned := func(_ context.Context, version string) iter.Seq2[usage.Pin, error] {
			return func(yield func(usage.Pin, error) bool) {
				for i := range pins {
					if version != "v1" || !yield(usage.Pin{Client: fmt.Sprint("client ", i), For: "receiver", Account: i%4 == 0}, nil) {
						return
					}
				}
			}
		}
		p := start(t, d, func(c *settings) { c.Pinned = pinned })
		for i := range counted { // every second one in v1, with all accounts
			p.Observe(t.Context(), call([]string{"v1", "v2"}[i%2], fmt.Sprint("client ", i), "/users", noon))
		}
		response := p.get("ready=v1")
		assert.Equal(t, http.StatusConflict, response.Code)
		var got struct{ Reasons []string }
		require.NoError(t, json.Unmarshal(response.Body.Bytes(), &got))
		assert.Contains(t, got.Reasons[0], "99,900 clients have it pinned: ")
	})
}
