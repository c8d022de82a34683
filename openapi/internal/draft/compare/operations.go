package compare

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/goverso/verso/openapi/internal/draft/document"
	"github.com/goverso/verso/openapi/internal/draft/gotype"
)

var braces = regexp.MustCompile(`\{([^}]*)\}`)

// pattern is a path with parameters whose names routers take.
func pattern(path string) string {
	return braces.ReplaceAllStringFunc(path, func(p string) string {
		return "{" + strings.Trim(regexp.MustCompile(`[^A-Za-z0-9_]+`).ReplaceAllString(p[1:len(p)-1], "_"), "_") + "}"
	})
}

// declare makes the Go types of the bodies of an operation.
func (s *side) declare(o document.Operation) {
	if schema := document.JSON(s.Body(o.Op["requestBody"])); schema != nil {
		s.typ(schema, requestName(o))
	}
	responses := document.Obj(o.Op["responses"])
	for _, status := range document.Names(responses) {
		if schema := document.JSON(s.Body(responses[status])); schema != nil {
			s.typ(schema, responseName(o, status))
		}
	}
}

// operationName is the operationId, or the method and the path.
func operationName(o document.Operation) string {
	if id := document.Str(o.Op["operationId"]); gotype.Norm(id) != "" {
		return id
	}
	return strings.ToLower(o.Method) + " " + o.Path
}

func requestName(o document.Operation) string { return operationName(o) + " request" }

// responseName is a name without the status for the only success.
func responseName(o document.Operation, status string) string {
	n := 0
	for _, other := range document.Names(document.Obj(o.Op["responses"])) {
		if below400(other) {
			n++
		}
	}
	if below400(status) && n == 1 {
		return operationName(o) + " response"
	}
	return operationName(o) + " response " + status
}

// routing drafts the bodies of a route.
type routing struct {
	*drafter
	*Route
	s        *side
	o        document.Operation
	was      *document.Operation // or nil
	hint     string
	fails    map[string]map[string]string // a media type and a status to a Go type, "" if no edit reaches it
	others   map[string]string            // a media type without JSON to the function that declares it
	accepted string                       // the Go type of JSON in requests
	returned string                       // the Go type below status 400
}

func (r *routing) declare(format string, args ...any) *Edit {
	e := &Edit{Options: []string{fmt.Sprintf(format, args...)}}
	r.Bodies = append(r.Bodies, e)
	return e
}

// typ returns the Go type of a body, or "" if no edit can reach into it.
func (r *routing) typ(schema, older any, hint string, roles document.Roles) string {
	if schema == nil {
		return ""
	}
	t, isStruct := r.s.typ(schema, hint)
	if r.s == r.b && older != nil {
		t = r.place(older, schema, hint, roles)
		isInStruct := r.Set.Is(t[strings.LastIndex(t, "]")+1:], gotype.Struct)
		x, y, _ := r.innermost(older, schema, false)
		isNoted := isJoined(x) != isJoined(y) || x.Kind == "union" || y.Kind == "union"
		if x.Kind != y.Kind && !isNoted && (!isInStruct || !r.wasMap(x, y)) {
			r.note("%s is %s now, and was %s", hint, y.Kind, x.Kind)
		}
	}
	if r.Set.Is(t, gotype.Union) {
		r.notAbsent(t)
	}
	elem := strings.TrimPrefix(t, "[]")
	value, isMap := strings.CutPrefix(t, "map[string]")
	if isMap && r.Set.Is(value, gotype.Struct) {
		return t
	}
	if strings.HasPrefix(elem, "[]") || !isStruct && !r.Set.Is(elem, gotype.Struct) && !r.Set.Is(elem, gotype.Union) {
		return ""
	}
	return t
}

func (r *routing) request() {
	var older any
	if r.was != nil {
		older = document.JSON(r.a.Body(r.was.Op["requestBody"]))
	}
	schema := document.JSON(r.s.Body(r.o.Op["requestBody"]))
	if t := r.typ(schema, older, requestName(r.o), document.Roles{Request: true}); t != "" {
		r.declare("migrate.Accepts[%s]()", t)
		r.accepted = t
		r.encodedRequests(t)
		return // which refuses patches of older clients
	}
	for _, mediaType := range document.MediaTypes(r.s.Body(r.o.Op["requestBody"]), document.IsPatch) {
		if r.was != nil {
			r.note("%s: the handler gets %s as older clients send it", r.hint, mediaType)
		}
	}
}

// olderResponses returns the responses of the older operation.
func (r *routing) olderResponses() document.Object {
	if r.was == nil {
		return nil
	}
	return document.Obj(r.was.Op["responses"])
}

func (r *routing) responses() {
	responses, olds := document.Obj(r.o.Op["responses"]), r.olderResponses()
	from, to := r.moved()
	for _, status := range document.Names(responses) {
		was := olds[status]
		if was == nil && status == to {
			was = olds[from]
		}
		r.response(status, responses[status], was)
	}
	for _, mediaType := range slices.Sorted(maps.Keys(r.fails)) {
		r.failures(mediaType)
	}
}

func (r *routing) response(status string, response, was any) {
	var older any
	if was != nil {
		older = document.JSON(r.a.Body(was))
	}
	content := document.Obj(r.s.Body(response))
	schema := document.JSON(content)
	t := r.typ(schema, older, responseName(r.o, status), document.Roles{Response: true})
	switch {
	case !below400(status):
		for _, mediaType := range document.MediaTypes(content, document.IsJSON) {
			r.fail(status, t, strings.ReplaceAll(mediaType, "*/*", "application/json"))
		}
	case t != "":
		r.success(status, t)
	}
	for _, mediaType := range document.MediaTypes(content, func(t string) bool {
		return !document.IsJSON(t) && !strings.Contains(t, "json")
	}) {
		r.otherBody(status, t, mediaType, content, was)
	}
}

// same reports whether a newer schema and an older one are of a Go type that no edit reaches.
func (r *routing) same(schema, older any) bool {
	if r.s != r.b || older == nil || document.Shape(schema) != document.Shape(older) {
		return false
	}
	t, _ := r.b.typ(schema, "")
	return !r.edited(t)
}

// edited reports whether an edit reaches a Go type, or may be needed in what no edit reaches.
func (r *routing) edited(t string) bool {
	all := slices.Concat(r.earlier, []*drafter{r.drafter})
	return slices.ContainsFunc(r.Set.Reached([]string{t}), func(name string) bool {
		return r.Set.Is(name, gotype.Raw) || slices.ContainsFunc(all, func(d *drafter) bool { return len(d.edits[name]) > 0 })
	})
}

// success declares the body of a status below 400.
func (r *routing) success(status, t string) {
	switch {
	case r.returned == "":
		r.declare("migrate.Returns[%s]()", t)
		r.returned = t
	case r.returned == t:
	case isNumber(status):
		r.declare("migrate.Returns[%s](%s)", t, status)
	default:
		r.note("%s: the response %q has another body than the first: Returns takes a number", r.hint, status)
	}
}

// fail notes the type of an error.
func (r *routing) fail(status, t, mediaType string) {
	if r.fails[mediaType] == nil {
		r.fails[mediaType] = map[string]string{}
	}
	r.fails[mediaType][status] = t
}

// failures declares the types of the errors with a media type: a type for the rest, and the statuses of each other
// type.
func (r *routing) failures(mediaType string) {
	byStatus, statuses, before := r.fails[mediaType], map[string][]string{}, len(r.Bodies)
	for _, status := range slices.Sorted(maps.Keys(byStatus)) {
		t := byStatus[status]
		statuses[t] = append(statuses[t], status)
	}
	rest := restOf(byStatus, statuses)
	for _, t := range slices.Sorted(maps.Keys(statuses)) {
		switch {
		case t == rest, t == "" && (rest == "" || !r.edited(rest)):
		case t == "":
			r.note("%s: the errors %s have a body that no edit reaches, and are lowered as %s", r.hint,
				strings.Join(statuses[t], " and "), rest)
		default:
			numbers := slices.DeleteFunc(slices.Clone(statuses[t]), func(status string) bool { return !isNumber(status) })
			if len(numbers) < len(statuses[t]) {
				r.note("%s: the errors %s have another body than the rest: Fails takes numbers", r.hint,
					strings.Join(statuses[t], " and "))
			}
			if len(numbers) > 0 {
				r.declare("migrate.Fails[%s](%q, %s)", t, mediaType, strings.Join(numbers, ", "))
			}
		}
	}
	if rest != "" {
		r.declare("migrate.Fails[%s](%q)", rest, mediaType)
	}
	if before < len(r.Bodies) && !document.IsJSON(mediaType) {
		r.Bodies[before].Todos = []string{"what is in " + mediaType + " is not lowered, only described"}
	}
}

// restOf returns the type of the errors whose status a document does not name: as the default or a range has it, or
// as most statuses do. It is "" where no edit reaches the body of some.
func restOf(byStatus map[string]string, statuses map[string][]string) (rest string) {
	for _, key := range []string{"default", "4XX", "5XX"} {
		if t, ok := byStatus[key]; ok {
			return t
		}
	}
	if statuses[""] != nil {
		return ""
	}
	for _, t := range slices.Sorted(maps.Keys(statuses)) {
		if len(statuses[t]) > len(statuses[rest]) {
			rest = t
		}
	}
	return rest
}

// below400 reports whether a status of a document is of a success.
func below400(status string) bool { return status < "4" }

// moved returns the only gone status below 400, and the only new one.
func (r *routing) moved() (from, to string) {
	if r.was == nil {
		return "", ""
	}
	isError := func(status string) bool { return !below400(status) }
	responses, olds := document.Obj(r.o.Op["responses"]), r.olderResponses()
	gone := slices.DeleteFunc(missing(olds, responses), isError)
	fresh := slices.DeleteFunc(missing(responses, olds), isError)
	if len(gone) != 1 || len(fresh) != 1 || strings.Contains(gone[0]+fresh[0], "X") {
		return "", ""
	}
	return gone[0], fresh[0]
}

// ChangeName is the Go name of the change of a version.
func ChangeName(version string) string { return "change" + gotype.Name(version) }
