package api

import (
	_ "embed"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3gen"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/openapi"
)

// whole is the document of all versions together. Its schemas of what differs
// are empty: they are made of the types in Go.
//
//go:embed openapi.json
var whole []byte

// Documents serves the OpenAPI document of each version: its operations, marked as
// deprecated from that day on, and its own schemas. explain returns what the server
// has registered.
func (s *Service) Documents(explain func() *verso.Explanation) (*openapi.Handler, error) {
	all, err := openapi3.NewLoader().LoadFromData(whole)
	if err != nil {
		return nil, err
	}
	return openapi.NewHandler(explain, func(service *verso.Explanation, version string) (*openapi3.T, error) {
		document, err := openapi.ForVersion(all, service, version)
		if err != nil {
			return nil, err
		}
		return document, addSchemas(document, verso.V(version))
	}), nil
}

// addSchemas adds the schemas of a version.
func addSchemas(document *openapi3.T, version verso.Version) error {
	errorType, problem := problemIn(version, verso.Problem{})
	schemas := document.Components.Schemas
	for name, value := range map[string]any{"Booking": representations[version](), "Invoice": invoices[version], "Error": problem} {
		if schemas[name] == nil {
			continue // nothing in this version refers to it
		}
		made, err := openapi3gen.NewSchemaRefForValue(value, nil)
		if err != nil {
			return err
		}
		schemas[name] = made
	}
	document.Components.Responses["Error"].Value.Content = openapi3.Content{errorType: openapi3.NewMediaType().WithSchemaRef(
		openapi3.NewSchemaRef("#/components/schemas/Error", schemas["Error"].Value))}
	return nil
}
