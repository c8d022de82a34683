package openapi

import (
	"maps"
	"mime"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	verso "github.com/goverso/verso/core"
)

// mediaTypes reads and writes the version in the media types of a document.
type mediaTypes struct {
	versions []string // in order, up to that of the document

	// read returns the version that a media type names, and the rest of it. ok is
	// false when it names no version, or a later one.
	read func(mediaType string) (rest, version string, ok bool)

	// plain returns the rest of a media type without a version that can have one.
	plain func(mediaType string) (rest string, ok bool)

	// write returns the media type in the version of the document.
	write func(rest string) string
}

// mediaTypes returns how media types carry the version.
func (w *writer) mediaTypes(a *asking) *mediaTypes {
	versions := w.service.Versions
	if at := slices.Index(versions, w.version); at >= 0 {
		versions = versions[:at+1]
	} else {
		versions = []string{w.version}
	}
	if a.ContentType != nil {
		return vendorTypes(a.ContentType, versions, w.service.Versions)
	}
	return parameterTypes(a.accept, versions)
}

// parameterTypes has the version in a parameter of any media type. accept is the
// Accept header of a request for it: "*/*; version=v2".
func parameterTypes(accept string, versions []string) *mediaTypes {
	_, params, _ := mime.ParseMediaType(accept)
	_, parameter, _ := strings.Cut(accept, ";")
	return &mediaTypes{
		versions: versions,
		read: func(mediaType string) (rest, version string, ok bool) {
			rest, has, err := mime.ParseMediaType(mediaType)
			for name := range params {
				version, ok = has[name]
				delete(has, name)
			}
			return mime.FormatMediaType(rest, has), version, ok && err == nil
		},
		plain: func(mediaType string) (rest string, ok bool) { return mediaType, mediaType != verso.ProblemType },
		write: func(rest string) string { return rest + ";" + parameter },
	}
}

// anyResource represents the resource in a media type.
const anyResource = "any-resource"

// vendorTypes has the version, and perhaps a resource, in vendor media types.
func vendorTypes(contentType func(string, verso.Version) (string, error), versions, all []string) *mediaTypes {
	_, err := contentType("", verso.V(versions[0]))
	hasResource, resource := err != nil, ""
	if hasResource {
		resource = anyResource
	}
	write := func(resource, version string) string {
		mediaType, _ := contentType(resource, verso.V(version)) // the check of the source has tried all versions
		return mediaType
	}
	m := &mediaTypes{
		versions: versions,
		read: func(mediaType string) (rest, version string, ok bool) {
			for _, version := range all {
				before, after, _ := strings.Cut(write(resource, version), anyResource)
				from, to := len(before), len(mediaType)-len(after)
				if from <= to && hasResource == (from < to) && strings.EqualFold(mediaType[:from], before) &&
					strings.EqualFold(mediaType[to:], after) {
					return mediaType[from:to], version, true
				}
			}
			return "", "", false
		},
		write: func(rest string) string { return write(rest, versions[len(versions)-1]) },
	}
	_, suffix, ok := strings.Cut(m.write(""), "+")
	if !ok {
		suffix = "json"
	}
	m.plain = func(mediaType string) (rest string, ok bool) {
		return "", !hasResource && mediaType == "application/"+suffix
	}
	return m
}

// in returns content in the version of the document. Of the media types that name
// versions, it keeps that of this version, or else renames the newest one before it.
// Without either, it adds the version to a media type without one, if plain is set.
func (m *mediaTypes) in(content openapi3.Content, plain bool) openapi3.Content {
	made, newest := make(openapi3.Content), make(map[string]int)
	for mediaType, value := range content {
		rest, version, ok := m.read(mediaType)
		if !ok {
			continue
		}
		index := slices.Index(m.versions, version)
		if before, ok := newest[rest]; index >= 0 && (!ok || index > before) {
			newest[rest], made[m.write(rest)] = index, value
		}
	}
	for mediaType, value := range content {
		if _, _, named := m.read(mediaType); named {
			continue
		}
		rest, ok := m.plain(mediaType)
		if _, named := newest[rest]; ok && plain && !named {
			made[m.write(rest)] = value
		} else {
			made[mediaType] = value
		}
	}
	return made
}

// addContent writes the version into the media types of an operation: those of its
// successful responses, and those of its body that name a version.
func (w *writer) addContent(operation *openapi3.Operation, m *mediaTypes) {
	if body := operation.RequestBody; body != nil && body.Value != nil {
		if content := m.in(body.Value.Content, false); !maps.Equal(content, body.Value.Content) {
			changed := *body.Value
			changed.Content = content
			operation.RequestBody = &openapi3.RequestBodyRef{Value: &changed}
		}
	}
	for status, response := range operation.Responses.Map() {
		if !strings.HasPrefix(status, "2") || response.Value == nil {
			continue
		}
		if content := m.in(response.Value.Content, true); !maps.Equal(content, response.Value.Content) {
			changed := *response.Value
			changed.Content = content
			operation.Responses.Set(status, &openapi3.ResponseRef{Value: &changed})
		}
	}
}
