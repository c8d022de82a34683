package adapter_test

import (
	"fmt"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/route"
)

// frameworkList is a router that lists what is in front of its handlers.
type frameworkList []adapter.Listed

func (l frameworkList) Routes() []adapter.Listed             { return l }
func (l frameworkList) PathParam(any, string) (string, bool) { return "", false }

// A group of the framework's own has the check as middleware, and a route beside it has not.
func ExampleScope_NoteCheck() {
	check := func() {}
	at := func(path string, middleware ...func()) adapter.Listed {
		return adapter.Listed{Route: route.Route{Method: "GET", Path: path, Pattern: route.Colons(path)},
			Middleware: adapter.Identities(middleware)}
	}
	api := verso.MustNew(verso.PathPrefix("/{version}"), verso.Config{AllowedVersions: []string{"v1"}})
	b := adapter.Bind(api, frameworkList{at("/v1/users", check), at("/v1/health")})
	scope := verso.Must(b.Scope("/v1", ""))
	scope.NoteCheck(adapter.Identity(check))
	for _, r := range b.Explain().Routes {
		fmt.Println(r.Pattern, r.Unchecked)
	}
	// Output:
	// /v1/users false
	// /v1/health true
}
