//go:build !race

package bench

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"

	verso "github.com/goverso/verso/core"
)

// TestDeterminationAllocatesNothing compares Verso with a middleware that keeps
// a constant pointer, and a handler that reads it.
func TestDeterminationAllocatesNothing(t *testing.T) {
	for _, f := range frameworks {
		for _, s := range schemeCases {
			t.Run(f.name+"/"+s.name, func(t *testing.T) {
				r := s.request(t)
				assert.Equal(t, allocs(f.store(s), r), allocs(f.verso(s), r))
			})
		}
	}
}

// TestDeterminationAllocatesNothingMore compares requests that are more work to
// read with the usual one.
func TestDeterminationAllocatesNothingMore(t *testing.T) {
	accept, query := schemeCases[0], schemeCases[4]
	for _, f := range frameworks {
		floor := allocs(f.store(accept), accept.request(t))
		for name, header := range map[string]string{
			"browser": "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8",
			"quoted":  `application/json; version="v2"`,
			"long":    acceptShapes[0].header(8 << 10),
			"none":    "",
		} {
			r := accept.request(t)
			r.Header.Set("Accept", header)
			assert.Equal(t, floor, allocs(f.verso(accept), r), "%s, Accept %s", f.name, name)
		}
		for _, shape := range queryShapes {
			r := query.request(t)
			r.URL.RawQuery = fill(shape.pair, 64<<10)
			assert.Equal(t, floor, allocs(f.verso(query), r), "%s, query %s", f.name, shape.name)
		}
	}
}

// TestManyVersionsAllocateNothingMore serves the last of 10,000 versions.
func TestManyVersionsAllocateNothingMore(t *testing.T) {
	allowed := manyVersions(10_000)
	s := &schemeCase{
		scheme:  verso.Must(verso.NewQueryParameter(verso.Settings{AllowedVersions: allowed})),
		pattern: "/users/{id}",
		url:     "http://api.example.com/users/42?version=" + allowed[len(allowed)-1],
	}
	for _, f := range frameworks {
		assert.Equal(t, allocs(f.store(s), s.request(t)), allocs(f.verso(s), s.request(t)), f.name)
	}
}

// What the caller of a reversal allocates itself: the arguments.
const (
	positionalArguments = 1 // a slice
	namedArguments      = 2 // a map
)

// reversalBounds is what building a URL allocates at most, the arguments
// included. Two are the URL and the reverser that the scheme is given.
var reversalBounds = map[string]float64{
	"append":         0,
	"path":           1,
	"path-arguments": 1 + namedArguments,

	"accept_header-positional": 2 + positionalArguments,
	"accept_header-named":      2 + namedArguments,
	"hostname-named":           2 + namedArguments,
	"url_path-named":           3 + namedArguments, // and the version as an argument
	"namespace-named":          3 + namedArguments, // and the name with its namespace
	"query_parameter-named":    3 + namedArguments, // and the URL without the version
}

func TestReversalAllocations(t *testing.T) {
	for _, count := range routeCounts {
		for _, c := range reversalCases {
			if c.name == "peer" {
				continue
			}
			c.each(t, count, func(what string, build builder) {
				bound, ok := reversalBounds[what]
				assert.True(t, ok, what)
				got := testing.AllocsPerRun(100, func() { _, _ = build() })
				assert.LessOrEqual(t, got, bound, "%s/%s/%d", c.name, what, count)
			})
		}
	}
}

// allocs returns how many allocations a request takes.
func allocs(handler http.Handler, r *http.Request) float64 {
	w := newDiscard()
	return testing.AllocsPerRun(1000, func() { w.serve(handler, r) })
}
