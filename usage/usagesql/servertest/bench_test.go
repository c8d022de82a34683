package servertest

import (
	"context"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/usage"
)

// BenchmarkObserve counts in memory. It is as fast as a table.
func BenchmarkObserve(b *testing.B) {
	o := call("v1", "acme", "/users", noon)
	for name, observe := range map[string]func(context.Context, verso.Observation){
		"table": usage.NewTable(&verso.Config{Catalogue: versions()}).Observe,
		"store": start(b, newSQLite(b)).Observe,
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				observe(b.Context(), o)
			}
		})
	}
}
