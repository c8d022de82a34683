package migrate_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
)

var seenTime = time.Unix(1, 0)

type User struct {
	ID     int64  `json:"id"`
	Email  string `json:"email"`
	Status string `json:"status,omitempty"`
	Plan   string `json:"plan,omitempty"`
}

type Users struct {
	Items []User `json:"items"`
}

type Failure struct {
	Detail string `json:"detail"`
}

type OldFailure struct {
	Error string `json:"error"`
}

func users(tb testing.TB) *migrate.History {
	tb.Helper()
	h, err := migrate.New(apiOf("v2", "v1"),
		migrate.Release("v2", migrate.Changed("A mail is an e-mail.",
			migrate.For[User](
				migrate.Renamed("mail", "email"),
				migrate.Values("status", map[string]string{"on": "active"}, migrate.NewValue("pending", "on")),
				migrate.Added("plan", "free")),
			migrate.For[Failure](migrate.Reshaped(nil, func(f Failure) (OldFailure, error) { return OldFailure{f.Detail}, nil }, "application/json")))),
		migrate.Release("v1"))
	require.NoError(tb, err)
	return h
}

func userRoute(tb testing.TB, more ...migrate.Body) *migrate.Route {
	tb.Helper()
	return users(tb).Route(append([]migrate.Body{migrate.Accepts[User](), migrate.Returns[User](), migrate.Fails[Failure](verso.ProblemType), migrate.Passes("text/plain")}, more...)...)
}

// rewritten is what an adapter for net/http does. Its answers to errors are written by
// fail.
func rewritten(rw verso.Rewriter, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rewriting, err := rw.Begin(verso.V(r.Header.Get("Api-Version")), w, r)
		if rewriting == nil {
			next.ServeHTTP(w, r)
			return
		}
		defer func() {
			if cause := recover(); cause == "x" {
				fail(w, errors.New("panic"))
			} else if cause != nil {
				panic(cause)
			}
		}()
		defer rewriting.Recover(func() {})
		if err != nil {
			fail(rewriting, err)
		} else {
			next.ServeHTTP(rewriting, r)
		}
		if err := rewriting.Finish(); err != nil {
			fail(rewriting, err)
			_ = rewriting.Finish()
		}
	})
}

func fail(w http.ResponseWriter, err error) {
	status := http.StatusInternalServerError
	var refused *migrate.Error
	if errors.As(err, &refused) {
		status = refused.Status
	}
	w.Header().Set("Content-Type", verso.ProblemType)
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(Failure{fmt.Sprint("failed: ", err)})
}

func serve(tb testing.TB, handler http.Handler) *httptest.Server {
	tb.Helper()
	server := httptest.NewServer(handler)
	server.Config.ErrorLog = nil
	tb.Cleanup(server.Close)
	return server
}

type answer struct {
	*http.Response
	body string
	err  error
}

func ask(tb testing.TB, method, url, version, body string, header ...string) answer {
	tb.Helper()
	var reader io.Reader
	if body != "" {
		reader = strings.NewReader(body)
	}
	r, err := http.NewRequest(method, url, reader)
	require.NoError(tb, err)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	r.Header.Set("Api-Version", version)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	response, err := http.DefaultClient.Do(r)
	require.NoError(tb, err)
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	return answer{response, string(data), err}
}

func echo(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		fail(w, err)
		return
	}
	w.Header().Set("Content-Type", "text/plain")
	_, _ = fmt.Fprintf(w, "%s %d", body, r.ContentLength)
}

func TestRequestsAreLifted(t *testing.T) {
	long := strings.Repeat("x", 300<<10)
	for _, test := range []struct {
		name, method, version, body string
		header                      []string
		route                       []migrate.Body
		status                      int
		want                        string
	}{
		{name: "POST", method: "POST", version: "v1", body: `{"mail":"a","plan":"admin"}`, want: `{"email":"a","plan":"free"} 27`},
		{name: "the newest version", method: "POST", version: "v2", body: `{"mail": "a"}`, want: `{"mail": "a"} 13`},
		{name: "without a body", method: "POST", version: "v1", want: ` 0`},
		{name: "PUT", method: "PUT", version: "v1", body: `{"mail":"a","plan":"admin"}`, want: `{"email":"a"} 13`},
		{name: "PUT that replaces", method: "PUT", version: "v1", body: `{"mail":"a"}`, route: []migrate.Body{migrate.Replaces()}, want: `{"email":"a","plan":"free"} 27`},
		{name: "PATCH", method: "PATCH", version: "v1", body: `{"mail":"a","PLAN":"admin"}`, want: `{"email":"a"} 13`},
		{name: "PATCH on a route that replaces", method: "PATCH", version: "v1", body: `{"mail":"a"}`, route: []migrate.Body{migrate.Replaces()}, want: `{"email":"a"} 13`},
		{name: "a vendor type", method: "PUT", version: "v1", body: `{"mail":"a"}`, header: []string{"Content-Type", "application/vnd.acme.v1+json"}, want: `{"email":"a"} 13`},
		{name: "text/json", method: "PUT", version: "v1", body: `{"mail":"a"}`, header: []string{"Content-Type", "text/json"}, want: `{"email":"a"} 13`},
		{name: "any type", method: "PUT", version: "v1", body: `{"mail":"a"}`, header: []string{"Content-Type", "application/x-www-form-urlencoded"}, route: []migrate.Body{migrate.AnyType()}, want: `{"email":"a"} 13`},
		{name: "more than is held", method: "PUT", version: "v1", body: `{"mail":"` + long + `"}`, want: `{"email":"` + long + `"} -1`},

		{name: "no JSON", method: "POST", version: "v1", body: `{"mail":`, status: 400, want: `{"error":"failed: the body is not one valid JSON value, or not a valid form"}`},
		{name: "two values", method: "POST", version: "v1", body: `{} {}`, status: 400, want: `{"error":"failed: the body is not one valid JSON value, or not a valid form"}`},
		{name: "two values, the other one long", method: "POST", version: "v1", body: `{"mail":"` + long + `"}{}`, status: 400, want: `{"error":"failed: the body is not one valid JSON value, or not a valid form"}`},
		{name: "a byte order mark", method: "POST", version: "v1", body: "\ufeff{}", status: 400, want: `{"error":"failed: the body is not one valid JSON value, or not a valid form"}`},
		{name: "a member twice", method: "POST", version: "v1", body: `{"mail":"a","mail":"b"}`, status: 400, want: `{"error":"failed: the body is not one valid JSON value, or not a valid form"}`},
		{name: "two spellings", method: "POST", version: "v1", body: `{"mail":"a","MAIL":"b"}`, status: 400, want: `{"error":"failed: the body is not one valid JSON value, or not a valid form"}`},
		{name: "a lone surrogate", method: "POST", version: "v1", body: `{"mail":"\ud800"}`, status: 400, want: `{"error":"failed: the body is not one valid JSON value, or not a valid form"}`},
		{name: "a value of a newer version", method: "POST", version: "v1", body: `{"STATUS":"pending"}`, status: 400, want: `{"error":"failed: the body has a value that this version does not have: \"/STATUS\""}`},
		{name: "a form", method: "POST", version: "v1", body: `mail=a`, header: []string{"Content-Type", "application/x-www-form-urlencoded"}, status: 415, want: `{"error":"failed: the body has a type that this version does not take: send application/json, or a form where the route takes one"}`},
		{name: "a merge patch", method: "PATCH", version: "v1", body: `{}`, header: []string{"Content-Type", "application/merge-patch+json"}, status: 415, want: `{"error":"failed: the body has a type that this version does not take: send application/json, or a form where the route takes one"}`},
		{name: "no type", method: "PATCH", version: "v1", body: `{}`, header: []string{"Content-Type", ""}, status: 415, want: `{"error":"failed: the body has a type that this version does not take: send application/json, or a form where the route takes one"}`},
		{name: "too large", method: "POST", version: "v1", body: `{"mail":"` + strings.Repeat("x", 200<<10) + `"}`, status: 413, want: `{"error":"failed: the body is too large"}`},
		{name: "too large, read late", method: "POST", version: "v1", body: `{"mail":"` + strings.Repeat("x", 600<<10) + `"}`, status: 413, want: `{"error":"failed: the body is too large"}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			limit := int64(400 << 10)
			if test.name == "too large" {
				limit = 100 << 10
			}
			handler := rewritten(userRoute(t, test.route...), http.HandlerFunc(echo))
			server := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				r.Body = http.MaxBytesReader(w, r.Body, limit)
				handler.ServeHTTP(w, r)
			}))
			got := ask(t, test.method, server.URL, test.version, test.body, test.header...)
			require.NoError(t, got.err)
			want := test.status
			if want == 0 {
				want = http.StatusOK
			} else {
				assert.Equal(t, "application/json", got.Header.Get("Content-Type"))
				test.want += "\n"
			}
			assert.Equal(t, want, got.StatusCode)
			assert.Equal(t, test.want, got.body)
		})
	}
}

func TestResponsesAreLowered(t *testing.T) {
	const newest, older = `{"id":1,"email":"a","plan":"x"}`, `{"id":1,"mail":"a"}`
	long := `{"email":"` + strings.Repeat("x", 300<<10) + `"}`
	write := func(contentType, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			if contentType != "" {
				w.Header().Set("Content-Type", contentType)
			}
			_, _ = io.WriteString(w, body)
		}
	}
	for _, test := range []struct {
		name    string
		handler http.HandlerFunc
		status  int // 0: 200
		want    string
		kind    string // Content-Type, "" for that of JSON
	}{
		{"JSON", write("application/json", newest+"\n"), 0, older + "\n", ""},
		{"without a newline", write("application/json", newest), 0, older, ""},
		{"a vendor type", write("application/vnd.acme.v1+json", newest), 0, older, "application/vnd.acme.v1+json"},
		{"without a type", write("", newest), 0, older, "text/plain; charset=utf-8"},
		{"text without a type", write("", "404, nothing"), 0, "404, nothing", "text/plain; charset=utf-8"},
		{"text that passes", write("text/plain", newest), 0, newest, "text/plain"},
		{"text", write("text/csv", newest), 500, "", ""},
		{"lines", write("application/x-ndjson", newest+"\n"+newest+"\n"), 0, older + "\n" + older + "\n", "application/x-ndjson"},
		{"lines without the last newline", write("application/x-ndjson", newest+newest), 0, older + "\n" + older, "application/x-ndjson"},
		{"in pieces", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			for _, piece := range split([]byte(newest + "\n")) {
				_, _ = w.Write(piece)
				assert.NoError(t, http.NewResponseController(w).Flush())
			}
		}, 0, older + "\n", ""},
		{"long", write("application/json", long), 0, strings.Replace(long, "email", "mail", 1), ""},
		{"nothing", func(http.ResponseWriter, *http.Request) {}, 0, "", "none"},
		{"a status alone", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }, 204, "", "none"},
		{"a length", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", strconv.Itoa(len(newest)))
			write("application/json", newest)(w, r)
		}, 0, older, ""},
		{"not encoded", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "identity")
			write("application/json", newest)(w, r)
		}, 0, older, ""},
		{"an error", func(w http.ResponseWriter, _ *http.Request) { fail(w, errors.New("x")) }, 500, `{"error":"failed: x"}` + "\n", ""},
		{"an error of another type", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", http.StatusNotFound) }, 404, "no\n", "text/plain; charset=utf-8"},
		{"a panic after a write", func(w http.ResponseWriter, r *http.Request) { write("application/json", newest)(w, r); panic("x") }, 500, `{"detail":"failed: panic"}` + "\n", verso.ProblemType},

		{"no JSON", write("application/json", "<html>"), 500, "", ""},
		{"two values", write("application/json", newest+newest), 500, "", ""},
		{"half a value", write("application/json", newest[:9]), 500, "", ""},
		{"a value that an edit cannot read", write("application/json", `{"status":7}`), 500, "", ""},
		{"encoded", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			write("application/json", "\x1f\x8b")(w, r)
		}, 500, "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			server := serve(t, rewritten(userRoute(t), test.handler))
			got := ask(t, "GET", server.URL, "v1", "", "Accept-Encoding", "identity")
			require.NoError(t, got.err)
			if test.status == 500 && test.want == "" {
				assert.Contains(t, got.body, `{"error":"failed: migrate: the response in v1: `)
				assert.Empty(t, got.Header.Get("Content-Encoding"))
			} else {
				assert.Equal(t, test.want, got.body)
			}
			assert.Equal(t, max(test.status, 200), max(got.StatusCode, 200))
			switch test.kind {
			case "none":
				assert.Empty(t, got.Header.Get("Content-Type"))
			case "":
				assert.Equal(t, "application/json", got.Header.Get("Content-Type"))
			default:
				assert.Equal(t, test.kind, got.Header.Get("Content-Type"))
			}
			if test.status == 0 {
				newest := ask(t, "GET", server.URL, "v2", "", "Accept-Encoding", "identity")
				assert.Equal(t, newest.Header.Get("Content-Type"), got.Header.Get("Content-Type"))
			}
		})
	}
}

func TestCompressionOutside(t *testing.T) {
	server := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "x-none") // as gin-contrib/gzip does
		rewritten(userRoute(t), http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"email":"a"}`)
		})).ServeHTTP(w, r)
	}))
	got := ask(t, "GET", server.URL, "v1", "")
	assert.Equal(t, `{"mail":"a"}`, got.body)
	assert.Equal(t, "x-none", got.Header.Get("Content-Encoding"))
}

// Middleware sets a Content-Type for all responses, which a panic does not take away.
func TestAPanicLeavesTheContentTypeOfMiddleware(t *testing.T) {
	for name, route := range map[string]*migrate.Route{"rewritten": userRoute(t), "the same in all versions": users(t).Route()} {
		t.Run(name, func(t *testing.T) {
			handler := rewritten(route, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/plain")
				panic("of the handler")
			}))
			server := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				defer func() {
					assert.Equal(t, "of the handler", recover())
					w.WriteHeader(http.StatusInternalServerError)
				}()
				handler.ServeHTTP(w, r)
			}))
			got := ask(t, "GET", server.URL, "v1", "")
			assert.Equal(t, http.StatusInternalServerError, got.StatusCode)
			assert.Equal(t, "application/json", got.Header.Get("Content-Type"))
			assert.Empty(t, got.body)
		})
	}
}

// What was sent cannot be taken back: the client must see that it is not whole.
func TestAResponseThatFailsLateIsCutOff(t *testing.T) {
	for name, rest := range map[string]string{"no JSON": "}", "an edit": `{"status":7}]}`, "the end": ""} {
		t.Run(name, func(t *testing.T) {
			handler := rewritten(users(t).Route(migrate.Returns[Users]()), http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				_, _ = io.WriteString(w, `{"items":[{"email":"a"},`)
				assert.NoError(t, http.NewResponseController(w).Flush())
				_, _ = io.WriteString(w, rest)
			}))
			server := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				defer func() { assert.Equal(t, http.ErrAbortHandler, recover()) }() // swallowed, as Gin does
				handler.ServeHTTP(w, r)
			}))
			got := ask(t, "GET", server.URL, "v1", "")
			assert.Equal(t, 200, got.StatusCode)
			assert.ErrorIs(t, got.err, io.ErrUnexpectedEOF)
			assert.Equal(t, `{"items":[{"mail":"a"}`, strings.TrimSuffix(got.body, ","))
		})
	}
}

func TestAFlushSendsWhatIsThere(t *testing.T) {
	wait := make(chan struct{})
	server := serve(t, rewritten(userRoute(t), http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/x-ndjson")
		_, _ = io.WriteString(w, `{"email":"a"}`+"\n")
		w.(http.Flusher).Flush()
		<-wait
		_, _ = io.WriteString(w, `{"email":"b"}`+"\n")
	})))
	r, err := http.NewRequest(http.MethodGet, server.URL, nil)
	require.NoError(t, err)
	r.Header.Set("Api-Version", "v1")
	response, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer response.Body.Close()
	first := make([]byte, len(`{"mail":"a"}`)+1)
	_, err = io.ReadFull(response.Body, first)
	require.NoError(t, err)
	assert.Equal(t, `{"mail":"a"}`+"\n", string(first))
	close(wait)
	rest, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	assert.Equal(t, `{"mail":"b"}`+"\n", string(rest))
}

func TestEntityTags(t *testing.T) {
	var seen http.Header
	server := serve(t, rewritten(userRoute(t), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = r.Header
		w.Header().Set("ETag", `"7"`)
		if r.URL.Path == "/weak" {
			w.Header().Set("ETag", `W/"7"`)
		}
		w.Header().Set("Content-Type", "application/json")
		if strings.Contains(r.Header.Get("If-None-Match"), `"7"`) {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		if r.URL.Path == "/empty" {
			return
		}
		w.Header().Set("Accept-Ranges", "bytes")
		http.ServeContent(w, r, "x.json", seenTime, bytes.NewReader([]byte(`{"email":"a"}`)))
	})))
	get := func(method, path, version string, header ...string) answer {
		return ask(t, method, server.URL+path, version, "", header...)
	}
	assert.Equal(t, `"7;v1"`, get("GET", "/", "v1").Header.Get("ETag"))
	assert.Equal(t, `"7"`, get("GET", "/", "v2").Header.Get("ETag"))
	assert.Equal(t, `W/"7;v1"`, get("GET", "/weak", "v1").Header.Get("ETag"))
	assert.Equal(t, `"7;v1"`, get("GET", "/empty", "v1").Header.Get("ETag"))

	head := get("HEAD", "/", "v1")
	assert.Equal(t, `"7;v1"`, head.Header.Get("ETag"))
	assert.Empty(t, head.Header.Get("Content-Length"))
	assert.Empty(t, head.Header.Get("Accept-Ranges"))

	same := get("GET", "/", "v1", "If-None-Match", `W/"6;v1", "7;v1"`)
	assert.Equal(t, 304, same.StatusCode)
	assert.Equal(t, `"7;v1"`, same.Header.Get("ETag"))
	assert.Equal(t, `W/"6", "7"`, seen.Get("If-None-Match"))
	get("GET", "/", "v1", "If-None-Match", `"a,b;v1","7;v2" , W/"c, d"`)
	assert.Equal(t, `"a,b","7;v2;" , W/"c, d;"`, seen.Get("If-None-Match"))
	assert.Equal(t, 200, get("GET", "/", "v1", "If-None-Match", `"7"`).StatusCode, "a tag of the newest version")
	assert.Equal(t, 200, get("GET", "/", "v2", "If-None-Match", `"7;v1"`).StatusCode, "a tag of an older version")
	get("GET", "/", "v1", "If-Match", "*", "Range", "bytes=0-3", "If-Range", `"7"`)
	assert.Equal(t, "*", seen.Get("If-Match"))
	assert.Empty(t, seen.Get("Range")+seen.Get("If-Range"))
	ranged := get("GET", "/", "v1", "Range", "bytes=0-3")
	assert.Equal(t, 200, ranged.StatusCode)
	assert.Equal(t, `{"mail":"a"}`, ranged.body)
}

// A HEAD response has no Content-Length of the newest form.
func TestHeadWithoutAType(t *testing.T) {
	for name, length := range map[string]string{"written": "", "set": "13"} {
		t.Run(name, func(t *testing.T) {
			server := serve(t, rewritten(userRoute(t), http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header()["Content-Type"] = nil
				if length != "" {
					w.Header().Set("Content-Length", length)
				}
				_, _ = w.Write([]byte(`{"email":"a"}`))
			})))
			assert.Equal(t, `{"mail":"a"}`, ask(t, "GET", server.URL, "v1", "").body)
			assert.Empty(t, ask(t, "HEAD", server.URL, "v1", "").Header.Get("Content-Length"))
			assert.Equal(t, "13", ask(t, "HEAD", server.URL, "v2", "").Header.Get("Content-Length"))
		})
	}
}

func TestARouteThatIsTheSameInAVersionIsLeftAlone(t *testing.T) {
	noBody := users(t).Route()
	for range 16 { // are looked at
		_, _ = noBody.Begin(verso.V("v1"), httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil))
	}
	for name, route := range map[string]*migrate.Route{"no body": noBody, "a body without edits": users(t).Route(migrate.Returns[Base]())} {
		rewriting, err := route.Begin(verso.V("v1"), httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil))
		assert.NoError(t, err, name)
		assert.Nil(t, rewriting, name)
	}
	rewriting, err := userRoute(t).Begin(verso.Version{}, httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil))
	assert.NoError(t, err)
	assert.Nil(t, rewriting, "without a version")
}

func TestRouteRefusesTypesWhoseEditsItCannotFind(t *testing.T) {
	h := users(t)
	type embeds struct {
		User
		Mail string `json:"mail"`
	}
	type page struct {
		Items []any `json:"items"`
	}
	assert.PanicsWithError(t, `migrate: the member "items" of page is []any, so edits of what is in it could be missed: name its type, map it, declare the structs of an interface with OneOf, or Open[page]("items") if it is the same in all versions`,
		func() { h.Route(migrate.Returns[page]()) })
	assert.PanicsWithError(t, `migrate: Open[User]("nosuch"): User has no such member: write its name in JSON, or remove it`,
		func() { users(t).Route(migrate.Returns[User](), migrate.Open[User]("nosuch")) })
	assert.PanicsWithError(t, `migrate: the type of a body is any, so edits of what is in it could be missed: name the type, or leave it out`,
		func() { h.Route(migrate.Accepts[any]()) })
	assert.PanicsWithError(t, `migrate: embeds embeds User, whose edits apply: "mail" is now named "email": there is a member "mail" already (it has id, email, status, mail)`,
		func() { h.Route(migrate.Fails[embeds]("application/json")) })
	assert.PanicsWithError(t, `migrate: Failure is accepted, but its Reshaped has no function for requests: give it one`,
		func() { h.Route(migrate.Accepts[[]Failure]()) })
}

// A flush before the first byte sends the status, so that the client knows of the stream.
func TestFirstFlush(t *testing.T) {
	w := httptest.NewRecorder()
	route := changed(t, migrate.For[Person](migrate.Renamed("mail", "email"))).Route(migrate.Returns[Person]())
	rewriting, err := route.Begin(verso.V("v1"), w, httptest.NewRequest(http.MethodGet, "/", nil))
	require.NoError(t, err)
	require.NoError(t, http.NewResponseController(rewriting).Flush())
	assert.True(t, w.Flushed)
}
