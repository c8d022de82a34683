package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/goverso/verso/bench/internal/service"
)

// workers is how many clients keep the server busy: each sends its next request
// as soon as it has an answer.
const workers = 8

// startBackground starts the process that keeps the servers busy, and returns
// when it does so. Its last value is a [tally]. Its requests have numbers from
// first on.
func startBackground(ctx context.Context, t traffic, first int, addresses []string) (*service.Process, error) {
	arguments := append([]string{"background", string(t), strconv.Itoa(first)}, addresses...)
	process, err := service.Start(ctx, arguments...)
	if err != nil {
		return nil, err
	}
	var ready bool
	if err := process.Read(&ready); err != nil {
		return nil, fmt.Errorf("background: %w", err)
	}
	return process, nil
}

// background is that process. It ends when standard input does.
func background(arguments []string) error {
	if len(arguments) != 2+len(service.Schemes) {
		return fmt.Errorf("background needs the traffic, a number and %d addresses", len(service.Schemes))
	}
	t, err := trafficNamed(arguments[0])
	if err != nil {
		return err
	}
	first, err := strconv.ParseInt(arguments[1], 10, 64)
	if err != nil {
		return err
	}
	var (
		number  atomic.Int64 // of the last request of all workers
		working sync.WaitGroup
		counted = newTally()
		stop    = make(chan struct{})
		output  = json.NewEncoder(os.Stdout)
	)
	number.Store(first)
	for i := range workers {
		working.Go(func() { work(t, t.kinds(i), arguments[2:], &number, counted, stop) })
	}
	if err := output.Encode(true); err != nil {
		return err
	}
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
		return err
	}
	close(stop)
	working.Wait()
	return output.Encode(counted)
}

// work sends requests as one worker until stop is closed.
func work(t traffic, kinds []*kind, addresses []string, number *atomic.Int64, counted *tally, stop <-chan struct{}) {
	clients := newClients(addresses)
	defer clients.close()
	for {
		for _, k := range kinds {
			for i, s := range service.Schemes {
				select {
				case <-stop:
					return
				default:
				}
				e := k.exchange(s, int(number.Add(1)))
				e.want = t.expect(e.want)
				status, err := clients[i].do(&e)
				counted.count(k, status, err)
			}
		}
	}
}
