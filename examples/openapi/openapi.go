// Package openapi makes the OpenAPI document of each version out of one document
// of the whole service. What the versions have, it learns from the routes.
package openapi

import (
	"regexp"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	verso "github.com/goverso/verso/core"
)

// ForVersion returns the document of a version: without the operations that the
// version does not have, and with deprecated: true on those that are deprecated.
// whole is left as it is. Its paths have no version; the server's URL has it.
func ForVersion(whole *openapi3.T, service *verso.Explanation, version string) (*openapi3.T, error) {
	text, err := whole.MarshalJSON()
	if err != nil {
		return nil, err
	}
	document, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		return nil, err
	}
	routes := make(map[string]verso.RouteInfo)
	for _, r := range service.Routes {
		routes[r.Method+" "+pathOf(r.Pattern)] = r
	}
	deprecated := isDeprecated(service, version)
	for path, item := range document.Paths.Map() {
		for method, operation := range item.Operations() {
			r, registered := routes[method+" "+path]
			if !registered || !r.InVersion(version) {
				item.SetOperation(method, nil)
				continue
			}
			operation.Deprecated = deprecated && !r.Neutral || !r.Deprecated.IsZero()
		}
		if len(item.Operations()) == 0 {
			document.Paths.Delete(path)
		}
	}
	document.Info.Version = version
	document.Servers = openapi3.Servers{{URL: "/" + version}}
	return document, nil
}

var param = regexp.MustCompile(`:(\w+)`)

// pathOf returns the path of a pattern in the document: "/users/{id}" for Echo's
// and Gin's "/:version/users/:id".
func pathOf(pattern string) string {
	return param.ReplaceAllString(strings.TrimPrefix(pattern, "/:version"), "{$1}")
}

// isDeprecated reports whether a version is deprecated today.
func isDeprecated(service *verso.Explanation, version string) bool {
	if len(service.Timeline) == 0 {
		return false // no version has a date
	}
	for _, status := range service.Timeline[0].Versions {
		if status.Version == version {
			return status.State == "deprecated"
		}
	}
	return false
}
