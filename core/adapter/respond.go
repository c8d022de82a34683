package adapter

import (
	"errors"
	"net/http"
	"reflect"

	verso "github.com/goverso/verso/core"
)

// Respond answers a rejected request of a framework over net/http: by the error handler of a
// service, and by the answer itself if handle is nil or writes nothing, or if rejected is nil,
// which is what [verso.Answer.Rejected] returns for an error of a rewriter. The Vary and
// Content-Language fields of the answer are set before handle is called. It returns the status of the response: see
// [Binding.NoteAnswer].
func Respond(w http.ResponseWriter, r *http.Request, rejected *verso.Error, answer *verso.Answer,
	handle func(w http.ResponseWriter, r *http.Request, rejected *verso.Error, answer *verso.Answer),
) (status int) {
	if handle != nil && rejected != nil {
		answer.SetFields(w.Header())
		response := &response{ResponseWriter: w, status: answer.Problem.Status}
		handle(response, r, rejected, answer)
		if response.begun {
			return response.status
		}
	}
	answer.ServeHTTP(w, r)
	return answer.Problem.Status
}

// IsTimeout reports whether a writer belongs to [http.TimeoutHandler], which calls the handler in a
// goroutine that may outlive the response.
func IsTimeout(w http.ResponseWriter) bool {
	inside, ok := w.(interface{ Unwrap() http.ResponseWriter })
	return reflect.TypeOf(w).String() == "*http.timeoutWriter" || ok && IsTimeout(inside.Unwrap())
}

// response notes whether an error handler writes: net/http sends an empty 200
// for one that does not.
type response struct {
	http.ResponseWriter
	begun  bool
	status int // of a body without a status, which is never 200, and then of the response
}

// Unwrap is for [http.ResponseController].
func (r *response) Unwrap() http.ResponseWriter { return r.ResponseWriter }

func (r *response) WriteHeader(status int) {
	if !r.begun && status >= http.StatusOK { // any other status is interim
		r.begun, r.status = true, status
	}
	r.ResponseWriter.WriteHeader(status)
}

func (r *response) Write(data []byte) (int, error) {
	if !r.begun {
		r.WriteHeader(r.status)
	}
	return r.ResponseWriter.Write(data)
}

// BodyFields are the fields of a header that describe its body, and how caches may store it. The zero
// BodyFields has none.
type BodyFields [len(bodyFields)][]string

var bodyFields = [...]string{"Accept-Ranges", "Cache-Control", "Content-Encoding", "Content-Length", "Content-Range",
	"Etag", "Expires", "Last-Modified"}

// BodyFieldsOf returns those of a header. An adapter calls it in front of a route that rewrites.
func BodyFieldsOf(h http.Header) (f BodyFields) {
	for i, name := range bodyFields {
		f[i] = h[name]
	}
	return f
}

// Restore gives a header these fields back. An adapter calls it before it answers the failure of a
// [verso.Rewriting]: the answer gets the fields of middleware outside, such as its compression, and loses the
// fields of the body that failed.
func (f *BodyFields) Restore(h http.Header) {
	for i, name := range bodyFields {
		if delete(h, name); len(f[i]) > 0 {
			h[name] = f[i]
		}
	}
}

// Abandon gives a header the fields that it had in front of the route, inside, after a panic of a handler whose
// response is discarded: middleware between has set them, such as Cache-Control, for the answer to
// the panic too. If it returns true, the body is encoded there, and what does so will write the rest: the header has
// the fields of f, so let the rest go to [Discard], and answer the request.
func (f *BodyFields) Abandon(h http.Header, inside BodyFields) (isEncoded bool) {
	const encoding = "Content-Encoding"
	now := h.Get(encoding)
	inside.Restore(h)
	before := h.Get(encoding)
	f.Restore(h)
	if outside := h.Get(encoding); now != outside || before != outside {
		return true
	}
	inside.Restore(h)
	return false
}

// ErrEncoded is why a response is answered with status 500 whose rest goes to [Discard].
var ErrEncoded = errors.New("a handler has panicked behind compression inside RewriteErrors: install that outside")

// Discard is the writer of what comes after a discarded response.
type Discard struct{}

// Header returns a new header.
func (Discard) Header() http.Header { return http.Header{} }

// WriteHeader does nothing.
func (Discard) WriteHeader(int) {}

// Write does nothing.
func (Discard) Write(p []byte) (int, error) { return len(p), nil }
