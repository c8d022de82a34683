package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/goverso/verso/bench/internal/report"
	"github.com/goverso/verso/bench/internal/service"
)

// rounds is how often the hostile requests come and go.
const rounds = 6

// soaked is what was seen of a framework.
type soaked struct {
	framework string
	tally     *tally
	p50, p99  report.Pairs // of good requests, without and with hostile ones
	memory    []memory     // after warming up, then after each round
}

// soak puts load on the services of a framework: it warms them up with all
// requests, then lets rounds without and with hostile requests take turns.
func (o *options) soak(ctx context.Context, f *service.Framework) (s *soaked, err error) {
	server, err := service.Start(ctx, "serve", f.Name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, server.Stop()) }()
	addresses, control := server.Addresses[:len(service.Schemes)], server.Addresses[len(service.Schemes)]
	s = &soaked{framework: f.Name, tally: newTally()}
	turn := o.duration / rounds
	b := &background{addresses: addresses, tally: s.tally}

	fmt.Fprintf(os.Stderr, "%s: warming up\n", f.Name)
	b.round(ctx, turn, true)
	if err := s.readMemory(ctx, control); err != nil {
		return nil, err
	}
	for round := range rounds {
		fmt.Fprintf(os.Stderr, "%s: round %d of %d\n", f.Name, round+1, rounds)
		latencies := make(map[bool][]time.Duration)
		first := round%2 == 1
		for _, withHostile := range []bool{first, !first} {
			latencies[withHostile] = b.round(ctx, turn, withHostile)
		}
		s.p50.Add(percentile(latencies[false], 50), percentile(latencies[true], 50))
		s.p99.Add(percentile(latencies[false], 99), percentile(latencies[true], 99))
		if err := s.readMemory(ctx, control); err != nil {
			return nil, err
		}
	}
	return s, ctx.Err()
}

// readMemory adds what the server holds now that no client is connected.
func (s *soaked) readMemory(ctx context.Context, control string) error {
	goroutines := 0 // the first time it takes the time to settle
	if len(s.memory) > 0 {
		goroutines = s.memory[0].Goroutines
	}
	m, err := readMemory(ctx, control, goroutines)
	s.memory = append(s.memory, m)
	return err
}

// growth returns by how much the server held more than after warming up, at
// worst.
func (s *soaked) growth() (heapKiB, goroutines float64) {
	before := s.memory[0]
	for _, m := range s.memory {
		heapKiB = max(heapKiB, (float64(m.Heap)-float64(before.Heap))/(1<<10))
		goroutines = max(goroutines, float64(m.Goroutines-before.Goroutines))
	}
	return heapKiB, goroutines
}
