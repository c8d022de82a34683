package adapter_test

import (
	"fmt"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
)

// sameInAll is the rewriter of routes that are the same in all versions.
type sameInAll struct{ verso.Rewriter }

func (sameInAll) IsDefault() bool { return true }

// A route inside a group replaces the group's default.
func ExampleIsDefault() {
	fmt.Println(adapter.IsDefault(sameInAll{}), adapter.IsDefault(nil))
	// Output: true false
}
