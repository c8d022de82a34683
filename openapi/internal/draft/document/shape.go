package document

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
)

var (
	schemaType   = reflect.TypeFor[openapi3.Schema]()
	itemType     = reflect.TypeFor[openapi3.PathItem]()
	exampleType  = reflect.TypeFor[openapi3.Example]()
	headerType   = reflect.TypeFor[openapi3.Header]()
	bodyType     = reflect.TypeFor[openapi3.RequestBody]()
	responseType = reflect.TypeFor[openapi3.Response]()

	boolOr = map[reflect.Type]reflect.Type{ // what may be true or false instead
		reflect.TypeFor[openapi3.AdditionalProperties](): schemaType,
		reflect.TypeFor[openapi3.BoolSchema]():           schemaType,
		reflect.TypeFor[openapi3.ExclusiveBound]():       reflect.TypeFor[float64](),
	}
	mayExtend = map[reflect.Type]bool{itemType: true, responseType: true} // whose objects have extensions beside them
	inSchema  = fieldsOf(schemaType)
	sections  = map[reflect.Type]string{} // of components, by what is in them
)

func init() {
	for name, t := range fieldsOf(reflect.TypeFor[openapi3.Components]()) {
		if t.Kind() == reflect.Map {
			sections[valueOf(t.Elem())] = name
		}
	}
}

// fieldsOf returns the types of the members of an object that package openapi3 reads.
func fieldsOf(t reflect.Type) map[string]reflect.Type {
	if known, ok := knownFields.Load(t); ok {
		return known.(map[string]reflect.Type)
	}
	all := map[string]reflect.Type{}
	for _, f := range reflect.VisibleFields(t) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "-" && name != "" {
			all[name] = f.Type
		}
	}
	knownFields.Store(t, all)
	return all
}

var knownFields sync.Map // of fieldsOf

// valueOf returns what a type points to, or what one like [openapi3.SchemaRef] refers to.
func valueOf(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == reflect.TypeFor[openapi3.MappingRef]() {
		return reflect.TypeFor[string]()
	}
	if t.Kind() == reflect.Struct {
		if value, is := t.FieldByName("Value"); is && strings.HasSuffix(t.Name(), "Ref") {
			return valueOf(value.Type)
		}
		if m, is := t.FieldByName("m"); is { // such as openapi3.Paths
			return m.Type
		}
	}
	return t
}

// shaped returns v as the loader reads it into a t, or nil. What has another form is left out, and noted.
func (d *Document) shaped(v any, t reflect.Type, place string) any {
	t = valueOf(t)
	m, isObject := v.(Object)
	_, isBool := v.(bool)
	switch {
	case v == nil && t != schemaType || t.Kind() == reflect.Interface || boolOr[t] != nil && isBool:
		return v
	case t == schemaType && !isObject:
		if !isBool {
			d.note(place, "this is not a schema, and read as an empty one")
		}
		return Object{}
	case boolOr[t] != nil:
		return d.shaped(v, boolOr[t], place)
	case t == reflect.TypeFor[openapi3.Types]() && Str(v) != "":
		return v
	case isObject && Str(m["$ref"]) != "" && t != schemaType && hasMembers(t):
		return d.referred(m, t, place)
	}
	var what string
	switch l, isList := v.([]any); t.Kind() {
	case reflect.String:
		if _, isNumber := v.(json.Number); isNumber || isBool {
			return fmt.Sprint(v)
		}
		if _, isText := v.(string); isText {
			return v
		}
		what = "a text"
	case reflect.Bool:
		if isBool || v == "true" || v == "false" {
			return isBool && v.(bool) || v == "true"
		}
		what = "true or false"
	case reflect.Slice:
		if isList {
			return d.shapedList(l, t.Elem(), place)
		}
		what = "a list"
	case reflect.Map, reflect.Struct:
		if isObject {
			return d.shapedObject(m, t, place)
		}
		what = "an object"
	default:
		if n, isNumber := v.(json.Number); isNumber && fits(n, t) {
			return v
		}
		what = "a number"
		if t.Kind() == reflect.Uint64 {
			what = "a count"
		}
	}
	d.note(place, "this is not %s, and left out", what)
	return nil
}

// hasMembers reports whether a t is an object of objects.
func hasMembers(t reflect.Type) bool {
	return t.Kind() == reflect.Struct || t.Kind() == reflect.Map && hasMembers(valueOf(t.Elem()))
}

// fits reports whether a number can be read into a t.
func fits(n json.Number, t reflect.Type) bool {
	return json.Unmarshal([]byte(n), reflect.New(t).Interface()) == nil
}

// referred returns what a reference leads to, if the loader does not read it as a t there.
func (d *Document) referred(m Object, t reflect.Type, place string) any {
	ref, section := Str(m["$ref"]), sections[t]
	isBody := t == bodyType || t == responseType
	if name, in := strings.CutPrefix(ref, "#/components/"+section+"/"); in && section != "" && !strings.Contains(name, "/") {
		if d.at(ref) == nil {
			d.emptyTarget(ref, place)
		}
		return m
	}
	target := Obj(d.at(ref))
	made := Object{}
	switch {
	case target == nil && t == exampleType: // no client sees it
	case target == nil:
		d.note(place, "%s leads nowhere, and is read as empty", ref)
	case slices.Contains(d.lifting, ref):
		d.note(place, "%s leads to itself, and is read as empty", ref)
	case isBody && strings.HasPrefix(ref, SchemaRef) && target["content"] == nil:
		d.note(place, "%s is a schema, and read as application/json", ref)
		made["content"] = Object{"application/json": Object{"schema": Object{"$ref": ref}}}
	default:
		if made = Obj(Copied(target)); t == headerType { // which has these of a parameter
			delete(made, "name")
			delete(made, "in")
		}
		d.lifting = append(d.lifting, ref)
		made = Obj(d.shaped(made, t, place))
		d.lifting = d.lifting[:len(d.lifting)-1]
	}
	if t == responseType && made["description"] == nil {
		made["description"] = ""
	}
	return made
}

func (d *Document) shapedList(l []any, t reflect.Type, place string) []any {
	all := make([]any, 0, len(l))
	for i, v := range l {
		if v = d.shaped(v, t, fmt.Sprint(place, "/", i)); v != nil || t.Kind() == reflect.Interface {
			all = append(all, v)
		}
	}
	return all
}

func (d *Document) shapedObject(m Object, t reflect.Type, place string) Object {
	var fields map[string]reflect.Type
	if t.Kind() == reflect.Struct {
		fields = fieldsOf(t)
	}
	for _, k := range Names(m) {
		member := fields[k]
		switch {
		case k == "$ref" && fields != nil && Str(m[k]) == "":
			d.note(place, "$ref is not a text, and left out")
			delete(m, k)
		case k == "x-webhooks":
			member = fields["webhooks"]
		case fields == nil && (!strings.HasPrefix(k, "x-") || !mayExtend[valueOf(t.Elem())]):
			member = t.Elem()
		}
		if member == nil {
			continue
		}
		if v := d.shaped(m[k], member, place+"/"+escape.Replace(k)); v != nil || member.Kind() == reflect.Interface {
			m[k] = v
		} else {
			delete(m, k)
		}
	}
	return m
}
