package adapter_test

import (
	"testing"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/internal/coretest"
	"github.com/goverso/verso/core/versotest"
)

// The end of a route counts, whether or not anything else has a date.
func TestAnEndWithoutOtherDates(t *testing.T) {
	end := coretest.Date(2026, 7, 1)
	for name, options := range map[string][]verso.RouteOption{
		"a sunset":                   {verso.SunsetAt(end)},
		"a sunset and a deprecation": {verso.SunsetAt(end), verso.DeprecatedAt(end.AddDate(-1, 0, 0))},
		"a sunset of some versions":  {verso.SunsetAt(end), verso.Since("v1")},
	} {
		for now, want := range map[time.Time]string{end.Add(-time.Second): "= v1", end: "410 route_gone"} {
			b := coretest.Bound(verso.MustNew(verso.Header("Api-Version"), verso.Config{
				Clock:     versotest.NewClock(now).Now,
				Catalogue: catalogue.MustNew(catalogue.Config{Versions: []catalogue.Entry{{Version: "v1"}}, AfterSunset: catalogue.Gone}),
			}))
			ask := coretest.Field("v1")
			ask.Route = coretest.Registered(b, options...)
			coretest.Expect(t, b, ask.Request(), want, name, now)
		}
	}
}
