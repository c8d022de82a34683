package migrate_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
	"github.com/goverso/verso/migrate/internal/watch"
)

// A request of an older client that has a newer member is 400, with the pointer, whatever the method and the size.
func TestRefusedOverHTTP(t *testing.T) {
	h := changed(t, migrate.For[Inner](migrate.Added("y", migrate.Refused)))
	got := ""
	server := serve(t, rewritten(h.Route(migrate.Accepts[Thing]()), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if got = string(body); err != nil {
			fail(w, err)
		}
	})))
	for _, method := range []string{"POST", "PUT", "PATCH"} {
		a := ask(t, method, server.URL, "v1", `{"list":[{"x":"1"},{"x":"2","y":3}]}`)
		assert.Equal(t, 400, a.StatusCode, method)
		assert.Contains(t, a.body, `/list/1/y`, method)
		assert.Equal(t, 200, ask(t, method, server.URL, "v1", `{"list":[{"x":"1","y":null}]}`).StatusCode, method)
		assert.JSONEq(t, `{"list":[{"x":"1"}]}`, got)
		assert.Equal(t, 200, ask(t, method, server.URL, "v2", `{"list":[{"x":"1","y":3}]}`).StatusCode, method)
		assert.JSONEq(t, `{"list":[{"x":"1","y":3}]}`, got)
	}
	long := `{"a":"` + strings.Repeat("a", 600<<10) + `","list":[{"y":{"deep":[1]}}]}`
	a := ask(t, "POST", server.URL, "v1", long)
	assert.Equal(t, 400, a.StatusCode, "a body that is lifted while it is read")
	assert.Contains(t, a.body, `/list/0/y`)
}

func TestRefusedParameters(t *testing.T) {
	type find struct {
		Sort string `query:"sort"`
		Deep bool   `query:"deep"`
	}
	type head struct {
		Mode string `header:"X-Mode"`
	}
	type form struct {
		Name string `form:"name"`
		Kind string `form:"kind"`
	}
	h := changed(t, migrate.For[find](migrate.Added("deep", migrate.Refused)), migrate.For[head](migrate.Added("X-Mode", migrate.Refused)), migrate.For[form](migrate.Added("kind", migrate.Refused)))
	route := h.Route(migrate.Query[find](), migrate.Headers[head](), migrate.Form[form]())
	parameter := func(r *http.Request) string {
		err := lift(route, r)
		if err == nil {
			_, err = io.ReadAll(r.Body)
		}
		if err == nil {
			return ""
		}
		var refused *migrate.Error
		require.ErrorAs(t, err, &refused)
		assert.Equal(t, migrate.InvalidValue, refused.Code)
		return refused.Parameter
	}
	for query, want := range map[string]string{"sort=a": "", "deep=1": "deep", "sort=a&DEEP=": "DEEP", "deep[]=1": "deep[]", "other=1": ""} {
		assert.Equal(t, want, parameter(httptest.NewRequest(http.MethodGet, "/?"+query, http.NoBody)), query)
	}
	r := httptest.NewRequest(http.MethodGet, "/", http.NoBody)
	r.Header.Set("X-Mode", "m")
	assert.Equal(t, "X-Mode", parameter(r))
	for _, body := range []string{"name=a", "name=a&kind=b"} {
		r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		assert.Equal(t, strings.Contains(body, "kind"), parameter(r) == "kind", body)
		var parts bytes.Buffer
		w := multipart.NewWriter(&parts)
		values, _ := url.ParseQuery(body)
		for name := range values {
			_ = w.WriteField(name, values.Get(name))
		}
		_ = w.Close()
		r = httptest.NewRequest(http.MethodPost, "/", &parts)
		r.Header.Set("Content-Type", w.FormDataContentType())
		assert.Equal(t, strings.Contains(body, "kind"), parameter(r) == "kind", "multipart "+body)
	}
	// The binders of Gin and Echo read the fields of a form from the query too.
	route = h.Route(migrate.Form[form]())
	assert.Equal(t, "kind", parameter(httptest.NewRequest(http.MethodPost, "/?kind=b", http.NoBody)))
	assert.Empty(t, parameter(httptest.NewRequest(http.MethodPost, "/?name=b", http.NoBody)))
}

// A parameter that is refused stays so under its later names.
func TestRefusedParametersWithOtherNames(t *testing.T) {
	type find struct {
		Depth int    `query:"depth"`
		Sort  string `query:"sort"`
	}
	type head struct {
		Mode string `header:"X-New-Mode"`
	}
	h, err := migrate.New(apiOf("v3", "v2", "v1"),
		migrate.Release("v3", migrate.Changed("x", migrate.For[find](migrate.Renamed("deep", "depth")), migrate.For[head](migrate.Renamed("X-Mode", "X-New-Mode")))),
		migrate.Release("v2", migrate.Changed("y", migrate.For[find](migrate.Added("deep", migrate.Refused)), migrate.For[head](migrate.Added("X-Mode", migrate.Refused)))),
		migrate.Release("v1"))
	require.NoError(t, err)
	route := h.Route(migrate.Query[find](), migrate.Headers[head]())
	for target, want := range map[string]string{"/?sort=a": "", "/?depth=1": "depth", "/?Deep=1": "Deep", "/ X-Mode": "X-Mode", "/ X-New-Mode": "X-New-Mode"} {
		url, field, _ := strings.Cut(target, " ")
		r := httptest.NewRequest(http.MethodGet, url, http.NoBody)
		if field != "" {
			r.Header.Set(field, "m")
		}
		err, refused := lift(route, r), new(migrate.Error)
		if want == "" {
			require.NoError(t, err)
			continue
		}
		require.ErrorAs(t, err, &refused, target)
		assert.Equal(t, want, refused.Parameter)
	}
}

// Route reports all mistakes of its declarations at once.
func TestRouteReportsAllMistakes(t *testing.T) {
	type box struct {
		One any          `json:"one"`
		Two []opaqueTime `json:"two"`
	}
	type find struct {
		Sort string `json:"sort"`
	}
	h := changed(t, migrate.For[Thing](migrate.Reshaped(nil, func(Thing) (string, error) { return "", nil }, "")))
	other := migrate.Behaves("Nothing.")
	defer func() {
		err, _ := recover().(error)
		require.Error(t, err)
		for _, want := range []string{`the member "one" of box`, `the member "two" of box`, "Thing is embedded in Outer", "Thing is accepted, but its Reshaped", "find is not a struct of parameters", "is in no release", "declaration 8 of the route is nil: remove it"} {
			assert.ErrorContains(t, err, want)
		}
		assert.Equal(t, 1, strings.Count(err.Error(), `the member "one" of box`))
	}()
	h.Route(migrate.Returns[box](), migrate.Fails[box](verso.ProblemType), migrate.Event[Outer]("x"), migrate.Accepts[Thing](), migrate.Query[find](), other.Status(200, 201), other.MediaType("a", "b"), nil)
}

// watched collects what Checked would say.
func watched(t *testing.T, h *migrate.History) *[]string {
	t.Helper()
	var list []string
	t.Cleanup(watch.Of(h).Responses(func(a watch.Answer) { list = append(list, a.Mistakes...) }))
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
				server.Close() // waits for the handler
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
	written = "application/vnd.c; boundary=x; charset=utf-8"
	assert.Equal(t, "application/vnd.a; boundary=x; charset=utf-8", ask(t, "GET", server.URL, "v1", "").Header.Get("Content-Type"), "parameters stay")
	written = "text/plain"
	assert.Equal(t, "text/plain", ask(t, "GET", server.URL, "v1", "").Header.Get("Content-Type"))
	written, status = "application/vnd.c", 404
	assert.Equal(t, "application/vnd.c", ask(t, "GET", server.URL, "v1", "").Header.Get("Content-Type"), "errors keep theirs")

	// A framework that holds whole responses.
	lower, err := route.BeginBuffered(verso.V("v1"), "GET", &message{header: http.Header{}})
	require.NoError(t, err)
	response := &message{header: http.Header{"Content-Type": {"application/vnd.c; boundary=x"}}, body: []byte("x")}
	require.NoError(t, lower(200, response))
	assert.Equal(t, "application/vnd.a; boundary=x", response.header.Get("Content-Type"))

	log := h.Changelog(&verso.Explanation{Routes: []verso.RouteInfo{{Method: "GET", Pattern: "/x", Rewriter: route}}})
	assert.True(t, log.Versions[0].Changes[0].Breaking)
	assert.Contains(t, fmt.Sprint(log.Versions[0].Changes[0].Edits), `the media type "application/vnd.c" was "application/vnd.b"`)
	for _, bad := range [][2]string{{"a", "application/x"}, {"application/x", "application/x"}, {"text/event-stream", "application/json"}, {"application/json", "application/json-seq"}, {"application/x", ""}} {
		assert.Panics(t, func() { h.Route(raw.MediaType(bad[0], bad[1])) }, bad)
	}
	assert.Panics(t, func() {
		h.Route(raw.MediaType("application/vnd.a", "application/vnd.c"), raw.MediaType("application/vnd.b", "application/vnd.c"))
	})
}

// A member that is always there for older clients is not held, whatever its size.
func TestOmittedIsNotHeld(t *testing.T) {
	h := changed(t, migrate.For[Thing](migrate.Omitted("list", []Inner{})), migrate.For[Inner](migrate.Renamed("z", "x")))
	many := strings.Repeat(`{"x":"0123456789"},`, 100_000)
	raw, err := h.LowerJSON(verso.V("v1"), reflect.TypeFor[Thing](), []byte(`{"id":1,"list":[`+many+`{"x":"9"}]}`))
	require.NoError(t, err)
	assert.Equal(t, 100_001, bytes.Count(raw, []byte(`"z"`)))
	_, err = migrate.New(apiOf("v2", "v1"), migrate.Release("v2", migrate.Changed("x", migrate.For[search](migrate.Omitted("sort", "")))), migrate.Release("v1"))
	require.Error(t, err)
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
	server.Close() // waits for the handler
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
	assert.PanicsWithError(t, "migrate: Thing is embedded in Outer: its Reshaped makes the whole object, which is impossible there", func() { h.Route(migrate.Returns[Outer]()) })
}

// documentOf lowers a document of one operation, whose request and response are a component.
func documentOf(t *testing.T, openapi, component string, request bool, route *migrate.Route) map[string]any {
	t.Helper()
	text := `{"openapi":"` + openapi + `","paths":{"/x":{"post":{` + map[bool]string{true: `"requestBody":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Thing"}}}},`}[request] +
		`"responses":{"200":{"description":"","content":{"application/jsonl":{"schema":{"$ref":"#/components/schemas/Thing"}}}}}}}},"components":{"schemas":{"Thing":` + component + `,
		"Inner":{"type":"object","additionalProperties":false,"properties":{"x":{"type":"string"},"y":{"type":"integer"}}}}}}`
	var d map[string]any
	require.NoError(t, json.Unmarshal([]byte(text), &d))
	_, err := route.LowerDocument("v1", d, map[string]verso.Rewriter{"/paths/~1x/post": route})
	require.NoError(t, err)
	return d
}

const thingSchema = `{"type":"object","required":["id"],"properties":{"id":{"type":"integer"},"a":{"type":"string","maxLength":9,"description":"d"},"b":{"type":"string"},"n":{"type":"integer"},"inner":{"$ref":"#/components/schemas/Inner"},"list":{"type":"array","items":{"$ref":"#/components/schemas/Inner"}}}}`

// The objects that were flattened.
type (
	older struct {
		One string `json:"one,omitempty"`
		I   *Inner `json:"i,omitempty"`
		Key int    `json:"key"`
	}
	oneB struct {
		One string `json:"one,omitempty"`
	}
)

func TestDocumentsOfTheKinds(t *testing.T) {
	for _, test := range []struct {
		name    string
		edits   []migrate.Edit
		want    string // of the properties that differ, for responses only
		request string // required, if a request has the object too
		answer  string // required otherwise
	}{
		{"nothing", []migrate.Edit{migrate.Removed("old")}, `"old":{}`, `["id"]`, `["id"]`},
		{"nothing of a type", []migrate.Edit{migrate.Removed("old,omitempty", "")}, `"old":{"type":"string"}`, `["id"]`, `["id"]`},
		{"a constant", []migrate.Edit{migrate.Removed("old", "k")}, `"old":{"type":"string","example":"k"}`, `["id"]`, `["id","old"]`},
		{"a component", []migrate.Edit{migrate.Removed("old,omitempty", (*Inner)(nil))}, `"old":{"$ref":"#/components/schemas/Inner"}`, `["id"]`, `["id"]`},
		{"a list of a component", []migrate.Edit{migrate.Removed("old,omitempty", []Inner{})}, `"old":{"type":"array","items":{"$ref":"#/components/schemas/Inner"}}`, `["id"]`, `["id"]`},
		{"a component that may be null", []migrate.Edit{migrate.Removed("old", (*Inner)(nil))}, `"old":{"allOf":[{"$ref":"#/components/schemas/Inner"}],"nullable":true,"example":null}`, "", ""},
		{"an enum that may be null", []migrate.Edit{migrate.Documented("old", `{"enum":["k"]}`), migrate.Removed("old", (*string)(nil))}, `"old":{"type":"string","enum":["k",null],"nullable":true,"example":null}`, "", ""},
		{"another bound", []migrate.Edit{migrate.Documented("a", `{"maxLength":3,"description":null}`)}, `"a":{"type":"string","maxLength":3}`, `["id"]`, `["id"]`},
		{"an enum of what is removed", []migrate.Edit{migrate.Documented("old", `{"enum":["k","l"],"deprecated":true}`), migrate.Removed("old,omitempty", "")}, `"old":{"type":"string","enum":["k","l"],"deprecated":true}`, `["id"]`, `["id"]`},
		{"a description of an object", []migrate.Edit{migrate.Documented("inner", `{"description":"old"}`)}, `"inner":{"allOf":[{"$ref":"#/components/schemas/Inner"}],"description":"old"}`, `["id"]`, `["id"]`},
		{"items", []migrate.Edit{migrate.Documented("list", `{"items":{"$ref":null,"type":"object"},"maxItems":5}`)}, `"list":{"type":"array","items":{"type":"object"},"maxItems":5}`, `["id"]`, `["id"]`},
		{"a list that was never null", []migrate.Edit{migrate.Documented("old", `{"maxItems":3,"nullable":null}`), migrate.Removed("old", []string{})}, `"old":{"type":"array","items":{"type":"string"},"maxItems":3,"example":[]}`, `["id"]`, `["id","old"]`},
		{"a whole object", []migrate.Edit{migrate.Documented("inner", `{"type":"object","properties":{"k":{"enum":["v"]}}}`)}, `"inner":{"type":"object","properties":{"k":{"enum":["v"]}}}`, `["id"]`, `["id"]`},
		{"another component", []migrate.Edit{migrate.Documented("a", `{"$ref":"#/components/schemas/Inner"}`)}, `"a":{"$ref":"#/components/schemas/Inner"}`, `["id"]`, `["id"]`},
		{"a gone value", []migrate.Edit{migrate.Values("b", map[string]string{"k": "l"}, migrate.OldValue("g", "l")), migrate.Documented("b", `{"enum":["l","m"]}`)}, `"b":{"type":"string","enum":["k","m","g"]}`, `["id"]`, `["id"]`},
		{"a gone value, still described", []migrate.Edit{migrate.Values("b", map[string]string{"k": "l"}, migrate.OldValue("g", "l")), migrate.Documented("b", `{"enum":["l","g"]}`)}, `"b":{"type":"string","enum":["k","g"]}`, `["id"]`, `["id"]`},
		{"always there", []migrate.Edit{migrate.Omitted("a", "")}, ``, `["id"]`, `["a","id"]`},
		{"flattened", []migrate.Edit{migrate.Flattened[older]("obj", map[string]string{"one": "a", "i": "inner", "key": "id"})},
			`"obj":{"type":"object","required":["key"],"properties":{"one":{"type":"string","maxLength":9,"description":"d"},"i":{"$ref":"#/components/schemas/Inner"},"key":{"type":"integer"}}}`, `["obj"]`, `["obj"]`},
		{"made of several", []migrate.Edit{migrate.RemovedFrom("c", "", func(struct {
			ID int    `json:"id"`
			A  string `json:"a"`
		}) (string, error) {
			return "", nil
		})}, `"c":{"type":"string"}`, `["id"]`, `["c","id"]`},
		{"made of several, or not", []migrate.Edit{migrate.RemovedFrom("c,omitempty", "", func(struct {
			ID int `json:"id"`
		}) (*Inner, error) {
			return nil, nil
		})}, `"c":{"$ref":"#/components/schemas/Inner"}`, `["id"]`, `["id"]`},
	} {
		t.Run(test.name, func(t *testing.T) {
			change := migrate.Changed("x", migrate.ForType(reflect.TypeFor[Thing](), test.edits...))
			h, err := migrate.New(apiOf("v2", "v1"), migrate.Release("v2", change), migrate.Release("v1"))
			require.NoError(t, err)
			for _, request := range []bool{false, true} {
				bodies := []migrate.Body{migrate.Returns[Thing](), change.MediaType("application/json", "application/jsonl")}
				if request {
					bodies = append(bodies, migrate.Accepts[Thing]())
				}
				d := documentOf(t, "3.0.3", thingSchema, request, h.Route(bodies...))
				content := d["paths"].(map[string]any)["/x"].(map[string]any)["post"].(map[string]any)["responses"].(map[string]any)["200"].(map[string]any)["content"].(map[string]any)
				assert.Contains(t, content, "application/json")
				thing := d["components"].(map[string]any)["schemas"].(map[string]any)["Thing"].(map[string]any)
				if want := map[bool]string{true: test.request, false: test.answer}[request]; want != "" {
					text, _ := json.Marshal(thing["required"])
					assert.JSONEq(t, want, string(text), "required, request %v", request)
				}
				properties := thing["properties"].(map[string]any)
				var want map[string]any
				require.NoError(t, json.Unmarshal([]byte("{"+test.want+"}"), &want))
				for name, each := range want {
					wanted, _ := json.Marshal(each)
					got, _ := json.Marshal(properties[name])
					assert.JSONEq(t, string(wanted), string(got))
				}
			}
		})
	}
}

func TestTextsOfTheKinds(t *testing.T) {
	h := changed(t, migrate.For[Thing](
		migrate.Removed("gone"), migrate.Removed("left,omitempty", ""), migrate.Omitted("a", ""), migrate.Documented("a", `{ "maxLength": 9007199254740993 }`), migrate.Added("n", migrate.Refused), migrate.Added("list"),
		migrate.Flattened[oneB]("obj", map[string]string{"one": "b"})))
	var got []string
	for _, e := range h.Changelog(nil).Versions[0].Changes[0].Edits {
		got = append(got, e.Text)
	}
	assert.Equal(t, []string{
		`"gone" is removed`, `"left" is removed`, `"a" may be absent; older clients then read ""`, `"a" was described by {"maxLength":9007199254740993}`,
		`"n" is new, and older clients may not send it`, `"list" is new`, `"b" was "obj.one"`,
	}, got)
	for breaks, edit := range map[bool]migrate.Edit{true: migrate.Omitted("a", ""), false: migrate.Documented("a", `{"description": "x"}`)} {
		assert.Equal(t, breaks, changed(t, migrate.For[Thing](edit)).Changelog(nil).Versions[0].Changes[0].Breaking)
	}
	assert.False(t, changed(t, migrate.For[Thing](migrate.Added("a", migrate.Refused))).Changelog(nil).Versions[0].Changes[0].Breaking)
	schema, err := h.Schema(verso.V("v1"))
	require.NoError(t, err)
	members := map[string]string{}
	for _, o := range schema.Objects {
		for _, m := range o.Members {
			members[o.Name+"."+m.Name] = m.String()
		}
	}
	assert.Equal(t, map[string]string{
		"Thing.gone": "any, optional", "Thing.left": "string, optional", "Thing.a": "string", "Thing.id": "integer", "Thing.obj": "oneB, optional", "oneB.one": "string, optional",
		"Thing.inner": "Inner, optional", "Inner.x": "string, optional", "Inner.y": "integer, optional",
	}, members)
	for _, bad := range []migrate.Edit{migrate.Joined("z", "z", "a", joinSpace, splitSpace), migrate.Split("z", "a", "a", splitSpace, joinSpace), migrate.Documented("a", `[]`), migrate.Documented("a", `{`), migrate.Added("a", 1, 2), migrate.Removed("z", 1, 2), migrate.Omitted("a", func() {}), migrate.RemovedFrom("z,x", "a", func(s string) (string, error) { return s, nil })} {
		_, err := migrate.New(apiOf("v2", "v1"), migrate.Release("v2", migrate.Changed("x", migrate.For[Thing](bad))), migrate.Release("v1"))
		assert.Error(t, err)
	}
}

func TestDocumentedParameters(t *testing.T) {
	type find struct {
		Name string `query:"name"`
		Deep bool   `query:"deep"`
	}
	h := changed(t, migrate.For[find](migrate.Documented("name", `{"maxLength":3,"pattern":null}`), migrate.Added("deep", migrate.Refused)))
	var d map[string]any
	require.NoError(t, json.Unmarshal([]byte(`{"openapi":"3.1.0","paths":{"/x":{"get":{"parameters":[{"in":"query","name":"name","description":"d","schema":{"type":"string","maxLength":9,"pattern":"a"}},{"in":"query","name":"deep","schema":{"type":"boolean"}}],"responses":{}}}}}`), &d))
	route := h.Route(migrate.Query[find]())
	_, err := route.LowerDocument("v1", d, map[string]verso.Rewriter{"/paths/~1x/get": route})
	require.NoError(t, err)
	got, _ := json.Marshal(d["paths"].(map[string]any)["/x"].(map[string]any)["get"].(map[string]any)["parameters"])
	assert.JSONEq(t, `[{"in":"query","name":"name","description":"d","schema":{"type":"string","maxLength":3}}]`, string(got))
}

func TestWithheldElements(t *testing.T) {
	type page struct {
		Items []Thing          `json:"items"`
		By    map[string]Thing `json:"by"`
		One   *Thing           `json:"one"`
	}
	isNew := func(x Thing) bool { return x.A == "new" }
	h, err := migrate.New(apiOf("v3", "v2", "v1"),
		migrate.Release("v3", migrate.Changed("x", migrate.For[Thing](migrate.Renamed("old", "a")))),
		migrate.Release("v2", migrate.Changed("y", migrate.For[Thing](migrate.Withheld(isNew), migrate.Renamed("older", "old")))), migrate.Release("v1"))
	require.NoError(t, err)
	in := `{"items":[{"a":"new"},{"a":"x"},{"a":"new"},{"a":"y","list":[{"x":"1"}]},null,{"a":"new"}],"by":{"k":{"a":"new"}},"one":{"a":"new"}}`
	for version, want := range map[string]string{
		"v2": `{"items":[{"old":"new"},{"old":"x"},{"old":"new"},{"old":"y","list":[{"x":"1"}]},null,{"old":"new"}],"by":{"k":{"old":"new"}},"one":{"old":"new"}}`,
		"v1": `{"items":[{"older":"x"},{"older":"y","list":[{"x":"1"}]},null],"by":{"k":{"older":"new"}},"one":{"older":"new"}}`,
	} {
		raw, err := h.LowerJSON(verso.V(version), reflect.TypeFor[page](), []byte(in))
		require.NoError(t, err)
		assert.JSONEq(t, want, string(raw), version)
		raw, err = h.LowerStreamed(verso.V(version), reflect.TypeFor[page](), split([]byte(in))...)
		require.NoError(t, err)
		assert.JSONEq(t, want, string(raw), version)
	}
	for in, want := range map[string]string{
		`{"a":"new"}` + "\n" + `{"a":"x"}` + "\n" + `{"a":"new"}` + "\n" + `{"a":"y"}` + "\n": `{"older":"x"}` + "\n" + `{"older":"y"}` + "\n",
		`{"a":"x"}` + "\n" + `{"a":"new"}` + "\n":                                             `{"older":"x"}` + "\n",
		`{"a":"new"}` + "\n": "",
		`{"a":"new"}`:        "",
	} {
		for _, flush := range []bool{false, true} {
			server := serve(t, rewritten(h.Route(migrate.Returns[Thing]()), http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/jsonl")
				for _, piece := range split([]byte(in)) {
					_, _ = w.Write(piece)
					if flush {
						_ = http.NewResponseController(w).Flush()
					}
				}
			})))
			a := ask(t, "GET", server.URL, "v1", "")
			require.NoError(t, a.err)
			assert.Equal(t, want, a.body)
		}
	}
	_, err = migrate.New(apiOf("v2", "v1"), migrate.Release("v2", migrate.Changed("x", migrate.For[Inner](migrate.Withheld(isNew)))), migrate.Release("v1"))
	assert.ErrorContains(t, err, "the function reads Thing: let it read Inner")
}

// Without a comma in their names edits would take an option of a tag for a part of the name.
func TestNamesWithOptions(t *testing.T) {
	for want, edit := range map[string]migrate.Edit{
		`"old,omitempty" has a comma`: migrate.Renamed("old,omitempty", "a"),
		`"a,omitempty" has a comma`:   migrate.Omitted("a,omitempty", ""),
		`"all,omitzero" has a comma`:  migrate.Split("all,omitzero", "a", "b", splitSpace, joinSpace),
		`"one,omitempty" has a comma`: migrate.Flattened[oneB]("obj", map[string]string{"one,omitempty": "b"}),
		`omitempty or omitzero`:       migrate.Removed("old,string", ""),
	} {
		_, err := migrate.New(apiOf("v2", "v1"), migrate.Release("v2", migrate.Changed("x", migrate.For[Thing](edit))), migrate.Release("v1"))
		assert.ErrorContains(t, err, want)
	}
}

// A function of a member whose structs have edits would read several forms of them, and a constant has one.
func TestRemovedFromAnEditedStruct(t *testing.T) {
	type own struct {
		Y int `json:"y"`
	}
	own2text := func(in own) (string, error) { return strconv.Itoa(in.Y), nil }
	for _, test := range []struct {
		name    string
		edit    migrate.Edit
		refused bool
	}{
		{"the struct", migrate.RemovedFrom("old", "inner", func(in Inner) (string, error) { return in.X, nil }), true},
		{"a type of its own", migrate.RemovedFrom("old", "inner", own2text), true},
		{"a list", migrate.RemovedFrom("old", "list", func(in []own) (string, error) { return own2text(in[0]) }), true},
		{"anything", migrate.RemovedFrom("old", "inner", func(any) (string, error) { return "", nil }), true},
		{"one of several members", migrate.RemovedFrom("old", "", func(in struct {
			A     string `json:"a"`
			Inner own    `json:"inner"`
		}) (string, error) {
			return in.A, nil
		}), true},
		{"a constant", migrate.Omitted("list", []Inner{{X: "k"}}), true},
		{"an empty constant", migrate.Omitted("list", []Inner{}), false},
		{"raw JSON", migrate.RemovedFrom("old", "inner", func(in json.RawMessage) (string, error) { return string(in), nil }), false},
		{"a list of raw JSON", migrate.RemovedFrom("old", "list", func(in []json.RawMessage) (int, error) { return len(in), nil }), false},
		{"another member", migrate.RemovedFrom("old", "a", func(a string) (string, error) { return a, nil }), false},
	} {
		_, err := migrate.New(apiOf("v2", "v1"), migrate.Release("v2", migrate.Changed("x", migrate.For[Inner](migrate.Renamed("z", "y")), migrate.For[Thing](test.edit))), migrate.Release("v1"))
		if test.refused {
			assert.ErrorContains(t, err, "the member is of a struct that has edits", test.name)
		} else {
			assert.NoError(t, err, test.name)
		}
	}
}

// A gone value is in no response, means another one in requests, and older documents list it.
func TestOldValue(t *testing.T) {
	type claim struct {
		State string   `json:"state"`
		By    []string `json:"by"`
	}
	h := changed(t, migrate.For[claim](
		migrate.Values("state", nil, migrate.OldValue("abandoned", "assumed"), migrate.OldValue("expired", "assumed")),
		migrate.Values("by", map[string]string{"mail": "email"}, migrate.NewValue("push", "sms"), migrate.OldValue("fax", "email"))))
	lowered, err := h.LowerJSON(verso.V("v1"), reflect.TypeFor[claim](), []byte(`{"state":"assumed","by":["email","push",null,"other"]}`))
	require.NoError(t, err)
	assert.JSONEq(t, `{"state":"assumed","by":["mail","sms",null,"other"]}`, string(lowered))
	for given, want := range map[string]string{
		`{"state":"assumed","by":null}`:             `{"state":"assumed","by":null}`,
		`{"state":"abandoned","by":["fax","mail"]}`: `{"state":"assumed","by":["email","email"]}`,
		`{"state":"expired","by":[]}`:               `{"state":"assumed","by":[]}`,
		`{"by":["sms","push"]}`:                     "",
		`{"by":["sms",7]}`:                          "",
	} {
		lifted, err := h.LiftJSON(verso.V("v1"), reflect.TypeFor[claim](), []byte(given))
		if want == "" {
			assert.Error(t, err, given)
			continue
		}
		require.NoError(t, err, given)
		assert.JSONEq(t, want, string(lifted))
	}
}

// Older clients never read null for a member that may be null now.
func TestNotNull(t *testing.T) {
	type claim struct {
		Name  *string  `json:"name"`
		Score *int     `json:"score"`
		Tags  []string `json:"tags"`
		Item  *Inner   `json:"item"`
	}
	h := changed(t, migrate.For[claim](migrate.NotNull("name", ""), migrate.NotNull("score", migrate.Absent), migrate.NotNull("tags", []string{}), migrate.NotNull("item", migrate.Absent)),
		migrate.For[Inner](migrate.Renamed("z", "x")))
	for given, want := range map[string]string{
		`{"name":null,"score":null,"tags":null,"item":null}`:                    `{"name":"","tags":[]}`,
		`{"name":"Ada","score":7,"tags":["a"],"item":{"x":"1"}}`:                `{"name":"Ada","score":7,"tags":["a"],"item":{"z":"1"}}`,
		`{"name":"Ada","score":0,"tags":["` + strings.Repeat("a", 9000) + `"]}`: `{"name":"Ada","score":0,"tags":["` + strings.Repeat("a", 9000) + `"]}`,
	} {
		lowered, err := h.LowerJSON(verso.V("v1"), reflect.TypeFor[claim](), []byte(given))
		require.NoError(t, err)
		assert.JSONEq(t, want, string(lowered))
	}
	lifted, err := h.LiftJSON(verso.V("v1"), reflect.TypeFor[claim](), []byte(`{"name":"","item":{"z":"1"}}`))
	require.NoError(t, err)
	assert.JSONEq(t, `{"name":"","item":{"x":"1"}}`, string(lifted))
	type odd struct {
		N    int  `json:"n"`
		Some *int `json:"some"`
	}
	for _, test := range []struct {
		edit migrate.Edit
		want string
	}{
		{migrate.NotNull("n", 1), `"n" is never null: its type is integer`},
		{migrate.NotNull("some", nil), "the constant is null: give another one, or Absent"},
		{migrate.NotNull("some", "a"), `"some" is integer, which "a" is not`},
	} {
		_, err := migrate.New(apiOf("v2", "v1"), migrate.Release("v2", migrate.Changed("x", migrate.For[odd](test.edit))), migrate.Release("v1"))
		assert.ErrorContains(t, err, test.want)
	}
}

// Keywords of the object are about its older form, and what they require must be there.
func TestDocumentedObject(t *testing.T) {
	type claim struct {
		Name string `json:"name"`
	}
	for _, test := range []struct {
		edits []migrate.Edit
		want  string
	}{
		{[]migrate.Edit{migrate.Renamed("title", "name"), migrate.Documented("", `{"required":["title"]}`)}, `there is no member "title"`},
		{[]migrate.Edit{migrate.Documented("", `{"required":["title"]}`), migrate.Renamed("title", "name")}, ""},
		{[]migrate.Edit{migrate.Documented("", `{"required":"name"}`)}, "cannot unmarshal string"},
		{[]migrate.Edit{migrate.Documented("", `{"properties":{}}`)}, "the keyword properties is for edits of members"},
		{[]migrate.Edit{migrate.Renamed("title", "name"), migrate.Documented("", `{"required":["name"]}`)}, ""},
	} {
		_, err := migrate.New(apiOf("v2", "v1"), migrate.Release("v2", migrate.Changed("x", migrate.ForType(reflect.TypeFor[claim](), test.edits...))), migrate.Release("v1"))
		if test.want == "" {
			assert.NoError(t, err)
		} else {
			assert.ErrorContains(t, err, test.want)
		}
	}
}

// TestEmptyConstantOfAnEditedStruct: what is never sent has no form, but a type in contracts and documents.
func TestEmptyConstantOfAnEditedStruct(t *testing.T) {
	type item struct {
		Name string `json:"name"`
	}
	type list struct {
		Items []item `json:"items,omitempty"`
	}
	release := func(edit migrate.Edit) (*migrate.History, error) {
		return migrate.New(apiOf("v2", "v1"), migrate.Release("v2", migrate.Changed("x", migrate.For[item](migrate.Renamed("title", "name")), migrate.For[list](edit))), migrate.Release("v1"))
	}
	h, err := release(migrate.Removed("failed,omitempty", []item{}))
	require.NoError(t, err)
	got, err := h.Lower(verso.V("v1"), list{[]item{{"a"}}})
	require.NoError(t, err)
	assert.JSONEq(t, `{"items":[{"title":"a"}]}`, string(got))
	schema, err := h.Schema(verso.V("v1"))
	require.NoError(t, err)
	require.Equal(t, "list", schema.Objects[1].Name)
	assert.Equal(t, "failed", schema.Objects[1].Members[1].Name)
	assert.Equal(t, "[]item, optional", schema.Objects[1].Members[1].String())
	_, err = release(migrate.Removed("failed", []item{{"a"}}))
	assert.ErrorContains(t, err, "the member is of a struct that has edits")
}

// TestLostKeywordsOfValues: Values takes the bounds of the newest texts away, so older ones are listed before it.
func TestLostKeywordsOfValues(t *testing.T) {
	type item struct {
		Name string `json:"name"`
	}
	values, documented := migrate.Values("name", map[string]string{"a": "b"}), migrate.Documented("name", `{"maxLength":9}`)
	release := func(edits ...migrate.Edit) error {
		_, err := migrate.New(apiOf("v2", "v1"), migrate.Release("v2", migrate.Changed("x", migrate.ForType(reflect.TypeFor[item](), edits...))), migrate.Release("v1"))
		return err
	}
	require.NoError(t, release(documented, values))
	require.NoError(t, release(values, migrate.Documented("name", `{"title":"t"}`)))
	require.ErrorContains(t, release(values, documented), "documents of older versions do not show it: leave it out, or list it before this edit")
}
