package source_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/source"
)

// A test of a source gives it a request, and path parameters where it reads them.
func ExampleRequest() {
	users := route.Route{Name: "users", Pattern: route.Braces("/{version}/users")}
	var r source.Request
	r.SetHTTP(httptest.NewRequest(http.MethodGet, "/v2/users", nil), nil, nil)
	r.SetRoute(&users)
	fmt.Println(r.Method(), r.Route().Name, r.HasParams())
	r.SetParams(params{"version": "v2"})
	fmt.Println(r.HasParams())
	fmt.Println(r.PathParam("version"))
	// Output:
	// GET users false
	// true
	// v2 true
}

// params are the path parameters of a request.
type params map[string]string

func (p params) PathParam(_ any, name string) (value string, ok bool) {
	value, ok = p[name]
	return value, ok
}
