package servertest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/versotest"
	"github.com/goverso/verso/usage"
)

// stores are two processes with a database, and a table that counts the same requests.
type stores struct {
	clock    *versotest.Clock
	start    func() *process
	ps       []*process
	memory   *usage.Table
	versions *catalogue.Catalogue
}

func (s *stores) observe(t *test, which int, o verso.Observation) {
	s.ps[which].Observe(t.Context(), o)
	s.memory.Observe(t.Context(), o)
}

// restart ends a process, or the table, for another one.
func (s *stores) restart(t *test, which int) {
	if which < len(s.ps) {
		s.ps[which].end(t)
		s.ps[which] = s.start()
		return
	}
	next := usage.NewTable(&verso.Config{Catalogue: s.versions, Clock: s.clock.Now})
	next.Add(s.memory.Take())
	s.memory = next
}

// takeBack takes back exceptions, of which some are forgotten on that day.
func (s *stores) takeBack(t *test, r *rand.Rand, clients int) {
	for i := range clients {
		for _, route := range []string{"", "GET /2", "GET /3"} {
			if r.IntN(2) == 0 {
				e := usage.Exception{Version: "v1", Client: fmt.Sprint("client ", i), Route: route, By: "Ann"}
				assert.Equal(t, s.memory.TakeBack(t.Context(), e), s.ps[r.IntN(2)].TakeBack(t.Context(), e), "%s %v", s.clock.Now(), e)
			}
		}
	}
}

func (s *stores) except(t *test, r *rand.Rand, clients int) {
	for i := range clients {
		if r.IntN(4) > 0 {
			continue
		}
		e := usage.Exception{Version: "v1", Client: fmt.Sprint("client ", i), Route: []string{"", "GET /2", "GET /3"}[r.IntN(3)], By: "Ann"}
		if r.IntN(2) == 0 {
			e.Kind, e.Until = usage.MayBreak, s.clock.Now().AddDate(0, 0, 10+r.IntN(200))
		}
		require.NoError(t, s.ps[r.IntN(2)].Except(t.Context(), e))
		require.NoError(t, s.memory.Except(t.Context(), e))
	}
}

// TestStoresAgree: a table, SQLite and PostgreSQL answer the same, for random requests, restarts, and more days than are kept.
func TestStoresAgree(t *testing.T) { storesAgree(t, 0, 3) }

func TestStoresAgreeLong(t *testing.T) {
	if os.Getenv("VERSO_LONG") == "" {
		t.Skip("VERSO_LONG is not set")
	}
	storesAgree(t, 1, 2, 4, 5, 6, 7, 8, 9, 11, 19)
}

func storesAgree(t *testing.T, seeds ...uint64) {
	t.Helper()
	onEach(t, func(t *test, d database) {
		for i, seed := range seeds {
			if i > 0 { // an empty one
				if d.driver == "pgx" {
					d = newPostgreSQL(t)
				} else {
					d = newSQLite(t)
				}
			}
			agree(t, d, seed)
		}
	})
}

func agree(t *test, d database, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 7))
	versions := catalogue.MustNew(catalogue.Config{AfterSunset: catalogue.Gone, Versions: []catalogue.Entry{
		{Version: "v1", Deprecated: noon.AddDate(0, -8, 0), Sunset: noon.AddDate(0, 0, 9-20*int(seed%2)), Successor: "v2", Brownouts: []catalogue.Brownout{{From: noon.AddDate(0, 0, -12), Until: noon.AddDate(0, 0, -11)}}},
		{Version: "v2", Deprecated: noon.AddDate(0, -1, 0), Successor: "v3"}, {Version: "v3"},
	}})
	days := 20 + r.IntN(420)
	if seed >= 4 { // so long that routes and clients are forgotten
		days = usage.KeepDays + 60
	}
	clock := versotest.NewClock(noon.AddDate(0, 0, -days))
	s := &stores{clock: clock, versions: versions, memory: usage.NewTable(&verso.Config{Catalogue: versions, Clock: clock.Now}), start: func() *process {
		return start(t, d, withClock(clock.Now), func(c *settings) { c.Catalogue, c.MaxClients = versions, usage.MaxClients })
	}}
	s.ps = []*process{s.start(), s.start()}
	type client struct{ every, offset, moves int }
	clients := make([]client, 40)
	for i := range clients {
		clients[i] = client{[]int{1, 1, 3, 7, 14, 30, 61, 91, 182, 365}[r.IntN(10)], r.IntN(60), r.IntN(days + 60)}
	}
	rough := rand.New(rand.NewPCG(seed, 8)) // clocks and people, from seed 9 on
	for day := range days + 1 {
		clock.Set(noon.AddDate(0, 0, day-days))
		if seed >= 9 {
			switch {
			case day < days && rough.IntN(30) == 0: // the clock goes back for this day
				clock.Advance(-24 * time.Hour)
			case day == 8 || day == 30:
				s.except(t, rough, len(clients))
			case day == 8+usage.KeepDays+rough.IntN(2):
				s.takeBack(t, rough, len(clients))
			}
		}
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
				if r.IntN(6) == 0 && !o.Version.IsNone() { // each process names the routes of those that it knows only
					o.Outcome = "version_gone"
				}
				s.observe(t, r.IntN(2), o)
			}
		}
		screen(t, s, day)
		if day == days-20 || day == days-130 { // some are excepted, of which some call again
			s.except(t, r, len(clients))
		}
		if r.IntN(40) == 0 {
			s.restart(t, r.IntN(3))
		}
		if r.IntN(6) == 0 {
			s.ps[r.IntN(2)].get("ready=v1")
		}
		for i := range s.ps {
			if seed >= 9 && rough.IntN(4) > 0 { // else it writes a day later than the other one, or more
				s.ps[i].get("ready=v1")
			}
		}
	}
	for _, p := range s.ps {
		p.get("ready=v1")
	}
	if seed == 3 { // some is not merged: the page reads the batches
		_, err := open(t, d).Exec(`UPDATE verso_usage_batches SET refused = $1`, true)
		require.NoError(t, err)
	}
	stored, alone := s.ps[0].Handler(nil), s.memory.Handler(nil)
	if seed > 0 && seed < 4 {
		stored.Pinned = somePins(seed, len(clients))
		alone.Pinned = stored.Pinned
	}
	queries := []string{"format=html", "format=openmetrics", "format=json&level=full", "format=json&level=summary", "ready=v1", "ready=v2", "ready=v3",
		"ready=v1&except=client+3&unknown=20&quiet=90", "format=csv", "format=jsonl", "format=jsonl&after=Y2xpZW50IDI", "clients=v1&format=html", "clients=v2&format=html&state=quiet",
		"clients=v1&format=csv&state=moved", "clients=v9", "client=nobody", "client=", "letters=v1&format=csv", "letters=v2", "letters=v1&state=moved", "letters=v3", "clients=v1&format=csv&state=breaks"}
	for i := range clients {
		queries = append(queries, fmt.Sprint("format=json&client=client+", i))
	}
	for _, query := range queries {
		assert.Equal(t, answered(alone, query), answered(stored, query), "%d days, seed %d: %s", days, seed, query)
	}
}

// screen is a person at a screen, and a rarer job: it is not known any more that forgotten routes have moved. Another one
// comes back when it is forgotten.
func screen(t *test, s *stores, day int) {
	does := func(version, client, route string) { s.observe(t, day%2, call(version, client, route, s.clock.Now())) }
	if day == 0 || day == usage.KeepDays+40 {
		does("v1", "late", fmt.Sprint("/", day))
		does("v2", "late", fmt.Sprint("/", day))
	}
	switch {
	case day < 3:
		does("v1", "screen", fmt.Sprint("/rare/", day))
	case 60 <= day && day < 63:
		does("v2", "screen", fmt.Sprint("/rare/", day-60))
	case day == 250:
		does("v1", "screen", "/report")
	case day%7 == 0 && day < 300:
		does("v1", "screen", "/orders")
	case day%7 == 0:
		does("v2", "screen", "/orders")
	}
}

// ofProcesses is what a page says of processes, and not of clients.
var ofProcesses = regexp.MustCompile(`(?m)^verso_usage_(processes\{|names ).*\n|by \d+ process(es)?|"(processes|left)":\[[^\]]*\],?|` +
	`<p class="alarm">\d+ process[^<]*(<(bdi|wbr|/bdi)>[^<]*)*</p>\n|(?s)<details>\n<summary>\d+ process.*?</details>\n?`)

// answered returns what a page answers about clients.
func answered(p *usage.Page, query string) string {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	w := httptest.NewRecorder()
	p.ServeHTTP(w, httptest.NewRequestWithContext(ctx, http.MethodGet, "/usage?"+query, nil))
	return fmt.Sprint(w.Code, "\n", ofProcesses.ReplaceAllString(w.Body.String(), ""))
}
