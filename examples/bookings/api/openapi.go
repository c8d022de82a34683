package api

import (
	_ "embed"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3gen"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/examples/openapi"
)

// whole is the document of all versions together. Its schemas of what differs
// are empty: they are made of the types in Go.
//
//go:embed openapi.json
var whole []byte

// Documents makes the OpenAPI documents of the versions, and returns what has the
// document of a version: its operations, marked as deprecated from that day on, and
// its own schemas. routes is what the server has registered.
func (s *Service) Documents(routes *verso.Explanation) (func(verso.Version) []byte, error) {
	all, err := openapi3.NewLoader().LoadFromData(whole)
	if err != nil {
		return nil, err
	}
	type key struct {
		version string
		state   catalogue.State
	}
	documents := make(map[key][]byte)
	for _, version := range s.Versions.Versions() {
		for _, state := range []catalogue.State{catalogue.Supported, catalogue.Deprecated} {
			document, err := documentOf(all, routes, version, state)
			if err != nil {
				return nil, err
			}
			if documents[key{version, state}], err = document.MarshalJSON(); err != nil {
				return nil, err
			}
		}
	}
	return func(v verso.Version) []byte {
		index, _ := s.Versions.Index(v.String())
		state := s.Versions.At(s.Clock()).State(index)
		if state == catalogue.Ended { // between the middleware's look at the clock and this one
			state = catalogue.Deprecated
		}
		return documents[key{v.String(), state}]
	}, nil
}

// documentOf makes the document of a version in a state.
func documentOf(all *openapi3.T, routes *verso.Explanation, version string, state catalogue.State) (*openapi3.T, error) {
	then := *routes
	then.Timeline = []verso.Epoch{{Versions: []verso.VersionStatus{{Version: version, State: state.String()}}}}
	document, err := openapi.ForVersion(all, &then, version)
	if err != nil {
		return nil, err
	}
	v := verso.V(version)
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
