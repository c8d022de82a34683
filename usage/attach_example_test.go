package usage_test

import (
	"context"
	"fmt"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/usage"
)

// printer is a store of counts that keeps none.
type printer struct{}

func (*printer) Observe(_ context.Context, o verso.Observation) { fmt.Println(o.Version, o.Outcome) }

// A store of your own has the versions of what it counts for, and gets each observation.
func ExampleAttach() {
	config := verso.Config{AllowedVersions: []string{"v1", "v2"}}
	versions, err := usage.Attach(&config, new(printer))
	fmt.Println(versions.Versions(), err)
	config.Counters[0].Observe(context.Background(), verso.Observation{Version: verso.V("v1"), Outcome: verso.OutcomeServed}) // as an adapter does
	// Output:
	// [v1 v2] <nil>
	// v1 served
}
