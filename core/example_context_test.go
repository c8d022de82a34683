package verso_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/source"
)

// A generated server gives its handlers a context alone. An adapter's InContext puts there
// what its check has kept.
func ExampleFromContext() {
	b := adapter.Bind(verso.MustNew(verso.PathParam("version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}), nil)
	verso.Must(b.Add(route.Route{Name: "user", Pattern: route.Braces("/{version}/users/{id}")}))
	target := verso.Target{Name: "user", Params: verso.Params{"id": 7}}

	showUser := func(ctx context.Context) {
		result, ok := verso.FromContext(ctx)
		if !ok {
			fmt.Println("not checked")
			return
		}
		fmt.Println(result.Version(), result.AtLeast("v2"))
		fmt.Println(result.Link(target))
	}

	var r source.Request
	r.SetHTTP(httptest.NewRequest(http.MethodGet, "/v2/users/7", nil), nil, nil)
	result := verso.Must(b.Result(verso.V("v2")))   // kept by the check
	fmt.Println(adapter.LinkFor(result, r, target)) // as the adapter's own Link
	showUser(adapter.NewContext(result, r))
	showUser(r.Context())
	// Output:
	// http://example.com/v2/users/7 <nil>
	// v2 true
	// http://example.com/v2/users/7 <nil>
	// not checked
}
