package migratetest_test

import (
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/migrate"
	"github.com/goverso/verso/migrate/migratetest"
)

type paged struct {
	Limit *int `query:"limit"`
}

type finding struct {
	paged
	OrderBy string                `query:"order_by"`
	Max     int                   `query:"max"`
	From    string                `query:"from"`
	To      string                `query:"to"`
	Tags    []string              `query:"tag"`
	Since   time.Time             `query:"since"`
	File    *multipart.FileHeader `form:"file"`
	other   string
}

type zoned struct {
	Zone string `header:"X-Zone"`
}

// releasedAs returns a history of two versions.
func releasedAs(t *testing.T, edits ...migrate.TypeEdits) *migrate.History {
	t.Helper()
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}})
	h, err := migrate.New(api, migrate.Release("v2", migrate.Changed("x", edits...)), migrate.Release("v1"))
	require.NoError(t, err)
	return h
}

// found is a history of parameters, whose functions depend on what an author gives.
func found(t *testing.T, factor int, separator, zone string) *migrate.History {
	t.Helper()
	text := func(from, to string) (string, error) { return from + separator + to, nil }
	cut := func(both string) (from, to string, err error) {
		from, to, ok := strings.Cut(both, separator)
		if !ok {
			return "", "", errors.New("no range")
		}
		return from, to, nil
	}
	return releasedAs(t, migrate.For[zoned](migrate.Values("X-Zone", map[string]string{zone: "Europe/Paris"})), migrate.For[finding](
		migrate.Renamed("sort", "order_by"), migrate.Split("range", "from", "to", cut, text),
		migrate.Mapped("max", func(n int) (int, error) { return n * factor, nil }, func(n int) (int, error) { return n / factor, nil })))
}

// What becomes of parameters shows in no type and in no response.
func TestExamplesOfParameters(t *testing.T) {
	file, zero := filepath.Join(t.TempDir(), "examples.json"), 0
	check := func(h *migrate.History) string {
		r := &recorder{TB: t}
		migratetest.Examples(r, h, file, map[string]any{
			"finding": &finding{
				paged: paged{Limit: &zero}, OrderBy: "a b", Max: 500, From: "1", To: "5", Tags: []string{"x", "y"}, Since: time.Unix(0, 0).UTC(), other: "o",
			},
			"zoned": zoned{"Europe/Paris"},
		})
		return r.failed
	}
	update(t, true)
	require.Empty(t, check(found(t, 100, "..", "paris")))
	update(t, false)
	require.Empty(t, check(found(t, 100, "..", "paris")), "the file is stable")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, `{
  "finding": {
    "v1": "limit=0\u0026max=5\u0026range=1..5\u0026since=1970-01-01T00%3A00%3A00Z\u0026sort=a+b\u0026tag=x\u0026tag=y",
    "v1 sent": "limit=0\u0026max=500\u0026from=1\u0026to=5\u0026since=1970-01-01T00%3A00%3A00Z\u0026order_by=a+b\u0026tag=x\u0026tag=y",
    "v2": "from=1\u0026limit=0\u0026max=500\u0026order_by=a+b\u0026since=1970-01-01T00%3A00%3A00Z\u0026tag=x\u0026tag=y\u0026to=5"
  },
  "zoned": {
    "v1": "X-Zone=paris",
    "v1 sent": "X-Zone=Europe%2FParis",
    "v2": "X-Zone=Europe%2FParis"
  }
}
`, string(text))
	for careless, h := range map[string]*migrate.History{
		"another factor": found(t, 1000, "..", "paris"), "another separator": found(t, 100, "-", "paris"), "another text": found(t, 100, "..", "Paris"),
	} {
		assert.Contains(t, check(h), "older clients break", careless)
	}
}

// An example that cannot be kept would be green for ever.
func TestExamplesThatAreRefused(t *testing.T) {
	h := found(t, 100, "..", "paris")
	for _, test := range []struct {
		example any
		want    string
	}{
		{nil, "nil has no type: give a value"},
		{[]finding{{Max: 1}}, "[]migratetest_test.finding has parameters of several requests: give one finding"},
		{finding{File: new(multipart.FileHeader)}, ""},
		{finding{File: &multipart.FileHeader{Filename: "x"}}, "finding.file is"},
	} {
		r := &recorder{TB: t}
		migratetest.Examples(r, h, filepath.Join(t.TempDir(), "none.json"), map[string]any{"x": test.example})
		if test.want != "" {
			assert.Contains(t, r.failed, test.want)
		}
	}
}

type oldAudit struct {
	Who guardedBy `json:"who"`
}

type guardedBy struct {
	Name string `json:"name"`
}

type audit struct {
	By string `json:"by"`
}

// Of a function that no example reaches, a change is seen by nobody.
func TestTypesWithoutAnExample(t *testing.T) {
	h := releasedAs(t, migrate.For[Guest](migrate.Added("note", "")), migrate.For[Room](migrate.Renamed("no", "number")),
		migrate.For[finding](migrate.Default("max", 10)), migrate.For[zoned](migrate.Renamed("X-Z", "X-Zone")),
		migrate.For[guardedBy](migrate.Removed("id", 0)),
		migrate.For[audit](migrate.Reshaped(nil, func(a audit) (oldAudit, error) { return oldAudit{guardedBy{a.By}}, nil }, "")))
	for _, test := range []struct {
		examples map[string]any
		want     string
	}{
		{nil, "Guest, audit, finding, guardedBy"},
		{map[string]any{"a": Guest{}, "b": []any{&finding{}, (*audit)(nil)}}, "audit, guardedBy"},
		{map[string]any{"a": map[string]any{"x": Guest{}}, "b": audit{}, "c": finding{}}, ""},
	} {
		r := &recorder{TB: t}
		update(t, true)
		migratetest.Examples(r, h, filepath.Join(t.TempDir(), "examples.json"), test.examples)
		update(t, false)
		if test.want == "" {
			assert.Empty(t, r.failed)
		} else {
			assert.Equal(t, "migratetest: no example has a value of these types, whose edits have functions or constants: "+test.want, r.failed)
		}
	}
}

// sent is what a test of a service causes: a status, a type, a body, and a header field.
type sent struct {
	status     int
	kind, body string
	field      string
}

// said returns what Checked says of responses of v1 and of v2 of a route with a renamed header field.
func said(t *testing.T, file string, more []migrate.Body, responses ...sent) string {
	t.Helper()
	change := migrate.Changed("x", migrate.For[Guest](migrate.Added("note", "")))
	again := migrate.Behaves("y")
	api := verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2", "v3"}})
	h := verso.Must(migrate.New(api, migrate.Release("v3", change), migrate.Release("v2", again), migrate.Release("v1")))
	route := h.Route(append(more, migrate.Returns[Guest](), change.ResponseHeader("X-Total", "X-Count"), again.ResponseHeader("X-Sum", "X-Total"))...)
	tb := &cleaned{}
	migratetest.Checked(tb, h, file, explained("GET", route))
	for _, v := range h.Versions() {
		for _, s := range responses {
			rewriting, err := route.Begin(v, httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/guests", nil))
			require.NoError(t, err)
			if s.field != "" {
				rewriting.Header().Set(s.field, "7")
			}
			rewriting.Header().Set("Content-Type", s.kind)
			rewriting.WriteHeader(s.status)
			_, _ = io.WriteString(rewriting, s.body)
			require.NoError(t, rewriting.Finish())
		}
	}
	for _, f := range tb.cleanups {
		f()
	}
	return tb.failed
}

const aGuest = `{"name":"a","status":"active"}`

func TestDeclaredFieldsThatNeverCame(t *testing.T) {
	file := filepath.Join(t.TempDir(), "contracts.json")
	passes := []migrate.Body{migrate.Passes("text/plain")}
	const lacks = `migratetest: GET /guests: ResponseHeader declares "X-Count", and no response has it: set it, or declare its new name`
	whole, update := sent{200, "application/json", aGuest, "X-Count"}, update
	update(t, true)
	require.Empty(t, said(t, file, passes, whole))
	update(t, false)
	for name, test := range map[string]struct {
		responses []sent
		want      string
	}{
		"it came":               {[]sent{whole}, ""},
		"it came once":          {[]sent{{200, "application/json", aGuest, ""}, whole, {200, "application/json", aGuest, ""}}, ""},
		"another name":          {[]sent{{200, "application/json", aGuest, "X-Counted"}}, lacks},
		"the name between":      {[]sent{{200, "application/json", aGuest, "Total"}}, lacks},
		"only errors were sent": {[]sent{{404, "text/plain", "gone", ""}}, ""},
		"with an error it came": {[]sent{{404, "text/plain", "gone", "X-Count"}, {200, "application/json", aGuest, ""}}, ""},
	} {
		assert.Equal(t, test.want, said(t, file, passes, test.responses...), name)
	}
}

func TestErrorsThatAreNotDeclared(t *testing.T) {
	file := filepath.Join(t.TempDir(), "contracts.json")
	for kind, passes := range map[string]string{"text/plain; charset=utf-8": "text/plain", "text/html": "text/html", "": "text/plain"} {
		plain := sent{404, kind, "gone", ""}
		assert.Contains(t, said(t, file, nil, plain), fmt.Sprintf("v1: GET /guests: 404: an error of type %s, which the route does not declare: add Fails, or Passes(%q) if", passes, passes))
		assert.Empty(t, said(t, file, []migrate.Body{migrate.Passes(passes)}, plain))
	}
	assert.Empty(t, said(t, file, nil, sent{404, "text/plain", "", ""}), "without a body there is nothing to declare")
}

// A file of an earlier release has no errors: it stays green, and learns them with -update.
func TestStatusesOfErrors(t *testing.T) {
	file := filepath.Join(t.TempDir(), "contracts.json")
	plain := func(statuses ...int) (list []sent) {
		for _, status := range statuses {
			s := sent{status, "text/plain", "x", "X-Count"}
			if status < 300 {
				s.kind, s.body = "application/json", aGuest
			}
			list = append(list, s)
		}
		return list
	}
	check := func(is bool, statuses ...int) string {
		update(t, is)
		defer update(t, false)
		return said(t, file, []migrate.Body{migrate.Passes("text/plain")}, plain(statuses...)...)
	}
	require.Empty(t, check(true, 200))
	assert.Empty(t, check(false, 200, 404), "the file has no error yet")
	assert.Contains(t, check(false, 201), "answered 200, and now also with another status: 200 201")
	require.Empty(t, check(true, 404))
	assert.Empty(t, check(false, 404))
	for _, is := range []bool{false, true} {
		assert.Contains(t, check(is, 422), "v1: GET /guests answered 404, and now also with another status: 404 422", strconv.FormatBool(is))
	}
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Contains(t, string(text), `"v1": "200 404"`)
}

// An error of the declared type may lack members, and have others, as many services write them.
func TestErrorsMayLackMembers(t *testing.T) {
	file := filepath.Join(t.TempDir(), "contracts.json")
	fails := []migrate.Body{migrate.Fails[Guest](verso.ProblemType)}
	update(t, true)
	defer update(t, false)
	for _, body := range []string{aGuest, `{"name":"a"}`, `{"name":"a","plan":"x"}`} {
		assert.Empty(t, said(t, file, fails, sent{200, "application/json", aGuest, "X-Count"}, sent{422, verso.ProblemType, body, "X-Count"}))
	}
	assert.Contains(t, said(t, file, fails, sent{422, verso.ProblemType, `{"name":7}`, "X-Count"}), `"/name": string is string, and this is 7`)
}

// Each line of JSON lines is a value.
func TestEachLineIsChecked(t *testing.T) {
	file := filepath.Join(t.TempDir(), "contracts.json")
	update(t, true)
	defer update(t, false)
	for _, kind := range []string{"application/jsonl", "application/x-ndjson", "application/json-seq"} {
		begin := ""
		if kind == "application/json-seq" {
			begin = "\x1e"
		}
		good, bad := begin+aGuest+"\n", begin+`{"name":"a","status":"active","plan":"x"}`+"\n"
		assert.Empty(t, said(t, file, nil, sent{200, kind, good + good, "X-Count"}), kind)
		for _, body := range []string{bad + good, good + bad, good + good + bad} {
			assert.Contains(t, said(t, file, nil, sent{200, kind, body, "X-Count"}), `Guest has no member "plan"`, kind)
		}
	}
}
