package conformance

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

const (
	// They are enough for requests to meet at each step of the work.
	clients           = 64 // concurrent ones in a scenario
	requestsPerClient = 16
)

// concurrentChecks send the requests of concurrent.jsonl repeatedly: 1024 from 64 concurrent
// clients, those of a scheme to one application. The handlers build a link and wait for each
// other, so that several requests are always in progress. Each answer must belong to its
// request: the version, the link, the language of the rejection. No goroutine may remain when
// the server is closed. A version that leaks from a pooled context to the next request shows
// only under load.
func concurrentChecks(cases []Case) (checks []check) {
	scenarios := make(map[string]*scenario)
	for _, c := range cases {
		if c.group != "concurrent" {
			continue
		}
		if scenarios[c.Scheme] == nil {
			scenarios[c.Scheme] = new(scenario)
			checks = append(checks, check{c.Scheme, scenarios[c.Scheme].check})
		}
		scenarios[c.Scheme].cases = append(scenarios[c.Scheme].cases, c)
	}
	return checks
}

// scenario is a set of requests to one application. Its cases share a configuration, so one
// server can answer all.
type scenario struct{ cases []Case }

// check registers each pattern once, although several cases ask for it: frameworks refuse a
// second route of the same path.
func (s *scenario) check(tb testing.TB, mount Mount) error {
	tb.Helper()
	api, err := s.cases[0].service.versioning(s.cases[0].Scheme)
	if err != nil {
		return err
	}
	app, meet := App{API: api}, make(rendezvous)
	for _, c := range s.cases {
		var r requestCase
		if err := c.Decode(&r); err != nil {
			return err
		}
		own := r.route(c.Op, r.handler)
		if !slices.ContainsFunc(app.Routes, func(known Route) bool { return known.Pattern == own.Pattern }) {
			own.Handle = func(call Call) Response {
				meet.another()
				return r.handle("", call)
			}
			app.Routes = append(app.Routes, own)
		}
	}
	server := start(tb, mount, app)
	err = concurrently(func(client, i int) error {
		c := &s.cases[(3*client+i)%len(s.cases)]
		return c.explain(c.sendOne(server.Address, strconv.Itoa(client*requestsPerClient+i)))
	})
	return errors.Join(err, server.close())
}

// concurrently calls f for each request of all clients, until the first failure of a client.
func concurrently(f func(client, request int) error) error {
	// Each client has its own place, so there is nothing to lock.
	failures := make([]error, clients)
	var group sync.WaitGroup
	for client := range clients {
		group.Go(func() {
			for i := 0; i < requestsPerClient && failures[client] == nil; i++ {
				failures[client] = f(client, i)
			}
		})
	}
	// All clients have to end before a server is closed, or the count of goroutines would include
	// theirs.
	group.Wait()
	failed := slices.DeleteFunc(failures, func(err error) bool { return err == nil })
	if len(failed) > 0 {
		return fmt.Errorf("%d of %d clients failed, the first one with: %w", len(failed), clients, failed[0])
	}
	return nil
}

// sendOne sends the request of the case, in which "*" is replaced by a unique string, and
// returns an error for a wrong answer. The unique part makes a mixed-up answer visible even
// between equal requests.
func (c *Case) sendOne(address, unique string) error {
	var r requestCase
	if err := c.Decode(&r); err != nil {
		return err
	}
	r.Request.Target = strings.ReplaceAll(r.Request.Target, "*", unique)
	r.Want.URL = strings.ReplaceAll(r.Want.URL, "*", unique)
	got, err := r.Request.send(address)
	if err == nil {
		err = errors.Join(r.judge(got, r.vary(c))...)
	}
	if err != nil {
		return fmt.Errorf("%w\nrequest:\n%s", err, &r.Request)
	}
	return nil
}

// rendezvous makes handlers wait for each other. A channel without a buffer is enough: one
// handler sends and the other receives.
type rendezvous chan struct{}

// another returns when another handler also calls it, so that the versions of both
// are determined, or after a moment: the last one has no other.
func (r rendezvous) another() {
	select {
	case r <- struct{}{}:
	case <-r:
	case <-time.After(20 * time.Millisecond):
	}
}
