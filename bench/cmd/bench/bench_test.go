package main

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/bench/internal/service"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/versotest"
)

func TestContest(t *testing.T) {
	var c contest
	sink := make([]byte, 0)
	little, much := c.add(func() { sink = append(sink[:0], 1) }), c.add(func() {
		for range 1000 {
			sink = append(sink[:0], 1)
		}
		sink = make([]byte, 100)
	})
	var calls []*int
	shared := c.share(2, func() func() {
		mine := new(int)
		calls = append(calls, mine)
		return func() { *mine++ }
	})
	require.NoError(t, c.run(t.Context(), 10))
	assert.Len(t, much.times, 10)
	assert.Len(t, shared.times, 10)
	assert.GreaterOrEqual(t, *calls[1], 10*minCalls, "of the first goroutine")
	assert.Equal(t, *calls[1], *calls[2], "of the second goroutine")
	assert.Greater(t, much.time()/little.time(), 10.0)
	assert.Equal(t, []float64{0, 1}, []float64{little.allocs, much.allocs})
	assert.Panics(t, func() {
		s := service.Named("query")
		c.serve(service.Frameworks[0].New(service.Options{Scheme: s, Variant: service.Verso}), s.Request("v9"), http.StatusOK)
	})
}

// TestLinks makes sure that a link is in the version of its request.
func TestLinks(t *testing.T) {
	for _, f := range service.Frameworks {
		for name, want := range map[string]string{
			"accept":    "http://example.com/users/alice/orders/42",
			"path":      "http://example.com/v2/users/alice/orders/42",
			"namespace": "http://example.com/v2/users/alice/orders/42",
			"host":      "http://v2.example.com/users/alice/orders/42",
			"query":     "http://example.com/users/alice/orders/42?version=v2",
		} {
			built, err := inside(f, service.Named(name), 20)(verso.Target{Name: "order", Params: verso.Params{"id": "alice", "order": 42}})
			require.NoError(t, err)
			assert.Equal(t, want, built, "%s, %s", f.Name, name)
		}
	}
}

// TestSixFields makes sure that the code by hand sets what the catalogue does.
func TestSixFields(t *testing.T) {
	s := service.Named("header")
	r, e := s.Request("v2"), &exchange{header: make(http.Header)}
	var call adapter.Call
	call.Request = versotest.Request(r.HTTP(r.Host), nil, nil)
	require.NoError(t, newSeam(s.API(withCatalogue(dated)), nil).Check(e, &call, func() {}))
	e.header.Del("Vary")
	want := make(http.Header)
	for _, field := range sixFields {
		want.Set(field[0], field[1])
	}
	assert.Equal(t, want, e.header)
}
