package twins

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"log"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
)

// Text returns a request as it is sent.
func (r Request) Text() string {
	text := r.Method + " " + r.Target + " HTTP/1.1\r\nHost: " + r.Host + "\r\nTwin: " + r.Twin + "\r\n"
	if r.Version != "" {
		text += VersionField + ": " + r.Version + "\r\n"
	}
	if r.Gzip {
		text += "Accept-Encoding: gzip\r\n"
	}
	if r.Skipped {
		text += SkipField + ": 1\r\n"
	}
	if r.Preflight {
		text += "Origin: https://example.org\r\nAccess-Control-Request-Method: GET\r\n"
	}
	return text + "\r\n"
}

// Unsent is the status of a text that HTTP does not allow as a request.
const Unsent = -2

// Plain returns an outcome whose body is not compressed, by one middleware or several. A timeout may lose the field of
// the compression.
func (o Outcome) Plain() Outcome {
	if o.Status == http.StatusNoContent { // a server sends none, whatever a timeout or compression writes
		o.Body = ""
	}
	for strings.HasPrefix(o.Body, "\x1f\x8b") {
		reader, err := gzip.NewReader(strings.NewReader(o.Body))
		if err != nil {
			return o
		}
		text, err := io.ReadAll(reader)
		if err != nil {
			return o
		}
		o.Body = string(text)
		o.Header.Del("Content-Length")
	}
	return o
}

// Serve returns the server of a handler.
func Serve(h http.Handler) Server {
	send := func(r Request) Outcome {
		sent, err := http.ReadRequest(bufio.NewReader(strings.NewReader(r.Text())))
		if err != nil {
			return Outcome{Status: Unsent}
		}
		sent.RemoteAddr = "192.0.2.1:1234"
		w := httptest.NewRecorder()
		h.ServeHTTP(w, sent)
		o := Outcome{Status: w.Code, Header: w.Header(), Body: w.Body.String(), pattern: sent.Pattern}
		o.address = fmt.Sprint(sent.URL, " ", sent.RequestURI)
		return o.Plain()
	}
	return Server{Send: send, Listen: func(l net.Listener) error {
		server := http.Server{Handler: h, ErrorLog: log.New(panics{os.Stderr}, "", 0), ReadHeaderTimeout: time.Minute}
		return server.Serve(l)
	}}
}

// panics writes the panics among what a server logs: a client only sees the end of its connection.
type panics struct{ to io.Writer }

func (p panics) Write(line []byte) (int, error) {
	if bytes.HasPrefix(line, []byte("http: panic")) {
		return p.to.Write(line)
	}
	return len(line), nil
}

// perConnection is how many programs there are for each whose requests come over connections.
const perConnection = 20

// answers sends requests, for some programs over connections, several at once.
func (b built) answers(requests []Request, seed uint64) []Outcome {
	all := make([]Outcome, len(requests))
	if b.listen == nil || seed%perConnection != 0 {
		for i, r := range requests {
			all[i] = b.send(r)
		}
		return all
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	defer func() { _ = listener.Close() }()
	go func() { _ = b.listen(listener) }()
	var sent sync.WaitGroup
	for i, r := range requests {
		sent.Go(func() { all[i] = b.env.take(r.Twin, over(listener.Addr().String(), r)) })
	}
	sent.Wait()
	return all
}

// over sends a request over a connection of its own.
func over(address string, r Request) Outcome {
	connection, err := net.Dial("tcp", address)
	if err != nil {
		panic(err)
	}
	defer func() { _ = connection.Close() }()
	text := strings.Replace(r.Text(), "\r\n\r\n", "\r\nConnection: close\r\n\r\n", 1)
	if _, err = io.WriteString(connection, text); err != nil {
		return Outcome{Status: -1, Body: err.Error()}
	}
	reader := bufio.NewReader(connection)
	got, err := http.ReadResponse(reader, &http.Request{Method: r.Method})
	if err != nil {
		return Outcome{Status: -1, Body: err.Error()}
	}
	defer func() { _ = got.Body.Close() }()
	body, err := io.ReadAll(got.Body)
	if err != nil {
		return Outcome{Status: -1, Body: err.Error()}
	}
	_, _ = io.Copy(io.Discard, reader) // until the middleware around a flushed response has returned
	for _, name := range []string{"Date", "Content-Length", "Connection", "Server"} {
		got.Header.Del(name)
	}
	return Outcome{Status: got.StatusCode, Header: got.Header, Body: string(body)}.Plain()
}

// uniform is for patterns of chi's subrouters, and of a ServeMux.
var uniform = strings.NewReplacer("//", "/", "\t", " ")

// Around returns a middleware of net/http, which notes the pattern behind a handler. The kind "gzip" compresses, and the kind
// "timeout" runs the rest in another goroutine.
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
				rw.WriteHeader(w.Denial())
				return
			}
			next.ServeHTTP(rw, r)
			if twin := r.Header.Get("Twin"); w.Kind == "" && len(notes(e.Trace(twin), "H")) > 0 {
				e.Note(twin, "after M%d %s", w.ID, uniform.Replace(r.Pattern))
			}
		})
	}
}

// Answer answers as the handler of a statement, which leaves another version in the request: it is decided on already.
func (s *Statement) Answer(w http.ResponseWriter, r *http.Request) {
	r.Header.Set(VersionField, Unknown)
	w.Header().Set("Content-Type", "text/plain")
	s.Fields(w.Header().Set)
	w.WriteHeader(s.StatusCode())
	_, _ = fmt.Fprintf(w, "H%d", s.ID)
}

// Relay answers as the handler of a statement whose Opt is "forward " or "relay " and a path: another route of the root
// answers, to the same writer or to its own. It returns false if the Opt is another, or one has done so already.
func (e *Env) Relay(root http.Handler, s *Statement, w http.ResponseWriter, r *http.Request) bool {
	how, path, isOther := strings.Cut(s.Opt, " ")
	twin := r.Header.Get("Twin")
	if !isOther || strings.Contains(strings.Join(e.Trace(twin), " "), "forwards") {
		return false
	}
	to := r.Clone(r.Context())
	if parts := strings.SplitN(r.URL.Path, "/", 4); len(parts[1]) == 2 && parts[1][0] == 'v' {
		path = "/" + parts[1] + path
	} else if len(parts) > 2 && parts[1] == "api" {
		path = "/api/" + parts[2] + path
	}
	to.URL.Path, to.URL.RawPath, to.Pattern = path, "", ""
	if mux, ok := root.(*http.ServeMux); ok { // where Middleware in a group decides on a request of the same route
		if _, pattern := mux.Handler(to); pattern == r.Pattern {
			return false
		}
	}
	if how == "forward" {
		e.Note(twin, "H%d forwards", s.ID)
		root.ServeHTTP(w, to)
		return true
	}
	e.Note(twin, "H%d "+relayed, s.ID)
	answer := httptest.NewRecorder()
	root.ServeHTTP(answer, to)
	maps.Copy(w.Header(), answer.Header())
	w.WriteHeader(answer.Code)
	_, _ = w.Write(answer.Body.Bytes())
	return true
}

// Wrap puts middlewares around a handler, the first one outermost.
func Wrap(h http.Handler, middleware ...func(http.Handler) http.Handler) http.Handler {
	for _, wrap := range slices.Backward(middleware) {
		h = wrap(h)
	}
	return h
}
