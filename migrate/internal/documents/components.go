package documents

import (
	"reflect"

	"github.com/goverso/verso/migrate/internal/edits"
	"github.com/goverso/verso/migrate/internal/openapi"
	"github.com/goverso/verso/migrate/internal/shape"
)

// collect notes the components of a type and of those in it. A type that two components describe
// has none.
func (l *lowering) collect(value any, t reflect.Type) {
	t = shape.Deref(t)
	s := openapi.Map(value)
	if ref, ok := s["$ref"].(string); ok {
		key := openapi.Key{Ref: ref, Type: t}
		if l.collected[key] {
			return
		}
		l.collected[key] = true
		l.named[ref] = l.named[ref] || isNamed(ref, t)
		if known, ok := l.components[t]; ok && known != ref {
			ref = ""
		}
		if t.Kind() == reflect.Struct && !shape.IsOpaque(t) {
			l.components[t] = ref
		}
		l.collect(l.Lookup(key.Ref), t)
		return
	}
	if shape.IsOpaque(t) || s == nil {
		return
	}
	for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
		if parts := openapi.List(s[keyword]); parts != nil && l.IsAlone(s, keyword) {
			l.collect(l.WithoutNull(parts)[0], t)
		}
		if u := l.edits.Union(t); u != nil {
			l.collectUnion(s, keyword, u)
		} else if keyword != "allOf" && t.Kind() == reflect.Struct && !l.IsAlone(s, keyword) { // no form alone is the type
			of := l.components[t]
			for _, part := range openapi.List(s[keyword]) {
				l.collect(part, t)
			}
			l.components[t] = of
		}
	}
	switch t.Kind() {
	case reflect.Slice, reflect.Array:
		l.collect(s["items"], t.Elem())
	case reflect.Map:
		l.collect(s["additionalProperties"], t.Elem())
	case reflect.Struct:
		for _, m := range l.edits.MembersOf(t) {
			l.collect(openapi.Map(s["properties"])[m.Name], m.Typ)
		}
	}
}

// collectUnion notes the components of the structs of a union.
func (l *lowering) collectUnion(s map[string]any, keyword string, u *edits.Union) {
	for _, part := range openapi.List(s[keyword]) {
		texts, _, _ := l.partTexts(part, openapi.Map(openapi.Map(s["discriminator"])["mapping"]), u)
		if len(texts) == 0 {
			continue
		}
		if t := u.TypeOf(texts[0]); t != nil {
			l.collect(part, t)
		}
	}
}
