package adapter_test

import (
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/internal/coretest"
	"github.com/goverso/verso/core/route"
)

func TestNeighbourShadowed(t *testing.T) {
	since := []verso.RouteOption{verso.Since("v2")}
	for _, test := range []struct {
		name, general, special string
		options, generals      []verso.RouteOption
		found                  bool
	}{
		{"a literal", "/:version/users/:id", "/:version/users/search", since, nil, true},
		{"the rest of the path", "/:version/files/*", "/:version/files/new", since, nil, true},
		{"a deeper literal", "/:version/files/*", "/:version/files/a/new", since, nil, true},
		{"text around a parameter", "/:version/users/:id", "/:version/users/u-:id", since, nil, true},
		{"in every version", "/:version/users/:id", "/:version/users/search", nil, nil, false},
		{"removed", "/:version/users/:id", "/:version/users/search", []verso.RouteOption{verso.RemovedIn("v2")}, nil, false},
		{"both since", "/:version/users/:id", "/:version/users/search", since, since, false},
		{"another path", "/:version/users/:id", "/:version/rooms/search", since, nil, false},
		{"deeper", "/:version/users/:id", "/:version/users/search/x", since, nil, false},
		{"the general one since", "/:version/users/search", "/:version/users/:id", since, nil, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := adapter.Bind(verso.MustNew(verso.PathParam("version"), coretest.List("v1", "v2")), nil)
			for pattern, options := range map[string][]verso.RouteOption{test.general: test.generals, test.special: test.options} {
				if _, err := b.Add(route.Route{Method: "GET", Path: pattern, Pattern: route.Colons(pattern)}, options...); err != nil {
					t.Fatal(err)
				}
			}
			found := false
			for _, f := range b.Explain().Findings {
				found = found || f.Code == "neighbour_shadowed"
			}
			if found != test.found {
				t.Errorf("found %v, want %v", found, test.found)
			}
		})
	}
}
