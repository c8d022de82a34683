// Package declared has what a route declares: the Go types of its bodies and parameters, what passes,
// and the answers that changes have changed. It is above plans, and below guard.
package declared

import (
	"cmp"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/goverso/verso/migrate/internal/message"
	"github.com/goverso/verso/migrate/internal/plans"
)

// Bodies are the types of the bodies and the parameters of a route. It has types and not plans: the
// plans depend on the version, and the frozen contract describes the types.
type Bodies struct {
	Accepts, Returns reflect.Type
	Fails            map[Failure]reflect.Type
	Statuses         map[int]reflect.Type    // of responses below 400 that are not of Returns
	Events           map[string]reflect.Type // by name
	Is               map[Flag]bool
	Passing          Passing
	Unlike           map[reflect.Type]bool // which the route only resembles

	Query, Header, Form reflect.Type // of parameters
}

// Failure is the errors that have a type.
type Failure struct {
	MediaType string
	Status    int // 0: all that no other one names
}

// Failures returns the failures that have types, by media type and status.
func (b *Bodies) Failures() []Failure {
	return slices.SortedFunc(maps.Keys(b.Fails), func(x, y Failure) int {
		return cmp.Or(strings.Compare(x.MediaType, y.MediaType), x.Status-y.Status)
	})
}

// Listed returns the statuses that have a type of their own, in order.
func (b *Bodies) Listed() []int {
	list := slices.Collect(maps.Keys(b.Statuses))
	for f := range b.Fails {
		if f.Status > 0 {
			list = append(list, f.Status)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// OfError returns the type of an error with a status of the newest version, or nil. The media type has no
// parameters.
func (b *Bodies) OfError(status int, mediaType string) reflect.Type {
	if t := b.Fails[Failure{mediaType, status}]; t != nil {
		return t
	}
	return b.Fails[Failure{mediaType, 0}]
}

// Errors returns the types of the errors with a status of the newest version, by media type.
func (b *Bodies) Errors(status int) map[string]reflect.Type {
	types := map[string]reflect.Type{}
	for f := range b.Fails {
		if t := b.OfError(status, f.MediaType); t != nil {
			types[f.MediaType] = t
		}
	}
	return types
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

// DeclaresSuccess reports whether a response below 400 has a type.
func (b *Bodies) DeclaresSuccess() bool {
	return b.Returns != nil || len(b.Events)+len(b.Statuses) > 0
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

// OfSuccess returns the type of a response below 400, by its status in the newest version, or nil.
func (b *Bodies) OfSuccess(status int) reflect.Type {
	if t := b.Statuses[status]; t != nil {
		return t
	}
	return b.Returns
}

// OfResponse returns the types of the responses with some statuses and a media type, or range of them, none for
// a response that stays, and whether the route declares the media type.
func (b *Bodies) OfResponse(mediaType string, statuses []int, isSuccess bool) (types []reflect.Type, ok bool) {
	add := func(t reflect.Type) {
		if t != nil && !slices.Contains(types, t) {
			types = append(types, t)
		}
	}
	own := message.MediaType(mediaType)
	switch {
	case !isSuccess:
		for _, f := range b.Failures() {
			for _, status := range statuses {
				if message.Includes(own, f.MediaType) {
					add(b.OfError(status, f.MediaType))
				}
			}
		}
		return types, true
	case b.Is[Passes(own)], own == "text/event-stream":
		return nil, true
	case message.IsJSONResponse(own), message.IsRange(own), b.Is[LinesOf(own)]:
		for _, status := range statuses {
			add(b.OfSuccess(status))
		}
		return types, true
	}
	return nil, false
}

// Event returns the type of the events of a name, or nil.
func (b *Bodies) Event(name string) reflect.Type {
	return cmp.Or(b.Events[name], b.Events[""], b.Returns)
}
