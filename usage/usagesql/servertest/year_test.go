package servertest

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/versotest"
	"github.com/goverso/verso/usage"
)

// counter counts on its own what a page should show.
type counter struct {
	all, rejected map[string]uint64 // by version and client
	days          map[string]uint64 // by version, client and day
	versions      map[string]uint64 // by version and day
}

func newCounter() *counter {
	return &counter{map[string]uint64{}, map[string]uint64{}, map[string]uint64{}, map[string]uint64{}}
}

func (c *counter) add(version, client string, rejected bool, day string) {
	c.all[version+" "+client]++
	if rejected {
		c.rejected[version+" "+client]++
	}
	c.days[version+" "+client+" "+day]++
	c.versions[version+" "+day]++
}

func (c *counter) addAll(other *counter) {
	for _, pair := range [][2]map[string]uint64{{c.all, other.all}, {c.rejected, other.rejected}, {c.days, other.days}, {c.versions, other.versions}} {
		for key, n := range pair[1] {
			pair[0][key] += n
		}
	}
}

// member is a process of a service, with a clock of its own.
type member struct {
	*process
	late    time.Duration // its clock is behind
	clock   *versotest.Clock
	faults  *faults
	pending *counter // not written yet
}

// TestLongYear plays a year of 42 clients on four processes, one whose clock is 36 hours
// behind, one 20 minutes ahead, and one that is killed. The clock of the database is the
// one of the year. Each number of the page is that of an own count.
func TestLongYear(t *testing.T) {
	if os.Getenv("VERSO_LONG") == "" {
		t.Skip("VERSO_LONG is not set")
	}
	d := newPostgreSQL(t)
	random := rand.New(rand.NewPCG(44, 365))
	first := noon.AddDate(-1, 0, 0)
	counted := newCounter()
	join := func(late time.Duration) *member {
		m := &member{late: late, clock: versotest.NewClock(first.Add(-late)), faults: new(faults), pending: newCounter()}
		return m
	}
	members := []*member{join(0), join(36 * time.Hour), join(-20 * time.Minute), join(0)}
	begin := func(m *member) {
		m.process = start(t, d, func(c *settings) { c.DB, c.Clock = openFaulty(t, d, m.faults), m.clock.Now })
	}
	set := func(now time.Time) {
		for _, m := range members {
			m.clock.Set(now.Add(-m.late))
			m.faults.ahead.Store(int64(time.Until(now).Seconds()))
		}
	}
	write := func(m *member) {
		require.Equal(t, 200, m.get("level=summary").Code)
		counted.addAll(m.pending)
		m.pending = newCounter()
	}
	observe := func(version, client string) {
		m := members[random.IntN(len(members))]
		o := call(version, client, fmt.Sprint("/route/", random.IntN(6)), m.clock.Now())
		rejected := random.IntN(20) == 0
		if rejected {
			o.Outcome = string(verso.VersionGone)
		}
		m.Observe(t.Context(), o)
		m.pending.add(version, client, rejected, o.Time.UTC().Format(time.DateOnly))
	}
	set(first)
	for _, m := range members {
		begin(m)
		write(m)
	}
	killed := members[3]
	for now := first; !now.After(noon); now = now.Add(24 * time.Hour) {
		set(now)
		day := int(now.Sub(first).Hours() / 24)
		for client := range 40 { // daily, until each has moved on a day of its own; three have not
			for range random.IntN(6) {
				version := "v1"
				if moves := 100 + 7*client; day >= moves && client < 37 {
					version = "v2"
				}
				observe(version, fmt.Sprint("daily-", client))
			}
		}
		if now.Day() == 1 {
			observe("v1", "monthly")
		}
		if now.Day() == 1 && now.Month()%3 == 1 {
			observe("v1", "quarterly")
		}
		for _, m := range members {
			if random.IntN(3) > 0 {
				write(m)
			}
		}
		switch day {
		case 150: // ends, and begins again
			members[0].end(t)
			counted.addAll(members[0].pending)
			members[0].pending = newCounter()
			begin(members[0])
		case 200: // is killed, and what it has not written is lost
			for range 10 {
				killed.Observe(t.Context(), call("v1", "daily-39", "/route/0", killed.clock.Now()))
			}
			killed.faults.afterExecute = func(context.Context, string) error { return errLost }
			members = members[:3]
			set(now.Add(time.Hour))
			for _, m := range members {
				m.Observe(t.Context(), call("v2", "daily-0", "/route/0", m.clock.Now()))
				m.pending.add("v2", "daily-0", false, m.clock.Now().UTC().Format(time.DateOnly))
				write(m)
			}
			ready := members[0].get("ready=v1").Body.String()
			assert.Equal(t, 1, strings.Count(ready, "it may have been killed with uncounted requests"), ready)
		}
	}
	for _, m := range members {
		write(m)
	}

	var report struct {
		Since     time.Time
		Processes []usage.Process
		Versions  []struct {
			Version string
			Clients []struct {
				Client             string
				Requests, Rejected uint64
				Recent30           uint64 `json:"requests_30_days"`
			}
			Days []struct {
				Day      string
				Requests uint64
			}
			Moving *struct{ Moved, Both, Only, Quiet int }
		}
	}
	reader := members[0]
	require.NoError(t, json.Unmarshal(reader.get("").Body.Bytes(), &report))
	assert.Equal(t, first.Add(-36*time.Hour), report.Since, "by the clock that is behind")
	numbers := 0
	got := newCounter()
	for _, v := range report.Versions {
		for _, c := range v.Clients {
			key := v.Version + " " + c.Client
			got.all[key] = c.Requests
			if c.Rejected > 0 {
				got.rejected[key] = c.Rejected
			}
			recent := uint64(0)
			for ago := range usage.RecentDays {
				recent += counted.days[key+" "+noon.AddDate(0, 0, -ago).Format(time.DateOnly)]
			}
			assert.Equal(t, recent, c.Recent30, key)
			numbers++
		}
		for _, day := range v.Days {
			got.versions[v.Version+" "+day.Day] = day.Requests
		}
	}
	oldest := noon.AddDate(0, 0, 1-usage.Days).Format(time.DateOnly)
	maps.DeleteFunc(counted.versions, func(key string, _ uint64) bool { return strings.Fields(key)[1] < oldest })
	assert.Equal(t, counted.all, got.all)
	assert.Equal(t, counted.rejected, got.rejected)
	assert.Equal(t, counted.versions, got.versions)
	t.Logf("%d numbers are equal", numbers+len(got.all)+len(got.rejected)+len(got.versions))

	skews := map[int64]int{}
	for _, p := range report.Processes {
		if !p.Ended {
			skews[int64(math.Round(float64(p.Skew)/60))]++
		}
	}
	assert.Equal(t, map[int64]int{0: 1, -36 * 60: 1, 20: 1}, skews)
	for _, v := range report.Versions {
		if v.Version == "v1" {
			assert.Equal(t, 3, v.Moving.Only+v.Moving.Both)
			assert.Equal(t, 3, v.Moving.Quiet) // also the client that moved 13 days ago: it has neighbouring weeks only
			assert.Equal(t, 36, v.Moving.Moved)
		}
	}
	ready := reader.get("ready=v1").Body.String()
	assert.Contains(t, ready, `"client":"monthly"`)
	assert.Contains(t, ready, `"client":"quarterly"`)
	assert.NotContains(t, ready, "killed")
}
