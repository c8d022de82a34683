package servertest

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/versotest"
	"github.com/goverso/verso/usage"
	"github.com/goverso/verso/usage/usagesql"
)

// TestRegions: a table, an SQLite and a PostgreSQL are three regions of one service. Their page is that of one table
// of all requests, also while some of what was counted is not merged, and after they have deleted rows.
func TestRegions(t *testing.T) {
	versions := catalogue.MustNew(catalogue.Config{AfterSunset: catalogue.Gone, Versions: []catalogue.Entry{
		{Version: "v1", Deprecated: noon.AddDate(0, -8, 0), Sunset: noon.AddDate(0, 0, 9), Successor: "v2"}, {Version: "v2"},
	}})
	for seed := range uint64(3) {
		r := rand.New(rand.NewPCG(seed, 3))
		span := 200
		if seed == 2 { // regions delete what another one knows
			span = 2*usage.KeepDays + 100
		}
		clock := versotest.NewClock(noon.AddDate(0, 0, -span))
		config := verso.Config{Catalogue: versions, Clock: clock.Now}
		one, all := config, config
		here, whole := usage.NewTable(&one), usage.NewTable(&all)
		withVersions := func(c *settings) { c.Catalogue = versions }
		databases := []database{newSQLite(t), newPostgreSQL(t)}
		var stores []*process
		for _, d := range databases {
			stores = append(stores, start(t, d, withClock(clock.Now), withVersions))
		}
		for ago := span; ago >= 0; ago-- {
			clock.Set(noon.AddDate(0, 0, -ago))
			for i := range 30 {
				if (ago+i)%[]int{1, 7, 30, 61, 91, 365}[i%6] != 0 {
					continue
				}
				o := call("v1", fmt.Sprint([]string{"client ", "Ü ", "client-"}[i%3], i), fmt.Sprint("/", r.IntN(3)), clock.Now())
				if ago < i*7 && r.IntN(6) > 0 {
					o.Version = verso.V("v2")
				}
				whole.Observe(t.Context(), o)
				switch region := r.IntN(3); region {
				case 0:
					here.Observe(t.Context(), o)
				default:
					stores[region-1].Observe(t.Context(), o)
				}
			}
			if ago%50 == 3 {
				for i, s := range stores {
					s.merge(t, databases[i])
				}
			}
		}
		stores[1].end(t) // its last batch is not merged
		require.Positive(t, countOf(t, databases[1], `SELECT count(*) FROM verso_usage_batches`))
		page := whole.Handler(nil)
		page.Open = usage.Regions{
			"ap": here.Handler(nil).Open,
			"eu": stores[0].Handler(nil).Open,
			"us": usagesql.Open(open(t, databases[1]), usagesql.PostgreSQL),
		}.Open
		own := regexp.MustCompile(`"left":\[[^\]]*\],?|"processes":\[[^\]]*\]|"news":"[^"]*"|verso_usage_(names|processes|new_clients).*\n`) // a table knows who is back only if it is asked each day
		for _, query := range []string{"ready=v1", "format=json", "format=csv", "format=openmetrics", "format=jsonl", "letters=v1", "client=%C3%9C+1"} {
			want := httptest.NewRecorder()
			whole.Handler(nil).ServeHTTP(want, httptest.NewRequest(http.MethodGet, "/usage?"+query, nil))
			got := httptest.NewRecorder()
			page.ServeHTTP(got, httptest.NewRequest(http.MethodGet, "/usage?"+query, nil))
			require.Equal(t, want.Code, got.Code, "%d %s: %s", seed, query, got.Body)
			if seed == 2 { // how many requests there were, and the first of them, is forgotten
				own = regexp.MustCompile(own.String() + `|"(requests|rejected|first_seen|first_request|news|counted_since|since)":[^,}]*|,\d+,\d{4}-[^,]*(,\d{4}-[^,]*)`)
			}
			require.Equal(t, own.ReplaceAllString(want.Body.String(), "$4"), own.ReplaceAllString(got.Body.String(), "$4"), "%d %s", seed, query)
		}
	}
}

// TestOpenOnlyReads: who reads the counts of a region is no process that counts there.
func TestOpenOnlyReads(t *testing.T) {
	onEach(t, func(t *test, d database) {
		clock := versotest.NewClock(noon.AddDate(0, 0, -40))
		p := start(t, d, withClock(clock.Now))
		p.Observe(t.Context(), call("v1", "acme", "/users", clock.Now()))
		p.end(t)
		clock.Set(noon)
		page := usage.NewTable(&verso.Config{Catalogue: versions(), Clock: clock.Now}).Handler(nil)
		page.Open = usage.Regions{"eu": usagesql.Open(open(t, d), d.dialect)}.Open
		tables := func() (rows []int) {
			for _, table := range []string{"writers", "hours", "batches"} {
				rows = append(rows, countOf(t, d, `SELECT count(*) FROM verso_usage_`+table))
			}
			return rows
		}
		before := tables()
		response := httptest.NewRecorder()
		page.ServeHTTP(response, httptest.NewRequest(http.MethodGet, "/usage?ready=v1", nil))
		assert.Contains(t, response.Body.String(), "no process of region eu counted from 22 Oct 2026, 12:00 UTC until 21 Nov 2026, 12:00 UTC")
		assert.Equal(t, before, tables())
	})
}

// TestOpenFails: a region that cannot be read says why, and has its name.
func TestOpenFails(t *testing.T) {
	onEach(t, func(t *test, d database) {
		other := usagesql.SQLite + usagesql.PostgreSQL - d.dialect
		gone := open(t, d)
		require.NoError(t, gone.Close())
		for _, test := range []struct {
			db      *sql.DB
			dialect usagesql.Dialect
			want    string
		}{
			{open(t, d), d.dialect, "the database has no counts: no process has written any into it"},
			{open(t, d), other, "and the database is "},
			{open(t, d), 0, "usagesql: the dialect is unknown: write usagesql.PostgreSQL or usagesql.SQLite"},
			{nil, d.dialect, "usagesql: the database is nil: pass what sql.Open returns"},
			{gone, d.dialect, "the counts of requests cannot be read from the database: the log of this process has the reason"},
		} {
			reader, err := usage.Regions{"us": usagesql.Open(test.db, test.dialect)}.Open(context.Background())
			assert.Nil(t, reader)
			assert.ErrorContains(t, err, `usage: region "us" cannot be read: `)
			assert.ErrorContains(t, err, test.want)
		}
	})
}
