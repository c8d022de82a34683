package match

import (
	"maps"
	"slices"

	"github.com/getkin/kin-openapi/openapi3"

	verso "github.com/goverso/verso/core"
)

// webhookDifferences returns how the webhooks of a document and those that histories declare
// differ. A service that declares none may describe any.
func webhookDifferences(document *openapi3.T, service *verso.Explanation, versions []string) (differences []string) {
	declares, declared, described := false, make(map[string]bool), make(map[string]bool)
	for i := range service.Routes {
		// Package migrate has the method.
		if r, ok := service.Routes[i].Rewriter.(interface{ Webhooks(version string) []string }); ok {
			for _, version := range service.Versions {
				for _, name := range r.Webhooks(version) {
					declares, declared[name] = true, declared[name] || slices.Contains(versions, version)
				}
			}
		}
	}
	inExtension, _ := document.Extensions["x-webhooks"].(map[string]any)
	for _, name := range slices.AppendSeq(slices.Sorted(maps.Keys(document.Webhooks)), maps.Keys(inExtension)) {
		if described[name] = true; declares && !declared[name] {
			differences = append(differences, name+
				": a webhook of the document that no history declares for its versions: add migrate.Sends")
		}
	}
	for name, is := range declared {
		if is && !described[name] {
			differences = append(differences, name+": a declared webhook that the document lacks")
		}
	}
	slices.Sort(differences)
	return differences
}
