package documents

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
	"strconv"

	"github.com/goverso/verso/migrate/internal/declared"
	"github.com/goverso/verso/migrate/internal/edits"
	"github.com/goverso/verso/migrate/internal/jsontext"
	"github.com/goverso/verso/migrate/internal/message"
	"github.com/goverso/verso/migrate/internal/openapi"
	"github.com/goverso/verso/migrate/internal/shape"
)

// bodyType returns the types of a media type, none if it stays, and whether the version has the media type. Only
// a response for several statuses can have several types.
type bodyType func(mediaType string) (types []reflect.Type, ok bool)

// bodies replaces the request body and the responses of an operation by what lower returns. It
// gets each with its kind of components and its place.
func (l *lowering) bodies(operation map[string]any, pointer string, b *declared.Bodies,
	lower func(given any, kind, place string, of bodyType) any) {
	if body, ok := operation["requestBody"]; ok {
		content := openapi.Map(openapi.Map(l.Resolve(body))["content"])
		operation["requestBody"] = lower(body, "requestBodies", pointer+"/requestBody",
			func(mediaType string) (types []reflect.Type, ok bool) {
				t, ok := b.OfRequest(mediaType)
				if ok && t == b.Form && l.isJSON(content, mediaType, b) {
					t = b.Accepts
				}
				if t != nil {
					types = []reflect.Type{t}
				}
				return types, ok || !l.changes(b.Accepts) && !l.changes(b.Form)
			})
	}
	responses := maps.Clone(openapi.Map(operation["responses"]))
	for _, status := range openapi.StatusesIn(responses) {
		statuses, isSuccess := statusesOf(responses, status, b), openapi.IsSuccess(responses, status)
		responses[status] = lower(responses[status], "responses", pointer+"/responses/"+status,
			func(mediaType string) (types []reflect.Type, ok bool) {
				types, ok = b.OfResponse(mediaType, statuses, isSuccess)
				isEdited := func(status int) bool { return l.changes(b.OfSuccess(status)) }
				return types, ok || !slices.ContainsFunc(statuses, isEdited)
			})
	}
	if responses != nil {
		operation["responses"] = responses
	}
}

// isJSON reports whether a form is described as the JSON beside it, or as that with fields of its own, and older clients
// send the same in both: the older form of both is the same then.
func (l *lowering) isJSON(content map[string]any, form string, b *declared.Bodies) bool {
	schema, same := openapi.Map(content[form])["schema"], false
	for mediaType, media := range content {
		isJSON := func(s any) bool { return reflect.DeepEqual(s, openapi.Map(media)["schema"]) }
		parts := append(slices.Clip(openapi.List(openapi.Map(schema)["allOf"])), schema)
		same = same || message.IsJSON(mediaType) && slices.ContainsFunc(parts, isJSON)
	}
	return same && schema != nil && b.Form != nil && b.Accepts != nil && l.liftsAlike(shape.Deref(b.Accepts), b.Form)
}

// liftsAlike reports whether the JSON beside a form has all edits of the form, and its further ones, or the edits of a
// type below it, change nothing that older clients send.
func (l *lowering) liftsAlike(of, form reflect.Type) bool {
	own, theirs := l.edits.Lacked(form), l.edits.Lacked(of)
	has := func(all []edits.Placed, p edits.Placed) bool {
		return slices.ContainsFunc(all, func(q edits.Placed) bool { return areAlike(p, q) })
	}
	found := slices.ContainsFunc(own, func(p edits.Placed) bool { return !has(theirs, p) })
	l.edits.Walk(of, func(t reflect.Type) {
		members := shape.MembersOf(t)
		for _, p := range l.edits.Lacked(t) {
			isTaken := slices.ContainsFunc(p.Lacks, func(name string) bool { return shape.Find(members, name) >= 0 })
			found = found || (p.Lifts() || p.Narrows && isTaken) && (t != of || !has(own, p))
		}
	})
	return !found
}

// areAlike reports whether two edits of a release do the same to members of the same names. Their types may differ.
func areAlike(p, q edits.Placed) bool {
	return p.Index == q.Index && (p.Text == q.Text || p.Keywords == nil && q.Keywords == nil &&
		slices.Equal(p.Needs, q.Needs) && slices.Equal(p.Lacks, q.Lacks) && slices.Equal(p.OldTexts, q.OldTexts))
}

// statusesOf returns the statuses that a response of a document describes: of a range, and of the default, those that
// have a type of their own and no description, and 0 for the rest.
func statusesOf(responses map[string]any, key string, b *declared.Bodies) (statuses []int) {
	if status, err := strconv.Atoi(key); err == nil {
		return []int{status}
	}
	for _, status := range b.Listed() {
		text := strconv.Itoa(status)
		class := text[:1] + "XX"
		if responses[text] == nil && (key == class || key == "default" && responses[class] == nil) {
			statuses = append(statuses, status)
		}
	}
	return append(statuses, 0)
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
		types, has := of(mediaType)
		changing := slices.IndexFunc(types, l.changes)
		place := place + "/content/" + jsontext.EscapePointer.Replace(mediaType)
		switch {
		case !has:
			delete(content, mediaType)
		case changing >= 0 && len(types) > 1:
			l.refuse(place, "it is of %s and of %s by its status or its media type: describe each",
				shape.NameOf(types[0]), shape.NameOf(types[1]))
		case changing >= 0:
			t := types[0]
			media := l.media(openapi.Map(content[mediaType]), t, place)
			// An edit can change the media type of an error, such as problem details.
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
		if l.hasProperty(given["schema"], name, 0) && !l.hasProperty(made["schema"], name, 0) {
			l.refuse(place+"/encoding", "the property %q has another name, which cannot be followed", name)
		}
	}
	return made
}

// hasProperty reports whether a schema, or a part or form of it, has a property.
func (l *lowering) hasProperty(schema any, name string, depth int) bool {
	s := openapi.Map(l.Resolve(schema))
	has := func(part any) bool { return depth < 20 && l.hasProperty(part, name, depth+1) }
	return openapi.Map(s["properties"])[name] != nil || slices.ContainsFunc([]string{"allOf", "oneOf", "anyOf"},
		func(keyword string) bool { return slices.ContainsFunc(openapi.List(s[keyword]), has) })
}
