package migrate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	verso "github.com/goverso/verso/core"
)

// LowerDocument makes the OpenAPI document of a version in place: document is decoded JSON of
// the newest version. routes are the operations of the version by their JSON pointers, such as
// "/paths/~1users/get", with their Rewriters, or nil. It changes the operations whose routes
// are of this history, and returns the rest.
//
// A schema is lowered with the edits of the Go type that the route declares for it, and its
// examples with the code that lowers responses. Extensions named x-changes list the texts of
// the changes that the version lacks. Schemas without properties stay. The error has the place
// of what cannot be lowered:
//
//   - a schema without a property that an edit needs: the document is not the newest one;
//   - a schema for two types, and one that a route without Rewrite uses, too;
//   - a schema of an edited type in several forms (oneOf, anyOf), or with conditions;
//   - links and callbacks that refer to an edited body.
func (r *Route) LowerDocument(version string, document map[string]any, routes map[string]verso.Rewriter) (rest map[string]verso.Rewriter, err error) {
	h := r.history
	index, ok := h.index[verso.V(version)]
	if !ok {
		return nil, fmt.Errorf("migrate: version %q is not in the history", version)
	}
	l := &documentLowering{
		edits: h.edits, lower: h.LowerJSON, v: verso.V(version), index: index, document: document, is30: strings.HasPrefix(fmt.Sprint(document["openapi"]), "3.0"),
		types: map[uintptr]reflect.Type{}, contents: map[uintptr]map[string]reflect.Type{}, examplesDone: map[uintptr]bool{},
	}
	for _, r := range h.revisions {
		l.names = append(l.names, r.name)
	}
	// Schemas are lowered in place and in any order, so what must stay as it was given comes from
	// a copy.
	l.newest = anyMap(cloned(document))
	rest = map[string]verso.Rewriter{}
	// A fixed order makes the same mistake of a document the same error each time.
	for _, pointer := range slices.Sorted(maps.Keys(routes)) {
		route, ok := routes[pointer].(*Route)
		if !ok || route.history != h {
			rest[pointer] = routes[pointer]
		} else if index > 0 {
			if err := l.operation(pointer, route.bodies, h.answersIn(route.bodies, index)); err != nil {
				return nil, fmt.Errorf("migrate: %w", err)
			}
		}
	}
	if index > 0 {
		// The newest form must not come back through a part that this history does not lower: a
		// component of the rest, too, may be lowered by now.
		for pointer := range rest {
			l.others = append(l.others, other{pointer, l.at(pointer)})
		}
		l.others = append(l.others, other{"/webhooks", document["webhooks"]})
		if err := l.checkOthers(); err != nil {
			return nil, fmt.Errorf("migrate: %w", err)
		}
	}
	return rest, nil
}

// documentLowering lowers a document.
type documentLowering struct {
	edits    edits
	names    []string // of the versions, the newest first
	lower    func(v verso.Version, t reflect.Type, raw []byte) ([]byte, error)
	v        verso.Version
	index    int
	document map[string]any
	newest   map[string]any // the document as it was given
	is30     bool

	// References make a document a graph. These are by identity, since a component is lowered
	// once, however many paths lead to it.
	types        map[uintptr]reflect.Type            // of the schemas that were visited
	contents     map[uintptr]map[string]reflect.Type // the types of bodies by their media types
	examplesDone map[uintptr]bool
	others       []other // parts that stay in the newest form
	alive        []map[string]any
}

// other is a part that stays in the newest form. Its place is for the error, if it refers to a
// lowered schema after all.
type other struct {
	place string
	value any
}

// identity identifies a part of the document, which several references can lead to. The part
// stays in memory, so that no later one has its address.
func (l *documentLowering) identity(part map[string]any) uintptr {
	l.alive = append(l.alive, part)
	return reflect.ValueOf(part).Pointer()
}

var unescapePointer = strings.NewReplacer("~1", "/", "~0", "~")

// anyMap returns an object of the document, nil if it is something else.
func anyMap(value any) map[string]any {
	object, _ := value.(map[string]any)
	return object
}

// anyList returns a list of the document, nil if it is something else.
func anyList(value any) []any {
	list, _ := value.([]any)
	return list
}

// at returns what a JSON pointer leads to, or nil.
func (l *documentLowering) at(pointer string) any { return at(l.document, pointer) }

func at(value any, pointer string) any {
	for token := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		value = anyMap(value)[unescapePointer.Replace(token)]
	}
	return value
}

// maxReferences bounds how many references in a row lead to another one. A document that refers
// to itself in a circle ends here, and what it leads to counts as absent.
const maxReferences = 100

// resolve follows references. It returns the place of the last one, or the given place.
func (l *documentLowering) resolve(value any, place string) (map[string]any, string) {
	return resolve(l.document, value, place)
}

// References to other files stay: only the part after #/ is in the document.
func resolve(document, value any, place string) (map[string]any, string) {
	part := anyMap(value)
	for range maxReferences {
		ref, ok := part["$ref"].(string)
		if !ok || !strings.HasPrefix(ref, "#/") {
			break
		}
		part = anyMap(at(document, ref[1:]))
		place = ref
	}
	return part, place
}

// operation lowers the bodies of an operation.
func (l *documentLowering) operation(pointer string, b *bodies, answers []answerEdit) error {
	operation := anyMap(l.at(pointer))
	body, place := l.resolve(operation["requestBody"], pointer+"/requestBody")
	// A route may take a form and JSON, each of a type of its own.
	if err := l.content(body, place, func(mediaType string) reflect.Type {
		switch {
		case b.form != nil && isForm(mediaType):
			return b.form
		case b.anyType || isJSON(mediaType):
			return b.accepts
		}
		return nil
	}); err != nil {
		return err
	}
	responses := anyMap(operation["responses"])
	for _, status := range slices.Sorted(maps.Keys(responses)) {
		response, place := l.resolve(responses[status], pointer+"/responses/"+status)
		if err := l.content(response, place, func(mediaType string) reflect.Type {
			switch t := b.fails[mediaTypeOf(mediaType)]; {
			// Texts compare well enough: a status is three digits, 4XX or default.
			case status >= "4" && t != nil: // default, too
				return t
			case status < "4" && !b.passes[mediaTypeOf(mediaType)] && isJSONResponse(mediaTypeOf(mediaType)):
				return b.returns
			}
			return nil
		}); err != nil {
			return err
		}
		// A runtime expression has a JSON pointer into a body, as text that no edit reaches.
		if links, ok := response["links"]; ok && l.changes(b.returns) && refersToBody(links) {
			return fmt.Errorf("%s/links: in %s a link refers to a body of another form: describe links in the text", place, l.v)
		}
	}
	if err := l.answer(responses, pointer+"/responses", answers); err != nil {
		return err
	}
	for in, t := range map[string]reflect.Type{"query": b.query, "header": b.header} {
		if err := l.parameters(pointer, operation, in, t); err != nil {
			return err
		}
	}
	if callbacks, ok := operation["callbacks"]; ok {
		if (l.changes(b.accepts) || l.changes(b.returns)) && refersToBody(callbacks) {
			return fmt.Errorf("%s/callbacks: in %s a callback refers to a body of another form: describe callbacks in the text", pointer, l.v)
		}
		l.others = append(l.others, other{pointer + "/callbacks", callbacks})
	}
	return nil
}

// refersToBody reports whether a runtime expression refers to a body. The text is searched as a
// whole, since expressions may be anywhere in it, also within another text.
func refersToBody(value any) bool {
	text, _ := json.Marshal(value) // it was decoded
	return bytes.Contains(text, []byte("$request.body")) || bytes.Contains(text, []byte("$response.body"))
}

// changes reports whether a type, or one below it, has edits that the version lacks. A schema
// without such a type is left as it is, in all its forms, however unusual.
func (l *documentLowering) changes(t reflect.Type) (found bool) {
	if t != nil {
		walk(t, func(t reflect.Type) { found = found || len(l.edits.after(t, l.index)) > 0 })
	}
	return found
}

// content lowers a request body or a response. Several operations can refer to it.
func (l *documentLowering) content(body map[string]any, place string, typeOf func(mediaType string) reflect.Type) error {
	content := anyMap(body["content"])
	if content == nil {
		return nil
	}
	// A component of several operations is lowered for the first. The types of the next must be
	// the same, or it would get the form of another type.
	if was, again := l.contents[l.identity(content)]; again {
		for mediaType, t := range was { // the media types that it had
			if typeOf(mediaType) != t {
				return fmt.Errorf("%s: its routes declare different types: give each route a body of its own", place)
			}
		}
		return nil
	}
	types := map[string]reflect.Type{}
	for mediaType := range content {
		types[mediaType] = typeOf(mediaType)
	}
	l.contents[l.identity(content)] = types
	for _, mediaType := range slices.Sorted(maps.Keys(types)) {
		media, t, place := anyMap(content[mediaType]), types[mediaType], place+"/content/"+mediaType
		if t == nil || media == nil {
			l.others = append(l.others, other{place, media})
			continue
		}
		if l.changes(t) {
			if err := l.examples(media, t, place); err != nil {
				return err
			}
		}
		if err := l.schema(media["schema"], t, place+"/schema"); err != nil {
			return err
		}
		// Reshaped can change the media type of an error, such as problem details.
		if _, older := l.edits.older(t, l.index); older != "" && older != mediaType {
			if content[older] != nil {
				return fmt.Errorf("%s: in %s its media type is %s, which is there already", place, l.v, older)
			}
			delete(content, mediaType)
			content[older] = media
		}
	}
	return nil
}

// examples lowers the examples of a type with the code that lowers responses.
func (l *documentLowering) examples(media map[string]any, t reflect.Type, place string) (err error) {
	if example, ok := media["example"]; ok {
		if media["example"], err = l.value(example, t, place+"/example"); err != nil {
			return err
		}
	}
	for name, each := range anyMap(media["examples"]) {
		example, place := l.resolve(each, place+"/examples/"+name)
		// An example may be a component, or lie elsewhere (externalValue).
		if _, ok := example["value"]; !ok || l.examplesDone[l.identity(example)] {
			continue
		}
		l.examplesDone[l.identity(example)] = true
		if example["value"], err = l.value(example["value"], t, place); err != nil {
			return err
		}
	}
	return nil
}

// value lowers an example. An example that the code cannot lower is an error: it is not in the
// newest form.
func (l *documentLowering) value(value any, t reflect.Type, place string) (any, error) {
	raw, err := json.Marshal(value)
	if err == nil {
		raw, err = l.lower(l.v, t, raw)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", place, err)
	}
	return decoded(raw), nil
}

// Numbers stay as they were written: 1.0 must not become 1.
func decoded(raw []byte) (value any) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	_ = d.Decode(&value) // it is JSON
	return value
}

// checkOthers fails if a part in the newest form refers to a lowered schema. A webhook can
// share a schema with a route of the history. Lowered, it would be wrong for the webhook, and a
// copy would give the component two meanings: only the author can part them.
func (l *documentLowering) checkOthers() error {
	seen := map[uintptr]bool{}
	for _, o := range l.others {
		var visit func(value any, place string) error
		visit = func(value any, place string) error {
			switch value := value.(type) {
			case []any:
				for i, each := range value {
					if err := visit(each, fmt.Sprint(place, "/", i)); err != nil {
						return err
					}
				}
			case map[string]any:
				part, place := l.resolve(value, place)
				if part == nil || seen[l.identity(part)] {
					return nil
				}
				seen[l.identity(part)] = true
				if t := l.types[l.identity(part)]; t != nil && l.changes(t) {
					return fmt.Errorf("%s: %s is the schema of %s, which has another form in %s: give this a schema of its own, or declare its type in Route", o.place, place, nameOf(t), l.v)
				}
				for _, key := range slices.Sorted(maps.Keys(part)) {
					if err := visit(part[key], place+"/"+key); err != nil {
						return err
					}
				}
			}
			return nil
		}
		if err := visit(o.value, o.place); err != nil {
			return err
		}
	}
	return nil
}

var errNotNewest = errors.New("the document is not the newest one")
