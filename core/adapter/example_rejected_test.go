package adapter_test

import (
	"fmt"
	"net/http"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
)

// What an adapter does with a request may depend on the decision before it is carried out.
func ExampleCall_IsRejected() {
	api := verso.MustNew(verso.QueryParam("version"), verso.Config{AllowedVersions: []string{"v1"}})
	seam := adapter.Seam[*http.Request, http.Handler]{Binding: adapter.Bind(api, nil), // and its functions
		Load: func(*http.Request) *verso.Result { return nil }, Store: func(*http.Request, *verso.Result) {},
		Header: func(*http.Request) http.Header { return http.Header{} }}
	for _, target := range []string{"/users?version=v1", "/users?version=v9"} {
		r, _ := http.NewRequest(http.MethodGet, target, http.NoBody)
		var call adapter.Call
		call.Request.SetHTTP(r, r, nil)
		seam.Decide(r, &call)
		fmt.Println(target, call.IsRejected())
	}
	// Output:
	// /users?version=v1 false
	// /users?version=v9 true
}
