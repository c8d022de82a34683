// Package declared has what a route declares: the Go types of its bodies and parameters, what passes,
// and the answers that changes have changed. It is above plans, and below guard.
package declared

import (
	"cmp"
	"maps"
	"net/http"
	"reflect"
	"slices"

	"github.com/goverso/verso/migrate/internal/message"
	"github.com/goverso/verso/migrate/internal/plans"
)

// Bodies are the types of the bodies and the parameters of a route. It has types and not plans: the
// plans depend on the version, and the frozen contract describes the types.
type Bodies struct {
	Accepts, Returns reflect.Type
	Fails            map[string]reflect.Type // by media type
	Statuses         map[int]reflect.Type    // of responses below 400 that are not of Returns
	Events           map[string]reflect.Type // by name
	Is               map[Flag]bool
	Passing          Passing
	Unlike           map[reflect.Type]bool // which the route only resembles

	Query, Header, Form reflect.Type // of parameters
}

// Flag is a declaration without a type, in the words of the contract.
type Flag struct{ What, MediaType string }

// AnyType is of a request whose body is JSON, whatever its Content-Type is.
var AnyType = Flag{"any type", ""}

// Replaces is of a PUT that sets defaults, as a POST does.
var Replaces = Flag{"replaces", ""}

// Passes is of a media type that passes.
func Passes(mediaType string) Flag { return Flag{"passes", mediaType} }

// LinesOf is of a media type of JSON values one a line.
func LinesOf(mediaType string) Flag { return Flag{"lines of", mediaType} }

// Responses returns the types of the declared responses, nil for what is not.
func (b *Bodies) Responses() []reflect.Type {
	list := slices.AppendSeq([]reflect.Type{b.Returns}, maps.Values(b.Fails))
	list = slices.AppendSeq(list, maps.Values(b.Statuses))
	return slices.AppendSeq(list, maps.Values(b.Events))
}

// Direction returns how a request is lifted: the methods differ in what an absent member means,
// nothing in a PATCH, and otherwise a default. All but PUT and PATCH take a body for a complete
// one, as POST does: some clients search with a GET with a body.
func (b *Bodies) Direction(method string) plans.Direction {
	switch {
	case method == http.MethodPatch:
		return plans.Modify
	case method == http.MethodPut && !b.Is[Replaces]:
		return plans.Replace
	}
	return plans.Create
}

// Passing are the events that pass as they are: their data by their name; nil: all. It is a
// list of data, since streams of other services end with a line such as [DONE] among their
// JSON.
type Passing map[string][]string

// Have reports whether an event passes.
func (p Passing) Have(name string, data []byte) bool {
	all, declared := p[name]
	return declared && (all == nil || slices.Contains(all, string(data)))
}

// IsBare reports whether no body is declared: the route is the same in all versions.
func (b *Bodies) IsBare() bool {
	return b.Accepts == nil && b.Returns == nil && len(b.Fails)+len(b.Events)+len(b.Statuses) == 0
}

// Types returns the types of all bodies.
func (b *Bodies) Types() []reflect.Type {
	all := append(b.Responses(), b.Accepts, b.Query, b.Header, b.Form)
	return slices.DeleteFunc(all, func(t reflect.Type) bool { return t == nil })
}

// OfRequest returns the type of a request, and whether the route takes the media type. It may
// take a form and JSON, each of a type of its own.
func (b *Bodies) OfRequest(mediaType string) (t reflect.Type, ok bool) {
	if b.Form != nil && message.IsForm(mediaType) {
		return b.Form, true
	}
	if ok = b.Is[AnyType] || message.IsJSON(mediaType) || message.IsRange(mediaType); ok {
		t = b.Accepts
	}
	return t, ok
}

// ForStatus returns the bodies whose Returns is the type of a status of the newest version.
func (b *Bodies) ForStatus(status int) *Bodies {
	t, ok := b.Statuses[status]
	if !ok {
		return b
	}
	made := *b
	made.Returns = t
	return &made
}

// OfResponse returns the type of a response, nil for a response that stays, and whether the route
// declares the media type.
func (b *Bodies) OfResponse(mediaType string, isSuccess bool) (t reflect.Type, ok bool) {
	own := message.MediaType(mediaType)
	switch {
	case !isSuccess:
		return b.Fails[own], true
	case b.Is[Passes(own)], own == "text/event-stream":
		return nil, true
	case message.IsJSONResponse(own), message.IsRange(own), b.Is[LinesOf(own)]:
		return b.Returns, true
	}
	return nil, false
}

// Event returns the type of the events of a name, or nil.
func (b *Bodies) Event(name string) reflect.Type {
	return cmp.Or(b.Events[name], b.Events[""], b.Returns)
}
