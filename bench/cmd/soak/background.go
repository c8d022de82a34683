package main

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/goverso/verso/bench/internal/service"
)

// workers is how many clients keep the server busy: each sends its next request
// as soon as it has an answer.
const workers = 8

// background keeps the servers of the schemes at saturation.
type background struct {
	addresses []string // by scheme
	tally     *tally
	sent      atomic.Int64 // numbers the requests of all workers
}

// mix returns the kinds of requests, in the order in which a worker sends them:
// half of them ordinary, and half of them hostile or, without these, good.
func mix(withHostile bool) []*kind {
	var kinds []*kind
	for i := range max(len(ordinary), len(hostile)) {
		other := good
		if withHostile {
			other = hostile[i%len(hostile)]
		}
		kinds = append(kinds, ordinary[i%len(ordinary)], other)
	}
	return kinds
}

// round keeps the servers busy for a time, and returns how long each of the
// good requests took that the probes sent meanwhile.
func (b *background) round(ctx context.Context, duration time.Duration, withHostile bool) []time.Duration {
	var working, probing sync.WaitGroup
	stop := make(chan struct{})
	for range workers {
		working.Go(func() { b.work(ctx, mix(withHostile), stop) })
	}
	start := time.Now()
	latencies := make([][]time.Duration, probes)
	for number := range probes {
		probing.Go(func() { latencies[number] = probe(ctx, b.addresses, number, start, duration, b.tally) })
	}
	probing.Wait()
	close(stop)
	working.Wait()
	return slices.Concat(latencies...)
}

// work sends requests as one worker until stop is closed.
func (b *background) work(ctx context.Context, kinds []*kind, stop <-chan struct{}) {
	clients := make([]client, len(b.addresses))
	for i := range clients {
		clients[i].address = b.addresses[i]
		defer clients[i].close()
	}
	for {
		for _, k := range kinds {
			for i, s := range service.Schemes {
				select {
				case <-stop:
					return
				default:
				}
				e := k.exchange(s, int(b.sent.Add(1)))
				status, err := clients[i].do(ctx, &e)
				b.tally.count(k, status, err)
			}
		}
	}
}
