package migrate

import (
	"maps"
	"reflect"
	"slices"

	verso "github.com/goverso/verso/core"
)

// webhookKeys are where documents have webhooks: of OpenAPI 3.1, and of 3.0 as Redoc has it.
var webhookKeys = []string{"webhooks", "x-webhooks"}

// Webhooks returns the names of what the history of the route sends in a version: see [Sends].
func (r *Route) Webhooks(version string) (names []string) {
	for _, w := range r.history.sentIn(verso.V(version)) {
		names = append(names, w.name)
	}
	return names
}

// webhooks lowers the webhooks that the history declares, and takes out those that the version
// does not have. It returns the JSON pointers of their operations.
func (l *documentLowering) webhooks(h *History) (pointers []string, err error) {
	for _, key := range webhookKeys {
		entries := anyMap(l.document[key])
		for _, w := range h.sends() {
			item := maps.Clone(anyMap(l.resolve(entries[w.name])))
			switch {
			case item == nil:
				continue
			case !w.sent.In(verso.V(l.version)):
				delete(entries, w.name)
				continue
			case l.index == 0 || !l.changes(w.typ):
				continue
			}
			for _, method := range slices.Sorted(maps.Keys(item)) {
				operation := maps.Clone(anyMap(item[method]))
				body, pointer := operation["requestBody"], "/"+key+"/"+escapePointer.Replace(w.name)+"/"+method
				if body == nil || l.isEnvelope(body, w.typ) {
					continue
				}
				operation["requestBody"], err = l.body(body, "requestBodies", pointer+"/requestBody", func(mediaType string) (reflect.Type, bool) {
					if isJSON(mediaType) || isRange(mediaType) {
						return w.typ, true
					}
					return nil, true
				})
				if err != nil {
					return nil, err
				}
				entries[w.name], l.operations[pointer] = item, operation
				pointers = append(pointers, pointer)
			}
		}
		if entries != nil && len(entries) == 0 {
			delete(l.document, key)
		}
	}
	return pointers, nil
}

// isEnvelope reports whether a body has a type inside of its schema only: the service puts the
// data into an envelope, which no type of the history describes.
func (l *documentLowering) isEnvelope(body any, t reflect.Type) bool {
	for mediaType, media := range anyMap(anyMap(l.resolve(body))["content"]) {
		if schema := anyMap(media)["schema"]; isJSON(mediaType) && !l.describes(schema, t) && l.describesInside(schema, t, 0) {
			return true
		}
	}
	return false
}

// describes reports whether a schema has what a type always has.
func (l *documentLowering) describes(schema any, t reflect.Type) bool {
	own, _, err := l.owned(schema)
	if t = deref(t); err != nil || own == nil {
		return false
	}
	switch t.Kind() {
	case reflect.Slice, reflect.Array:
		return l.describes(own["items"], t.Elem())
	case reflect.Map:
		return l.describes(own["additionalProperties"], t.Elem())
	}
	properties, members := anyMap(own["properties"]), membersOf(t)
	has := func(m member) bool { return properties[m.name] != nil }
	return slices.ContainsFunc(members, has) && !slices.ContainsFunc(members, func(m member) bool { return !m.optional && !has(m) })
}

// describesInside reports whether a part of a schema describes a type. Envelopes are not deep.
func (l *documentLowering) describesInside(schema any, t reflect.Type, depth int) bool {
	s := anyMap(l.resolve(schema))
	parts := slices.Collect(maps.Values(anyMap(s["properties"])))
	for _, keyword := range []string{"allOf", "oneOf", "anyOf"} {
		parts = append(parts, anyList(s[keyword])...)
	}
	return depth < 4 && slices.ContainsFunc(append(parts, s["items"]), func(part any) bool {
		return l.describes(part, t) || l.describesInside(part, t, depth+1)
	})
}

// visitWebhooks visits the operations of webhooks that have the newest form.
func (c *documentCopies) visitWebhooks(visit func(key string, value any)) {
	for _, key := range webhookKeys {
		for name, item := range anyMap(c.document[key]) {
			for method, each := range anyMap(item) {
				if c.operations["/"+key+"/"+escapePointer.Replace(name)+"/"+method] == nil {
					visit(method, each)
				}
			}
		}
	}
}
