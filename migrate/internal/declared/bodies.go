// Package declared has what a route declares: the Go types of its bodies and parameters, what passes,
// and the answers that changes have changed. It is above plans, and below guard.
package declared

import (
	"cmp"
	"fmt"
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

// Answer is an edit of the first line or the header of a response. It belongs to a route,
// not to a type: two routes with the same body may answer differently.
type Answer struct {
	Change   string // the text of its change
	Version  string // that its release makes
	Part     Part
	Old, Now int          // of a status
	Was, Is  string       // its names
	Statuses []int        // of the responses with a new or removed field; nil: all below 400
	Value    string       // of a removed field, or ""
	Type     reflect.Type // of the value
	Bodies   *Bodies      // of a removed response
	Keywords string       // that an operation or a parameter had in documents, as JSON
}

// Part is what an [Answer] edits.
type Part string

// The parts of a response, and what becomes of them. The zero Part is another status.
const (
	Header     Part = "header"
	MediaType  Part = "media type"
	NewStatus  Part = "new status"
	GoneStatus Part = "gone status"
	NewHeader  Part = "new header"
	GoneHeader Part = "gone header"
	Operation  Part = "operation"
	Parameter  Part = "parameter"
)

// Has reports whether a field is of responses with a status.
func (a Answer) Has(status int) bool {
	return slices.Contains(a.Statuses, status) || a.Statuses == nil && status < http.StatusBadRequest
}

// IsSent reports whether a client notices the edit, and not only a reader of documents. isShared are
// fields that other code writes too.
func (a Answer) IsSent(isShared func(name string) bool) bool {
	switch a.Part {
	case NewStatus, GoneStatus, Operation, Parameter:
		return false
	case NewHeader:
		return !isShared(a.Is)
	case GoneHeader:
		return a.Value != ""
	}
	return true
}

// IsHarmless reports whether clients that move to the newer version need not change: they have to ignore new fields,
// and read an unknown error by its class (RFC 9110, section 15).
func (a Answer) IsHarmless() bool {
	return a.Part == NewHeader || a.Part == Operation || a.Part == Parameter || a.Part == NewStatus && a.Now >= http.StatusBadRequest
}

func (a Answer) String() string {
	of := ""
	if a.Statuses != nil {
		of = " of status " + strings.Trim(fmt.Sprint(a.Statuses), "[]")
	}
	switch a.Part {
	case "":
		return fmt.Sprintf("status %d was %d", a.Now, a.Old)
	case NewStatus:
		return fmt.Sprintf("status %d is new", a.Now)
	case GoneStatus:
		return fmt.Sprintf("status %d is removed", a.Old)
	case Operation:
		return "it was described by " + a.Keywords
	case Parameter:
		return fmt.Sprintf("the %s parameter %q was described by %s", a.Was, a.Is, a.Keywords)
	case NewHeader:
		return fmt.Sprintf("the header %q%s is new", a.Is, of)
	case GoneHeader:
		if a.Value == "" {
			return fmt.Sprintf("the header %q%s is removed", a.Is, of)
		}
		return fmt.Sprintf("the header %q%s is removed; older clients read %q", a.Is, of, a.Value)
	}
	return fmt.Sprintf("the %s %q was %q", a.Part, a.Is, a.Was)
}
