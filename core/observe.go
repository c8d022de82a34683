package verso

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/goverso/verso/core/catalogue"
)

// Usage is the outcome of a request: see [Config.Observe]. All fields except Client
// have values of closed sets and contain nothing that a client sent, so each may be a
// label of a metric.
type Usage struct {
	// Time is when the request was decided on, by [Config.Clock].
	Time time.Time

	// Version is the version that the request names, or the default version.
	// It is the zero Version if the request names a version that is not
	// listed, or if there is no list.
	Version Version

	// Answered is the version that answered. It differs from Version if that
	// has ended and another answers for it. It is the zero Version if the
	// request was rejected or has no listed version.
	Answered Version

	// Asked is the kind of version that the request asked for.
	Asked Asked

	// State is the state of Version at Time, the zero State without a Version.
	State catalogue.State

	// Outcome is [OutcomeServed], [OutcomeFailed], or the code of the
	// rejection: see [MessageID].
	Outcome string

	// Kept reports whether the adapter's KeepServed named the request: its
	// response announces the end of the version, and it is not rejected.
	Kept bool

	// Source names the source that decided: see [Description].
	Source string

	// Method is the method of the request, "GET", or "_OTHER" for a method
	// that is not defined by net/http, as in OpenTelemetry's
	// http.request.method.
	Method string

	// Route is the pattern of the matched route in the syntax of the
	// framework, "" if it is not known.
	Route string

	// Client is who sent the request, "" if it is not known: what the Client
	// callback of the adapter's Config returned, as valid UTF-8 of at most
	// [MaxClientBytes].
	Client string
}

// Asked is the kind of version that a request asked for.
type Asked string

// The kinds of versions that requests ask for.
const (
	AskedListed   Asked = "listed"   // a version that is listed
	AskedUnlisted Asked = "unlisted" // another version, or several at once
	AskedNone     Asked = "none"     // no version: the default applies, if there is one
)

// Outcomes of a request that was not rejected.
const (
	OutcomeServed = "served" // the handler was called
	OutcomeFailed = "failed" // the version could not be determined because of a programming error
)

// MaxClientBytes bounds the name of a client in [Usage].
const MaxClientBytes = 128

// ClientFunc returns the Client callback of an adapter's Config in the form that
// [Call.End] takes, nil for nil. It panics with a [*Finding] if there is no
// [Config.Observe], since nothing would call it.
func ClientFunc[C any](v *Versioning, client func(c C) string) func(request any) string {
	if client == nil {
		return nil
	}
	if v.config.Observe == nil {
		panic(mistake("client_not_read", "Client", "nothing calls Client, since Config.Observe is nil: set it, or remove Client"))
	}
	return func(request any) string { return client(request.(C)) }
}

// Observes reports whether there is a [Config.Observe].
func (b *Binding) Observes() bool { return b.api.config.Observe != nil }

// observe calls [Config.Observe]. If client panics, the client is unknown. The first
// panic of either function is logged. Panics are recovered, since the response has
// been written.
func (b *Binding) observe(c *Call, client func(request any) string) {
	if !b.Observes() {
		return
	}
	var u Usage
	b.use(c, &u)
	u.Method = methodOf(c.Request.method)
	if at := cmp.Or(c.Route, c.Request.route); at != nil {
		u.Route = cmp.Or(at.As, at.Path)
	}
	if client != nil {
		u.Client = b.clientOf(&c.Request, client)
	}
	defer b.sayPanicOnce("Observe")
	b.api.config.Observe(c.Request.Context(), u)
}

func (b *Binding) use(c *Call, u *Usage) {
	u.Asked, u.Outcome, u.Kept = AskedNone, OutcomeServed, c.Kept
	if c.second != 0 {
		u.Time = time.Unix(c.second, 0)
	} else {
		u.Time = b.api.config.Clock()
	}
	index := int(c.asked) - 1
	rejected, _ := c.Err.(*Error) //nolint:errorlint // as in Rejected
	switch {
	case c.result != nil:
		result := c.result
		u.Source = b.api.parts[result.part].name
		if result.index >= 0 || result.version == b.api.config.DefaultVersion {
			u.Answered, u.Version = result.version, result.version
		}
		if index < 0 {
			index = result.index
		}
		if c.named {
			u.Asked = AskedUnlisted
		}
	case rejected != nil:
		u.Outcome, u.Source = string(rejected.MessageID), rejected.Source
		if rejected.HasAsked {
			u.Asked = AskedUnlisted
		}
	default:
		u.Outcome, u.Source = OutcomeFailed, b.api.name
	}
	if index >= 0 {
		u.Version, u.State = b.served.set.byIndex[index].results[0].version, catalogue.Supported
		if c.state != 0 {
			u.State = c.state
		}
	}
	if c.named && !u.Version.IsNone() {
		u.Asked = AskedListed
	}
}

// methods are the methods that net/http defines.
var methods = [...]string{
	http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
	http.MethodHead, http.MethodOptions, http.MethodConnect, http.MethodTrace,
}

// methodOf returns a method as one of a closed set. It keeps no part of the request,
// whose memory a framework may reuse.
func methodOf(method string) string {
	for _, known := range methods {
		if method == known {
			return known
		}
	}
	return "_OTHER"
}

// clientOf returns the name of the client, bounded.
func (b *Binding) clientOf(r *Request, client func(request any) string) string {
	defer b.sayPanicOnce("Client")
	name := client(r.Unwrap())
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

// sayPanicOnce recovers a panic of a user's function, and logs the first.
func (b *Binding) sayPanicOnce(name string) {
	if cause := recover(); cause != nil && b.once("observe_panicked "+name) {
		b.say(refuse("observe_panicked", name, "%s panicked, and will not be logged again: %s", name, bounded(fmt.Sprint(cause))))
	}
}
