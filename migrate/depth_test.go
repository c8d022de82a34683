package migrate_test

import (
	"encoding/json"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
)

// Types that have themselves inside, each with edits that need a value whole.
type (
	within struct { // a variant of a union of which it has a value
		Kind  string `json:"kind"`
		Title string `json:"title"`
		Of    nests  `json:"of,omitempty"`
	}
	nests interface{ nests() }

	inMeta struct { // is now in an object
		Title string `json:"title"`
		Meta  meta   `json:"meta"`
	}
	meta struct {
		X  string  `json:"x"`
		Of *inMeta `json:"of,omitempty"`
	}

	outside struct { // was in an object
		Title string      `json:"title"`
		X     string      `json:"x"`
		Of    *outside    `json:"of,omitempty"`
		More  json.Number `json:"more"`
	}
	outsideMeta struct {
		X  string   `json:"x"`
		Of *outside `json:"of,omitempty"`
	}

	listed struct { // lists of it lack elements
		Title string            `json:"title"`
		Of    []listed          `json:"of,omitempty"`
		By    map[string]listed `json:"by,omitempty"`
	}

	shapedOld struct { // of another type
		Name string     `json:"name"`
		Of   *shapedOld `json:"of,omitempty"`
	}
	shaped struct {
		Title string  `json:"title"`
		Of    *shaped `json:"of,omitempty"`
	}

	shapedAgainOld struct { // of another type, which has the newer one inside
		Name string       `json:"name"`
		Of   *shapedAgain `json:"of,omitempty"`
	}
	shapedAgain struct {
		Title string       `json:"title"`
		Of    *shapedAgain `json:"of,omitempty"`
	}

	parcel struct { // was in an object
		Title string  `json:"title"`
		Of    *parcel `json:"of,omitempty"`
	}
	parcelOld struct {
		Payload parcel `json:"payload"`
	}

	shelf struct { // was the list
		Items []shelf `json:"items"`
		Next  string  `json:"next,omitempty"`
	}

	crate struct { // was the list in an object
		Items []crate `json:"items"`
	}
	crateOld struct {
		Payload crate `json:"payload"`
	}

	mixed struct { // each of these, one in the other
		Kind  string    `json:"kind"`
		Title string    `json:"title"`
		Meta  mixedMeta `json:"meta"`
	}
	mixedMeta struct {
		X   string      `json:"x"`
		All []mixedItem `json:"all,omitempty"`
	}
	mixedItem struct {
		Title string   `json:"title"`
		Of    mixes    `json:"of,omitempty"`
		Y     string   `json:"y"`
		Null  *outside `json:"null"`
	}
	mixedItemOld struct {
		Of mixes  `json:"of,omitempty"`
		Y  string `json:"y"`
	}
	mixes interface{ mixes() }
)

func (within) nests() {}
func (mixed) mixes()  {}

func shapedFrom(is shaped) (was shapedOld, err error) {
	was.Name = is.Title
	if is.Of != nil {
		was.Of = new(shapedOld)
		*was.Of, err = shapedFrom(*is.Of)
	}
	return was, err
}

func shapedTo(was shapedOld) (is shaped, err error) {
	is.Title = was.Name
	if was.Of != nil {
		is.Of = new(shaped)
		*is.Of, err = shapedTo(*was.Of)
	}
	return is, err
}

// deep is a kind of value inside values of its kind.
type deep struct {
	name          string
	history       *migrate.History
	parts         []migrate.Body
	sent, lifted  [3]string // of a body: what each level begins with, the innermost value, what each ends with
	wrote, lowers [3]string
}

func deepBody(parts [3]string, depth int) string {
	return strings.Repeat(parts[0], depth) + parts[1] + strings.Repeat(parts[2], depth)
}

func deeps() []deep {
	before := func(revisions ...migrate.Revision) *migrate.History {
		return verso.Must(migrate.New(apiOf("v2", "v1"), append(revisions, migrate.Release("v1"))...))
	}
	change := func(edits ...migrate.TypeEdits) migrate.Revision {
		return migrate.Release("v2", migrate.Changed("x", edits...))
	}
	nested := migrate.For[inMeta](migrate.Nested("meta", map[string]string{"x": "x", "of": "of"}))
	union := before(migrate.OneOf[nests]("kind", migrate.Variant[within]("within")), change(
		migrate.For[within](migrate.Renamed("name", "title")), migrate.For[nests](migrate.RenamedVariant("inside", "within"))))
	return []deep{{
		"union", union, []migrate.Body{migrate.Accepts[nests](), migrate.Returns[nests]()},
		[3]string{`{"kind":"inside","name":"x","of":`, "null", "}"}, [3]string{`{"kind":"within","title":"x","of":`, "null", "}"},
		[3]string{`{"kind":"within","title":"x","of":`, "null", "}"}, [3]string{`{"kind":"inside","name":"x","of":`, "null", "}"},
	}, {
		"union, text last", union, []migrate.Body{migrate.Accepts[nests](), migrate.Returns[nests]()},
		[3]string{`{"of":`, "null", `,"name":"x","kind":"inside"}`}, [3]string{`{"of":`, "null", `,"title":"x","kind":"within"}`},
		[3]string{`{"of":`, "null", `,"title":"x","kind":"within"}`}, [3]string{`{"of":`, "null", `,"name":"x","kind":"inside"}`},
	}, {
		"Nested", before(change(nested)), []migrate.Body{migrate.Accepts[inMeta](), migrate.Returns[inMeta]()},
		[3]string{`{"title":"a","x":"x","of":`, "null", "}"}, [3]string{`{"title":"a","meta":{"x":"x","of":`, "null", "}}"},
		[3]string{`{"title":"a","meta":{"x":"x","of":`, "null", "}}"}, [3]string{`{"title":"a","x":"x","of":`, "null", "}"},
	}, {
		"Nested and Default", verso.Must(migrate.New(apiOf("v3", "v2", "v1"),
			migrate.Release("v3", migrate.Changed("x", migrate.For[inMeta](migrate.Nested("meta", map[string]string{"y": "x", "in": "of"})))),
			migrate.Release("v2", migrate.Changed("y", migrate.For[inMeta](migrate.Renamed("z", "y"), migrate.Default("in", nil)))), migrate.Release("v1"))),
		[]migrate.Body{migrate.Accepts[inMeta](), migrate.Returns[inMeta]()},
		[3]string{`{"title":"a","z":"x","in":`, `{"title":"a"}`, "}"}, [3]string{`{"title":"a","meta":{"x":"x","of":`, `{"title":"a","meta":{"of":null}}`, "}}"},
		[3]string{`{"title":"a","meta":{"x":"x","of":`, "null", "}}"}, [3]string{`{"title":"a","z":"x","in":`, "null", "}"},
	}, {
		"Flattened", before(change(migrate.For[outside](migrate.Flattened[outsideMeta]("meta", map[string]string{"x": "x", "of": "of"})))),
		[]migrate.Body{migrate.Accepts[outside](), migrate.Returns[outside]()},
		[3]string{`{"title":"a","meta":{"x":"x","of":`, "null", `},"more":1}`}, [3]string{`{"title":"a","x":"x","of":`, "null", `,"more":1}`},
		[3]string{`{"title":"a","x":"x","of":`, "null", `,"more":1}`}, [3]string{`{"title":"a","meta":{"x":"x","of":`, "null", `},"more":1}`},
	}, {
		"Withheld", before(change(migrate.For[listed](migrate.Renamed("name", "title"), migrate.Withheld(func(l listed) bool { return l.Title == "new" })))),
		[]migrate.Body{migrate.Accepts[listed](), migrate.Returns[listed]()},
		[3]string{`{"name":"a","of":[`, "", "]}"}, [3]string{`{"title":"a","of":[`, "", "]}"},
		[3]string{`{"title":"a","of":[{"title":"new"},`, `{"title":"new"}`, "]}"}, [3]string{`{"name":"a","of":[`, "", "]}"},
	}, {
		"Withheld in maps", before(change(migrate.For[listed](migrate.Renamed("name", "title"), migrate.Withheld(func(l listed) bool { return l.Title == "new" })))),
		[]migrate.Body{migrate.Accepts[listed](), migrate.Returns[listed]()},
		[3]string{`{"by":{"x":{"of":[{"name":"a"},`, "null", "]}}}"}, [3]string{`{"by":{"x":{"of":[{"title":"a"},`, "null", "]}}}"},
		[3]string{`{"by":{"x":{"of":[{"title":"a"},{"title":"new"},`, "null", "]}}}"}, [3]string{`{"by":{"x":{"of":[{"name":"a"},`, "null", "]}}}"},
	}, {
		"Reshaped", before(change(migrate.For[shaped](migrate.Reshaped(shapedTo, shapedFrom, "")))),
		[]migrate.Body{migrate.Accepts[shaped](), migrate.Returns[shaped]()},
		[3]string{`{"name":"a","of":`, `{"name":"b"}`, "}"}, [3]string{`{"title":"a","of":`, `{"title":"b"}`, "}"},
		[3]string{`{"title":"a","of":`, `{"title":"b"}`, "}"}, [3]string{`{"name":"a","of":`, `{"name":"b"}`, "}"},
	}, {
		"Reshaped of Nested", verso.Must(migrate.New(apiOf("v3", "v2", "v1"),
			migrate.Release("v3", migrate.Changed("x", migrate.For[shaped](migrate.Reshaped(nestedTo, nestedFrom, "")))),
			migrate.Release("v2", migrate.Changed("y", nested)), migrate.Release("v1"))),
		[]migrate.Body{migrate.Accepts[shaped](), migrate.Returns[shaped]()},
		[3]string{`{"title":"a","x":"","of":`, `{"title":"b"}`, "}"}, [3]string{`{"title":"a","of":`, `{"title":"b"}`, "}"},
		[3]string{`{"title":"a","of":`, `{"title":"b"}`, "}"}, [3]string{`{"title":"a","x":"","of":`, `{"title":"b","x":""}`, "}"},
	}, {
		"Unwrapped", before(change(migrate.For[parcel](migrate.Unwrapped[parcelOld]("payload"), migrate.Renamed("name", "title")))),
		[]migrate.Body{migrate.Accepts[parcel](), migrate.Returns[parcel]()},
		[3]string{`{"payload":{"name":"a","of":`, "null", "}}"}, [3]string{`{"title":"a","of":`, "null", "}"},
		[3]string{`{"title":"a","of":`, "null", "}"}, [3]string{`{"payload":{"name":"a","of":`, "null", "}}"},
	}, {
		"Wrapped", before(change(migrate.For[shelf](migrate.Wrapped("items"), migrate.Added("next", "n")))),
		[]migrate.Body{migrate.Accepts[shelf](), migrate.Returns[shelf]()},
		[3]string{`[`, "null", "]"}, [3]string{`{"next":"n","items":[`, "null", "]}"},
		[3]string{`{"next":"x","items":[`, "null", "]}"}, [3]string{`[`, "null", "]"},
	}, {
		"Unwrapped of Wrapped", verso.Must(migrate.New(apiOf("v3", "v2", "v1"),
			migrate.Release("v3", migrate.Changed("x", migrate.For[crate](migrate.Unwrapped[crateOld]("payload")))),
			migrate.Release("v2", migrate.Changed("y", migrate.For[crate](migrate.Wrapped("items")))), migrate.Release("v1"))),
		[]migrate.Body{migrate.Accepts[crate](), migrate.Returns[crate]()},
		[3]string{`{"payload":[`, "null", "]}"}, [3]string{`{"items":[`, "null", "]}"},
		[3]string{`{"items":[`, "null", "]}"}, [3]string{`{"payload":[`, "null", "]}"},
	}, {
		"each in another", before(migrate.OneOf[mixes]("kind", migrate.Variant[mixed]("mixed")), change(
			migrate.For[mixed](migrate.Nested("meta", map[string]string{"x": "x", "all": "all"}), migrate.Renamed("name", "title")),
			migrate.For[mixedItem](migrate.Flattened[mixedItemOld]("in", map[string]string{"of": "of", "y": "y"}), migrate.NotNull("null", migrate.Absent)))),
		[]migrate.Body{migrate.Accepts[mixes](), migrate.Returns[mixes]()},
		[3]string{`{"x":"x","all":[{"title":"a","in":{"y":"y","of":`, "null", `}}],"name":"a","kind":"mixed"}`},
		[3]string{`{"meta":{"x":"x","all":[{"title":"a","y":"y","of":`, "null", `}]},"title":"a","kind":"mixed"}`},
		[3]string{`{"meta":{"x":"x","all":[{"title":"a","y":"y","of":`, "null", `,"null":null}]},"title":"a","kind":"mixed"}`},
		[3]string{`{"x":"x","all":[{"title":"a","in":{"y":"y","of":`, "null", `}}],"name":"a","kind":"mixed"}`},
	}}
}

func nestedFrom(is shaped) (was inMeta, err error) {
	was.Title = is.Title
	if is.Of != nil {
		was.Meta.Of = new(inMeta)
		*was.Meta.Of, err = nestedFrom(*is.Of)
	}
	return was, err
}

func nestedTo(was inMeta) (is shaped, err error) {
	is.Title = was.Title
	if was.Meta.Of != nil {
		is.Of = new(shaped)
		*is.Of, err = nestedTo(*was.Meta.Of)
	}
	return is, err
}

// TestDeepValues: values inside values of their kind cost what they are long, however deep they are.
func TestDeepValues(t *testing.T) {
	for _, d := range deeps() {
		route := d.history.Route(d.parts...)
		request := func(depth int) (string, error) {
			r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(deepBody(d.sent, depth)))
			r.Header.Set("Content-Type", "application/json")
			if _, err := route.Begin(verso.V("v1"), httptest.NewRecorder(), r); err != nil {
				return "", err
			}
			body, err := io.ReadAll(r.Body)
			return string(body), err
		}
		response := func(depth int) (string, error) {
			w := httptest.NewRecorder()
			rewriting, err := route.Begin(verso.V("v1"), w, httptest.NewRequest(http.MethodGet, "/", nil))
			if err != nil {
				return "", err
			}
			rewriting.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(rewriting, deepBody(d.wrote, depth))
			err = rewriting.Finish()
			return w.Body.String(), err
		}
		t.Run(d.name+"/request", func(t *testing.T) { linear(t, request, d.lifted) })
		t.Run(d.name+"/response", func(t *testing.T) { linear(t, response, d.lowers) })
	}
}

// linear checks what comes out at several depths, and that twice the depth takes twice the memory.
func linear(t *testing.T, send func(depth int) (string, error), want [3]string) {
	t.Helper()
	before := math.Inf(1)
	for _, depth := range []int{250, 500, 1000, 2000} {
		runtime.GC()
		runtime.GC() // the second one clears the pools
		var got string
		var err error
		used := float64(allocated(func() { got, err = send(depth) }))
		require.NoError(t, err, depth)
		assert.LessOrEqual(t, used/before, 2.6, depth)
		assert.Less(t, used/float64(depth), 12000.0, "bytes a level")
		t.Logf("depth %d: %.0f KB", depth, used/1024)
		before = used
		var is, wants any
		require.NoError(t, json.Unmarshal([]byte(got), &is))
		require.NoError(t, json.Unmarshal([]byte(deepBody(want, depth)), &wants))
		require.True(t, reflect.DeepEqual(is, wants), "depth %d: %.300s", depth, got)
	}
}

// TestReadsOfFunctions: a function that reads a value reads what is in it, and may be asked again for a
// value in there. What a client makes functions read has a bound, over the whole body.
func TestReadsOfFunctions(t *testing.T) {
	h := verso.Must(migrate.New(apiOf("v2", "v1"), migrate.Release("v2", migrate.Changed("x", migrate.For[shapedAgain](migrate.Reshaped(
		func(was shapedAgainOld) (shapedAgain, error) { return shapedAgain{was.Name, was.Of}, nil },
		func(is shapedAgain) (shapedAgainOld, error) { return shapedAgainOld{is.Title, is.Of}, nil }, "")))), migrate.Release("v1")))
	typ := reflect.TypeFor[[]shapedAgain]()
	for n, want := range map[int]string{1: "", 20: "the body is too large"} {
		older, newer := [3]string{`{"name":"a","of":`, `{"name":"b"}`, "}"}, [3]string{`{"title":"a","of":`, `{"title":"b"}`, "}"}
		list := func(one string) string { return "[" + one + strings.Repeat(","+one, n-1) + "]" }
		lifted, err := h.LiftJSON(verso.V("v1"), typ, []byte(list(deepBody(older, 500))))
		if want == "" {
			assert.NoError(t, err)
			assert.True(t, string(lifted) == list(deepBody(newer, 500)))
		} else {
			assert.ErrorContains(t, err, want)
		}
	}
	_, err := h.LowerJSON(verso.V("v1"), typ, []byte("["+deepBody([3]string{`{"title":"a","of":`, "null", "}"}, 4000)+"]"))
	assert.ErrorContains(t, err, "values that functions of edits read are inside each other too often")

	h = verso.Must(migrate.New(apiOf("v2", "v1"), migrate.Release("v2", migrate.Changed("x", migrate.For[heldRead](
		migrate.Renamed("name", "title"), migrate.RemovedFrom("size,omitempty", "of", func(of json.RawMessage) (int, error) { return len(of), nil })))),
		migrate.Release("v1")))
	for depth, want := range map[int]string{2: "", 1000: "", 4000: "values that functions of edits read are inside each other too often"} {
		got, err := h.LowerJSON(verso.V("v1"), reflect.TypeFor[heldRead](), []byte(deepBody([3]string{`{"title":"a","of":`, `{"title":"b"}`, "}"}, depth)))
		if want != "" {
			assert.ErrorContains(t, err, want)
			continue
		}
		require.NoError(t, err, depth)
		assert.Equal(t, depth, strings.Count(string(got), `"size":`), depth)
	}
}

type heldRead struct {
	Title string    `json:"title"`
	Of    *heldRead `json:"of,omitempty"`
}
