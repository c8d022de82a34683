package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/goverso/verso/bench/internal/report"
	"github.com/goverso/verso/bench/internal/service"
)

// contest is all that is measured by turns.
type contest struct {
	all    []*contender
	tables []*table
}

// contender is something that is measured.
type contender struct {
	do     func()
	shared []func()      // for each goroutine that shares a long turn; nil: do
	dear   bool          // a turn has fewer calls
	times  report.Sample // nanoseconds a call, one figure for each turn
	allocs float64       // a call
}

// low is the percentile of the times that counts: what disturbs a turn makes it
// slower, never faster.
const low = 10

func (c *contender) time() float64 { return c.times.Percentile(low) }

func (c *contest) add(do func()) *contender {
	added := &contender{do: do}
	c.all = append(c.all, added)
	return added
}

// share adds something that goroutines do at once, each with a function of its own.
func (c *contest) share(goroutines int, each func() (do func())) *contender {
	added := c.add(each())
	for range goroutines {
		added.shared = append(added.shared, each())
	}
	return added
}

// serve adds a service that answers a request with a status.
func (c *contest) serve(server service.Server, r service.Request, status int) *contender {
	do := server.Bind(r)
	if got := do(); got != status {
		panic(fmt.Sprintf("the service answers %+v with %d, not %d", r, got, status))
	}
	return c.add(func() { do() })
}

const (
	minCalls, maxCalls = 700, 2000 // in a turn
	more, fewer        = 16, 10    // times more calls in a turn that is shared, and fewer in one of something dear
	warmUp             = 30        // calls before, which do not count
	collectAt          = 128 << 20 // bytes of heap
)

// run gives each contender its turns. The garbage collector runs between turns
// only: else it hits whoever comes first. What is allocated is counted as such.
func (c *contest) run(ctx context.Context, turns int) error {
	for _, one := range c.all {
		one.allocs = testing.AllocsPerRun(100, one.do)
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	var stats runtime.MemStats
	for turn := 0; turn < turns && ctx.Err() == nil; turn++ {
		if turn%20 == 0 {
			fmt.Fprintf(os.Stderr, "turn %d of %d\n", turn, turns)
		}
		for _, next := range rand.Perm(len(c.all)) {
			if runtime.ReadMemStats(&stats); stats.HeapAlloc > collectAt {
				runtime.GC()
			}
			one, calls := c.all[next], minCalls+rand.IntN(maxCalls-minCalls+1)
			for range warmUp {
				one.do()
			}
			if one.dear {
				calls /= fewer
			}
			one.times = append(one.times, one.turn(calls))
		}
	}
	return ctx.Err()
}

// turn returns how many nanoseconds a call takes, of so many.
func (c *contender) turn(calls int) float64 {
	if c.shared == nil {
		start := time.Now()
		for range calls {
			c.do()
		}
		return float64(time.Since(start)) / float64(calls)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
	var all sync.WaitGroup
	each := calls * more / len(c.shared)
	start := time.Now()
	for _, do := range c.shared {
		all.Go(func() {
			for range each {
				do()
			}
		})
	}
	all.Wait()
	return float64(time.Since(start)) / float64(each*len(c.shared))
}

// processors are those that Go would use: goroutines that share a turn have them.
var processors = runtime.GOMAXPROCS(0)

// table compares contenders, two in a row.
type table struct {
	title, this, that string
	bounds            []*report.Bound
	significant       bool // the bound is on the lower end of the interval: see README.md
	rows              []row
}

type row struct {
	where         string
	this, that    *contender
	ratio, allocs *report.Bound // on the times, and on the allocations beyond; nil: none
}

func (c *contest) table(title, this, that string) *table {
	added := &table{title: title, this: this, that: that}
	c.tables = append(c.tables, added)
	return added
}

func (t *table) compare(where string, this, that *contender, ratio, allocs *report.Bound) {
	t.rows = append(t.rows, row{where, this, that, ratio, allocs})
	for _, bound := range []*report.Bound{ratio, allocs} {
		if bound != nil && !slices.Contains(t.bounds, bound) {
			t.bounds = append(t.bounds, bound)
		}
	}
}

// String writes the table, and judges the bounds.
func (t *table) String() string {
	text := report.NewTable(t.title, t.this, t.that, "ratio", "difference", "allocs: "+t.this, t.that)
	for _, r := range t.rows {
		r.allocs.Judge(r.this.allocs-r.that.allocs, r.where)
		ratio := ""
		switch over := r.this.times.Over(r.that.times, low); {
		case t.significant:
			ratio = over.String()
			r.ratio.Judge(over.Low, r.where)
		case r.that.time() > 0:
			ratio = r.ratio.JudgeRatio(over, r.where)
		}
		text.Add(r.where, report.Duration(r.this.time()), report.Duration(r.that.time()), ratio,
			fmt.Sprintf("%+.0f ns", r.this.time()-r.that.time()), fmt.Sprint(r.this.allocs), fmt.Sprint(r.that.allocs))
	}
	return text.String()
}
