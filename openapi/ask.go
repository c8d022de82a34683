package openapi

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/goverso/verso/core/source"
	"github.com/goverso/verso/openapi/internal/match"
)

// ask returns the first way that a document with these servers supports, or nil for
// the default version, which needs no way.
func (w *writer) ask(servers *match.Servers) (*asking, error) {
	for i := range w.asking {
		if a := &w.asking[i]; servers.InHost || a.Place != source.InHost {
			return a, nil
		}
	}
	if len(w.asking) == 0 || w.isDefault() {
		return nil, nil
	}
	return nil, errors.New(`the version is in the host, but no server has a place for it: write a server, such as "https://v1.example.com"`)
}

// addWay adds to an operation how to ask for the version.
func (w *writer) addWay(operation *openapi3.Operation, item *openapi3.PathItem, a *asking) {
	switch {
	case a.name != "":
		isIt := func(p *openapi3.ParameterRef) bool { return a.is(p.Value) }
		operation.Parameters = slices.DeleteFunc(operation.Parameters, isIt)
		item.Parameters = slices.DeleteFunc(item.Parameters, isIt)
		operation.Parameters = append(operation.Parameters, w.parameter(a))
	case a.accept != "":
		w.addContent(operation, w.mediaTypes(a))
	}
}

// is reports whether a parameter is the one with the version.
func (a *asking) is(p *openapi3.Parameter) bool {
	return p != nil && p.In == a.in && (p.Name == a.name ||
		a.in == openapi3.ParameterInHeader && strings.EqualFold(p.Name, a.name))
}

// parameter returns a reference to the parameter with the version. If the document
// has it as a component, the component is used, limited to this version.
func (w *writer) parameter(a *asking) *openapi3.ParameterRef {
	components := w.made.Components
	key, parameter := freeName(components.Parameters, "ApiVersion"),
		openapi3.Parameter{Name: a.name, In: a.in, Description: "The API version."}
	for name, component := range components.Parameters {
		if a.is(component.Value) {
			key, parameter = name, *component.Value
		}
	}
	schema := openapi3.NewStringSchema().WithEnum(w.version)
	parameter.Required, parameter.Schema, parameter.Content, parameter.Example, parameter.Examples = !w.isDefault(),
		schema.NewRef(), nil, nil, nil
	components.Parameters[key] = &openapi3.ParameterRef{Value: &parameter}
	return &openapi3.ParameterRef{Ref: "#/components/parameters/" + key, Value: &parameter}
}

// freeName returns a name that no component has.
func freeName[C any](components map[string]C, name string) string {
	free := name
	for number := 2; ; number++ {
		if _, ok := components[free]; !ok {
			return free
		}
		free = fmt.Sprint(name, number)
	}
}

// withoutPathParameters returns the parameters without path parameters that only the
// path of the given document has.
func withoutPathParameters(parameters openapi3.Parameters, from, to string) openapi3.Parameters {
	return slices.DeleteFunc(slices.Clone(parameters), func(p *openapi3.ParameterRef) bool {
		if p.Value == nil || p.Value.In != openapi3.ParameterInPath {
			return false
		}
		param := "{" + p.Value.Name + "}"
		return strings.Contains(from, param) && !strings.Contains(to, param)
	})
}
