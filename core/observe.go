package verso

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/source"
)

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

// observe reports the outcome of a client's request to [Config.Observe].
func (d *decisions) observe(c *Call, client string) {
	o := Observation{Time: time.Unix(c.second, 0), Requested: RequestedNone, Outcome: OutcomeServed, Exempt: c.exemptFromSunset, Client: client}
	if c.second == 0 {
		o.Time = d.api.config.Clock()
	}
	index := c.asked - 1
	rejected, _ := c.err.(*Error) //nolint:errorlint // as in preflight
	switch {
	case c.result != nil:
		result := in(c.result)
		o.Source = d.api.parts[result.Part].Name
		if result.Index >= 0 || result.Version == d.api.config.DefaultVersion {
			o.Served, o.Version = result.Version, result.Version
		}
		if index < 0 {
			index = result.Index
		}
		if c.outcome == source.Found {
			o.Requested = RequestedUnlisted
		}
	case rejected != nil:
		o.Outcome, o.Source = string(rejected.MessageID), rejected.Source
		if rejected.HasRequested {
			o.Requested = RequestedUnlisted
		}
	default:
		o.Outcome, o.Source = OutcomeFailed, d.api.name
	}
	if index >= 0 {
		o.Version, o.State = d.api.versions[index], catalogue.Supported
		if c.state != 0 {
			o.State = c.state
		}
	}
	if c.outcome == source.Found && !o.Version.IsNone() {
		o.Requested = RequestedListed
	}
	o.Method = methodOf(c.Request.Method())
	if at := cmp.Or(c.Route, c.Request.Route()); at != nil {
		o.Route = cmp.Or(at.RegisteredPath, at.Path)
	}
	defer d.journal.logPanic("Observe")
	d.api.config.Observe(c.Request.Context(), o)
}

// methods are the methods that net/http defines.
var methods = [...]string{
	http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
	http.MethodHead, http.MethodOptions, http.MethodConnect, http.MethodTrace,
}

// methodOf returns a method as one of a closed set. It keeps no part of the request,
// whose memory a framework may reuse.
func methodOf(method string) string {
	if known := slices.Index(methods[:], method); known >= 0 {
		return methods[known]
	}
	return "_OTHER"
}

// boundedClient returns the name of a client as valid UTF-8 of at most [MaxClientBytes].
func boundedClient(name string) string {
	if len(name) <= MaxClientBytes && utf8.ValidString(name) {
		return name
	}
	return cut(strings.ToValidUTF8(cut(name, MaxClientBytes), "\uFFFD"), MaxClientBytes)
}

// cut returns at most the first bytes of text, without a partial character.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}
