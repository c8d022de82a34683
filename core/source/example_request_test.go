package source_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/source"
)

// A test of a source gives it a request, and path parameters where it reads them.
func ExampleRequest() {
	users := route.Route{Name: "users", Pattern: route.Braces("/{version}/users")}
	var r source.Request
	received := httptest.NewRequest(http.MethodGet, "/v2/users", nil)
	r.SetHTTP(received.WithContext(context.WithValue(received.Context(), "pin", "v1")), nil, nil) //nolint:staticcheck // other frameworks have keys that are texts
	r.SetRoute(&users)
	fmt.Println(r.Method(), r.EscapedPath(), r.Route().Name, r.HasParams())
	r.SetParams(params{"version": "v2"})
	fmt.Println(r.HasParams())
	fmt.Println(r.PathParam("version"))

	// A check sets when it decides, and hides what is stored from a CORS preflight.
	r.SetTime(1774915200)
	fmt.Println(r.Time().UTC().Format(time.DateOnly), r.Value("pin"))
	r.HideValues()
	fmt.Println(r.Value("pin"))
	// Output:
	// GET /v2/users users false
	// true
	// v2 true
	// 2026-03-31 v1
	// <nil>
}

// params are the path parameters of a request.
type params map[string]string

func (p params) PathParam(_ any, name string) (value string, ok bool) {
	value, ok = p[name]
	return value, ok
}
