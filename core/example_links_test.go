package verso_test

import (
	"fmt"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/route"
)

// A job or a mail has no request.
func ExampleBinding_Link() {
	b := verso.Must(verso.NewURLPath(verso.Config{AllowedVersions: []string{"v1", "v2"}, Links: verso.Links{Origin: "https://api.example.com"}})).Bind(nil)
	verso.Must(b.Add(route.Route{Name: "user", Pattern: route.Braces("/{version}/users/{id}")}))
	fmt.Println(b.Link(verso.Target{Name: "user", Params: verso.Params{"id": 7}, Version: verso.V("v2")}))
	// Output: https://api.example.com/v2/users/7 <nil>
}

// Reverse does not try again without the version, as Link does.
func ExampleBinding_Reverse() {
	b := verso.Must(verso.NewURLPath(verso.Config{AllowedVersions: []string{"v1", "v2"}})).Bind(nil)
	verso.Must(b.Add(route.Route{Name: "health", Pattern: route.Braces("/health")}))
	fmt.Println(b.Reverse(verso.Request{}, verso.Version{}, verso.Target{Name: "health"}))
	fmt.Println(b.Reverse(verso.Request{}, verso.V("v1"), verso.Target{Name: "health"}))
	// Output:
	// /health <nil>
	//  verso: no reverse match: route "health" takes (), not (version)
}

// An adapter keeps a result for a handler that is called without the middleware.
func ExampleBinding_Result() {
	b := verso.Must(verso.NewURLPath(verso.Config{AllowedVersions: []string{"v1", "v2"}})).Bind(nil)
	verso.Must(b.Add(route.Route{Name: "user", Pattern: route.Braces("/{version}/users/{id}")}))
	result, err := b.Result(verso.V("v2"))
	if err != nil {
		fmt.Println(err)
		return
	}
	link, err := result.Link(verso.Request{}, verso.Target{Name: "user", Params: verso.Params{"id": 7}})
	fmt.Println(result.Version(), link, err)

	_, err = b.Result(verso.V("v9"))
	fmt.Println(err)
	// Output:
	// v2 /v2/users/7 <nil>
	// verso: unknown version: "v9": use one of ["v1" "v2"]
}

func ExampleVersionedName() {
	fmt.Println(verso.VersionedName(verso.V("v2"), "user-list"))
	// Output: v2:user-list
}

// What a source writes into a target is in the URL of a link, or in the request
// of a client.
func ExampleTarget_Written() {
	target := verso.Target{Name: "user-list"}
	target.SetDefaultParam("version", "v2")                                         // PathParam
	target.SetQuery("version", "v2")                                                // QueryParam
	target.SetNamespace("v2")                                                       // Namespace
	target.MoveHost(func(host string) (string, error) { return "v2." + host, nil }) // HostLabel
	target.SetHeader("Api-Version", "v2")                                           // Header

	fmt.Println(target.FullName())
	fmt.Println(target.Written())
	fmt.Println(target.Host("example.com"))
	// Output:
	// v2:user-list
	// map[version:v2] map[version:[v2]] [Api-Version v2]
	// v2.example.com <nil>
}
