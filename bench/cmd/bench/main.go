// Command bench measures what Verso costs: beside the frameworks' own store, beside
// the least code and code by hand. All that it compares is measured in one process,
// by turns and in random order, so that what else the machine does hits all alike.
// Run it in the folder of the module:
//
//	go run ./cmd/bench [-turns n] [-only regexp] [-write] [-strict]
package main

import (
	"context"
	"flag"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/goverso/verso/bench/internal/report"
)

func main() {
	turns := flag.Int("turns", 200, "how often each service has its turn")
	only := flag.String("only", "", `a regular expression: measure only what it matches, such as "v2: gin, path"`)
	if address := os.Getenv(clientOf); address != "" {
		send(address)
		return
	}
	runtime.GOMAXPROCS(1)
	report.Main("bench", func(ctx context.Context) (text string, bounds []*report.Bound, err error) {
		pattern, err := regexp.Compile(*only)
		if err != nil {
			return "", nil, err
		}
		var page strings.Builder
		for _, stage := range [][]func(*contest){ // what the collector has to look at is gone before the next
			{addCollected}, {addRequests, addPrefixes}, {addRejections, addFeatures, addCounting}, {addLinks},
			{addClient, addLoopback},
		} {
			var c contest
			for _, add := range stage {
				add(&c)
			}
			c.keep(pattern)
			if err := c.run(ctx, *turns); err != nil {
				return "", nil, err
			}
			for _, t := range c.tables {
				page.WriteString(t.String())
				for _, bound := range t.bounds() {
					if !slices.Contains(bounds, bound) {
						bounds = append(bounds, bound)
					}
				}
			}
		}
		if *only != "" {
			return page.String(), bounds, nil
		}
		started, ofStart := startUp()
		size, ofSize := sizes()
		return page.String() + started + size, append(append(bounds, ofStart...), ofSize...), nil
	})
}
