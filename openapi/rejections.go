package openapi

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3gen"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/source"
	"github.com/goverso/verso/openapi/internal/match"
)

// problemName is the name of the components that describe rejections.
const problemName = "VersionProblem"

var rejections = map[int]string{
	http.StatusBadRequest:       "The API version is missing or not served, or the request contradicts itself.",
	http.StatusNotFound:         "The API version is not served, or does not have the resource.",
	http.StatusMethodNotAllowed: "The API version does not have the method for the resource.",
	http.StatusNotAcceptable:    "The API version is not served, or the client accepts no produced media type.",
	http.StatusGone:             "The API version or the resource has ended.",
}

// addRejections adds the responses to rejected requests. way is how requests ask for
// the version outside the path, or nil.
func (w *writer) addRejections(operation *openapi3.Operation, found *match.Match, way *asking) {
	r := found.Route
	statuses := slices.Clone(w.lifecycle.ends)
	if !r.Sunset.IsZero() {
		statuses = append(statuses, http.StatusGone)
	}
	if way != nil {
		statuses = append(statuses, w.missing(r, way)...)
		statuses = append(statuses, statusOf(way.Invalid))
	}
	if found.Place() {
		for _, part := range match.Parts(w.service.Source) {
			if part.Place == source.InPath {
				statuses = append(statuses, statusOf(part.Invalid))
				break
			}
		}
	}
	if operation.Responses == nil {
		operation.Responses = openapi3.NewResponses()
	}
	for _, status := range statuses {
		if operation.Responses.Status(status) == nil {
			operation.Responses.Set(strconv.Itoa(status), w.rejection(status))
		}
	}
}

// missing returns the statuses for a request that could ask for the version but does
// not: the version is missing, or the default version does not have the route.
func (w *writer) missing(r *verso.RouteInfo, way *asking) []int {
	d := w.service.DefaultVersion
	switch {
	case d == nil && (len(w.asking) > 1 || way.Place != source.InHost):
		status, _, _ := strings.Cut(w.service.Requests[0].Response, " ")
		if rejected, err := strconv.Atoi(status); err == nil {
			return []int{rejected}
		}
		return nil // it is served
	case d == nil || r.InVersion(*d):
		return nil
	}
	sameResource := func(other verso.RouteInfo) bool {
		return other.Host == r.Host && other.Path == r.Path && other.InVersion(*d)
	}
	if slices.ContainsFunc(w.service.Routes, sameResource) {
		return []int{http.StatusMethodNotAllowed}
	}
	return []int{http.StatusNotFound}
}

func statusOf(r source.Rejection) int { return cmp.Or(r.Status, http.StatusBadRequest) }

// rejection returns a reference to the response component of a status.
func (w *writer) rejection(status int) *openapi3.ResponseRef {
	name, components := fmt.Sprint(problemName, status), w.made.Components
	component := components.Responses[name]
	if component == nil {
		response := openapi3.NewResponse().WithDescription(cmp.Or(rejections[status],
			"The request is rejected because of its API version."))
		if mediaType := w.service.ProblemType; mediaType != "" {
			response.Content = openapi3.NewContentWithSchemaRef(w.problem(), []string{mediaType})
		}
		component = &openapi3.ResponseRef{Value: response}
		components.Responses[name] = component
	}
	return &openapi3.ResponseRef{Ref: "#/components/responses/" + name, Value: component.Value}
}

// problem returns a reference to the schema component of rejections.
func (w *writer) problem() *openapi3.SchemaRef {
	schemas := w.made.Components.Schemas
	if schemas[problemName] == nil {
		schema := verso.Must(openapi3gen.NewSchemaRefForValue(verso.Problem{}, nil)) // strings, a number and a list
		schema.Value.Required = []string{"type", "title", "status", "detail", "code"}
		schemas[problemName] = schema
	}
	return &openapi3.SchemaRef{Ref: "#/components/schemas/" + problemName, Value: schemas[problemName].Value}
}
