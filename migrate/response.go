package migrate

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	verso "github.com/goverso/verso/core"
)

var errEncoded = errors.New("the response is encoded already: let the compression stand outside of what rewrites")

// response holds the response of a handler, and sends it as the version has it.
type response struct {
	http.ResponseWriter
	e        *edition
	head     bool   // of a HEAD request
	encoding string // Content-Encoding of a compressor outside

	status   int
	lowering *lowering     // nil: the body is passed on
	certain  bool          // that it is lowered
	length   bool          // the handler set Content-Length
	held     *bytes.Buffer // what the handler wrote and is not rewritten
	rewriter *rewriter     // of a response that is streamed
	ended    bool          // the handler writes no more
	sent     bool
	failed   error
	gone     bool // the client does not read any more, which is no failure
	again    bool // the answer to a failure is written
}

func newResponse(e *edition, w http.ResponseWriter, head bool) *response {
	return &response{ResponseWriter: w, e: e, head: head, encoding: w.Header().Get("Content-Encoding")}
}

// Unwrap is for [http.ResponseController].
func (w *response) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *response) WriteHeader(status int) {
	switch {
	case w.status != 0:
		return
	case status < 200:
		w.ResponseWriter.WriteHeader(status)
		return
	}
	h := header{w.Header()}
	w.status = status
	w.e.tagResponse(h)
	w.lowering, w.certain = w.e.lowering(status, h.Get("Content-Type"))
	switch {
	case w.lowering == nil || !w.certain && w.head:
		w.send()
	case w.certain:
		w.begin()
	}
}

// begin says that the body is to be rewritten.
func (w *response) begin() {
	if w.Header().Get("Content-Encoding") != w.encoding {
		w.failed = errEncoded
		return
	}
	w.length = w.Header().Get("Content-Length") != ""
	setBodyFields(header{w.Header()}, w.lowering)
	if w.head {
		w.send()
		return
	}
	w.held = newBuffer()
}

func setBodyFields(f fields, l *lowering) {
	for _, name := range bodyFields {
		f.Del(name)
	}
	if l.mediaType != "" {
		f.Set("Content-Type", l.mediaType)
	}
}

func (w *response) send() {
	if !w.sent {
		w.sent = true
		w.ResponseWriter.WriteHeader(w.status)
	}
}

func (w *response) Write(p []byte) (int, error) {
	if w.status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	if w.lowering != nil && !w.certain && !w.head && len(p) > 0 {
		if w.certain = true; beginsLikeJSON(p) {
			w.begin()
		} else {
			w.lowering = nil
			w.send()
		}
	}
	switch {
	case w.failed != nil:
		return 0, w.failed
	case w.lowering == nil:
		return w.ResponseWriter.Write(p)
	case w.head || len(p) == 0:
		return len(p), nil
	}
	w.held.Write(p)
	due := maxBuffered
	if w.rewriter != nil { // an unfinished string is read again from its begin: wait until as much has come
		due = len(w.rewriter.dec.UnreadBuffer())
	}
	if w.held.Len() <= due {
		return len(p), nil
	}
	return len(p), w.push()
}

// FlushError sends what is rewritten so far, for [http.ResponseController].
func (w *response) FlushError() error {
	if w.status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	if w.lowering != nil && !w.certain && !w.head {
		w.certain = true
		w.begin()
	}
	if w.held != nil && w.failed == nil {
		_ = w.push()
	}
	if w.failed != nil {
		return w.failed
	}
	w.send()
	return http.NewResponseController(w.ResponseWriter).Flush()
}

// Flush implements [http.Flusher].
func (w *response) Flush() { _ = w.FlushError() }

// feed is what a response that is streamed has written.
type feed struct{ *response }

func (f feed) Read(p []byte) (int, error) {
	if f.held.Len() == 0 && !f.ended {
		return 0, errMore
	}
	return f.held.Read(p)
}

// push rewrites and sends what has come.
func (w *response) push() error {
	if w.rewriter == nil {
		w.rewriter = newRewriter(w.lowering.plan, feed{w}, false, true)
		w.rewriter.lines = isLines(w.Header().Get("Content-Type"))
	}
	for full := true; full && w.failed == nil; {
		err := w.rewriter.run(32 << 10)
		if full = errors.Is(err, errFull); err == nil || full || errors.Is(err, errMore) {
			w.sendRewritten(w.rewriter)
		} else {
			w.failed = err
		}
	}
	return w.failed
}

// sendRewritten sends what a rewriter has rewritten.
func (w *response) sendRewritten(r *rewriter) {
	if len(r.out) == 0 {
		return
	}
	w.send()
	if _, err := w.ResponseWriter.Write(r.out); err != nil {
		w.failed, w.gone = err, true
	}
	r.out = r.out[:0]
}

// sendHeld rewrites and sends the whole response.
func (w *response) sendHeld() {
	r := newRewriter(w.lowering.plan, w.held, true, true)
	defer r.free()
	r.lines = isLines(w.Header().Get("Content-Type"))
	if w.failed = r.run(0); w.failed != nil {
		return
	}
	if w.length {
		w.Header().Set("Content-Length", strconv.Itoa(len(r.out)))
	}
	w.sendRewritten(r)
}

// Finish implements [verso.Rewriting].
func (w *response) Finish() error {
	w.ended = true
	switch {
	case w.failed != nil:
	case w.status == 0: // a framework may still write the status
		w.e.tagResponse(header{w.Header()})
	case w.rewriter != nil:
		_ = w.push()
	case w.held != nil && w.held.Len() > 0:
		w.sendHeld()
	default:
		w.send()
	}
	w.free()
	if w.failed == nil || w.gone {
		return nil
	}
	err := fmt.Errorf("migrate: the response in %s: %w", w.e.name, w.failed)
	if w.sent {
		// Who recovers would end the response as if it were whole.
		_ = http.NewResponseController(w.ResponseWriter).SetWriteDeadline(time.Unix(1, 0))
		slog.Error("a response is cut off", "error", err)
		panic(http.ErrAbortHandler)
	}
	again := w.again
	if w.reset(); again {
		w.status = http.StatusInternalServerError
		w.send()
	}
	w.again = true
	return err
}

func (w *response) free() {
	if w.held != nil && w.held.Cap() <= 2*maxBuffered {
		buffers.Put(w.held)
	}
	if w.rewriter != nil {
		w.rewriter.free()
	}
	w.held, w.rewriter = nil, nil
}

// Recover implements [verso.Rewriting].
func (w *response) Recover(restart func()) {
	cause := recover()
	if cause == nil {
		return
	}
	if !w.sent {
		w.reset()
		restart()
	}
	panic(cause)
}

// reset forgets a response that was not sent.
func (w *response) reset() {
	w.free()
	for _, name := range append([]string{"Etag", "Content-Type"}, bodyFields...) {
		delete(w.Header(), name)
	}
	if w.encoding == "" {
		w.Header().Del("Content-Encoding")
	}
	*w = *newResponse(w.e, w.ResponseWriter, w.head)
}

// lower rewrites a response whose body is a buffer.
func (e *edition) lower(status int, response verso.Message) error {
	e.tagResponse(response)
	body, contentType := response.Body(), string(response.Peek("Content-Type"))
	l, certain := e.lowering(status, contentType)
	if l == nil || len(body) == 0 || !certain && !beginsLikeJSON(body) {
		return nil
	}
	err := errEncoded
	if len(response.Peek("Content-Encoding")) == 0 {
		r := newRewriter(l.plan, bytes.NewBuffer(body), true, true)
		defer r.free()
		r.lines = isLines(contentType)
		if err = r.run(0); err == nil {
			setBodyFields(response, l)
			response.SetBody(bytes.Clone(r.out))
			return nil
		}
	}
	return fmt.Errorf("migrate: the response in %s: %w", e.name, err)
}
