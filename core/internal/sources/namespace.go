package sources

import (
	"slices"
	"strings"

	"github.com/goverso/verso/core/internal/codes"
	"github.com/goverso/verso/core/source"
)

// This file reads a version from the namespaces of a route's name, such as "api:v1:user-list". In comes the matched
// route; out comes the first of its namespaces that names a served version, or else the outermost, which the engine
// rejects. The name is fixed when the route is registered: nothing that the client sends is read.

// Namespace is the source of this name in package verso.
func Namespace() source.Source { return newOwn(namespace{}) }

type namespace struct{}

func (namespace) read(r *source.Request, served *source.ServedVersions, reading *source.Reading) {
	reading.Outcome = source.NoPlace
	if r.Route() == nil {
		return
	}
	nested := r.Route().Namespaces()
	if len(nested) == 0 {
		return
	}
	reading.Outcome, reading.Text = source.Found, nested[0]
	if len(nested) > 1 {
		if i := slices.IndexFunc(nested, in(served).Serves); i >= 0 {
			reading.Text = nested[i]
		}
	}
}

// write puts the name of the route into the namespace of the version.
func (namespace) write(w *source.Written, v source.Version) { w.SetNamespace(v.String()) }

func (namespace) Describe() source.Description {
	return source.Description{
		Name: "namespace of the route", Place: source.InPath, Namespace: true,
		Invalid: invalidNamespaceVersion, Missing: invalidNamespaceVersion, Check: checkNamespaceVersions,
	}
}

func checkNamespaceVersions(served *source.ServedVersions) []source.Finding {
	return refused(served, func(version string) bool { return strings.Contains(version, ":") }, codes.VersionColon)
}

var invalidNamespaceVersion = source.Rejection{Status: 404, Message: source.InvalidNamespaceVersion}
