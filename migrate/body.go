package migrate

import (
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/goverso/verso/migrate/internal/declared"
	"github.com/goverso/verso/migrate/internal/edits"
	"github.com/goverso/verso/migrate/internal/message"
	"github.com/goverso/verso/migrate/internal/shape"
)

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
		Fails: map[declared.Failure]reflect.Type{}, Events: map[string]reflect.Type{}, Is: map[declared.Flag]bool{},
		Statuses: map[int]reflect.Type{},
		Passing:  declared.Passing{},
		Unlike:   map[reflect.Type]bool{}}}
}

// Accepts declares that the body of a request is a T.
func Accepts[T any]() Body { return func(b *bodies) { b.Accepts = reflect.TypeFor[T]() } }

// Returns declares that the body of a response below status 400 is a T: as JSON, as
// JSON values one a line, or as the data of server-sent events. In a version with edits
// of T, a response of another kind, such as a list, and an object without any member of
// a T are answered with status 500. Members that a T does not have pass as they are.
// With statuses, it is for responses of these alone: Returns[Job](202) beside Returns[Booking](). Without one
// for the rest, a body of a status below 300 that none lists is answered with status 500.
func Returns[T any](statuses ...int) Body { return returns(reflect.TypeFor[T](), statuses) }

// returns is not generic, as fails is: the compiler makes generic code again for each T.
func returns(t reflect.Type, statuses []int) Body {
	return func(b *bodies) {
		if len(statuses) == 0 && b.Returns != nil && b.Returns != t {
			b.refuse("Returns[%s] is declared, and Returns[%s] too: give either statuses", b.Returns, t)
		}
		if len(statuses) == 0 {
			b.Returns = t
		}
		for _, status := range statuses {
			other := b.Statuses[status]
			if b.Statuses[status] = t; status < 200 || status >= http.StatusBadRequest {
				b.refuse("status %d is declared with Returns[%s]: give statuses from 200 to 399, and errors to Fails", status, t)
			} else if other != nil && other != t {
				b.refuse("status %d is declared with Returns[%s] and Returns[%s]: remove one", status, other, t)
			}
		}
	}
}

// Fails declares that the body of a response from status 400 with a media type, such
// as [verso.ProblemType], is a T. With statuses, it is for responses of these alone, as the handler
// writes them: Fails[Conflict]("application/json", 409) beside Fails[Failure]("application/json"). Without
// one for the rest, these are errors that the route does not declare.
func Fails[T any](mediaType string, statuses ...int) Body {
	return fails(reflect.TypeFor[T](), mediaType, statuses)
}

func fails(t reflect.Type, mediaType string, statuses []int) Body {
	list := statuses
	if len(list) == 0 {
		list = []int{0} // the rest
	}
	return func(b *bodies) {
		if mediaType = strings.ToLower(mediaType); message.MediaType(mediaType) != mediaType ||
			strings.Contains(mediaType, "*") {
			b.refuse("Fails[%s](%q): no response has this media type: name one, without parameters", t, mediaType)
		}
		b.checkMediaType("Fails", mediaType)
		for _, status := range list {
			f := declared.Failure{MediaType: mediaType, Status: status}
			other := b.Fails[f]
			switch b.Fails[f] = t; {
			case len(statuses) > 0 && (status < http.StatusBadRequest || status > 599):
				b.refuse("status %d is declared with Fails[%s]: give statuses from 400 to 599, and the rest to Returns",
					status, t)
			case other != nil && status == 0:
				b.refuse("Fails[%s](%q) is declared, and Fails[%s] too: remove one, or give it statuses",
					other, mediaType, t)
			case other != nil:
				b.refuse("status %d is declared with Fails[%s](%q), and with Fails[%s] too: remove one",
					status, other, mediaType, t)
			}
		}
	}
}

// checkMediaType refuses a text without a slash, such as "json".
func (b *bodies) checkMediaType(what, mediaType string) {
	if !strings.Contains(mediaType, "/") {
		b.refuse("%s(%q) is not a media type: write one, such as %q", what, mediaType, "application/json")
	}
}

// Event declares that the data of a server-sent event with a name is a T. [Returns]
// declares it for events with other names, and without one. Data that is not a T, or is not
// JSON, fails unless [PassesEvent] declares it.
func Event[T any](name string) Body {
	return func(b *bodies) { b.Events[name] = reflect.TypeFor[T]() }
}

// Lines declares that responses of a media type, such as "application/json", are JSON values one
// after the other, each a T of [Returns]. Without it those of application/jsonl, ndjson, json-seq
// (RFC 7464), stream+json and their variants are. One value is a row, too: Lines("application/jose+jwe") is for
// JSON that middleware outside seals.
func Lines(mediaType string) Body {
	return func(b *bodies) {
		b.checkMediaType("Lines", mediaType)
		b.Is[declared.LinesOf(strings.ToLower(mediaType))] = true
	}
}

// Passes declares that responses of a media type, such as "text/csv", are the same in
// all versions. Without it they are answered with status 500 in a version with edits.
// Bodies of [Fails], and other media types of [Returns], such as events, are lowered all the same.
func Passes(mediaType string) Body {
	return func(b *bodies) {
		b.checkMediaType("Passes", mediaType)
		b.Is[declared.Passes(strings.ToLower(mediaType))] = true
	}
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
	return func(b *bodies) {
		t := shape.Pointee(reflect.TypeFor[T]())
		for _, name := range members {
			if !slices.ContainsFunc(shape.MembersOf(t), func(m shape.Member) bool { return m.Name == name }) {
				b.refuse("Open[%s](%q): %s has no such member: write its name in JSON, or remove it", t, name, t)
			}
		}
		b.open[t] = append(b.open[t], members...)
	}
}

// AnyType declares that the body of a request is JSON, whatever its Content-Type is, for example where middleware
// outside has opened a sealed one. Without it another one than JSON is refused with status 415.
func AnyType() Body { return func(b *bodies) { b.Is[declared.AnyType] = true } }

// Replaces lets a PUT set what its body does not have to the default of
// [Added], as a POST does.
func Replaces() Body { return func(b *bodies) { b.Is[declared.Replaces] = true } }

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
		for _, p := range all[inner] {
			if p.NoRequests != nil && t == b.Accepts {
				b.refuse("%s is accepted, but %w", inner, p.NoRequests)
			}
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
		b.refuse("the type of a body is %s, so edits of what is in it could be missed: name the type, or leave it out",
			t)
	// A function of the service has the whole value in both cases.
	case shape.IsOpaque(t), all.Maker(t) != nil:
	case t.Kind() == reflect.Struct:
		for _, m := range all.MembersOf(t) {
			element := shape.ElementOf(m.Typ)
			switch {
			case slices.Contains(b.open[t], m.Name) || all.Maps(t, m.Name):
			case shape.HoldsAny(element) && !b.isOpaque(element) && all.Union(element) == nil:
				b.refuse(
					"the member %q of %s is %s, so edits of what is in it could be missed: name its type, map it, declare the structs of an interface with OneOf, or Open[%s](%q) if it is the same in all versions", m.Name, t, m.Typ, t, m.Name)
			default:
				b.checkKnown(all, m.Typ, seen)
			}
		}
	}
}

// isOpaque reports whether a type, or what it points to, is declared with [Opaque].
func (b *bodies) isOpaque(t reflect.Type) bool { return b.opaque[shape.Pointee(t)] }
