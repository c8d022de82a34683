// Package openapitest compares OpenAPI documents with the routes of a service, for
// tests of the service.
package openapitest

import (
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/openapi/internal/match"
)

// Covers fails the test when a document and the routes of a service differ, and lists
// the differences: each operation of the document must be a route, and each route of a
// version must be in the document, in one of the ways in which a request asks for the
// version. service is what the adapter's Explain returns. versions are the versions of
// the document; without versions it covers all of them.
//
// A route with the rest of a path that has every operation, as for a generated server
// with a router of its own, would make them all equal: it is a difference. Register the
// server for each operation.
//
// If the history of a route declares webhooks, each that the versions have must be in the
// document, as one of webhooks or x-webhooks, and each in the document must be declared.
//
// A route need not be in the document if it is neutral, if it was not registered
// through Verso, or if its method is HEAD or OPTIONS. A route for any method needs one
// operation. Remove other undocumented routes, such as that of the document itself,
// from service.Routes.
func Covers(tb testing.TB, document *openapi3.T, service *verso.Explanation, versions ...string) {
	tb.Helper()
	if differences := match.Differences(document, service, versions); len(differences) > 0 {
		tb.Errorf("openapitest: the document and the routes differ:\n\t%s", strings.Join(differences, "\n\t"))
	}
}
