package migrate_test

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
	"github.com/goverso/verso/migrate/internal/watch"
)

type Person struct {
	ID    int64   `json:"id"`
	Email string  `json:"email"`
	Note  string  `json:"note,omitempty"`
	Boss  *Person `json:"boss,omitempty"`
}

type People struct {
	Items []Person `json:"items"`
}

func people(tb testing.TB, more ...migrate.Edit) *migrate.History {
	tb.Helper()
	edits := append([]migrate.Edit{migrate.Renamed("mail", "email")}, more...)
	return verso.Must(migrate.New(apiOf("v2", "v1"), migrate.Release("v2", migrate.Changed("x", migrate.ForType(reflect.TypeFor[Person](), edits...))), migrate.Release("v1")))
}

// TestNothingNewestLeaves has a line for each kind of response. want is the body of v1,
// "500", or "cut". The newest version gets what the handler wrote.
func TestNothingNewestLeaves(t *testing.T) {
	one := []migrate.Body{migrate.Returns[Person]()}
	list := []migrate.Body{migrate.Returns[People]()}
	csv := slices.Concat(one, []migrate.Body{migrate.Passes("text/csv")})
	plain := slices.Concat(one, []migrate.Body{migrate.Passes("text/plain")})
	silent := []migrate.Body{migrate.Accepts[Person]()}
	const newest, older = `{"id":1,"email":"a"}`, `{"id":1,"mail":"a"}`
	const json, sse = "application/json", "text/event-stream"
	for _, test := range []struct {
		name        string
		route       []migrate.Body
		status      int
		contentType string
		in, want    string
	}{
		{"the type", one, 200, json, newest, older},
		{"null", one, 200, json, "null", "null"},
		{"nothing", one, 200, json, "", ""},
		{"a member that the type does not have", one, 200, json, `{"id":1,"email":"a","new":{"email":"b"}}`, `{"id":1,"mail":"a","new":{"email":"b"}}`},
		{"no member", one, 200, json, `{}`, `{}`},
		{"a member is missing", one, 200, json, `{"email":"a"}`, `{"mail":"a"}`},
		{"a member that may be missing", one, 200, json, `{"id":1,"email":"a","note":"n"}`, `{"id":1,"mail":"a","note":"n"}`},
		{"another type", one, 200, json, `{"items":[` + newest + `]}`, "500"},
		{"a list for an object", one, 200, json, `[` + newest + `]`, "500"},
		{"an object for a list", list, 200, json, `{"items":` + newest + `}`, "500"},
		{"a map", one, 200, json, `{"person":` + newest + `}`, "500"},
		{"a list below", one, 200, json, `{"id":1,"email":"a","boss":[]}`, "500"},
		{"another type below", one, 200, json, `{"id":1,"email":"a","boss":{"person":2}}`, "500"},
		{"a text", one, 200, json, `"email"`, "500"},
		{"a text below", list, 200, json, `{"items":["email"]}`, "500"},
		{"null below", one, 200, json, `{"id":1,"email":"a","boss":null}`, `{"id":1,"mail":"a","boss":null}`},

		{"text/json", one, 200, "text/json", newest, older},
		{"no type", one, 200, "", newest, older},
		{"no type, a newline before", one, 200, "", "\n" + newest, older},
		{"no type, a text", one, 200, "", "ok", "500"},
		{"no type, a text that passes", plain, 200, "", "ok", "ok"},
		{"text", one, 200, "text/plain", newest, "500"},
		{"text that passes", plain, 200, "text/plain; charset=utf-8", "ok", "ok"},
		{"CSV", one, 200, "text/csv", "id,email\n", "500"},
		{"CSV that passes", csv, 200, "Text/CSV; charset=utf-8", "id,email\n", "id,email\n"},
		{"CSV, JSON is lowered yet", csv, 200, json, newest, older},
		{"XML", one, 200, "application/xml", "<email/>", "500"},
		{"a merge patch", one, 200, "application/merge-patch+json", newest, "500"},
		{"a redirect", one, 302, "text/html", "<a>", "<a>"},
		{"a redirect with JSON", one, 302, json, newest, older},
		{"an error", one, 404, "text/plain", "no", "no"},
		{"an error that is not declared", one, 404, json, `{"code":"gone"}`, `{"code":"gone"}`},
		{"an error without a type", one, 404, "", `{"code":"gone"}`, `{"code":"gone"}`},
		{"an error that is the newest form", one, 404, json, newest, "500"},
		{"an error that holds the newest form", one, 409, "application/problem+json", `{"status":409,"conflicts":[` + newest + `]}`, "500"},
		{"an error that is declared", append(slices.Clip(one), migrate.Fails[Person](json)), 404, json, newest, older},
		{"no Returns, JSON, which tests find", silent, 200, json, newest, newest},
		{"no Returns, text", silent, 200, "text/plain", "ok", "ok"},
		{"no Returns, no body", silent, 204, "", "", ""},

		{"an event", one, 200, sse, "data: " + newest + "\n\n", "data: " + older + "\n\n"},
		{"an event with a name after its data", one, 200, sse, "data:" + newest + "\nevent: x\nid: 7\n\n", "event: x\nid: 7\ndata: " + older + "\n\n"},
		{"data of several lines", one, 200, sse, "data: {\"id\":1,\ndata: \"email\":\"a\"}\n\n", "data: " + older + "\n\n"},
		{"data that is no JSON", one, 200, sse, "data: [DONE]\n\n", "500"},
		{"data that is no JSON, of an event that passes otherwise", append(slices.Clip(one), migrate.PassesEvent("", "[DONE]")), 200, sse, "data: ping\n\n", "500"},
		{"an event that passes", append(slices.Clip(one), migrate.PassesEvent("ping")), 200, sse, "event: ping\ndata: now\n\n", "event: ping\ndata: now\n\n"},
		{"comments, retry, the end", append(slices.Clip(one), migrate.PassesEvent("", "[DONE]")), 200, sse, ": hi\nretry: 5\n\ndata: [DONE]\n\n", ": hi\nretry: 5\n\ndata: [DONE]\n\n"},
		{"carriage returns", one, 200, sse, "data: " + newest + "\r\n\r\ndata: " + newest + "\r\r", strings.Repeat("data: "+older+"\n\n", 2)},
		{"an event without its end", one, 200, sse, "data: " + newest + "\n\ndata: " + newest, "data: " + older + "\n\n"},
		{"an event of another type", one, 200, sse, "data: {\"person\":" + newest + "}\n\n", "500"},
		{"an event that is no JSON", one, 200, sse, "data: {\"email\n\n", "500"},
		{"an event with a type of its own", append(slices.Clip(one), migrate.Event[People]("all")), 200, sse,
			"data: {\"items\":[" + newest + "]}\nevent: all\n\ndata: " + newest + "\n\n", "event: all\ndata: {\"items\":[" + older + "]}\n\ndata: " + older + "\n\n"},
		{"an event that is not declared", []migrate.Body{migrate.Event[People]("all")}, 200, sse, "data: " + newest + "\n\n", "500"},
		{"an event that has no edits", append(slices.Clip(one), migrate.Event[Base]("base")), 200, sse, "event: base\ndata: {\"x\":1}\n\n", "event: base\ndata: {\"x\":1}\n\n"},
		{"events that pass", append(slices.Clip(one), migrate.Passes(sse)), 200, sse, "data: " + newest + "\n\n", "data: " + newest + "\n\n"},
		{"no Returns, events that pass", append(slices.Clip(silent), migrate.Passes(sse)), 200, sse, "data: " + newest + "\n\n", "data: " + newest + "\n\n"},
		{"events, no Returns", silent, 200, sse, "data: " + newest + "\n\n", "data: " + newest + "\n\n"},
		{"lines", one, 200, "application/jsonl", newest + "\n" + newest + "\n", older + "\n" + older + "\n"},
		{"a line of another type", one, 200, "application/jsonl", newest + "\n[]\n", "500"},
	} {
		t.Run(test.name, func(t *testing.T) {
			route := people(t).Route(test.route...)
			check := func(status int, body string) {
				if test.want == "500" {
					assert.Equal(t, 500, status, body)
					assert.NotContains(t, body, `"email":"a"`)
					return
				}
				assert.Equal(t, test.want, body)
			}
			for _, whole := range []bool{true, false} {
				w := httptest.NewRecorder()
				r := httptest.NewRequest(http.MethodGet, "/", nil)
				r.Header.Set("Api-Version", "v1")
				rewritten(route, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
					if test.contentType != "" {
						w.Header().Set("Content-Type", test.contentType)
					}
					w.WriteHeader(test.status)
					if whole {
						_, _ = io.WriteString(w, test.in)
						return
					}
					for i := range len(test.in) {
						_, _ = io.WriteString(w, test.in[i:i+1])
					}
				})).ServeHTTP(w, r)
				check(w.Code, strings.TrimPrefix(w.Body.String(), "\n"))
			}
			lower, err := route.BeginBuffered(verso.V("v1"), "GET", &message{})
			require.NoError(t, err)
			m := &message{header: http.Header{}, body: []byte(test.in)}
			if test.contentType != "" {
				m.header.Set("Content-Type", test.contentType)
			}
			if err := lower(test.status, m); err != nil {
				check(500, err.Error())
				t.Log(err)
				return
			}
			check(test.status, strings.TrimPrefix(string(m.body), "\n"))
		})
	}
}

type message struct {
	header http.Header
	body   []byte
}

func (m *message) PeekAll(name string) (lines [][]byte) {
	for _, line := range m.header[name] {
		lines = append(lines, []byte(line))
	}
	return lines
}

func (m *message) Add(name, value string) { m.header.Add(name, value) }
func (m *message) IsBodyStream() bool     { return false }
func (m *message) Set(name, value string) { // as fasthttp does
	m.header[name] = append([]string{value}, m.header[name][min(1, len(m.header[name])):]...)
}
func (m *message) Del(name string)       { m.header.Del(name) }
func (m *message) Body() []byte          { return m.body }
func (m *message) SetBody(body []byte)   { m.body = body }
func (m *message) QueryString() []byte   { return nil }
func (m *message) SetQueryString(string) {}
func (m *message) SetStatusCode(int)     {}

// An event is sent when it is flushed, and a comment keeps the connection alive.
func TestEventsStream(t *testing.T) {
	step := make(chan struct{})
	server := serve(t, rewritten(people(t).Route(migrate.Returns[Person]()), http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, part := range []string{": hi\n", "data: {\"id\":1,\"em", "ail\":\"a\"}\n\n", "data: {\"person\":{\"email\":\"a\"}}\n\n"} {
			_, _ = io.WriteString(w, part)
			_ = http.NewResponseController(w).Flush()
			<-step
		}
	})))
	r, _ := http.NewRequest(http.MethodGet, server.URL, nil)
	r.Header.Set("Api-Version", "v1")
	response, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer response.Body.Close()
	read := func(want string) {
		got := make([]byte, len(want))
		_, err := io.ReadFull(response.Body, got)
		require.NoError(t, err)
		assert.Equal(t, want, string(got))
	}
	read(": hi\n")
	step <- struct{}{}
	step <- struct{}{}
	read("data: {\"id\":1,\"mail\":\"a\"}\n\n")
	step <- struct{}{}
	step <- struct{}{}
	rest, err := io.ReadAll(response.Body)
	assert.ErrorIs(t, err, io.ErrUnexpectedEOF, "it is cut off")
	assert.Empty(t, rest)
}

// What middleware outside sees of a request is what the client sent.
func TestTheRequestsHeaderStays(t *testing.T) {
	inner := rewritten(people(t).Route(migrate.Accepts[Person](), migrate.Returns[Person]()), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		assert.Equal(t, `"7"`, r.Header.Get("If-None-Match"))
		assert.Empty(t, r.Header.Get("Range"))
	}))
	r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(`{"mail":"a"}`))
	for name, value := range map[string]string{"Api-Version": "v1", "If-None-Match": `"7;v1"`, "Range": "bytes=0-3", "Content-Type": "application/json", "Content-Length": "12"} {
		r.Header.Set(name, value)
	}
	sent := r.Header.Clone()
	inner.ServeHTTP(httptest.NewRecorder(), r)
	assert.Equal(t, sent, r.Header)
}

func TestCompressedRequests(t *testing.T) {
	for _, size := range []int{1, 400 << 10} {
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		_, _ = z.Write([]byte(`{"mail":"` + noise(size) + `"}`))
		_ = z.Close()
		server := serve(t, rewritten(people(t).Route(migrate.Accepts[Person](), migrate.Passes("text/plain")), http.HandlerFunc(echo)))
		got := ask(t, "POST", server.URL, "v1", packed.String(), "Content-Encoding", "gzip")
		assert.Contains(t, got.body, "the body is compressed", size)
		assert.Equal(t, 415, got.StatusCode, size)
		got = ask(t, "POST", server.URL, "v1", `{"mail":"a"}`, "Content-Encoding", "gzip") // left there by what decompresses
		assert.Equal(t, `{"email":"a"} 13`, got.body)
	}
}

func noise(n int) string {
	out, x := make([]byte, n), uint32(1)
	for i := range out {
		x = x*1664525 + 1013904223
		out[i] = 'a' + byte(x>>24)%26
	}
	return string(out)
}

// A value that an edit needs is refused at 1 MB, not when it is read.
func TestAHeldValueIsBounded(t *testing.T) {
	h := people(t, migrate.Mapped("note", func(s string) (string, error) { return s, nil }, func(s string) (string, error) { return s, nil }))
	read := 0
	body := io.MultiReader(strings.NewReader(`{"id":1,"note":"`), readerOf(func(p []byte) (int, error) {
		if read += len(p); read > 16<<20 {
			return 0, io.EOF
		}
		return copy(p, bytes.Repeat([]byte("x"), len(p))), nil
	}))
	r := httptest.NewRequest(http.MethodPost, "/", body)
	r.Header.Set("Content-Type", "application/json")
	_, err := h.Route(migrate.Accepts[Person]()).Begin(verso.V("v1"), httptest.NewRecorder(), r)
	require.NoError(t, err)
	_, err = io.ReadAll(r.Body)
	assert.ErrorContains(t, err, `"/note"`)
	assert.Less(t, read, 3<<20)
	t.Logf("%d bytes were read", read)
}

type readerOf func(p []byte) (int, error)

func (f readerOf) Read(p []byte) (int, error) { return f(p) }

// A panic in a change is an error: nothing outside of RewriteErrors recovers.
func TestAPanicInAChange(t *testing.T) {
	h := people(t, migrate.Mapped("note", func(s string) (string, error) { return s[:1], nil }, func(s string) (string, error) { return s[:1], nil }))
	route := h.Route(migrate.Accepts[Person](), migrate.Returns[Person](), migrate.Passes("text/plain"))
	_, err := h.LowerJSON(verso.V("v1"), reflect.TypeFor[Person](), []byte(`{"note":""}`))
	require.ErrorContains(t, err, "a change panicked: runtime error: slice bounds out of range")
	server := serve(t, rewritten(route, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"id":1,"email":"a","note":""}`)
	})))
	assert.Equal(t, 500, ask(t, "GET", server.URL, "v1", "").StatusCode)
	assert.Equal(t, 500, ask(t, "POST", server.URL, "v1", `{"note":""}`).StatusCode)
}

// Edits reach only the declared type, so that another one would come to the handler as the
// older client wrote it.
func TestARequestOfAnotherKindIsRefused(t *testing.T) {
	route := people(t).Route(migrate.Accepts[People]())
	long := strings.Repeat("x", 300<<10) // it is lifted while it is read
	for _, test := range []struct{ name, body, want string }{
		{"a list for an object", `[{"mail":"a"}]`, ""},
		{"a text for an object", `"a"`, ""},
		{"a number", `1`, ""},
		{"an object for a list", `{"items":{"mail":"a"}}`, "/items"},
		{"a list in a list", `{"items":[[{"mail":"a"}]]}`, "/items/0"},
		{"a list behind an object", `{"items":[{"mail":"a"},[]]}`, "/items/1"},
		{"below", `{"items":[{"boss":[{"mail":"a"}]}]}`, "/items/0/boss"},
		{"read late", `{"x":"` + long + `","items":[[{"mail":"a"}]]}`, "/items/0"},
		{"null", `null`, "null"},
		{"null below", `{"items":[null,{"mail":"a","boss":null}]}`, `{"items":[null,{"email":"a","boss":null}]}`},
		{"what no edit reads", `{"items":[{"mail":"a","note":[1]}],"x":[]}`, `{"items":[{"email":"a","note":[1]}],"x":[]}`},
		{"only unknown members", `{"x":1}`, `{"x":1}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := httptest.NewRequest(http.MethodPut, "/", strings.NewReader(test.body))
			r.Header.Set("Content-Type", "application/json")
			_, err := route.Begin(verso.V("v1"), httptest.NewRecorder(), r)
			lifted, readErr := io.ReadAll(r.Body)
			var refused *migrate.Error
			if errors.As(cmp.Or(err, readErr), &refused) {
				assert.Equal(t, 400, refused.Status)
				assert.Equal(t, migrate.InvalidValue, refused.Code)
				assert.Equal(t, test.want, refused.Pointer)
				return
			}
			require.NoError(t, cmp.Or(err, readErr))
			assert.Equal(t, test.want, string(lifted))
		})
	}
}

// A flush inside a string sends it in the right form, whatever the pieces are and whatever is escaped.
func TestAFlushInsideAString(t *testing.T) {
	route := people(t).Route(migrate.Returns[Person]())
	const body = `{"note":"a \"b\\","email":"\\\"x","id":1}`
	for size := 1; size < len(body); size++ {
		w := httptest.NewRecorder()
		rewritten(route, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			for piece := range slices.Chunk([]byte(body), size) {
				_, _ = w.Write(piece)
				_ = http.NewResponseController(w).Flush()
			}
		})).ServeHTTP(w, v1Request())
		assert.Equal(t, strings.Replace(body, "email", "mail", 1), w.Body.String(), "pieces of %d bytes", size)
	}
}

// BenchmarkFlushes streams a string in pieces that are flushed. Twice the pieces take twice the
// time, with and without an escaped quote in each.
func BenchmarkFlushes(b *testing.B) {
	for name, piece := range map[string]string{"text": strings.Repeat("x", 256), "quotes": strings.Repeat("x", 254) + `\"`} {
		for _, pieces := range []int{512, 1024, 2048} {
			b.Run(fmt.Sprint(name, "/", pieces), func(b *testing.B) {
				handler := rewritten(people(b).Route(migrate.Returns[Person]()), http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
					w.Header().Set("Content-Type", "application/json")
					_, _ = io.WriteString(w, `{"email":"`)
					for range pieces {
						_, _ = io.WriteString(w, piece)
						_ = http.NewResponseController(w).Flush()
					}
					_, _ = io.WriteString(w, `"}`)
				}))
				for b.Loop() {
					handler.ServeHTTP(httptest.NewRecorder(), v1Request())
				}
			})
		}
	}
}

func v1Request() *http.Request {
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.Header.Set("Api-Version", "v1")
	return r
}

type Pet struct {
	Sound string `json:"sound"`
}

type Owner struct {
	Pet  any    `json:"pet"`
	Name string `json:"name"`
}

// Edits do not reach what is in a member of any type: tests find it.
func TestTheNewestFormInAny(t *testing.T) {
	h := verso.Must(migrate.New(apiOf("v2", "v1"), migrate.Release("v2", migrate.Changed("x",
		migrate.For[Pet](migrate.Renamed("noise", "sound")), migrate.For[Owner](migrate.Renamed("owner", "name")))), migrate.Release("v1")))
	var said []string
	defer watch.Of(h).Responses(func(a watch.Answer) { said = append(said, a.Mistakes...) })()
	route := h.Route(migrate.Returns[Owner](), migrate.Open[Owner]("pet"))
	for _, body := range []string{`{"name":"a","pet":{"sound":"miau"}}`, `{"name":"a","pet":{"any":[{"sound":"miau"}]}}`, `{"name":"a","pet":{"noise":"miau"}}`} {
		rewritten(route, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, body)
		})).ServeHTTP(httptest.NewRecorder(), v1Request())
	}
	assert.Equal(t, []string{
		`"/pet": this looks like the newest form of Pet, in a member of any type: name the type, or lower it with History.Lower; if it is another type, add Open[Pet]() to the route`,
		`"/pet/any/0": this looks like the newest form of Pet, in a member of any type: name the type, or lower it with History.Lower; if it is another type, add Open[Pet]() to the route`,
	}, said)
}

// An undeclared error may repeat what a client has sent, as deep as it likes: it is read once.
func TestAnUndeclaredErrorIsReadOnce(t *testing.T) {
	route := people(t).Route(migrate.Returns[Person]())
	read := func(begin, end string, depth int) uint64 {
		return allocated(func() {
			rewritten(route, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(http.StatusUnprocessableEntity)
				_, _ = io.WriteString(w, strings.Repeat(begin, depth)+"1"+strings.Repeat(end, depth))
			})).ServeHTTP(httptest.NewRecorder(), v1Request())
		})
	}
	for begin, end := range map[string]string{"[": "]", `{"id":1,"email":`: "}"} { // no object is the newest form, or each
		read(begin, end, 1000)
		small, large := read(begin, end, 1000), read(begin, end, 8000)
		assert.Less(t, large, 16*small, "%d and %d bytes", small, large) // 64 times as much, if each level is read again
	}
}

// A route without declared bodies is the same in all versions. Tests find that it is not.
func TestTheNewestFormOfARouteWithoutBodies(t *testing.T) {
	h := verso.Must(migrate.New(apiOf("v2", "v1"), migrate.Release("v2", migrate.Changed("x", migrate.For[Pet](migrate.Renamed("noise", "sound")))), migrate.Release("v1")))
	var said []string
	defer watch.Of(h).Responses(func(a watch.Answer) { said = append(said, a.Mistakes...) })()
	for _, body := range []string{`{"sound":"miau"}`, `{"data":[{"sound":"miau"}]}`, `{"noise":"miau"}`, `[1]`, `no JSON`} {
		rewritten(h.Route(), http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, body)
		})).ServeHTTP(httptest.NewRecorder(), v1Request())
	}
	assert.Equal(t, []string{
		`"": this looks like the newest form of Pet, in a member of any type: name the type, or lower it with History.Lower; if it is another type, add Open[Pet]() to the route`,
		`"/data/0": this looks like the newest form of Pet, in a member of any type: name the type, or lower it with History.Lower; if it is another type, add Open[Pet]() to the route`,
	}, said)
}

// Dog has a member less than v1 has, and another one is added.
type Dog struct {
	ID   int    `json:"id"`
	Name string `json:"name"`
	Plan string `json:"plan,omitempty"`
}

// The newest form is that of an object with all that it always has, and nothing else. The log tells
// of it once for each route and version, and no status changes.
func TestALookAtRoutesWithoutBodies(t *testing.T) {
	h := verso.Must(migrate.New(apiOf("v3", "v2", "v1"),
		migrate.Release("v3", migrate.Changed("x", migrate.For[Pet](migrate.Renamed("noise", "sound")))),
		migrate.Release("v2", migrate.Changed("y", migrate.For[Dog](migrate.Removed("legacy", "x"), migrate.Added("plan")))), migrate.Release("v1")))
	renamed := h.Route()
	for _, test := range []struct {
		name, version, body string
		route               *migrate.Route
		before              int // other responses
		told                string
	}{
		{"renamed", "v2", `{"sound":"miau"}`, renamed, 0, `\"\": this looks like the newest form of Pet`},
		{"renamed, in another version", "v1", `{"sound":"miau"}`, renamed, 0, `\"\": this looks like the newest form of Pet`},
		{"below", "v1", `[{"a":{"sound":"miau"}}]`, h.Route(), 0, `\"/0/a\": this looks`},
		{"removed", "v1", `{"id":1,"name":"a"}`, h.Route(), 0, "newest form of Dog"},
		{"removed and added", "v1", `{"id":1,"name":"a","plan":"x"}`, h.Route(), 0, "newest form of Dog"},
		{"the form of v1", "v1", `{"id":1,"name":"a","legacy":"x"}`, h.Route(), 0, ""},
		{"a member that it never has", "v2", `{"sound":"miau","volume":1}`, h.Route(), 0, ""},
		{"a member is missing", "v1", `{"id":1,"plan":"x"}`, h.Route(), 0, ""},
		{"the newest version", "v3", `{"sound":"miau"}`, h.Route(), 0, ""},
		{"a type that is the same in v2", "v2", `{"id":1,"name":"a"}`, h.Route(), 0, ""},
		{"by name", "v2", `{"sound":"miau"}`, h.Route(migrate.Open[Pet]()), 0, ""},
		{"another type by name", "v2", `{"sound":"miau"}`, h.Route(migrate.Open[Dog]()), 0, "newest form of Pet"},
		{"the 16th", "v2", `{"sound":"miau"}`, h.Route(), 15, "newest form of Pet"},
		{"the 17th", "v2", `{"sound":"miau"}`, h.Route(), 16, ""},
		{"the 1,024th", "v2", `{"sound":"miau"}`, h.Route(), 1023, "newest form of Pet"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var log bytes.Buffer
			before := slog.Default()
			slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
			defer slog.SetDefault(before)
			ask := func(body string, status int) {
				w, r := httptest.NewRecorder(), v1Request()
				r.Header.Set("Api-Version", test.version)
				rewritten(test.route, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
					w.Header().Set("Content-Type", "application/json")
					w.WriteHeader(status)
					_, _ = io.WriteString(w, body)
				})).ServeHTTP(w, r)
				assert.Equal(t, status, w.Code)
				assert.Equal(t, body, w.Body.String())
			}
			for range test.before {
				ask(`{"noise":"miau"}`, http.StatusOK)
			}
			ask(test.body, http.StatusOK)
			ask(test.body, http.StatusNotFound)
			if test.told == "" {
				assert.Empty(t, log.String())
				return
			}
			assert.Equal(t, 1, strings.Count(log.String(), "\n"), "%s", &log)
			assert.Contains(t, log.String(), test.told)
		})
	}
}

// A route that declares what it accepts, and not what it returns, is looked at, too.
func TestALookBesideAccepts(t *testing.T) {
	h := verso.Must(migrate.New(apiOf("v2", "v1"),
		migrate.Release("v2", migrate.Changed("x", migrate.For[Pet](migrate.Renamed("noise", "sound")))), migrate.Release("v1")))
	for name, test := range map[string]struct {
		route *migrate.Route
		told  bool
	}{
		"Accepts":             {h.Route(migrate.Accepts[Pet]()), true},
		"Accepts and Passes":  {h.Route(migrate.Accepts[Pet](), migrate.Passes("application/json")), true},
		"Fails":               {h.Route(migrate.Fails[Dog]("application/json")), true},
		"Open":                {h.Route(migrate.Accepts[Dog](), migrate.Open[Pet]()), false},
		"Accepts and Returns": {h.Route(migrate.Accepts[Pet](), migrate.Returns[Pet]()), false},
	} {
		var log bytes.Buffer
		before := slog.Default()
		slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
		rewritten(test.route, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"sound":"miau"}`)
		})).ServeHTTP(httptest.NewRecorder(), v1Request())
		slog.SetDefault(before)
		assert.Equal(t, test.told, strings.Contains(log.String(), "newest form of Pet"), name)
	}
}

// A handler that writes an old value is told once: its map may be the wrong way round.
func TestOldValueWritten(t *testing.T) {
	type ticket struct {
		State string `json:"state"`
	}
	h := verso.Must(migrate.New(apiOf("v2", "v1"), migrate.Release("v2", migrate.Changed("x", migrate.For[ticket](
		migrate.Values("state", map[string]string{"on": "active", "active": "busy"})))), migrate.Release("v1")))
	for written, told := range map[string]int{"on": 1, "active": 0, "busy": 0, "gone": 0} {
		var log bytes.Buffer
		before := slog.Default()
		slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
		for range 2 {
			rewritten(h.Route(migrate.Returns[ticket]()), http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				_, _ = fmt.Fprintf(w, `{"state":%q}`, written)
			})).ServeHTTP(httptest.NewRecorder(), v1Request())
		}
		slog.SetDefault(before)
		assert.Equal(t, told, strings.Count(log.String(), "a value of older clients"), "%s: %s", written, &log)
	}
}

// The types of edits are those of the members.
func TestEditsOfAnotherType(t *testing.T) {
	type odd struct {
		Email string   `json:"email"`
		Tags  []string `json:"tags"`
		N     int      `json:"n"`
		Size  int      `json:"size,string"`
	}
	same := func(s string) (string, error) { return s, nil }
	for _, test := range []struct {
		edit migrate.Edit
		want string
	}{
		{migrate.Mapped("tags", func(s string) (int, error) { return 0, nil }, func(int) (string, error) { return "", nil }), `"tags" is []string, and the edit reads integer`},
		{migrate.Values("n", map[string]string{"a": "b"}, migrate.OldValue("a", "c")), `"a" is listed twice: it has another name, is new, or is gone`},
		{migrate.Values("email", nil, migrate.NewValue("a", "b"), migrate.NewValue("a", "c")), `"a" is listed twice`},
		{migrate.Values("email", nil, migrate.OldValue("a", "b"), migrate.OldValue("a", "c")), `"a" is listed twice`},
		{migrate.Values("email", map[string]string{"a": "b"}, migrate.OldValue("c", "a")), `"c" goes with "a", which that version calls "b"`},
		{migrate.Values("email", map[string]string{"a": "b"}, migrate.NewValue("c", "b")), `"c" goes with "b", which that version calls "a"`},
		{migrate.Values("email", map[string]string{"a": "b", "b": "a"}, migrate.NewValue("c", "b"), migrate.OldValue("c", "a")), ""},
		{migrate.Values("n", map[string]string{"a": "b"}), `"n" is integer, and the edit reads string`},
		{migrate.Added("email", 7), `"email" is string, which 7 is not`},
		{migrate.Default("n", "ten"), `"n" is integer, which "ten" is not`},
		{migrate.Split("x", "email", "n", splitSpace, joinSpace), `"n" is integer, and the edit reads string`},
		{migrate.Values("tags", map[string]string{"a": "b"}), ""}, {migrate.Added("n", 1), ""}, {migrate.Added("tags", nil), ""}, {migrate.Default("email", "a"), ""}, {migrate.Mapped("size", same, same), ""},
	} {
		_, err := migrate.New(apiOf("v2", "v1"), migrate.Release("v2", migrate.Changed("x", migrate.For[odd](test.edit))), migrate.Release("v1"))
		if test.want == "" {
			assert.NoError(t, err)
		} else {
			assert.ErrorContains(t, err, test.want)
		}
	}
}

// TestAHistoryIsOfOneAPI: the history of another API, whose versions may be others, is refused.
func TestAHistoryIsOfOneAPI(t *testing.T) {
	own := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	other := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2", "v3"}})
	route := verso.Must(migrate.New(own, migrate.Release("v2"), migrate.Release("v1"))).Route()
	if found := route.Review(own); len(found) > 0 {
		t.Error(found)
	}
	found := route.Review(other)
	if len(found) != 1 || found[0].Level != verso.LevelError || found[0].Code != "rewriter_of_another_api" {
		t.Error(found)
	}
}

// TestFailuresAreLoggedOnce: the first failure of a route is in the log, with the pointer.
func TestFailuresAreLoggedOnce(t *testing.T) {
	var log bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(before)
	route := people(t).Route(migrate.Returns[Person]())
	for _, test := range []struct {
		status int
		body   string
	}{{200, `{"id":1,"email":"a","boss":[]}`}, {200, `[]`}, {404, `{"code":"gone"}`}, {404, `{"code":"gone"}`}} {
		rewritten(route, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(test.status)
			_, _ = io.WriteString(w, test.body)
		})).ServeHTTP(httptest.NewRecorder(), v1Request())
	}
	lines := strings.Split(strings.TrimSpace(log.String()), "\n")
	require.Len(t, lines, 2)
	assert.Contains(t, lines[0], "/boss: Person was declared, and this is a list")
	assert.Contains(t, lines[1], "level=WARN")
	assert.Contains(t, lines[1], "status=404 type=application/json")
}

// The answer to a request that is refused is nobody's mistake, and logs nothing.
func TestARefusedRequestLogsNothing(t *testing.T) {
	var log bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(before)
	route := people(t).Route(migrate.Accepts[Person](), migrate.Returns[Person]())
	r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader("no JSON"))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Api-Version", "v1")
	w := httptest.NewRecorder()
	rewritten(route, http.HandlerFunc(echo)).ServeHTTP(w, r)
	assert.Equal(t, 400, w.Code)
	assert.Empty(t, log.String())
}
