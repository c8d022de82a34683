package verso_test

import (
	"testing"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/internal/coretest"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/versotest"
)

// An explanation is current until a route is added or a date passes, of a version or of a
// route.
func TestIsCurrent(t *testing.T) {
	clock := versotest.NewClock(coretest.Date(2026, 1, 1))
	b := coretest.Bound(verso.MustNew(verso.Header("Api-Version"), verso.Config{
		Clock: clock.Now,
		Catalogue: catalogue.MustNew(catalogue.Config{Versions: []catalogue.Entry{
			{Version: "v1", Deprecated: coretest.Date(2026, 3, 1), Sunset: coretest.Date(2026, 9, 1)}, {Version: "v2"},
		}}),
	}))
	coretest.Register(b, route.Route{Method: "GET", Pattern: route.Colons("/rooms")}, verso.DeprecatedAt(coretest.Date(2026, 6, 1)))
	e := b.Explain()
	for _, step := range []struct {
		name string
		do   func()
		want bool
	}{
		{"at once", func() {}, true},
		{"the second before v1 is deprecated", func() { clock.Set(coretest.Date(2026, 3, 1).Add(-time.Second)) }, true},
		{"the clock was set back", func() { clock.Set(coretest.Date(2025, 12, 1)) }, false},
		{"v1 is deprecated", func() { clock.Set(coretest.Date(2026, 3, 1)) }, false},
		{"explained again", func() { e = b.Explain() }, true},
		{"the route is deprecated", func() { clock.Set(coretest.Date(2026, 6, 1)) }, false},
		{"explained again", func() { e = b.Explain() }, true},
		{"v1 ends", func() { clock.Set(coretest.Date(2026, 9, 1)) }, false},
		{"explained again", func() { e = b.Explain() }, true},
		{"nothing comes", func() { clock.Set(coretest.Date(2096, 1, 1)) }, true},
		{"another route", func() { coretest.Register(b, route.Route{Method: "GET", Pattern: route.Colons("/users")}) }, false},
		{"explained again", func() { e = b.Explain() }, true},
		{"made by hand", func() { e = new(verso.Explanation) }, false},
	} {
		step.do()
		if got := e.IsCurrent(); got != step.want {
			t.Errorf("%s: %t, want %t", step.name, got, step.want)
		}
	}
}
