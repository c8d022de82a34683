package documents

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/goverso/verso/migrate/internal/declared"
	"github.com/goverso/verso/migrate/internal/edits"
	"github.com/goverso/verso/migrate/internal/openapi"
	"github.com/goverso/verso/migrate/internal/shape"
)

// answers takes the edits of a route back that are not of its types. It returns those of parameters that
// edits of types bring back.
func (l *lowering) answers(operation map[string]any, pointer string, list []declared.Answer) (gone []parameterEdit) {
	responses := openapi.Map(operation["responses"])
	if responses == nil {
		responses = map[string]any{}
	}
	o := &openapi.Operation{
		Document: &l.Document, Members: operation, Responses: responses, SchemaOf: l.schemaOf,
		Refuse: func(place, format string, args ...any) { l.refuse(pointer+place, format, args...) },
		Describe: func(in, name string, patch map[string]any) {
			if e := (parameterEdit{in, name, patch}); !l.describe(pointer, operation, e) {
				gone = append(gone, e)
			}
		},
	}
	for _, a := range list {
		operation["x-changes"] = append(openapi.List(operation["x-changes"]), changeOf(a.Version, a.Change, a.Text))
		if a.Document != nil {
			a.Document(o)
			l.takeAllBack()
		}
	}
	if len(responses) > 0 {
		operation["responses"] = responses
	}
	return gone
}

// parameters lowers the parameters of an operation in the query or the header. A list of
// parameters is made into the schema of an object, whose edits are then those of bodies, and
// back into a list. It returns the rest of gone, which no edit of the type brings back.
func (l *lowering) parameters(pointer string, operation map[string]any, in string, t reflect.Type,
	gone []parameterEdit) (others []parameterEdit) {
	lacked := l.edits.Lacked(t)
	if !l.changes(t) {
		return gone
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
		// A named type may be described in another way, wherever it is.
		if i := shape.Find(members, name); given["in"] == in && given["schema"] != nil && i >= 0 && l.changes(members[i].Typ) {
			given = maps.Clone(given)
			given["schema"] = l.schema(given["schema"], members[i].Typ, pointer+"/parameters")
			l.takeAllBack()
			each = given
		}
		// A parameter that the struct lacks is read by other code, such as a middleware, and stays.
		isRead := slices.ContainsFunc(lacked, func(p edits.Placed) bool { return slices.Contains(p.Needs, name) })
		if given["in"] != in || !isRead {
			made = append(made, each)
			continue
		}
		o.Properties[name] = &openapi.Property{Schema: schemaIn(given), Required: given["required"] == true,
			Parameter: given}
	}
	all := slices.Clone(lacked)
	for _, e := range slices.Backward(gone) {
		if !e.follow(&all, in) {
			others = slices.Insert(others, 0, e)
		}
	}
	l.takeBack(o, all, t, in+" parameter", pointer+"/parameters")
	for _, name := range slices.Sorted(maps.Keys(o.Properties)) {
		p := o.Properties[name]
		parameter := maps.Clone(p.Parameter)
		stays := reflect.DeepEqual(p.Schema, schemaIn(parameter)) // no edit has opened it
		switch {
		case parameter == nil: // only older versions have it
			parameter = map[string]any{"in": in, "schema": p.Schema}
		case parameter["schema"] == nil && parameter["content"] == nil: // and describe it
			parameter["schema"] = p.Schema
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
	if operation["parameters"] = made; len(made) == 0 {
		delete(operation, "parameters")
	}
	if len(lacked) > 0 {
		operation["x-changes"] = append(openapi.List(operation["x-changes"]), changesOf(lacked)...)
	}
	return others
}

// parameterEdit is how a parameter was described.
type parameterEdit struct {
	in, name string
	patch    map[string]any // of the parameter
}

// describe describes a parameter of the newest document, and moves it into the operation. It reports whether it is there.
func (l *lowering) describe(pointer string, operation map[string]any, e parameterEdit) bool {
	l.inherit(pointer)
	named := map[string]any{"in": e.in, "name": e.name}
	list := slices.Clone(openapi.List(operation["parameters"]))
	at := slices.IndexFunc(list, func(each any) bool { return isSameParameter(openapi.Map(l.Resolve(each)), named) })
	if at < 0 {
		return false
	}
	given := openapi.Map(l.Resolve(list[at]))
	schema, changes := openapi.Map(given["schema"]), openapi.Map(e.patch["schema"])
	switch {
	case changes["$ref"] != nil: // it is described whole
		given = openapi.Merged(given, map[string]any{"schema": nil})
	case schema["$ref"] != nil && changes != nil: // the component stays for other places
		own, nullable, err := l.Owned(schema)
		l.note(err)
		given = openapi.Merged(given, map[string]any{"schema": nil})
		given["schema"] = l.Nullable(own, nullable)
	}
	list[at] = openapi.Merged(given, e.patch)
	operation["parameters"] = list
	return true
}

// follow adds the description of a parameter behind the edit that brings it back, so that older edits apply to both. It
// reports whether there is one.
func (e parameterEdit) follow(all *[]edits.Placed, in string) bool {
	name := ""
	at := slices.IndexFunc(*all, func(p edits.Placed) bool {
		i := slices.IndexFunc(p.Lacks, func(other string) bool {
			return other == e.name || in == "header" && strings.EqualFold(other, e.name)
		})
		if i >= 0 {
			name = p.Lacks[i]
		}
		return i >= 0
	})
	if e.in != in || at < 0 {
		return false
	}
	*all = slices.Insert(*all, at+1, edits.Placed{Edit: edits.Edit{Document: func(o *openapi.Object) {
		p, patch := o.Properties[name], maps.Clone(e.patch)
		if schema := openapi.Map(patch["schema"]); schema != nil {
			p.Schema = o.Described(p.Schema, schema)
		}
		if required, ok := patch["required"]; ok {
			p.Required = required == true
		}
		delete(patch, "schema")
		if p.Parameter == nil {
			p.Parameter = map[string]any{"in": in}
		}
		p.Parameter = openapi.Merged(p.Parameter, patch)
	}}})
	return true
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
