// Command bench measures what Verso costs: beside the frameworks' own store,
// beside code by hand, and beside Iris. All that it compares is measured in one
// process, by turns and in random order, so that what else the machine does hits
// all alike. Run it in the folder of the module:
//
//	go run ./cmd/bench [-turns n] [-write] [-strict]
package main

import (
	"context"
	"flag"
	"fmt"
	"runtime"
	"strings"

	"github.com/goverso/verso/bench/internal/report"
)

func main() {
	turns := flag.Int("turns", 200, "how often each service has its turn")
	runtime.GOMAXPROCS(1)
	report.Main("bench", func(ctx context.Context) (text string, bounds []*report.Bound, err error) {
		var c contest
		for _, add := range []func(*contest){addRequests, addPeers, addRejections, addLinks, addFeatures, addDispatch, addCounting, addClient} {
			add(&c)
		}
		err = c.run(ctx, *turns)
		var page strings.Builder
		fmt.Fprintf(&page, "%d services and builders of links, %d turns each of %d to %d calls.\n\n", len(c.all), *turns, minCalls, maxCalls)
		for _, t := range c.tables {
			page.WriteString(t.String())
			bounds = append(bounds, t.bounds...)
		}
		started, more := startUp()
		return page.String() + started, append(bounds, more...), err
	})
}
