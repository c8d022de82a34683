package exchange

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/goverso/verso/migrate/internal/message"
	"github.com/goverso/verso/migrate/internal/rewrite"
)

// errEncoded is for the developer: in the client's status 500 only the log has it.
var errEncoded = errors.New("the response is compressed already: install the compression before the rewriting")

// response holds the response of a handler, and sends it as the version has it. A status, fields and a
// body in the newest form go in, by a writer or at once; those of the version come out. WriteHeader decides
// by the status and the type what becomes of the body, Write and Flush feed it, and Finish ends it.
// What fails before the first byte is sent is status 500, so as much as 256 KB is held; beyond that a
// response streams, and a failure cuts the connection. Either way the newest form does not leave.
type response struct {
	http.ResponseWriter
	fields   message.Fields // of its header
	e        *Edition
	report   Report // or nil
	seen     []byte // as much of the response as report needs
	most     int
	request  *http.Request
	outer    http.Header // of the request, as middleware outside has it
	head     bool        // of a HEAD request
	encoding string      // Content-Encoding of a compressor outside
	kind     string      // Content-Type of middleware outside

	status   int
	written  string        // the Content-Type of the handler
	plan     *rewrite.Node // of JSON
	how      treatment
	follows  bool              // the body has a status, and gets the version's
	isWhole  bool              // it is sent as one, whatever its size
	events   *rewrite.Events   // of server-sent events
	length   bool              // the handler set Content-Length
	held     *bytes.Buffer     // what the handler wrote and is not rewritten
	rewriter *rewrite.Rewriter // of a response that is streamed
	ends     bool              // held may have the end of what has begun
	ended    bool              // the handler writes no more
	sent     bool
	failed   error
	gone     bool // the client has disconnected, which is not a failure
	again    bool // the answer to a failure is written
	panicked bool // middleware outside answers
	refused  bool // no handler writes this response
}

// newResponse notes the Content-Encoding that a compressor outside has set: if the handler adds
// one, its body cannot be read. The compressor inside, if there is one, sets the field later.
func newResponse(e *Edition, w http.ResponseWriter, head bool) *response {
	return &response{ResponseWriter: w, fields: message.Header{Header: w.Header()}, e: e, head: head,
		encoding: w.Header().Get("Content-Encoding"), kind: w.Header().Get("Content-Type")}
}

// Unwrap is for [http.ResponseController].
func (w *response) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader decides what becomes of the body, but does not send the status: it would be too late for
// a 500. Informational ones go at once, as net/http has it.
func (w *response) WriteHeader(status int) {
	switch {
	case w.status != 0:
		return
	case status < 200:
		w.ResponseWriter.WriteHeader(status)
		return
	}
	// Also for a body that stays, the tag and the fields have the form of the version: caches and
	// clients compare them with their own.
	h := w.fields
	w.status, w.written = status, message.Value(h, "Content-Type")
	w.e.tagResponse(h)
	w.e.headers(h, status)
	if w.plan, w.how = w.e.lowering(status, w.written); w.how != passed {
		w.held = message.NewBuffer()
	}
	w.follows = w.e.follows(status, w.written)
	// Its status is a member that can be anywhere, so the body is rewritten as one.
	w.isWhole = w.isWhole || w.follows
	if older := w.e.mediaTypeOf(status, w.written); older != "" {
		h.Set("Content-Type", older+message.Parameters(w.written))
	}
	if message.IsBodyless(w.e.StatusOf(status)) && !message.IsBodyless(status) { // older clients read no body
		w.head, w.how = true, omitted
		for _, name := range append([]string{"Content-Type"}, message.BodyFields...) {
			h.Del(name)
		}
		w.send()
	}
	switch {
	case w.how == passed:
		w.send()
	case w.how == sniffed && w.head: // what the body would be is not known, and so is its length
		h.Del("Content-Length")
		w.send()
	case w.how == lowered, w.how == streamed:
		w.begin()
	// An error without a declared type is looked at for the newest form of edited types. Without a
	// readable body there is nothing to look at, and the answer to a failure is the service's own.
	case w.how == judged && (w.head || w.again && !w.follows || w.compressed()):
		w.how = passed
		w.send()
	}
}

func (w *response) compressed() bool {
	encoding := message.Value(w.fields, "Content-Encoding")
	return encoding != w.encoding && encoding != "identity"
}

// begin prepares the rewriting of the body. A body that the handler has compressed cannot be
// read. Taking the compression off would undo what the handler wanted, and the middleware for
// it can be installed outside.
func (w *response) begin() {
	if w.compressed() {
		w.failed = errEncoded
		return
	}
	// The length is set again if the handler has set one: some clients need it, and a chunked response
	// would have none.
	w.length = message.Value(w.fields, "Content-Length") != ""
	// After an edit a digest or a length is wrong, and clients that check it would refuse the response.
	for _, name := range message.BodyFields {
		w.fields.Del(name)
	}
	if w.plan != nil && w.plan.MediaType != "" {
		w.fields.Set("Content-Type", w.plan.MediaType)
	}
	switch {
	case w.head:
		w.send()
	case w.how == streamed:
		w.events = &rewrite.Events{Lower: w.e.lowerEvent}
	}
}

// sniff decides on a body without a type. Space may come before JSON. net/http, too, finds the
// type in the first bytes, so a handler without a Content-Type is an ordinary case.
func (w *response) sniff(p []byte) {
	w.held.Write(p)
	// net/http would call white space text/plain, and the JSON behind it would pass.
	if len(bytes.TrimSpace(p)) == 0 {
		return
	}
	switch w.how = w.e.sniffed(w.held.Bytes()); w.how {
	case passed:
		w.pass()
	case refused:
		w.failed = w.e.undeclared(w.status, http.DetectContentType(w.held.Bytes()))
	default:
		w.begin()
	}
}

// pass sends the body without rewriting it.
func (w *response) pass() {
	w.how = passed
	w.give(w.held.Bytes())
}

// give sends a part of the body, and returns its buffer. A client that has disconnected is not a
// failure of the service, so it is not logged as one.
func (w *response) give(p []byte) (empty []byte) {
	w.send()
	if _, err := w.write(p); err != nil && w.failed == nil {
		w.failed, w.gone = err, true
	}
	return p[:0]
}

// write writes to the client, and to a test.
func (w *response) write(p []byte) (int, error) {
	if w.report != nil && len(w.seen) <= w.most {
		w.seen = append(w.seen, p...)
	}
	return w.ResponseWriter.Write(p)
}

// send sends the status once. Until then the response can still become a 500.
func (w *response) send() {
	if !w.sent {
		w.sent = true
		w.ResponseWriter.WriteHeader(w.e.StatusOf(w.status))
	}
}

// Write takes what the handler writes. After a failure it returns the error, so that a handler that
// looks at it stops producing what nothing will read.
func (w *response) Write(p []byte) (int, error) {
	w.WriteHeader(http.StatusOK) // unless there is a status
	switch {
	// The order matters: a failed response takes nothing more, and a HEAD has no body.
	case w.failed != nil:
	case w.how == passed:
		return w.write(p)
	case w.head || len(p) == 0:
	case w.how == refused:
		w.failed = w.e.undeclared(w.status, w.written)
	case w.how == sniffed:
		w.sniff(p)
	// The size is bounded, since it is held whole: it passes or fails as one.
	case w.how == judged:
		if w.held.Write(p); w.held.Len() > rewrite.MaxBuffered && !w.isWhole {
			w.failed = fmt.Errorf("an error of more than %d bytes, which the route does not declare: add Fails",
				rewrite.MaxBuffered)
		}
	case w.how == streamed:
		if w.failed = w.events.Write(p); len(w.events.Out) > rewrite.MaxBuffered && !w.isWhole {
			w.events.Out = w.give(w.events.Out)
		}
	default:
		w.ends = w.ends || bytes.ContainsAny(p, tokenEnds)
		// A handler that writes all at once need not have it in memory twice.
		for rest := p; len(rest) > 0 && w.failed == nil; {
			n := min(len(rest), rewrite.MaxBuffered)
			w.held.Write(rest[:n])
			if rest = rest[n:]; w.isDue() {
				w.push()
			}
		}
	}
	if w.failed != nil {
		return 0, w.failed
	}
	return len(p), nil
}

// isDue reports whether what has come is to be rewritten: a string that has begun is
// read again from its begin, so that as much is to come as it has.
func (w *response) isDue() bool {
	if w.rewriter == nil {
		return w.held.Len() > rewrite.MaxBuffered && !w.isWhole
	}
	return w.held.Len() > w.rewriter.Unread()
}

// FlushError sends what is rewritten so far, for [http.ResponseController].
func (w *response) FlushError() error {
	w.WriteHeader(http.StatusOK) // unless there is a status
	switch {
	case w.failed != nil || w.head:
	case w.how == refused:
		w.failed = w.e.undeclared(w.status, w.written)
	// Nothing has come but white space. A flush then means a stream, and JSON is the safe guess:
	// anything else fails.
	case w.how == sniffed:
		w.how = lowered
		w.begin()
		fallthrough
	case w.how == lowered:
		if w.isWhole {
			return nil
		}
		// Until its end has come, a long name or number would be read again from its begin.
		if w.failed == nil && (w.ends || w.rewriter == nil || w.rewriter.InText() ||
			len(w.rewriter.Begun()) < rewrite.MinText) {
			w.push()
		}
	case w.how == streamed && len(w.events.Out) > 0:
		w.events.Out = w.give(w.events.Out)
	case w.how == judged: // it is judged whole
		return nil
	}
	if w.failed != nil {
		return w.failed
	}
	w.send()
	return http.NewResponseController(w.ResponseWriter).Flush()
}

// Hijack implements [http.Hijacker], as the writer of the newest version does.
func (w *response) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	connection, buffered, err := http.NewResponseController(w.ResponseWriter).Hijack()
	if err == nil {
		w.status, w.how, w.sent = http.StatusSwitchingProtocols, passed, true
	}
	return connection, buffered, err
}

// Flush implements [http.Flusher].
func (w *response) Flush() { _ = w.FlushError() }

// feed is what a response that is streamed has written. It ends for the decoder where the
// handler has come to, which is not the end of the response.
type feed struct{ *response }

// Read ends with [rewrite.ErrMore] as long as the handler may go on: the decoder then waits at a token.
func (f feed) Read(p []byte) (int, error) {
	if f.held.Len() == 0 && !f.ended {
		return 0, rewrite.ErrMore
	}
	return f.held.Read(p)
}

// tokenEnds may end a name or a number.
const tokenEnds = "\" \t\r\n\x1e,:]}"

// push rewrites and sends what has come. It may be called with any part of the body.
func (w *response) push() {
	if w.rewriter == nil {
		w.rewriter = w.e.rewriter(w.plan, w.written, &rewrite.Source{Reader: feed{w}})
	}
	if w.ends = false; w.rewriter.Records {
		rewrite.Unseparate(w.held.Bytes())
	}
	// A stream of heartbeats would grow without a bound.
	w.held.Next(w.held.Len() - len(bytes.TrimLeft(w.held.Bytes(), w.rewriter.Blanks())))
	// Parts of 32 KB go out while the rest is rewritten, or a long response would be in memory twice.
	for full := true; full && w.failed == nil; {
		err := w.rewriter.Run(32 << 10)
		if full = errors.Is(err, rewrite.ErrFull); err == nil || full || errors.Is(err, rewrite.ErrMore) {
			if len(w.rewriter.Out) > 0 {
				w.rewriter.Out = w.give(w.rewriter.Out)
			}
		} else {
			w.failed = err
		}
	}
}

// sendHeld rewrites and sends the whole response. The answer to a refused request need not have the type that the route
// declares: the error handler of a framework writes it, such as problem details as application/json.
func (w *response) sendHeld() {
	body := w.held.Bytes()
	// The whole response is there, so nothing is sent before all edits have worked.
	r := w.e.rewriter(w.plan, w.written, w.held)
	defer r.Free()
	if w.failed = r.Run(0); w.failed != nil {
		if w.refused && w.e.isNewest(w.status, body) == nil {
			w.failed, w.how = nil, passed
			w.give(body)
		}
		return
	}
	if w.length {
		w.fields.Set("Content-Length", strconv.Itoa(len(r.Out)))
	}
	r.Out = w.give(r.Out)
}

// Finish implements [verso.Rewriting]. The handler has returned, so whatever waits for more is
// complete, or cut off.
func (w *response) Finish() error {
	w.ended = true
	w.restore()
	// net/http would send 200.
	if w.status == 0 && w.e.StatusOf(http.StatusOK) != http.StatusOK && !w.again && !w.panicked {
		w.WriteHeader(http.StatusOK)
	}
	if w.follows && w.held != nil && w.failed == nil {
		w.held = bytes.NewBuffer(w.e.follow(w.status, w.held.Bytes(), w.fields))
	}
	switch {
	case w.failed != nil:
	// Echo and Gin write a status of their own after a handler without one.
	case w.status == 0: // a framework may still write the status
		w.e.tagResponse(w.fields)
		w.e.headers(w.fields, http.StatusOK)
	case w.rewriter != nil:
		w.push()
	case w.how == lowered && w.held.Len() > 0:
		w.sendHeld()
	case w.how == judged:
		if w.failed = w.e.judge(w.status, w.written, w.held.Bytes(), w.refused); w.failed == nil {
			w.pass()
		}
	// A body of white space alone is in no version's form.
	case w.how == sniffed && w.held.Len() > 0:
		w.pass()
	case w.events != nil:
		w.events.Out = w.give(w.events.Out) // clients discard an event without its end
	default:
		w.send()
	}
	w.free()
	if w.failed == nil || w.gone {
		if w.report != nil && w.status != 0 {
			w.report(w.e, w.status, w.written, w.fields, w.seen)
		}
		return nil
	}
	if w.sent {
		// Who recovers would end the response as if it were whole.
		_ = http.NewResponseController(w.ResponseWriter).SetWriteDeadline(time.Unix(1, 0))
		slog.Error("a response is cut off", "error", fmt.Errorf("migrate: the response in %s: %w", w.e.name, w.failed))
		panic(http.ErrAbortHandler)
	}
	// The adapter writes the answer to the error with this writer again. If that fails too, only
	// the status is left.
	err := w.e.logFailure(w.failed)
	again := w.again
	if w.reset(); again {
		w.status = http.StatusInternalServerError
		w.send()
	}
	w.again = true
	return err
}

// restore gives the request its own header back.
// A logger or an ETag middleware outside compares with the client's own fields.
func (w *response) restore() {
	if w.request != nil {
		w.request.Header = w.outer
	}
}

// free gives buffers back to their pools, but for large ones, which would stay in memory. A
// second use of a pooled buffer would write into the body of another request, so both are
// forgotten.
func (w *response) free() {
	if w.held != nil && w.held.Cap() <= 2*rewrite.MaxBuffered {
		message.Buffers.Put(w.held)
	}
	if w.rewriter != nil {
		w.rewriter.Free()
	}
	w.held, w.rewriter = nil, nil
}

// Recover implements [verso.Rewriting].
func (w *response) Recover(restart func()) {
	cause := recover()
	if cause == nil {
		return
	}
	// The answer to a panic, from a middleware outside, is rewritten as any response of the route.
	w.restore()
	if !w.sent {
		w.reset()
		w.panicked = true
		restart()
	}
	panic(cause)
}

// reset forgets an unsent response.
// The answer to the failure is written by the service, in the same response, so no field of the failed
// one may stay; an outer compressor keeps its Content-Encoding, and middleware its Content-Type, which Gin and
// Echo send with a body of JSON.
func (w *response) reset() {
	w.free()
	for _, name := range append([]string{"Etag", "Content-Type"}, message.BodyFields...) {
		w.fields.Del(name)
	}
	if w.encoding == "" {
		w.fields.Del("Content-Encoding")
	}
	if w.kind != "" {
		w.fields.Set("Content-Type", w.kind)
	}
	fresh := newResponse(w.e, w.ResponseWriter, w.head)
	fresh.report, fresh.most, fresh.request, fresh.outer = w.report, w.most, w.request, w.outer
	*w = *fresh
}
