package main

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/goverso/verso/bench/internal/report"
	"github.com/goverso/verso/bench/internal/service"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/usage"
)

// callsOf1000 are requests of 1,000 clients, on 10 routes, for two versions.
var callsOf1000 = func() []verso.Observation {
	calls := make([]verso.Observation, usage.MaxClients)
	for i := range calls {
		calls[i] = verso.Observation{
			Time: year(2026), Version: verso.V(fmt.Sprint("v", 1+i%2)), State: catalogue.Supported,
			Outcome: verso.OutcomeServed,
			Route:   fmt.Sprintf("/users/:id/route-%d", i%10), Client: fmt.Sprint("client-", i),
		}
	}
	return calls
}()

// oneClient is one of the clients.
const oneClient = "client-7"

// seen returns a table that has seen all clients.
func seen() *usage.Table {
	table := usage.NewTable(&verso.Config{Catalogue: verso.Must(catalogue.List(service.Config.AllowedVersions...))})
	for _, call := range callsOf1000 {
		table.Observe(context.Background(), call)
	}
	return table
}

// observed returns the configuration of all services, with an Observe.
func observed(observe func(context.Context, verso.Observation)) verso.Config {
	config := service.Config
	config.Observe = observe
	return config
}

var told atomic.Int64

// count is the least that an Observe does.
func count(context.Context, verso.Observation) { told.Add(1) }

// addCounting compares what counts requests with a sync.Map of atomic counters,
// which has neither days nor bounds.
func addCounting(c *contest) {
	table := seen()
	type key struct {
		version       verso.Version
		client, route string
	}
	var counters sync.Map
	inMap := func(_ context.Context, o verso.Observation) {
		k := key{o.Version, o.Client, o.Route}
		n, ok := counters.Load(k)
		if !ok {
			n, _ = counters.LoadOrStore(k, new(atomic.Uint64))
		}
		n.(*atomic.Uint64).Add(1)
	}
	for _, call := range callsOf1000 {
		inMap(context.Background(), call)
	}
	var started atomic.Int64
	calling := func(observe func(context.Context, verso.Observation)) func() func() {
		return func() func() {
			i := int(started.Add(131))
			return func() {
				observe(context.Background(), callsOf1000[i%len(callsOf1000)])
				i += 7
			}
		}
	}
	byTable, byMap := calling(table.Observe), calling(inMap)
	t := c.table("counting a request", "sync.Map", "table")
	t.columns = []column{over(1, 0, one(report.AtMost(1, "counting a request, table / sync.Map"))),
		allocations(1, 0, nil)}
	for _, goroutines := range []int{1, 16} {
		t.add(fmt.Sprint(goroutines, " at once"), "", c.share(goroutines, byMap), c.share(goroutines, byTable))
	}
}
