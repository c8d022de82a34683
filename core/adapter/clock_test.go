package adapter_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/internal/coretest"
)

// TestClockStill has clocks of a service, over the fake time of a bubble.
func TestClockStill(t *testing.T) {
	bubble := coretest.Date(2000, 1, 1) // its first time
	for name, test := range map[string]struct {
		clock func(start time.Time) time.Time
		wait  time.Duration
		codes []string
	}{
		"it stands still":              {func(start time.Time) time.Time { return start }, 2 * time.Minute, []string{"clock_still"}},
		"it stands still, for a while": {func(start time.Time) time.Time { return start }, time.Second, nil},
		"it moves":                     {func(start time.Time) time.Time { return start.Add(time.Since(bubble)) }, 2 * time.Minute, nil},
		"it is behind":                 {func(start time.Time) time.Time { return start.Add(time.Since(bubble) - time.Hour) }, 2 * time.Minute, nil},
		"it goes back":                 {func(start time.Time) time.Time { return start.Add(-60 * time.Since(bubble)) }, 2 * time.Minute, []string{"clock_back"}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				log, start := coretest.Logging(t), coretest.Date(2026, 11, 21)
				api, _ := coretest.OverTime(t, func(c *verso.Config) {
					c.Clock = func() time.Time { return test.clock(start) }
				})
				b := adapter.Bind(api, nil)
				for range 3 {
					coretest.Begin(b, coretest.In("v2").Request())
					time.Sleep(test.wait)
				}
				if got := coretest.Codes(t, log); !slices.Equal(got, test.codes) {
					t.Errorf("logged %q, want %q", got, test.codes)
				}
			})
		})
	}
}
