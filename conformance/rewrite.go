package conformance

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	verso "github.com/goverso/verso/core"
)

// rewritings are groups whose bodies are rewritten for v1, by [Group.Rewriter]. In their sheets
// middleware inside the rewriting has a "+" behind the version, and a rewritten response has
// "rewritten" and its status. The place of the rewriting between the middlewares decides on the
// errors and panics that clients of older versions see, so each place is tried, with a handler
// that answers, fails, streams and panics.
var rewritings = []groupCheck{
	{"places", inHeader, serving("v1", "v2"), rewritten(App{})},
	{"behind-errors", inHeader, serving("v1", "v2"), rewritten(App{RewriteErrors: true})},
	{"panics", inHeader, serving("v1", "v2"), rewritten(App{Around: recovering(http.StatusInternalServerError)})},
	{"panics-inside", inHeader, serving("v1", "v2"),
		rewritten(App{RewriteErrors: true, Around: recovering(http.StatusInternalServerError)})},
	{"panics-without-status", inHeader, serving("v1", "v2"),
		rewritten(App{RewriteErrors: true, Around: recovering(0)})},
	{"written-outside", inHeader, serving("v1", "v2"), rewritten(App{Around: trailing})},
	{"written-inside", inHeader, serving("v1", "v2"), rewritten(App{RewriteErrors: true, Around: trailing})},
	{"own-errors", inHeader, serving("v1", "v2"), rewritten(App{ErrorHandler: handled})},
	{"default", inHeader, serving("v1", "v2"), App{Mounts: []Mounted{{defaulted, mounted}},
		Routes: inGroup(defaulted, answering("GET", "/said", "said"), answering("GET", "/x", "").choosing(choice))}},
	{"each", inPrefix, byDefault(), App{Routes: inGroup(
		&Group{Within: &Group{EachVersion: true}, Prefix: "/api", Rewriter: new(Shouting), AfterCheck: ran("b")},
		answering("GET", "/said", "said"),
	)}},
}

// defaulted rewrites routes with one handler. It is not for those with a handler for each
// version, where a service with both has it on the group of all routes.
var defaulted = &Group{Rewriter: &Shouting{isDefault: true}}

// rewriteMistakes are handlers for each version, which write the bodies of their versions.
var rewriteMistakes = []groupCheck{
	mistake("handlers", inHeader, App{Routes: inGroup(&Group{Rewriter: new(Shouting)},
		answering("GET", "/x", "").choosing(choice))}),
	mistake("registered", inHeader, App{Mounts: []Mounted{{&Group{Rewriter: new(Shouting)},
		map[string]*MountedVersion{"v1": {nil, []Route{answering("GET", "/x", "x")}}}}}}),
}

// rewritten adds routes with a rewriter and a route without to an application. The routes are
// alike in all groups, so that a sheet differs from another one only where the place of the
// rewriting matters.
func rewritten(app App) App {
	inside := &Group{Within: &Group{AfterCheck: ran("a")}, Rewriter: new(Shouting), AfterCheck: ran("b")}
	add := func(pattern string, response Response) {
		app.Routes = append(app.Routes, newRoute("", "", pattern, func(Call) Response { return response }))
	}
	add("/missing", Response{Status: http.StatusNotFound, Body: "missing"})
	add("/nothing", Response{Status: http.StatusNoContent})
	// A body that cannot be rewritten must not leave at all, nor may the cause.
	add("/cannot", Response{Body: "cannot: " + secret})
	add("/fails", Response{Err: errors.New(secret)})
	// The slash in the answer shows that a flush went through, and what was sent before it.
	add("/streams", Response{Stream: func(w io.Writer, flush func() error) error {
		_, err := io.WriteString(w, "one ")
		err = errors.Join(err, flush())
		_, last := io.WriteString(w, "two")
		return errors.Join(err, last)
	}})
	// What was written before the panic was held, so it must not be a part of the answer to the
	// panic.
	add("/panics-late", Response{Status: http.StatusNotFound, Stream: func(w io.Writer, _ func() error) error {
		_, _ = io.WriteString(w, "held")
		panic(errors.New(secret))
	}})
	app.Routes = append(inGroup(inside, append(app.Routes,
		newRoute("", "", "/asked", func(call Call) Response { return Response{Body: "asked " + call.Query("new")} }),
		answering("GET", "/said", "said"),
		newRoute("", "", "/panics", func(Call) Response { panic(errors.New(secret)) }),
	)...), answering("GET", "/plain", "plain").checks())
	return app
}

// recovering is an [App.Around] that answers a panic. Recover middleware of frameworks writes a
// status or leaves it to the framework (0).
func recovering(status int) func(func() error, func(int, string)) error {
	return func(next func() error, write func(int, string)) error {
		defer func() {
			if recover() != nil {
				write(status, "recovered")
			}
		}()
		return next()
	}
}

// trailing is an [App.Around] that writes something else. Middleware that appends to a response
// is rare but real, such as a profiler's comment. Inside the rewriting it is a part of the
// body, outside it is not.
func trailing(next func() error, write func(int, string)) error {
	defer write(0, "tail")
	return next()
}

// rewriteChecks send requests to routes that rewrite.
func rewriteChecks() []check {
	return slices.Concat(wrappedChecks(),
		groupChecks("rewrite", slices.Concat(rewritings, rewriteMistakes, rewriteOversights)), []check{
			{"written-once", checkWrittenOnce},
			{"recovers", checkRecovers},
			{"error-passed-on", checkErrorPassedOn},
			{"failed-fields", checkFailedFields},
			{"request-fields", checkRequestFields},
			{"read-before/query", checkReadBefore(false)},
			{"read-before/form", checkReadBefore(true)},
			{"spellings", checkSpellings},
			{"rewriter-panics/outside", rewriterPanics(false)},
			{"rewriter-panics/inside", rewriterPanics(true)},
		})
}

// rewriting mounts an application whose routes have a rewriter. Observe is set, since adapters
// defer its call, and the order of deferred calls matters for a panic.
func rewriting(tb testing.TB, mount Mount, app App, routes ...Route) (*Server, *Shouting) {
	tb.Helper()
	rewriter, config := new(Shouting), serving("v1", "v2")
	config.Observe = func(context.Context, verso.Observation) {}
	app.API, app.Routes = verso.MustNew(inHeader, config), inGroup(&Group{Rewriter: rewriter}, routes...)
	return mount(tb, app), rewriter
}

// checkWrittenOnce checks that what a handler writes reaches the rewriter once, in the pieces
// in which it is written, so that its work is linear. An adapter that copies a response into a
// buffer again at each write takes quadratic time: seconds for a large export.
func checkWrittenOnce(tb testing.TB, mount Mount) error {
	tb.Helper()
	const pieces, size = 256, 4 << 10
	piece := strings.Repeat("s", size)
	server, rewriter := rewriting(tb, mount, App{},
		newRoute("", "", "/whole", func(Call) Response { return Response{Body: strings.Repeat(piece, pieces)} }),
		newRoute("", "", "/streamed", func(Call) Response {
			return Response{Stream: func(w io.Writer, _ func() error) (err error) {
				for range pieces {
					_, err = io.WriteString(w, piece)
				}
				return err
			}}
		}),
	)
	var wrong complaints
	for _, path := range []string{"/whole", "/streamed"} {
		rewriter.bytes.Store(0)
		r := get(path, "")
		r.Headers["Api-Version"] = []string{"v1"}
		got, err := r.send(server.Address)
		switch wrong = append(wrong, err); {
		case err != nil, path == "/streamed" && rewriter.begun.Load() == 0: // a buffer has no stream
		default:
			wrong.unless(strings.Count(string(got.body), "S") == pieces*size,
				"GET %s v1: the body of %d bytes is not the whole one, rewritten", path, len(got.body))
			wrong.unless(rewriter.bytes.Load() == pieces*size,
				"GET %s v1: %d bytes reach the rewriter instead of %d: each once", path, rewriter.bytes.Load(),
				pieces*size)
		}
	}
	return errors.Join(append(wrong, server.stop())...)
}

// checkRecovers checks that a rewriting sees the panic of a handler. A rewriting that does not
// see the panic has a held body left, which the recover middleware then completes: half a
// response in the newest form.
func checkRecovers(tb testing.TB, mount Mount) error {
	tb.Helper()
	server, rewriter := rewriting(tb, mount, App{},
		newRoute("", "", "/panics", func(Call) Response { panic(errors.New(secret)) }))
	_, _ = parseAsking("GET /panics v1").sendTo(server.Address) // a panic may break the connection
	var wrong complaints
	wrong.unless(rewriter.recovered.Load() == rewriter.begun.Load(),
		"Recover sees %d of %d panics: it has to be deferred", rewriter.recovered.Load(), rewriter.begun.Load())
	return errors.Join(append(wrong, server.stop())...)
}

// checkErrorPassedOn checks that middleware outside gets the error of a handler whose response
// is rewritten, and of a rewriting that fails, if it gets the errors of other handlers. Logging and
// tracing middleware goes by the error. A failure that only clients of an old version have would be
// missing from the log.
func checkErrorPassedOn(tb testing.TB, mount Mount) error {
	tb.Helper()
	var failed atomic.Bool
	app := App{Around: func(next func() error, _ func(int, string)) error {
		err := next()
		failed.Store(err != nil)
		return err
	}}
	server, _ := rewriting(tb, mount, app,
		newRoute("", "", "/fails", func(Call) Response { return Response{Err: errors.New(secret)} }),
		newRoute("", "", "/cannot", func(Call) Response { return Response{Body: "cannot"} }))
	var wrong complaints
	_, err := parseAsking("GET /fails v2").sendTo(server.Address)
	want := failed.Load()
	for _, path := range []string{"/fails", "/cannot"} {
		_, other := parseAsking("GET " + path + " v1").sendTo(server.Address)
		wrong = append(wrong, other)
		wrong.unless(failed.Load() == want,
			"GET %s v1: middleware outside the rewriting gets no error, unlike in the newest version", path)
	}
	return errors.Join(append(wrong, err, server.stop())...)
}

// checkFailedFields checks that the answer to a body that cannot be rewritten has no field of that body, and
// those of middleware outside. A cache would store a 500 for as long as the handler wants, and send it for the
// ETag of the handler; with the handler's length, half of the answer is sent.
func checkFailedFields(tb testing.TB, mount Mount) error {
	tb.Helper()
	outer := http.Header{"Cache-Control": {"private"}, "X-Outer": {"stays"}}
	of := func(body string) func(Call) Response {
		return func(Call) Response {
			return Response{Body: body, Set: http.Header{"Cache-Control": {"max-age=60"}, "Content-Length": {"6"}, "Etag": {`"tag"`},
				"Expires": {"Fri, 31 Dec 2100 00:00:00 GMT"}, "Last-Modified": {"Mon, 01 Jan 2024 00:00:00 GMT"}}}
		}
	}
	var wrong complaints
	for _, inside := range []bool{false, true} {
		server, _ := rewriting(tb, mount, App{Outer: outer, RewriteErrors: inside},
			newRoute("", "", "/cannot", of("cannot")), newRoute("", "", "/can", of("tagged")))
		for path, want := range map[string]string{"/cannot": "private   ", "/can": `max-age=60 "tag" Fri, 31 Dec 2100 00:00:00 GMT Mon, 01 Jan 2024 00:00:00 GMT`} {
			r := get(path, "")
			r.Headers["Api-Version"] = []string{"v1"}
			got, err := r.send(server.Address)
			if wrong = append(wrong, err); err != nil {
				continue
			}
			fields := strings.Join([]string{got.header.Get("Cache-Control"), got.header.Get("Etag"), got.header.Get("Expires"),
				got.header.Get("Last-Modified")}, " ")
			wrong.unless(fields == want && got.header.Get("X-Outer") == "stays",
				"GET %s v1 (RewriteErrors: %v) with status %d has the fields %q instead of %q", path, inside, got.status, fields, want)
			wrong.unless(path == "/can" || got.status == http.StatusInternalServerError && len(got.body) != len("cannot"),
				"GET %s v1 (RewriteErrors: %v) gets status %d and %q: the answer to a failure, whole", path, inside, got.status, got.body)
		}
		wrong = append(wrong, server.stop())
	}
	return errors.Join(wrong...)
}

// checkRequestFields checks that what is outside the rewriting sees the fields of the request
// as they were sent when the handler has returned: Finish gives them back. A logger or an ETag
// middleware outside compares with the fields of the client, not with those for the handler.
func checkRequestFields(tb testing.TB, mount Mount) error {
	tb.Helper()
	var seen atomic.Pointer[[]string]
	app := App{Client: func(s Step) string {
		seen.Store(&[]string{s.Header("If-None-Match"), s.Header("Range"), s.Header(rewritingField)})
		return ""
	}}
	server, _ := rewriting(tb, mount, app, answering("GET", "/said", "said"))
	r := get("/said", "")
	r.Headers["Api-Version"], r.Headers["If-None-Match"], r.Headers["Range"] = []string{"v1"}, []string{`"sent"`},
		[]string{"bytes=0-3"}
	_, err := r.send(server.Address)
	var got []string
	if soon(func() bool { return seen.Load() != nil }) {
		got = *seen.Load()
	}
	var wrong complaints
	wrong.unless(slices.Equal(got, []string{`"sent"`, "bytes=0-3", ""}),
		"outside the rewriting If-None-Match, Range and %s of the request are %q: Finish has to be called when the handler has returned", rewritingField, got)
	return errors.Join(append(wrong, err, server.stop())...)
}

// rewriterPanics checks that a rewriter that panics does no more harm than a handler. The
// second request shows that no lock, no pooled buffer and no process was lost with the first.
func rewriterPanics(inside bool) func(testing.TB, Mount) error {
	return func(tb testing.TB, mount Mount) error {
		tb.Helper()
		server, _ := rewriting(tb, mount, App{RewriteErrors: inside},
			newRoute("", "", "/bad", func(Call) Response { return Response{Body: "panic"} }),
			answering("GET", "/said", "said"))
		var wrong complaints
		got, err := parseAsking("GET /bad v1").sendTo(server.Address)
		wrong.unless(err != nil || strings.HasPrefix(got, "500 "),
			"GET /bad v1 gets %q, but its rewriter panics: status 500, or no response", got)
		wrong = append(wrong, checkRan(server.Address, "GET /said v1: 200 V1 SAID | rewritten@200"), server.stop())
		return errors.Join(wrong...)
	}
}

// Shouting is the [verso.Rewriter] of the suite: it writes bodies of v1 in upper case,
// renames the parameter "old" of queries and forms to "new", changes the value "same" of another one,
// refuses requests with a field X-Refuse, cannot rewrite a body beginning with "cannot" or compressed by
// gzip, and panics at a body beginning with "panic". It changes the case of letters, where a real rewriter changes JSON, so
// that the suite needs no module but core. The zero Shouting is ready to use.
type Shouting struct {
	bytes            atomic.Int64 // of bodies that it was given
	begun, recovered atomic.Int32
	isDefault        bool
}

const (
	refuseField    = "X-Refuse"
	rewritingField = "X-Rewriting" // that the rewriter adds to the request
	rewrittenField = "X-Rewritten" // of the response
)

// refusal is the error of a refused request. A rewriter may refuse a request with an error of
// its own, which frameworks answer by its StatusCode.
type refusal struct{}

// The three methods are what an adapter may ask of such an error.
func (refusal) Error() string   { return "refused" }
func (refusal) StatusCode() int { return http.StatusConflict }
func (refusal) Problem() verso.Problem {
	return verso.Problem{Type: "about:blank", Title: "Conflict", Status: http.StatusConflict, Detail: "refused",
		Code: "conflict"}
}

// refused returns a nil error, and not a nil value of a type, if the request is fine.
func refused(isRefused bool) error {
	if isRefused {
		return refusal{}
	}
	return nil
}

// shout is the whole rewriting, for a buffer and for a stream.
func shout(body string) (string, error) {
	switch {
	case strings.HasPrefix(body, "cannot"), strings.HasPrefix(body, "\x1f\x8b"): // compressed
		return "", errors.New(secret)
	case strings.HasPrefix(body, "panic"):
		panic(errors.New(secret))
	}
	return strings.ToUpper(body), nil
}

// renamed is an example of all changes of a request: a handler that sees the old name was not
// behind the rewriter.
func renamed(query string) string {
	return strings.NewReplacer("old=", "new=", "stays=same", "stays=other").Replace(query)
}

// formType is the media type of a form.
const formType = "application/x-www-form-urlencoded"

// LowerQuery changes nothing, since the links of these checks have no query.
func (*Shouting) LowerQuery(_ verso.Version, query url.Values) url.Values { return query }

// IsDefault implements [verso.DefaultRewriter].
func (s *Shouting) IsDefault() bool { return s.isDefault }

// Review has nothing to find: findings of rewriters are tested in migrate.
func (s *Shouting) Review(*verso.Versioning) []verso.Finding { return nil }

// Begin copies the header and the URL before it changes them, as the interface asks: middleware
// outside sees the same request.
func (s *Shouting) Begin(v verso.Version, w http.ResponseWriter, r *http.Request) (verso.Rewriting, error) {
	if !v.Is("v1") {
		return nil, nil
	}
	s.begun.Add(1)
	sent := r.Header
	r.Header = sent.Clone()
	r.Header.Set(rewritingField, "yes")
	r.Header.Set("If-None-Match", `"changed"`)
	r.Header.Del("Range")
	restore := func() { r.Header = sent }
	changed := *r.URL
	changed.RawQuery = renamed(changed.RawQuery)
	r.URL, r.Form = &changed, nil
	if r.Header.Get("Content-Type") == formType {
		form, _ := io.ReadAll(r.Body) // each case has a readable body
		if r.PostForm != nil {        // a middleware has read it
			form = []byte(r.PostForm.Encode())
		}
		lifted := renamed(string(form))
		r.Body, r.ContentLength, r.PostForm = io.NopCloser(strings.NewReader(lifted)), int64(len(lifted)), nil
	}
	return &shouted{ResponseWriter: w, of: s, restore: restore}, refused(sent.Get(refuseField) != "")
}

// BeginBuffered is for frameworks that hold whole messages, such as Fiber on fasthttp.
func (s *Shouting) BeginBuffered(v verso.Version, _ string,
	request verso.RequestMessage) (func(int, verso.ResponseMessage) error, error) {
	if !v.Is("v1") {
		return nil, nil
	}
	line := func(field string) string { return string(bytes.Join(request.PeekAll(field), nil)) }
	tags, ranges := line("If-None-Match"), line("Range")
	request.Set(rewritingField, "yes")
	request.Set("If-None-Match", `"changed"`)
	request.Del("Range")
	request.SetQueryString(renamed(string(request.QueryString())))
	if line("Content-Type") == formType {
		request.SetBody([]byte(renamed(string(request.Body()))))
	}
	return func(status int, response verso.ResponseMessage) error {
		request.Del(rewritingField)
		request.Set("If-None-Match", tags)
		request.Set("Range", ranges)
		if response.IsBodyStream() {
			return errors.New("a stream cannot be shouted")
		}
		s.bytes.Add(int64(len(response.Body())))
		body, err := shout(string(response.Body()))
		if err == nil {
			response.Set(rewrittenField, fmt.Sprintf("rewritten@%d", status))
			response.SetBody([]byte(body))
		}
		return err
	}, refused(line(refuseField) != "")
}

// shouted holds a response until the handler flushes it or has returned.
type shouted struct {
	http.ResponseWriter
	of      *Shouting
	restore func() // gives the request its own fields back
	status  int
	held    strings.Builder
	sent    bool
}

// Unwrap gives [http.ResponseController] the way to deadlines and hijacking.
func (s *shouted) Unwrap() http.ResponseWriter { return s.ResponseWriter }

// WriteHeader holds the status as well: a body that cannot be rewritten becomes a 500.
func (s *shouted) WriteHeader(status int) {
	if s.status == 0 {
		s.status = status
	}
}

// Write counts what it gets, by which a second copy is found.
func (s *shouted) Write(body []byte) (int, error) {
	s.of.bytes.Add(int64(len(body)))
	s.WriteHeader(http.StatusOK)
	return s.held.Write(body)
}

// FlushError is for [http.ResponseController]. It marks the place with a slash.
func (s *shouted) FlushError() error {
	_, _ = s.held.WriteString("/")
	s.WriteHeader(http.StatusOK)
	return errors.Join(s.send(), http.NewResponseController(s.ResponseWriter).Flush())
}

// Finish gives the request back first, since sending may fail.
func (s *shouted) Finish() error {
	s.restore()
	return s.send()
}

// Nothing is sent before the text is rewritten, so that a failure can still be status 500.
func (s *shouted) send() error {
	body, err := shout(s.held.String())
	s.held.Reset()
	if err != nil {
		s.status = 0
		return err
	}
	if s.status != 0 && !s.sent {
		s.sent = true
		s.Header().Set(rewrittenField, fmt.Sprintf("rewritten@%d", s.status))
		s.ResponseWriter.WriteHeader(s.status)
	}
	if body != "" {
		_, err = io.WriteString(s.ResponseWriter, body)
	}
	return err
}

// Recover repeats the panic, which middleware outside has to see.
func (s *shouted) Recover(restart func()) {
	cause := recover()
	if cause == nil {
		return
	}
	s.restore()
	s.of.recovered.Add(1)
	s.held.Reset()
	if !s.sent {
		s.status = 0
		restart()
	}
	panic(cause)
}
