package usage_test

import (
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
			other := usage.NewTable(&config)
			calls := usage.NewTable(&config)
			for _, counter := range config.Counters {
				counter.Observe(t.Context(), verso.Observation{Time: clock.Now(), Version: verso.V("v1"), Outcome: verso.OutcomeServed, Client: "acme"})
			}
			for _, table := range []*usage.Table{other, calls} {
				counts := table.Take() // that it counts, and the request
				if len(counts) != 2 || counts[1].Version != "v1" || counts[1].First != clock.Now().Unix() {
					t.Errorf("counted %+v", counts)
				}
			}
		})
	}
	for name, test := range map[string]struct {
		config *verso.Config
		bounds usage.Bounds
		want   string
	}{
		"no versions":      {&verso.Config{}, usage.Bounds{}, "usage: the configuration lists no versions: set Catalogue or AllowedVersions"},
		"no configuration": {nil, usage.Bounds{}, "usage: the configuration is nil: pass that of the service"},
		"negative bounds": {&verso.Config{AllowedVersions: []string{"v1"}}, usage.Bounds{Clients: -1, Cells: -2},
			"usage: Bounds.Clients is -1: write a positive number, or 0 for 1000\nusage: Bounds.Cells is -2: write a positive number, or 0 for 120000"},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if err, _ := recover().(error); err == nil || err.Error() != test.want {
					t.Errorf("panics with %v", err)
				}
			}()
			usage.NewBoundedTable(test.config, test.bounds)
		})
	}
}
