package api

import (
	_ "embed"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3gen"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/examples/openapi"
)

// whole is the document of all versions together. Its schemas of what differs
// are empty: they are made of the types in Go.
//
//go:embed openapi.json
var whole []byte

var loadWhole = sync.OnceValues(func() (*openapi3.T, error) { return openapi3.NewLoader().LoadFromData(whole) })

// OpenAPI returns the OpenAPI document of a version: its operations, marked as
// deprecated from that day on, and its own schemas. routes is what the server has
// registered.
func OpenAPI(routes *verso.Explanation, v verso.Version) (*openapi3.T, error) {
	document, err := loadWhole()
	if err != nil {
		return nil, err
	}
	if document, err = openapi.ForVersion(document, routes, v.String()); err != nil {
		return nil, err
	}
	errorType, problem := problemIn(v, verso.Problem{})
	for name, value := range map[string]any{"Booking": representations[v](), "Invoice": invoices[v], "Error": problem} {
		if value == nil {
			delete(document.Components.Schemas, name)
		} else if document.Components.Schemas[name], err = openapi3gen.NewSchemaRefForValue(value, nil); err != nil {
			return nil, err
		}
	}
	document.Components.Responses["Error"].Value.Content = openapi3.Content{errorType: openapi3.NewMediaType().WithSchemaRef(
		openapi3.NewSchemaRef("#/components/schemas/Error", document.Components.Schemas["Error"].Value))}
	return document, nil
}
