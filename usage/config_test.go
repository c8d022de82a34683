package usage_test

import (
	"context"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/versotest"
	"github.com/goverso/verso/usage"
)

// TestConfiguration: a table has the versions and the clock of what it counts for, and another store counts as well.
func TestConfiguration(t *testing.T) {
	clock := versotest.NewClock(catalogue.MustDate("2026-11-21"))
	for name, config := range map[string]verso.Config{
		"a catalogue": {Catalogue: verso.Must(catalogue.List("v1", "v2")), Clock: clock.Now},
		"a list":      {AllowedVersions: []string{"v1", "v2"}, Clock: clock.Now},
	} {
		t.Run(name, func(t *testing.T) {
			seen := 0
			config.Count = func(context.Context, verso.Observation) { seen++ }
			calls := usage.NewTable(&config)
			config.Count(t.Context(), verso.Observation{Time: clock.Now(), Version: verso.V("v1"), Outcome: verso.OutcomeServed, Client: "acme"})
			counts := calls.Take() // that it counts, and the request
			if seen != 1 || len(counts) != 2 || counts[1].Version != "v1" || counts[1].First != clock.Now().Unix() {
				t.Errorf("seen %d times, counted %+v", seen, counts)
			}
		})
	}
	for name, test := range map[string]struct {
		config *verso.Config
		want   string
	}{
		"no versions":      {&verso.Config{}, "usage: the configuration lists no versions: set Catalogue or AllowedVersions"},
		"no configuration": {nil, "usage: the configuration is nil: pass that of the service"},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if err, _ := recover().(error); err == nil || err.Error() != test.want {
					t.Errorf("panics with %v", err)
				}
			}()
			usage.NewTable(test.config)
		})
	}
}
