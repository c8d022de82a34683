package compare

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/goverso/verso/openapi/internal/draft/document"
	"github.com/goverso/verso/openapi/internal/draft/gotype"
)

// statuses drafts the statuses that came, went, or took the place of another.
func (r *routing) statuses() {
	change := ChangeName(r.b.Version)
	from, to := r.moved()
	if to != "" {
		r.declare("%s.Status(%s, %s)", change, from, to).Todos = []string{fmt.Sprintf("older clients get %s for "+
			"%s, which came as it went", from, to)}
	}
	responses, olds := document.Obj(r.o.Op["responses"]), r.olderResponses()
	for _, status := range missing(responses, olds) {
		if status == to {
			continue
		}
		number := numberOf(status)
		if number == "" {
			r.note("%s: the response %q is new, and older clients get it", r.hint, status)
			continue
		}
		e := r.declare("%s.AddedStatus(%s)", change, number)
		if below400(status) {
			e.Todos = []string{fmt.Sprintf("the status %s is new, and older clients get it: use Status to "+
				"send another", status)}
		} else {
			r.Additive = append(r.Additive, r.hint+" "+status)
		}
	}
	for _, status := range missing(olds, responses) {
		switch {
		case status == from:
		case !isNumber(status):
			r.note("%s: the response %q is gone", r.hint, status)
		default:
			arguments := append([]string{status}, r.goneBodies(status, olds[status])...)
			r.declare("%s.RemovedStatus(%s)", change, strings.Join(arguments, ", "))
		}
	}
}

// numberOf writes the key of a response as AddedStatus takes it, or returns "".
func numberOf(status string) string {
	switch {
	case isNumber(status):
		return status
	case slices.Contains([]string{"2XX", "3XX", "4XX", "5XX"}, status):
		return status[:1]
	case status == "default":
		return "0"
	}
	return ""
}

// mediaTypes drafts the JSON of another media type, and new bodies: in requests, and in responses by their statuses.
func (r *routing) mediaTypes() {
	change := ChangeName(r.b.Version)
	was, now, fresh := bodiesOf(r.a.Body(r.was.Op["requestBody"]), r.b.Body(r.o.Op["requestBody"]))
	if was != "" {
		r.declare("%s.RequestMediaType(%q, %q)", change, was, now)
	}
	for _, mediaType := range fresh {
		e := r.declare("%s.RequestMediaType(\"\", %q)", change, mediaType)
		if r.was.Op["requestBody"] == nil && r.b.Follow(r.o.Op["requestBody"])["required"] == true {
			e.Todos = []string{"requests have a body now: what do older clients mean without it?"}
		}
	}
	statuses := map[string][]string{}
	responses, olds := document.Obj(r.o.Op["responses"]), r.olderResponses()
	for _, status := range document.Names(olds) {
		was, now, fresh := bodiesOf(r.a.Body(olds[status]), r.b.Body(responses[status]))
		if was != "" {
			fresh = append(fresh, now)
		}
		for _, mediaType := range fresh {
			of := ""
			if mediaType == now {
				of = was
			}
			if key := fmt.Sprintf("%q, %q", of, mediaType); isNumber(status) {
				statuses[key] = append(statuses[key], status)
			} else {
				r.note("%s: the response %q is %s now, and was %s", r.hint, status, mediaType,
					cmp.Or(of, "another or none"))
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(statuses)) {
		r.declare("%s.MediaType(%s, %s)", change, key, strings.Join(statuses[key], ", "))
	}
}

// bodiesOf returns the media type of JSON that a content lost, and its new one, if each is alone, or "", and the other
// media types that are new.
func bodiesOf(older, newer any) (was, now string, fresh []string) {
	anyType := func(string) bool { return true }
	single := func(t string) bool { return document.IsJSON(t) && !strings.Contains(t, "*") }
	a, b := document.MediaTypes(older, anyType), document.MediaTypes(newer, anyType)
	without := func(l, other []string) []string {
		return slices.DeleteFunc(slices.Clone(l), func(t string) bool { return slices.Contains(other, t) })
	}
	gone := slices.DeleteFunc(without(a, b), func(t string) bool { return !single(t) })
	fresh = slices.DeleteFunc(without(b, a), func(t string) bool { return strings.Contains(t, "*") })
	is := slices.DeleteFunc(slices.Clone(fresh), func(t string) bool { return !single(t) })
	if len(gone) == 1 && len(is) == 1 {
		return gone[0], is[0], without(fresh, is)
	}
	return "", "", fresh
}

func isNumber(status string) bool { _, err := strconv.Atoi(status); return err == nil }

// goneBodies returns the bodies of an older response.
func (r *routing) goneBodies(status string, response any) (bodies []string) {
	content := document.Obj(r.a.Body(response))
	schema := document.JSON(content)
	if schema == nil {
		return nil
	}
	t, isStruct := r.a.typ(schema, responseName(*r.was, status))
	elem := strings.TrimPrefix(t, "[]")
	if !isStruct && !r.Set.Is(elem, gotype.Struct) && !r.Set.Is(elem, gotype.Union) {
		return nil
	}
	if below400(status) {
		return []string{fmt.Sprintf("migrate.Returns[%s]()", t)}
	}
	for _, mediaType := range document.MediaTypes(content, document.IsJSON) {
		bodies = append(bodies, fmt.Sprintf("migrate.Fails[%s](%q)", t, mediaType))
	}
	return bodies
}

// headers drafts the header fields that came or went, each with its statuses: in responses that are gone,
// or in those that stay.
func (r *routing) headers(gone bool) {
	added, removed := map[string][]string{}, map[string][]string{}
	constants := map[string]string{}
	responses, olds := document.Obj(r.o.Op["responses"]), r.olderResponses()
	from, to := r.moved()
	for _, status := range document.Names(olds) {
		at := status
		if status == from {
			at = to
		}
		if (responses[at] == nil) != gone {
			continue
		}
		was, now := document.Obj(r.a.Follow(olds[status])["headers"]), document.Obj(r.b.Follow(responses[at])["headers"])
		for _, name := range missing(now, was) {
			added[name] = append(added[name], at)
		}
		for _, name := range missing(was, now) {
			removed[name] = append(removed[name], at)
			constants[name] = r.headerZero(was[name])
		}
	}
	change := ChangeName(r.b.Version)
	for _, name := range slices.Sorted(maps.Keys(added)) {
		if statuses, ok := r.numbers(name, added[name]); ok {
			r.declare("%s.AddedResponseHeader(%q, %s)", change, name, statuses)
			r.Additive = append(r.Additive, r.hint+" "+name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(removed)) {
		if statuses, ok := r.numbers(name, removed[name]); ok {
			option := ""
			if constants[name] == `""` {
				option = ",omitempty"
			}
			r.declare("%s.RemovedResponseHeader(%q, %s, %s)", change, name+option, constants[name], statuses).Todos =
				[]string{fmt.Sprintf("the field %q is gone: which constant do older clients read? As it is, %s",
					name, constants[name])}
		}
	}
}

// numbers returns the statuses of a field as arguments.
func (r *routing) numbers(name string, statuses []string) (arguments string, ok bool) {
	var numbers []string
	for _, status := range statuses {
		if isNumber(status) {
			numbers = append(numbers, status)
		} else {
			r.note("%s: the field %s came or went in the response %q", r.hint, name, status)
		}
	}
	return strings.Join(numbers, ", "), len(numbers) > 0
}

// headerZero returns a constant for a header field.
func (r *routing) headerZero(header any) string {
	switch r.a.View(r.a.Follow(header)["schema"]).Kind {
	case "integer":
		return "0"
	case "number":
		return "0.0"
	case "boolean":
		return "false"
	}
	return `""`
}

// keywords drafts what documents alone show: keywords of the operation, and of its parameters.
func (r *routing) keywords() {
	change := ChangeName(r.b.Version)
	own := document.Object{}
	for _, k := range []string{"deprecated", "security"} {
		a, b := r.was.Op[k], r.o.Op[k]
		if document.Compact(a) != document.Compact(b) && (k != "deprecated" || (a == true) != (b == true)) {
			own[k] = a
		}
	}
	if len(own) > 0 {
		if own["security"] != nil {
			r.carrySchemes(own["security"])
		}
		r.declare("%s.Documented(`%s`)", change, raw(own))
	}
	for _, in := range []string{"path", "query", "header", "cookie"} {
		was, now := r.a.Parameters(*r.was, in), r.b.Parameters(r.o, in)
		for _, name := range slices.Sorted(maps.Keys(was)) { // an edit that brings it back cannot require it
			if now[name] == nil && in != "path" && was[name]["required"] == true && !ignoredHeader(in, name) &&
				!r.isVersion(name, r.a.Follow(was[name]["schema"])) {
				r.declare("%s.DocumentedParameter(%q, %q, `{\"required\":true}`)", change, in, name)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(now)) {
			p, q := was[r.olderName(in, name)], now[name]
			if p == nil || ignoredHeader(in, name) || r.isVersion(name, r.b.Follow(q["schema"])) {
				continue
			}
			patch := document.Object{}
			for _, k := range []string{"style", "explode", "allowReserved", "allowEmptyValue", "deprecated"} {
				if document.Compact(p[k]) != document.Compact(q[k]) {
					patch[k] = p[k]
				}
			}
			if in == "path" || in == "cookie" {
				if schema := parameterSchema(r.a.View(p["schema"]).Schema,
					r.b.View(q["schema"]).Schema); len(schema) > 0 {
					patch["schema"] = schema
				}
			} else if (p["required"] == true) != (q["required"] == true) {
				patch["required"] = p["required"] == true
			}
			if len(patch) > 0 {
				r.declare("%s.DocumentedParameter(%q, %q, `%s`)", change, in, name, raw(patch))
			}
		}
	}
}

// olderName returns the name of a path parameter in the older document, by its place.
func (r *routing) olderName(in, name string) string {
	if in != "path" {
		return name
	}
	was, now := braces.FindAllStringSubmatch(r.was.Path, -1), braces.FindAllStringSubmatch(r.o.Path, -1)
	for i := range now {
		if now[i][1] == name && i < len(was) {
			return was[i][1]
		}
	}
	return name
}

// parameterSchema returns the keywords of an older schema, also its type and its values.
func parameterSchema(x, y document.Object) document.Object {
	m := keywordsOf(x, y, false)
	for _, k := range []string{"type", "enum"} {
		if document.Compact(x[k]) != document.Compact(y[k]) {
			m[k] = x[k]
		}
	}
	return m
}

// carrySchemes copies the security schemes that only the older document has.
func (r *routing) carrySchemes(security any) {
	schemes := document.Obj(document.Obj(r.a.Root["components"])["securitySchemes"])
	for _, one := range document.List(security) {
		for name := range document.Obj(one) {
			if schemes[name] != nil {
				r.carry(document.Object{"$ref": "#/components/securitySchemes/" + name})
			}
		}
	}
}
