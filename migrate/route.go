package migrate

import (
	"fmt"
	"net/http"
	"reflect"
	"strings"

	verso "github.com/goverso/verso/core"
)

// Route rewrites the bodies of a route. The Rewrite of an adapter takes it.
type Route struct {
	versions map[verso.Version]*edition // those with something to rewrite
}

var _ verso.Rewriter = (*Route)(nil)

// Body says what a route reads or writes, or how: see [History.Route].
type Body func(*bodies)

type bodies struct {
	accepts, returns  reflect.Type
	fails             map[string]reflect.Type // by media type
	anyType, replaces bool
}

// Accepts says that the body of a request is a T.
func Accepts[T any]() Body { return func(b *bodies) { b.accepts = reflect.TypeFor[T]() } }

// Returns says that the body of a response below status 400 is a T, if it is JSON.
func Returns[T any]() Body { return func(b *bodies) { b.returns = reflect.TypeFor[T]() } }

// Fails says that the body of a response from status 400 with a media type, such as
// [verso.ProblemType], is a T.
func Fails[T any](mediaType string) Body {
	return func(b *bodies) { b.fails[strings.ToLower(mediaType)] = reflect.TypeFor[T]() }
}

// AnyType says that the body of a request is JSON whatever its Content-Type says.
// Without it another one than JSON is refused with status 415.
func AnyType() Body { return func(b *bodies) { b.anyType = true } }

// Replaces says that a PUT sets what its body does not have to the default of
// [Added], as a POST does.
func Replaces() Body { return func(b *bodies) { b.replaces = true } }

// Route returns what rewrites the bodies of a route. Without a body it rewrites none:
// the route is the same in all versions. It panics if the edits of a type cannot be
// found: it is embedded, or known only as any.
func (h *History) Route(list ...Body) *Route {
	b := &bodies{fails: map[string]reflect.Type{}}
	for _, body := range list {
		body(b)
	}
	h.mustKnow(b.accepts, b.returns)
	if b.accepts != nil {
		h.mustLift(b.accepts)
	}
	for _, t := range b.fails {
		h.mustKnow(t)
	}
	route := &Route{versions: map[verso.Version]*edition{}}
	for index, r := range h.revisions[1:] {
		if e := h.edition(b, index+1, r.name); e != nil {
			route.versions[verso.V(r.name)] = e
		}
	}
	return route
}

// mustKnow remembers the types of bodies, and panics if edits could be missed in one.
func (h *History) mustKnow(types ...reflect.Type) {
	for _, t := range types {
		if t == nil {
			continue
		}
		isAny := false
		walk(t, func(t reflect.Type) { isAny = isAny || t.Kind() == reflect.Interface })
		if isAny && !editedTypes(h.edits.has).within(t) {
			panic(fmt.Errorf("migrate: %s has no edits, but a part of it is any, whose type is not known: name the type, or leave the body out of Route", nameOf(deref(t))))
		}
		h.mu.Lock()
		h.bodies = append(h.bodies, t)
		h.mu.Unlock()
	}
}

// mustLift panics if requests of a type cannot be lifted.
func (h *History) mustLift(t reflect.Type) {
	walk(t, func(t reflect.Type) {
		if r := h.edits.reshaped(t); r != nil && r.up == nil {
			panic(fmt.Errorf("migrate: %s is accepted, but its Reshaped has no function for requests: give it one", nameOf(t)))
		}
	})
}

// edition is a route in a version. Its plans are nil where nothing is to be done.
type edition struct {
	name    string
	anyType bool
	up      map[string]*node // by method, "" for others
	down    *lowering
	fails   map[string]*lowering // by media type
}

// lowering is how the body of a response is rewritten.
type lowering struct {
	plan      *node
	mediaType string // "" if it stays
}

func (h *History) edition(b *bodies, index int, name string) *edition {
	put := replace
	if b.replaces {
		put = create
	}
	e := &edition{name: name, anyType: b.anyType, up: map[string]*node{}, fails: map[string]*lowering{}, down: h.lowering(b.returns, index)}
	if b.accepts != nil {
		for method, d := range map[string]direction{"": create, http.MethodPut: put, http.MethodPatch: modify} {
			if n := verso.Must(h.plan(b.accepts, index, d)); !n.same {
				e.up[method] = n
			}
		}
	}
	for mediaType, t := range b.fails {
		if l := h.lowering(t, index); l != nil {
			e.fails[mediaType] = l
		}
	}
	if len(e.up) == 0 && e.down == nil && len(e.fails) == 0 {
		return nil
	}
	return e
}

func (h *History) lowering(t reflect.Type, index int) *lowering {
	if t == nil {
		return nil
	}
	n := verso.Must(h.plan(t, index, down))
	if n.same {
		return nil
	}
	_, mediaType := (&schemas{edits: h.edits, index: index}).older(t)
	return &lowering{n, mediaType}
}

// lifting returns the plan of a request, nil for none.
func (e *edition) lifting(method string) *node {
	if method != http.MethodPut && method != http.MethodPatch {
		method = ""
	}
	return e.up[method]
}

// lowering returns how a response is rewritten, nil for not at all. certain is false
// if that depends on how its body begins.
func (e *edition) lowering(status int, contentType string) (l *lowering, certain bool) {
	if status >= 400 {
		return e.fails[mediaTypeOf(contentType)], true
	}
	if e.down == nil || status == http.StatusNoContent || status == http.StatusNotModified || contentType != "" && !isJSON(contentType) && !isLines(contentType) {
		return nil, true
	}
	return e.down, contentType != ""
}
