package documents

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/goverso/verso/migrate/internal/declared"
	"github.com/goverso/verso/migrate/internal/edits"
	"github.com/goverso/verso/migrate/internal/jsontext"
	"github.com/goverso/verso/migrate/internal/openapi"
	"github.com/goverso/verso/migrate/internal/shape"
)

// Operation is an operation of the document.
type Operation struct {
	Pointer string           // to it
	Bodies  *declared.Bodies // of its route; nil: it stays
	Answers []declared.Answer
}

// Lower makes the document of a version in place. lower lowers a value.
func Lower(document map[string]any, version string, in edits.Version, operations []Operation, sent []Webhook,
	lower func(t reflect.Type, raw []byte) ([]byte, error)) error {
	l := &lowering{
		edits: in, version: version, lower: lower,
		Document: openapi.New(document),
		accepted: map[reflect.Type]bool{}, components: map[reflect.Type]string{}, changing: map[reflect.Type]bool{},
		collected: map[openapi.Key]bool{}, named: map[string]bool{},
	}
	var pointers []string
	for _, o := range operations {
		if pointers = append(pointers, o.Pointer); o.Bodies != nil && in.Index > 0 {
			l.find(o.Pointer, o.Bodies)
		}
	}
	for _, w := range sent {
		if w.Has && in.Index > 0 {
			l.findWebhook(w)
		}
	}
	for _, o := range operations {
		if o.Bodies != nil && in.Index > 0 && l.Part(o.Pointer) != nil {
			l.operation(o.Pointer, o.Bodies, o.Answers)
		}
	}
	if pointers = append(pointers, l.lowerWebhooks(sent)...); len(l.errs) == 0 {
		return l.Finish(pointers, version)
	}
	return errors.Join(l.errs...)
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
	for _, status := range openapi.StatusesIn(responses) {
		response, place := openapi.Map(l.Resolve(responses[status])), pointer+"/responses/"+status
		schema := openapi.Map(l.Resolve(openapi.Map(openapi.Map(response["content"])["text/event-stream"])["schema"]))
		if events && openapi.IsSuccess(responses, status) && schema != nil && schema["type"] != "string" {
			l.refuse(place+"/content/text~1event-stream",
				"events have another form, which cannot be followed: describe them in the text")
		}
		returned := b.Returns
		if code, _ := strconv.Atoi(status); b.Statuses[code] != nil {
			returned = b.Statuses[code]
		} else if !openapi.IsSuccess(responses, status) {
			returned = nil
		}
		l.checkExpressions(response["links"], b, returned, expressions, place+"/links")
	}
	l.callbacks(operation, b.Accepts)
	returned := b.Returns
	if len(b.Statuses) > 0 {
		returned = nil
	}
	l.checkExpressions(operation["callbacks"], b, returned, expressions, pointer+"/callbacks")
	gone := l.answers(operation, pointer, answers)
	gone = l.parameters(pointer, operation, "query", b.Query, gone)
	gone = l.parameters(pointer, operation, "header", b.Header, gone)
	for _, e := range gone {
		l.fail(pointer+"/parameters", "there is no %s parameter %q: %w", e.in, e.name, openapi.ErrNotNewest)
	}
}

// expressions returns the beginnings of runtime expressions that refer to what has another form.
func (l *lowering) expressions(b *declared.Bodies, answers []declared.Answer) (list []string) {
	add := func(expression string, types ...reflect.Type) {
		if slices.ContainsFunc(types, l.reforms) {
			list = append(list, expression)
		}
	}
	add("$request.body", b.Accepts, b.Form)
	add("$request.header", b.Header)
	add("$request.query", b.Query)
	add("$response.body", b.Responses()...)
	if slices.ContainsFunc(answers, declared.Answer.Renames) {
		list = append(list, "$response.header")
	}
	return list
}

// callbacks leaves out those to a member of the request that the version does not have.
func (l *lowering) callbacks(operation map[string]any, accepted reflect.Type) {
	if accepted == nil || shape.Deref(accepted).Kind() != reflect.Struct {
		return
	}
	t := shape.Deref(accepted)
	made := maps.Clone(openapi.Map(operation["callbacks"]))
	for name, given := range made {
		callback := maps.Clone(openapi.Map(l.Resolve(given)))
		maps.DeleteFunc(callback, func(expression string, _ any) bool {
			found := inBody.FindStringSubmatch(expression)
			if found == nil || found[1] != "request" || found[2] == "" {
				return false
			}
			first := jsontext.UnescapePointer.Replace(strings.Split(found[2]+"/", "/")[1])
			return shape.Find(shape.MembersOf(t), first) >= 0 && shape.Find(l.edits.Members(t), first) < 0
		})
		if len(callback) == len(openapi.Map(l.Resolve(given))) {
			continue
		}
		if made[name] = callback; len(callback) == 0 {
			delete(made, name)
		}
		if operation["callbacks"] = made; len(made) == 0 {
			delete(operation, "callbacks")
		}
	}
}

// inBody finds the JSON pointers of runtime expressions in a request or response.
var inBody = regexp.MustCompile(`\$(request|response)\.body#([^}"\s]*)`)

// expression finds the runtime expressions of a JSON pointer into a body, and of a query parameter.
var expression = regexp.MustCompile(`\$(request\.body#|response\.body#|request\.query\.)([^}"\s]*)`)

// checkExpressions refuses links and callbacks with runtime expressions of what changed. These are texts, which no
// edit reaches, and may be anywhere. returned is the type of the response, or nil if it is not known.
func (l *lowering) checkExpressions(value any, b *declared.Bodies, returned reflect.Type, expressions []string,
	place string) {
	all := []any{value}
	for _, each := range openapi.Map(value) {
		all = append(all, l.Resolve(each))
	}
	types := map[string]reflect.Type{"request.body#": b.Accepts, "response.body#": returned, "request.query.": b.Query}
	text, _ := json.Marshal(all) // it was decoded
	text = expression.ReplaceAllFunc(text, func(found []byte) []byte {
		parts := expression.FindSubmatch(found)
		t, pointer := types[string(parts[1])], string(parts[2])
		if string(parts[1]) == "request.query." {
			pointer = "/" + jsontext.EscapePointer.Replace(pointer)
		}
		if t != nil && l.stays(t, pointer) {
			return nil
		}
		return found
	})
	for _, each := range expressions {
		if bytes.Contains(text, []byte(each)) {
			l.refuse(place, "this refers to %s of another form: describe it in the text", each)
		}
	}
}

// find remembers of each type which component describes it, and whether requests have it.
func (l *lowering) find(pointer string, b *declared.Bodies) {
	for _, t := range []reflect.Type{b.Accepts, b.Form, b.Query, b.Header} {
		if t != nil {
			l.edits.Walk(t, func(t reflect.Type) { l.accepted[t] = true })
		}
	}
	l.bodies(maps.Clone(openapi.Map(l.Part(pointer))), pointer, b, func(given any, _, _ string, of bodyType) any {
		content := openapi.Map(openapi.Map(l.Resolve(given))["content"])
		for _, mediaType := range slices.Sorted(maps.Keys(content)) {
			types, _ := of(mediaType)
			for _, t := range types {
				l.collect(openapi.Map(content[mediaType])["schema"], t)
			}
		}
		return given
	})
}
