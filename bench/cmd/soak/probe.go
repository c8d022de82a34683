package main

import (
	"context"
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

// probe sends good requests at fixed times, as one of all probes, until a time
// has passed since start, and returns how long each took. The latency counts
// from the time at which the request was due: a server that holds up a probe
// does not hide what later requests would have waited.
func probe(ctx context.Context, addresses []string, number int, start time.Time, duration time.Duration, t *tally) []time.Duration {
	clients := make([]client, len(addresses))
	for i := range clients {
		clients[i].address = addresses[i]
		defer clients[i].close()
	}
	const interval = time.Second / probeRate
	var latencies []time.Duration
	for i := 0; ; i++ {
		turn := i*probes + number
		due := start.Add(time.Duration(turn) * interval)
		if due.Sub(start) >= duration {
			return latencies
		}
		time.Sleep(time.Until(due))
		at := turn / probes % len(addresses)
		e := good.exchange(service.Schemes[at], turn)
		status, err := clients[at].do(ctx, &e)
		latencies = append(latencies, time.Since(due))
		t.count(good, status, err)
	}
}
