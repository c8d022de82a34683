package migrate

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate/internal/shape"
	"github.com/goverso/verso/migrate/internal/watch"
)

// watched is what package migratetest sees of a history, and services must not.
type watched struct{ *History }

func init() { watch.Of = func(history any) watch.History { return watched{history.(*History)} } }

// Responses calls report for each response.
func (h watched) Responses(report func(watch.Answer)) (stop func()) {
	h.watch.Store(&report)
	return func() { h.watch.CompareAndSwap(&report, nil) }
}

// Bodies describes what a route reads and writes.
func (h watched) Bodies(route verso.Rewriter, v verso.Version) string {
	if r, ok := route.(*Route); ok {
		return r.describe(v)
	}
	return "not rewritten"
}

// describe names a type, with the media type that it had.
func (s *schemas) describe(t reflect.Type) string {
	text := s.typeOf(t, "").String()
	if _, mediaType := s.edits.Form(t); mediaType != "" {
		text += " as " + mediaType
	}
	return text
}

// describe describes what the route reads and writes in a version, in one line. The line is
// frozen in the contract of the service, so its order must be the same each time.
func (r *Route) describe(v verso.Version) string {
	b, s := r.bodies, r.history.schemas(v)
	if s == nil {
		return ""
	}
	var parts []string
	say := func(what string, t reflect.Type) {
		if t != nil { // a route need not declare each kind of body
			parts = append(parts, what+" "+s.describe(t))
		}
	}
	// In a fixed order: of two types of the same name, the second has its package.
	say("accepts", b.Accepts)
	say("returns", b.Returns)
	for _, status := range slices.Sorted(maps.Keys(b.Statuses)) {
		say(fmt.Sprint("returns ", status), b.Statuses[status])
	}
	say("query", b.Query)
	say("header", b.Header)
	say("form", b.Form)
	for _, name := range slices.Sorted(maps.Keys(b.Events)) {
		say(fmt.Sprintf("event %q", name), b.Events[name])
	}
	for _, f := range b.Failures() {
		what := "fails "
		if f.Status > 0 {
			what += fmt.Sprint(f.Status, " ")
		}
		say(what+f.MediaType, b.Fails[f])
	}
	for name, data := range b.Passing {
		parts = append(parts, fmt.Sprintf("passes event %q %q", name, data))
	}
	for f := range b.Is {
		parts = append(parts, strings.TrimSpace(f.What+" "+f.MediaType))
	}
	for _, a := range r.history.revisions.answersIn(b, s.edits.Index) {
		parts = append(parts, a.Text)
	}
	if slices.Sort(parts); len(parts) == 0 {
		return "nothing"
	}
	return strings.Join(parts, "; ")
}

// Webhooks describes what is sent, by name and version.
func (h watched) Webhooks() map[string]map[string]string {
	all := map[string]map[string]string{}
	for _, w := range h.sends() {
		all[w.name] = map[string]string{}
		for _, v := range h.Versions() {
			if !w.sent.In(v) {
				continue
			}
			text := h.schemas(v).describe(w.typ)
			if strings.Contains(text, "one of ") {
				text = shape.NameOf(w.typ) + ": " + text // a union has the name of its interface in Go only
			}
			all[w.name][v.String()] = text
		}
	}
	return all
}
