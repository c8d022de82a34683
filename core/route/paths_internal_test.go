package route

import (
	"fmt"
	"testing"
)

// A slot has few paths, also when the bytes that are looked at first are the
// same in all of them, so that look-ups do not grow with the routes.
func TestSlotsAreNotCrowded(t *testing.T) {
	for _, test := range []struct {
		name   string
		format string
		n      int
	}{
		{"few", "/users/%d", 10},
		{"an API", "/:version/resource%d/:id", 100},
		{"many", "/users/%d", 10_000},
		{"alike but in the middle", "/api/%06d/users/:user/orders/:order", 10_000},
	} {
		t.Run(test.name, func(t *testing.T) {
			routes := make([]*Route, 0, 3*test.n)
			for i := range test.n {
				for _, method := range []string{"GET", "POST", "GET"} {
					routes = append(routes, &Route{Method: method, Path: fmt.Sprintf(test.format, i)})
				}
			}
			const methods, limit = 2, 16 // far beyond what a hash of 10,000 paths comes to
			for _, slot := range newPaths(routes).slots {
				if len(slot) > methods*limit {
					t.Errorf("a slot has %d routes", len(slot))
				}
			}
		})
	}
}
