package main

import (
	"slices"
	"sync"
	"time"

	"github.com/goverso/verso/bench/internal/service"
)

const (
	// probeRate is how many good requests in a second are measured.
	probeRate = 200

	// probes is how many clients send them in turns, so that a slow answer
	// does not hold up the next requests.
	probes = 10
)

// measure sends good requests at fixed times, whatever becomes of those before,
// and returns how long each took. The latency counts from the time at which the
// request was due: a server that holds up a client does not hide what later
// requests would have waited.
func measure(addresses []string, t traffic, duration time.Duration, counted *tally) []time.Duration {
	const interval = time.Second / probeRate
	var probing sync.WaitGroup
	latencies := make([][]time.Duration, probes)
	start := time.Now()
	for number := range probes {
		probing.Go(func() {
			clients := newClients(addresses)
			defer clients.close()
			for round := 0; ; round++ {
				turn := round*probes + number
				due := start.Add(time.Duration(turn) * interval)
				if due.Sub(start) >= duration {
					return
				}
				time.Sleep(time.Until(due))
				at := round % len(clients)
				e := good.exchange(service.Schemes[at], turn)
				e.want = t.expect(e.want)
				status, err := clients[at].do(&e)
				latencies[number] = append(latencies[number], time.Since(due))
				counted.count(good, status, err)
			}
		})
	}
	probing.Wait()
	return slices.Concat(latencies...)
}
