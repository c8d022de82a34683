package verso

import (
	"context"
	"time"

	"github.com/goverso/verso/core/catalogue"
)

// Counter is a store of counts, which gets each [Observation]: see [Config.Counters]. Pages compare
// counters, so it should be a pointer.
type Counter interface {
	Observe(ctx context.Context, o Observation)
}

// Observation describes the outcome of a request: see [Config.Observe]. All fields except
// Client and Time have values from small fixed sets and contain nothing that a client sent, so
// each may be a label of a metric.
type Observation struct {
	// Time is when the request was decided on, by [Config.Clock].
	Time time.Time

	// Version is the version that the request names, or the default version.
	// It is the zero Version if the request names a version that is not
	// listed, or if there is no list.
	Version Version

	// Served is the version that answered. It differs from Version if that
	// has ended and another answers for it. It is the zero Version if the
	// request was rejected or has no listed version.
	Served Version

	// Requested is the kind of version that the request asked for.
	Requested Requested

	// State is the state of Version at Time, the zero State without a Version.
	State catalogue.State

	// Outcome is [OutcomeServed], [OutcomeFailed], or the code of the
	// rejection: see [MessageID].
	Outcome string

	// Exempt reports whether the adapter's ExemptFromSunset named the request: its
	// response announces the end of the version, and it is not rejected.
	Exempt bool

	// Source names the source that decided: see [source.Description].
	Source string

	// Method is the method of the request, "GET", or "_OTHER" for a method
	// that is not defined by net/http, as in OpenTelemetry's
	// http.request.method.
	Method string

	// Route is the pattern of the matched route in the syntax of the
	// framework, as in [RouteInfo], "" if it is not known.
	Route string

	// Client is who sent the request, "" if it is not known: what the Client
	// callback of the adapter's Config returned, as valid UTF-8 of at most
	// [MaxClientBytes].
	Client string
}

// Requested is the kind of version that a request asked for.
type Requested string

// The kinds of versions that requests ask for.
const (
	RequestedListed   Requested = "listed"   // a version that is listed
	RequestedUnlisted Requested = "unlisted" // another version, or several at once
	RequestedNone     Requested = "none"     // no version: the default applies, if there is one
)

// Outcomes of a request that was not rejected.
const (
	OutcomeServed = "served" // the handler was called
	OutcomeFailed = "failed" // the version could not be determined because of a programming error
)

// MaxClientBytes bounds the name of a client in [Observation].
const MaxClientBytes = 128
