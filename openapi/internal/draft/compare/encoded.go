package compare

import (
	"slices"
	"strings"

	"github.com/goverso/verso/openapi/internal/draft/document"
)

// otherBody declares a media type of a response beside its JSON of a Go type.
func (r *routing) otherBody(status, t, mediaType string, content document.Object, was any) {
	schemaOf := func(content any) any { return document.Obj(document.Obj(content)[mediaType])["schema"] }
	schema := schemaOf(content)
	older := schema // an operation of the older document alone
	if r.s == r.b {
		older = schemaOf(r.a.Body(was))
	}
	isEncoded := t != "" && document.Compact(schema) == document.Compact(document.JSON(content))
	hasMembers := slices.Contains([]string{"object", "list", "union"}, r.s.View(schema).Kind)
	isOne := mediaType != "text/event-stream" && !strings.Contains(mediaType, "*")
	switch {
	case isEncoded && !below400(status):
		r.fail(status, t, mediaType)
	case !hasMembers || r.same(schema, older):
		r.other("Passes", mediaType, mediaType+" is the same in all versions")
	case isEncoded && older != nil && isOne && r.others[mediaType] != "Passes":
		r.other("Lines", mediaType, mediaType+" is described as JSON: write JSON of this type, and encode it in "+
			"middleware outside. If the handler encodes it, older clients get status 500")
	default:
		r.note("%s: older clients do not get %s, whose content no declaration describes", r.hint, mediaType)
	}
}

// other declares a media type once.
func (r *routing) other(function, mediaType, todo string) {
	if r.others[mediaType] == "" {
		r.declare("migrate.%s(%q)", function, mediaType).Todos = []string{todo}
		r.others[mediaType] = function
	}
}

// encodedRequests declares requests of other media types that both documents describe as their JSON of a Go type.
func (r *routing) encodedRequests(t string) {
	content, older := document.Obj(r.s.Body(r.o.Op["requestBody"])), document.Object(nil)
	if r.was != nil {
		older = document.Obj(r.a.Body(r.was.Op["requestBody"]))
	}
	schema := document.Compact(document.JSON(content))
	others := document.MediaTypes(content, func(t string) bool { return !document.IsJSON(t) })
	isOther := func(t string) bool {
		return r.s == r.b && older[t] == nil || document.Compact(document.Obj(content[t])["schema"]) != schema ||
			strings.ContainsAny(t, "*") || strings.Contains(t, "json") || slices.Contains(formTypes, t)
	}
	if len(others) > 0 && r.edited(t) && !slices.ContainsFunc(others, isOther) {
		r.declare("migrate.AnyType()").Todos = []string{strings.Join(others, " and ") + " is described as JSON: decode it " +
			"in middleware outside. Another body than JSON has status 400 for older clients, whatever its Content-Type is"}
	}
}
