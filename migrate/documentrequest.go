package migrate

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
)

// answer takes the edits of statuses and header fields back. Responses are keys by their
// status, so another status moves a response to another key.
func (l *documentLowering) answer(responses map[string]any, place string, edits []answerEdit) error {
	for _, a := range edits {
		if a.old == 0 {
			l.renameHeader(responses, a)
			continue
		}
		old, now := strconv.Itoa(a.old), strconv.Itoa(a.now)
		given, ok := responses[now]
		if !ok {
			continue
		}
		response, _ := l.resolve(given, place)
		// RFC 9457 repeats the status in the body.
		if anyMap(response["content"])[verso.ProblemType] != nil {
			response = l.followed(response, old, now)
			given = response
		}
		// The client gets no body with such a status (RFC 9110, section 6.4.1).
		if isBodyless(a.old) {
			response = maps.Clone(response)
			delete(response, "content")
			given = response
		}
		delete(responses, now)
		// If the newest version has a response under the old status, clients of the version get
		// either, which one description must cover.
		if there, _ := l.resolve(responses[old], place); there != nil && !reflect.DeepEqual(there["content"], response["content"]) {
			return fmt.Errorf("%s/%s: in %s it has status %s, whose response has another body: describe both with one response", place, now, l.v, old)
		} else if there == nil {
			responses[old] = given
		}
	}
	return nil
}

// followed returns a response whose examples of problem details have another status. The
// response may be a component that other statuses use, so it is copied.
func (l *documentLowering) followed(given map[string]any, old, now string) map[string]any {
	response := anyMap(cloned(given))
	media := anyMap(anyMap(response["content"])[verso.ProblemType])
	follow := func(example any) {
		if problem := anyMap(example); fmt.Sprint(problem["status"]) == now {
			problem["status"] = json.Number(old)
		}
	}
	follow(media["example"])
	named := anyMap(media["examples"])
	for name, each := range named {
		example, _ := l.resolve(each, "")
		example = anyMap(cloned(example))
		follow(example["value"])
		named[name] = example
	}
	return response
}

// renameHeader gives a header field of the responses its old name. The responses may be
// components of other operations, so they are copied.
func (l *documentLowering) renameHeader(responses map[string]any, a answerEdit) {
	for status, given := range responses {
		response, _ := l.resolve(given, "")
		headers := anyMap(response["headers"])
		for name, field := range headers {
			if http.CanonicalHeaderKey(name) == a.named {
				response, headers = maps.Clone(response), maps.Clone(headers)
				delete(headers, name)
				headers[a.oldName], response["headers"] = field, headers
				responses[status] = response
				break
			}
		}
	}
}

// parameterKey keeps the parameter in its schema while edits are taken back.
const parameterKey = "x-parameter"

// parameters lowers the parameters of an operation in the query or the header. A list of
// parameters is made into the schema of an object, whose edits are then those of bodies, and
// back into a list. What stands beside the schema of a parameter, such as its style, waits in
// the schema.
func (l *documentLowering) parameters(pointer string, operation map[string]any, in string, t reflect.Type) error {
	edits := l.edits.after(t, l.index)
	if len(edits) == 0 {
		return nil
	}
	// A sibling operation may have other edits, or none.
	l.inheritParameters(pointer[:strings.LastIndex(pointer, "/")])
	members := membersOf(t)
	o := &objectSchema{lowering: l, properties: map[string]any{}, required: map[string]bool{}, isParameters: true}
	var made []any
	for _, each := range anyList(operation["parameters"]) {
		given, place := l.resolve(each, pointer+"/parameters")
		name := memberNamed(members, fmt.Sprint(given["name"]), in == "header")
		// A parameter that the struct lacks is read by other code, such as a middleware, and
		// stays.
		if given["in"] != in || name == "" {
			made = append(made, each)
			continue
		}
		// A parameter with content is a body of its own, which binders do not read.
		if given["content"] != nil {
			return fmt.Errorf("%s: the parameter %q has content, which cannot be followed: give it a schema", place, name)
		}
		schema, _, err := l.owned(given["schema"])
		if err != nil {
			return fmt.Errorf("%s: the parameter %q: %w", place, name, err)
		}
		parameter := anyMap(cloned(given))
		if example, ok := parameter["example"]; ok {
			schema["example"] = example
		}
		delete(parameter, "example")
		delete(parameter, "examples")
		schema[parameterKey] = parameter
		o.put(name, schema, given["required"] == true)
	}
	if err := o.takeBack(edits, t, in+" parameter", pointer+"/parameters"); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(o.properties)) {
		schema := anyMap(o.properties[name])
		parameter := anyMap(schema[parameterKey])
		// It is a parameter that only older versions have.
		if parameter == nil {
			parameter = map[string]any{"in": in}
		}
		delete(schema, parameterKey)
		// In OpenAPI this is a key of the parameter; while edits ran, the object had it.
		delete(parameter, "required")
		if o.required[name] {
			parameter["required"] = true
		}
		parameter["name"], parameter["schema"] = name, schema
		made = append(made, parameter)
	}
	// Changed parameters come last, by name: maps have no order to keep.
	operation["parameters"] = made
	operation["x-changes"] = append(anyList(operation["x-changes"]), l.changesOf(edits)...)
	return nil
}

// Names of header fields are case-insensitive, those of query parameters are not.
func memberNamed(members []member, name string, folds bool) string {
	for _, m := range members {
		if m.name == name || folds && strings.EqualFold(m.name, name) {
			return m.name
		}
	}
	return ""
}

// inheritParameters gives all operations of a path the parameters of the path, so that each one
// can have its own.
func (l *documentLowering) inheritParameters(path string) {
	item := anyMap(l.at(path))
	shared := anyList(item["parameters"])
	delete(item, "parameters")
	for _, each := range item {
		operation, ok := each.(map[string]any)
		if !ok || operation["responses"] == nil || len(shared) == 0 {
			continue
		}
		// An operation overrides a parameter of its path by name and place (OpenAPI 3.1, Path Item
		// Object).
		own := slices.Clone(anyList(operation["parameters"]))
		for _, p := range shared {
			parameter, _ := l.resolve(p, "")
			isIt := func(other any) bool {
				given, _ := l.resolve(other, "")
				return given["name"] == parameter["name"] && given["in"] == parameter["in"]
			}
			if !slices.ContainsFunc(own, isIt) {
				own = append(own, p)
			}
		}
		operation["parameters"] = own
	}
}
