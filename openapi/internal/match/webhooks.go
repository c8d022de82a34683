package match

import (
	"maps"
	"slices"

	"github.com/getkin/kin-openapi/openapi3"

	verso "github.com/goverso/verso/core"
)

// sender is a Rewriter that knows what the service sends, such as the Route of package migrate.
type sender interface {
	Webhooks(version string) (names []string) // that a version has
}

// webhookDifferences returns how the webhooks of a document and those that histories declare
// differ. A service that declares none may describe any.
func webhookDifferences(document *openapi3.T, service *verso.Explanation, versions []string) (differences []string) {
	declared := make(map[string]bool) // whether one of the versions has it
	for i := range service.Routes {
		if r, ok := service.Routes[i].Rewriter.(sender); ok {
			for _, version := range service.Versions {
				for _, name := range r.Webhooks(version) {
					declared[name] = declared[name] || slices.Contains(versions, version)
				}
			}
		}
	}
	if len(declared) == 0 {
		return nil
	}
	inExtension, _ := document.Extensions["x-webhooks"].(map[string]any)
	described := slices.AppendSeq(slices.Sorted(maps.Keys(document.Webhooks)), maps.Keys(inExtension))
	for _, name := range described {
		if !declared[name] {
			differences = append(differences, name+": a webhook of the document that no history declares for its versions: add migrate.Sends")
		}
	}
	for name, has := range declared {
		if has && !slices.Contains(described, name) {
			differences = append(differences, name+": a webhook that is declared, but not in the document")
		}
	}
	slices.Sort(differences)
	return differences
}
