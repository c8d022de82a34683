package adapter_test

import (
	"fmt"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
)

// A method of an adapter returns options that nobody registers a route with.
func ExampleBinding_Track() {
	b := adapter.Bind(verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}), nil)
	since := func(version string) []verso.RouteOption { return []verso.RouteOption{verso.Since(version), b.Track()} }
	since("v2")
	for _, finding := range b.Explain().Findings {
		fmt.Println(finding.Code)
	}
	// Output: option_unused
}
