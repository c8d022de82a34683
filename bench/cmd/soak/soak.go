package main

import (
	"context"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/goverso/verso/bench/internal/report"
	"github.com/goverso/verso/bench/internal/service"
	"github.com/goverso/verso/locales"
)

const (
	rounds  = 6 // how often the hostile requests come and go
	workers = 8 // clients that send their next request as soon as they have an answer

	probeRate = 200 // good requests in a second that are measured
	probes    = 10  // clients that send them, so that a slow answer does not hold up the next one

	settle = 2 * time.Second // that connections may take to end
)

// soaked is what was seen of a framework.
type soaked struct {
	framework        string
	bare, tally      *tally   // of the services without Verso, and with it
	heap, goroutines []uint64 // after warming up, then after each round

	// The percentiles of the latency of good requests in each round, without
	// Verso and with it.
	p50, p99 [2]report.Sample
	numbers  atomic.Int64 // of requests, so that no invention comes twice
}

// soak puts load on the services of a framework, in this process.
func soak(ctx context.Context, f *service.Framework, turn time.Duration) (*soaked, error) {
	s := &soaked{framework: f.Name, bare: newTally(), tally: newTally()}
	s.bare.any = true
	translator, err := locales.New()
	if err != nil {
		return nil, err
	}
	config := service.Config
	config.Translator = translator
	var addresses [2][]string // without Verso, with it
	for _, scheme := range service.Schemes {
		for i, variant := range []service.Variant{service.Bare, service.Verso} {
			o := service.Options{Scheme: scheme, Variant: variant, API: scheme.API(config), Answer: service.SayVersion}
			address, stop, err := f.New(o).Listen()
			if err != nil {
				return nil, err
			}
			defer stop()
			addresses[i] = append(addresses[i], address)
		}
	}
	for round := range 1 + rounds { // the first one warms up
		for i := range 2 {
			with := (i + round) % 2
			latencies := s.traffic(ctx, addresses[with], []*tally{s.bare, s.tally}[with], turn)
			if round > 0 {
				s.p50[with] = append(s.p50[with], latencies.Percentile(50))
				s.p99[with] = append(s.p99[with], latencies.Percentile(99))
			}
		}
		s.readMemory()
	}
	return s, ctx.Err()
}

// traffic keeps the services busy for a time: half of the clients send ordinary
// requests, the others hostile ones. It returns how long each of the measured
// requests took meanwhile.
func (s *soaked) traffic(ctx context.Context, addresses []string, t *tally, turn time.Duration) report.Sample {
	ctx, stop := context.WithCancel(ctx)
	var working, probing sync.WaitGroup
	for i := range workers {
		kinds := [][]*kind{ordinary, hostile}[i%2]
		working.Go(func() {
			c := newClient(addresses, t)
			defer c.http.CloseIdleConnections()
			// It begins anywhere: a short turn would send the first kinds only.
			for n := rand.IntN(len(addresses) * len(kinds)); ctx.Err() == nil; n++ {
				c.send(ctx, kinds[n/len(addresses)%len(kinds)], n%len(addresses), int(s.numbers.Add(1)))
			}
		})
	}
	latencies, start := make([]report.Sample, probes), time.Now()
	for i := range probes {
		probing.Go(func() {
			c := newClient(addresses, t)
			defer c.http.CloseIdleConnections()
			for n := i; ; n += probes {
				due := start.Add(time.Duration(n) * time.Second / probeRate)
				if due.Sub(start) >= turn || ctx.Err() != nil {
					return
				}
				time.Sleep(time.Until(due))
				c.send(ctx, good, n/probes%len(addresses), n)
				latencies[i] = append(latencies[i], float64(time.Since(due))) // also what a late start costs
			}
		})
	}
	probing.Wait()
	stop()
	working.Wait()
	var all report.Sample
	for _, of := range latencies {
		all = append(all, of...)
	}
	return all
}

// readMemory adds what is held now that no client is connected: again and again
// until there are as few goroutines as after warming up, or the time to settle
// has passed.
func (s *soaked) readMemory() {
	var stats runtime.MemStats
	var goroutines uint64 // the first time it takes the time to settle
	for deadline := time.Now().Add(settle); ; time.Sleep(settle / 50) {
		goroutines = uint64(runtime.NumGoroutine())
		if len(s.goroutines) > 0 && goroutines <= s.goroutines[0] || time.Now().After(deadline) {
			break
		}
	}
	for range 3 { // interned versions and pools are let go of by one, freed by the next
		runtime.GC()
	}
	runtime.ReadMemStats(&stats)
	s.heap, s.goroutines = append(s.heap, stats.HeapAlloc), append(s.goroutines, goroutines)
}

// growth returns by how much there was more than after warming up, at worst.
func growth(values []uint64) (worst float64) {
	for _, value := range values {
		worst = max(worst, float64(value)-float64(values[0]))
	}
	return worst
}
