package documents

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate/internal/declared"
	"github.com/goverso/verso/migrate/internal/edits"
	"github.com/goverso/verso/migrate/internal/jsontext"
	"github.com/goverso/verso/migrate/internal/message"
	"github.com/goverso/verso/migrate/internal/openapi"
	"github.com/goverso/verso/migrate/internal/shape"
)

// answer takes the edits of statuses, media types and header fields back, in responses that belong to
// the operation.
func (l *lowering) answer(operation, responses map[string]any, pointer string, edits []declared.Answer) {
	place := pointer + "/responses"
	for _, a := range edits {
		operation["x-changes"] = append(openapi.List(operation["x-changes"]), changeOf(a.Version, a.Change, a.String()))
		switch a.Part {
		case declared.Header:
			l.rename(responses, "headers", func(_, name string, _ map[string]any) string {
				if http.CanonicalHeaderKey(name) == a.Is {
					return a.Was
				}
				return name
			})
		case declared.MediaType: // below status 400
			l.rename(responses, "content", func(status, mediaType string, all map[string]any) (older string) {
				if message.MediaType(mediaType) != a.Is || !isSuccess(responses, status) {
					return mediaType
				}
				older = a.Was + message.Parameters(mediaType)
				schema, there := openapi.Map(all[mediaType])["schema"], openapi.Map(all[older])
				if there != nil && !reflect.DeepEqual(there["schema"], schema) {
					l.refuse(place+"/"+status, "its media type is %s, which is there already, with another body", older)
				}
				return older
			})
		case declared.NewHeader, declared.GoneHeader:
			l.header(responses, a)
		case declared.Operation:
			made := openapi.Merged(operation, openapi.Map(jsontext.Decoded([]byte(a.Keywords))))
			clear(operation)
			maps.Copy(operation, made)
		case declared.Parameter:
			l.parameter(pointer, operation, a)
		case declared.NewStatus:
			delete(responses, strconv.Itoa(a.Now))
		case declared.GoneStatus:
			l.goneStatus(responses, a, place)
		default:
			l.status(responses, a, place)
		}
	}
}

// status moves a response to the key of its older status.
func (l *lowering) status(responses map[string]any, a declared.Answer, place string) {
	old, now := strconv.Itoa(a.Old), strconv.Itoa(a.Now)
	given, ok := responses[now]
	if !ok {
		return
	}
	// RFC 9457 repeats the status in the body.
	response := maps.Clone(openapi.Map(l.Resolve(given)))
	content := maps.Clone(openapi.Map(response["content"]))
	for mediaType, media := range content {
		if message.MediaType(mediaType) == verso.ProblemType {
			content[mediaType] = l.withExamples(openapi.Map(media), "", func(example any, _ string) any {
				if problem := openapi.Map(example); fmt.Sprint(problem["status"]) == now {
					example = openapi.Merged(problem, map[string]any{"status": json.Number(old)})
				}
				return example
			})
			response["content"], given = content, response
		}
	}
	// The client gets no body with such a status (RFC 9110, section 6.4.1).
	if message.IsBodyless(a.Old) {
		delete(response, "content")
		given = response
	}
	delete(responses, now)
	// If the newest version has a response under the old status, clients of the version get
	// either, which one description must cover.
	there := openapi.Map(l.Resolve(responses[old]))
	if there == nil {
		responses[old] = given
	} else if !reflect.DeepEqual(schemasOf(there), schemasOf(response)) {
		l.refuse(place+"/"+now,
			"it has status %s, whose response has another body: describe both with one response", old)
	}
}

// goneStatus brings a response back, as its declaration describes it.
func (l *lowering) goneStatus(responses map[string]any, a declared.Answer, place string) {
	status := strconv.Itoa(a.Old)
	if responses[status] != nil {
		l.refuse(place+"/"+status, "the status is there, and was removed: %w", openapi.ErrNotNewest)
	}
	content := map[string]any{}
	add := func(mediaType string, t reflect.Type) {
		if t != nil {
			content[mediaType] = map[string]any{"schema": l.schemaOf(t, true)}
		}
	}
	if a.Old < http.StatusBadRequest {
		add("application/json", a.Bodies.Returns)
	}
	for mediaType, t := range a.Bodies.Fails {
		add(mediaType, t)
	}
	l.takeAllBack()
	response := map[string]any{"description": http.StatusText(a.Old)}
	if len(content) > 0 {
		response["content"] = content
	}
	responses[status] = response
}

// header takes a new field out of the responses that have it, or brings one back.
func (l *lowering) header(responses map[string]any, a declared.Answer) {
	for _, key := range statusesIn(responses) {
		status, err := strconv.Atoi(strings.Replace(key, "XX", "00", 1))
		isDefault := a.Statuses == nil && isSuccess(responses, key)
		if !isDefault && (err != nil || !a.Has(status)) {
			continue
		}
		response := maps.Clone(openapi.Map(l.Resolve(responses[key])))
		all := maps.Clone(openapi.Map(response["headers"]))
		maps.DeleteFunc(all, func(name string, _ any) bool { return http.CanonicalHeaderKey(name) == a.Is })
		if a.Part == declared.GoneHeader {
			if all == nil {
				all = map[string]any{}
			}
			all[a.Was] = map[string]any{"schema": l.schemaOf(a.Type, false)}
		}
		if response["headers"] = all; len(all) == 0 {
			delete(response, "headers")
		}
		responses[key] = response
	}
}

// schemasOf returns the schemas of a response by their media types.
func schemasOf(response map[string]any) map[string]any {
	schemas := map[string]any{}
	for mediaType, media := range openapi.Map(response["content"]) {
		schemas[mediaType] = openapi.Map(media)["schema"]
	}
	return schemas
}

// rename gives parts of the responses under a key other names.
func (l *lowering) rename(responses map[string]any, key string,
	older func(status, name string, all map[string]any) string) {
	for _, status := range slices.Sorted(maps.Keys(responses)) {
		response := maps.Clone(openapi.Map(l.Resolve(responses[status])))
		all := maps.Clone(openapi.Map(response[key]))
		for _, name := range slices.Sorted(maps.Keys(all)) {
			if old := older(status, name, all); old != name {
				all[old], response[key], responses[status] = all[name], all, response
				delete(all, name)
			}
		}
	}
}

// parameters lowers the parameters of an operation in the query or the header. A list of
// parameters is made into the schema of an object, whose edits are then those of bodies, and
// back into a list.
func (l *lowering) parameters(pointer string, operation map[string]any, in string, t reflect.Type) {
	lacked := l.edits.Lacked(t)
	if len(lacked) == 0 {
		return
	}
	l.inherit(pointer)
	members := shape.MembersOf(t)
	o := l.object(nil, true)
	schemaIn := func(parameter map[string]any) any {
		schema := map[string]any{"allOf": []any{parameter["schema"]}}
		if example, ok := parameter["example"]; ok {
			schema["example"] = example
		}
		return schema
	}
	var made []any
	for _, each := range openapi.List(operation["parameters"]) {
		given := openapi.Map(l.Resolve(each))
		name := memberNamed(members, fmt.Sprint(given["name"]), in == "header")
		// A parameter that the struct lacks is read by other code, such as a middleware, and stays.
		isRead := slices.ContainsFunc(lacked, func(p edits.Placed) bool { return slices.Contains(p.Needs, name) })
		if given["in"] != in || !isRead {
			made = append(made, each)
			continue
		}
		o.Properties[name] = &openapi.Property{Schema: schemaIn(given), Required: given["required"] == true,
			Parameter: given}
	}
	l.takeBack(o, lacked, t, in+" parameter", pointer+"/parameters")
	for _, name := range slices.Sorted(maps.Keys(o.Properties)) {
		p := o.Properties[name]
		parameter := maps.Clone(p.Parameter)
		stays := reflect.DeepEqual(p.Schema, schemaIn(parameter)) // no edit has opened it
		switch {
		case parameter == nil: // only older versions have it
			parameter = map[string]any{"in": in, "schema": p.Schema}
		// A parameter with content is a body of its own, which binders do not read.
		case !stays && parameter["content"] != nil:
			l.fail(pointer+"/parameters",
				"the parameter %q has content, which cannot be followed: give it a schema", name)
		case !stays:
			maps.DeleteFunc(parameter, func(key string, _ any) bool { return key == "example" || key == "examples" })
			opened, err := l.Flatten(openapi.Map(p.Schema), pointer+"/parameters", map[string]bool{})
			l.note(err)
			parameter["schema"] = opened
		}
		// In OpenAPI this is a key of the parameter; while edits ran, the object had it.
		if delete(parameter, "required"); p.Required {
			parameter["required"] = true
		}
		parameter["name"] = name
		// The version has this one under the name.
		isOther := func(other any) bool { return isSameParameter(openapi.Map(l.Resolve(other)), parameter) }
		made = append(slices.DeleteFunc(made, isOther), parameter)
	}
	// Changed parameters come last, by name: maps have no order to keep.
	operation["parameters"] = made
	operation["x-changes"] = append(openapi.List(operation["x-changes"]), changesOf(lacked)...)
}

// parameter describes a parameter of the newest document, and moves it into the operation.
func (l *lowering) parameter(pointer string, operation map[string]any, a declared.Answer) {
	l.inherit(pointer)
	named := map[string]any{"in": a.Was, "name": a.Is}
	list := slices.Clone(openapi.List(operation["parameters"]))
	for i, each := range list {
		given := openapi.Map(l.Resolve(each))
		if !isSameParameter(given, named) {
			continue
		}
		patch := openapi.Map(jsontext.Decoded([]byte(a.Keywords)))
		schema, changes := openapi.Map(given["schema"]), openapi.Map(patch["schema"])
		switch {
		case changes["$ref"] != nil: // it is described whole
			given = openapi.Merged(given, map[string]any{"schema": nil})
		case schema["$ref"] != nil && changes != nil: // the component stays for other places
			own, nullable, err := l.Owned(schema)
			l.note(err)
			given = openapi.Merged(given, map[string]any{"schema": nil})
			given["schema"] = l.Nullable(own, nullable)
		}
		list[i] = openapi.Merged(given, patch)
		operation["parameters"] = list
		return
	}
	l.fail(pointer+"/parameters", "there is no %s parameter %q: %w", a.Was, a.Is, openapi.ErrNotNewest)
}

// Names of header fields are case-insensitive, those of query parameters are not.
func memberNamed(members []shape.Member, name string, folds bool) string {
	for _, m := range members {
		if m.Name == name || folds && strings.EqualFold(m.Name, name) {
			return m.Name
		}
	}
	return ""
}

func isSameParameter(one, other map[string]any) bool {
	isName := one["name"] == other["name"] || one["in"] == "header" &&
		strings.EqualFold(fmt.Sprint(one["name"]), fmt.Sprint(other["name"]))
	return one["in"] == other["in"] && isName
}

// inherit gives the parameters of a path to all its operations before one of these changes. An
// operation overrides them by name and place (OpenAPI 3.1, Path Item Object).
func (l *lowering) inherit(pointer string) {
	path, _ := openapi.CutLast(pointer)
	item := openapi.Map(l.Part(path))
	for _, method := range []string{"get", "put", "post", "delete", "options", "head", "patch", "trace"} {
		operation := l.Operations[path+"/"+method]
		if operation == nil {
			operation = openapi.Map(item[method])
		}
		for _, p := range openapi.List(item["parameters"]) {
			isSame := func(own any) bool {
				return isSameParameter(openapi.Map(l.Resolve(own)), openapi.Map(l.Resolve(p)))
			}
			if own := openapi.List(operation["parameters"]); operation != nil && !slices.ContainsFunc(own, isSame) {
				operation["parameters"] = append(slices.Clip(own), p)
			}
		}
	}
	delete(item, "parameters")
}
