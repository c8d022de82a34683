package adapter_test

import (
	"fmt"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
)

// A route has one rewriter.
func ExampleBinding_CheckRewrite() {
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1"}})
	binding := adapter.Bind(api, nil)
	defer func() { fmt.Println(recover()) }()
	binding.CheckRewrite(nil, nil)
	// Output: verso: Routes: Rewrite gets nil: check the error of what made the rewriter
}
