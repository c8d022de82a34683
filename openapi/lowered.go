package openapi

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/openapi/internal/match"
)

// lowerer is a Rewriter that makes the document of an older version, such as the Route of
// package migrate.
type lowerer interface {
	// LowerDocument changes a decoded document of the newest version, in place. routes are
	// the operations of the version, by their JSON pointers, with their Rewriters, or
	// nil; a pointer to nothing belongs to another version.
	// It returns them with nil for those that it has lowered.
	LowerDocument(version string, document map[string]any,
		routes map[string]verso.Rewriter) (rest map[string]verso.Rewriter, err error)
}

// lowered returns the document in the form of a version, or the given one if nothing can lower
// it. Webhooks have no route, so a route of any version lowers them.
func lowered(document *openapi3.T, service *verso.Explanation, version string) (*openapi3.T, error) {
	routes := make(map[string]verso.Rewriter)
	w := newWriter(document, service, version)
	whole := *document
	whole.Paths = openapi3.NewPaths()
	if document.Paths != nil {
		whole.Paths.Extensions = document.Paths.Extensions
	}
	for path, item := range document.Paths.Map() {
		inPlace := *item
		inPlace.Ref = "" // a path by reference has operations of its own
		whole.Paths.Set(path, &inPlace)
		for method, operation := range item.Operations() {
			servers := w.serversOf(match.ServersOf(document, item, operation))
			if found, ok := w.routes.Find(method, path, servers.Bases...); ok {
				routes["/paths/"+escape.Replace(path)+"/"+strings.ToLower(method)] = found.Route.Rewriter
			}
		}
	}
	if len(document.Webhooks) > 0 || document.Extensions["x-webhooks"] != nil {
		for i, r := range service.Routes {
			routes["/"+strconv.Itoa(i)] = r.Rewriter // the pointer leads to nothing
		}
	}
	if lowererIn(routes) == nil {
		return document, nil
	}
	decoded, err := decoded(&whole)
	if err != nil {
		return nil, err
	}
	parts := newShared(document, decoded)
	for next := lowererIn(routes); next != nil; next = lowererIn(routes) {
		if routes, err = next.LowerDocument(version, decoded, routes); err != nil {
			return nil, err
		}
	}
	parts.setAside(version)
	return parts.load()
}

// lowererIn returns a Rewriter that can lower documents, or nil.
func lowererIn(routes map[string]verso.Rewriter) lowerer {
	for _, pointer := range slices.Sorted(maps.Keys(routes)) {
		if next, ok := routes[pointer].(lowerer); ok {
			return next
		}
	}
	return nil
}
