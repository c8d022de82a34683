package api

import (
	_ "embed"

	"github.com/getkin/kin-openapi/openapi3"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/openapi"
)

// whole is the document of all versions: it has the routes of each version, and the bodies
// of the newest one.
//
//go:embed openapi.json
var whole []byte

// Documents serves the OpenAPI document of each version: its operations, marked as
// deprecated from that day on, and its own schemas, which the history makes. explain
// returns what the server has registered.
func (s *Service) Documents(explain func() *verso.Explanation) (*openapi.Handler, error) {
	all, err := openapi3.NewLoader().LoadFromData(whole)
	if err != nil {
		return nil, err
	}
	return openapi.NewHandler(explain, func(service *verso.Explanation, version string) (*openapi3.T, error) {
		return openapi.ForVersion(all, service, version)
	})
}
