package adapter_test

import (
	"slices"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/internal/coretest"
)

// TestOrderForAtLeast: once a handler compares versions, their order matters.
func TestOrderForAtLeast(t *testing.T) {
	for name, test := range map[string]struct {
		versions []string
		calls    bool
		want     []string
	}{
		"compared":     {[]string{"2026-02-01", "2025-11-30"}, true, []string{"newest_first"}},
		"not compared": {[]string{"2026-02-01", "2025-11-30"}, false, nil},
		"oldest first": {[]string{"2025-11-30", "2026-02-01"}, true, nil},
	} {
		b := coretest.Bound(verso.MustNew(verso.Header("Api-Version"), coretest.List(test.versions...)), coretest.Users)
		result, err := b.Result(verso.V("2025-11-30"))
		if err != nil {
			t.Fatal(err)
		}
		b.Explain()
		if test.calls {
			result.AtLeast("2026-02-01")
		}
		found := slices.DeleteFunc(coretest.Findings(b.Explain()), func(code string) bool { return code == "host_unchecked" })
		if !slices.Equal(found, test.want) {
			t.Errorf("%s: %v, want %v", name, found, test.want)
		}
	}
}
