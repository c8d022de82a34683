package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/goverso/verso/bench/internal/report"
	"github.com/goverso/verso/bench/internal/service"
)

// rounds is how often the hostile requests come and go.
const rounds = 6

// minDuration leaves each round so many measured requests that a percentile of
// them means something.
const minDuration = rounds * 100 * time.Millisecond

// soaked is what was seen of a framework.
type soaked struct {
	framework string
	versioned *tally   // with Verso
	bare      *tally   // without
	memory    []memory // after warming up, then after each round

	// The latency of good requests among hostile ones, beside that among good
	// ones in their place, and beside that of the services without Verso.
	p50, p99         report.Pairs
	bareP50, bareP99 report.Pairs
}

// soak puts load on the services of a framework: it warms them up with all
// requests, then lets the kinds of traffic take turns.
func (o *options) soak(ctx context.Context, f *service.Framework) (s *soaked, err error) {
	server, addresses, err := service.StartServer(ctx, "serve", f.Name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, server.Stop(nil)) }()
	control := addresses[len(addresses)-1]
	s = &soaked{framework: f.Name, versioned: newTally(), bare: newTally()}

	fmt.Fprintf(os.Stderr, "%s: warming up\n", f.Name)
	for _, t := range []traffic{unversioned, withHostile} {
		if _, err := s.turn(ctx, t, addresses, o.duration/rounds); err != nil {
			return nil, err
		}
	}
	if err := s.readMemory(ctx, control); err != nil {
		return nil, err
	}
	order := []traffic{withoutHostile, withHostile, unversioned}
	for round := range rounds {
		fmt.Fprintf(os.Stderr, "%s: round %d of %d\n", f.Name, round+1, rounds)
		p50, p99 := make(map[traffic]float64), make(map[traffic]float64)
		for _, t := range order {
			latencies, err := s.turn(ctx, t, addresses, o.duration/rounds)
			if err != nil {
				return nil, err
			}
			p50[t], p99[t] = percentile(latencies, 50), percentile(latencies, 99)
		}
		s.p50.Add(p50[withoutHostile], p50[withHostile])
		s.p99.Add(p99[withoutHostile], p99[withHostile])
		s.bareP50.Add(p50[unversioned], p50[withHostile])
		s.bareP99.Add(p99[unversioned], p99[withHostile])
		if err := s.readMemory(ctx, control); err != nil {
			return nil, err
		}
		slices.Reverse(order)
	}
	return s, nil
}

// turn keeps the services busy for a time, and returns how long each of the
// measured requests took meanwhile.
func (s *soaked) turn(ctx context.Context, t traffic, addresses []string, duration time.Duration) ([]time.Duration, error) {
	n := len(service.Schemes)
	services, counted := addresses[:n], s.versioned
	if t == unversioned {
		services, counted = addresses[n:2*n], s.bare
	}
	background, err := startBackground(ctx, t, counted.all(), services)
	if err != nil {
		return nil, err
	}
	latencies := measure(services, t, duration, counted)
	sent := newTally()
	if err := background.Stop(sent); err != nil {
		return nil, fmt.Errorf("background: %w", err)
	}
	counted.add(sent)
	return latencies, nil
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
