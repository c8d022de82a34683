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

// Usage is what became of a request: see [Config.Observe]. All fields but Client
// are from closed sets, and nothing that a client sent is in them, so each may be
// a label of a metric.
type Usage struct {
	// Time is when the request was decided on, by [Config.Clock].
	Time time.Time

	// Version is the version that the request is for: the one that it names,
	// or the default one. It is none when the request names a version that is
	// not listed, and when there is no list.
	Version Version

	// Answered is the version that answered, which differs from Version when
	// that one has ended and another answers for it. It is none when the
	// request was rejected or has no listed version.
	Answered Version

	// Asked says what the request asked for.
	Asked Asked

	// State is the state of Version at Time, the zero State without one.
	State catalogue.State

	// Outcome is [OutcomeServed], [OutcomeFailed], or the code of the
	// rejection: see [MessageID].
	Outcome string

	// Kept says that the KeepServed of the adapter has named the request: it is
	// told of the end of its version, and not rejected for it.
	Kept bool

	// Source names the source that decided: see [Description].
	Source string

	// Method is the method of the request, "GET", and "_OTHER" for one that
	// net/http has no constant for: the values of OpenTelemetry's
	// http.request.method.
	Method string

	// Route is the pattern of the matched route, as the framework has it,
	// "" when it is not known.
	Route string

	// Client is who sent the request, "" when nobody knows. It is what the
	// Client callback in the configuration of the adapter returned, as valid
	// UTF-8 of at most [MaxClientBytes].
	Client string
}

// Asked says what a request asked for, as one of a closed set.
type Asked string

// What a request asks for.
const (
	AskedListed   Asked = "listed"   // a version that is listed
	AskedUnlisted Asked = "unlisted" // another version, or several at once
	AskedNone     Asked = "none"     // none: the default version applies, if there is one
)

// Outcomes of a request that was not rejected.
const (
	OutcomeServed = "served" // the handler was called
	OutcomeFailed = "failed" // the version could not be determined because of a programming error
)

// MaxClientBytes is how much is kept of the name of a client.
const MaxClientBytes = 128

// ClientFunc returns the Client callback in the configuration of an adapter as
// [Call.End] takes it, nil for nil. It panics with a [*Finding] when there is no
// [Config.Observe], since nothing would call it.
func ClientFunc[C any](v *Versioning, client func(c C) string) func(request any) string {
	if client == nil {
		return nil
	}
	if v.config.Observe == nil {
		panic(mistake("client_not_read", "Client", "the Client is not called, since nothing is told of requests: set Observe in the verso.Config, or remove it"))
	}
	return func(request any) string { return client(request.(C)) }
}

// Observes reports whether there is a [Config.Observe].
func (b *Binding) Observes() bool { return b.api.config.Observe != nil }

// observe calls [Config.Observe]. When client panics, the client is unknown. A panic
// of either function is logged, the first time, and goes no further: the response
// has been written.
func (b *Binding) observe(c *Call, client func(request any) string) {
	if !b.Observes() {
		return
	}
	u := b.usage(c)
	u.Method = methodOf(c.request.method)
	if at := c.request.route; at != nil {
		u.Route = cmp.Or(at.As, at.Path)
	}
	if client != nil {
		u.Client = b.clientOf(&c.request, client)
	}
	defer b.sayPanicOnce("Observe")
	b.api.config.Observe(c.request.Context(), u)
}

func (b *Binding) usage(c *Call) Usage {
	u := Usage{Asked: AskedNone, Outcome: OutcomeServed, Kept: c.Kept}
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
	return u
}

// methods are the methods that net/http names.
var methods = [...]string{
	http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
	http.MethodHead, http.MethodOptions, http.MethodConnect, http.MethodTrace,
}

// methodOf returns a method as one of a closed set. It keeps nothing of the
// request, whose memory a framework may use again.
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

// cut returns the first bytes of a text, without a part of a character.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

// sayPanicOnce logs the first panic of a function of the user's, and ends it.
func (b *Binding) sayPanicOnce(name string) {
	if cause := recover(); cause != nil && b.once("observe_panicked "+name) {
		b.say(refuse("observe_panicked", name, "%s panicked, and will not be logged again: %s", name, bounded(fmt.Sprint(cause))))
	}
}
