// Command load puts load on services with wrk, over loopback: in Echo v4, Gin and
// Fiber, with a store and with Verso. It prints the requests in a second, the 99th
// percentile of the latency, the processor time of a request, and the ratios. Run
// it in the folder of the module:
//
//	go run ./cmd/load [-duration d] [-write] [-strict]
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"time"

	"github.com/goverso/verso/bench/internal/report"
	"github.com/goverso/verso/bench/internal/service"
)

func main() {
	duration := flag.Duration("duration", 15*time.Second, "how long each service is under load, in turns of a second")
	report.Main("load", func(ctx context.Context) (text string, bounds []*report.Bound, err error) {
		turns := max(1, int(duration.Seconds()))
		var all []*measurement
		for _, f := range []*service.Framework{service.Frameworks[0], service.Frameworks[1], service.Frameworks[4]} {
			for _, s := range service.Schemes[:5] {
				fmt.Fprintln(os.Stderr, f.Name, s.Name)
				m, err := measure(ctx, f, s, turns)
				if err != nil {
					return "", nil, fmt.Errorf("%s, %s: %w", f.Name, s.Name, err)
				}
				all = append(all, m)
			}
		}
		text, bounds = judge(all)
		return fmt.Sprintf("%d turns of 1 s for each service, %d connections, wrk on the same machine.\n\n", turns, connections) + text, bounds, nil
	})
}

// measurement is what was measured of a scheme in a framework.
type measurement struct {
	where        string
	store, verso figures
}

// figures are those of the turns of a service.
type figures struct {
	perSecond, p99 report.Sample
	cpuTime        report.Sample // nanoseconds a request
}

// measure sends the same request to both services by turns. They are served by
// this process, which does nothing else meanwhile.
func measure(ctx context.Context, f *service.Framework, s *service.Scheme, turns int) (*measurement, error) {
	m := &measurement{where: f.Name + ", " + s.Name}
	var addresses [2]string
	for i, variant := range []service.Variant{service.Store, service.Verso} {
		address, stop, err := f.New(service.Options{Scheme: s, Variant: variant, Answer: service.SayVersion}).Listen()
		if err != nil {
			return nil, err
		}
		defer stop()
		addresses[i] = address
		if _, err := runWrk(ctx, address, s.Request("v2")); err != nil { // warms up
			return nil, err
		}
	}
	for range turns {
		for _, i := range rand.Perm(2) {
			before := report.CPUTime()
			got, err := runWrk(ctx, addresses[i], s.Request("v2"))
			if err != nil {
				return nil, err
			}
			of := []*figures{&m.store, &m.verso}[i]
			of.perSecond = append(of.perSecond, got.perSecond)
			of.p99 = append(of.p99, got.p99)
			of.cpuTime = append(of.cpuTime, float64(report.CPUTime()-before)/got.requests)
		}
	}
	return m, nil
}

// judge returns the table of what was measured, and the bounds. The interval of a
// ratio decides: where it reaches 1 the difference is not significant.
func judge(all []*measurement) (text string, bounds []*report.Bound) {
	throughput := report.AtLeast(1, "requests in a second, Verso / store, upper end of the interval")
	latency := report.AtMost(1, "99th percentile of the latency, Verso / store, lower end of the interval")
	t := report.NewTable("framework, scheme", "requests/s: store", "Verso / store", "p99: store", "Verso / store", "processor time: store", "Verso / store")
	for _, m := range all {
		rate, p99 := m.verso.perSecond.Over(m.store.perSecond, 50), m.verso.p99.Over(m.store.p99, 50)
		throughput.Judge(rate.High, m.where)
		latency.Judge(p99.Low, m.where)
		t.Add(m.where, fmt.Sprintf("%.0f", m.store.perSecond.Percentile(50)), rate.String(), report.Duration(m.store.p99.Percentile(50)), p99.String(),
			report.Duration(m.store.cpuTime.Percentile(50)), m.verso.cpuTime.Over(m.store.cpuTime, 50).String())
	}
	return t.String(), []*report.Bound{throughput, latency}
}
