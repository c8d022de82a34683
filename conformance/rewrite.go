package conformance

import (
	"context"
	"errors"
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
	{"errors-inside", inHeader, serving("v1", "v2"), rewritten(App{RewriteErrors: true, Around: answering418})},
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
		newRoute("", "asked", "/asked", func(call Call) Response { return Response{Body: "asked " + call.Query("new")} }),
		newRoute("", "", "/linked", func(call Call) Response {
			link, err := call.Link(verso.Target{Name: "asked", Query: url.Values{"new": {"x"}}})
			return Response{Body: link, Err: err}
		}),
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

// answering418 is an [App.Around] that answers errors, as central error handling does. Frameworks without errors give
// it none.
func answering418(next func() error, write func(int, string)) error {
	if next() != nil {
		write(http.StatusTeapot, "answered")
	}
	return nil
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
// ETag of the handler; with the handler's length, half of the answer is sent. The answer to a panic has those of
// middleware between, too.
func checkFailedFields(tb testing.TB, mount Mount) error {
	tb.Helper()
	outer := http.Header{"Cache-Control": {"private"}, "X-Outer": {"stays"}}
	adding := func(name, value string) []Middleware {
		return []Middleware{func(s Step) int {
			if s.Header(callerField) != "" {
				s.AddField(name, value)
			}
			return 0
		}}
	}
	of := func(body string) func(Call) Response {
		return func(Call) Response {
			return Response{Body: body, Set: http.Header{"Cache-Control": {"max-age=60"}, "Content-Length": {"6"}, "Etag": {`"tag"`},
				"Expires": {"Fri, 31 Dec 2100 00:00:00 GMT"}, "Last-Modified": {"Mon, 01 Jan 2024 00:00:00 GMT"}}}
		}
	}
	var wrong complaints
	for _, inside := range []bool{false, true} {
		server := mount(tb, App{API: verso.MustNew(inHeader, serving("v1", "v2")), Outer: outer, RewriteErrors: inside,
			Before: adding("Expires", "0"), Around: recovering(http.StatusInternalServerError),
			Routes: inGroup(&Group{Rewriter: new(Shouting), AfterCheck: adding("Etag", `"inside"`)},
				newRoute("", "", "/cannot", of("cannot")), newRoute("", "", "/can", of("tagged")),
				newRoute("", "", "/panics", func(Call) Response { panic(errors.New(secret)) }))})
		for path, want := range map[string]string{"/cannot": "private   ", "/panics": "private  0 ",
			"/can": `max-age=60 "tag" Fri, 31 Dec 2100 00:00:00 GMT Mon, 01 Jan 2024 00:00:00 GMT`} {
			r := get(path, "")
			if r.Headers["Api-Version"] = []string{"v1"}; path == "/panics" {
				r.Headers[callerField] = []string{"yes"}
			}
			got, err := r.send(server.Address)
			if wrong = append(wrong, err); err != nil {
				continue
			}
			field := got.header.Get
			fields := strings.Join([]string{field("Cache-Control"), field("Etag"), field("Expires"), field("Last-Modified")}, " ")
			wrong.unless(fields == want && got.header.Get("X-Outer") == "stays",
				"GET %s v1 (RewriteErrors: %v) with status %d has the fields %q instead of %q", path, inside, got.status, fields, want)
			wrong.unless(path == "/can" || got.status == http.StatusInternalServerError && len(got.body) != len("cannot"),
				"GET %s v1 (RewriteErrors: %v) gets status %d and %q: the answer to a failure, whole", path, inside, got.status, got.body)
		}
		wrong = append(wrong, server.stop())
	}
	return errors.Join(wrong...)
}

// checkHijacked checks that the connection of a request is reached behind RewriteErrors as without it, for WebSockets.
func checkHijacked(tb testing.TB, mount Mount) error {
	tb.Helper()
	var reached [2]atomic.Bool
	var wrong complaints
	for i := range reached {
		hijack := func(s Step) int {
			s.Wrap(func(outside http.ResponseWriter) (http.ResponseWriter, func()) {
				if connection, _, err := http.NewResponseController(outside).Hijack(); err == nil {
					reached[i].Store(true)
					_ = connection.Close()
				}
				return outside, func() {}
			})
			return 0
		}
		server, _ := rewriting(tb, mount, App{RewriteErrors: i == 1, Before: []Middleware{hijack}}, answering("GET", "/x", "x"))
		_, _ = parseAsking("GET /x v1").sendTo(server.Address)
		wrong = append(wrong, server.stop())
	}
	wrong.unless(reached[0].Load() == reached[1].Load(), "Hijack succeeds behind RewriteErrors alone, or without it alone")
	return errors.Join(wrong...)
}

// checkDropped checks that a client of an older version does not get the newest body when middleware behind the check
// replaces the context of the request: an adapter with the version there alone has to fail.
func checkDropped(tb testing.TB, mount Mount) error {
	tb.Helper()
	drop := func(s Step) int {
		if s.Around != nil {
			s.Around(func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					next.ServeHTTP(w, r.WithContext(context.Background()))
				})
			})
		}
		return 0
	}
	server := mount(tb, App{API: verso.MustNew(inHeader, serving("v1", "v2")), Routes: inGroup(
		&Group{Within: &Group{AfterCheck: []Middleware{drop}}, Rewriter: new(Shouting)}, answering("GET", "/spoken", "spoken"))})
	got, err := parseAsking("GET /spoken v1").sendTo(server.Address)
	var wrong complaints
	wrong.unless(strings.HasPrefix(got, "500 ") || strings.Contains(got, "SPOKEN"),
		"GET /spoken v1 gets %q, without the context of the check: status 500, or a rewritten body", got)
	return errors.Join(append(wrong, err, server.stop())...)
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
