package twins

import (
	"bufio"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"time"
)

// Text returns a request as it is sent.
func (r Request) Text() string {
	text := r.Method + " " + r.Target + " HTTP/1.1\r\nHost: " + r.Host + "\r\nTwin: " + r.Twin + "\r\n"
	if r.Version != "" {
		text += "Api-Version: " + r.Version + "\r\n"
	}
	if r.Gzip {
		text += "Accept-Encoding: gzip\r\n"
	}
	return text + "\r\n"
}

// Unsent is the status of a text that HTTP does not allow as a request.
const Unsent = -2

// Plain returns an outcome whose body is not compressed.
func (o Outcome) Plain() Outcome {
	if o.Header.Get("Content-Encoding") != "gzip" || o.Body == "" {
		return o
	}
	reader, err := gzip.NewReader(strings.NewReader(o.Body))
	if err != nil {
		return o
	}
	if text, err := io.ReadAll(reader); err == nil {
		o.Body = string(text)
		o.Header.Del("Content-Length")
	}
	return o
}

// Serve returns the server of a handler.
func Serve(h http.Handler) Server {
	return Server{func(r Request) Outcome {
		sent, err := http.ReadRequest(bufio.NewReader(strings.NewReader(r.Text())))
		if err != nil {
			return Outcome{Status: Unsent}
		}
		sent.RemoteAddr = "192.0.2.1:1234"
		w := httptest.NewRecorder()
		h.ServeHTTP(w, sent)
		return Outcome{Status: w.Code, Header: w.Header(), Body: w.Body.String()}.Plain()
	}}
}

// Around returns a middleware of net/http. The kind "gzip" compresses, and the kind "timeout" runs the rest in another
// goroutine.
func (e *Env) Around(w Ware) func(http.Handler) http.Handler {
	switch w.Kind {
	case "gzip":
		return Gzip
	case "timeout":
		return func(next http.Handler) http.Handler { return http.TimeoutHandler(next, time.Minute, "") }
	}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			if !e.Enter(r.Header.Get("Twin"), w) {
				rw.WriteHeader(http.StatusForbidden)
				return
			}
			next.ServeHTTP(rw, r)
		})
	}
}

// Wrap puts middlewares around a handler, the first one outermost.
func Wrap(h http.Handler, middleware ...func(http.Handler) http.Handler) http.Handler {
	for _, wrap := range slices.Backward(middleware) {
		h = wrap(h)
	}
	return h
}
