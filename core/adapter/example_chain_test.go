package adapter_test

import (
	"fmt"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
)

// sameInAll is the rewriter of routes that are the same in all versions.
type sameInAll struct{ verso.Rewriter }

func (sameInAll) IsDefault() bool { return true }

// A rewriter of a route inside a group replaces the group's default.
func ExampleChain() {
	chain := adapter.Chain[string]{}.With("log").Rewrite(sameInAll{}, "default").With("limit")
	fmt.Println(chain.List(), chain.WithoutDefault().List())
	fmt.Println(chain.Rewrite(struct{ verso.Rewriter }{}, "rewriting").List())
	// Output:
	// [log default limit] [log limit]
	// [log limit rewriting]
}
