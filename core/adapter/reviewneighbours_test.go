package adapter_test

import (
	"slices"
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
		{"a literal with a rest, against a parameter with one", "/:version/:id/*", "/:version/files/*", since, nil, true},
		{"a rest with text", "/:version/*", "/:version/ui*", since, nil, true},
		{"the same rest", "/:version/files/*", "/:version/files/*rest", since, nil, false},
		{"some of its paths", "/:version/:id/settings", "/:version/me/:page", since, nil, true},
		{"some of its paths, behind a rest", "/:version/:id/settings", "/:version/me/*", since, nil, true},
		{"paths of which the other has the first text", "/:version/me/:page", "/:version/:id/settings", since, nil, false},
		{"no path, since a text is no version", "/:version/users/:id", "/users/:id/invoice", since, nil, false},
		{"no path", "/:version/:id/settings", "/:version/me/history", since, nil, false},
		{"no path, by text around a parameter", "/:version/:id/settings", "/:version/me/page-:id", since, nil, false},
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

// TestNeighbourAcknowledged: what is meant for one route is still found for another.
func TestNeighbourAcknowledged(t *testing.T) {
	const search, mine = "/:version/users/search", "/:version/users/me"
	for _, test := range []struct {
		acknowledged []string
		want         []string // codes in the log
		marked       int      // findings
	}{
		{nil, []string{"neighbour_shadowed"}, 0},
		{[]string{"neighbour_shadowed " + search}, []string{"neighbour_shadowed"}, 1},
		{[]string{"neighbour_shadowed " + search, "neighbour_shadowed " + mine}, nil, 1},
		{[]string{"neighbour_shadowed"}, nil, 1},
		{[]string{"neighbour_shadowed /users"}, []string{"neighbour_shadowed", "accepted_unknown"}, 0},
	} {
		log := coretest.Logging(t)
		config := coretest.List("v1", "v2")
		config.Acknowledged = test.acknowledged
		b := adapter.Bind(verso.MustNew(verso.PathParam("version"), config), nil)
		coretest.Register(b, route.Route{Method: "GET", Pattern: route.Colons("/:version/users/:id")})
		for _, pattern := range []string{search, mine} {
			coretest.Register(b, route.Route{Method: "GET", Pattern: route.Colons(pattern)}, verso.Since("v2"))
		}
		marked := 0
		for _, f := range b.Explain().Findings {
			if f.Acknowledged {
				marked++
			}
		}
		if got := coretest.Codes(t, log); !slices.Equal(got, test.want) || marked != test.marked {
			t.Errorf("%q: logged %q, want %q; marked %d, want %d", test.acknowledged, got, test.want, marked, test.marked)
		}
	}
}
