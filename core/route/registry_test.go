package route_test

import (
	"errors"
	"strconv"
	"sync"
	"testing"

	"github.com/goverso/verso/core/route"
)

func TestRegistry(t *testing.T) {
	var registry route.Registry
	if _, err := registry.Table().Path("user", map[string]any{"id": 7}); !errors.Is(err, route.ErrNoMatch) {
		t.Errorf("an empty registry: %v", err)
	}
	user := route.Route{Method: "GET", Path: "/users/:id", Name: "user", Pattern: route.Colons("/users/:id")}
	for _, add := range []struct {
		name string
		path string
		ok   bool
	}{
		{"user", "/users/:id", true},
		{"user", "/:version/users/:id", true}, // other parameters
		{"user", "/people/:id", false},
		{"post", "/posts/:id", true},
		{"user", "/people/:id", false},
		{"v1:", "/a", true}, // without a name, in a namespace
		{"v1:", "/b", true},
		{"", "/c", true},
		{"", "/d", true},
	} {
		added := user
		added.Name, added.Path, added.Pattern = add.name, add.path, route.Colons(add.path)
		if err := registry.Add(added); (err == nil) != add.ok {
			t.Errorf("Add(%q, %q) = %v", add.name, add.path, err)
		}
	}
	if path, err := registry.Table().Path("user", map[string]any{"id": 7}); path != "/users/7" {
		t.Errorf("path is %q, %v", path, err)
	}
	if _, ok := registry.Table().Lookup("", "GET", "/people/:id"); ok {
		t.Error("a route was added in spite of the error")
	}
	if found, ok := registry.Table().Lookup("", "GET", "/b"); !ok || found.Namespace() != "v1" {
		t.Error("a route without a name was not added")
	}
}

// A table is made once, and again after a route was added.
func TestRegistryKeepsItsTable(t *testing.T) {
	var registry route.Registry
	first := registry.Table()
	if registry.Table() != first {
		t.Error("a second table of the same routes was made")
	}
	if err := registry.Add(route.Route{Path: "/a"}); err != nil {
		t.Fatal(err)
	}
	if registry.Table() == first {
		t.Error("the table lacks a route that was added")
	}
}

func TestRegistryConcurrently(t *testing.T) {
	var registry route.Registry
	var group sync.WaitGroup
	for i := range 50 {
		group.Go(func() {
			name := "route-" + strconv.Itoa(i)
			if err := registry.Add(route.Route{Name: name, Pattern: route.Colons("/" + name)}); err != nil {
				t.Error(err)
			}
			if path, err := registry.Table().Path(name, nil); path != "/"+name {
				t.Errorf("path is %q, %v", path, err)
			}
		})
	}
	group.Wait()
}

// A pattern that is not understood is no reason to reject a route, which may
// never be linked to.
func TestRegistryNotUnderstood(t *testing.T) {
	var registry route.Registry
	for _, pattern := range []string{"/users/:id<int>", "/people/:id<int>"} {
		if err := registry.Add(route.Route{Name: "user", Path: pattern, Pattern: route.Colons(pattern)}); err != nil {
			t.Error(err)
		}
	}
	table := registry.Table()
	if _, ok := table.LookupPath("", "/people/:id<int>"); !ok {
		t.Error("the route was not added")
	}
	if _, err := table.Path("user", nil); !errors.Is(err, route.ErrPattern) {
		t.Errorf("Path: %v, want ErrPattern", err)
	}
}
