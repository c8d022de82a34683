package usage_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/versotest"
	"github.com/goverso/verso/usage"
)

// TestConfiguration: a table has the versions and the clock of what it counts for, and the service's own
// Observe is called as well.
func TestConfiguration(t *testing.T) {
	clock := versotest.NewClock(catalogue.MustDate("2026-11-21"))
	for name, config := range map[string]verso.Config{
		"a catalogue": {Catalogue: verso.Must(catalogue.List("v1", "v2")), Clock: clock.Now},
		"a list":      {AllowedVersions: []string{"v1", "v2"}, Clock: clock.Now},
	} {
		t.Run(name, func(t *testing.T) {
			seen := 0
			config.Observe = func(context.Context, verso.Observation) { seen++ }
			calls := usage.NewTable(&config)
			config.Observe(t.Context(), verso.Observation{Time: clock.Now(), Version: verso.V("v1"), Outcome: verso.OutcomeServed, Client: "acme"})
			assert.Equal(t, 1, seen)
			counts := calls.Take()
			require.Len(t, counts, 2, "that it counts, and the request")
			assert.Equal(t, "v1", counts[1].Version)
			assert.Equal(t, clock.Now().Unix(), counts[1].First)
		})
	}
	assert.PanicsWithError(t, "usage: the configuration lists no versions: set Catalogue or AllowedVersions", func() { usage.NewTable(&verso.Config{}) })
	assert.PanicsWithError(t, "usage: the configuration is nil: pass that of the service", func() { usage.NewTable(nil) })
}
