package documents

import (
	"maps"
	"reflect"
	"slices"

	"github.com/goverso/verso/migrate/internal/jsontext"
	"github.com/goverso/verso/migrate/internal/message"
	"github.com/goverso/verso/migrate/internal/openapi"
	"github.com/goverso/verso/migrate/internal/shape"
)

// lowerWebhooks lowers the webhooks that the history declares, and takes out those that the version
// does not have. It returns the JSON pointers of their operations.
func (l *lowering) lowerWebhooks(sent []Webhook) (pointers []string) {
	for _, key := range openapi.WebhookKeys {
		entries := openapi.Map(l.Root[key])
		for _, w := range sent {
			item := maps.Clone(openapi.Map(l.Resolve(entries[w.Name])))
			if !w.Has {
				delete(entries, w.Name)
				continue
			}
			if l.edits.Index == 0 || !l.changes(w.Type) {
				continue
			}
			for _, method := range slices.Sorted(maps.Keys(item)) {
				operation := maps.Clone(openapi.Map(item[method]))
				body, pointer := operation["requestBody"], "/"+key+"/"+jsontext.EscapePointer.Replace(w.Name)+"/"+method
				media := openapi.Map(openapi.Map(openapi.Map(l.Resolve(body))["content"])["application/json"])
				isPart := !l.describes(media["schema"], w.Type, 0) && l.describes(media["schema"], w.Type, 4)
				if body == nil || isPart { // in an envelope, which no type describes
					continue
				}
				operation["requestBody"] = l.body(body, "requestBodies", pointer+"/requestBody",
					func(mediaType string) ([]reflect.Type, bool) {
						if message.IsJSON(mediaType) || message.IsRange(mediaType) {
							return []reflect.Type{w.Type}, true
						}
						return nil, true
					})
				entries[w.Name], l.Operations[pointer] = item, operation
				pointers = append(pointers, pointer)
			}
		}
		if entries != nil && len(entries) == 0 {
			delete(l.Root, key)
		}
	}
	return pointers
}

// findWebhook remembers which component describes each type of a webhook, as find does for a route.
func (l *lowering) findWebhook(w Webhook) {
	for _, key := range openapi.WebhookKeys {
		for _, operation := range openapi.Map(l.Resolve(openapi.Map(l.Root[key])[w.Name])) {
			content := openapi.Map(openapi.Map(l.Resolve(openapi.Map(operation)["requestBody"]))["content"])
			for _, media := range content {
				if schema := openapi.Map(media)["schema"]; l.describes(schema, w.Type, 0) {
					l.collect(schema, w.Type)
				}
			}
		}
	}
}

// describes reports whether a schema, or a part at most some levels below it, has all members
// that a struct, or a list of it, always has.
func (l *lowering) describes(schema any, t reflect.Type, below int) bool {
	own, _, _ := l.Owned(schema)
	in := shape.Deref(t)
	for ; in.Kind() == reflect.Slice; in = shape.Deref(in.Elem()) {
		own, _, _ = l.Owned(own["items"])
	}
	properties := openapi.Map(own["properties"])
	if !slices.ContainsFunc(shape.MembersOf(in),
		func(m shape.Member) bool { return !m.Optional && properties[m.Name] == nil }) {
		return true
	}
	s := openapi.Map(l.Resolve(schema))
	parts := slices.Concat([]any{s["items"]}, slices.Collect(maps.Values(openapi.Map(s["properties"]))),
		openapi.List(s["allOf"]),
		openapi.List(s["oneOf"]), openapi.List(s["anyOf"]))
	return below > 0 && slices.ContainsFunc(parts, func(part any) bool {
		return part != nil && l.describes(part, t, below-1)
	})
}

// Webhook is what a service sends.
type Webhook struct {
	Name string
	Type reflect.Type
	Has  bool // the version has it
}
