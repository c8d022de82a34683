package migrate

import (
	"errors"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate/internal/declared"
	"github.com/goverso/verso/migrate/internal/edits"
	"github.com/goverso/verso/migrate/internal/exchange"
	"github.com/goverso/verso/migrate/internal/shape"
)

// Route rewrites the bodies of a route. [History.Route] returns one, and the Rewrite of an
// adapter takes it; the zero Route is not valid.
type Route struct {
	versions map[verso.Version]*exchange.Edition // those with something to rewrite, or to look at
	history  *History
	bodies   *bodies
	shared   *exchange.Route
}

var _ verso.BinderRewriter = (*Route)(nil)

// Body declares what a route reads or writes, or how: see [History.Route]. It is a function so
// that its kinds need no common interface, and so that a route reads as a list of declarations.
type Body func(*bodies)

// bodies are the declarations of a route while they are checked.
type bodies struct {
	declared.Bodies
	isDefault bool // nothing is declared
	open      map[reflect.Type][]string
	opaque    map[reflect.Type]bool // in all routes
	answers   []answer
	mistakes  edits.Mistakes
}

func newBodies(opaque map[reflect.Type]bool) *bodies {
	return &bodies{open: map[reflect.Type][]string{}, opaque: opaque, Bodies: declared.Bodies{
		Fails: map[string]reflect.Type{}, Events: map[string]reflect.Type{}, Is: map[declared.Flag]bool{}, Passing: declared.Passing{},
		Unlike: map[reflect.Type]bool{}}}
}

// Accepts declares that the body of a request is a T.
func Accepts[T any]() Body { return func(b *bodies) { b.Accepts = reflect.TypeFor[T]() } }

// Returns declares that the body of a response below status 400 is a T: as JSON, as
// JSON values one a line, or as the data of server-sent events. In a version with edits
// of T, a response of another kind, such as a list, and an object without any member of
// a T are answered with status 500. Members that a T does not have pass as they are.
func Returns[T any]() Body { return func(b *bodies) { b.Returns = reflect.TypeFor[T]() } }

// Fails declares that the body of a response from status 400 with a media type, such
// as [verso.ProblemType], is a T.
func Fails[T any](mediaType string) Body {
	return func(b *bodies) { b.Fails[strings.ToLower(mediaType)] = reflect.TypeFor[T]() }
}

// Event declares that the data of a server-sent event with a name is a T. [Returns]
// declares it for events with other names, and without one. Data that is not a T, or is not
// JSON, fails unless [PassesEvent] declares it.
func Event[T any](name string) Body {
	return func(b *bodies) { b.Events[name] = reflect.TypeFor[T]() }
}

// Lines declares that responses of a media type, such as "application/json", are JSON values one
// after the other, each a T of [Returns]. Without it those of application/jsonl, ndjson, json-seq
// (RFC 7464), stream+json and their variants are.
func Lines(mediaType string) Body {
	return func(b *bodies) { b.Is[declared.LinesOf(strings.ToLower(mediaType))] = true }
}

// Passes declares that responses of a media type, such as "text/csv", are the same in
// all versions. Without it they are answered with status 500 in a version with edits.
func Passes(mediaType string) Body {
	return func(b *bodies) { b.Is[declared.Passes(strings.ToLower(mediaType))] = true }
}

// PassesEvent declares that the server-sent events of a name, "" for those without one, are
// the same in all versions: all of them, or only those with the given data, such as
// "[DONE]".
func PassesEvent(name string, data ...string) Body {
	return func(b *bodies) { b.Passing[name] = append(b.Passing[name], data...) }
}

// Open declares that members of a T hold the same JSON in all versions. It is for members
// whose type is any, another interface, or a type that marshals itself: edits cannot reach
// what is in them. Without a member it is for objects that have the members of a T, and are none.
func Open[T any](members ...string) Body {
	if len(members) == 0 {
		return func(b *bodies) { b.Unlike[reflect.TypeFor[T]()] = true }
	}
	return func(b *bodies) { b.open[reflect.TypeFor[T]()] = append(b.open[reflect.TypeFor[T]()], members...) }
}

// AnyType declares that the body of a request is JSON, whatever its Content-Type
// is. Without it another one than JSON is refused with status 415.
func AnyType() Body { return func(b *bodies) { b.Is[declared.AnyType] = true } }

// Replaces lets a PUT set what its body does not have to the default of
// [Added], as a POST does.
func Replaces() Body { return func(b *bodies) { b.Is[declared.Replaces] = true } }

// Route returns what rewrites the bodies of a route. Without a body it rewrites none:
// the route is the same in all versions. It panics with all mistakes of the declaration, such
// as a member of any type, whose edits cannot be found, without [Mapped], [Reshaped] or [Open].
func (h *History) Route(list ...Body) *Route {
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
	if err := errors.Join(b.mistakes...); err != nil {
		panic(err)
	}
	// The frozen contract has parameters among the bodies, so that a lost one is found.
	h.mu.Lock()
	h.bodies = append(h.bodies, b.Types()...)
	h.mu.Unlock()
	return h.route(b, exchange.New(&b.Bodies, asError), verso.Binder{})
}

// IsDefault implements [verso.DefaultRewriter]: it reports whether the route declares nothing.
func (r *Route) IsDefault() bool { return r.bodies.isDefault }

// ForBinder implements [verso.BinderRewriter].
func (r *Route) ForBinder(b verso.Binder) verso.Rewriter {
	if r.bodies.Query == nil && r.bodies.Form == nil && r.bodies.Header == nil {
		return r
	}
	return r.history.route(r.bodies, r.shared, b)
}

// route returns the route of bodies, which a binder reads.
func (h *History) route(b *bodies, s *exchange.Route, binder verso.Binder) *Route {
	route := &Route{history: h, bodies: b, shared: s, versions: map[verso.Version]*exchange.Edition{}}
	// The newest version has no edition: nothing stands between its requests and the handler.
	for index, r := range h.revisions[1:] {
		if e := s.Edition(h.plans, binder, index+1, r.name, h.revisions.answersIn(b, index+1)); e != nil {
			route.versions[verso.V(r.name)] = e
		}
	}
	return route
}

// Review implements [verso.Rewriter].
func (r *Route) Review(api *verso.Versioning) []verso.Finding {
	// The versions of another API may have the same names and other bodies.
	if api != r.history.api {
		return []verso.Finding{{
			Level: verso.LevelError, Code: "rewriter_of_another_api", Field: "Routes",
			Message: "the history belongs to another API: make one with New for this one, or give the adapter the versioning that New got",
		}}
	}
	// Errors come from many places that a route does not know, so an undeclared one cannot be
	// refused like another body. The developer learns of it at start.
	if b := r.bodies; len(r.versions) > 0 && (b.Accepts != nil || b.Returns != nil || len(b.Events) > 0) &&
		len(b.Fails) == 0 {
		return []verso.Finding{{
			Level: verso.LevelWarning, Code: "fails_not_declared", Field: "Routes",
			Message: "the bodies are rewritten for older versions, and the route does not declare those of errors, so they pass as they are: add Fails with their type",
		}}
	}
	return nil
}

// refuse notes a mistake of the declaration. [History.Route] panics with all of them at once.
func (b *bodies) refuse(format string, args ...any) { b.mistakes.Add("migrate: "+format, args...) }

// checkBody notes where edits could be missed in a body.
func (b *bodies) checkBody(all edits.All, t reflect.Type) {
	if t == nil {
		return
	}
	b.checkKnown(all, t, map[reflect.Type]bool{})
	if err := all.CheckUse(t); err != nil {
		b.refuse("%w", err)
	}
	all.Walk(t, func(inner reflect.Type) {
		if r := all.Reshaped(inner); r != nil && r.Up == nil && t == b.Accepts {
			b.refuse("%s is accepted, but its Reshaped has no function for requests: give it one", inner)
		}
	})
}

// checkKnown notes the parts of a type that can hold what is not known: edits of what is in
// them would be missed.
// An edit of the member itself is enough, if it maps the member: its function has the whole value.
func (b *bodies) checkKnown(all edits.All, t reflect.Type, seen map[reflect.Type]bool) {
	t = shape.ElementOf(t)
	if seen[t] {
		return
	}
	seen[t] = true
	switch {
	case b.isOpaque(t):
	case all.Union(t) != nil:
		for _, v := range all.Union(t).Variants {
			b.checkKnown(all, v.Typ, seen)
		}
	case shape.HoldsAny(t):
		b.refuse("the type of a body is %s, so edits of what is in it could be missed: name the type, or leave it out", t)
	// A function of the service has the whole value in both cases.
	case shape.IsOpaque(t), all.Reshaped(t) != nil:
	case t.Kind() == reflect.Struct:
		for _, m := range shape.MembersOf(t) {
			element := shape.ElementOf(m.Typ)
			switch {
			case slices.Contains(b.open[t], m.Name) || all.Maps(t, m.Name):
			case shape.HoldsAny(element) && !b.isOpaque(element) && all.Union(element) == nil:
				b.refuse("the member %q of %s is %s, so edits of what is in it could be missed: name its type, map it, declare the structs of an interface with OneOf, or Open[%s](%q) if it is the same in all versions", m.Name, t, m.Typ, t, m.Name)
			default:
				b.checkKnown(all, m.Typ, seen)
			}
		}
	}
}

// isOpaque reports whether a type, or what it points to, is declared with [Opaque].
func (b *bodies) isOpaque(t reflect.Type) bool { return b.opaque[shape.Pointee(t)] }

// Begin implements [verso.Rewriter]: a refused body is an [*Error]. A body of more than
// 256 KB is lifted while it is read, and the error is then one of its Read.
func (r *Route) Begin(v verso.Version, w http.ResponseWriter, request *http.Request) (verso.Rewriting, error) {
	e, report, most := r.edition(v, request.Method)
	if e == nil {
		return nil, nil
	}
	return e.Begin(w, request, report, most)
}

// BeginBuffered implements [verso.Rewriter]: a refused body is an [*Error].
func (r *Route) BeginBuffered(v verso.Version, method string,
	request verso.RequestMessage) (func(int, verso.ResponseMessage) error, error) {
	e, report, most := r.edition(v, method)
	if e == nil {
		return nil, nil
	}
	return e.BeginBuffered(method, request, report, most)
}

// LowerQuery implements [verso.Rewriter].
func (r *Route) LowerQuery(v verso.Version, query url.Values) url.Values {
	if e := r.versions[v]; e != nil {
		return e.LowerQuery(query)
	}
	return query
}
