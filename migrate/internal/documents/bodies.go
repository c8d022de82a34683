package documents

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
	"strconv"

	"github.com/goverso/verso/migrate/internal/declared"
	"github.com/goverso/verso/migrate/internal/jsontext"
	"github.com/goverso/verso/migrate/internal/openapi"
)

// bodyType returns the type of a media type, or nil, and whether the version has the media type.
type bodyType func(mediaType string) (t reflect.Type, ok bool)

// bodies replaces the request body and the responses of an operation by what lower returns. It
// gets each with its kind of components and its place.
func (l *lowering) bodies(operation map[string]any, pointer string, b *declared.Bodies,
	lower func(given any, kind, place string, of bodyType) any) {
	if body, ok := operation["requestBody"]; ok {
		operation["requestBody"] = lower(body, "requestBodies", pointer+"/requestBody",
			func(mediaType string) (reflect.Type, bool) {
				t, ok := b.OfRequest(mediaType)
				return t, ok || !l.changes(b.Accepts) && !l.changes(b.Form)
			})
	}
	responses := maps.Clone(openapi.Map(operation["responses"]))
	for _, status := range openapi.StatusesIn(responses) {
		responses[status] = lower(responses[status], "responses", pointer+"/responses/"+status,
			func(mediaType string) (reflect.Type, bool) {
				number, _ := strconv.Atoi(status) // a range of statuses has none
				b := b.ForStatus(number)
				t, ok := b.OfResponse(mediaType, openapi.IsSuccess(responses, status))
				return t, ok || !l.changes(b.Returns)
			})
	}
	if responses != nil {
		operation["responses"] = responses
	}
}

// body lowers a request body or a response, of a kind of components. What the version cannot get is
// not in it.
func (l *lowering) body(given any, kind, place string, of bodyType) any {
	if ref, ok := openapi.Map(given)["$ref"].(string); ok {
		target := l.Resolve(given)
		if openapi.Map(target) == nil || openapi.Map(target)["$ref"] != nil {
			l.fail(place, "%q does not lead to a part of the document: bundle its files first", ref)
			return given
		}
		made := l.body(target, kind, ref, of)
		if reflect.DeepEqual(made, target) {
			return given
		}
		return l.CopyOf(kind, ref, made)
	}
	content := maps.Clone(openapi.Map(openapi.Map(given)["content"]))
	for _, mediaType := range slices.Sorted(maps.Keys(content)) {
		t, has := of(mediaType)
		place := place + "/content/" + jsontext.EscapePointer.Replace(mediaType)
		switch {
		case !has:
			delete(content, mediaType)
		case l.changes(t):
			media := l.media(openapi.Map(content[mediaType]), t, place)
			// Reshaped can change the media type of an error, such as problem details.
			_, older := l.edits.Form(t)
			delete(content, mediaType)
			if older = cmp.Or(older, mediaType); content[older] != nil {
				l.refuse(place, "its media type is %s, which is there already", older)
			}
			content[older] = media
		}
	}
	made := maps.Clone(openapi.Map(given))
	if delete(made, "content"); len(content) > 0 {
		made["content"] = content
	}
	return made
}

// media lowers a schema with its examples.
func (l *lowering) media(given map[string]any, t reflect.Type, place string) map[string]any {
	made := l.WithExamples(given, place, func(value any, place string) any { return l.value(value, t, place) })
	if schema, ok := made["schema"]; ok {
		made["schema"] = l.schema(schema, t, place+"/schema")
		l.takeAllBack()
	}
	for _, name := range slices.Sorted(maps.Keys(openapi.Map(made["encoding"]))) {
		schema, _, err := l.Owned(made["schema"])
		if _, ok := openapi.Map(schema["properties"])[name]; !ok || err != nil {
			l.refuse(place+"/encoding", "the property %q has another name, which cannot be followed", name)
		}
	}
	return made
}
