package openapi

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Operation is an operation while the edits of its route are taken back, from the newest to the
// oldest. Its parts may be those of other operations, too: an edit changes copies.
type Operation struct {
	*Document
	Members   map[string]any                                   // of the operation
	Responses map[string]any                                   // by status
	SchemaOf  func(t reflect.Type, isNull bool) map[string]any // of a Go type
	Refuse    func(place, format string, args ...any)          // notes what cannot be lowered, at a place below it
	Describe  func(in, name string, patch map[string]any)      // a parameter, even if edits bring it back
}

// StatusesIn returns the keys of responses, without extensions.
func StatusesIn(responses map[string]any) []string {
	isExtension := func(status string) bool { return strings.HasPrefix(status, "x-") }
	return slices.DeleteFunc(slices.Sorted(maps.Keys(responses)), isExtension)
}

// IsSuccess reports whether a response is one below status 400. The responses of some documents
// have only a default.
func IsSuccess(responses map[string]any, status string) bool {
	return status < "4" || status == "default" && !slices.ContainsFunc(slices.Collect(maps.Keys(responses)),
		func(other string) bool { return "2" <= other && other < "4" })
}

// StatusesOf returns the keys of the responses of an edit, by their statuses. Of a range it asks for the first.
func (o *Operation) StatusesOf(has func(status int) bool, isForAll bool) (keys []string) {
	for _, key := range StatusesIn(o.Responses) {
		status, err := strconv.Atoi(strings.Replace(key, "XX", "00", 1))
		if isForAll && IsSuccess(o.Responses, key) || err == nil && has(status) {
			keys = append(keys, key)
		}
	}
	return keys
}

// Change replaces the parts under a key of a response, such as its headers, by what change makes of a copy of them.
func (o *Operation) Change(status, key string, change func(all map[string]any)) {
	o.Responses[status] = o.changed(o.Responses[status], key, change)
}

// ChangeRequest is [Operation.Change] for the request body, if there is one.
func (o *Operation) ChangeRequest(key string, change func(all map[string]any)) {
	if body, ok := o.Members["requestBody"]; ok {
		o.Members["requestBody"] = o.changed(body, key, change)
	}
}

// changed returns what is given, in place of a reference too, if change changes nothing.
func (o *Operation) changed(given any, key string, change func(all map[string]any)) any {
	made := maps.Clone(Map(o.Resolve(given)))
	all := maps.Clone(Map(made[key]))
	if all == nil {
		all = map[string]any{}
	}
	if change(all); len(all) == len(Map(made[key])) && (len(all) == 0 || reflect.DeepEqual(all, made[key])) {
		return given
	}
	if made[key] = all; len(all) == 0 {
		delete(made, key)
	}
	return made
}

// WithExamples returns a copy of a media type with other examples. One that lies elsewhere
// (externalValue) is of the newest version, and left out.
func (c *Document) WithExamples(given map[string]any, place string, lower func(value any, place string) any) map[string]any {
	made := maps.Clone(given)
	if example, ok := made["example"]; ok {
		made["example"] = lower(example, place+"/example")
	}
	examples := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(Map(made["examples"]))) {
		example := maps.Clone(Map(c.Resolve(Map(made["examples"])[name])))
		if value, ok := example["value"]; ok {
			example["value"] = lower(value, fmt.Sprint(place, "/examples/", name))
			examples[name] = example
		}
	}
	if delete(made, "examples"); len(examples) > 0 {
		made["examples"] = examples
	}
	return made
}
