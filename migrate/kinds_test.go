package migrate_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
	"github.com/goverso/verso/migrate/internal/watch"
)

// watched collects what Checked would say.
func watched(t *testing.T, h *migrate.History) *[]string {
	t.Helper()
	var list []string
	t.Cleanup(watch.Responses(h, func(a watch.Answer) { list = append(list, a.Mistakes...) }))
	return &list
}

// Streams of JSON, under the media types that mean them, and those that a route declares; and another media type for
// older clients.
func TestStreamsOfJSON(t *testing.T) {
	type event struct {
		Kind string `json:"kind"`
	}
	line := migrate.Changed("A kind.", migrate.For[event](migrate.Renamed("type", "kind")))
	const rs = "\x1e"
	for _, test := range []struct{ mediaType, body, want, wantType string }{
		{"application/jsonl", `{"kind":"a"}` + "\n" + `{"kind":"b"}` + "\n", `{"type":"a"}` + "\n" + `{"type":"b"}` + "\n", "application/json"},
		{"application/stream+json", `{"kind":"a"}` + "\n" + `{"kind":"b"}` + "\n", `{"type":"a"}` + "\n" + `{"type":"b"}` + "\n", "application/stream+json"},
		{"application/x-jsonlines", `{"kind":"a"}` + "\r\n" + `{"kind":"b"}` + "\r\n", `{"type":"a"}` + "\n" + `{"type":"b"}` + "\n", "application/x-jsonlines"},
		{"application/vnd.watch+json", `{"kind":"a"}{"kind":"b"}`, `{"type":"a"}` + "\n" + `{"type":"b"}`, "application/vnd.watch+json"},
		{"application/vnd.watch+json; stream=watch", `{"kind":"a"}` + "\n", `{"type":"a"}` + "\n", "application/vnd.watch+json; stream=watch"},
		{"application/json-seq", rs + `{"kind":"a"}` + "\n" + rs + `{"kind":"b"}` + "\n", rs + `{"type":"a"}` + "\n" + rs + `{"type":"b"}` + "\n", "application/json-seq"},
		{"application/geo+json-seq", rs + `{"kind":"` + strings.Repeat("é", 200<<10) + `"}` + "\n", rs + `{"type":"` + strings.Repeat("é", 200<<10) + `"}` + "\n", "application/geo+json-seq"},
	} {
		for _, flush := range []bool{false, true} {
			t.Run(fmt.Sprint(test.mediaType, flush), func(t *testing.T) {
				h, err := migrate.New(apiOf("v2", "v1"), migrate.Release("v2", line), migrate.Release("v1"))
				require.NoError(t, err)
				mistakes := watched(t, h)
				route := h.Route(migrate.Returns[event](), migrate.Lines("application/vnd.watch+json"), line.MediaType("application/json", "application/jsonl"))
				server := serve(t, rewritten(route, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
					w.Header().Set("Content-Type", test.mediaType)
					if flush {
						_ = http.NewResponseController(w).Flush()
						half := len(test.body) / 2
						_, _ = io.WriteString(w, test.body[:half])
						_ = http.NewResponseController(w).Flush()
						_, _ = io.WriteString(w, test.body[half:])
						return
					}
					_, _ = io.WriteString(w, test.body)
				})))
				a := ask(t, "GET", server.URL, "v1", "")
				require.NoError(t, a.err)
				assert.Equal(t, 200, a.StatusCode)
				assert.Equal(t, test.want, a.body)
				assert.Equal(t, test.wantType, a.Header.Get("Content-Type"))
				a = ask(t, "GET", server.URL, "v2", "")
				assert.Equal(t, test.body, a.body)
				assert.Equal(t, test.mediaType, a.Header.Get("Content-Type"))
				time.Sleep(10 * time.Millisecond)
				assert.Empty(t, *mistakes)
			})
		}
	}
}

// Without a declaration two values under application/json stay a failure.
func TestTwoValuesWithoutLines(t *testing.T) {
	h := changed(t, migrate.For[Inner](migrate.Renamed("z", "x")))
	server := serve(t, rewritten(h.Route(migrate.Returns[Inner]()), http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"x":"a"}{"x":"b"}`)
	})))
	assert.Equal(t, 500, ask(t, "GET", server.URL, "v1", "").StatusCode)
}

func TestMediaTypes(t *testing.T) {
	raw := migrate.Behaves("A stream has channels.")
	again := migrate.Behaves("A stream has another name.")
	h, err := migrate.New(apiOf("v3", "v2", "v1"), migrate.Release("v3", again), migrate.Release("v2", raw), migrate.Release("v1"))
	require.NoError(t, err)
	route := h.Route(again.MediaType("application/vnd.b", "application/vnd.c"), raw.MediaType("application/vnd.a", "application/vnd.b"))
	status, written := 200, "application/vnd.c"
	server := serve(t, rewritten(route, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", written)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, "x")
	})))
	for version, want := range map[string]string{"v3": "application/vnd.c", "v2": "application/vnd.b", "v1": "application/vnd.a"} {
		a := ask(t, "GET", server.URL, version, "")
		assert.Equal(t, want, a.Header.Get("Content-Type"), version)
		assert.Equal(t, "x", a.body)
		assert.Equal(t, want, ask(t, "HEAD", server.URL, version, "").Header.Get("Content-Type"), version)
	}
	written = "text/plain"
	assert.Equal(t, "text/plain", ask(t, "GET", server.URL, "v1", "").Header.Get("Content-Type"))
	written, status = "application/vnd.c", 404
	assert.Equal(t, "application/vnd.c", ask(t, "GET", server.URL, "v1", "").Header.Get("Content-Type"), "errors keep theirs")

	// A framework that holds whole responses.
	lower, err := route.BeginBuffered(verso.V("v1"), "GET", &message{header: http.Header{}})
	require.NoError(t, err)
	response := &message{header: http.Header{"Content-Type": {"application/vnd.c"}}, body: []byte("x")}
	require.NoError(t, lower(200, response))
	assert.Equal(t, "application/vnd.a", response.header.Get("Content-Type"))

	log := h.Changelog(&verso.Explanation{Routes: []verso.RouteInfo{{Method: "GET", Pattern: "/x", Rewriter: route}}})
	assert.True(t, log.Versions[0].Changes[0].Breaking)
	assert.Contains(t, fmt.Sprint(log.Versions[0].Changes[0].Edits), `the media type "application/vnd.c" was "application/vnd.b"`)
	for _, bad := range [][2]string{{"a", "application/x"}, {"application/x", "application/x"}, {"text/event-stream", "application/json"}, {"application/json", "application/json-seq"}, {"", "application/x"}} {
		assert.Panics(t, func() { h.Route(raw.MediaType(bad[0], bad[1])) }, bad)
	}
	assert.Panics(t, func() {
		h.Route(raw.MediaType("application/vnd.a", "application/vnd.c"), raw.MediaType("application/vnd.b", "application/vnd.c"))
	})
}

// raw is a type that marshals itself, as decimals and null times do.
type opaqueTime struct{ text string }

func (r opaqueTime) MarshalJSON() ([]byte, error) { return json.Marshal(r.text) }

type pointerTime struct{ text string }

func (r *pointerTime) MarshalJSON() ([]byte, error) { return json.Marshal(r.text) }

func TestOpaqueTypes(t *testing.T) {
	type deleted struct {
		ID      string                `json:"id"`
		Deleted opaqueTime            `json:"deleted"`
		Times   map[string]opaqueTime `json:"times"`
		Pointer *pointerTime          `json:"pointer"`
		List    []*pointerTime        `json:"list"`
	}
	rename := migrate.Release("v2", migrate.Changed("x", migrate.For[deleted](migrate.Renamed("key", "id"))))
	h, err := migrate.New(apiOf("v2", "v1"), migrate.Opaque[opaqueTime](), migrate.Opaque[pointerTime](), rename, migrate.Release("v1"))
	require.NoError(t, err)
	assert.NotPanics(t, func() { h.Route(migrate.Returns[[]deleted](), migrate.Accepts[deleted]()) })
	assert.Equal(t, []verso.Version{verso.V("v2"), verso.V("v1")}, h.Versions())
	raw, err := h.Lower(verso.V("v1"), deleted{ID: "1", Deleted: opaqueTime{"t"}})
	require.NoError(t, err)
	assert.JSONEq(t, `{"key":"1","deleted":"t","times":null,"pointer":null,"list":null}`, string(raw))
	h, err = migrate.New(apiOf("v2", "v1"), rename, migrate.Release("v1"))
	require.NoError(t, err)
	assert.Panics(t, func() { h.Route(migrate.Returns[deleted]()) }, "without Opaque")
	for _, bad := range []migrate.Revision{migrate.Opaque[json.RawMessage](), migrate.Opaque[User](), migrate.Opaque[any](), migrate.Opaque[string]()} {
		_, err = migrate.New(apiOf("v2", "v1"), bad, rename, migrate.Release("v1"))
		assert.ErrorContains(t, err, "give it a type of your own that marshals itself")
	}
}

// An edit of an embedded struct is in the contract, the changelog and the checks of the outer one.
func TestEmbeddedEdits(t *testing.T) {
	h := changed(t, migrate.For[Thing](migrate.Renamed("old", "a"), migrate.Removed("gone", 1)))
	route := h.Route(migrate.Accepts[Outer](), migrate.Returns[[]Deep]())
	schema, err := h.Schema(verso.V("v1"))
	require.NoError(t, err)
	var text []string
	for _, o := range schema.Objects {
		for _, m := range o.Members {
			text = append(text, o.Name+"."+m.Name)
		}
	}
	assert.Subset(t, text, []string{"Outer.old", "Outer.gone", "Outer.extra", "Deep.old", "Deep.gone", "Thing.old"})
	assert.NotContains(t, text, "Outer.a")
	log := h.Changelog(&verso.Explanation{Routes: []verso.RouteInfo{{Method: "POST", Pattern: "/x", Rewriter: route}}})
	assert.Equal(t, []string{"POST /x"}, log.Versions[0].Changes[0].Routes)
	mistakes := watched(t, h)
	server := serve(t, rewritten(route, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode([]Deep{{Outer: &Outer{Thing: Thing{A: "x"}}}, {More: "no outer"}})
	})))
	a := ask(t, "POST", server.URL, "v1", `{"old":"1"}`)
	assert.JSONEq(t, `[{"id":0,"old":"x","extra":"","more":"","gone":1},{"more":"no outer","gone":1}]`, a.body)
	time.Sleep(10 * time.Millisecond)
	assert.Empty(t, *mistakes)
	// A function of Go values cannot read a struct with promoted edits either.
	type box struct {
		Outer Outer `json:"outer"`
	}
	_, err = migrate.New(apiOf("v2", "v1"), migrate.Release("v2", migrate.Changed("x", migrate.For[Thing](migrate.Renamed("old", "a")),
		migrate.For[box](migrate.Mapped("outer", func(string) (Outer, error) { return Outer{}, nil }, func(Outer) (string, error) { return "", nil })))), migrate.Release("v1"))
	assert.ErrorContains(t, err, "the member is of a struct that has edits")
	_, err = migrate.New(apiOf("v2", "v1"), migrate.Release("v2", migrate.Changed("x", migrate.For[Thing](migrate.Renamed("old", "a")),
		migrate.For[Outer](migrate.Reshaped(nil, func(Outer) (string, error) { return "", nil }, "")))), migrate.Release("v1"))
	assert.ErrorContains(t, err, "a reshaped type can have no other edit")
	h = changed(t, migrate.For[Thing](migrate.Reshaped(nil, func(Thing) (string, error) { return "", nil }, "")))
	assert.PanicsWithError(t, "migrate: Thing is embedded in Outer, whose members it has: it cannot be Reshaped there", func() { h.Route(migrate.Returns[Outer]()) })
}
