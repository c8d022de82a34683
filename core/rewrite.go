package verso

import (
	"encoding/json"
	"errors"
	"net/http"
)

// Rewriter rewrites the bodies of a route in versions that are not the newest one, such
// as that of module migrate. An adapter calls it when the version of a request is
// known, before the handler runs.
type Rewriter interface {
	// Begin rewrites the request, and returns what the response is written to, nil
	// if there is nothing to rewrite. An error refuses the request; the answer to
	// it, that of [AnswerFor], is written to the Rewriting too.
	Begin(v Version, w http.ResponseWriter, r *http.Request) (Rewriting, error)

	// BeginBuffered is Begin for a framework whose bodies are buffers. lower, nil
	// if there is nothing to rewrite, rewrites the response. If it fails, it
	// changes no body: the adapter answers with status 500, and calls it again.
	BeginBuffered(v Version, method string, request Message) (lower func(status int, response Message) error, err error)
}

// Rewriting is the writer of a response that is rewritten. It has a method Unwrap, for
// [http.ResponseController].
type Rewriting interface {
	http.ResponseWriter

	// End sends what is held. An error says that nothing was sent: the adapter
	// writes its answer, with status 500, to the Rewriting, and calls End again. If
	// part of the response was sent, End panics with [http.ErrAbortHandler].
	Finish() error

	// Drop is deferred around the handler. After a panic it forgets what is held,
	// calls restart if nothing was sent, so that another response can be written,
	// and panics again.
	Recover(restart func())
}

// Message is a request or a response whose body is a buffer. Its methods are those of
// fasthttp's.
type Message interface {
	Peek(field string) []byte // its first line, empty for none
	Set(field, value string)
	Del(field string)
	Body() []byte // valid until SetBody
	SetBody(body []byte)
}

// AnswerFor returns the answer to a request that a [Rewriter] refuses, or whose response
// it cannot rewrite: what err's method Problem() Problem returns, otherwise status 500,
// which does not say why.
func AnswerFor(err error) *Answer {
	p := Problem{Type: "about:blank", Title: "Internal Server Error", Status: http.StatusInternalServerError, Detail: "Internal Server Error", Code: "internal_server_error"}
	if refused := (interface{ Problem() Problem })(nil); errors.As(err, &refused) {
		p = refused.Problem()
	}
	body, _ := json.Marshal(p) // which cannot fail
	return &Answer{Problem: p, Body: body}
}

// NoteRewriteErrors tells b that the adapter's RewriteErrors is installed: it rewrites what middleware
// answers after the handler, too.
func (b *Binding) NoteRewriteErrors() { b.routes.shelled.Store(true) }
