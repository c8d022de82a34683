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
func ExampleGroup_WithoutDefault() {
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1"}})
	group := adapter.NewGroup[string]("myadapter", adapter.Bind(api, nil)).
		AfterCheck("log").Rewrite(sameInAll{}, "default").AfterCheck("limit")
	fmt.Println(group.After(), group.WithoutDefault().After())
	fmt.Println(group.Rewrite(struct{ verso.Rewriter }{}, "rewriting").After())

	defer func() { fmt.Println(recover()) }()
	group.Rewrite(nil, "rewriting")
	// Output:
	// [log default limit] [log limit]
	// [log limit rewriting]
	// verso: Routes: Rewrite gets nil: check the error of what made the rewriter
}
