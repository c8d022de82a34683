// Package openapi makes the OpenAPI document of each version of a service, and serves
// it. The routes determine what a version contains, and the source determines how a
// request asks for it:
//
//	whole, err := openapi3.NewLoader().LoadFromData(text) // of all versions, or of one
//	v1, err := openapi.ForVersion(whole, v.Explain(), "v1")
//
// Package openapitest compares documents with routes in a test.
//
// Documents are those of kin-openapi, 3.0 and 3.1. Bundle one that consists of several
// files first, for example with redocly bundle.
package openapi

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/openapi/internal/match"
)

// ForVersion returns the document of a version, made from a document of all versions
// or of this one, which it does not modify. service is what the adapter's Explain
// returns. In the returned document,
//
//   - the operations are those that are routes of the version, and the components are
//     those that the operations refer to;
//   - the version is where the source reads it: in the path, in the URL of the server,
//     in a required parameter, or in the media types of responses. If the given
//     document has a place for the version, such as {version} in a path, it is used;
//   - operations are deprecated if the version or the route is. x-sunset (RFC 3339) is
//     the earlier sunset of the two;
//   - operations have the responses to rejected requests, unless they define a response
//     of that status themselves. To describe another error format, define components
//     in the document, such as the schema VersionProblem or the response
//     VersionProblem404: they are used unchanged;
//   - bodies, parameters, statuses and examples have the form of the version, if the
//     routes have a Rewriter of package migrate. The given document is then the newest
//     version's, and x-changes lists what the version lacks. If a route without
//     Rewrite needs the newest form of a component Tag beside it, the one with fewer uses
//     is Tag_newest or Tag_v1;
//   - so have the webhooks, or x-webhooks, that the history of a route declares. Those that
//     the version does not have are left out.
//
// ForVersion does not validate documents, which takes longer than making them: a test
// does (package openapitest). It fails if no operation is a route of the version, if the
// document has no place for the version, such as no server for a host name, if a
// reference leads to nothing in the version, and with [verso.ErrUnknownVersion].
// Two paths that differ only in the names of parameters are an error that matches
// [ErrInvalid], with which it returns the document as well.
func ForVersion(document *openapi3.T, service *verso.Explanation, version string) (*openapi3.T, error) {
	made, err := forVersion(document, service, version)
	if err != nil {
		return made, fmt.Errorf("openapi: version %q: %w", version, err)
	}
	return made, nil
}

func forVersion(document *openapi3.T, service *verso.Explanation, version string) (*openapi3.T, error) {
	switch {
	case service.Source == nil:
		return nil, errors.New("the explanation has no source: pass what Explain of an adapter returns")
	case len(service.Versions) > 0 && !slices.Contains(service.Versions, version):
		return nil, verso.ErrUnknownVersion
	case document.Info == nil:
		return nil, fmt.Errorf("%w: it has no info", ErrInvalid)
	case document.Paths.Len() == 0 && len(document.Webhooks) == 0:
		return nil, fmt.Errorf("%w: it has no paths", ErrInvalid)
	}
	document, err := lowered(document, service, version)
	if err != nil {
		return nil, err
	}
	document = cloned(document)
	if document.Components == nil {
		document.Components = new(openapi3.Components)
	}
	components := mapsOf(document.Components)
	w := newWriter(document, service, version)
	if err := w.addPaths(); err != nil {
		return nil, err
	}
	if err := removeUnused(w.made, components); err != nil {
		return nil, err
	}
	return w.made, w.invalid
}

// addPaths adds the operations that the version has.
func (w *writer) addPaths() error {
	if w.given.Paths == nil || w.given.Paths.Len() == 0 {
		return nil
	}
	w.made.Paths.Extensions = w.given.Paths.Extensions
	for _, path := range w.given.Paths.Keys() {
		item := w.given.Paths.Value(path)
		operations := item.Operations()
		for _, method := range slices.Sorted(maps.Keys(operations)) {
			if err := w.addOperation(path, item, method, operations[method]); err != nil {
				return fmt.Errorf("%s %s: %w", method, path, err)
			}
		}
	}
	if w.made.Paths.Len() > 0 {
		return nil
	}
	if path, other, ok := w.ofOtherVersion(); ok {
		return fmt.Errorf("the path %q is that of version %q: in the paths of all versions, write %s for the version",
			path, other, w.routes.Placeholder())
	}
	advice := ""
	if len(w.given.Servers) == 0 {
		advice = ": the document has no server, whose URL may be the beginning of its paths"
		if lead := w.leadOfVersion(); lead != "" {
			advice = fmt.Sprintf(": add the server %q to the document, or begin its paths with %q", lead,
				lead+"/"+w.routes.Placeholder())
		}
	}
	return fmt.Errorf("no operation of the document, such as %q, is a route of the version, which has %s%s",
		w.given.Paths.Keys()[0], w.someRoute(), advice)
}

// ofOtherVersion returns a path of the document that is a route of another version.
func (w *writer) ofOtherVersion() (path, version string, ok bool) {
	for _, version = range w.service.Versions {
		other := match.New(w.service, version)
		for _, path = range w.given.Paths.Keys() {
			item := w.given.Paths.Value(path)
			for method, operation := range item.Operations() {
				found, ok := other.Find(method, path, w.serversOf(match.ServersOf(w.given, item, operation)).Bases...)
				if ok && slices.Contains(match.Segments(path), version) && found.Route.InVersion(w.version) {
					return path, version, true
				}
			}
		}
	}
	return "", "", false
}

// someRoute names a route of the version, for messages.
func (w *writer) someRoute() string {
	for _, r := range w.service.Routes {
		if r.InVersion(w.version) {
			return strconv.Quote(r.Pattern)
		}
	}
	return "no routes"
}

// leadOfVersion returns the text in front of the place of the version in a route of the version, or "".
func (w *writer) leadOfVersion() string {
	at := w.routes.Placeholder()
	for _, r := range w.service.Routes {
		for _, place := range []string{"/" + at, "/:" + strings.Trim(at, "{}"), "/" + w.version} {
			if lead, _, ok := strings.Cut(r.Pattern+"/", place+"/"); ok && r.InVersion(w.version) {
				return lead
			}
		}
	}
	return ""
}

// addOperation adds an operation, if it is a route of the version.
func (w *writer) addOperation(path string, item *openapi3.PathItem, method string, given *openapi3.Operation) error {
	servers := w.serversOf(match.ServersOf(w.given, item, given))
	found, ok := w.routes.Find(method, path, servers.Bases...)
	if !ok {
		return nil
	}
	to, err := found.Path(path, servers.InPath)
	if err != nil {
		return err
	}
	target, err := w.itemAt(to, path, item)
	if err != nil {
		return err
	}
	if path != to && target.GetOperation(method) != nil {
		return nil // the path of this version alone has one
	}
	operation := *given
	if given.Servers != nil {
		operation.Servers = &servers.List
	}
	operation.Parameters = withoutPathParameters(operation.Parameters, path, to)
	if w.merged[target] {
		inherit(&operation, w.itemOf(item, path, to))
	}
	if !found.Route.Neutral && !found.Route.Unchecked {
		if err := w.addVersion(&operation, target, &found, &servers); err != nil {
			return err
		}
	}
	target.SetOperation(method, &operation)
	return nil
}

// itemAt returns the item of a path in the document of the version. A path with the version
// as a parameter and the path of this version alone become one.
func (w *writer) itemAt(to, path string, given *openapi3.PathItem) (*openapi3.PathItem, error) {
	from, ok := w.from[to]
	switch {
	case path == to:
	case ok && from != path:
		return nil, fmt.Errorf("in this version the path is %q, the same as that of %q: remove one of them", to, from)
	default:
		w.from[to] = path
	}
	if item := w.made.Paths.Value(to); item != nil {
		if w.sources[to] != path && !w.merged[item] {
			w.merged[item] = true
			for _, operation := range item.Operations() {
				inherit(operation, item)
			}
			item.Parameters, item.Servers = nil, nil
		}
		return item, nil
	}
	item := w.itemOf(given, path, to)
	if other, ok := w.paths[match.Shape(to)]; ok && w.invalid == nil {
		w.invalid = fmt.Errorf("%w: conflicting paths %q and %q", ErrInvalid, w.sources[other], path)
	}
	w.paths[match.Shape(to)], w.sources[to] = to, path
	w.made.Paths.Set(to, item)
	return item, nil
}

// itemOf returns the item of a path without operations, as it is in the document of the
// version.
func (w *writer) itemOf(given *openapi3.PathItem, path, to string) *openapi3.PathItem {
	item := &openapi3.PathItem{
		Extensions: given.Extensions, Summary: given.Summary, Description: given.Description,
		Parameters: withoutPathParameters(given.Parameters, path, to),
	}
	if len(given.Servers) > 0 {
		item.Servers = w.serversOf(given.Servers).List
	}
	return item
}

// inherit gives an operation the parameters and servers of its item that it does not have.
func inherit(operation *openapi3.Operation, item *openapi3.PathItem) {
	for _, p := range item.Parameters {
		isSame := func(own *openapi3.ParameterRef) bool {
			return p.Value != nil && own.Value != nil && own.Value.Name == p.Value.Name && own.Value.In == p.Value.In
		}
		if !slices.ContainsFunc(operation.Parameters, isSame) {
			operation.Parameters = append(slices.Clip(operation.Parameters), p)
		}
	}
	if servers := item.Servers; operation.Servers == nil && len(servers) > 0 {
		operation.Servers = &servers
	}
}

// addVersion adds what depends on the version to an operation that is not neutral.
func (w *writer) addVersion(operation *openapi3.Operation, item *openapi3.PathItem, found *match.Match,
	servers *match.Servers) error {
	var way *asking
	if !found.Place() {
		var err error
		if way, err = w.ask(servers); err != nil {
			return err
		}
		if way != nil {
			w.addWay(operation, item, way)
		}
	}
	w.addRejections(operation, found, way)
	deprecated, sunset := w.lifecycle.of(found.Route)
	operation.Deprecated = operation.Deprecated || deprecated
	if !sunset.IsZero() {
		if operation.Extensions == nil {
			operation.Extensions = make(map[string]any)
		}
		operation.Extensions["x-sunset"] = sunset.UTC().Format(time.RFC3339)
	}
	return nil
}
