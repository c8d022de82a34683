package usage_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/usage"
)

// answered is a service with random answers about its clients, some of them untrue, and a table without any.
type answered struct {
	*world
	r     *rand.Rand
	bare  *usage.Table
	given []usage.Exception         // the latest first
	calls map[[2]string][]time.Time // of v1, by client and route
}

var answeredRoutes = []string{"GET /r0", "GET /r1", "GET /r2", "GET /r3"}

// play sends the requests of a day: most routes move, and some end.
func (a *answered) play(t *testing.T, day int) {
	t.Helper()
	midnight := a.clock.Now()
	for c := range 6 {
		client := fmt.Sprint("c", c)
		for i, route := range answeredRoutes {
			version, moves := "v1", 80+17*c+20*i
			if i != 3 && day >= moves || c == 5 && day%2 == 0 {
				version = "v2"
			}
			if every := []int{1, 7, 30, 45}[(i+c)%4]; day%every != i%every || day > moves && (c+i)%3 == 1 || day > 200 && a.r.IntN(3) > 0 {
				continue
			}
			a.clock.Advance(time.Minute)
			o := verso.Observation{Time: a.clock.Now(), Version: verso.V(version), Client: client, Method: []string{"GET", "HEAD"}[a.r.IntN(2)],
				Route: route[4:], Outcome: verso.OutcomeServed}
			a.observe(a.r.IntN(3), o)
			a.bare.Observe(t.Context(), o)
			if version == "v1" {
				a.calls[[2]string{client, route}] = append(a.calls[[2]string{client, route}], o.Time)
			}
		}
	}
	a.clock.Advance(midnight.AddDate(0, 0, 1).Sub(a.clock.Now()))
}

// answer records an answer, or takes one back in all regions.
func (a *answered) answer(t *testing.T) {
	t.Helper()
	a.clock.Advance(time.Second)
	e := usage.Exception{Version: "v1", Client: fmt.Sprint("c", a.r.IntN(6)), By: "Ann", Time: a.clock.Now(),
		Kind: []usage.ExceptionKind{usage.HasMoved, usage.HasMoved, usage.MayBreak, usage.StillNeeds}[a.r.IntN(4)]}
	if e.Kind != usage.HasMoved {
		e.Until = a.clock.Now().AddDate(0, 0, 1+a.r.IntN(120))
	}
	if a.r.IntN(3) > 0 {
		e.Route = answeredRoutes[a.r.IntN(len(answeredRoutes))]
	}
	a.given = slices.DeleteFunc(a.given, func(b usage.Exception) bool { return b.Client == e.Client && b.Route == e.Route })
	if a.r.IntN(5) == 0 {
		for _, table := range slices.Concat(a.regions, []*usage.Table{a.all}) {
			_ = table.TakeBack(t.Context(), e) // it may be over, or not be there
		}
		return
	}
	require.NoError(t, a.all.Except(t.Context(), e))
	require.NoError(t, a.regions[a.r.IntN(3)].Except(t.Context(), e))
	a.given = slices.Insert(a.given, 0, e)
}

// inForce returns the latest answer about a route of a client that is not over, or nil.
func (a *answered) inForce(client, route string) *usage.Exception {
	for i, e := range a.given {
		if e.Client != client || e.Route != "" && e.Route != route || e.Kind != usage.HasMoved && !a.clock.Now().Before(e.Until) {
			continue
		}
		over := false
		for _, called := range answeredRoutes {
			times := a.calls[[2]string{client, called}]
			over = over || times != nil && (e.Kind == usage.HasMoved && (e.Route == "" || e.Route == called) && !times[len(times)-1].Before(e.Time) ||
				e.Kind == usage.MayBreak && e.Route == "" && !times[0].Before(e.Time))
		}
		if !over {
			return &a.given[i]
		}
	}
	return nil
}

// check compares the states with those without answers, and with the answers in force.
func (a *answered) check(t *testing.T, when string) {
	t.Helper()
	for _, query := range []string{"format=html", "format=csv", "letters=v1", "client=c1", "level=summary"} {
		assert.Equal(t, 200, ask(a.all.Handler(nil), "GET", "/?"+query).Code, when+query)
	}
	var bare struct {
		Clients []struct {
			Client, Group string
			Left          []struct{ Route string } `json:"routes_left"`
		}
	}
	require.NoError(t, json.Unmarshal(ask(a.bare.Handler(nil), "GET", "/?clients=v1&format=json").Body.Bytes(), &bare))
	states := statesOf(t, a.all.Handler(nil))
	assert.Equal(t, states, statesOf(t, a.page()), when)
	ready := ask(a.all.Handler(nil), "GET", "/?ready=v1").Code == 200
	for _, c := range bare.Clients {
		needed, settled, recent, left := false, true, true, true
		for _, route := range answeredRoutes {
			e, times := a.inForce(c.Client, route), a.calls[[2]string{c.Client, route}]
			needed = needed || e != nil && e.Kind == usage.StillNeeds
			is := times == nil || e != nil && e.Kind != usage.StillNeeds
			settled = settled && is
			recent = recent && (is || a.clock.Now().Sub(times[len(times)-1]) > 30*24*time.Hour)
			left = left && (is || !slices.ContainsFunc(c.Left, func(l struct{ Route string }) bool { return l.Route == route }))
		}
		may := settled || map[string]bool{"moved": true, "both": recent, "quiet": left && c.Left != nil}[c.Group]
		safe := states[c.Client] == "moved" || states[c.Client] == "accepted"
		what := fmt.Sprintf("%s: %s is %s, and %s without answers %+v", when, c.Client, states[c.Client], c.Group, a.given)
		assert.False(t, ready && (!safe || !recent), what)
		assert.False(t, safe && (needed || !may), what)
		assert.False(t, !safe && !needed && (settled || c.Group == "moved"), what)
	}
}

// TestRandomAnswers: whatever people answer, no view fails, a client is safe only by its counts or by an answer in force, never
// against one, and three regions have the states of a single table.
func TestRandomAnswers(t *testing.T) {
	for seed := range uint64(3) {
		a := &answered{world: newWorld(longAhead, noon), r: rand.New(rand.NewPCG(seed, 11)), calls: map[[2]string][]time.Time{}}
		a.bare = usage.NewTable(&verso.Config{Catalogue: longAhead, Clock: a.clock.Now})
		for day := range 280 {
			a.play(t, day)
			for i := 0; i < 6 && day > 60 && day%4 == 0; i++ {
				a.answer(t)
			}
			if day > 60 && day%4 == 1 { // after the calls of a day
				a.check(t, fmt.Sprintf("seed %d, day %d: ", seed, day))
			}
		}
	}
}
