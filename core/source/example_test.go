package source_test

import (
	"fmt"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/source"
)

func ExampleVersion_InNamespace() {
	fmt.Println(verso.V("v2").InNamespace("user-list"))
	// Output: v2:user-list
}

// What a source writes is in the URL of a link, or in the request of a client.
func ExampleWritten() {
	var written source.Written
	fmt.Println(written.IsLink(), written.Stays()) // the request of a client

	written.SetParam("version", "v2") // PathParam
	fmt.Println(written.Param())

	written.SetQuery("version", "v2")                                               // QueryParam
	written.SetNamespace("v2")                                                      // Namespace
	written.SetHost(func(host string) (string, error) { return "v2." + host, nil }) // HostLabel
	written.SetHeader("Api-Version", "v2")                                          // Header

	fmt.Println(written.Name("user-list"))
	fmt.Println(written.Query())
	fmt.Println(written.Host("example.com"))
	fmt.Println(written.Header())
	// Output:
	// false false
	// version v2
	// v2:user-list
	// version v2
	// v2.example.com <nil>
	// Api-Version v2
}

func ExampleV() {
	asked, none := verso.V(""), verso.Version{}
	fmt.Println(asked == none, asked.IsNone(), none.IsNone())
	fmt.Println(verso.V("v1") == verso.V("V1"), verso.V("1") == verso.V("1.0"))
	// Output:
	// false false true
	// false false
}
