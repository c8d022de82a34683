package verso

import (
	"net/http"
	"net/url"
	"reflect"
)

// Rewriter rewrites the bodies of a route for versions that are not the newest one. The
// history of module migrate is one. An adapter calls it when the version of a request is
// decided, before the handler runs. A framework over net/http calls Begin, another one
// BeginBuffered.
type Rewriter interface {
	// Review returns the mistakes of a route of an API with the rewriter. One
	// with [LevelError] makes the registration of the route fail, for example
	// where the rewriter belongs to another API. The rest are findings of
	// [Explanation]; their messages are about the routes, whose patterns precede
	// them.
	Review(api *Versioning) []Finding

	// LowerQuery returns the query of a link to the route as a version has it.
	LowerQuery(v Version, query url.Values) url.Values

	// Begin rewrites the request. It returns the writer for the response, or nil
	// if nothing is rewritten. An error rejects the request: the handler does not
	// run, and the adapter writes the answer, see [AnswerFor], to the Rewriting as
	// well, so that the client gets it in its version.
	Begin(v Version, w http.ResponseWriter, r *http.Request) (Rewriting, error)

	// BeginBuffered is Begin for a framework whose bodies are buffers. It returns a
	// function that rewrites the response, or nil if nothing is rewritten. If lower
	// fails, the body is unchanged: the adapter answers with status 500, and calls
	// lower again for that response.
	BeginBuffered(v Version, method string, request RequestMessage) (
		lower func(status int, response ResponseMessage) error, err error)
}

// Binder is how the binder of a framework reads the parameters of requests, where frameworks
// differ. The zero Binder compares names byte for byte and splits no value.
type Binder struct {
	// IgnoresCase reports whether ?LIMIT=3 is the parameter limit, as strings.EqualFold does.
	IgnoresCase bool

	// Name returns what the binder compares of a name of a query or a form, such as tags for
	// Tags[]. Optional. Default value: nil, the name as it is.
	Name func(name string) string

	// Last reports whether a field gets the last of several values, and not the first, unless it is
	// a list.
	Last bool

	// Nested reports whether names may be paths into structs, such as Inner.plan for a field
	// that a struct embeds with Inner, and price.units for a field of the struct of price.
	Nested bool

	// Separator returns what separates the values of a list in a parameter with a field, or "".
	// Optional. Default value: nil, each value is a parameter.
	Separator func(field reflect.StructField) string
}

// BinderRewriter is a [Rewriter] that reads parameters as the binder of a framework does.
type BinderRewriter interface {
	Rewriter

	// ForBinder returns the rewriter for routes of a framework.
	ForBinder(b Binder) Rewriter
}

// DefaultRewriter is a [Rewriter] that a group may have as its default.
type DefaultRewriter interface {
	Rewriter

	// IsDefault reports whether the rewriter is for routes that are the same in all versions. A
	// Rewrite of routes inside the group then replaces it, and HandleVersions drops it.
	IsDefault() bool
}

// Rewriting is the writer of a response that is rewritten. It has a method Unwrap, for
// [http.ResponseController]. The adapter calls Finish after the handler, and defers
// Recover around it.
type Rewriting interface {
	http.ResponseWriter

	// Finish sends the buffered response. If it returns an error, nothing was
	// sent: the adapter writes its answer, with status 500, to the Rewriting, and
	// calls Finish again. If part of the response was sent, Finish panics with
	// [http.ErrAbortHandler], so that the client does not take the part for the
	// whole.
	Finish() error

	// Recover is deferred around the handler. After a panic it discards the
	// buffered response, calls restart if nothing was sent, so that another
	// response can be written, and re-panics for the framework's own recovery.
	Recover(restart func())
}

// RequestMessage is a request whose body is a buffer, for [Rewriter].
type RequestMessage interface {
	Message
	QueryString() []byte // of the URL
	SetQueryString(query string)
}

// ResponseMessage is a response whose body is a buffer, for [Rewriter].
type ResponseMessage interface {
	Message
	SetStatusCode(status int)
	IsBodyStream() bool // reports whether the body is not in memory: a rewriter that needs it fails
}

// Message is what a [RequestMessage] and a [ResponseMessage] have in common. The methods are
// those of fasthttp's types, so that an adapter needs few of its own.
type Message interface {
	PeekAll(field string) [][]byte // the lines, which are valid until the next change
	Add(field, value string)
	Set(field, value string)
	Del(field string)

	// Body returns the body, which is valid until SetBody.
	Body() []byte
	SetBody(body []byte)
}
