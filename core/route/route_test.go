package route_test

import (
	"slices"
	"testing"

	"github.com/goverso/verso/core/route"
)

func TestNamespace(t *testing.T) {
	for _, test := range []struct {
		name, namespace string
		namespaces      []string
		hasName         bool
	}{
		{"", "", nil, false},
		{"user-list", "", nil, true},
		{"v1:user-list", "v1", []string{"v1"}, true},
		{"api:v1:user-list", "api:v1", []string{"api", "v1"}, true},
		{"api::user-list", "api:", []string{"api", ""}, true},
		{":user-list", "", nil, true},
		{"v1:", "v1", []string{"v1"}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			alone := &route.Route{Name: test.name, Path: "/"}
			other := route.Route{Name: "other:name", Path: "/"}
			renamed := *inTable(other)
			renamed.Name = test.name
			for where, r := range map[string]*route.Route{"alone": alone, "in a table": inTable(*alone), "copied from a table": inTable(renamed), "prepared": alone.Prepare(), "prepared again": renamed.Prepare()} {
				if got := r.Namespace(); got != test.namespace {
					t.Errorf("%s: Namespace() = %q, want %q", where, got, test.namespace)
				}
				if got := r.Namespaces(); !slices.Equal(got, test.namespaces) {
					t.Errorf("%s: Namespaces() = %q, want %q", where, got, test.namespaces)
				}
				if got := r.HasName(); got != test.hasName {
					t.Errorf("%s: HasName() = %t, want %t", where, got, test.hasName)
				}
			}
		})
	}
}

func TestNamespacesAllocs(t *testing.T) {
	for _, name := range []string{"api:v1:user", "user", ""} {
		for _, r := range []*route.Route{inTable(route.Route{Name: name}), route.Route{Name: name}.Prepare()} {
			if got := testing.AllocsPerRun(100, func() { r.Namespaces() }); got != 0 {
				t.Errorf("Namespaces of %q allocates %v times, want 0", name, got)
			}
		}
	}
}

// inTable returns the route as the only one of a table.
func inTable(r route.Route) *route.Route {
	for only := range route.NewTable(r).Routes() {
		return only
	}
	return nil
}

func TestJoin(t *testing.T) {
	for _, test := range []struct{ namespace, name, want string }{
		{"", "users", "users"}, {"v1", "users", "v1:users"}, {"api:v1", "users", "api:v1:users"}, {"v1", "", "v1:"}, {"", "", ""},
	} {
		if got := route.Join(test.namespace, test.name); got != test.want {
			t.Errorf("Join(%q, %q) = %q, want %q", test.namespace, test.name, got, test.want)
		}
	}
}
