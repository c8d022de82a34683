package conformance

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	verso "github.com/goverso/verso/core"
)

// wrapping is middleware that replaces the writer of a response, as compression, caches, entity tags and
// timeouts do. It ends while a response is still rewritten, so an error or a panic is answered after
// its end: then its buffers belong to another response, and its fields describe a discarded body.
type wrapping struct {
	name, kind string
	middleware func(http.Handler) http.Handler // what it is, or nil
	panics     atomic.Bool                     // the handler does
	late       atomic.Int32                    // writes after its end
}

// Wrapping is middleware of net/http with a writer of its own, such as chi's Compress.
type Wrapping struct {
	Name       string
	Middleware func(http.Handler) http.Handler

	// Like is what it does to a response: it "compresses", "holds" all but the fields, "holds-fields" as
	// well, or "answers-late" where nothing was written. "" for what passes all on.
	Like string
}

// Wrappings adds middleware to the group rewrite, and [http.TimeoutHandler], for a mount whose
// Steps have Around.
func Wrappings(own ...Wrapping) Option {
	return func(r *run) {
		for _, w := range append(own, Wrapping{"TimeoutHandler", expiring, "holds-fields"}) {
			r.wrappings = append(r.wrappings, &wrapping{name: w.Name, kind: w.Like, middleware: w.Middleware})
		}
	}
}

// expiring gives one handler no time at all.
func expiring(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		limit := time.Hour
		if r.URL.Path == "/expires" {
			limit = 0
		}
		http.TimeoutHandler(next, limit, "EXPIRED").ServeHTTP(w, r)
	})
}

// wrappings are the kinds. What holds a body sends it when the handler has returned, or after a panic too,
// as a deferred call does.
var wrappings = []string{"holds", "holds-fields", "tags", "compresses", "answers-late"}

// wrapped is the writer that a wrapping gives to what comes next.
type wrapped struct {
	http.ResponseWriter
	of     *wrapping
	ended  bool
	begun  bool // what is compressed
	status int
	own    http.Header   // instead of those of the response, or nil
	held   *bytes.Buffer // nil: the body is not held
	zipped *gzip.Writer
}

// Middleware has such pools: a write after the end goes into another response.
var heldBuffers, zippers = sync.Pool{New: func() any { return new(bytes.Buffer) }}, sync.Pool{New: func() any { return gzip.NewWriter(io.Discard) }}

func (w *wrapping) wrap(outside http.ResponseWriter) (inside http.ResponseWriter, ended func()) {
	in := &wrapped{ResponseWriter: outside, of: w}
	switch w.kind {
	case "compresses":
		in.zipped = zippers.Get().(*gzip.Writer)
		in.zipped.Reset(outside)
	case "holds-fields":
		in.own = outside.Header().Clone()
		fallthrough
	case "holds", "tags":
		in.held = heldBuffers.Get().(*bytes.Buffer)
		in.held.Reset()
	}
	return in, in.end
}

// Unwrap is for [http.ResponseController].
func (w *wrapped) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Header returns the fields that a cache would keep.
func (w *wrapped) Header() http.Header {
	if w.own != nil {
		return w.own
	}
	return w.ResponseWriter.Header()
}

func (w *wrapped) isLate() bool {
	if w.ended {
		w.of.late.Add(1)
	}
	return w.ended
}

// WriteHeader holds the status with the body.
func (w *wrapped) WriteHeader(status int) {
	if w.isLate() || w.status != 0 {
		return
	}
	if w.status = status; w.held == nil && w.zipped == nil {
		w.ResponseWriter.WriteHeader(status)
	}
}

// Write compresses or holds, as the kind does.
func (w *wrapped) Write(p []byte) (int, error) {
	if w.isLate() {
		return len(p), nil
	}
	w.WriteHeader(http.StatusOK)
	switch {
	case w.held != nil:
		return w.held.Write(p)
	case w.zipped != nil:
		if !w.begun {
			w.begun = true
			w.Header().Set("Content-Encoding", "gzip")
			w.Header().Del("Content-Length")
			w.ResponseWriter.WriteHeader(w.status)
		}
		return w.zipped.Write(p)
	}
	return w.ResponseWriter.Write(p)
}

// end sends what is held, and gives the buffers back.
func (w *wrapped) end() {
	w.ended = true
	if w.of.kind == "answers-late" && w.status == 0 && !w.of.panics.Load() {
		w.ResponseWriter.WriteHeader(http.StatusGatewayTimeout)
	}
	if w.zipped != nil {
		if w.begun {
			_ = w.zipped.Close()
		} else if w.status != 0 {
			w.ResponseWriter.WriteHeader(w.status)
		}
		w.zipped.Reset(io.Discard)
		zippers.Put(w.zipped)
	}
	if w.held == nil {
		return
	}
	defer heldBuffers.Put(w.held)
	if w.status == 0 || w.of.kind == "tags" && w.of.panics.Load() && w.status < http.StatusInternalServerError {
		return
	}
	if w.own != nil {
		maps.Copy(w.ResponseWriter.Header(), w.own)
	}
	if w.of.kind == "tags" && w.status == http.StatusOK {
		w.Header().Set("Etag", fmt.Sprintf(`"%d"`, w.held.Len()))
		w.Header().Set("Content-Length", strconv.Itoa(w.held.Len()))
	}
	w.ResponseWriter.WriteHeader(w.status)
	_, _ = w.ResponseWriter.Write(w.held.Bytes())
}

// wrappedAt are the places: inside RewriteErrors, and inside and outside the rewriting of a route.
var wrappedAt = []string{"inside-errors", "inside", "outside"}

// wrappedChecks check each kind in each place.
func wrappedChecks(added []*wrapping) (checks []check) {
	all := slices.Clone(added)
	for _, kind := range wrappings {
		all = append(all, &wrapping{name: kind, kind: kind})
	}
	for _, w := range all {
		for _, place := range wrappedAt {
			checks = append(checks, check{"wrapped/" + w.name + "/" + place, func(tb testing.TB, mount Mount) error {
				tb.Helper()
				return checkWrapped(tb, mount, w, place)
			}})
		}
	}
	return checks
}

// checkWrapped sends requests of the older version behind a wrapping. Status, fields and body have to agree.
func checkWrapped(tb testing.TB, mount Mount, w *wrapping, place string) error {
	tb.Helper()
	wrap := []Middleware{func(s Step) int {
		if w.middleware == nil {
			s.Wrap(w.wrap)
		} else {
			s.Around(w.middleware)
		}
		return 0
	}}
	app := App{API: verso.MustNew(inHeader, serving("v1", "v2")), Around: recovering(http.StatusInternalServerError)}
	group := &Group{Rewriter: new(Shouting)}
	switch place {
	case "inside-errors":
		app.RewriteErrors, app.Before = true, append([]Middleware{hinting}, wrap...)
	case "inside":
		group.AfterCheck = wrap
	default:
		app.Before = wrap
	}
	fields := http.Header{"Cache-Control": {"max-age=60"}, "Etag": {`"handler"`}}
	if w.kind != "holds-fields" { // the server itself cuts its body off
		fields.Set("Content-Length", "4")
	}
	answered, ended := make(chan struct{}), make(chan struct{})
	app.Routes = inGroup(group, answering("GET", "/spoken", "spoken"),
		newRoute("", "", "/missing", func(Call) Response { return Response{Status: http.StatusNotFound, Body: "missing"} }),
		newRoute("", "", "/cannot", func(Call) Response { return Response{Body: "cannot", Set: http.Header{"Etag": {`"handler"`}}} }),
		newRoute("", "", "/fails", func(Call) Response { return Response{Err: errors.New(secret)} }),
		newRoute("", "", "/silent", func(Call) Response { return Response{Silent: true} }),
		newRoute("", "", "/panics", func(Call) Response { panic(errors.New(secret)) }),
		newRoute("", "", "/panics-late", func(Call) Response {
			return Response{Status: http.StatusNotFound, Set: fields, Stream: func(w io.Writer, _ func() error) error {
				_, _ = io.WriteString(w, "held")
				panic(errors.New(secret))
			}}
		}),
		newRoute("", "", "/expires", func(Call) Response {
			<-answered
			return Response{Set: fields, Body: "late", Stream: func(body io.Writer, _ func() error) error {
				defer close(ended)
				_, err := io.WriteString(body, "late")
				return err
			}}
		}))
	server := mount(tb, app)
	var wrong complaints
	for _, asked := range []string{
		"/spoken 200 V1 SPOKEN", "/missing 404 MISSING", "/cannot 500", "/fails 500", "/silent 200", "/refused 409", "/panics 500",
		"/panics-late 500", "/v9 400", "/spoken 200 V1 SPOKEN",
	} {
		wrong = append(wrong, w.ask(server.Address, place, asked))
	}
	if w.name == "TimeoutHandler" && place == "inside-errors" {
		wrong = append(wrong, w.ask(server.Address, place, "/panics 500 RECOVERED"),
			w.ask(server.Address, place, "/hinted 500 RECOVERED"))
	}
	if w.name == "TimeoutHandler" {
		wrong = append(wrong, w.ask(server.Address, place, "/expires 503 EXPIRED"))
		close(answered)
		<-ended
		wrong = append(wrong, w.ask(server.Address, place, "/spoken 200 V1 SPOKEN"))
	}
	return errors.Join(append(wrong, server.stop())...)
}

// hinting sends an informational response before the response of some requests, which is not rewritten.
func hinting(s Step) int {
	if s.Header(callerField) != "" {
		s.Wrap(func(outside http.ResponseWriter) (http.ResponseWriter, func()) {
			outside.WriteHeader(http.StatusEarlyHints)
			return outside, func() {}
		})
	}
	return 0
}

// ask sends a request, and judges what it gets: a path, the status, and the body.
func (w *wrapping) ask(address, place, asked string) error {
	path, want, _ := strings.Cut(asked, " ")
	r, isOutside := get(path, ""), place == "outside"
	r.Headers["Api-Version"], r.Headers["Accept-Encoding"] = []string{"v1"}, []string{"gzip"}
	w.panics.Store(strings.HasPrefix(path, "/panics"))
	if path == "/hinted" {
		r.Target, r.Headers[callerField] = "/panics", []string{"yes"}
	}
	wants := []string{want}
	isAfterwards := path == "/fails" || w.middleware != nil && w.panics.Load() || place == "inside-errors" && (path == "/refused" || path == "/v9")
	if w.kind == "answers-late" && isAfterwards { // the framework answers the error, and nothing was written until then
		wants = append(wants, "504")
	}
	switch path {
	case "/refused":
		r.Target, r.Headers[refuseField] = "/spoken", []string{"yes"}
		if w.kind == "compresses" && place == "inside-errors" {
			wants = append(wants, "500") // the answer is compressed, and then cannot be rewritten
		}
	case "/v9": // the framework itself may answer it, after the end
		if isOutside {
			return nil
		}
		r.Target, r.Headers["Api-Version"] = "/spoken", []string{"v9"}
	case "/spoken", "/missing":
		if w.kind == "compresses" && !isOutside {
			wants = []string{"500"}
		}
	case "/silent":
		if w.kind == "answers-late" {
			wants = []string{"504"}
		}
	case "/panics-late": // middleware that sends what it holds, as it does without a rewriting
		if strings.HasPrefix(w.kind, "holds") && place == "inside-errors" {
			wants = append(wants, "404 HELD", "404 HELDRECOVERED")
		}
	}
	got, err := r.send(address)
	if err != nil {
		return fmt.Errorf("GET %s: %w", path, err)
	}
	var wrong complaints
	body := string(got.body)
	if got.header.Get("Content-Encoding") == "gzip" {
		body, err = unzipped(got.body)
		wrong = append(wrong, err)
	}
	text := strings.TrimSpace(fmt.Sprintf("%d %s", got.status, body))
	wrong.unless(slices.ContainsFunc(wants, func(want string) bool {
		return text == want || got.status >= http.StatusBadRequest && want == strconv.Itoa(got.status)
	}), "it is %.60q", text)
	if got.status == http.StatusInternalServerError {
		wrong.unless(!strings.HasPrefix(body, "\x1f\x8b") && !strings.Contains(body, secret), "the body of the handler: %.60q", body)
		wrong.unless(got.header.Get("Etag")+got.header.Get("Cache-Control") == "", "the fields of another body: %v", got.header)
		wrong.unless(body != "" || path == "/fails", "there is no body")
	}
	wrong.unless(w.late.Swap(0) == 0, "the middleware's writer gets it after its end")
	if err := errors.Join(wrong...); err != nil {
		return fmt.Errorf("GET %s v1, middleware %s, %s: want %q: %w", path, w.name, place, wants, err)
	}
	return nil
}

func unzipped(body []byte) (string, error) {
	r, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return "", fmt.Errorf("its Content-Encoding is gzip: %w", err)
	}
	text, err := io.ReadAll(r)
	return string(text), err
}
