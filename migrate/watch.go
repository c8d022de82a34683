package migrate

import (
	"fmt"
	"maps"
	"math"
	"net/http"
	"reflect"
	"slices"
	"strings"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate/internal/exchange"
	"github.com/goverso/verso/migrate/internal/guard"
	"github.com/goverso/verso/migrate/internal/message"
	"github.com/goverso/verso/migrate/internal/rewrite"
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

// report gives a response to the test that watches. The body is compared only if there may be
// one.
func (r *Route) report(v verso.Version, method string, status int, contentType string, f message.Fields, body []byte) {
	// In production, no test watches: all that a response costs is this look.
	report := r.history.watch.Load()
	if report == nil || r.history.schemas(v) == nil {
		return
	}
	// A version without a schema is not of the history, and has no contract.
	a := watch.Answer{Route: r, Version: v, Method: method, Status: status, Fields: r.sentFields(v, f)}
	if method != http.MethodHead && len(body) > 0 && !message.IsBodyless(status) {
		a.Mistakes = guard.Mistakes(&r.bodies.Bodies, r.history.schemas(v).edits, status, message.MediaType(contentType), body)
	}
	(*report)(a)
}

// sentFields reports which of the fields that ResponseHeader declares a response has.
func (r *Route) sentFields(v verso.Version, f message.Fields) map[string]bool {
	sent, edits := map[string]bool{}, r.history.revisions.answersIn(r.bodies, r.history.index[v])
	for _, a := range r.bodies.answers {
		// The newest version does not have a name renamed again.
		if a.Part != "header" || slices.ContainsFunc(r.bodies.answers,
			func(other answer) bool { return other.Part == a.Part && other.Was == a.Is }) {
			continue
		}
		name := a.Is
		for _, e := range edits {
			if e.Part == a.Part && e.Is == name {
				name = e.Was
			}
		}
		sent[a.Is] = f.Lines(name) != nil
	}
	return sent
}

// edition returns the edition of a version, nil if nothing is to be done, what looks at the response
// of a request, nil if nothing does, and how much of the body that needs.
func (r *Route) edition(v verso.Version, method string) (e *exchange.Edition, look exchange.Report, most int) {
	e = r.versions[v]
	isWatched, isDue := r.history.watch.Load() != nil, e.IsDue()
	switch {
	case isWatched:
		most = math.MaxInt
	case isDue:
		most = rewrite.MaxBuffered
	case e != nil && e.IsBare:
		return nil, nil, 0
	default:
		return e, nil, 0
	}
	if e == nil { // a response of another version may be looked at
		e = r.shared.Bare(v.String())
	}
	return e, func(e *exchange.Edition, status int, written string, f message.Fields, body []byte) {
		if isWatched {
			r.report(v, method, e.StatusOf(status), written, f, body)
		}
		if isDue && len(body) <= rewrite.MaxBuffered {
			e.Look(written, body)
		}
	}, most
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
	say("query", b.Query)
	say("header", b.Header)
	say("form", b.Form)
	for _, name := range slices.Sorted(maps.Keys(b.Events)) {
		say(fmt.Sprintf("event %q", name), b.Events[name])
	}
	for _, mediaType := range slices.Sorted(maps.Keys(b.Fails)) {
		say("fails "+mediaType, b.Fails[mediaType])
	}
	for name, data := range b.Passing {
		parts = append(parts, fmt.Sprintf("passes event %q %q", name, data))
	}
	for f := range b.Is {
		parts = append(parts, strings.TrimSpace(f.What+" "+f.MediaType))
	}
	for _, a := range r.history.revisions.answersIn(b, s.edits.Index) {
		parts = append(parts, a.String())
	}
	if slices.Sort(parts); len(parts) == 0 {
		return "nothing"
	}
	return strings.Join(parts, "; ")
}
