package adapter_test

import (
	"sync"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/internal/coretest"
	"github.com/goverso/verso/core/scheme"
)

// Each request gets its own version, whatever others ask for at the same time; a
// version that the configuration names is the same result each time.
func TestDetermine(t *testing.T) {
	for _, config := range []verso.Config{coretest.WithDefault("v1", "v2", "v3"), coretest.WithDefault("v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8")} {
		api := coretest.Bound(verso.Must(scheme.NewQueryParameter("version", config)))
		var group sync.WaitGroup
		for text, want := range map[string]string{"version=v1": "= v1", "version=v2": "= v2", "version=v3": "= v3", "": "= v1", "version=v9": "404 invalid_query_parameter_version"} {
			group.Go(func() {
				r := coretest.Query(text).Request()
				first, _ := coretest.Begin(api, r)
				for range 300 {
					coretest.Expect(t, api, r, want, text)
					if again, _ := coretest.Begin(api, r); again != first {
						t.Errorf("%s: another result", text)
					}
				}
			})
		}
		group.Wait()
	}
}

// Invented versions are not kept, or a client could fill the memory.
func TestInventedVersions(t *testing.T) {
	api := coretest.Bound(verso.Must(scheme.NewQueryParameter("version", verso.Config{AnyVersion: true})))
	r := coretest.Query("version=invented").Request()
	first, call := coretest.Begin(api, r)
	second, _ := coretest.Begin(api, r)
	if call.Err != nil || first.Version() != verso.V("invented") || second.Version() != first.Version() || first == second {
		t.Errorf("determined %+v, %+v, %v", first, second, call.Err)
	}
}
