// Package users has what the services of this module share. They serve two versions of
// an API whose code oapi-codegen has made of v1.yaml and v2.yaml, or Huma's operations.
package users

import (
	"context"
	"net/http"

	"github.com/getkin/kin-openapi/openapi3"
	middleware "github.com/oapi-codegen/nethttp-middleware"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
)

// InHeader is an API whose versions have the same paths.
func InHeader() *verso.Versioning {
	return verso.MustNew(verso.Header("Api-Version"), config())
}

// InPath is an API whose versions are under /v1 and /v2.
func InPath() *verso.Versioning {
	return verso.MustNew(verso.PathPrefix("/{version}"), config())
}

func config() verso.Config {
	versions := catalogue.MustParse([]byte(`{"versions": [
		{"version": "v1", "deprecated": "2026-06-30", "sunset": "2099-12-31", "after_sunset": "gone", "successor": "v2"},
		{"version": "v2"}
	]}`))
	return verso.Config{Catalogue: versions, Links: verso.LinkConfig{TrustedHosts: []string{"127.0.0.1"}}}
}

// Validator returns the middleware of oapi-codegen that compares requests with a
// specification, whose paths are under the prefix.
func Validator(spec func() (*openapi3.T, error), prefix string) func(http.Handler) http.Handler {
	return middleware.OapiRequestValidatorWithOptions(verso.Must(spec()), &middleware.Options{Prefix: prefix})
}

// Names names the route of a user, in the syntax of each framework. Generated code gives
// it no name.
var Names = verso.Names(map[string]string{
	"/users/:id": "user", "/v1/users/:id": "user", "/v2/users/:id": "user",
	"/users/{id}": "user", "/v1/users/{id}": "user", "/v2/users/{id}": "user",
	"/api/users/:id": "user", "/api/users/{id}": "user",
})

// Self returns the version of a request, and the URL of a user in it, for a handler that
// gets a context only.
func Self(ctx context.Context, id int) (version, self string, err error) {
	result, _ := verso.FromContext(ctx)
	self, err = result.Link(verso.Target{Name: "user", Params: verso.Params{"id": id}})
	return result.Version().String(), self, err
}
