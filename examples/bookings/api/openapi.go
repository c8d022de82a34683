package api

import (
	_ "embed"

	"github.com/getkin/kin-openapi/openapi3"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
	"github.com/goverso/verso/openapi"
)

// whole is the document of all versions together. Its schemas of what differs
// are empty: they are made of the history.
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
		return document, s.addSchemas(document, verso.V(version))
	})
}

// addSchemas adds the schemas of a version.
func (s *Service) addSchemas(document *openapi3.T, version verso.Version) error {
	schema, err := s.History.Schema(version)
	if err != nil {
		return err
	}
	schemas, objects := document.Components.Schemas, map[string]migrate.Object{}
	for _, o := range schema.Objects {
		objects[o.Name] = o
	}
	failure, contentType := "Problem", verso.ProblemType
	if old, ok := objects["ErrorV1"]; ok {
		failure, contentType = old.Name, old.MediaType
	}
	for name, object := range map[string]string{"Booking": "Booking", "Invoice": "Invoice", "Error": failure} {
		if schemas[name] != nil { // something in this version refers to it
			schemas[name] = schemaOf(objects, migrate.Type{Kind: "object", Name: object}).NewRef()
		}
	}
	document.Components.Responses["Error"].Value.Content = openapi3.Content{contentType: openapi3.NewMediaType().WithSchemaRef(
		openapi3.NewSchemaRef("#/components/schemas/Error", schemas["Error"].Value))}
	return nil
}

// schemaOf returns the schema of a type. None of those of the service is recursive.
func schemaOf(objects map[string]migrate.Object, t migrate.Type) *openapi3.Schema {
	switch t.Kind {
	case "object":
		made := openapi3.NewObjectSchema()
		for _, m := range objects[t.Name].Members {
			made.WithProperty(m.Name, schemaOf(objects, m.Type))
		}
		return made
	case "list":
		return openapi3.NewArraySchema().WithItems(schemaOf(objects, *t.Elem))
	case "map":
		return openapi3.NewObjectSchema().WithAdditionalProperties(schemaOf(objects, *t.Elem))
	case "string", "integer", "number", "boolean":
		return &openapi3.Schema{Type: &openapi3.Types{t.Kind}}
	}
	return openapi3.NewSchema()
}
