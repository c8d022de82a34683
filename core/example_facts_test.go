package verso_test

import (
	"context"
	"fmt"
	"strings"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/route"
)

// message is the request of a framework that is not over net/http.
type message struct {
	host, query string
	fields      map[string][]string
	params      map[string]string // of the path
}

// facts reads messages.
type facts struct{}

func (facts) Secure(any) bool             { return false }
func (facts) Host(request any) string     { return request.(*message).host }
func (facts) RawQuery(request any) string { return request.(*message).query }
func (facts) Context(any) context.Context { return context.Background() }
func (facts) Header(request any, name string) (value string, ok bool) {
	lines, ok := request.(*message).fields[name]
	return strings.Join(lines, ", "), ok
}

// PathParam and Routes are what a binding asks of the router. A request that no
// binding decides on needs it too, if a source reads a path parameter.
func (facts) PathParam(request any, name string) (value string, ok bool) {
	value, ok = request.(*message).params[name]
	return value, ok
}

func (facts) Routes() []route.Route { return nil }

// An adapter of a framework that is not over net/http has a reader for its requests.
func ExampleRequest_Set() {
	api := verso.Must(verso.New(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	var r verso.Request
	r.Set(facts{}, "GET", &message{"example.com", "page=2", map[string][]string{"Api-Version": {"v2"}}, map[string]string{"id": "7"}}, nil)
	fmt.Println(r.Method(), r.Secure(), r.Host(), r.RawQuery(), r.Context() == context.Background(), r.IsNone())
	fmt.Println(r.Header("Api-Version"))
	r.SetRouter(facts{})
	fmt.Println(r.PathParam("id"))
	fmt.Println(r.Route(), r.Unwrap().(*message).host)
	fmt.Println(api.DetermineVersion(r))
	// Output:
	// GET false example.com page=2 true false
	// v2 true
	// 7 true
	// <nil> example.com
	// v2 <nil>
}
