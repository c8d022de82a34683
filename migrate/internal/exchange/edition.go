// Package exchange serves a route in an older version: it lifts requests and lowers responses, of
// net/http and of fasthttp alike. The newest version has no [Edition]. Package migrate alone uses it,
// and it uses all but documents.
package exchange

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"sync/atomic"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate/internal/declared"
	"github.com/goverso/verso/migrate/internal/guard"
	"github.com/goverso/verso/migrate/internal/jsontext"
	"github.com/goverso/verso/migrate/internal/message"
	"github.com/goverso/verso/migrate/internal/params"
	"github.com/goverso/verso/migrate/internal/plans"
	"github.com/goverso/verso/migrate/internal/rewrite"
)

// An edition decides, for a version, what becomes of each response of a route. In come the status and the media type that
// the handler wrote; out comes a plan of package rewrite, a response that passes, or a refusal. All is looked up by type and
// status when routes are registered, so a request compiles nothing. Bodies that nothing declares are the
// danger: they could have the newest form, so they are judged before they pass.

// Route is what the editions of a route have in common. What was logged belongs to the route and not
// to an edition, so that it is logged once: versions fail together.
type Route struct {
	bodies  *declared.Bodies
	refused func(error) error // the error of a request as services know it

	failed, told, asked, unknown atomic.Bool
}

// New returns what the editions of a route have in common.
func New(b *declared.Bodies, refused func(error) error) *Route {
	return &Route{bodies: b, refused: refused}
}

// Edition is a route in a version. Its plans are nil where nothing is to be done. It is
// complete when the route is registered. A request of the version only reads it.
type Edition struct {
	*Route
	name                 string
	IsBare               bool                            // nothing is rewritten
	looks                bool                            // some responses are looked at
	count                atomic.Uint32                   // of these
	newest               atomic.Bool                     // one was of the newest form
	formChanges          bool                            // it is declared, and the version has it in another form
	up                   [plans.Modify + 1]*rewrite.Node // by direction
	lowered              map[reflect.Type]*rewrite.Node  // of the declared responses
	down                 *rewrite.Node                   // of a response below status 400, with JSON
	byStatus             map[int]*rewrite.Node           // of those of other types
	lowers               bool                            // one of these is rewritten
	streams              bool                            // server-sent events are lowered
	query, header, links *params.Plan
	form                 [plans.Modify + 1]*params.Plan // by direction
	answers              []declared.Answer
	requests             []declared.Answer // about its media type, the oldest first
	forms                []guard.Form      // of the newest types that the version has in another form
}

// NewEdition returns what is to be done in a version, nil for nothing. A bare one costs a route nothing, and
// neither does the newest, which has none.
func NewEdition(s *Route, p *plans.Table, forms []guard.Form, binder verso.Binder, index int, name string,
	answers []declared.Answer) *Edition {
	b := s.bodies
	e := &Edition{
		Route: s, name: name, answers: answers, formChanges: p.Changing(b.Form, index, plans.Create) != nil,
		lowered: map[reflect.Type]*rewrite.Node{},
	}
	for _, a := range slices.Backward(answers) {
		if a.Request != nil {
			e.requests = append(e.requests, a)
		}
	}
	for d := plans.Create; d <= plans.Modify; d++ {
		e.up[d] = p.Changing(b.Accepts, index, d)
		e.form[d] = params.New(p, b.Form, b.Query, index, d, binder)
	}
	for _, t := range b.Responses() {
		if n := p.Changing(t, index, plans.Down); n != nil {
			e.lowered[t] = n
		}
	}
	e.down = e.lowered[b.Returns]
	e.streams, e.lowers = e.down != nil, e.down != nil
	e.byStatus = map[int]*rewrite.Node{}
	for status, t := range b.Statuses {
		e.byStatus[status] = e.lowered[t]
		e.lowers = e.lowers || e.lowered[t] != nil
	}
	for _, t := range b.Events {
		e.streams = e.streams || e.lowered[t] != nil
	}
	// A query is lifted for the handler. The query of a link is lowered, since the client sends it
	// back.
	e.query = params.New(p, b.Query, b.Form, index, plans.Create, binder)
	e.links = params.New(p, b.Query, nil, index, plans.Down, binder)
	binder.Name = nil // header fields have no brackets
	e.header = params.New(p, b.Header, nil, index, plans.Create, binder)
	// What another direction changes, create changes too.
	e.IsBare = e.up[plans.Create] == nil && e.form[plans.Create] == nil && len(e.lowered) == 0 && e.query == nil &&
		e.header == nil && len(e.answers) == 0
	e.forms = guard.Unlikely(b, forms)
	if e.looks = !b.DeclaresSuccess() && len(e.forms) > 0; e.IsBare && !e.looks {
		return nil
	}
	return e
}

// Bare returns an edition without anything to be done, whose responses are looked at.
func Bare(s *Route, name string) *Edition { return &Edition{Route: s, name: name, IsBare: true} }

// treatment is what becomes of the body of a response.
type treatment uint8

const (
	passed   treatment = iota // it stays
	lowered                   // it is JSON
	streamed                  // it is server-sent events
	sniffed                   // its first byte decides whether it is JSON
	omitted                   // the older version has none
	judged                    // it is an error that the route does not declare
	refused                   // the route does not declare its type
)

// mode is how the bodies of responses are read.
func (e *Edition) mode() rewrite.Mode {
	return rewrite.Mode{Ours: true, Strict: true, Unknown: &e.unknown}
}

// lowering returns what becomes of the body of a response, and how it is lowered.
func (e *Edition) lowering(status int, contentType string) (*rewrite.Node, treatment) {
	mediaType, down := message.MediaType(contentType), e.down
	if n, ok := e.byStatus[status]; ok {
		down = n
	}
	switch {
	case e.IsBare:
		return nil, passed
	// Errors come from routers, middleware and proxies too, which know no declared type. So their
	// default is to pass, and that of other responses is to fail.
	case status >= 400:
		switch t := e.bodies.OfError(status, mediaType); {
		case e.lowered[t] != nil:
			return e.lowered[t], lowered
		case t != nil && !e.follows(status, contentType), contentType != "" && !message.IsJSONResponse(mediaType):
			return nil, passed
		}
		return nil, judged
	// These have no body, whatever the handler has set as its type (RFC 9110, section 6.4.1).
	case message.IsBodyless(status), e.bodies.Is[declared.Passes(mediaType)]:
		return nil, passed
	case e.streams && mediaType == "text/event-stream":
		return nil, streamed
	case e.isUnlisted(status) && status < 300:
		return nil, refused
	// Only the errors or the parameters of the route differ in this version.
	case down == nil:
		return nil, passed
	case contentType == "":
		return down, sniffed
	case message.IsJSONResponse(mediaType), e.bodies.Is[declared.LinesOf(mediaType)]:
		return down, lowered
	case status >= 300: // the text of a redirect
		return nil, passed
	}
	return nil, refused
}

// isUnlisted reports whether a route that declares its responses by their statuses alone does not have this one. An
// older client would get its newest form.
func (e *Edition) isUnlisted(status int) bool {
	_, listed := e.bodies.Statuses[status]
	return !listed && e.lowers && e.bodies.Returns == nil
}

// sniffed returns what becomes of a body without a type, by how it begins: a browser would guess
// its type in the same way.
func (e *Edition) sniffed(body []byte) treatment {
	switch {
	case message.BeginsLikeJSON(body):
		return lowered
	case len(bytes.TrimSpace(body)) == 0, e.bodies.Is[declared.Passes(message.MediaType(http.DetectContentType(body)))]:
		return passed
	}
	return refused
}

// judge returns an error if the body of an error that the route does not declare has the newest
// form of a type. Otherwise it logs once that the route does not declare it. Refusing all
// undeclared errors would turn each 404 of a router or a proxy into a 500 for older clients, so
// only those with members of an edited type are refused. The answer to a refused request is
// not logged: no handler wrote it.
func (e *Edition) judge(status int, contentType string, body []byte, isRefused bool) error {
	if e.bodies.OfError(status, message.MediaType(contentType)) != nil {
		return nil
	}
	if err := e.isNewest(status, body); err != nil {
		return err
	}
	if !isRefused && !e.told.Swap(true) {
		slog.Warn("migrate: an error is sent as the handler wrote it, since the route does not declare it: add Fails",
			"version", e.name, "status", status, "type", message.MediaType(contentType))
	}
	return nil
}

// isNewest returns an error if a body has the newest form of a type.
func (e *Edition) isNewest(status int, body []byte) error {
	if list := guard.Newest(e.forms, body, "", false); len(list) > 0 {
		return fmt.Errorf("an error with status %d, which the route does not declare: %s: add Fails", status, list[0])
	}
	return nil
}

// logFailure logs the first failure of a route.
// The error comes again with each request of each older client, and would hide the rest of
// the log.
func (e *Edition) logFailure(err error) error {
	err = fmt.Errorf("migrate: the response in %s: %w", e.name, err)
	if !e.failed.Swap(true) {
		slog.Error("a response is answered with status 500; further ones of the route are not logged here", "error",
			err)
	}
	return err
}

// undeclared returns the error of a response whose status or type the route does not declare.
func (e *Edition) undeclared(status int, contentType string) error {
	if e.isUnlisted(status) {
		return fmt.Errorf("the handler wrote status %d, and Returns has the type of other statuses: add it", status)
	}
	mediaType := message.MediaType(contentType)
	return fmt.Errorf(
		"the handler wrote %s, which cannot be lowered: write JSON, or add Passes(%q) to the route if it is the same in all versions", mediaType, mediaType)
}

// IsDue reports whether the next response of a route without Returns, in an older version, is looked
// at for the newest form: the first 16 are, and then each 1,024th.
func (e *Edition) IsDue() bool {
	if e == nil || !e.looks || e.newest.Load() {
		return false
	}
	n := e.count.Add(1)
	return n <= 16 || n%1024 == 0
}

// Look looks at the body of a response, and logs what it finds first. Errors of a route that declares
// some are judged instead.
func (e *Edition) Look(status int, contentType string, body []byte) {
	if mediaType := message.MediaType(contentType); status >= 400 && !e.bodies.IsBare() || !message.IsJSONResponse(mediaType) &&
		(mediaType != "" || !message.BeginsLikeJSON(body)) {
		return
	}
	if list := guard.Newest(e.forms, body, "", true); len(list) > 0 && !e.newest.Swap(true) {
		slog.Warn("migrate: a route sends the newest form of a type that it does not declare: add Returns", "version",
			e.name, "response", list[0])
	}
}

// Report looks at a response, by the status and the media type that the handler wrote.
type Report func(e *Edition, status int, written string, f message.Fields, body []byte)

// LowerQuery lowers the query of a link. A version without edits of the query costs links nothing.
func (e *Edition) LowerQuery(query url.Values) url.Values { return e.links.LowerQuery(query, e.name) }

// StatusOf returns the status of the version for a newest status.
func (e *Edition) StatusOf(status int) int { return declared.StatusOf(e.answers, status) }

// mediaTypeOf returns the media type that the version has instead of a newest one, "" for the
// same.
func (e *Edition) mediaTypeOf(status int, contentType string) (older string) {
	if contentType == "" {
		return ""
	}
	newest := message.MediaType(contentType)
	older = newest
	for _, a := range e.answers {
		if a.Status != nil {
			status = a.Status(status) // statuses of older edits are older ones
		}
		if a.MediaType != nil {
			older = a.MediaType(status, older)
		}
	}
	if older == newest {
		return ""
	}
	return older
}

// follows reports whether the status in the body of a response follows its status line.
func (e *Edition) follows(status int, contentType string) bool {
	return e.StatusOf(status) != status && message.MediaType(contentType) == verso.ProblemType
}

// follow returns problem details with the status that the version has. What is not JSON, or
// has another status, stays.
func (e *Edition) follow(status int, body []byte, f message.Fields) []byte {
	// Only the member of the outer object counts, and the rest stays byte for byte.
	begin, end, _ := jsontext.Find(body, "status", false)
	if begin < 0 || string(body[begin:end]) != strconv.Itoa(status) {
		return body
	}
	for _, name := range message.BodyFields[1:] { // the length stays
		f.Del(name)
	}
	return slices.Concat(body[:begin], strconv.AppendInt(nil, int64(e.StatusOf(status)), 10), body[end:])
}

// headers makes the fields of a response those of the version.
func (e *Edition) headers(f message.Fields, status int) {
	for _, a := range e.answers {
		if a.Status != nil {
			status = a.Status(status) // statuses of older edits are older ones
		}
		if a.Fields != nil {
			a.Fields(f, status)
		}
	}
}
