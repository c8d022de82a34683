package exchange

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"slices"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate/internal/declared"
	"github.com/goverso/verso/migrate/internal/message"
	"github.com/goverso/verso/migrate/internal/params"
	"github.com/goverso/verso/migrate/internal/refusal"
	"github.com/goverso/verso/migrate/internal/rewrite"
)

// Begin begins a request. report looks at the response, of which it needs most bytes.
func Begin(e *Edition, w http.ResponseWriter, request *http.Request, report Report, most int) (verso.Rewriting, error) {
	response := newResponse(e, w, request.Method == http.MethodHead)
	response.report, response.most = report, most
	response.request, response.outer = request, request.Header
	if e.changesHeader(request) { // middleware outside sees what the client sent
		request.Header = request.Header.Clone()
	}
	e.tagRequest(message.Header{Header: request.Header})
	err := e.refused(e.lift(request, message.Header{Header: request.Header}))
	e.setType(message.Header{Header: request.Header})
	if long, ok := request.Body.(*message.Pulled); ok {
		long.Refused = e.refused
	}
	response.refused = err != nil
	return response, err
}

// changesHeader reports whether a request has a field that is changed for the handler.
// Only then the header is copied: most requests lack these fields, and a copy costs three
// allocations.
func (e *Edition) changesHeader(r *http.Request) bool {
	isSent := func(name string) bool { return r.Header[name] != nil }
	changes := e.header != nil || e.requests != nil || e.lowers && slices.ContainsFunc(conditions, isSent)
	if changes || r.ContentLength == 0 {
		return changes
	}
	plan, form, _ := e.body(r.Method, r.Header.Get("Content-Type"))
	return plan != nil || form != nil
}

// lift lifts the body of a request. A small one is lifted before the handler runs, so that a
// mistake of the client is refused by the service's own error handler; for a larger one a read
// fails, which a handler must expect anyway. The type is checked only if there is a body:
// clients send Content-Type with an empty one.
func (e *Edition) lift(r *http.Request, f message.Fields) error {
	if err := e.liftParams(r, f); err != nil {
		return err
	}
	// Parameters come first: a handler that rejects them need not read the body.
	isEmpty, contentType := r.Body == nil || r.Body == http.NoBody || r.ContentLength == 0, r.Header.Get("Content-Type")
	if isEmpty && (contentType == "" || !message.IsForm(contentType)) { // nearly each GET
		return nil
	}
	plan, form, err := e.body(r.Method, contentType)
	switch {
	case form != nil:
		return form.Body(r, isEmpty, e.up[e.bodies.Direction(r.Method)] != nil)
	case isEmpty:
		return nil
	case plan == nil && err == nil:
		e.noteUndeclared(contentType)
		return nil
	}
	// What is in memory is lifted there, of any size.
	whole, isWhole := r.Body.(message.Memory)
	buffer, end := whole.Buffer, io.EOF
	if !isWhole {
		buffer = message.NewBuffer()
		// One byte more than the bound shows whether the body goes beyond it, whatever
		// Content-Length promises.
		_, end = io.CopyN(buffer, r.Body, rewrite.MaxBuffered+1)
	}
	switch {
	case end != nil && end != io.EOF: //nolint:errorlint // CopyN returns it as it is
		return refusal.Of(end)
	// A chunked request may end without a byte, and has no Content-Length.
	case buffer.Len() == 0:
		return nil
	case err != nil:
		return err
	}
	// Beyond the bound the body is a stream, whose lifted length is unknown.
	if end == nil { // there is more
		in := &rewrite.Source{Reader: io.MultiReader(buffer, r.Body)}
		long, encoding := rewrite.New(plan, in, rewrite.Mode{Strict: true, Lost: new(int64)}),
			r.Header.Get("Content-Encoding")
		refuse := func(err error) error { return refusal.Encoded(refusal.Of(err), encoding) }
		r.Body = &message.Pulled{Closer: r.Body, Next: func(n int) ([]byte, error) { return long.Piece(n, refuse) }}
		r.ContentLength = -1
		r.Header.Del("Content-Length")
		return nil
	}
	if !isWhole {
		defer message.Buffers.Put(buffer)
	}
	m := rewrite.Mode{Strict: true}
	if buffer.Len() > rewrite.MaxBuffered {
		m.Lost = new(int64)
	}
	body, err := lift(plan, buffer, m, r.Header.Get("Content-Encoding"))
	if err == nil {
		message.SetBody(r, body)
	}
	return err
}

// body returns the plan of a body of a type, a form or not, or nil. An error refuses a non-empty
// body.
func (e *Edition) body(method, contentType string) (plan *rewrite.Node, form *params.Plan, err error) {
	d := e.bodies.Direction(method)
	plan, form = e.up[d], e.form[d]
	contentType, isThere := e.newestType(contentType)
	switch {
	case !isThere:
		return nil, nil, refusal.New(refusal.UnsupportedMediaType, nil)
	case message.IsForm(contentType) && (e.bodies.Form != nil || plan == nil):
		return nil, form, nil
	// A binder may fill the fields of the form from another type.
	case plan == nil && e.formChanges, plan != nil && !e.bodies.Is[declared.AnyType] && !message.IsJSON(contentType):
		return nil, nil, refusal.New(refusal.UnsupportedMediaType, nil)
	}
	return plan, nil, nil
}

// noteUndeclared logs once that a request has a JSON body which the route does not declare, so that it is not lifted.
func (e *Edition) noteUndeclared(contentType string) {
	b := e.bodies
	isPassed := b.Accepts != nil || b.Is[declared.AnyType] || b.Is[declared.Passes(message.MediaType(contentType))]
	if isPassed || len(e.lowered) == 0 || !message.IsJSON(contentType) || e.asked.Swap(true) {
		return
	}
	slog.Warn("migrate: a request has a JSON body that its route does not declare, so it is not lifted: add Accepts", "version",
		e.name)
}

// newestType returns the Content-Type of a request as the newest version has it, and whether the version has the type.
func (e *Edition) newestType(contentType string) (newest string, isThere bool) {
	if e.requests == nil || contentType == "" {
		return contentType, true
	}
	newest = message.MediaType(contentType)
	for _, a := range e.requests {
		if newest, isThere = a.Request(newest); !isThere {
			return contentType, false
		}
	}
	return newest + message.Parameters(contentType), true
}

// setType gives the handler the newest Content-Type. If it differs, the one sent is returned.
func (e *Edition) setType(f message.Fields) (was string) {
	sent := message.Value(f, "Content-Type")
	newest, isThere := e.newestType(sent)
	if !isThere || newest == sent {
		return ""
	}
	f.Set("Content-Type", newest)
	return sent
}

// liftParams lifts what is not the body.
func (e *Edition) liftParams(r *http.Request, f message.Fields) error {
	if e.header != nil {
		if err := e.header.Fields(f); err != nil {
			return err
		}
	}
	// Without a query there may still be parameters to make, such as another default.
	if e.query == nil || r.URL.RawQuery == "" && len(e.query.Made) == 0 {
		return nil
	}
	query, err := e.query.Pairs(r.URL.RawQuery)
	if err != nil || query == r.URL.RawQuery {
		return err
	}
	// A copy: the framework has routed the request by the URL, and a logger may hold it.
	lifted := *r.URL
	lifted.RawQuery = query
	r.URL, r.Form = &lifted, nil
	return nil
}

// lift rewrites the whole body of a request. encoding is its Content-Encoding, which
// what decompresses may have left there.
// So the field alone is not a reason to refuse a body.
func lift(n *rewrite.Node, in *bytes.Buffer, m rewrite.Mode, encoding string) ([]byte, error) {
	r := rewrite.New(n, in, m)
	defer r.Free()
	if err := r.Run(0); err != nil {
		return nil, refusal.Encoded(refusal.Of(err), encoding)
	}
	return bytes.Clone(r.Out), nil
}

// BeginBuffered is begin for a framework that holds whole requests.
func BeginBuffered(e *Edition, method string, request verso.RequestMessage, report Report,
	most int) (func(int, verso.ResponseMessage) error, error) {
	sent := e.tagRequest(message.Buffered{Message: request})
	err := e.refused(e.liftBuffered(method, request))
	if was := e.setType(message.Buffered{Message: request}); was != "" {
		if sent == nil {
			sent = map[string]string{}
		}
		sent["Content-Type"] = was
	}
	// The framework calls this when the handler has returned, also after an error.
	return func(status int, response verso.ResponseMessage) error {
		for name, value := range sent { // middleware outside sees what the client sent
			request.Set(name, value)
		}
		w := newResponse(e, &buffered{ResponseMessage: response}, false)
		w.report, w.most, w.refused = report, most, err != nil
		return w.lower(status, response)
	}, err
}

// liftBuffered is lift for a framework that holds whole requests. A body that no plan reads may be
// a stream, and stays one.
func (e *Edition) liftBuffered(method string, request verso.RequestMessage) error {
	query, header, given := string(request.QueryString()), http.Header{}, message.Memory{Buffer: new(bytes.Buffer)}
	f := message.Buffered{Message: request}
	contentType := message.Value(f, "Content-Type")
	stream, isStream := request.(interface{ IsBodyStream() bool })
	isStream = isStream && stream.IsBodyStream()
	switch plan, form, err := e.body(method, contentType); {
	// A refused stream is not read.
	case isStream && err != nil && message.Value(f, "Content-Length") != "0":
		return err
	case plan != nil, form != nil, err != nil && !isStream:
		given = message.Memory{Buffer: bytes.NewBuffer(request.Body())}
		header.Set("Content-Type", contentType)
		header.Set("Content-Encoding", message.Value(f, "Content-Encoding"))
	case err == nil && !isStream && len(request.Body()) > 0:
		e.noteUndeclared(contentType)
	}
	r := &http.Request{Method: method, URL: &url.URL{RawQuery: query}, Header: header, Body: given,
		ContentLength: int64(given.Len())}
	if err := e.lift(r, f); err != nil {
		return err
	}
	if r.URL.RawQuery != query {
		request.SetQueryString(r.URL.RawQuery)
	}
	switch lifted := r.Body.(type) {
	case message.Memory:
		if lifted != given {
			request.SetBody(lifted.Bytes())
		}
	default:
		body, err := io.ReadAll(lifted)
		if err != nil {
			return err
		}
		request.SetBody(body)
	}
	return nil
}
