package match

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	verso "github.com/goverso/verso/core"
)

// Differences describes the operations of a document that are not routes, and the routes
// of the given versions, or of all versions, that are not in the document. A route that
// has the paths of all operations identifies none of them, which is a difference too, and
// so is a document without operations.
func Differences(document *openapi3.T, service *verso.Explanation, versions []string) (differences []string) {
	if len(versions) == 0 {
		versions = service.Versions
	}
	if len(versions) == 0 {
		versions = []string{placeholder} // every version is allowed
	}
	c := comparison{operations: make(map[string]bool), missing: make(map[*verso.RouteInfo][]string),
		catchAll: make(map[string]bool)}
	for _, version := range versions {
		c.compare(document, service, version)
	}
	if len(c.operations) == 0 {
		differences = append(differences, "the document has no operations")
	}
	for _, name := range slices.Sorted(maps.Keys(c.operations)) {
		if !c.operations[name] {
			differences = append(differences, name+": an operation of the document, but not a route")
		}
	}
	for i := range service.Routes {
		r := &service.Routes[i]
		name := strings.TrimSpace(r.Method + " " + r.Host + r.Pattern)
		switch missing := c.missing[r]; {
		case r.Path == "" && isOperation(r):
			differences = append(differences, name+": a route whose pattern is not understood")
		case c.catchAll[r.Path] && isOperation(r):
			differences = append(differences, name+
				": a route for every operation of the document does not show which ones it has: register each "+
				"operation")
		case len(missing) > 0:
			differences = append(differences, fmt.Sprintf("%s: a route, but not an operation of the document (%s)",
				name, strings.Join(missing, ", ")))
		}
	}
	return append(differences, webhookDifferences(document, service, versions)...)
}

// every represents all routes, among paths, which begin with a slash.
const every = ""

// comparison is the result for the versions compared so far.
type comparison struct {
	operations map[string]bool               // by "GET /users": some version has it
	missing    map[*verso.RouteInfo][]string // versions in which the route has no operation
	catchAll   map[string]bool               // paths of routes that have all operations of a version
}

func (c *comparison) compare(document *openapi3.T, service *verso.Explanation, version string) {
	routes, found, paths := New(service, version), make(map[string]bool), make(map[string]map[string]bool)
	noHost := func(string) string { return "" }
	for path, item := range document.Paths.Map() {
		for method, operation := range item.Operations() {
			m, ok := routes.Find(method, path, routes.Servers(ServersOf(document, item, operation), noHost).Bases...)
			name := method + " " + path
			c.operations[name] = c.operations[name] || ok
			found[routes.resources[m.Route]] = true
			if !ok || !isOperation(m.Route) {
				continue
			}
			for _, at := range []string{every, m.Route.Path} {
				if paths[at] == nil {
					paths[at] = make(map[string]bool)
				}
				paths[at][path] = true
			}
		}
	}
	for at, served := range paths {
		if strings.Contains(at, "{+") && len(served) > 1 && len(served) == len(paths[every]) {
			c.catchAll[at] = true
		}
	}
	for i := range service.Routes {
		if r := &service.Routes[i]; isOperation(r) && r.InVersion(version) && r.Path != "" &&
			!found[routes.resources[r]] {
			c.missing[r] = append(c.missing[r], version)
		}
	}
}

// isOperation reports whether a document must have an operation for a route.
func isOperation(r *verso.RouteInfo) bool {
	return !r.Neutral && !r.Unchecked && r.Method != http.MethodHead && r.Method != http.MethodOptions
}
