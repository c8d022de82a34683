// Package users has what the services of this module share. They serve two versions of
// an API whose code oapi-codegen has made of v1.yaml and v2.yaml, or Huma's operations.
package users

import (
	"net/http"

	"github.com/getkin/kin-openapi/openapi3"
	middleware "github.com/oapi-codegen/nethttp-middleware"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
)

// InHeader is an API whose versions have the same paths.
func InHeader() *verso.Versioning {
	return verso.Must(verso.New(verso.Header("Api-Version"), verso.Config{Catalogue: versions()}))
}

// InPath is an API whose versions are under /v1 and /v2.
func InPath() *verso.Versioning {
	return verso.Must(verso.New(verso.PathPrefix("/{version}"), verso.Config{Catalogue: versions()}))
}

func versions() *catalogue.Catalogue {
	return verso.Must(catalogue.Parse([]byte(`{"versions": [
		{"version": "v1", "deprecated": "2026-06-30", "sunset": "2099-12-31", "after_sunset": "gone", "successor": "v2"},
		{"version": "v2"}
	]}`)))
}

// Validator returns the middleware of oapi-codegen that compares requests with a
// specification, whose paths are under the prefix.
func Validator(spec func() (*openapi3.T, error), prefix string) func(http.Handler) http.Handler {
	return middleware.OapiRequestValidatorWithOptions(verso.Must(spec()), &middleware.Options{Prefix: prefix})
}
