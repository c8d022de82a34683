// Package documents lowers the OpenAPI documents of the newest version to older ones, with the edits of
// the types that routes declare.
package documents

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/goverso/verso/migrate/internal/declared"
	"github.com/goverso/verso/migrate/internal/edits"
	"github.com/goverso/verso/migrate/internal/jsontext"
	"github.com/goverso/verso/migrate/internal/openapi"
)

// Operation is an operation of the document.
type Operation struct {
	Pointer string           // to it
	Bodies  *declared.Bodies // of its route; nil: it stays
	Answers []declared.Answer
}

// Webhook is what a service sends.
type Webhook struct {
	Name string
	Type reflect.Type
	Has  bool // the version has it
}

// Lower makes the document of a version in place. lower lowers a value.
func Lower(document map[string]any, version string, in edits.Version, operations []Operation, sent []Webhook,
	lower func(t reflect.Type, raw []byte) ([]byte, error)) error {
	l := &lowering{
		edits: in, version: version, lower: lower,
		Document: openapi.New(document),
		accepted: map[reflect.Type]bool{}, components: map[reflect.Type]string{}, changing: map[reflect.Type]bool{},
		collected: map[openapi.Key]bool{},
	}
	var pointers []string
	for _, o := range operations {
		if pointers = append(pointers, o.Pointer); o.Bodies != nil && in.Index > 0 {
			l.note(o.Pointer, o.Bodies)
		}
	}
	for _, o := range operations {
		if o.Bodies != nil && in.Index > 0 && l.err == nil && l.Part(o.Pointer) != nil {
			l.operation(o.Pointer, o.Bodies, o.Answers)
		}
	}
	if pointers = append(pointers, l.lowerWebhooks(sent)...); l.err == nil {
		l.err = l.Finish(pointers, version)
	}
	return l.err
}

// lowering lowers a document. Its methods return lowered parts, and do not change the given
// ones: a part that several operations share may be lowered for a single operation.
type lowering struct {
	openapi.Document
	edits   edits.Version
	version string
	lower   func(t reflect.Type, raw []byte) ([]byte, error)
	later   []func() // takes the edits of a schema back
	err     error    // the first one: methods go on, and their results are not used

	within   []reflect.Type        // the structs around a schema of a Go type
	changing map[reflect.Type]bool // whether the version has a type in another form

	accepted   map[reflect.Type]bool   // the types of requests
	components map[reflect.Type]string // the components of types, "" if a type has two
	collected  map[openapi.Key]bool    // what was looked at for them
}

// fail notes an error at a place of the document.
func (l *lowering) fail(place, format string, args ...any) {
	l.err = cmp.Or(l.err, fmt.Errorf("%s: "+format, append([]any{place}, args...)...))
}

// refuse notes what cannot be lowered.
func (l *lowering) refuse(place, format string, args ...any) {
	l.fail(place, "in %s "+format, append([]any{l.version}, args...)...)
}

// operation lowers an operation.
func (l *lowering) operation(pointer string, b *declared.Bodies, answers []declared.Answer) {
	operation := maps.Clone(openapi.Map(l.Part(pointer)))
	l.Operations[pointer] = operation
	l.bodies(operation, pointer, b, l.body)
	if openapi.Map(l.Resolve(operation["requestBody"]))["content"] == nil {
		delete(operation, "requestBody") // the version has other media types only
	}
	responses, expressions := openapi.Map(operation["responses"]), l.expressions(b, answers)
	events := slices.ContainsFunc(append(slices.Collect(maps.Values(b.Events)), b.Returns), l.changes)
	for _, status := range statusesIn(responses) {
		response, place := openapi.Map(l.Resolve(responses[status])), pointer+"/responses/"+status
		schema := openapi.Map(l.Resolve(openapi.Map(openapi.Map(response["content"])["text/event-stream"])["schema"]))
		if events && isSuccess(responses, status) && schema != nil && schema["type"] != "string" {
			l.refuse(place+"/content/text~1event-stream",
				"events have another form, which cannot be followed: describe them in the text")
		}
		l.checkExpressions(response["links"], expressions, place+"/links")
	}
	l.checkExpressions(operation["callbacks"], expressions, pointer+"/callbacks")
	l.answer(operation, responses, pointer+"/responses", answers)
	l.parameters(pointer, operation, "query", b.Query)
	l.parameters(pointer, operation, "header", b.Header)
}

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
	for _, status := range statusesIn(responses) {
		responses[status] = lower(responses[status], "responses", pointer+"/responses/"+status,
			func(mediaType string) (reflect.Type, bool) {
				t, ok := b.OfResponse(mediaType, isSuccess(responses, status))
				return t, ok || !l.changes(b.Returns)
			})
	}
	if responses != nil {
		operation["responses"] = responses
	}
}

// statusesIn returns the keys of responses, without extensions.
func statusesIn(responses map[string]any) []string {
	isExtension := func(status string) bool { return strings.HasPrefix(status, "x-") }
	return slices.DeleteFunc(slices.Sorted(maps.Keys(responses)), isExtension)
}

// isSuccess reports whether a response is one below status 400. The responses of some documents
// have only a default.
func isSuccess(responses map[string]any, status string) bool {
	return status < "4" || status == "default" && !slices.ContainsFunc(slices.Collect(maps.Keys(responses)),
		func(other string) bool { return "2" <= other && other < "4" })
}

// expressions returns the beginnings of runtime expressions that refer to what has another form.
func (l *lowering) expressions(b *declared.Bodies, answers []declared.Answer) (list []string) {
	add := func(expression string, types ...reflect.Type) {
		if slices.ContainsFunc(types, l.changes) {
			list = append(list, expression)
		}
	}
	add("$request.body", b.Accepts, b.Form)
	add("$request.header", b.Header)
	add("$request.query", b.Query)
	add("$response.body", b.Responses()...)
	if slices.ContainsFunc(answers, func(a declared.Answer) bool { return a.Part == "header" }) {
		list = append(list, "$response.header")
	}
	return list
}

// checkExpressions refuses links and callbacks with runtime expressions. These are texts, which no
// edit reaches, and may be anywhere.
func (l *lowering) checkExpressions(value any, expressions []string, place string) {
	all := []any{value}
	for _, each := range openapi.Map(value) {
		all = append(all, l.Resolve(each))
	}
	text, _ := json.Marshal(all) // it was decoded
	for _, expression := range expressions {
		if bytes.Contains(text, []byte(expression)) {
			l.refuse(place, "this refers to %s of another form: describe it in the text", expression)
		}
	}
}

// changes reports whether a type, or one below it, has edits that the version lacks. A schema
// without such a type is left as it is, in all its forms, however unusual.
func (l *lowering) changes(t reflect.Type) bool {
	if t == nil {
		return false
	}
	found, known := l.changing[t]
	if !known {
		l.edits.Walk(t, func(t reflect.Type) { found = found || len(l.edits.Lacked(t)) > 0 })
		l.changing[t] = found
	}
	return found
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

// withExamples returns a copy of a media type with other examples. One that lies elsewhere
// (externalValue) is of the newest version, and left out.
func (l *lowering) withExamples(given map[string]any, place string,
	lower func(value any, place string) any) map[string]any {
	made := maps.Clone(given)
	if example, ok := made["example"]; ok {
		made["example"] = lower(example, place+"/example")
	}
	examples := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(openapi.Map(made["examples"]))) {
		example := maps.Clone(openapi.Map(l.Resolve(openapi.Map(made["examples"])[name])))
		if value, ok := example["value"]; ok {
			example["value"] = lower(value, place+"/examples/"+name)
			examples[name] = example
		}
	}
	if delete(made, "examples"); len(examples) > 0 {
		made["examples"] = examples
	}
	return made
}

// media lowers a schema with its examples.
func (l *lowering) media(given map[string]any, t reflect.Type, place string) map[string]any {
	made := l.withExamples(given, place, func(value any, place string) any { return l.value(value, t, place) })
	if schema, ok := made["schema"]; ok {
		made["schema"] = l.schema(schema, t, place+"/schema")
		// A type may be in itself, so the edits come when all is there that they read.
		for ; len(l.later) > 0 && l.err == nil; l.later = l.later[1:] {
			l.later[0]()
		}
	}
	for _, name := range slices.Sorted(maps.Keys(openapi.Map(made["encoding"]))) {
		schema, _, err := l.Owned(made["schema"])
		if _, ok := openapi.Map(schema["properties"])[name]; !ok || err != nil {
			l.refuse(place+"/encoding", "the property %q has another name, which cannot be followed", name)
		}
	}
	return made
}

// value lowers an example. An example that the code cannot lower is an error: it is not in the
// newest form.
func (l *lowering) value(value any, t reflect.Type, place string) any {
	raw, err := json.Marshal(value)
	if err == nil {
		raw, err = l.lower(t, raw)
	}
	if err != nil {
		l.fail(place, "%w", err)
		return value
	}
	return jsontext.Decoded(raw)
}
