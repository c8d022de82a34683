package usage_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/usage"
)

// task is a program of a client that calls one route: every so many days, in v1 until it moves, for as long as it lives.
type task struct {
	route                      string
	every, phase               int
	begins, moves, pauses, end int // days; from the pause on, it sleeps for longer than counts are kept
}

// life is a service for as many days as it plays.
type life struct {
	*world
	r       *rand.Rand
	clients map[string][]task
	names   []string
	days    int
	asked   map[string]int  // by client and the day of its last call
	settled map[string]bool // the answer was that it has moved
}

const sleeps = usage.KeepDays + 40

var intervals = []int{1, 1, 2, 7, 7, 30, 30, 91, 182, 182, 365} // days, of tasks

// longAhead ends v1 after all that a life plays.
var longAhead = catalogue.MustNew(catalogue.Config{AfterSunset: catalogue.Gone, Versions: []catalogue.Entry{
	{Version: "v1", Deprecated: noon.AddDate(0, 0, 60), Sunset: noon.AddDate(0, 0, 2000), Successor: "v2"}, {Version: "v2"}}})

func newLife(seed uint64) *life {
	l := &life{r: rand.New(rand.NewPCG(seed, 4)), clients: map[string][]task{}, days: 700, asked: map[string]int{}, settled: map[string]bool{}}
	l.world = newWorld(longAhead, noon)
	l.draw(4+l.r.IntN(12), 5, 150, 400, func(j *task) {
		switch l.r.IntN(8) {
		case 0: // it stays behind
			j.moves = 1 << 20
		case 1: // it moves later than the rest
			j.moves += l.r.IntN(200)
		case 2: // it ends before the client
			j.end = min(j.end, 100+l.r.IntN(300))
		case 3:
			if l.r.IntN(3) == 0 {
				j.pauses = 50 + l.r.IntN(150)
			}
		}
	})
	if l.r.IntN(2) == 0 {
		l.clients["monitor"] = []task{{route: "/health", every: 1, moves: 1 << 20, pauses: 1 << 20, end: 1 << 20}}
		l.names = append(l.names, "monitor")
	}
	return l
}

// draw draws clients with so many routes at most, each of which vary changes. They move within some days, or one of four
// ends within these, from a day on.
func (l *life) draw(clients, routes, ends, days int, vary func(j *task)) {
	for i := range clients {
		name := fmt.Sprint("client ", i)
		l.names = append(l.names, name)
		moves, end := 60+l.r.IntN(days), 1<<20
		if l.r.IntN(4) == 0 { // the service ends
			end = ends + l.r.IntN(days)
		}
		for route := range 1 + l.r.IntN(routes) {
			j := task{route: fmt.Sprint("/", route), every: intervals[l.r.IntN(len(intervals))], phase: l.r.IntN(365), moves: moves, end: end, pauses: 1 << 20}
			vary(&j)
			l.clients[name] = append(l.clients[name], j)
		}
	}
}

// calls reports whether the job calls on a day, and which version.
func (j *task) calls(day int) (version int, ok bool) {
	if j.pauses <= day && day < j.pauses+sleeps || day >= j.end || day < j.begins || (day+j.phase)%j.every != 0 {
		return 0, false
	}
	if day >= j.moves {
		return 2, true
	}
	return 1, true
}

// next returns the next day on which a client calls v1, and the route.
func (l *life) next(client string, after int) (day int, of *task) {
	for day := after + 1; day <= after+sleeps+400; day++ {
		for i := range l.clients[client] {
			if version, ok := l.clients[client][i].calls(day); ok && version == 1 {
				return day, &l.clients[client][i]
			}
		}
	}
	return 0, nil
}

// known reports whether all calls until a day show the next one: the task is regular, not overdue, and not seen in v2 since.
func (l *life) known(j *task, day int) bool {
	var v1 []int
	last2 := -1
	for d := max(0, day-usage.KeepDays); d <= day; d++ {
		switch version, ok := j.calls(d); {
		case ok && version == 1:
			v1 = append(v1, d)
		case ok:
			last2 = d
		}
	}
	if len(v1) < 2 || v1[len(v1)-1] < last2 {
		return false
	}
	return day-v1[len(v1)-1] <= j.every*3/2
}

// play lets all clients call on a day.
func (l *life) play(day int) {
	l.clock.Set(noon.AddDate(0, 0, day))
	for i, name := range l.names {
		for _, j := range l.clients[name] {
			if version, ok := j.calls(day); ok {
				region := []int{i % 3, l.r.IntN(3), day / 60 % 3}[i%3]
				l.observe(region, call(fmt.Sprint("v", version), name, j.route, l.clock.Now()))
			}
		}
	}
	if l.r.IntN(60) == 0 { // a process starts again
		of := []**usage.Table{&l.all, &l.regions[0], &l.regions[1], &l.regions[2]}[l.r.IntN(4)]
		next := usage.NewTable(&verso.Config{Catalogue: l.versions, Clock: l.clock.Now})
		next.Add((*of).Take())
		*of = next
	}
}

// answer has an operator ask the clients in the gate, and record their answers. It returns those of which the gate had the answer.
func (l *life) answer(t *testing.T, day int) (again []string) {
	t.Helper()
	except := func(e usage.Exception) {
		e.Version, e.By = "v1", "Ann"
		require.NoError(t, l.all.Except(t.Context(), e))
		require.NoError(t, l.regions[l.r.IntN(3)].Except(t.Context(), e))
	}
	for _, q := range l.gate(t).Questions {
		last := 0
		for d := range day + 1 {
			for _, j := range l.clients[q.Client] {
				if version, ok := j.calls(d); ok && version == 1 {
					last = d
				}
			}
		}
		silence := fmt.Sprint(q.Client, " since ", last)
		if l.settled[silence] {
			again = append(again, silence)
		}
		l.asked[silence]++
		if next, _ := l.next(q.Client, day); next == 0 {
			l.settled[silence] = true
			except(usage.Exception{Client: q.Client})
		}
	}
	if slices.Contains(l.names, "monitor") && day%300 == 120 {
		except(usage.Exception{Client: "monitor", Kind: usage.MayBreak, Until: l.clock.Now().AddDate(0, 0, 310)})
	}
	return again
}

// TestLives plays two years of random services, with an operator who answers. No client is safe whose next call the counts show,
// nobody who has moved is asked again, and three regions answer like a single table.
func TestLives(t *testing.T) {
	seeds, first := 3, 0
	if text := os.Getenv("VERSO_LIVES"); text != "" { // more of them, outside of the tests
		_, err := fmt.Sscanf(text, "%d-%d", &first, &seeds)
		require.NoError(t, err)
	}
	records := regexp.MustCompile(`"left":\[[^\]]*\],?|"processes":\[[^\]]*\]|"news":"[^"]*"`) // when the page of a table was asked
	sums := regexp.MustCompile(`"last_seen":"[^"]*","route":"[^"]*"|"route":"[^"]*","why"`)    // which the most used route depends on
	answers, right, careful, unknowable, questions, silences := 0, 0, 0, 0, 0, 0
	for seed := uint64(first); seed < uint64(first+seeds); seed++ {
		l, own := newLife(seed), records
		for day := range l.days {
			l.play(day)
			if day%30 != 0 || day < 90 {
				continue
			}
			assert.Empty(t, l.answer(t, day), "seed %d, day %d: asked again", seed, day)
			var list struct {
				Clients []struct{ Client, Group string }
			}
			require.NoError(t, json.Unmarshal(ask(l.all.Handler(nil), "GET", "/?clients=v1&format=json").Body.Bytes(), &list))
			ready := ask(l.all.Handler(nil), "GET", "/?ready=v1").Code == 200
			for _, c := range list.Clients {
				next, j := l.next(c.Client, day)
				safe := c.Group == "moved" || c.Group == "told"
				answers++
				switch {
				case safe && next > 0 && l.known(j, day):
					t.Errorf("seed %d, day %d: %s is %s, and calls %s on day %d: %+v", seed, day, c.Client, c.Group, j.route, next, l.clients[c.Client])
				case ready && next > 0 && c.Group != "accepted" && l.known(j, day):
					t.Errorf("seed %d, day %d: the gate is open, and %s calls %s on day %d", seed, day, c.Client, j.route, next)
				case safe && next > 0:
					unknowable++
				case safe == (next == 0):
					right++
				default:
					careful++
				}
			}
			if day%150 == 0 {
				queries := []string{"ready=v1", "clients=v1&format=json", "letters=v1", "format=json"}
				if day > usage.KeepDays { // a region forgets what another one still counts: the sums may differ, and no state
					queries, own = queries[:2], sums
				}
				for _, query := range queries {
					one, all := ask(l.all.Handler(nil), "GET", "/?"+query).Body.String(), ask(l.page(), "GET", "/?"+query).Body.String()
					require.Equal(t, own.ReplaceAllString(one, ""), own.ReplaceAllString(all, ""), "seed %d, day %d: %s", seed, day, query)
				}
			}
		}
		for _, n := range l.asked {
			silences++
			questions += n
		}
	}
	assert.Greater(t, right, answers/3, "of "+strconv.Itoa(answers))
	t.Logf("%d answers: %d right, %d more careful than needed, %d wrong that nobody could know; %d questions in %d silences", answers, right, careful, unknowable, questions, silences)
}
