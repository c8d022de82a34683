package verso_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/route"
)

// router is what an adapter of a framework over net/http writes.
type router struct{}

func (router) PathParam(request any, name string) (value string, ok bool) {
	value = request.(*http.Request).PathValue(name)
	return value, value != ""
}

func (router) Route(any) *route.Route { return nil }

// An adapter makes a Request of its framework's one.
func ExampleNewHTTPRequest() {
	api := verso.Must(verso.NewURLPath(verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{version}/users", func(_ http.ResponseWriter, raw *http.Request) {
		r := verso.NewHTTPRequest(raw, router{}, raw, nil)
		fmt.Println(r.Method(), r.Secure(), r.Host(), r.RawQuery(), r.Context() == raw.Context())
		fmt.Println(r.PathParam("version"))
		fmt.Println(r.Header("Accept"))
		fmt.Println(api.DetermineVersion(r))
	})
	mux.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/v2/users?page=2", nil))
	// Output:
	// GET false example.com page=2 true
	// v2 true
	//  false
	// v2 <nil>
}
