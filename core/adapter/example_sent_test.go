package adapter_test

import (
	"fmt"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
)

// A message of a queue has the version that its reader has stored.
func ExampleNewSent() {
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	paid, err := adapter.NewSent(api, verso.Since("v2"))
	if err != nil {
		panic(err)
	}
	for _, stored := range []string{"v1", "v2", "v3"} {
		fmt.Println(paid.Version(verso.V(stored)))
	}
	fmt.Println(paid.In(verso.V("v1")), paid.In(verso.V("v2")))
	fmt.Printf("%q\n", paid.ServedField(verso.V("v2")).Name) // the catalogue has no ServedHeader
	// Output:
	//  route not in version: "v1"
	// v2 <nil>
	//  unknown version: "v3"
	// false true
	// ""
}
