package migrate

import (
	"errors"
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate/internal/exchange"
	"github.com/goverso/verso/migrate/internal/guard"
	"github.com/goverso/verso/migrate/internal/message"
	"github.com/goverso/verso/migrate/internal/rewrite"
	"github.com/goverso/verso/migrate/internal/watch"
)

// Route rewrites the bodies of a route. [History.Route] returns one, and the Rewrite of an
// adapter takes it; the zero Route is not valid.
type Route struct {
	versions map[verso.Version]*exchange.Edition // those with something to rewrite, or to look at
	history  *history
	bodies   *bodies
	shared   *exchange.Route
}

var _ verso.BinderRewriter = (*Route)(nil)

// Route returns what rewrites the bodies of a route. Without a body it rewrites none:
// the route is the same in all versions. It panics with all mistakes of the declaration, such
// as a member of any type, whose edits cannot be found, without [Mapped], [Reshaped] or [Open].
func (h *History) Route(list ...Body) *Route {
	if h == nil {
		panic(errors.New("migrate: the history is nil: check the error of New"))
	}
	b := newBodies(h.opaque)
	b.isDefault = len(list) == 0
	for i, body := range list {
		if body == nil {
			b.refuse("declaration %d of the route is nil: remove it", i+1)
			continue
		}
		body(b)
	}
	b.checkBody(h.edits, b.Accepts)
	for _, t := range b.Responses() {
		b.checkBody(h.edits, t)
	}
	b.checkParams(h.edits, len(h.revisions), b.Query, "query", "form")
	b.checkParams(h.edits, len(h.revisions), b.Header, "header")
	b.checkParams(h.edits, len(h.revisions), b.Form, "form")
	h.revisions.checkAnswers(b)
	h.revisions.checkStatuses(b)
	if err := errors.Join(b.mistakes...); err != nil {
		panic(err)
	}
	// The frozen contract has parameters among the bodies, so that a lost one is found.
	h.mu.Lock()
	h.add(b.Types()...)
	h.open = slices.AppendSeq(h.open, maps.Keys(b.open))
	h.mu.Unlock()
	return newRoute(&h.history, b, exchange.New(&b.Bodies, asError), verso.Binder{})
}

// IsDefault implements [verso.DefaultRewriter]: it reports whether the route declares nothing.
func (r *Route) IsDefault() bool { return r.bodies.isDefault }

// ForBinder implements [verso.BinderRewriter].
func (r *Route) ForBinder(b verso.Binder) verso.Rewriter {
	if r.bodies == nil || r.bodies.Query == nil && r.bodies.Form == nil && r.bodies.Header == nil {
		return r
	}
	return newRoute(r.history, r.bodies, r.shared, b)
}

// newRoute returns the route of bodies, which a binder reads.
func newRoute(h *history, b *bodies, s *exchange.Route, binder verso.Binder) *Route {
	route := &Route{history: h, bodies: b, shared: s, versions: map[verso.Version]*exchange.Edition{}}
	// The newest version has no edition: nothing stands between its requests and the handler.
	for index, r := range h.revisions[1:] {
		answers := sent(h.revisions.answersIn(b, index+1))
		if e := exchange.NewEdition(s, h.plans, h.forms[index+1](), binder, index+1, r.name, answers); e != nil {
			route.versions[verso.V(r.name)] = e
		}
	}
	return route
}

// Review implements [verso.Rewriter].
func (r *Route) Review(api *verso.Versioning) (found []verso.Finding) {
	// The versions of another API may have the same names and other bodies.
	if r.history == nil || api != r.history.api {
		return []verso.Finding{{
			Level: verso.LevelError, Code: "rewriter_of_another_api", Field: "Routes",
			Message: "the Route is empty, or its history belongs to another API: make it with Route of a history that New makes for this one",
		}}
	}
	// Errors come from many places that a route does not know, so an undeclared one cannot be
	// refused like another body. The developer learns of it at start.
	if b := r.bodies; len(r.versions) > 0 && (b.Accepts != nil || b.Returns != nil ||
		len(b.Events)+len(b.Statuses) > 0) &&
		len(b.Fails) == 0 {
		found = append(found, verso.Finding{
			Level: verso.LevelWarning, Code: "fails_not_declared", Field: "Routes",
			Message: "the bodies are rewritten for older versions, and the route does not declare those of errors, so they pass as they are: add Fails with their type",
		})
	}
	return found
}

// Begin implements [verso.Rewriter]: a refused body is an [*Error]. A body of more than
// 256 KB is lifted while it is read, and the error is then one of its Read.
func (r *Route) Begin(v verso.Version, w http.ResponseWriter, request *http.Request) (verso.Rewriting, error) {
	e, report, most := r.edition(v, request.Method)
	if e == nil {
		return nil, nil
	}
	return exchange.Begin(e, w, request, report, most)
}

// BeginBuffered implements [verso.Rewriter]: a refused body is an [*Error].
func (r *Route) BeginBuffered(v verso.Version, method string,
	request verso.RequestMessage) (func(int, verso.ResponseMessage) error, error) {
	e, report, most := r.edition(v, method)
	if e == nil {
		return nil, nil
	}
	return exchange.BeginBuffered(e, method, request, report, most)
}

// LowerQuery implements [verso.Rewriter].
func (r *Route) LowerQuery(v verso.Version, query url.Values) url.Values {
	if e := r.versions[v]; e != nil {
		return e.LowerQuery(query)
	}
	return query
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
		e = exchange.Bare(r.shared, v.String())
	}
	return e, func(e *exchange.Edition, status int, written string, f message.Fields, body []byte) {
		if isWatched {
			r.report(v, method, status, e.StatusOf(status), written, f, body)
		}
		if isDue && len(body) <= rewrite.MaxBuffered {
			e.Look(status, written, body)
		}
	}, most
}

// report gives a response to the test that watches, with its status in the newest version and in its own. The body is compared only if there may be
// one.
func (r *Route) report(v verso.Version, method string, newest, status int, contentType string, f message.Fields, body []byte) {
	// In production, no test watches: all that a response costs is this look.
	report := r.history.watch.Load()
	if report == nil || r.history.schemas(v) == nil {
		return
	}
	// A version without a schema is not of the history, and has no contract.
	a := watch.Answer{Route: r, Version: v, Method: method, Status: status, Fields: r.sentFields(v, f)}
	if method != http.MethodHead && len(body) > 0 && !message.IsBodyless(status) {
		a.Mistakes = guard.Mistakes(&r.bodies.Bodies, r.history.schemas(v).edits, newest,
			message.MediaType(contentType), body)
	}
	(*report)(a)
}

// sentFields reports which of the fields that ResponseHeader declares a response has.
func (r *Route) sentFields(v verso.Version, f message.Fields) map[string]bool {
	sent, edits := map[string]bool{}, r.history.revisions.answersIn(r.bodies, r.history.index[v])
	for _, a := range r.bodies.answers {
		// The newest version does not have a name renamed again.
		if !a.Renames() || slices.ContainsFunc(r.bodies.answers,
			func(other answer) bool { return other.Renames() && other.Was == a.Is }) {
			continue
		}
		name := a.Is
		for _, e := range edits {
			if e.Renames() && e.Is == name {
				name = e.Was
			}
		}
		sent[a.Is] = f.Lines(name) != nil
	}
	return sent
}
