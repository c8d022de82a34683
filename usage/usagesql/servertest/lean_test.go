package servertest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/versotest"
	"github.com/goverso/verso/usage"
)

// TestLeanIsTheSame: what the page says from a row for each client is what it says from all rows.
func TestLeanIsTheSame(t *testing.T) {
	onEach(t, func(t *test, d database) {
		for seed := range uint64(5) {
			r := rand.New(rand.NewPCG(seed, 7))
			versions := catalogue.MustNew(catalogue.Config{AfterSunset: catalogue.Gone, Versions: []catalogue.Entry{
				{Version: "v1", Deprecated: noon.AddDate(0, -8, 0), Sunset: noon.AddDate(0, 0, 9-20*int(seed%2)), Successor: "v2", Brownouts: []catalogue.Brownout{{From: noon.AddDate(0, 0, -12), Until: noon.AddDate(0, 0, -11)}}},
				{Version: "v2", Deprecated: noon.AddDate(0, -1, 0), Successor: "v3"}, {Version: "v3"},
			}})
			d := d
			if seed > 0 { // an empty one
				if d.driver == "pgx" {
					d = newPostgreSQL(t)
				} else {
					d = newSQLite(t)
				}
			}
			days := 20 + r.IntN(420)
			if seed == 4 { // so long that routes are forgotten, with the client screen only
				days = usage.KeepDays + 30
			}
			clock := versotest.NewClock(noon.AddDate(0, 0, -days))
			with := func(c *settings) { c.Catalogue, c.MaxClients = versions, usage.MaxClients }
			ps := []*process{start(t, d, withClock(clock.Now), with), start(t, d, withClock(clock.Now), with)}
			memory := usage.NewTable(&verso.Config{Catalogue: versions, Clock: clock.Now})
			type client struct {
				every, offset, moves int
			}
			clients := make([]client, 40)
			if seed == 4 {
				clients = nil
			}
			for i := range clients {
				clients[i] = client{[]int{1, 1, 3, 7, 14, 30, 61, 91, 182, 365}[r.IntN(10)], r.IntN(60), r.IntN(days + 60)}
			}
			for day := range days + 1 {
				clock.Set(noon.AddDate(0, 0, day-days))
				for i, c := range clients {
					if (day+c.offset)%c.every != 0 {
						continue
					}
					for range 1 + r.IntN(3) {
						o := call([]string{"v1", "v2", "v3", "v1", ""}[r.IntN(5)], fmt.Sprint("client ", i), fmt.Sprint("/", r.IntN(5)), clock.Now())
						if i == 7 {
							o.Client = ""
						}
						if day > c.moves && r.IntN(9) > 0 {
							o.Version = verso.V([]string{"v2", "v3"}[r.IntN(2)])
						}
						if r.IntN(6) == 0 {
							o.Outcome = "version_gone"
						}
						p := ps[r.IntN(2)]
						p.Observe(t.Context(), o)
						memory.Observe(t.Context(), o)
					}
				}
				if seed == 4 { // a person at a screen, and a rarer job: it is not known any more that forgotten routes have moved
					screen := func(version, route string) {
						o := call(version, "screen", route, clock.Now())
						ps[day%2].Observe(t.Context(), o)
						memory.Observe(t.Context(), o)
					}
					switch {
					case day < 3:
						screen("v1", fmt.Sprint("/rare/", day))
					case 60 <= day && day < 63:
						screen("v2", fmt.Sprint("/rare/", day-60))
					case day == 250:
						screen("v1", "/report")
					case day%7 == 0 && day < 300:
						screen("v1", "/orders")
					case day%7 == 0:
						screen("v2", "/orders")
					}
				}
				if day == days-20 { // some are excepted, of which some call again
					for i := range clients {
						e := usage.Exception{Version: "v1", Client: fmt.Sprint("client ", i), Route: []string{"", "GET /2", "GET /3"}[i%3], By: "Ann"}
						if i%2 == 0 {
							require.NoError(t, ps[day%2].Except(t.Context(), e))
							require.NoError(t, memory.Except(e))
						}
					}
				}
				if r.IntN(6) == 0 {
					ps[r.IntN(2)].get("ready=v1")
				}
			}
			for _, p := range ps {
				p.get("ready=v1")
			}
			if seed == 3 { // some is not merged: the page reads the batches
				_, err := open(t, d).Exec(`UPDATE verso_usage_batches SET refused = $1`, true)
				require.NoError(t, err)
			}
			get := func(p *usage.Page, query string) string {
				w := httptest.NewRecorder()
				p.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/usage?"+query, nil))
				return fmt.Sprint(w.Code, "\n", w.Body.String())
			}
			lean, full, alone := ps[0].Handler(nil), ps[0].Handler(nil), memory.Handler(nil)
			full.Open, full.Read = nil, func(ctx context.Context) (usage.Snapshot, error) {
				reader, err := lean.Open(ctx)
				if err != nil {
					return usage.Snapshot{}, err
				}
				defer reader.Close()
				return reader.All(ctx)
			}
			if seed > 0 && seed < 4 {
				lean.Pinned = somePins(seed, len(clients))
				full.Pinned, alone.Pinned = lean.Pinned, lean.Pinned
			}
			queries := []string{"format=html", "format=openmetrics", "ready=v1", "ready=v2", "ready=v3", "ready=v1&except=client+3&unknown=20&quiet=90", "format=csv", "clients=v1&format=html", "clients=v2&format=html&state=quiet",
				"clients=v1&format=csv&state=moved", "clients=v9", "client=nobody", "letters=v1&format=csv", "letters=v2", "letters=v1&state=moved", "letters=v3", "clients=v1&format=csv&state=breaks"}
			for i := range clients {
				queries = append(queries, fmt.Sprint("format=json&client=client+", i))
			}
			for _, query := range queries {
				want := get(full, query)
				assert.Equal(t, want, get(lean, query), "%d days, seed %d: %s", days, seed, query)
				if query == "format=openmetrics" {
					assert.Equal(t, ofVersions(get(alone, query)), ofVersions(want), query)
				}
			}
		}
	})
}
