package usage_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/usage"
)

// newLeaving returns a service whose clients have all left v1 after a year or so, and the day of the last call.
func newLeaving(seed uint64) (l *life, last int) {
	l = &life{r: rand.New(rand.NewPCG(seed, 7)), clients: map[string][]task{}}
	l.world = newWorld(longAhead, noon)
	l.draw(12, 20, 60, 300, func(j *task) {
		switch l.r.IntN(8) {
		case 0: // it moves later than the rest
			j.moves += l.r.IntN(100)
		case 1: // it ends before the client
			j.end = min(j.end, 60+l.r.IntN(300))
		}
	})
	for _, tasks := range l.clients {
		for _, j := range tasks {
			for day := last; day < 500; day++ {
				if version, ok := j.calls(day); ok && version == 1 {
					last = day
				}
			}
		}
	}
	return l, last
}

// TestGateOpensWhenAllHaveLeft: with an operator who asks each month and answers truly, the gate of a service opens within 90 days
// of its last call, and nobody is asked twice in these days.
func TestGateOpensWhenAllHaveLeft(t *testing.T) {
	asked, clients, slowest := 0, 0, 0
	for seed := range uint64(12) {
		l, last := newLeaving(seed)
		gate, questions := (*verdict)(nil), map[string]int{}
		for day := 0; gate == nil || !gate.Ready; day++ {
			require.LessOrEqual(t, day, last+90, "seed %d: the gate is closed", seed)
			l.clock.Set(noon.AddDate(0, 0, day))
			for _, name := range l.names {
				for _, j := range l.clients[name] {
					if version, ok := j.calls(day); ok {
						l.all.Observe(t.Context(), call(fmt.Sprint("v", version), name, j.route, l.clock.Now()))
					}
				}
			}
			if day%30 != 0 || day < 90 {
				continue
			}
			for _, q := range l.gate(t).Questions {
				answer := usage.Exception{Version: "v1", Client: q.Client, By: "Ann"}
				if next, _ := l.next(q.Client, day); next > 0 {
					answer.Kind, answer.Until = usage.StillNeeds, noon.AddDate(0, 0, next+30)
				}
				require.NoError(t, l.all.Except(t.Context(), answer))
				if asked++; day > last {
					questions[q.Client]++
				}
			}
			gate = l.gate(t)
			assert.False(t, gate.Ready && day < last, "seed %d, day %d: the gate is open, and v1 is called on day %d", seed, day, last)
			slowest = max(slowest, day-last)
		}
		for client, n := range questions {
			assert.Equal(t, 1, n, "seed %d: questions to %s", seed, client)
		}
		clients += len(l.names)
	}
	t.Logf("%d questions to %d clients; the last gate opened after %d days", asked, clients, slowest)
}

// verdict is what an operator reads in the gate.
type verdict struct {
	Ready     bool
	Questions []struct{ Client string }
}

func (l *life) gate(t *testing.T) (v *verdict) {
	t.Helper()
	require.NoError(t, json.Unmarshal(ask(l.all.Handler(nil), "GET", "/?ready=v1").Body.Bytes(), &v))
	return v
}
