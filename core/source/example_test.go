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

	var link source.Written
	link.SetLink(2, true)         // of a request that had its version in the second part of First
	link.SetPart(link.Part() - 1) // for that part, which knows itself as the first
	fmt.Println(link.IsLink(), link.Stays(), link.Part(), link.IsInURL())
	fmt.Println(written.IsInURL())

	// What builds the URL of a link, or the request of a client, asks besides:
	fmt.Println(written.Namespace())
	fmt.Println(written.Prefix())
	fmt.Println(written.Path("/users"))
	// Output:
	// false false
	// version v2
	// v2:user-list
	// version v2
	// v2.example.com <nil>
	// Api-Version v2
	// true true 1 false
	// true
	// v2 true
	//  false
	// /users <nil>
}

func ExampleV() {
	asked, none := verso.V(""), verso.Version{}
	fmt.Println(asked == none, asked.IsNone(), none.IsNone())
	fmt.Println(verso.V("v1") == verso.V("V1"), verso.V("1") == verso.V("1.0"))
	// Output:
	// false false true
	// false false
}
